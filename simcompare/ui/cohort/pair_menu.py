"""Context menu of the table of pairs: open, decide, copy, sort, choose columns."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from simcompare.session.decisions import Decision
from simcompare.support.i18n import _
from simcompare.ui.cohort.pair_columns import full_column_name
from simcompare.ui.cohort.pair_order import OPTIONAL, PairColumn
from simcompare.ui.compare.bars.method_menu import KeepOpenMenu
from simcompare.ui.labels import DECISION_ICONS, NOTE_ICON, decision_colour
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import current_theme, follow_theme
from simcompare.ui.style.icons import icon

SORTING: tuple[PairColumn | None, ...] = (None, *PairColumn)
"""Sort orders; None: the default, highest share first."""


class PairMenu(QMenu):
    """Context menu. It displays the keys; the view handles them."""

    column_toggled = Signal(int, bool)
    """A column, and whether it is shown."""

    def __init__(
        self,
        parent: QWidget,
        open_pair: Callable[[bool], None],
        decide: Callable[[Decision | None], None],
        note: Callable[[], None],
        copy: Callable[[], None],
        export: Callable[[], None],
        sort: Callable[[PairColumn | None], None],
    ) -> None:
        super().__init__(parent)
        self._row_count = 0
        self.open_action = self._entry(partial(open_pair, False), "Return")
        self.swapped_action = self._entry(partial(open_pair, True))
        self.addSeparator()
        self.decisions: dict[Decision | None, QAction] = {
            Decision.FINE: self._entry(partial(decide, Decision.FINE), "F"),
            Decision.COPIED: self._entry(partial(decide, Decision.COPIED), "C"),
            None: self._entry(partial(decide, None)),
        }
        self.note_action = self._entry(note, "M")
        self.addSeparator()
        self.copy_action = self._entry(copy, QKeySequence.StandardKey.Copy)
        self.export_action = self._entry(export, "Ctrl+E")
        self.addSeparator()
        self.sort_menu = self.addMenu("")
        group = QActionGroup(self)
        self._sorting: dict[PairColumn | None, QAction] = {}
        for column in SORTING:
            action = self.sort_menu.addAction("", partial(sort, column))
            action.setCheckable(True)
            group.addAction(action)
            self._sorting[column] = action
        self.column_menu = KeepOpenMenu(self)
        self.addMenu(self.column_menu)
        self.columns: dict[PairColumn, QAction] = {}
        for column in OPTIONAL:
            self.columns[column] = self.column_menu.addAction("")
            self.columns[column].setCheckable(True)
            self.columns[column].triggered.connect(
                lambda shown, column=column: self.column_toggled.emit(column, shown)
            )
        follow_theme(self._apply_theme)
        follow_language(self._retranslate)

    def _entry(self, run: Callable[[], None], key: str | QKeySequence.StandardKey | None = None) -> QAction:
        action = self.addAction("", run)
        if key is not None:
            action.setShortcut(QKeySequence(key))
        return action

    def show_state(self, row_count: int, sorted_by: PairColumn | None) -> None:
        """Enable the commands on rows, name how many they decide on, and tick the sort order."""
        self._row_count = row_count
        self._name_decisions()
        entries = (
            self.open_action,
            self.swapped_action,
            self.note_action,
            self.copy_action,
            self.export_action,
        )
        for action in (*entries, *self.decisions.values()):
            action.setEnabled(row_count > 0)
        self._sorting[sorted_by].setChecked(True)

    def _name_decisions(self) -> None:
        names = {
            Decision.FINE: (_("Mark the pair as no concern"), _("Mark {count} pairs as no concern")),
            Decision.COPIED: (_("Mark the pair as copied"), _("Mark {count} pairs as copied")),
            None: (_("Withdraw the decision"), _("Withdraw the decisions on {count} pairs")),
        }
        for decision, (one, several) in names.items():
            text = several if self._row_count > 1 else one
            self.decisions[decision].setText(text.format(count=f"{self._row_count:,}"))
            self.decisions[decision].setIconText(one)  # in the list of shortcuts

    def _retranslate(self) -> None:
        self.open_action.setText(_("Open in Compare"))
        self.swapped_action.setText(_("Open with sides swapped"))
        self._name_decisions()
        self.note_action.setText(_("Note on the pair…"))
        self.copy_action.setText(_("Copy rows"))
        self.export_action.setText(_("Export these pairs…"))
        self.sort_menu.setTitle(_("Sort by"))
        for column, action in self._sorting.items():
            name = "" if column is None else full_column_name(column)
            action.setText(name or _("Default: highest share first"))
        self.column_menu.setTitle(_("Columns"))
        for column, action in self.columns.items():
            action.setText(full_column_name(column))

    def _apply_theme(self) -> None:
        theme = current_theme()
        for decision in Decision:
            drawn = icon(DECISION_ICONS[decision], decision_colour(decision, theme))
            self.decisions[decision].setIcon(drawn)
        self.note_action.setIcon(icon(NOTE_ICON, theme.muted))

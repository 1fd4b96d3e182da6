"""Table of all pairs, as a part of the class page."""

from collections.abc import Callable, Collection, Iterable
from functools import partial

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QMenu, QWidget

from simcompare.session.decisions import OUTCOMES, REASONS, Decision
from simcompare.session.school_class import Pair
from simcompare.support.i18n import N_, _
from simcompare.ui.access.rows_table import Column
from simcompare.ui.actions import key_of
from simcompare.ui.cohort.class_table import BAR_PX, SIDE_PX, SIGN_PX, ClassTable
from simcompare.ui.cohort.pair_filter_bar import FilterChips, PairFilterBar
from simcompare.ui.cohort.pair_order import LEAST_FIRST, OPTIONAL, SHARES, Order, PairColumn, Places
from simcompare.ui.cohort.pair_rows import PairRows, mistakes_in_words
from simcompare.ui.compare.bars.settings_menus import KeepOpenMenu
from simcompare.ui.compare.matches.decision_bar import NotePopup
from simcompare.ui.labels import DECISION_KEYS, NOTE_ICON, add_decisions, decision_icon, decision_name
from simcompare.ui.state.cohort.class_state import ClassPart
from simcompare.ui.state.language import NamedAction, follow_language, translated
from simcompare.ui.state.review.review_history import ReviewHistory
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.layouts import column_of, push_button, row_of
from simcompare.ui.style.text_labels import MutedLabel
from simcompare.ui.style.theme import APPEARANCE, GRID_PX, icon, on_surface, scaled

_NAMES = (PairColumn.A, PairColumn.B)
_FOLDED_MORE_PX = 125 * GRID_PX
"""Width below which the longest passage is hidden, with large text or in a small window."""
_FOLDED_NAME_PX = 33 * GRID_PX
"""Width of each name below which further columns of figures are hidden."""
_WIDEST_PX = 360 * GRID_PX
_WIDE_PX = 240 * GRID_PX
_NARROW_PX = 220 * GRID_PX
_NARROWEST_NAME_PX = 20 * GRID_PX


class PairTableView(ClassTable[int]):
    """Table of the pairs by their places in the table of the state, whose order it is given."""

    sorting_requested = Signal(int)
    """Number of the column whose heading was clicked."""
    _unwanted: frozenset[int] = frozenset()
    _surnames_px = 0

    def __init__(self, rows: PairRows, workspace: Workspace) -> None:
        self._pairs, self._pair_rows = workspace.pairs, rows  # the widths of columns need them
        super().__init__(rows.columns(), rows.pair_at, _FOLDED_NAME_PX)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def sort_by(self, column: int) -> None:
        self.sorting_requested.emit(column)

    def mark_order(self, order: Order) -> None:
        direction = Qt.SortOrder.DescendingOrder if order.descending else Qt.SortOrder.AscendingOrder
        self.model_of_rows.sort(-1 if order.column is None else order.column, direction)
        self.fit_columns()

    def rows_of(self, keys: Collection[object]) -> list[int]:
        places = self._pairs.table.places_of(pair for pair in keys if isinstance(pair, tuple))
        return np.flatnonzero(np.isin(self.model_of_rows.rows, places)).tolist() if places else []

    def paintEvent(self, event: QPaintEvent) -> None:
        with self._pair_rows.kept():
            super().paintEvent(event)

    # --- widths

    def fit_columns(self) -> None:
        self._surnames_px = self._pair_rows.surnames_px(self.fontMetrics().horizontalAdvance)
        super().fit_columns()

    @property
    def bar_px(self) -> int:
        """Length of the bars, shorter or zero in a narrow window, in favour of names."""
        if self.width() >= scaled(_WIDEST_PX):
            return 2 * BAR_PX
        if self.width() >= scaled(_WIDE_PX):
            return BAR_PX
        return BAR_PX // 2 if self.width() >= scaled(_NARROW_PX) else 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns, as the length of their bars may change."""
        super().resizeEvent(event)
        if self.width() != event.oldSize().width():
            self.fit_columns()

    def _fitted_px(self, number: int, column: Column[int]) -> int:
        """Width of the widest figure and of the heading; in a narrow window only a sorted one has a mark."""
        advance, bar_px = self.fontMetrics().horizontalAdvance, self.bar_px
        beside_px = bar_px + SIDE_PX if number in SHARES and bar_px else 0
        if number == PairColumn.DECISION:
            beside_px += (1 + self._pair_rows.has_notes) * (scaled(SIGN_PX) + GRID_PX)
        texts = () if column.widest is None else column.widest()
        sorted_by = self.model_of_rows.sorted_by
        has_mark = bar_px or (sorted_by is not None and sorted_by[0] == number)
        heading_px = advance(_(column.heading) + (" ▼" if has_mark else ""))
        return max(max(map(advance, texts), default=0) + beside_px, heading_px) + 2 * SIDE_PX

    def _names_px_beside(self, number: int) -> int:
        """Width of names for which a column is hidden: of surnames, if it was shown once."""
        if number in self._held:
            return self._surnames_px
        marked_px = 2 * (self.fontMetrics().horizontalAdvance(mistakes_in_words(8)) + SIDE_PX)
        return len(_NAMES) * max(scaled(_FOLDED_NAME_PX), marked_px)

    def leave_out(self, columns: Iterable[int]) -> None:
        self._unwanted = frozenset(columns)
        self._show_columns()

    def _show_columns(self) -> None:
        """Hide columns in favour of names; large names keep a least width, for which the table scrolls."""
        is_cramped = APPEARANCE.is_cramped
        is_narrow = is_cramped and self.width() < scaled(_FOLDED_MORE_PX)
        self._needless = self._unwanted | ({PairColumn.LONGEST} if is_narrow else frozenset())
        super()._show_columns()

    def _spread_px(self, shown: Collection[int]) -> dict[int, int]:
        is_scrolled = APPEARANCE.is_cramped and self._free_px(shown) < len(_NAMES) * self.least_name_px
        return dict.fromkeys(_NAMES, self.least_name_px) if is_scrolled else super()._spread_px(shown)

    @property
    def least_name_px(self) -> int:
        return scaled(_NARROWEST_NAME_PX)


class PairNote(QObject):
    """Popup with the note on a pair; the note belongs to the pair even if its row moves."""

    def __init__(self, review: ReviewHistory, table: QWidget) -> None:
        super().__init__(table)
        self._review = review
        self._table = table
        self._pair: Pair | None = None
        self._popup = NotePopup(N_("Note on the pair"), table)
        self.field = self._popup.field
        self.field.note_changed.connect(self._write)
        self._popup.closed.connect(self._end)
        review.changed.connect(self._show)

    def open(self, pair: Pair, widget: QWidget, place: QRect) -> None:
        self._pair = pair
        self._show()
        self._popup.open_at(widget, place)

    def _show(self) -> None:
        if self._pair is not None:
            self.field.show_note(self._review.pair_review(*self._pair).overall.note)

    def _write(self, note: str) -> None:
        if self._pair is not None:
            self._review.note_pair(*self._pair, note)

    def _end(self) -> None:
        self._pair = None
        self._review.end_typing()


SORTING: tuple[PairColumn | None, ...] = (None, *PairColumn)
"""Sort orders; None: the default, most rare text in common first."""


class PairMenu(QMenu):
    """Context menu. It displays the keys; the view handles them."""

    column_toggled = Signal(int, bool)
    """A column, and whether it is shown."""

    def __init__(
        self,
        parent: QWidget,
        table: PairTableView,
        open_pair: Callable[[bool], None],
        decide: Callable[[Decision | None], None],
        note: Callable[[], None],
        export: Callable[[], None],
        sort: Callable[[PairColumn | None], None],
    ) -> None:
        super().__init__(parent)
        self._row_count = 0
        self._columns = table.model_of_rows.columns
        self.open_action = NamedAction(N_("Open in Compare"), self, partial(open_pair, False), "Return")
        self.swapped_action = NamedAction(N_("Open with sides swapped"), self, partial(open_pair, True))
        self.addSeparator()
        decisions: dict[Decision, QAction] = {
            decision: NamedAction("", table, partial(decide, decision), key)
            for decision, key in DECISION_KEYS.items()
        }
        for outcome in OUTCOMES:
            decisions[outcome].setIcon(decision_icon(outcome))
        add_decisions(self, decisions)
        self.decisions: dict[Decision | None, QAction] = {each: decisions[each] for each in Decision}
        self.decisions[None] = NamedAction("", self, partial(decide, None))
        self.note_action = NamedAction(N_("Note on the pair…"), self, note, "M")
        self.note_action.setIcon(icon(NOTE_ICON, "muted"))
        self.addSeparator()
        self.copy_action = NamedAction(N_("Copy rows"), self, table.copy_rows, QKeySequence.StandardKey.Copy)
        self.export_action = NamedAction(N_("Export these pairs…"), self, export, "Ctrl+E")
        self.addSeparator()
        self.sort_menu = translated(self.addMenu(""), title=N_("Sort by"))
        group = QActionGroup(self)
        self._sorting: dict[PairColumn | None, QAction] = {}
        for column in SORTING:
            name = N_("Default: most rare text in common first") if column is None else self._naming(column)
            action = NamedAction(name, self.sort_menu, partial(sort, column), checkable=True)
            self._sorting[column] = group.addAction(action)
        self.column_menu = translated(KeepOpenMenu(self), title=N_("Columns"))
        self.addMenu(self.column_menu)
        self.columns: dict[PairColumn, QAction] = {}
        for column in OPTIONAL:
            self.columns[column] = NamedAction(self._naming(column), self.column_menu, checkable=True)
            self.columns[column].triggered.connect(
                lambda shown, column=column: self.column_toggled.emit(column, shown)
            )
        follow_language(self._name_decisions)

    def show_state(self, row_count: int, sorted_by: PairColumn | None) -> None:
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
        names = {decision: (decision_name(decision),) * 2 for decision in REASONS} | {
            Decision.FINE: (_("Mark the pair as no concern"), _("Mark {count} pairs as no concern")),
            Decision.COPIED: (_("Mark the pair as copied"), _("Mark {count} pairs as copied")),
            None: (_("Withdraw the decision"), _("Withdraw the decisions on {count} pairs")),
        }
        for decision, (one, several) in names.items():
            text = several if self._row_count > 1 else one
            self.decisions[decision].setText(text.format(count=f"{self._row_count:,}"))
            self.decisions[decision].setIconText(one)  # in the list of shortcuts

    def _naming(self, column: PairColumn) -> Callable[[], str]:
        return lambda: self._columns[column].full_name


_DECISION_KEYS = {
    **{Qt.Key(ord(key)): decision for decision, key in DECISION_KEYS.items()},
    Qt.Key.Key_5: Decision.COPIED,
}
_KEYS_OF_COMPARE = (*_DECISION_KEYS, Qt.Key.Key_N, Qt.Key.Key_P, Qt.Key.Key_M, Qt.Key.Key_U)


class PairTablePage(QWidget):
    opened = Signal()
    """A pair was opened in Compare."""
    export_requested = Signal()
    """Export the selected pairs."""
    started_over = Signal()
    columns_chosen = Signal(list)
    """Names of the optional columns that are shown, after the user changed them."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._rows = PairRows(workspace)
        self.filter = PairFilterBar(FilterChips(workspace.class_filter, self._rows.labels.text_of))
        self.table = translated(PairTableView(self._rows, workspace), accessibleName=N_("All pairs"))
        self.menu = PairMenu(
            self,
            self.table,
            lambda swapped: self._open(self._row_to_open(), swapped),
            self._decide,
            self.open_note,
            self.export_requested.emit,
            self.sort_by,
        )
        self.note = PairNote(workspace.review, self.table)
        self._hint, self._hint_button = MutedLabel(), push_button(N_("List all pairs"), self._list_all)
        self._shown_columns: set[PairColumn] = set()
        self._found_columns: set[PairColumn] = set()
        """Columns that this class has needed."""
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        over_table = QWidget()
        button = row_of(None, None, self._hint_button, None)
        parts = (None, self._hint, button, None)
        column = column_of(over_table, *parts, spacing_px=4 * GRID_PX, margins_px=8 * GRID_PX)
        column.setStretch(0, 2)  # a little above the middle
        column.setStretch(3, 3)
        column_of(self, self.filter, (self.table, 1))
        self.table.show_when_empty(over_table)
        table = self.table
        workspace.pairs.changed.connect(self._follow)
        workspace.review.changed.connect(self._follow)
        workspace.documents_changed.connect(self._follow_documents)
        workspace.class_state.changed.connect(self._follow_class)
        # what is told at the same moment is followed once; rows that may be gone are followed at once
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._follow)
        workspace.class_state.facts_found.connect(self._soon.start)
        workspace.progress_changed.connect(self._follow_progress)
        workspace.class_filter.changed.connect(self._filter)
        self.filter.chips.removed.connect(lambda: self.table.setFocus(Qt.FocusReason.OtherFocusReason))
        self.filter.changed.connect(self._filter)
        self.menu.column_toggled.connect(self._choose_column)
        self.filter.rest_button.clicked.connect(workspace.pairs.resume)
        self.filter.default_order_button.clicked.connect(lambda: self.sort_by(None))
        table.opened.connect(lambda: self._open(table.current(), False))
        table.sorting_requested.connect(lambda section: self.sort_by(PairColumn(section)))
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._open_menu)
        header = table.horizontalHeader()
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(
            lambda place: self.menu.column_menu.popup(header.mapToGlobal(place))
        )
        find = partial(self.filter.text.setFocus, Qt.FocusReason.ShortcutFocusReason)
        self.addAction(NamedAction(N_("Filter by name"), self, find, "Ctrl+Shift+F"))
        on_surface(self)
        self.show_columns(())
        follow_language(self._show_counts)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Focus the table. As focus proxy it would be the only tab stop of this view."""
        self.table.setFocus(event.reason())

    # --- rows

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._arrange()

    def _follow(self) -> None:
        if self.isVisible():  # otherwise it is updated when shown
            self._arrange()

    def _filter(self) -> None:
        self._rows.filter = self.filter.pair_filter.within(self._workspace.class_filter)
        self._arrange()

    def _list_all(self) -> None:
        self._workspace.class_filter.clear()
        self.filter.clear()
        self.filter.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def start_over(self) -> None:
        self._found_columns.clear()
        self.table.start_over()
        self._sort(Order())
        self.filter.clear()
        self.started_over.emit()

    def _follow_progress(self) -> None:
        if self.table.is_provisional != self._workspace.class_state.is_provisional:
            self._show_counts()

    def _follow_documents(self) -> None:
        if not self._workspace.documents.entries:
            self.start_over()
        self._show_counts()

    def _follow_class(self, changed: ClassPart) -> None:
        """Show names of students, groups and how unusual pairs are; rows follow new shares by themselves."""
        if ClassPart.STUDENTS in changed:
            self.filter.chips.show_filter()
        is_stale = (
            not self._workspace.pairs.is_comparing and self._rows.limit != self._workspace.class_state.limit
        )
        if ClassPart.STUDENTS in changed or is_stale:
            self._soon.start()
        else:
            self.table.viewport().update()

    def sort_by(self, column: PairColumn | None) -> None:
        """Sort by a column, again for the reverse order; None: the default."""
        before = self._rows.order
        descending = not before.descending if column == before.column else column not in LEAST_FIRST
        self._sort(Order(column, True if column is None else descending))

    def _sort(self, order: Order) -> None:
        self._rows.order = order
        if order.column in OPTIONAL:
            self._show_column(order.column, True)
        self.filter.default_order_button.setVisible(order.column is not None)
        self.table.mark_order(order)
        self._arrange()

    @property
    def order_word(self) -> str:
        return self._rows.order.word

    def use_order(self, word: str) -> None:
        self._sort(Order.from_word(word) or Order())

    @property
    def name_filter(self) -> str:
        return self.filter.text.text()

    @name_filter.setter
    def name_filter(self, text: str) -> None:
        self.filter.text.setText(text)

    def show_columns(self, names: Collection[str]) -> None:
        for column in OPTIONAL:
            self._show_column(column, column.name.lower() in names)

    def _show_column(self, column: PairColumn, shown: bool) -> None:
        (self._shown_columns.add if shown else self._shown_columns.discard)(column)
        self.menu.columns[column].setChecked(shown)
        self._leave_out_columns()

    def _leave_out_columns(self) -> None:
        """Hide the columns that were not chosen, but of some once there was anything in them."""
        if (self._workspace.pairs.table.rows["rewritten_units"] > 0).any():
            self._found_columns.add(PairColumn.REWRITTEN)
        if self._rows.groups:
            self._found_columns.add(PairColumn.GROUP)
        if not self._workspace.class_state.shares.is_usual_assumed:
            self._found_columns.add(PairColumn.UNUSUAL)
        needless = {*OPTIONAL, PairColumn.GROUP, PairColumn.UNUSUAL} - self._shown_columns
        self.table.leave_out(needless - self._found_columns)

    def _choose_column(self, number: int, shown: bool) -> None:
        """Show or hide an optional column; rows sorted by a hidden one return to the default order."""
        column = PairColumn(number)
        self._show_column(column, shown)
        if not shown and self._rows.order.column is column:
            self.sort_by(None)
        self.columns_chosen.emit([c.name.lower() for c in OPTIONAL if c in self._shown_columns])

    def _arrange(self) -> None:
        self._soon.stop()
        self.table.show_rows(self._rows.arranged())
        self._leave_out_columns()
        self.filter.show_groups(self._rows.groups)
        self.filter.show_facts(self._rows.fact_count, self._rows.rewritten_count)
        self._show_counts()

    def listed(self) -> Places:
        """Places of the listed pairs in the table of pairs, in listed order."""
        self._arrange()  # it may have been hidden for a while
        return np.array(self.table.model_of_rows.rows, np.intp)

    def chosen(self) -> Places:
        return np.array(self.table.chosen(), np.intp)

    def select(self, pair: Pair) -> None:
        self.table.select_key(pair)

    def _show_counts(self) -> None:
        pairs = self._workspace.pairs
        listed, total = self.table.model_of_rows.rowCount(), len(pairs.table)
        is_provisional = self._workspace.class_state.is_provisional
        left_out = 0 if pairs.is_comparing else pairs.cancelled_count
        self.filter.show_counts(listed, total, left_out, is_provisional)
        self.table.show_provisional(is_provisional)
        self._hint.setText("" if listed else self._hint_text(total))
        self._hint_button.setVisible(bool(total))

    def _hint_text(self, total: int) -> str:
        if total:
            return _("No pair matches the filter.")
        done, files = self._workspace.documents.reading_count
        if done < files and self._workspace.documents.is_preparing:
            return _("Preparing the texts. Pairs appear here once three are ready.")
        if done < files:
            return _("Reading the documents. Pairs appear here once three are read.")
        return _("Nothing to compare yet. Add documents that can be read.")

    # --- actions

    def _row_to_open(self) -> int | None:
        """Return the row that is opened: the current one if it is selected, or else the first selected."""
        chosen, current = self.table.chosen(), self.table.current()
        return current if current in chosen else next(iter(chosen), None)

    def _open(self, row: int | None, swapped: bool) -> None:
        if row is not None:
            pair = self._rows.pair_at(row)
            self._workspace.documents.choose_pair(*(pair[::-1] if swapped else pair))
            self.opened.emit()

    def _decide(self, decision: Decision | None) -> None:
        """Decide on the selected pairs as one undo step."""
        pairs = [self._rows.pair_at(row) for row in self.table.chosen()]
        self._workspace.review.decide_pairs(pairs, decision)

    def _toggle(self, decision: Decision) -> None:
        review = self._workspace.review
        held = {review.pair_review(*self._rows.pair_at(row)).overall.decision for row in self.table.chosen()}
        self._decide(None if held == {decision} else decision)

    def open_note(self) -> None:
        row = self._row_to_open()
        if row is not None:
            pair = self._rows.pair_at(row)
            index = self.table.model_of_rows.index(self.table.rows_of({pair})[0], PairColumn.DECISION)
            self.table.scrollTo(index)
            self.note.open(pair, self.table.viewport(), self.table.visualRect(index))

    def _open_menu(self, place: QPoint) -> None:
        self.menu.show_state(len(self.table.chosen_rows()), self._rows.order.column)
        self.menu.popup(self.table.viewport().mapToGlobal(place))

    def event(self, event: QEvent) -> bool:
        """Block the keys that act on a match in Compare while that is hidden."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = not event.modifiers() and event.key() in _KEYS_OF_COMPARE
            if plain or event.matches(QKeySequence.StandardKey.Copy):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = None if event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier else key_of(event)
        if key in _DECISION_KEYS:
            self._toggle(_DECISION_KEYS[key])
        elif key == Qt.Key.Key_M:
            self.open_note()
        else:
            super().keyPressEvent(event)

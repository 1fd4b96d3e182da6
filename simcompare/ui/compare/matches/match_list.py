"""List of all matches of a comparison, filtered by kind and decision."""

import numpy as np
from PySide6.QtCore import QEvent, QItemSelection, QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QLabel, QStackedLayout, QTableView, QWidget

from simcompare.comparison.comparison_result import Comparison, MatchKind
from simcompare.support.i18n import _
from simcompare.ui.compare.matches.match_filter import SIDE_PX, DecisionFilterButton, KindFilter, ListHeader
from simcompare.ui.compare.matches.match_rows import INDEX_ROLE, MatchRowPainter, MatchRows, row_height
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.review.match_decisions import DecisionFilter, MatchDecisions, no_decisions
from simcompare.ui.style.appearance import current_theme, follow_theme
from simcompare.ui.style.box_layouts import column_of
from simcompare.ui.style.elided_label import FocusFrame
from simcompare.ui.style.theme import muted_palette, slim_scroll_bar, surface_palette

# ruff: noqa: N802 - Qt names the methods it calls


class MatchTable(QTableView):
    """Table of one column: a QListView would read every row whenever the matches change.

    Emits the row that the user chose, also when it is chosen again. Based on the selection, as Qt gives a
    list a current row as soon as it has the focus.
    """

    chosen = Signal(QModelIndex)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QTableView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def moveCursor(self, action: QTableView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Interpret Home and End as first and last row, not column."""
        if action in (QTableView.CursorAction.MoveHome, QTableView.CursorAction.MoveEnd):
            modifiers |= Qt.KeyboardModifier.ControlModifier
        return super().moveCursor(action, modifiers)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Emit the newly selected row."""
        super().selectionChanged(selected, deselected)
        for row in selected.indexes():
            self.chosen.emit(row)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Emit the row again if it is already selected."""
        row = self.indexAt(event.position().toPoint())
        again = self.selectionModel().isSelected(row)
        super().mousePressEvent(event)
        if again:
            self.chosen.emit(row)


class MatchList(QWidget):
    """Lists the matches of a comparison by number; indices are indices into `comparison.matches`."""

    match_chosen = Signal(int)
    kinds_changed = Signal(object)
    """The kinds that are switched on, as a frozenset."""
    decision_filter_changed = Signal(object)
    """The DecisionFilter that the user chose: all matches, or those with a certain decision."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._comparison: Comparison | None = None
        self._decisions = no_decisions(0)
        self._selected: int | None = None
        self._waiting_text = ""
        self._header = ListHeader(self)
        self._filter = KindFilter(self)
        self._decision_filter = DecisionFilterButton(self)
        self._rows = MatchRows(self)
        self._painter = MatchRowPainter(self._rows)
        self._table = self._make_table()
        FocusFrame(self._table)
        self._hint = QLabel(self)
        self._hint.setWordWrap(True)
        self._hint.setMargin(SIDE_PX)  # the style sheet overrides contents margins
        self._hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._fit_rows()
        self._lay_out()
        self._filter.changed.connect(self._filter_rows)
        self._decision_filter.chosen.connect(self.decision_filter_changed)
        self._table.chosen.connect(self._choose)
        self._table.activated.connect(self._choose)
        self.setAutoFillBackground(True)
        follow_theme(self._apply_theme)
        self.set_comparison(None)
        follow_language(self._retranslate)

    def _make_table(self) -> MatchTable:
        table = MatchTable(self)
        table.setModel(self._rows)
        table.setItemDelegate(self._painter)
        return table

    def _lay_out(self) -> None:
        self._header.add_control(self._decision_filter)
        self._stack = QStackedLayout()
        self._stack.addWidget(self._table)
        self._stack.addWidget(self._hint)
        column_of(self, self._header, self._filter, (self._stack, 1))

    def set_comparison(self, comparison: Comparison | None, decisions: MatchDecisions | None = None) -> None:
        """List the matches of a comparison; the selected one stays selected if it is still one."""
        self._selected = self._found_again(comparison)
        self._comparison = comparison
        self._decisions = decisions or no_decisions(len(comparison.matches) if comparison else 0)
        self._decision_filter.show_decisions(self._decisions)
        self._decision_filter.setVisible(comparison is not None and len(comparison.matches) > 0)
        self._filter.set_counts(comparison.matches.kinds if comparison else np.zeros(0, np.int8))
        self._filter.setVisible(comparison is not None)
        self._show_rows()

    def set_decisions(self, decisions: MatchDecisions) -> None:
        """Show other decisions on the same matches."""
        self._decisions = decisions
        self._decision_filter.show_decisions(decisions)
        if self._decision_filter.choice is DecisionFilter.ALL:
            self._rows.set_decisions(decisions)
            self._table.viewport().update()
        else:
            self._show_rows()

    def show_listed(self, kinds: frozenset[MatchKind], decision_filter: DecisionFilter) -> None:
        """List only matches of these kinds and decisions."""
        if (kinds, decision_filter) != (self._filter.checked_kinds, self._decision_filter.choice):
            self._filter.show_kinds(kinds)
            self._decision_filter.set_choice(decision_filter)
            self._show_rows()

    def _found_again(self, comparison: Comparison | None) -> int | None:
        if self._comparison is None or comparison is None or self._selected is None:
            return None
        before = self._comparison.matches[self._selected]
        return comparison.matches.index_of(before.left, before.right)

    def set_selected(self, index: int | None) -> None:
        """Select a match, without a signal."""
        self._selected = index
        row = None if index is None else self._rows.row_of(index)
        with QSignalBlocker(self._table):
            if row is None:
                self._table.setCurrentIndex(QModelIndex())
                self._table.clearSelection()
            else:
                self._table.setCurrentIndex(self._rows.index(row))
                self._table.scrollTo(self._rows.index(row))

    def _filter_rows(self) -> None:
        self.kinds_changed.emit(self._filter.checked_kinds)
        self._show_rows()

    def _show_rows(self) -> None:
        height = self._table.verticalScrollBar().value()
        self._rows.show(
            self._comparison, self._decisions, self._filter.checked_kinds, self._decision_filter.choice
        )
        self._show_counts()
        row = None if self._selected is None else self._rows.row_of(self._selected)
        if row is not None:
            with QSignalBlocker(self._table):
                self._table.setCurrentIndex(self._rows.index(row))
        self._table.executeDelayedItemsLayout()
        self._table.verticalScrollBar().setValue(height)

    def _show_counts(self) -> None:
        listed, total = self._rows.rowCount(), len(self._comparison.matches) if self._comparison else 0
        of_all = _("{shown} of {total}").format(shown=f"{listed:,}", total=f"{total:,}")
        # the button beside it shows the total
        none = "" if self._comparison is None else "0"
        self._header.show_count(_("Matches"), of_all if listed < total else "" if total else none)
        self._hint.setText(self._hint_text(total))
        self._stack.setCurrentWidget(self._table if listed else self._hint)

    def _hint_text(self, total: int) -> str:
        if self._comparison is None:
            return self._waiting_text or _("Not compared yet")
        if not total:
            return _("No matches.")
        if self._decision_filter.choice is DecisionFilter.ALL:
            return _("No matches of the selected kinds.")
        return _("No such match. “{all}” above lists them all.").format(all=_("All matches"))

    def show_waiting(self, text: str) -> None:
        """Set the hint for the time without a comparison."""
        self._waiting_text = text
        self._show_counts()

    def _choose(self, row: QModelIndex) -> None:
        self._selected = row.data(INDEX_ROLE)
        self.match_chosen.emit(self._selected)

    def wanted_height(self) -> int:
        """Height at which the whole list is visible."""
        above = sum(part.sizeHint().height() for part in (self._header, self._filter) if not part.isHidden())
        if self._rows.rowCount():
            return above + self._table.verticalHeader().length()
        return above + self._hint.heightForWidth(self.width())

    def changeEvent(self, event: QEvent) -> None:
        """Fit the rows to a new font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_rows()

    def _fit_rows(self) -> None:
        height = row_height(self._table.fontMetrics())
        self._table.verticalHeader().setMinimumSectionSize(height)
        self._table.verticalHeader().setDefaultSectionSize(height)

    def _retranslate(self) -> None:
        self._table.setAccessibleName(_("Matches"))
        self._show_counts()
        self._table.viewport().update()

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setPalette(surface_palette(theme))
        self._table.setPalette(surface_palette(theme))
        self._table.verticalScrollBar().setStyleSheet(slim_scroll_bar(theme))
        self._hint.setPalette(muted_palette(theme))

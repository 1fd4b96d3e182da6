"""List of the passages of the current comparison, filtered by kind and decision."""

from collections import Counter

import numpy as np
from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QStackedLayout, QTableView, QWidget

from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS
from simcompare.support.i18n import N_, _
from simcompare.ui.access.rows_table import Column, RowsTable
from simcompare.ui.compare.left_out_sentences import add_pair_exclusion_entries
from simcompare.ui.compare.matches.passage_rows import (
    SIDE_PX,
    DecisionFilterButton,
    KindFilter,
    ListHeader,
    PassageRow,
    PassageRowPainter,
    PassageRows,
    arrow_rect,
    row_height,
)
from simcompare.ui.labels import nothing_counts_text, searching_text, waiting_text
from simcompare.ui.state.changes import ComparisonPart
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.state.review.found_decisions import DecisionFilter, decision_mask
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.layouts import ENTER_KEYS, column_of
from simcompare.ui.style.text_labels import MutedLabel
from simcompare.ui.style.theme import on_surface


class PassageTable(RowsTable[PassageRow]):
    """Table of one column. Right unfolds a passage or enters it, Left folds it or leaves it.

    Emits the row that the user chose, also when it is chosen again; not while several are selected.
    """

    row_chosen = Signal(object)
    """The PassageRow."""

    def __init__(self, rows: PassageRows) -> None:
        text = Column(
            N_("Passages"), rows.excerpt, None, tip=rows.description, spoken=rows.description, widest=tuple
        )
        super().__init__([text], lambda row: row)
        self._passages = rows
        self.setObjectName("")
        self.setItemDelegate(PassageRowPainter(rows, self))
        self.setMouseTracking(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.horizontalHeader().hide()
        self.opened.connect(lambda: self.row_chosen.emit(self.current()))
        self.pressed.connect(self._choose_again)
        self.verticalScrollBar().setObjectName("slim")

    # --- selection

    def _remember_chosen(self) -> None:
        super()._remember_chosen()
        chosen = [] if self._is_arranging else self.chosen_rows()
        if len(chosen) == 1:
            self.row_chosen.emit(self.model_of_rows.rows[chosen[0]])

    def _choose_again(self, index: QModelIndex) -> None:
        """Emit the pressed row also if it was selected before, which changes no selection."""
        if self.chosen_rows() == [index.row()]:
            self.row_chosen.emit(self.model_of_rows.rows[index.row()])

    # --- folding

    def list_rows(self) -> None:
        self.show_rows(self._passages.arranged())

    def set_unfolded(self, passage: int, unfolded: bool) -> None:
        """Unfold or fold a passage; if one of its pairs of sentences was selected, folding selects it."""
        here = self.current()
        if here is not None and here.passage == passage and here.match is not None and not unfolded:
            self._go_to(PassageRow(passage))
        self._passages.set_unfolded(passage, unfolded)
        self.list_rows()

    def _go_to(self, row: PassageRow) -> None:
        for place in self.rows_of({row}):
            self.setCurrentIndex(self.model_of_rows.index(place, 0))

    # --- events

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Make the first row current, without selecting it, if the focus comes by keyboard."""
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.MouseFocusReason and not self.currentIndex().isValid():
            first = self.model_of_rows.index(0, 0)
            self.selectionModel().setCurrentIndex(first, self.selectionModel().SelectionFlag.NoUpdate)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        here = self.current()
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if plain and here is not None and event.key() == Qt.Key.Key_Right:
            self._enter(here)
        elif plain and here is not None and event.key() == Qt.Key.Key_Left:
            if here.match is None:
                self.set_unfolded(here.passage, False)
            else:
                self._go_to(PassageRow(here.passage))
        elif event.key() == Qt.Key.Key_Space:
            QTableView.keyPressEvent(self, event)  # selects the current row
        elif event.key() in ENTER_KEYS and self.chosen_rows() == [self.currentIndex().row()]:
            event.ignore()  # it is chosen, so the key leads on to the next pair
        else:
            super().keyPressEvent(event)

    def _enter(self, row: PassageRow) -> None:
        if row.match is not None or not self._passages.can_unfold(row.passage):
            return
        if self._passages.is_unfolded(row.passage):
            self.setCurrentIndex(self.model_of_rows.index(self.currentIndex().row() + 1, 0))
        else:
            self.set_unfolded(row.passage, True)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and self._is_at_arrow(index, event):
            passage = self.model_of_rows.rows[index.row()].passage
            self.set_unfolded(passage, not self._passages.is_unfolded(passage))
        else:
            super().mousePressEvent(event)

    def _is_at_arrow(self, index: QModelIndex, event: QMouseEvent) -> bool:
        if not index.isValid() or not arrow_rect(self.visualRect(index)).contains(event.position().toPoint()):
            return False
        row = self.model_of_rows.rows[index.row()]
        return row.match is None and self._passages.can_unfold(row.passage)

    # --- looks

    def fit_columns(self) -> None:
        super().fit_columns()
        height = row_height(self.fontMetrics())
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)


_SHOWN_PARTS = ComparisonPart.MATCHES | ComparisonPart.EXCLUSIONS | ComparisonPart.PASSAGES


class PassageList(QWidget):
    rows_selected = Signal()
    """The user selected other rows."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._header = ListHeader(self)
        self._filter = KindFilter(self)
        self._decision_filter = DecisionFilterButton(self)
        self._rows = PassageRows(workspace.review)
        self._counts: dict[DecisionFilter, int] = {}
        self._table = translated(PassageTable(self._rows), accessibleName=N_("Passages"))
        self._hint = MutedLabel()
        for page in (self._table, self._hint):
            page.setParent(self)  # or the stacked layout shows it as a window for a moment
        self._hint.setMargin(SIDE_PX)  # the style sheet overrides contents margins
        self._hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._header.add_control(self._decision_filter)
        self._stack = QStackedLayout()
        self._stack.addWidget(self._table)
        self._stack.addWidget(self._hint)
        column_of(self, self._header, self._filter, (self._stack, 1))
        selection = workspace.selection
        self._filter.changed.connect(lambda: selection.show_kinds(self._filter.checked_kinds))
        self._decision_filter.chosen.connect(selection.show)
        self._decision_filter.arranged.connect(selection.arrange)
        self._decision_filter.menu().aboutToShow.connect(self._show_citations)
        self._table.row_chosen.connect(self._choose)
        self._table.customContextMenuRequested.connect(self._open_menu)
        self._table.selectionModel().selectionChanged.connect(self.rows_selected)
        workspace.documents_changed.connect(self._show_counts)
        workspace.comparison_changed.connect(self._show_comparison)
        workspace.progress_changed.connect(self._show_searching)
        workspace.review.changed.connect(self._show_decisions)
        selection.listed_changed.connect(self._show_listed)
        selection.changed.connect(self._show_selected)
        on_surface(self)
        self._show_comparison(ComparisonPart.ALL)
        follow_language(self._show_counts)

    def add_actions(self, actions: list[QAction]) -> None:
        self._table.addActions(actions)

    @property
    def several_selected(self) -> list[PassageRow]:
        chosen = self._table.chosen()
        return chosen if len(chosen) > 1 else []

    def _open_menu(self, place: QPoint) -> None:
        menu = QMenu(self._table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self._table.actions())
        comparison, match = self._workspace.comparison, self._current_match
        if comparison is not None and match is not None:
            found = comparison.matches[match]
            add_pair_exclusion_entries(self._workspace, comparison, (found.left, found.right), menu)
        menu.popup(self._table.viewport().mapToGlobal(place))

    @property
    def _current_match(self) -> int | None:
        """Match of the current row, also if its passage has no other; None with several rows selected."""
        row, passages = self._table.current(), self._workspace.passages
        if passages is None or row is None or self.several_selected:
            return None
        if row.match is not None:
            return row.match
        matches = passages.matches_of(row.passage).tolist()
        return matches[0] if len(matches) == 1 else None

    # --- contents

    def _show_comparison(self, changed: ComparisonPart) -> None:
        if not changed & _SHOWN_PARTS:
            return
        passages = self._workspace.passages
        kinds = np.zeros(0, np.int8) if passages is None else passages.kinds
        counts = np.bincount(kinds, minlength=len(PASSAGE_KINDS)).tolist()
        self._filter.set_counts(dict(zip(PASSAGE_KINDS, counts, strict=True)))
        self._show_rows()

    def _show_listed(self) -> None:
        selection = self._workspace.selection
        self._filter.show_kinds(selection.shown_kinds)
        self._decision_filter.set_choice(selection.decision_filter)
        self._show_rows()

    def _show_decisions(self) -> None:
        """Update the marks of decisions; if the list depends on them, `listed_changed` follows."""
        self._show_counts()
        self._table.viewport().update()

    def _show_rows(self) -> None:
        workspace, shown = self._workspace, None
        if workspace.comparison is not None and workspace.passages is not None:
            shown = workspace.comparison, workspace.passages
        self._rows.show(shown, workspace.selection.listed)
        self._show_counts()
        self._table.list_rows()
        self._table.select_key(self._selected_row(), visible=False)

    def _show_counts(self) -> None:
        passages, selection = self._workspace.passages, self._workspace.selection
        total = 0 if passages is None else len(passages)
        listed = len(selection.listed)
        decisions = self._workspace.review.passages
        self._counts = {
            each: int(decision_mask(decisions, each).sum())
            for each in DecisionFilter
            if not each.is_of_citations
        }
        self._decision_filter.set_counts(self._counts, int(selection.headings.sum()))
        self._decision_filter.setVisible(total > 0)
        of_all = _("{shown} of {total}").format(shown=f"{listed:,}", total=f"{total:,}")
        # the button beside it shows the total
        none = "" if passages is None else "0"
        self._header.show_count(_("Passages"), of_all if listed < total else "" if total else none)
        self._decision_filter.show_total(listed == total)
        self._hint.setText(self._hint_text(total))
        self._stack.setCurrentWidget(self._table if listed else self._hint)

    def _show_citations(self) -> None:
        """Offer the kinds of citations, unless no text may have the other as a source."""
        found = Counter(self._workspace.selection.citations)
        of_citations = (
            each for each in DecisionFilter if each.is_of_citations and found[None] < found.total()
        )
        counts = self._counts | {each: found[each.value] for each in of_citations}
        self._decision_filter.set_counts(counts, int(self._workspace.selection.headings.sum()))

    def _show_searching(self) -> None:
        if not self._workspace.passages:
            self._hint.setText(self._hint_text(0))

    def _hint_text(self, total: int) -> str:
        if self._workspace.comparison is None:
            return waiting_text(self._workspace) or _("Not compared yet")
        if not total:
            found = searching_text(self._workspace) or nothing_counts_text(self._workspace.comparison)
            return found or _("No passages.")
        if self._workspace.selection.has_short_ones:
            return _("No such passage. “{hide}” in the menu above hides short ones.").format(
                hide=_("Hide short ones")
            )
        if self._workspace.selection.has_other_decisions:
            return _("No such passage. “{all}” above lists them all.").format(all=_("All passages"))
        return _("No passages of the selected kinds.")

    # --- selection

    def _selected_row(self) -> PassageRow | None:
        selection = self._workspace.selection
        if selection.passage is None:
            return None
        return PassageRow(selection.passage, selection.selected if selection.is_inside_passage else None)

    def _show_selected(self) -> None:
        selection = self._workspace.selection
        if selection.passage is not None and selection.is_inside_passage:
            self._table.set_unfolded(selection.passage, True)
        self._table.select_key(self._selected_row())

    def _choose(self, row: PassageRow) -> None:
        if row.match is None:
            self._workspace.selection.select_passage(row.passage)
        else:
            self._workspace.selection.select_match_in(row.passage, row.match)

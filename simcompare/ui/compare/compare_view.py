"""Compare view: header, both texts, the heatmap at their right, inspector below."""

from collections import deque
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QSplitter, QWidget

from simcompare.comparison.comparison_result import Comparison, ExclusionReason, Int32Array
from simcompare.comparison.explanation import align, exclusion_name, explain, explain_near_miss, near_miss
from simcompare.model.document import Document, Span
from simcompare.support.i18n import _
from simcompare.ui.compare.bars.pair_header import PairHeader
from simcompare.ui.compare.find.find_bar import TextFinder
from simcompare.ui.compare.heatmap.heatmap_column import HeatmapColumns, SideTab
from simcompare.ui.compare.heatmap.heatmap_view import HeatmapView
from simcompare.ui.compare.heatmap_feed import HeatmapFeed
from simcompare.ui.compare.matches.inspector import Inspector
from simcompare.ui.compare.text_pane.linked_scrolling import LinkedScrolling
from simcompare.ui.compare.text_pane.text_painting import SentenceDecisions
from simcompare.ui.compare.text_pane.text_pane import TextPane, copyable_texts_at
from simcompare.ui.compare.text_pane.typography import TextSize
from simcompare.ui.labels import waiting_text
from simcompare.ui.state.changes import ComparisonPart
from simcompare.ui.state.document_listing import NO_NAME, DocumentName, Side
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.box_layouts import column_of, row_of
from simcompare.ui.style.theme import GRID_PX

_MAX_INSPECTOR_SHARE = 0.4
CONNECTORS_PX = 10 * GRID_PX
"""Width of the border between the texts, which has room for connectors of their passages."""


class InspectorHeight(QObject):
    """Sets the height of the inspector, below the texts in a splitter, to what its text needs.

    A hint takes one line. From match to match the height grows and does not shrink, otherwise texts would
    jump at each step. A border moved by the user stays where it is.
    """

    def __init__(self, splitter: QSplitter, inspector: Inspector, view: QWidget) -> None:
        """`view` is the whole Compare view; the inspector gets a share of it at most."""
        super().__init__(splitter)
        self._view = view
        self._splitter = splitter
        self._inspector = inspector
        self._grown_px = 0
        self._chosen_px: int | None = None
        inspector.width_changed.connect(self.fit, Qt.ConnectionType.QueuedConnection)
        splitter.splitterMoved.connect(self._use_moved_border)

    def fit(self) -> None:
        """Set the height that the current contents need."""
        needed = min(self._inspector.needed_height(), round(self._view.height() * _MAX_INSPECTOR_SHARE))
        if not self._inspector.shows_match:
            self._grown_px = 0
            self._set_height(needed)
            return
        self._grown_px = max(self._grown_px, needed)
        self._set_height(self._grown_px if self._chosen_px is None else self._chosen_px)

    def _set_height(self, height_px: int) -> None:
        texts, inspector = self._splitter.sizes()
        if height_px != inspector:
            self._splitter.setSizes([texts + inspector - height_px, height_px])

    def _use_moved_border(self) -> None:
        self._chosen_px = self._splitter.sizes()[1]


# height at which a selection made without a click is aligned, as a share of the pane
_DEFAULT_ALIGNMENT = 0.33


class CompareView(QWidget):
    """Shows the comparison of the workspace; all parts share one selection."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.header = PairHeader(workspace.review)
        self.panes = {Side.LEFT: TextPane(), Side.RIGHT: TextPane()}
        self.heatmap = HeatmapView()
        self.finder = TextFinder(self.panes, self)
        self.linked_scrolling = LinkedScrolling(self.panes, self)
        self.inspector = Inspector()
        self.panes_splitter = QSplitter(Qt.Orientation.Horizontal)
        self.heatmap_columns = HeatmapColumns(self.panes_splitter, self.heatmap)
        self.heatmap_tab = SideTab()
        self._vertical_splitter = QSplitter(Qt.Orientation.Vertical)
        self._shown_documents: dict[Side, Document | None] = {}
        self._clicked: tuple[Side, int] | None = None
        self._pending_sides: deque[Side] = deque()
        self._text_timer = QTimer(self, singleShot=True, interval=0)
        self._text_timer.timeout.connect(self._set_next_text)
        self._feed = HeatmapFeed(self.heatmap, workspace)
        self._lay_out()
        self._inspector_height = InspectorHeight(self._vertical_splitter, self.inspector, self)
        self._listen()
        follow_language(self._retranslate)

    def _lay_out(self) -> None:
        self.panes_splitter.setObjectName("panes")
        self.panes_splitter.setHandleWidth(CONNECTORS_PX)
        for column, pane in enumerate(self.panes.values()):
            self.panes_splitter.addWidget(pane)
            self.panes_splitter.setStretchFactor(column, 1)
            self.panes_splitter.setCollapsible(column, False)
        self.panes_splitter.setSizes([1, 1])
        upper = QWidget()
        row_of(upper, (self.heatmap_columns, 1), self.heatmap_tab)
        whole = self._vertical_splitter
        whole.setObjectName("whole")
        whole.addWidget(upper)
        whole.addWidget(self.inspector)
        whole.setStretchFactor(0, 1)
        whole.setStretchFactor(1, 0)
        whole.setCollapsible(0, False)
        column_of(self, self.header, self.finder.bar, (whole, 1))

    def _listen(self) -> None:
        workspace = self._workspace
        workspace.documents_changed.connect(self._show_documents)
        workspace.comparison_changed.connect(self._show_comparison)
        workspace.review.changed.connect(self._show_decisions)
        workspace.selection.changed.connect(self._show_selection)
        workspace.selection.listed_changed.connect(self._enable_steps)
        for side, pane in self.panes.items():
            pane.offset_clicked.connect(lambda offset, side=side: self._click_text(side, offset))
            pane.set_copy_source(partial(copyable_texts_at, workspace, side))
        self.inspector.previous_requested.connect(lambda: workspace.selection.step_passage(-1))
        self.inspector.next_requested.connect(lambda: workspace.selection.step_passage(1))

    def parts_in_order(self) -> list[QWidget]:
        """List the parts in tab order."""
        left, right = (self.panes[side] for side in Side)
        return [self.header, self.finder.bar, left, right, self.heatmap, self.heatmap_tab, self.inspector]

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Focus the heatmap, or a text without it. A focus proxy would be the only tab stop of this view."""
        taking = self.panes[Side.LEFT] if self.heatmap.isHidden() else self.heatmap
        taking.setFocus(event.reason())

    # documents

    def _show_documents(self) -> None:
        entries = {side: self._workspace.documents.entry_on(side) for side in Side}
        for side, entry in entries.items():
            prepared_document = entry.prepared_document if entry else None
            document = prepared_document.document if prepared_document else None
            if self._shown_documents.get(side) is document:
                continue
            self._shown_documents[side] = document
            self._pending_sides.append(side)
        if self._pending_sides:
            self._text_timer.start()
        left, right = (entries[side] for side in Side)
        self.header.show_pair(
            left.prepared_document if left else None,
            right.prepared_document if right else None,
            (self._name_on(Side.LEFT), self._name_on(Side.RIGHT)),
        )
        if self._workspace.comparison is None:
            self._show_hint()

    def _name_on(self, side: Side) -> DocumentName:
        documents = self._workspace.documents
        return documents.names.get(documents.sides.get(side, 0), NO_NAME)

    def _set_next_text(self) -> None:
        """Set one text per turn of the event loop, as a long one takes a while to prepare."""
        side = self._pending_sides[0]
        document = self._shown_documents[side]
        if document is None or self.panes[side].is_prepared_for(document):
            self._set_text(self._pending_sides.popleft())
        else:
            self.panes[side].prepare(document)
        if self._pending_sides:
            self._text_timer.start()

    def _set_all_texts(self) -> None:
        self._text_timer.stop()
        while self._pending_sides:
            self._set_text(self._pending_sides.popleft())

    def _set_text(self, side: Side) -> None:
        document = self._shown_documents[side]
        if document:
            self.panes[side].set_document(document)
        else:
            self.panes[side].clear()
        self.finder.show_document(side, document)

    # comparison

    def _show_comparison(self, changed: ComparisonPart) -> None:
        comparison = self._workspace.comparison
        if comparison is not None:
            self._set_all_texts()
        if changed & (ComparisonPart.MATCHES | ComparisonPart.EXCLUSIONS):
            self.header.show_comparison(comparison)
        if ComparisonPart.MATCHES in changed:
            self._show_matches(comparison)
        if ComparisonPart.EXCLUSIONS in changed:
            self._show_excluded()
        self._feed.show(comparison, changed)

    def _show_matches(self, comparison: Comparison | None) -> None:
        for side in Side:
            self.panes[side].set_highlight_columns(*_highlights(comparison, side))
        self._show_decisions()
        self.linked_scrolling.show_comparison(comparison)
        if self._workspace.selection.cell is None:
            self._show_hint()

    def _show_decisions(self) -> None:
        comparison, decisions = self._workspace.comparison, self._workspace.review.matches
        if comparison is not None:
            for side, pane in self.panes.items():
                pane.set_decisions(SentenceDecisions.of(comparison, side, decisions))

    def _show_excluded(self) -> None:
        for side, pane in self.panes.items():
            pane.set_excluded(*_excluded(self._workspace.comparison, side))

    # selection

    def _click_text(self, side: Side, offset: int) -> None:
        self._clicked = (side, offset)
        self._workspace.selection.select_at(side, offset)
        self._clicked = None

    def _show_selection(self) -> None:
        comparison, cell = self._workspace.comparison, self._workspace.selection.cell
        if comparison is None or cell is None:
            for pane in self.panes.values():
                pane.set_selected(None)
            self.heatmap.set_selected(None, None)
            self._show_hint()
            return
        self.heatmap.set_selected(*cell)
        self._inspect(comparison, cell)
        self._enable_steps()
        self._inspector_height.fit()
        left, right = comparison.left.prepared, comparison.right.prepared
        self._align_texts({Side.LEFT: left.sentence_span(cell[0]), Side.RIGHT: right.sentence_span(cell[1])})

    def _show_hint(self) -> None:
        hint = waiting_text(self._workspace)
        self.inspector.clear(hint)
        if hint:  # otherwise a match follows soon and the border would jump twice
            self._inspector_height.fit()

    def _inspect(self, comparison: Comparison, cell: tuple[int, int]) -> None:
        thesaurus, selected = self._workspace.thesaurus, self._workspace.selection.selected
        if selected is None:
            miss = near_miss(comparison, *cell, thesaurus)
            alignment = align(comparison, miss, thesaurus)
            reasons = explain_near_miss(comparison, miss, alignment)
            self.inspector.show_near_miss(comparison, miss, alignment, reasons)
            return
        match = comparison.matches[selected]
        alignment = align(comparison, match, thesaurus)
        reasons = explain(comparison, match, alignment)
        self.inspector.show_match(comparison, selected, alignment, reasons)

    def _enable_steps(self) -> None:
        self.inspector.enable_steps(
            self._workspace.selection.can_step_passage(-1), self._workspace.selection.can_step_passage(1)
        )

    def _align_texts(self, spans: dict[Side, Span]) -> None:
        """Scroll both sentences to the same height: that of the clicked one, or the default."""
        # near the top of both texts there is nothing to scroll to
        highest = max(pane.page_y_of(spans[side]) for side, pane in self.panes.items())
        height = min(int(self.panes[Side.LEFT].height() * _DEFAULT_ALIGNMENT), highest)
        if self._clicked:
            side, _offset = self._clicked
            height = self.panes[side].viewport_y_of(spans[side])
        for side, pane in self.panes.items():
            pane.set_selected(spans[side])
            pane.bring_to(spans[side], height)

    # text size and language

    def use_text_size(self, size: TextSize) -> None:
        """Follow a text size; the wheel over a text changes it."""
        for pane in self.panes.values():
            pane.size_step_requested.connect(size.step)
        size.changed.connect(self._set_text_percent)
        self._set_text_percent(size.percent)

    def _set_text_percent(self, percent: int) -> None:
        for pane in self.panes.values():
            pane.set_text_percent(percent)
        self.inspector.set_text_percent(percent)
        self._inspector_height.fit()

    def _retranslate(self) -> None:
        self.panes[Side.LEFT].setAccessibleName(_("Left text"))
        self.panes[Side.RIGHT].setAccessibleName(_("Right text"))
        self._show_excluded()
        self._show_selection()


def _highlights(comparison: Comparison | None, side: Side) -> tuple[Int32Array, NDArray[np.int8]]:
    """Spans of the sentences that have a match, shape (n, 2), and the kind of each one's best match."""
    if comparison is None:
        return np.zeros((0, 2), np.int32), np.zeros(0, np.int8)
    matches = comparison.matches
    prepared_document = comparison.left if side is Side.LEFT else comparison.right
    best = matches.best_of_left if side is Side.LEFT else matches.best_of_right
    matched = best >= 0
    return prepared_document.prepared.sentence_spans[matched], matches.kinds[best[matched]]


def _excluded(comparison: Comparison | None, side: Side) -> tuple[Int32Array, list[str]]:
    """Spans of the excluded sentences, shape (n, 2), and the reason of each in words."""
    if comparison is None:
        return np.zeros((0, 2), np.int32), []
    left = side is Side.LEFT
    prepared_document = comparison.left if left else comparison.right
    codes = (comparison.left_excluded if left else comparison.right_excluded).codes
    words = _("Excluded: {reason}")
    named = ["", *(words.format(reason=exclusion_name(reason)) for reason in ExclusionReason)]
    return prepared_document.prepared.sentence_spans[codes > 0], [
        named[code] for code in codes[codes > 0].tolist()
    ]

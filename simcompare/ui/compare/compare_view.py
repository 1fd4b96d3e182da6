"""Compare view: header, both texts, the heatmap at their right, inspector below."""

import time
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QWidget

from simcompare.comparison.comparison_result import Comparison, RowBlock
from simcompare.comparison.explanation import align, explain, explain_near_miss, near_miss
from simcompare.comparison.passage_explanation import PassageExplanation, explain_passage
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.comparison.passages.passage_detection import longest_match_chain
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.document import Document, Span
from simcompare.support.arrays import Int64Array
from simcompare.support.i18n import N_, _
from simcompare.ui.access.picture_table import PictureTable, TableAction
from simcompare.ui.actions import leads_on
from simcompare.ui.compare.bars.pair_header import PairHeader
from simcompare.ui.compare.find_bar import TextFinder
from simcompare.ui.compare.heatmap.heatmap_geometry import PassageBoxes
from simcompare.ui.compare.heatmap.heatmap_view import HeatmapColumns, HeatmapView, SideTab
from simcompare.ui.compare.matches.inspector import Inspector, PairReasons
from simcompare.ui.compare.text_feed import TextFeed
from simcompare.ui.compare.text_pane.connectors import Connectors
from simcompare.ui.compare.text_pane.text_pane import TextPane
from simcompare.ui.compare.text_pane.typography import TextSize
from simcompare.ui.labels import (
    author_of_pair,
    cell_description,
    cell_judgement,
    cell_summary,
    unmatched_text,
    waiting_text,
)
from simcompare.ui.notice_bar import Overlay
from simcompare.ui.state.changes import ComparisonPart, follow_parts
from simcompare.ui.state.cohort.class_state import ClassPart
from simcompare.ui.state.cohort.student_labels import StudentLabels
from simcompare.ui.state.document_listing import DocumentName, Side
from simcompare.ui.state.language import NamedAction, follow_language, translated
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.layouts import column_of, row_of
from simcompare.ui.style.theme import GRID_PX

_QUESTION_ABOVE_PX = 16 * GRID_PX
"""Distance of the question on the pair from the lower edge of the texts, above that of notices."""
_SELECTED_LINES = 6
"""Lines of a passage that say where it is."""
_READING_HEIGHT = 0.33
"""Share of the pane's height at which the texts are aligned."""


class LinkedScrolling(QObject):
    """Scrolls the other text when one is scrolled by hand.

    Matches in the same order in both texts are aligned when they pass the reading height; between two of
    them the other text is interpolated linearly.
    """

    def __init__(self, panes: Mapping[Side, TextPane], parent: QObject) -> None:
        super().__init__(parent)
        self._panes = panes
        self._comparison: Comparison | None = None
        self._starts: dict[Side, Int64Array] | None = None
        self.action = NamedAction(N_("Scroll both texts together"), self, checkable=True, checked=True)
        self.action.setShortcut("Ctrl+J")
        for side, pane in panes.items():
            pane.scrolled_by_user.connect(lambda side=side: self.follow(side))

    def show_comparison(self, comparison: Comparison | None) -> None:
        """Align the texts by the matches of a comparison."""
        self._comparison, self._starts = comparison, None

    def follow(self, side: Side, height: float | None = None) -> None:
        """Align the other text with one at a height of its pane, in pixels, by default the reading height."""
        if not self.action.isChecked() or self._comparison is None:
            return
        own, other = self._panes[side], self._panes[side.other]
        height = own.height() * _READING_HEIGHT if height is None else height
        here = own.scrolled_px + height
        (own_before, other_before), (own_after, other_after) = self._neighbours(side, here)
        share = (here - own_before) / max(own_after - own_before, 1)
        other.scroll_page_to(round(other_before + share * (other_after - other_before) - height))

    def _neighbours(self, side: Side, here: float) -> tuple[tuple[int, int], tuple[int, int]]:
        """Page heights of the matches before and after a height: (own, other), in pixels."""
        own, other = self._panes[side], self._panes[side.other]
        starts = self._anchors()
        place = int(np.searchsorted(own.page_ys_of(starts[side]), here))
        before, after = (0, 0), (own.page_px, other.page_px)
        if place > 0:
            before = self._place_of(side, place - 1)
        if place < len(starts[side]):
            after = self._place_of(side, place)
        return before, after

    def _place_of(self, side: Side, anchor: int) -> tuple[int, int]:
        starts = self._anchors()
        places = []
        for each in (side, side.other):
            start = int(starts[each][anchor])
            places.append(self._panes[each].page_y_of(Span(start, start + 1)))
        return places[0], places[1]

    def _anchors(self) -> dict[Side, Int64Array]:
        """Find where the sentences of the in-order matches start, in code points, per side."""
        if self._starts is None:
            assert self._comparison is not None, "nothing follows without one"
            comparison = self._comparison
            cells = comparison.matches.cells.select(longest_match_chain(comparison.matches))
            self._starts = {
                Side.LEFT: comparison.left.prepared.sentence_spans[cells.rows, 0].astype(np.int64),
                Side.RIGHT: comparison.right.prepared.sentence_spans[cells.columns, 0].astype(np.int64),
            }
        return self._starts


_BATCH_SECONDS = 0.008
_MOST_CHARACTERS_OF_SENTENCE = 20


class HeatmapFeed(QObject):
    def __init__(self, heatmap: HeatmapView, workspace: Workspace) -> None:
        super().__init__(heatmap)
        self._heatmap = heatmap
        self._workspace = workspace
        self._blocks: deque[RowBlock] = deque()
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._put_some_blocks)
        workspace.comparison_started.connect(self._clear)
        workspace.shape_known.connect(self._begin)
        workspace.block_scored.connect(self._put_block)
        heatmap.cell_chosen.connect(workspace.selection.select_cell)
        heatmap.set_describer(self._describe, self._describe_in_short)
        self._labels = StudentLabels(workspace)
        heatmap.names = self._names
        TableAction(heatmap, self._as_table)

    def show(self, comparison: Comparison | None, changed: ComparisonPart) -> None:
        if comparison is None:
            self._clear()
            return
        while self._blocks:
            self._put_some_blocks()
        self._timer.stop()
        if ComparisonPart.TEXTS in changed:
            left, right = comparison.left, comparison.right
            self._heatmap.show_sentences((partial(_sentence, left), partial(_sentence, right)))
        passages = self._workspace.passages
        if passages is not None and changed & (ComparisonPart.MATCHES | ComparisonPart.PASSAGES):
            cells = comparison.matches.cells
            self._heatmap.set_matches(cells.rows, cells.columns, passages.kinds_of_matches(comparison))
        if ComparisonPart.EXCLUSIONS in changed:
            self._heatmap.set_excluded(~comparison.left_excluded.kept, ~comparison.right_excluded.kept)
        if ComparisonPart.PASSAGES in changed:
            self._heatmap.set_passages(PassageBoxes.of(comparison))
        self._heatmap.set_similar_weight(comparison.settings.similar_weight)

    def _names(self) -> tuple[str, str]:
        sides = self._workspace.documents.sides
        left, right = (self._labels.text_of(sides[side]) if side in sides else "" for side in Side)
        return left, right

    def _begin(self, rows: int, columns: int) -> None:
        self._blocks.clear()
        self._heatmap.begin(rows, columns)

    def _clear(self) -> None:
        self._blocks.clear()
        self._heatmap.clear()

    def _put_block(self, block: RowBlock) -> None:
        self._blocks.append(block)
        self._timer.start()

    def _put_some_blocks(self) -> None:
        """Show blocks for a few milliseconds: hundreds may have arrived at once."""
        end = time.monotonic() + _BATCH_SECONDS
        while self._blocks and time.monotonic() < end:
            block = self._blocks.popleft()
            self._heatmap.put_block(block.rows.start, block.heat)
        if self._blocks:
            self._timer.start()

    def _describe(self, row: int, column: int) -> str:
        comparison = self._workspace.comparison
        return "" if comparison is None else cell_description(comparison, row, column)

    def _describe_in_short(self, row: int, column: int) -> str:
        comparison = self._workspace.comparison
        return "" if comparison is None else cell_summary(comparison, row, column)

    def _as_table(self) -> PictureTable | None:
        comparison = self._workspace.comparison
        if comparison is None:
            return None
        left, right = comparison.left, comparison.right
        return PictureTable(
            title=_("Comparison matrix"),
            row_count=left.prepared.sentence_count,
            column_count=right.prepared.sentence_count,
            row_name=lambda row: _("left {sentence}").format(sentence=_beginning(left, row)),
            column_name=lambda column: _("right {sentence}").format(sentence=_beginning(right, column)),
            cell=lambda row, column: cell_judgement(comparison, row, column),
            choose=self._heatmap.choose,
            first=self._workspace.selection.cell or (0, 0),
        )


def _sentence(document: PreparedDocument, sentence: int) -> str:
    return " ".join(document.prepared.sentence_span(sentence).of(document.document.text).split())


def _beginning(document: PreparedDocument, sentence: int) -> str:
    text = _sentence(document, sentence)
    is_long = len(text) > _MOST_CHARACTERS_OF_SENTENCE
    return f"{sentence + 1}: {text[:_MOST_CHARACTERS_OF_SENTENCE]}{'…' if is_long else ''}"


CONNECTORS_PX = 10 * GRID_PX
"""Width of the border between the texts, which has room for connectors of their passages."""

# a longer passage takes more than a frame to explain: in the background, and not at each step of a slider
_MOST_CHARACTERS_AT_ONCE = 8_000
_EXPLAINING_DELAY_MS = 150
_INSPECTING_DELAY_MS = 40
"""Delay after which the explanation of what is selected follows a changed setting, after the figures."""


class CompareView(QWidget):
    """Shows the comparison of the workspace; all parts share one selection."""

    receipt_requested = Signal(int)
    """Key of a document of which to show what was read."""
    search_requested = Signal(str)
    """Search the library for a sentence."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.header = PairHeader(workspace.review, workspace.selection)
        self.panes = {Side.LEFT: TextPane(overview_first=True), Side.RIGHT: TextPane()}
        translated(self.panes[Side.LEFT], accessibleName=N_("Left text"))
        translated(self.panes[Side.RIGHT], accessibleName=N_("Right text"))
        self.heatmap = HeatmapView()
        self.finder = TextFinder(self.panes, self)
        self.linked_scrolling = LinkedScrolling(self.panes, self)
        self.inspector = Inspector()
        self.panes_splitter = QSplitter(Qt.Orientation.Horizontal)
        self.heatmap_columns = HeatmapColumns(self.panes_splitter, self.heatmap)
        self.heatmap_tabs = SideTab(), SideTab()
        self._shown_documents: dict[Side, Document | None] = {}
        self._pending_sides: deque[Side] = deque()
        self._text_timer = QTimer(self, singleShot=True, interval=0)
        self._text_timer.timeout.connect(self._set_next_text)
        self._explaining = QTimer(self, singleShot=True, interval=_EXPLAINING_DELAY_MS)
        self._explaining.timeout.connect(self._explain_in_background)
        self._inspecting = QTimer(self, singleShot=True, interval=_INSPECTING_DELAY_MS)
        self._inspecting.timeout.connect(self._inspect_again)
        self._student_labels = StudentLabels(workspace)
        self._is_reclassified = False
        self._is_scrolled_unseen = False
        self._scrolling = QTimer(self, singleShot=True, interval=0)
        self._feed = HeatmapFeed(self.heatmap, workspace)
        self.text_feed = TextFeed(self.panes, workspace, self)
        self.panes_splitter.setObjectName("panes")
        self.panes_splitter.setHandleWidth(CONNECTORS_PX)
        for column, pane in enumerate(self.panes.values()):
            self.panes_splitter.addWidget(pane)
            self.panes_splitter.setStretchFactor(column, 1)
            self.panes_splitter.setCollapsible(column, False)
        self.panes_splitter.setSizes([1, 1])
        upper = QWidget()
        row_of(upper, (self.heatmap_columns, 1), column_of(None, *self.heatmap_tabs))
        column_of(self, self.header, self.finder.bar, (upper, 1), self.inspector)
        Overlay(upper, self.header.question_bar, above_px=_QUESTION_ABOVE_PX)
        self.connectors = Connectors(
            self.panes_splitter.handle(1), self.panes, self.text_feed.passage_in_words
        )
        self.heatmap.empty_words = self._empty_words
        workspace.documents_changed.connect(self._show_documents)
        follow_parts(self, workspace.class_state.changed, ClassPart.STUDENTS, self._show_documents)
        workspace.class_state.facts_found.connect(self._show_documents)
        workspace.comparison_changed.connect(self._show_comparison)
        workspace.selection.changed.connect(self._show_selection)
        workspace.selection.listed_changed.connect(self._enable_steps)
        for pane in self.panes.values():
            pane.menu.search_requested.connect(self.search_requested)
        self._scrolling.timeout.connect(self.text_feed.show_selection)
        workspace.progress_changed.connect(self._follow_progress)
        self.header.receipt_requested.connect(
            lambda side: self.receipt_requested.emit(workspace.documents.sides[side])
        )
        self.connectors.clicked.connect(workspace.selection.select_passage)
        self.finder.revealed.connect(self._show_beside)
        self.inspector.line.previous_button.clicked.connect(lambda: workspace.selection.step_passage(-1))
        self.inspector.line.next_button.clicked.connect(lambda: workspace.selection.step_passage(1))
        follow_language(self.text_feed.show_excluded)
        follow_language(self._show_selection)

    def parts_in_order(self) -> list[QWidget]:
        left, right = (self.panes[side] for side in Side)
        above = (self.header, self.header.question_bar, self.finder.bar)
        return [*above, left, right, self.heatmap, *self.heatmap_tabs, self.inspector]

    def lead_on(self, event: QKeyEvent) -> bool:
        """Open the undecided pair that is offered after a decision if the key is Enter; else return False."""
        may_lead = leads_on(event) and self.isVisible() and bool(self.header.step_bar.offered)
        if may_lead:
            self.header.step_bar.step_requested.emit(1)
        return may_lead

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select the passage around sentences."""
        selection = self._workspace.selection
        if event.key() == Qt.Key.Key_Escape and selection.passage is not None:
            selection.select_passage(selection.passage)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Focus the left text. A focus proxy would be the only tab stop of this view."""
        self.panes[Side.LEFT].setFocus(event.reason())

    def showEvent(self, event: QShowEvent) -> None:
        """Scroll to what was selected while the view was hidden, as the texts then had another width."""
        super().showEvent(event)
        if self._is_scrolled_unseen:
            self._is_scrolled_unseen = False
            self._scrolling.start()  # once the texts have their sizes

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
            (self.name_on(Side.LEFT), self.name_on(Side.RIGHT)),
            author_of_pair(self._workspace.documents),
            self._workspace.class_state.shown_facts(),
        )
        for side, entry in entries.items():
            is_awaited = entry is None and side is Side.RIGHT and len(self._workspace.documents.entries) == 1
            words = _("Drop the second document here, or press Ctrl+O.") if is_awaited else ""
            if entry is not None and not entry.has_result:
                is_stored = entry.saved_document is not None
                words = _("Preparing the text…") if is_stored else _("Reading {name}…")
                words = words.format(name=self.name_on(side).text)
            self.panes[side].say(words, is_invitation=is_awaited)
        self.heatmap.update()
        if self._workspace.comparison is None or self._workspace.selection.is_empty:
            self._show_hint()

    def _empty_words(self) -> str:
        """Say what the heatmap waits for."""
        entries = [self._workspace.documents.entry_on(side) for side in Side]
        if any(entry is not None and not entry.has_result for entry in entries):
            return _("Reading the texts…") if all(entries) else _("Reading the text…")
        is_comparing = self._workspace.comparison is None and all(entries)
        return _("Comparing the texts…") if is_comparing else _("The comparison matrix appears here.")

    def selected_rect(self) -> QRect:
        """Return where the selected passage begins in the left text; empty if it is not in view."""
        passages, passage = self._workspace.passages, self._workspace.selection.passage
        if passages is None or passage is None or not self.isVisible():
            return QRect()
        pane, span = self.panes[Side.LEFT], Span(*passages.left_spans[passage].tolist())
        line_px = pane.fontMetrics().lineSpacing()
        top, last = (pane.viewport_y_of(each) for each in (span, Span(span.end - 1, span.end)))
        height = min(last + 2 * line_px - top, _SELECTED_LINES * line_px)
        place = QRect(0, top, pane.width(), height) & pane.rect()
        return place.translated(pane.mapTo(self, QPoint(0, 0)))

    def name_on(self, side: Side) -> DocumentName:
        return self._student_labels.name_of(self._workspace.documents.sides.get(side, 0))

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
        self._is_reclassified = ComparisonPart.TEXTS not in changed
        if comparison is not None:
            self._text_timer.stop()
            while self._pending_sides:
                self._set_text(self._pending_sides.popleft())
        if changed & (ComparisonPart.MATCHES | ComparisonPart.EXCLUSIONS):
            self.header.show_comparison(comparison)
        self.text_feed.show(changed)
        if ComparisonPart.MATCHES in changed:
            self.linked_scrolling.show_comparison(comparison)
            if self._workspace.selection.is_empty:
                self._show_hint()
        self._feed.show(comparison, changed)

    # selection

    def _show_selection(self) -> None:
        comparison, passages = self._workspace.comparison, self._workspace.passages
        selection = self._workspace.selection
        self.heatmap.set_selected(*(selection.cell or (None, None)))
        if comparison is None or passages is None or selection.is_empty:
            self._show_hint()
        elif self._is_reclassified:
            self._inspecting.start()
        else:
            self._inspect(comparison, passages)
        self._is_reclassified = False
        self._enable_steps()
        self.text_feed.show_selection()
        self._is_scrolled_unseen = not self.isVisible()

    def _follow_progress(self) -> None:
        self.header.show_provisional(self._workspace.class_state.is_provisional)
        if not self._workspace.passages and self._workspace.selection.is_empty:
            self._show_hint()

    def _show_hint(self) -> None:
        self._stop_explaining()
        self.inspector.clear(unmatched_text(self._workspace) or waiting_text(self._workspace))

    def _inspect(self, comparison: Comparison, passages: NumberedPassages) -> None:
        selection, thesaurus = self._workspace.selection, self._workspace.thesaurus
        self._stop_explaining()
        if selection.cell is not None and selection.selected is None and not selection.are_counterparts:
            miss = near_miss(comparison, *selection.cell, thesaurus)
            alignment = align(comparison, miss, thesaurus)
            reasons = explain_near_miss(comparison, miss, alignment)
            shown, is_searching = PairReasons(miss, alignment, reasons), self._workspace.is_searching
            self.inspector.show_near_miss(comparison, shown, is_searching=is_searching)
        elif selection.passage is None or selection.is_inside_passage:
            pair = self._explained_pair(comparison)
            assert pair is not None, "without a passage sentences are selected"
            self.inspector.show_match(comparison, passages, selection.passage, pair)
        elif _longer_side(passages, selection.passage) > _MOST_CHARACTERS_AT_ONCE:
            self.inspector.show_passage(passages, selection.passage, PassageExplanation("", ()), None)
            self._explaining.start()
        else:
            self._show_explanation(explain_passage(comparison, passages, selection.passage, thesaurus))

    def _inspect_again(self) -> None:
        comparison, passages = self._workspace.comparison, self._workspace.passages
        if comparison is not None and passages is not None and not self._workspace.selection.is_empty:
            self._inspect(comparison, passages)

    def _explained_pair(self, comparison: Comparison) -> PairReasons | None:
        selected, thesaurus = self._workspace.selection.selected, self._workspace.thesaurus
        if selected is None:
            return None
        match = comparison.matches[selected]
        alignment = align(comparison, match, thesaurus)
        return PairReasons(match, alignment, explain(comparison, match, alignment))

    def _stop_explaining(self) -> None:
        self._inspecting.stop()
        self._explaining.stop()
        self._workspace.explaining.cancel()

    def _explain_in_background(self) -> None:
        comparison, passages = self._workspace.comparison, self._workspace.passages
        index = self._workspace.selection.passage
        if comparison is not None and passages is not None and index is not None:
            work = partial(explain_passage, comparison, passages, index, self._workspace.thesaurus)
            self._workspace.explaining.start(work, self._show_explanation, self._workspace.warn_of_comparison)

    def _show_explanation(self, explanation: PassageExplanation) -> None:
        comparison, passages = self._workspace.comparison, self._workspace.passages
        index = self._workspace.selection.passage
        if comparison is None or passages is None or index is None:
            return
        pair = self._explained_pair(comparison)
        is_lone = not any(each[index] for each in (passages.covers, passages.summaries, passages.evidence))
        if pair is not None and is_lone:
            explanation = replace(explanation, reasons=tuple(pair.reasons))
        only_pair = None if pair is None else (comparison, pair)
        self.inspector.show_passage(passages, index, explanation, only_pair)

    def _enable_steps(self) -> None:
        line, can_step = self.inspector.line, self._workspace.selection.can_step_passage
        line.previous_button.setEnabled(can_step(-1))
        line.next_button.setEnabled(can_step(1))

    def _show_beside(self, side: Side, found: Span) -> None:
        """Bring the other text to the same place as a hit, if both are scrolled together."""
        is_linked = self.linked_scrolling.action.isChecked()
        if is_linked and not self.text_feed.show_beside(side, found.start):
            self.linked_scrolling.follow(side, self.panes[side].viewport_y_of(found))

    # text size and language

    def use_text_size(self, size: TextSize) -> None:
        """Follow a text size; the wheel over a text changes it."""
        for pane in self.panes.values():
            pane.size_turned.connect(size.turn)
        size.changed.connect(self._set_text_percent)
        self._set_text_percent(size.percent)

    def _set_text_percent(self, percent: int) -> None:
        for pane in self.panes.values():
            pane.set_text_percent(percent)
        self.inspector.set_text_percent(percent)


def _longer_side(passages: NumberedPassages, index: int) -> int:
    return int(max(np.diff(spans[index])[0] for spans in (passages.left_spans, passages.right_spans)))

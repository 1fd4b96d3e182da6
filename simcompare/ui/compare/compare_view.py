"""Compare view: header, both texts with the heatmap between them, inspector below."""

from collections import deque
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QAction, QFocusEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from simcompare.comparison.comparison_result import Comparison, ExclusionReason, Int32Array
from simcompare.comparison.explanation import align, exclusion_name, explain, explain_near_miss, near_miss
from simcompare.model.document import Document, Span
from simcompare.support.i18n import _
from simcompare.ui.compare.bars.pair_header import PairHeader
from simcompare.ui.compare.find.find_bar import Finding
from simcompare.ui.compare.heatmap.heatmap_view import HeatmapView
from simcompare.ui.compare.heatmap_feed import HeatmapFeed
from simcompare.ui.compare.matches.inspector import Inspector
from simcompare.ui.compare.text_pane.linked_scrolling import ScrollTogether
from simcompare.ui.compare.text_pane.text_painting import JudgedSentences
from simcompare.ui.compare.text_pane.text_pane import TextPane, quotes_at
from simcompare.ui.compare.text_pane.typography import TextSize
from simcompare.ui.labels import waiting_text
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.changes import ComparisonPart
from simcompare.ui.state.document_listing import NO_NAME, DocumentName, Side
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.workspace import Workspace

_LARGEST_SHARE = 0.4


class InspectorRoom(QObject):
    """Gives the inspector the height that its text needs, below the texts in a splitter.

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
        splitter.splitterMoved.connect(self._follow_person)

    def fit(self) -> None:
        """Set the height that the current contents need."""
        needed = min(self._inspector.needed_height(), round(self._view.height() * _LARGEST_SHARE))
        if not self._inspector.shows_match:
            self._grown_px = 0
            self._give(needed)
            return
        self._grown_px = max(self._grown_px, needed)
        self._give(self._grown_px if self._chosen_px is None else self._chosen_px)

    def _give(self, height_px: int) -> None:
        texts, inspector = self._splitter.sizes()
        if height_px != inspector:
            self._splitter.setSizes([texts + inspector - height_px, height_px])

    def _follow_person(self) -> None:
        self._chosen_px = self._splitter.sizes()[1]


# height for a selection that no click made, as a share of the pane
_RESTING_HEIGHT = 0.33


class CompareView(QWidget):
    """Shows the comparison of the workspace; all parts share one selection."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.header = PairHeader(workspace.review)
        self.panes = {Side.LEFT: TextPane(), Side.RIGHT: TextPane()}
        self.heatmap = HeatmapView()
        self.finding = Finding(self.panes, self)
        self.together = ScrollTogether(self.panes, self)
        self.inspector = Inspector()
        self._whole = QSplitter(Qt.Orientation.Vertical)
        self._shown: dict[Side, Document | None] = {}
        self._clicked: tuple[Side, int] | None = None
        self._unset: deque[Side] = deque()
        self._setting = QTimer(self, singleShot=True, interval=0)
        self._setting.timeout.connect(self._set_next_text)
        self._feed = HeatmapFeed(self.heatmap, workspace)
        self._lay_out()
        self._room = InspectorRoom(self._whole, self.inspector, self)
        self._listen()
        follow_language(self._retranslate)

    def _lay_out(self) -> None:
        texts = QSplitter(Qt.Orientation.Horizontal)
        texts.setObjectName("texts")
        for widget in (self.panes[Side.LEFT], self.heatmap, self.panes[Side.RIGHT]):
            texts.addWidget(widget)
        texts.setSizes([360, 400, 360])
        for column in range(3):
            texts.setStretchFactor(column, 1)
            texts.setCollapsible(column, False)
        whole = self._whole
        whole.setObjectName("whole")
        whole.addWidget(texts)
        whole.addWidget(self.inspector)
        whole.setStretchFactor(0, 1)
        whole.setStretchFactor(1, 0)
        whole.setCollapsible(0, False)
        column_layout = QVBoxLayout(self)
        column_layout.setContentsMargins(0, 0, 0, 0)
        column_layout.setSpacing(0)
        column_layout.addWidget(self.header)
        column_layout.addWidget(self.finding.bar)
        column_layout.addWidget(whole, 1)

    def _listen(self) -> None:
        workspace = self._workspace
        workspace.documents_changed.connect(self._show_documents)
        workspace.comparison_changed.connect(self._show_comparison)
        workspace.review.changed.connect(self._show_judged)
        workspace.selection.changed.connect(self._show_selection)
        workspace.selection.listed_changed.connect(self._enable_steps)
        for side, pane in self.panes.items():
            pane.offset_clicked.connect(lambda offset, side=side: self._click_text(side, offset))
            pane.set_quoter(partial(quotes_at, workspace, side))
        self.inspector.previous_requested.connect(lambda: workspace.selection.select_step(-1))
        self.inspector.next_requested.connect(lambda: workspace.selection.select_step(1))

    def parts_in_order(self) -> list[QWidget]:
        """List the parts in tab order."""
        left, right = (self.panes[side] for side in Side)
        return [self.header, self.finding.bar, left, self.heatmap, right, self.inspector]

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Focus the heatmap. As focus proxy it would be the only tab stop of this view."""
        taking = self.panes[Side.LEFT] if self.heatmap.isHidden() else self.heatmap
        taking.setFocus(event.reason())

    # documents

    def _show_documents(self) -> None:
        entries = {side: self._workspace.documents.entry_on(side) for side in Side}
        for side, entry in entries.items():
            subject = entry.subject if entry else None
            document = subject.document if subject else None
            if self._shown.get(side) is document:
                continue
            self._shown[side] = document
            self._unset.append(side)
        if self._unset:
            self._setting.start()
        left, right = (entries[side] for side in Side)
        self.header.show_pair(
            left.subject if left else None,
            right.subject if right else None,
            (self._name_on(Side.LEFT), self._name_on(Side.RIGHT)),
        )
        if self._workspace.comparison is None:
            self._show_hint()

    def _name_on(self, side: Side) -> DocumentName:
        documents = self._workspace.documents
        return documents.names.get(documents.sides.get(side, 0), NO_NAME)

    def _set_next_text(self) -> None:
        """Set one text per turn of the event loop, as a long one takes a while to prepare."""
        side = self._unset[0]
        document = self._shown[side]
        if document is None or self.panes[side].is_prepared_for(document):
            self._set_text(self._unset.popleft())
        else:
            self.panes[side].prepare(document)
        if self._unset:
            self._setting.start()

    def _set_all_texts(self) -> None:
        self._setting.stop()
        while self._unset:
            self._set_text(self._unset.popleft())

    def _set_text(self, side: Side) -> None:
        document = self._shown[side]
        if document:
            self.panes[side].set_document(document)
        else:
            self.panes[side].clear()
        self.finding.show_document(side, document)

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
        self._show_judged()
        self.together.show_comparison(comparison)
        if self._workspace.selection.cell is None:
            self._show_hint()

    def _show_judged(self) -> None:
        comparison, judgements = self._workspace.comparison, self._workspace.review.matches
        if comparison is not None:
            for side, pane in self.panes.items():
                pane.set_judged(JudgedSentences.of(comparison, side, judgements))

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
        self._room.fit()
        left, right = comparison.left.prepared, comparison.right.prepared
        self._bring_alongside(
            {Side.LEFT: left.sentence_span(cell[0]), Side.RIGHT: right.sentence_span(cell[1])}
        )

    def _show_hint(self) -> None:
        hint = waiting_text(self._workspace)
        self.inspector.clear(hint)
        if hint:  # otherwise a match follows soon and the border would jump twice
            self._room.fit()

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
            self._workspace.selection.can_step(-1), self._workspace.selection.can_step(1)
        )

    def _bring_alongside(self, spans: dict[Side, Span]) -> None:
        """Scroll both sentences to the same height: that of the clicked one, or the resting height."""
        # near the top of both texts there is nothing to scroll to
        highest = max(pane.page_height_of(spans[side]) for side, pane in self.panes.items())
        height = min(int(self.panes[Side.LEFT].height() * _RESTING_HEIGHT), highest)
        if self._clicked:
            side, _offset = self._clicked
            height = self.panes[side].height_of(spans[side])
        for side, pane in self.panes.items():
            pane.set_selected(spans[side])
            pane.bring_to(spans[side], height)

    # looks

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
        self._room.fit()

    def _retranslate(self) -> None:
        self.panes[Side.LEFT].setAccessibleName(_("Left text"))
        self.panes[Side.RIGHT].setAccessibleName(_("Right text"))
        self._show_excluded()
        self._show_selection()


def _highlights(comparison: Comparison | None, side: Side) -> tuple[Int32Array, NDArray[np.int8]]:
    """Spans of the sentences that have a match, shape (n, 2), and the kind of the best match of each."""
    if comparison is None:
        return np.zeros((0, 2), np.int32), np.zeros(0, np.int8)
    matches = comparison.matches
    subject = comparison.left if side is Side.LEFT else comparison.right
    best = matches.best_of_left if side is Side.LEFT else matches.best_of_right
    matched = best >= 0
    return subject.prepared.sentence_spans[matched], matches.kinds[best[matched]]


def _excluded(comparison: Comparison | None, side: Side) -> tuple[Int32Array, list[str]]:
    """Spans of the excluded sentences, shape (n, 2), and the reason of each in words."""
    if comparison is None:
        return np.zeros((0, 2), np.int32), []
    left = side is Side.LEFT
    subject = comparison.left if left else comparison.right
    codes = (comparison.left_excluded if left else comparison.right_excluded).codes
    words = _("Excluded: {reason}")
    named = ["", *(words.format(reason=exclusion_name(reason)) for reason in ExclusionReason)]
    return subject.prepared.sentence_spans[codes > 0], [named[code] for code in codes[codes > 0].tolist()]


class HeatmapFolding(QObject):
    """Shows or hides the heatmap between the texts; remembered between starts."""

    def __init__(self, heatmap: QWidget, preferences: Preferences) -> None:
        super().__init__(heatmap)
        self._heatmap = heatmap
        self._preferences = preferences
        self.action = QAction(self, checkable=True, checked=preferences.shows_heatmap)
        self.action.setShortcut("Ctrl+Shift+H")
        self.action.toggled.connect(self._follow)
        heatmap.setVisible(preferences.shows_heatmap)
        follow_language(self._retranslate)

    def _follow(self, shown: bool) -> None:
        self._preferences.shows_heatmap = shown
        self._heatmap.setVisible(shown)

    def _retranslate(self) -> None:
        self.action.setText(_("Heatmap between the texts"))

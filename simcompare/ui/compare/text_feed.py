"""Contents of both texts: matched sentences, passages, decisions, selection."""

import time
from collections import OrderedDict
from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QTimer, Signal

from simcompare.comparison.comparison_result import Comparison, ExclusionReason
from simcompare.comparison.explanation import exclusion_name
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.comparison.passages.passage_words import PassageChanges, changes_of_passage, has_changes
from simcompare.model.document import Span
from simcompare.report.wording import passage_kind_name
from simcompare.session.decisions import Decision
from simcompare.support.arrays import Int32Array
from simcompare.support.display_text import percent
from simcompare.support.i18n import _
from simcompare.text.thesaurus import Thesaurus
from simcompare.ui.compare.left_out_sentences import add_exclusion_entry
from simcompare.ui.compare.text_pane.text_painting import SentenceDecisions
from simcompare.ui.compare.text_pane.text_pane import TextPane
from simcompare.ui.compare.text_pane.text_view import copyable_texts_at
from simcompare.ui.state.changes import ComparisonPart
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.workspace import Workspace

_MOST_KEPT = 256
_MOST_VISIBLE = 64
_PAUSE_MS = 80
_BATCH_SECONDS = 0.008
_DEFAULT_ALIGNMENT = 0.33
"""Height at which a selection made without a click is aligned, as a share of the pane."""
_NO_SPANS: Int32Array = np.zeros((0, 2), np.int32)
_NO_WORDS: Int32Array = np.zeros((0, 3), np.int32)
Spans = Mapping[Side, Span]
_SpanKey = tuple[int, ...]


class ChangedWords(QObject):
    """Changes in the passages of a comparison, found shortly after they are requested.

    Texts request those of visible passages at each painting; while they scroll, nothing is computed.
    """

    found = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._of: tuple[Comparison, NumberedPassages, Thesaurus | None] | None = None
        self._kept: OrderedDict[_SpanKey, PassageChanges] = OrderedDict()
        """Changes by the spans of their passage, which most settings leave as they are."""
        self._wanted: dict[int, None] = {}
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._find_some)

    def follow(
        self, comparison: Comparison | None, passages: NumberedPassages | None, thesaurus: Thesaurus | None
    ) -> None:
        before = self._of
        self._of = None if comparison is None or passages is None else (comparison, passages, thesaurus)
        if (
            self._of is None
            or before is None
            or (before[0].matrix, before[2]) != (self._of[0].matrix, thesaurus)
        ):
            self._kept.clear()
        self._wanted.clear()

    def of(self, passage: int, *, at_once: bool = False) -> PassageChanges | None:
        """Return the changes of a passage; None if it has none, and until they are found unless `at_once`."""
        if self._of is None or not has_changes(self._of[1], passage):
            return None
        key = _span_key(self._of[1], passage)
        if at_once and key not in self._kept:
            self._find(passage)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if passage not in self._wanted:
            self._wanted[passage] = None
            self._timer.start(_PAUSE_MS)
        return None

    def _find(self, passage: int) -> None:
        if self._of is not None:
            key = _span_key(self._of[1], passage)
            self._kept[key] = changes_of_passage(*self._of[:2], passage, self._of[2])

    def _find_some(self) -> None:
        """Find changes for a few milliseconds, the latest request first, as texts scroll on."""
        end = time.monotonic() + _BATCH_SECONDS
        while self._of is not None and self._wanted and time.monotonic() < end:
            passage, _nothing = self._wanted.popitem()
            self._find(passage)
        while len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        if len(self._wanted) > _MOST_VISIBLE:
            self._wanted.clear()
        if self._wanted:
            self._timer.start(0)
        else:
            self.found.emit()


def _span_key(passages: NumberedPassages, passage: int) -> _SpanKey:
    return (*passages.left_spans[passage].tolist(), *passages.right_spans[passage].tolist())


class TextFeed(QObject):
    """Shows the comparison of a workspace in both texts, and reports clicks on them to its selection."""

    def __init__(self, panes: Mapping[Side, TextPane], workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._panes = panes
        self._workspace = workspace
        self._clicked: tuple[Side, int] | None = None
        self._changes = ChangedWords(self)
        self._place: Spans = {}
        """The place where the passage differs that was stepped to, on the sides that have it."""
        self._partner: Spans = {}
        workspace.review.changed.connect(self._show_decisions)
        for side, pane in panes.items():
            pane.offset_clicked.connect(partial(self._select_at, side))
            pane.passage_clicked.connect(partial(self._select_passage, side))
            pane.passage_decided.connect(self._decide)
            pane.copyable_texts_at = partial(copyable_texts_at, workspace, side)
            pane.extend_menu = partial(add_exclusion_entry, workspace, side)
            pane.set_passage_sources(
                partial(self._words_in, side), self.passage_in_words, partial(self._synonyms_in_words, side)
            )
            pane.hovered.connect(partial(self._frame_partner, side))
            self._changes.found.connect(pane.repaint_passages)

    def passage_in_words(self, index: int) -> str:
        """Describe a passage: "Passage 3 · reworded · 61% in common"."""
        passages = self._workspace.passages
        if passages is None or index >= len(passages):
            return ""
        kind, share = PASSAGE_KINDS[passages.kinds[index]], percent(float(passages.in_common[index]))
        parts = [_("Passage {number}").format(number=f"{index + 1:,}"), passage_kind_name(kind)]
        if kind is not PassageKind.MEANING:
            parts.append(_("{share} in common").format(share=share))
        return " · ".join(parts)

    def _words_in(self, side: Side, passage: int) -> Int32Array:
        changes = self._changes.of(passage)
        return _NO_WORDS if changes is None else changes.words[side is Side.RIGHT]

    def _synonyms_at(self, side: Side, offset: int) -> Spans:
        """Return the pair of synonyms of which one is at a code point of a side; {} for none."""
        passage = self._panes[side].passage_at(offset)
        changes = None if passage is None else self._changes.of(passage)
        for pair in () if changes is None else changes.synonyms:
            spans = dict(zip(Side, pair, strict=True))
            if spans[side].start <= offset < spans[side].end:
                return spans
        return {}

    def _synonyms_in_words(self, side: Side, offset: int) -> str:
        """Return "big ~ large" for a synonym at a code point of a side."""
        comparison = self._workspace.comparison
        assert comparison is not None, "tool tips are of its passages"
        texts = comparison.left.document.text, comparison.right.document.text
        spans = self._synonyms_at(side, offset).values()
        return " ~ ".join(span.of(text) for span, text in zip(spans, texts, strict=False))

    def _frame_partner(self, side: Side, offset: int) -> None:
        """Frame the partner of the synonym at a code point of a side, or none for -1."""
        found = self._synonyms_at(side, offset) if offset >= 0 else {}
        self._partner = {side.other: found[side.other]} if found else {}
        self._frame()

    def _frame(self) -> None:
        for side, pane in self._panes.items():
            pane.set_framed([spans[side] for spans in (self._place, self._partner) if side in spans])

    # contents

    def show(self, changed: ComparisonPart) -> None:
        comparison, passages = self._workspace.comparison, self._workspace.passages
        if ComparisonPart.MATCHES in changed:
            for side, pane in self._panes.items():
                pane.set_highlights(_matched(comparison, side))
        self._changes.follow(comparison, passages, self._workspace.thesaurus)
        for side, pane in self._panes.items():
            pane.set_passages(*_passages(passages, side))
        self._show_decisions()
        if ComparisonPart.EXCLUSIONS in changed:
            self.show_excluded()

    def show_excluded(self) -> None:
        for side, pane in self._panes.items():
            pane.set_excluded(*_excluded(self._workspace.comparison, side))

    def _show_decisions(self) -> None:
        comparison, review = self._workspace.comparison, self._workspace.review
        if comparison is None:
            return
        for side, pane in self._panes.items():
            pane.set_decisions(SentenceDecisions.of(comparison, side, review.matches))
            pane.set_passage_decisions(review.passages)

    # selection

    def _select_at(self, side: Side, offset: int) -> None:
        selection, self._clicked = self._workspace.selection, (side, offset)
        before = selection.passage, selection.cell
        selection.select_at(side, offset)
        if before == (selection.passage, selection.cell):  # another place of a long passage
            self.show_selection()
        self._clicked = None

    def _select_passage(self, side: Side, index: int, offset: int) -> None:
        self._clicked = (side, offset)
        before = self._workspace.selection.passage
        self._workspace.selection.select_passage(index)
        if before == index:  # another place of a long passage
            self.show_selection()
        self._clicked = None

    def _decide(self, index: int, decision: Decision | None) -> None:
        self._workspace.review.decide_passages([index], decision)

    def show_selection(self) -> None:
        """Emphasise the selected passage, frame the selected sentences, and bring both to one height."""
        selection = self._workspace.selection
        self._place = {}
        self._frame()
        for side, pane in self._panes.items():
            pane.set_selected_passage(selection.passage)
            pane.set_selected(self._sentence_span(side))
        spans = self._aligned_spans()
        if spans is not None:
            self._align(spans)

    def show_beside(self, side: Side, offset: int) -> bool:
        """Bring the other text to what a code point corresponds to; return False if no passage holds it."""
        comparison, passages = self._workspace.comparison, self._workspace.passages
        passage = self._panes[side].passage_at(offset)
        if comparison is None or passages is None or passage is None:
            return False
        self._clicked = (side, offset)
        self._align(_same_place(comparison, passages, passage, self._clicked))
        self._clicked = None
        return True

    def step_change(self, step: int) -> None:
        """Frame the next or previous place where the selected passage differs, and bring it into view.

        A rewritten passage differs everywhere: its next or previous two sentences are selected.
        """
        comparison, passages = self._workspace.comparison, self._workspace.passages
        passage = self._workspace.selection.passage
        if comparison is None or passages is None or passage is None:
            return
        if self._workspace.selection.are_rewritten:
            self._workspace.selection.step_match(step)
            return
        changes = self._changes.of(passage, at_once=True)
        both = [] if changes is None else [zip(Side, place, strict=True) for place in changes.places]
        places: list[Spans] = [{side: span for side, span in place if span is not None} for place in both]
        if not places:
            return
        here = places.index(self._place) if self._place in places else -1
        self._place = places[min(max(here + step, 0), len(places) - 1)]
        self._frame()
        place = next((side, span.start) for side, span in self._place.items())
        self._align({**_same_place(comparison, passages, passage, place), **self._place})

    def _sentence_span(self, side: Side) -> Span | None:
        comparison, selection = self._workspace.comparison, self._workspace.selection
        cell, unmatched = selection.cell, selection.unmatched
        sentence = unmatched[1] if unmatched is not None and unmatched[0] is side else None
        if cell is not None:
            sentence = cell[0] if side is Side.LEFT else cell[1]
        if comparison is None or sentence is None:
            return None
        prepared = (comparison.left if side is Side.LEFT else comparison.right).prepared
        return prepared.sentence_span(sentence)

    def _aligned_spans(self) -> Spans | None:
        """Find what is brought to one height: the selected sentences, or the same place in a passage."""
        sentences = {side: self._sentence_span(side) for side in Side}
        left, right = sentences[Side.LEFT], sentences[Side.RIGHT]
        if left is not None and right is not None:
            return {Side.LEFT: left, Side.RIGHT: right}
        comparison, passages = self._workspace.comparison, self._workspace.passages
        passage = self._workspace.selection.passage
        if comparison is None or passages is None or passage is None:
            return None
        return _same_place(comparison, passages, passage, self._clicked)

    def _align(self, spans: Spans) -> None:
        """Scroll both texts to the same height: that of the clicked one, or the default."""
        # near the top of both texts there is nothing to scroll to
        highest = max(pane.page_y_of(spans[side]) for side, pane in self._panes.items())
        height = min(int(self._panes[Side.LEFT].height() * _DEFAULT_ALIGNMENT), highest)
        if self._clicked:
            side, _offset = self._clicked
            height = self._panes[side].viewport_y_of(spans[side])
        for side, pane in self._panes.items():
            pane.bring_to(spans[side], height)


def _same_place(
    comparison: Comparison, passages: NumberedPassages, passage: int, clicked: tuple[Side, int] | None
) -> Spans:
    """Find the same place on both sides of a passage: that of a click, or its beginning.

    That is the best match of the clicked sentence if the passage has it, or else as far into the passage.
    """
    of_sides = {Side.LEFT: passages.left_spans[passage], Side.RIGHT: passages.right_spans[passage]}
    spans = {side: Span(*span.tolist()) for side, span in of_sides.items()}
    if clicked is None:
        return spans
    side, offset = clicked
    left, right = comparison.left.prepared, comparison.right.prepared
    sentence = (left if side is Side.LEFT else right).sentence_at(offset)
    best = comparison.matches.best_of_left if side is Side.LEFT else comparison.matches.best_of_right
    match = -1 if sentence is None else int(best[sentence])
    if match in passages.matches_of(passage):
        found = comparison.matches[match]
        return {Side.LEFT: left.sentence_span(found.left), Side.RIGHT: right.sentence_span(found.right)}
    own, other = spans[side], spans[side.other]
    share = (offset - own.start) / max(own.end - own.start, 1)
    across = other.start + round(share * (other.end - 1 - other.start))
    return {side: Span(offset, offset + 1), side.other: Span(across, across + 1)}


def _passages(passages: NumberedPassages | None, side: Side) -> tuple[Int32Array, NDArray[np.int8]]:
    """Spans of the passages in one text, shape (n, 2), and their kinds."""
    if passages is None:
        return _NO_SPANS, np.zeros(0, np.int8)
    return passages.left_spans if side is Side.LEFT else passages.right_spans, passages.kinds


def _matched(comparison: Comparison | None, side: Side) -> Int32Array:
    """Spans of the sentences that have a match, shape (n, 2)."""
    if comparison is None:
        return _NO_SPANS
    is_left, matches = side is Side.LEFT, comparison.matches
    best = matches.best_of_left if is_left else matches.best_of_right
    return (comparison.left if is_left else comparison.right).prepared.sentence_spans[best >= 0]


def _excluded(comparison: Comparison | None, side: Side) -> tuple[Int32Array, list[str]]:
    """Spans of the excluded sentences, shape (n, 2), and the reason of each in words."""
    if comparison is None:
        return _NO_SPANS, []
    left = side is Side.LEFT
    prepared_document = comparison.left if left else comparison.right
    codes = (comparison.left_excluded if left else comparison.right_excluded).codes
    words = _("Excluded: {reason}")
    named = ["", *(words.format(reason=exclusion_name(reason)) for reason in ExclusionReason)]
    return prepared_document.prepared.sentence_spans[codes > 0], [
        named[code] for code in codes[codes > 0].tolist()
    ]

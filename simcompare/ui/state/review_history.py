"""Teacher's decisions and notes by pair of documents, with undo."""

import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from simcompare.comparison.comparison_result import Comparison
from simcompare.session.decisions import (
    NO_DECISION,
    NO_REVIEW,
    Decision,
    MatchKey,
    NotedDecision,
    PairReview,
    SentenceIndex,
    SentenceKey,
    index_sentences,
    sentence_keys,
)
from simcompare.support.i18n import N_
from simcompare.text.prepared_text import PreparedText
from simcompare.ui.state.changes import UndoStep
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.document_store import DocumentStore
from simcompare.ui.state.match_decisions import Cell, MatchDecisions, arrange_decisions

_QUIET_MS = 300
_STEP_SECONDS = 0.002
_PAUSE_MS = 10
_MOST_AT_ONCE = 2000
"""Number of sentences that are indexed in about 9 ms."""


class SentenceIndexes(QObject):
    """Sentence indexes of the compared texts, built in idle time; one needed earlier is built at once.

    A thread would not help: Python code holds the GIL, and the GUI thread needs it after every call of Qt.
    """

    built = Signal(object)
    """A text and its sentence index (PreparedText, SentenceIndex)."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._indexes: dict[PreparedText, SentenceIndex] = {}
        self._pending: deque[_SentenceIndexing] = deque()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._step)

    def follow(self, texts: Sequence[PreparedText]) -> None:
        """Build the indexes of these texts, starting shortly after a comparison has been shown."""
        self._indexes = {text: self._indexes[text] for text in texts if text in self._indexes}
        self._pending = deque(_SentenceIndexing(text) for text in texts if text not in self._indexes)
        self._timer.start(_QUIET_MS)

    def of(self, text: PreparedText) -> SentenceIndex:
        """Index of a followed text, built now if necessary."""
        if text not in self._indexes:
            self._indexes[text] = index_sentences(text)
        return self._indexes[text]

    def is_ready_soon(self, texts: Sequence[PreparedText]) -> bool:
        """Return whether the indexes of all these texts exist or can be built without a noticeable delay."""
        pending = (text.sentence_count for text in texts if text not in self._indexes)
        return sum(pending) <= _MOST_AT_ONCE

    def start_now(self) -> None:
        """Start at once; `built` follows."""
        self._timer.start(_PAUSE_MS)

    def close(self) -> None:
        """Stop indexing."""
        self._timer.stop()

    def _step(self) -> None:
        """Index sentences for _STEP_SECONDS."""
        self._timer.setInterval(_PAUSE_MS)
        while self._pending and self._pending[0].text in self._indexes:
            self._pending.popleft()  # built by `of` meanwhile
        if not self._pending:
            self._timer.stop()
        elif index := self._pending[0].run_until(time.perf_counter() + _STEP_SECONDS):
            text = self._pending.popleft().text
            self._indexes[text] = index
            self.built.emit((text, index))


class _SentenceIndexing:
    """Interruptible indexing of one text."""

    def __init__(self, text: PreparedText) -> None:
        self.text = text
        self._rest: Iterator[SentenceKey] = sentence_keys(text)
        self._indexed: dict[SentenceKey, int] = {}

    def run_until(self, end: float) -> SentenceIndex | None:
        """Index sentences until a time of time.perf_counter(); return the index when it is complete."""
        for key in self._rest:
            self._indexed[key] = len(self._indexed)
            if time.perf_counter() > end:
                return None
        return SentenceIndex(tuple(self._indexed), self._indexed)


# ruff: noqa: N802 - Qt names the methods it calls


Pair = tuple[int, int]
"""Document keys; decisions are stored under the lower key first."""

_NOTE_ID = 1
_TEXTS = {Decision.FINE: N_("mark as no concern"), Decision.COPIED: N_("mark as copied")}
_PAIR_STEPS = {
    Decision.FINE: N_("mark the pair as no concern"),
    Decision.COPIED: N_("mark the pair as copied"),
    None: N_("withdraw the decision on the pair"),
}


class ReviewHistory(QObject):
    """Decisions and notes on each pair of documents, and on the matches of the current comparison."""

    changed = Signal()
    revisited = Signal(int, int)
    """Undo or redo changed a match of the current comparison: its cell."""
    changed_elsewhere = Signal(int, int)
    """Undo or redo changed a pair that is not compared now: its keys."""

    def __init__(self, documents: DocumentStore, history: QUndoStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._documents = documents
        self._history = history
        self._reviews: dict[Pair, PairReview] = {}
        self._comparison: Comparison | None = None
        self._pair: Pair = (0, 0)
        self._indexes = SentenceIndexes(self)
        self._indexes.built.connect(self._finish_indexing)
        self._cells: dict[Cell, NotedDecision] = {}
        self._waits_for_index = False
        self._matches: MatchDecisions | None = None
        self._typing = 0

    # current decisions

    def pair_review(self, left_key: int, right_key: int) -> PairReview:
        """Decisions on two documents, with the sentences of the first one as the left ones."""
        review = self._reviews.get(_ordered(left_key, right_key), NO_REVIEW)
        return review if left_key <= right_key else review.mirrored

    def pairs(self) -> Mapping[Pair, PairReview]:
        """Reviews of all listed documents by key pair, the lower key as the left one."""
        listed = self._documents.entries
        return {pair: held for pair, held in self._reviews.items() if all(key in listed for key in pair)}

    def restore(self, reviews: Mapping[Pair, PairReview]) -> None:
        """Replace all reviews by those of a session, oriented like their keys; not undoable."""
        self._reviews = {
            _ordered(*pair): held if pair[0] <= pair[1] else held.mirrored
            for pair, held in reviews.items()
            if not held.is_empty
        }
        self._read_cells()
        self.changed.emit()

    @property
    def pair(self) -> Pair | None:
        """Keys of the compared documents, left and right; None with fewer than two."""
        sides = self._documents.sides
        return (sides[Side.LEFT], sides[Side.RIGHT]) if len(sides) == len(Side) else None

    def decision_of(self, cell: Cell | None) -> NotedDecision:
        """Decision on two sentences of the comparison; empty for None (no selection)."""
        return NO_DECISION if cell is None else self._cells.get(cell, NO_DECISION)

    @property
    def overall(self) -> NotedDecision:
        """Decision on the chosen pair as a whole, whether compared or not."""
        return NO_DECISION if self.pair is None else self.pair_review(*self.pair).overall

    @property
    def matches(self) -> MatchDecisions:
        """Decisions in match order; empty without a comparison."""
        if self._matches is None:
            self._matches = arrange_decisions(self._comparison, self._cells)
        return self._matches

    # deciding

    def decide(self, cell: Cell, decision: Decision | None) -> None:
        """Decide on a match of the comparison; None withdraws the decision. Other cells are ignored."""
        if self._is_match(cell):
            self._end_waiting()
            before = self.decision_of(cell)
            text = _TEXTS[decision] if decision else N_("withdraw the decision")
            self._push(self._pair, self._key_of(cell), before, replace(before, decision=decision), text)

    def note(self, cell: Cell, note: str) -> None:
        """Set the note on a match; uninterrupted typing is one undo step."""
        if self._is_match(cell):
            self._end_waiting()
            before = self.decision_of(cell)
            self._push(self._pair, self._key_of(cell), before, replace(before, note=note), N_("note"))

    def decide_pair(self, left_key: int, right_key: int, decision: Decision | None) -> None:
        """Decide on two documents as a whole, or withdraw the decision with None."""
        before = self.pair_review(left_key, right_key).overall
        after = replace(before, decision=decision)
        self._push((left_key, right_key), None, before, after, _PAIR_STEPS[decision])

    def decide_pairs(self, pairs: Sequence[Pair], decision: Decision | None) -> None:
        """Decide on several pairs in one undo step; pairs that already have the decision are skipped."""
        others = [pair for pair in pairs if self.pair_review(*pair).overall.decision is not decision]
        if len(others) > 1:
            self._history.beginMacro(_PAIR_STEPS[decision])
        for pair in others:
            self.decide_pair(*pair, decision)
        if len(others) > 1:
            self._history.endMacro()

    def note_pair(self, left_key: int, right_key: int, note: str) -> None:
        """Set the note on two documents as a whole."""
        before = self.pair_review(left_key, right_key).overall
        self._push((left_key, right_key), None, before, replace(before, note=note), N_("note on the pair"))

    def end_typing(self) -> None:
        """End the current undo step of a note."""
        self._typing += 1

    def _push(
        self, pair: Pair, key: MatchKey | None, before: NotedDecision, after: NotedDecision, text: str
    ) -> None:
        if before == after or (before.is_empty and after.is_empty):
            return
        if key is not None and pair[0] > pair[1]:
            key = key.mirrored
        typing = self._typing if before.decision == after.decision else None
        self._history.push(_ReviewChange(self, (_ordered(*pair), key), (before, after), typing, text))

    # following the comparison

    def follow(self, comparison: Comparison | None) -> None:
        """Use another comparison of the chosen documents."""
        before, self._comparison = self._comparison, comparison
        pair = (self._documents.sides.get(Side.LEFT, 0), self._documents.sides.get(Side.RIGHT, 0))
        self._matches = None
        if comparison is not None and before is not None and before.matrix is comparison.matrix:
            return
        self._pair = pair
        if comparison is not None:
            self._indexes.follow(_texts(comparison))
        self._read_cells()

    def close(self) -> None:
        """Stop background work."""
        self._indexes.close()

    def _read_cells(self) -> None:
        """Find the decided sentences in the comparison; for long texts, once these are indexed."""
        self._cells, self._matches, self._waits_for_index = {}, None, False
        if self._comparison is None or not self.pair_review(*self._pair).matches:
            return
        if self._indexes.is_ready_soon(_texts(self._comparison)):
            self._find_cells()
        else:
            self._waits_for_index = True
            self._indexes.start_now()

    def _find_cells(self) -> None:
        built = ((self._cell_of(key), held) for key, held in self.pair_review(*self._pair).matches.items())
        self._cells = {cell: held for cell, held in built if cell is not None}

    def _finish_indexing(self) -> None:
        if self._comparison is not None and self._indexes.is_ready_soon(_texts(self._comparison)):
            self._end_waiting()

    def _end_waiting(self) -> None:
        """Show stored decisions now: the texts are indexed, or a decision needs them earlier."""
        if self._waits_for_index:
            self._waits_for_index, self._matches = False, None
            self._find_cells()
            self.changed.emit()

    def _put(self, pair: Pair, key: MatchKey | None, decision: NotedDecision) -> None:
        review = self._reviews.pop(pair, NO_REVIEW).with_decision(key, decision)
        if not review.is_empty:
            self._reviews[pair] = review
        if key is not None and self._comparison is not None and pair == _ordered(*self._pair):
            self._put_cell(key if pair == self._pair else key.mirrored, decision)
        self.changed.emit()

    def _revisit(self, pair: Pair, key: MatchKey | None) -> None:
        """Emit the match or pair that undo or redo changed."""
        if self.pair is None or pair != _ordered(*self.pair):
            self.changed_elsewhere.emit(*pair)
        elif (
            key is not None
            and self._comparison is not None
            and (cell := self._cell_of(key if pair == self._pair else key.mirrored))
        ):
            self.revisited.emit(*cell)

    def _put_cell(self, key: MatchKey, decision: NotedDecision) -> None:
        cell = self._cell_of(key)
        if cell is None or self._comparison is None:
            return
        self._cells.pop(cell, None)
        if not decision.is_empty:
            self._cells[cell] = decision
        index = self._comparison.matches.index_of(*cell)
        if self._matches is not None and index is not None:
            self._matches = self._matches.with_decision(index, decision)

    def _is_match(self, cell: Cell) -> bool:
        return self._comparison is not None and self._comparison.matches.index_of(*cell) is not None

    def _key_of(self, cell: Cell) -> MatchKey:
        left, right = self._sentence_indexes()
        return MatchKey(left.keys[cell[0]], right.keys[cell[1]])

    def _cell_of(self, key: MatchKey) -> Cell | None:
        left, right = self._sentence_indexes()
        row, column = left.sentence_of(key.left), right.sentence_of(key.right)
        return None if row is None or column is None else (row, column)

    def _sentence_indexes(self) -> tuple[SentenceIndex, SentenceIndex]:
        """Sentence indexes of the compared texts."""
        assert self._comparison is not None, "sentences are named while they are compared"
        left, right = map(self._indexes.of, _texts(self._comparison))
        return left, right


class _ReviewChange(UndoStep):
    """Undo step of one decision or note; uninterrupted typing is merged into one."""

    def __init__(
        self,
        review: ReviewHistory,
        place: tuple[Pair, MatchKey | None],
        decisions: tuple[NotedDecision, NotedDecision],
        typing: int | None,
        text: str,
    ) -> None:
        super().__init__(text)
        self._review = review
        self.place = place
        self.before, self.after = decisions
        self.typing = typing
        self._is_done = False

    def id(self) -> int:
        return _NOTE_ID if self.typing is not None else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _ReviewChange) or (other.place, other.typing) != (self.place, self.typing):
            return False
        self.after = other.after
        self.setObsolete(self.after == self.before)
        return True

    def redo(self) -> None:
        self._review._put(*self.place, self.after)
        if self._is_done:
            self._review._revisit(*self.place)
        self._is_done = True

    def undo(self) -> None:
        self._review._put(*self.place, self.before)
        self._review._revisit(*self.place)


def _texts(comparison: Comparison) -> tuple[PreparedText, PreparedText]:
    return comparison.left.prepared, comparison.right.prepared


def _ordered(first: int, other: int) -> Pair:
    return (first, other) if first <= other else (other, first)

"""Teacher's decisions and notes by pair of documents, with undo."""

import time
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from simcompare.comparison.comparison_result import BothShares, Comparison
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.session.decisions import (
    NO_DECISION,
    NO_MATCH_DECISIONS,
    NO_PASSAGE_DECISIONS,
    NO_REVIEW,
    Cell,
    Decision,
    DecisionKey,
    MatchDecisions,
    MatchKey,
    NotedDecision,
    PairReview,
    PassageDecisions,
    PassageKey,
    SentenceIndex,
    SentenceKey,
    index_sentences,
    outcome_of,
    sentence_keys,
)
from simcompare.session.school_class import Pair
from simcompare.support.i18n import N_
from simcompare.text.prepared_text import PreparedText
from simcompare.ui.state.changes import UndoStep
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.document_store import DocumentStore
from simcompare.ui.state.review.found_decisions import FoundDecisions

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
        self._timer.start(_PAUSE_MS)

    def close(self) -> None:
        self._timer.stop()

    def _step(self) -> None:
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


_NOTE_ID = 1
_STEPS = {
    Decision.FINE: N_("mark as no concern"),
    Decision.COPIED: N_("mark as copied"),
    None: N_("withdraw the decision"),
}
_STEPS_OF_PASSAGES = {
    Decision.FINE: N_("mark {count} passages as no concern"),
    Decision.COPIED: N_("mark {count} passages as copied"),
    None: N_("withdraw the decisions on {count} passages"),
}
_STEPS_OF_SENTENCES = {
    Decision.FINE: N_("mark the sentence pair as no concern"),
    Decision.COPIED: N_("mark the sentence pair as copied"),
    None: N_("withdraw the decision on the sentence pair"),
}
_PAIR_STEPS = {
    Decision.FINE: N_("mark the pair as no concern"),
    Decision.COPIED: N_("mark the pair as copied"),
    None: N_("withdraw the decision on the pair"),
}
_STEPS_OF_PAIRS = {
    Decision.FINE: N_("mark {count} pairs as no concern"),
    Decision.COPIED: N_("mark {count} pairs as copied"),
    None: N_("withdraw the decisions on {count} pairs"),
}


@dataclass(frozen=True, slots=True)
class _Change:
    """Change of one decision; `pair` has the lower key first, and `key` is oriented like it."""

    pair: Pair
    key: DecisionKey
    before: NotedDecision
    after: NotedDecision


class ReviewHistory(QObject):
    """Decisions and notes on each pair of documents, and on what the current comparison found."""

    changed = Signal()
    revisited = Signal(int, int)
    """Undo or redo changed a match of the current comparison: its cell."""
    passage_revisited = Signal(int)
    """Undo or redo changed a passage of the current comparison: its index."""
    changed_elsewhere = Signal(object)
    """Undo or redo changed pairs that are not compared now: all that it changed, a list of `Pair`."""

    def __init__(self, documents: DocumentStore, history: QUndoStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._documents = documents
        self._history = history
        self._reviews: dict[Pair, PairReview] = {}
        self._comparison: Comparison | None = None
        self._found: FoundDecisions | None = None
        self._pair: Pair = (0, 0)
        self._indexes = SentenceIndexes(self)
        self._indexes.built.connect(self._finish_indexing)
        self._waits_for_index = False
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
        self._read_decisions()
        self.changed.emit()

    @property
    def pair(self) -> Pair | None:
        """Keys of the compared documents, left and right; None with fewer than two."""
        sides = self._documents.sides
        return (sides[Side.LEFT], sides[Side.RIGHT]) if len(sides) == len(Side) else None

    @property
    def overall(self) -> NotedDecision:
        return NO_DECISION if self.pair is None else self.pair_review(*self.pair).overall

    def decision_of(self, cell: Cell | None) -> NotedDecision:
        """Decision on two sentences of the comparison, or that on their passage; empty for None."""
        return NO_DECISION if self._found is None or cell is None else self._found.decision_of(cell)

    def passage_decision(self, index: int) -> NotedDecision:
        return self.passages.noted_decision(index)

    @property
    def matches(self) -> MatchDecisions:
        return NO_MATCH_DECISIONS if self._found is None else self._found.matches

    @property
    def passages(self) -> PassageDecisions:
        return NO_PASSAGE_DECISIONS if self._found is None else self._found.passages

    @property
    def shares(self) -> BothShares | None:
        return None if self._found is None else self._found.shares

    # deciding

    def decide(self, cell: Cell, decision: Decision | None) -> None:
        """Decide on a match of the comparison; None withdraws the decision. Other cells are ignored.

        Withdrawing a decision that the match has from its passage leaves it to the passage's other matches.
        """
        self.decide_all([cell], (), decision)

    def decide_passages(self, indices: Sequence[int], decision: Decision | None) -> None:
        """Decide on passages of the comparison in one undo step, also for all their matches."""
        self.decide_all((), indices, decision)

    def decide_all(self, cells: Sequence[Cell], indices: Sequence[int], decision: Decision | None) -> None:
        if found := self._found_now():
            texts = _STEPS
            if not cells and len(indices) > 1:
                texts = _STEPS_OF_PASSAGES
            elif len(cells) == 1 and not indices and found.is_beside_others(cells[0]):
                texts = _STEPS_OF_SENTENCES
            changed = {self._pair: found.decide(cells, indices, decision)}
            self._push(changed, texts[outcome_of(decision)], count=len(indices))

    def note(self, cell: Cell, note: str) -> None:
        """Set the note on a match; uninterrupted typing is one undo step."""
        if found := self._found_now():
            self._push({self._pair: found.note(cell, note)}, N_("note"), self._typing)

    def note_passage(self, index: int, note: str) -> None:
        """Set the note on a passage, for a passage of one match on that match; typing is one undo step."""
        if found := self._found_now():
            self._push({self._pair: found.note_passage(index, note)}, N_("note"), self._typing)

    def decide_pair(self, left_key: int, right_key: int, decision: Decision | None) -> None:
        self.decide_pairs([(left_key, right_key)], decision)

    def decide_pairs(self, pairs: Sequence[Pair], decision: Decision | None) -> None:
        """Decide on several pairs in one undo step; pairs that already have the decision are skipped."""
        after: dict[Pair, Mapping[DecisionKey, NotedDecision]] = {
            pair: {None: replace(self.pair_review(*pair).overall, decision=decision)} for pair in pairs
        }
        outcome = outcome_of(decision)
        self._push(after, _PAIR_STEPS[outcome], text_of_several=_STEPS_OF_PAIRS[outcome])

    def note_pair(self, left_key: int, right_key: int, note: str) -> None:
        pair = left_key, right_key
        after = replace(self.pair_review(*pair).overall, note=note)
        self._push({pair: {None: after}}, N_("note on the pair"), self._typing)

    def end_typing(self) -> None:
        """End the current undo step of a note."""
        self._typing += 1

    def _push(
        self,
        decisions: Mapping[Pair, Mapping[DecisionKey, NotedDecision]],
        text: str,
        typing: int | None = None,
        text_of_several: str = "",
        count: int | None = None,
    ) -> None:
        """Push one undo step that sets decisions of pairs; their keys are oriented like the pair.

        text_of_several: replaces `text` for several changes; count: inserted as {count}, the number of
        changes if not given
        """
        changes = []
        for pair, after in decisions.items():
            stored = self._reviews.get(_ordered(*pair), NO_REVIEW)
            for key, noted in after.items():
                stored_key = key.mirrored if key is not None and pair[0] > pair[1] else key
                before = stored.of(stored_key)
                if before != noted and not (before.is_empty and noted.is_empty):
                    changes.append(_Change(_ordered(*pair), stored_key, before, noted))
        if changes:
            shown = (len(changes) > 1 and text_of_several) or text
            self._history.push(_ReviewStep(self, tuple(changes), typing, shown, count or len(changes)))

    # following the comparison

    def follow(self, comparison: Comparison | None, passages: NumberedPassages | None) -> None:
        before, self._comparison = self._comparison, comparison
        if comparison is None or passages is None:
            self._found, self._waits_for_index = None, False
            return
        if before is not None and before.matrix is comparison.matrix and self._found is not None:
            self._found.reclassify(comparison, passages)
            return
        self._pair = (self._documents.sides.get(Side.LEFT, 0), self._documents.sides.get(Side.RIGHT, 0))
        self._indexes.follow(_texts(comparison))
        self._found = FoundDecisions(comparison, passages, self._sentence_indexes)
        self._read_decisions()

    def close(self) -> None:
        self._indexes.close()

    def _read_decisions(self) -> None:
        """Find what is decided in the comparison; for long texts, once their sentences are indexed."""
        self._waits_for_index = False
        if self._found is None or self._comparison is None:
            return
        review = self.pair_review(*self._pair)
        if not (review.matches or review.passages) or self._indexes.is_ready_soon(_texts(self._comparison)):
            self._found.read(review)
        else:
            self._waits_for_index = True
            self._indexes.start_now()

    def _finish_indexing(self) -> None:
        if self._comparison is not None and self._indexes.is_ready_soon(_texts(self._comparison)):
            self._found_now()

    def _found_now(self) -> FoundDecisions | None:
        """Read stored decisions now if they are not yet: the texts are indexed, or a decision needs them."""
        if self._waits_for_index and self._found is not None:
            self._waits_for_index = False
            self._found.read(self.pair_review(*self._pair))
            self.changed.emit()
        return self._found

    def _put(self, decisions: Sequence[tuple[Pair, DecisionKey, NotedDecision]]) -> None:
        by_pair: defaultdict[Pair, dict[DecisionKey, NotedDecision]] = defaultdict(dict)
        for pair, key, noted in decisions:
            by_pair[pair][key] = noted
        for pair, changed in by_pair.items():
            review = self._reviews.pop(pair, NO_REVIEW).with_decisions(changed)
            if not review.is_empty:
                self._reviews[pair] = review
        here = by_pair.get(_ordered(*self._pair), {})
        if self._found is not None and not self._waits_for_index and here.keys() - {None}:
            self._found.put({self._oriented(key): noted for key, noted in here.items()})
        self.changed.emit()

    def _revisit(self, changes: Sequence[_Change]) -> None:
        """Emit the last match or passage, or the pairs, that undo or redo changed."""
        change, pairs = changes[-1], list(dict.fromkeys(each.pair for each in changes))
        if self.pair is None or pairs != [_ordered(*self.pair)]:
            self.changed_elsewhere.emit(pairs)
        elif self._found is None:
            return
        elif isinstance(key := self._oriented(change.key), MatchKey):
            if cell := self._found.cell_of(key):
                self.revisited.emit(*cell)
        elif isinstance(key, PassageKey) and (passage := self._found.passage_of(key)) is not None:
            self.passage_revisited.emit(passage)

    def _oriented(self, key: DecisionKey) -> DecisionKey:
        return key if key is None or self._pair[0] <= self._pair[1] else key.mirrored

    def _sentence_indexes(self) -> tuple[SentenceIndex, SentenceIndex]:
        assert self._comparison is not None, "sentences are named while they are compared"
        left, right = map(self._indexes.of, _texts(self._comparison))
        return left, right


class _ReviewStep(UndoStep):
    """Undo step of decisions or a note; uninterrupted typing is merged into one."""

    def __init__(
        self,
        review: ReviewHistory,
        changes: tuple[_Change, ...],
        typing: int | None,
        text: str,
        count: int,
    ) -> None:
        super().__init__(text)
        self._count = count
        self._review = review
        self.changes = changes
        self.typing = typing
        self._is_done = False

    def label(self) -> str:
        return super().label().format(count=self._count)

    def id(self) -> int:
        return _NOTE_ID if self.typing is not None else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _ReviewStep) or other.typing != self.typing:
            return False
        # the first letter of a note may also remove the note of a passage
        (mine, *others), (theirs, *more) = self.changes, other.changes
        if more or (mine.pair, mine.key) != (theirs.pair, theirs.key):
            return False
        self.changes = (replace(mine, after=theirs.after), *others)
        self.setObsolete(not others and mine.before == theirs.after)
        return True

    def redo(self) -> None:
        self._review._put([(change.pair, change.key, change.after) for change in self.changes])
        if self._is_done:
            self._review._revisit(self.changes)
        self._is_done = True

    def undo(self) -> None:
        self._review._put([(change.pair, change.key, change.before) for change in self.changes])
        self._review._revisit(self.changes)


def _texts(comparison: Comparison) -> tuple[PreparedText, PreparedText]:
    return comparison.left.prepared, comparison.right.prepared


def _ordered(first: int, other: int) -> Pair:
    return (first, other) if first <= other else (other, first)

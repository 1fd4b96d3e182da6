"""The teacher's decisions and notes in the window: per pair of documents, each change undoable."""

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
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.document_store import Documents
from simcompare.ui.state.match_decisions import Cell, MatchJudgements, judgements_of
from simcompare.ui.state.settings_change import Step

_QUIET_MS = 300
_STEP_SECONDS = 0.002
_PAUSE_MS = 10
_MOST_AT_ONCE = 2000
"""Named in about 9 ms."""


class SentenceNames(QObject):
    """Keeps the names of two texts. What is asked for before they have come is found at once.

    In a thread it would take no less of the window's time: Python code holds the interpreter, and the window
    asks for it after every call of Qt.
    """

    found = Signal(object)
    """A text and the names of its sentences (PreparedText, SentenceIndex)."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._anchors: dict[PreparedText, SentenceIndex] = {}
        self._unnamed: deque[_Naming] = deque()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._step)

    def follow(self, texts: Sequence[PreparedText]) -> None:
        """Name the sentences of these texts from now on, once a comparison has been shown."""
        self._anchors = {text: self._anchors[text] for text in texts if text in self._anchors}
        self._unnamed = deque(_Naming(text) for text in texts if text not in self._anchors)
        self._timer.start(_QUIET_MS)

    def of(self, text: PreparedText) -> SentenceIndex:
        """Return the names of the sentences of a text that is followed."""
        if text not in self._anchors:
            self._anchors[text] = index_sentences(text)
        return self._anchors[text]

    def knows(self, texts: Sequence[PreparedText]) -> bool:
        """Whether all these texts are named, or so soon named that nobody notices."""
        unnamed = (text.sentence_count for text in texts if text not in self._anchors)
        return sum(unnamed) <= _MOST_AT_ONCE

    def hurry(self) -> None:
        """Begin at once: somebody waits for the names, which `found` tells of."""
        self._timer.start(_PAUSE_MS)

    def close(self) -> None:
        """Name nothing any more."""
        self._timer.stop()

    def _step(self) -> None:
        """Name sentences for as long as nobody notices."""
        self._timer.setInterval(_PAUSE_MS)
        while self._unnamed and self._unnamed[0].text in self._anchors:
            self._unnamed.popleft()  # someone asked meanwhile
        if not self._unnamed:
            self._timer.stop()
        elif anchors := self._unnamed[0].go_on(time.perf_counter() + _STEP_SECONDS):
            text = self._unnamed.popleft().text
            self._anchors[text] = anchors
            self.found.emit((text, anchors))


class _Naming:
    """The naming of one text, which may be left and taken up again."""

    def __init__(self, text: PreparedText) -> None:
        self.text = text
        self._rest: Iterator[SentenceKey] = sentence_keys(text)
        self._named: dict[SentenceKey, int] = {}

    def go_on(self, end: float) -> SentenceIndex | None:
        """Name sentences until a moment of time.perf_counter(); return the names once there are all."""
        for key in self._rest:
            self._named[key] = len(self._named)
            if time.perf_counter() > end:
                return None
        return SentenceIndex(tuple(self._named), self._named)


# ruff: noqa: N802 - Qt names the methods it calls


Pair = tuple[int, int]
"""The keys of two documents of the list, the lower one first where a review is kept under it."""

_NOTE_ID = 1
_TEXTS = {Decision.FINE: N_("judge as fine"), Decision.COPIED: N_("judge as copied")}
_PAIR_STEPS = {
    Decision.FINE: N_("judge the pair as fine"),
    Decision.COPIED: N_("judge the pair as copied"),
    None: N_("take back the decision on the pair"),
}


class Review(QObject):
    """What the teacher made of each pair of documents, and of the matches under comparison now."""

    changed = Signal()
    revisited = Signal(int, int)
    """The history changed a match under comparison again: its cell."""
    changed_elsewhere = Signal(int, int)
    """The history changed something of a pair that is not under comparison: its keys."""

    def __init__(self, documents: Documents, history: QUndoStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._documents = documents
        self._history = history
        self._reviews: dict[Pair, PairReview] = {}
        self._comparison: Comparison | None = None
        self._pair: Pair = (0, 0)
        self._names = SentenceNames(self)
        self._names.found.connect(self._take_names)
        self._cells: dict[Cell, NotedDecision] = {}
        self._waits_for_names = False
        self._matches: MatchJudgements | None = None
        self._typing = 0

    # what was judged

    def pair_review(self, left_key: int, right_key: int) -> PairReview:
        """Return what was made of two documents, with the first one's sentences as the left ones."""
        review = self._reviews.get(_ordered(left_key, right_key), NO_REVIEW)
        return review if left_key <= right_key else review.mirrored

    def pairs(self) -> Mapping[Pair, PairReview]:
        """Return all reviews of documents in the list, by their keys, the lower one as the left one."""
        listed = self._documents.entries
        return {pair: held for pair, held in self._reviews.items() if all(key in listed for key in pair)}

    def restore(self, reviews: Mapping[Pair, PairReview]) -> None:
        """Replace everything by what was saved, oriented as its keys are; the history knows nothing of it."""
        self._reviews = {
            _ordered(*pair): held if pair[0] <= pair[1] else held.mirrored
            for pair, held in reviews.items()
            if not held.is_empty
        }
        self._read_cells()
        self.changed.emit()

    @property
    def pair(self) -> Pair | None:
        """The keys of the documents side by side, left and right; None while there are not two."""
        sides = self._documents.sides
        return (sides[Side.LEFT], sides[Side.RIGHT]) if len(sides) == len(Side) else None

    def decision_of(self, cell: Cell | None) -> NotedDecision:
        """Return what was made of two sentences of the comparison; None stands for no selection."""
        return NO_DECISION if cell is None else self._cells.get(cell, NO_DECISION)

    @property
    def overall(self) -> NotedDecision:
        """What was made of the pair side by side as a whole, whether it is compared already or not."""
        return NO_DECISION if self.pair is None else self.pair_review(*self.pair).overall

    @property
    def matches(self) -> MatchJudgements:
        """What was judged of the matches of the comparison; no rows while there is none."""
        if self._matches is None:
            self._matches = judgements_of(self._comparison, self._cells)
        return self._matches

    # judging

    def judge(self, cell: Cell, decision: Decision | None) -> None:
        """Decide about a match of the comparison, or take a decision back; other cells have none."""
        if self._is_match(cell):
            self._end_waiting()
            before = self.decision_of(cell)
            text = _TEXTS[decision] if decision else N_("take back the decision")
            self._push(self._pair, self._key_of(cell), before, replace(before, decision=decision), text)

    def note(self, cell: Cell, note: str) -> None:
        """Write what the teacher notes on a match; what is typed in one go is one step of the history."""
        if self._is_match(cell):
            self._end_waiting()
            before = self.decision_of(cell)
            self._push(self._pair, self._key_of(cell), before, replace(before, note=note), N_("note"))

    def judge_pair(self, left_key: int, right_key: int, decision: Decision | None) -> None:
        """Decide about two documents as a whole, or take the decision back."""
        before = self.pair_review(left_key, right_key).overall
        after = replace(before, decision=decision)
        self._push((left_key, right_key), None, before, after, _PAIR_STEPS[decision])

    def judge_pairs(self, pairs: Sequence[Pair], decision: Decision | None) -> None:
        """Decide about several pairs of documents as one step; those that are judged so are left."""
        others = [pair for pair in pairs if self.pair_review(*pair).overall.decision is not decision]
        if len(others) > 1:
            self._history.beginMacro(_PAIR_STEPS[decision])
        for pair in others:
            self.judge_pair(*pair, decision)
        if len(others) > 1:
            self._history.endMacro()

    def note_pair(self, left_key: int, right_key: int, note: str) -> None:
        """Write what the teacher notes on two documents as a whole."""
        before = self.pair_review(left_key, right_key).overall
        self._push((left_key, right_key), None, before, replace(before, note=note), N_("note on the pair"))

    def end_typing(self) -> None:
        """Let what is typed from now on be a step of its own in the history."""
        self._typing += 1

    def _push(
        self, pair: Pair, key: MatchKey | None, before: NotedDecision, after: NotedDecision, text: str
    ) -> None:
        if before == after or (before.is_empty and after.is_empty):
            return
        if key is not None and pair[0] > pair[1]:
            key = key.mirrored
        typing = self._typing if before.decision == after.decision else None
        self._history.push(_Change(self, (_ordered(*pair), key), (before, after), typing, text))

    # following the comparison

    def follow(self, comparison: Comparison | None) -> None:
        """Judge within this comparison of the documents side by side from now on."""
        before, self._comparison = self._comparison, comparison
        pair = (self._documents.sides.get(Side.LEFT, 0), self._documents.sides.get(Side.RIGHT, 0))
        self._matches = None
        if comparison is not None and before is not None and before.matrix is comparison.matrix:
            return
        self._pair = pair
        if comparison is not None:
            self._names.follow(_texts(comparison))
        self._read_cells()

    def close(self) -> None:
        """Begin nothing any more."""
        self._names.close()

    def _read_cells(self) -> None:
        """Find the sentences again that were judged; those of long texts once these are named."""
        self._cells, self._matches, self._waits_for_names = {}, None, False
        if self._comparison is None or not self.pair_review(*self._pair).matches:
            return
        if self._names.knows(_texts(self._comparison)):
            self._find_cells()
        else:
            self._waits_for_names = True
            self._names.hurry()

    def _find_cells(self) -> None:
        found = ((self._cell_of(key), held) for key, held in self.pair_review(*self._pair).matches.items())
        self._cells = {cell: held for cell, held in found if cell is not None}

    def _take_names(self) -> None:
        if self._comparison is not None and self._names.knows(_texts(self._comparison)):
            self._end_waiting()

    def _end_waiting(self) -> None:
        """Show what was judged as soon as the sentences have names, or somebody judges before."""
        if self._waits_for_names:
            self._waits_for_names, self._matches = False, None
            self._find_cells()
            self.changed.emit()

    def _put(self, pair: Pair, key: MatchKey | None, noted_decision: NotedDecision) -> None:
        review = self._reviews.pop(pair, NO_REVIEW).with_decision(key, noted_decision)
        if not review.is_empty:
            self._reviews[pair] = review
        if key is not None and self._comparison is not None and pair == _ordered(*self._pair):
            self._put_cell(key if pair == self._pair else key.mirrored, noted_decision)
        self.changed.emit()

    def _revisit(self, pair: Pair, key: MatchKey | None) -> None:
        """Tell where the history was at work."""
        if self.pair is None or pair != _ordered(*self.pair):
            self.changed_elsewhere.emit(*pair)
        elif (
            key is not None
            and self._comparison is not None
            and (cell := self._cell_of(key if pair == self._pair else key.mirrored))
        ):
            self.revisited.emit(*cell)

    def _put_cell(self, key: MatchKey, noted_decision: NotedDecision) -> None:
        cell = self._cell_of(key)
        if cell is None or self._comparison is None:
            return
        self._cells.pop(cell, None)
        if not noted_decision.is_empty:
            self._cells[cell] = noted_decision
        index = self._comparison.matches.index_of(*cell)
        if self._matches is not None and index is not None:
            self._matches = self._matches.with_decision(index, noted_decision)

    def _is_match(self, cell: Cell) -> bool:
        return self._comparison is not None and self._comparison.matches.index_of(*cell) is not None

    def _key_of(self, cell: Cell) -> MatchKey:
        left, right = self._both_anchors()
        return MatchKey(left.keys[cell[0]], right.keys[cell[1]])

    def _cell_of(self, key: MatchKey) -> Cell | None:
        left, right = self._both_anchors()
        row, column = left.sentence_of(key.left), right.sentence_of(key.right)
        return None if row is None or column is None else (row, column)

    def _both_anchors(self) -> tuple[SentenceIndex, SentenceIndex]:
        """Return the names of the sentences under comparison."""
        assert self._comparison is not None, "sentences are named while they are compared"
        left, right = map(self._names.of, _texts(self._comparison))
        return left, right


class _Change(Step):
    """One judgement instead of another; what is typed in one go is one change."""

    def __init__(
        self,
        review: Review,
        place: tuple[Pair, MatchKey | None],
        judgements: tuple[NotedDecision, NotedDecision],
        typing: int | None,
        text: str,
    ) -> None:
        super().__init__(text)
        self._review = review
        self.place = place
        self.before, self.after = judgements
        self.typing = typing
        self._was_done = False

    def id(self) -> int:
        return _NOTE_ID if self.typing is not None else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Change) or (other.place, other.typing) != (self.place, self.typing):
            return False
        self.after = other.after
        self.setObsolete(self.after == self.before)
        return True

    def redo(self) -> None:
        self._review._put(*self.place, self.after)
        if self._was_done:
            self._review._revisit(*self.place)
        self._was_done = True

    def undo(self) -> None:
        self._review._put(*self.place, self.before)
        self._review._revisit(*self.place)


def _texts(comparison: Comparison) -> tuple[PreparedText, PreparedText]:
    return comparison.left.prepared, comparison.right.prepared


def _ordered(one: int, other: int) -> Pair:
    return (one, other) if one <= other else (other, one)

"""Decisions on the passages of a comparison, and what they imply for the matches in them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from simcompare.comparison.comparison_result import BoolArray, Comparison
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.session.decisions import Decision, NotedDecision, PassageKey, SentenceIndex
from simcompare.text.prepared_text import IndexArray


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """Which items of a list are decided; boolean columns of shape (n,), never both true."""

    copied: BoolArray
    fine: BoolArray

    def decision(self, index: int) -> Decision | None:
        """Decision on one item."""
        if self.copied[index]:
            return Decision.COPIED
        return Decision.FINE if self.fine[index] else None

    @property
    def undecided(self) -> BoolArray:
        """Mask of the items without a decision."""
        undecided: BoolArray = ~(self.copied | self.fine)
        return undecided


@dataclass(frozen=True, slots=True, eq=False)
class PassageDecisions(Decided):
    """Decisions on the passages of a list.

    A passage is decided by itself, or because all its matches are decided alike.
    partly: some of its matches are decided, and it is not decided as a whole, shape (n,); notes: by index
    """

    partly: BoolArray
    notes: Mapping[int, str]

    def noted_decision(self, index: int) -> NotedDecision:
        """Decision and note on one passage."""
        return NotedDecision(self.decision(index), self.notes.get(index, ""))


_NOTHING = np.zeros(0, np.bool_)
NO_PASSAGE_DECISIONS = PassageDecisions(_NOTHING, _NOTHING, _NOTHING, {})


class PassageKeys:
    """Keys of the passages of a comparison; `left` and `right` index the sentences of its texts."""

    def __init__(
        self, comparison: Comparison, passages: NumberedPassages, left: SentenceIndex, right: SentenceIndex
    ) -> None:
        self._left, self._right = left, right
        # first and last sentence on the left, then on the right; shape (n, 4)
        self._sentences: IndexArray = np.concatenate(
            [
                comparison.left.prepared.sentences_in(passages.left_spans),
                comparison.right.prepared.sentences_in(passages.right_spans),
            ],
            axis=1,
        ) - np.array([0, 1, 0, 1])

    def key(self, index: int) -> PassageKey:
        """Return the key of a passage, by its index."""
        left_first, left_last, right_first, right_last = self._sentences[index].tolist()
        left, right = self._left.keys, self._right.keys
        return PassageKey(left[left_first], left[left_last], right[right_first], right[right_last])

    def indices(self, key: PassageKey) -> list[int]:
        """Return the indices of the passages with this key: none, one or several with the same sentences."""
        left, right = self._left.sentence_of, self._right.sentence_of
        sentences = (
            left(key.left_first),
            left(key.left_last),
            right(key.right_first),
            right(key.right_last),
        )
        if None in sentences:
            return []
        indices: list[int] = np.flatnonzero((self._sentences == sentences).all(axis=1)).tolist()
        return indices


def decided_by_key(
    keys: PassageKeys, decisions: Mapping[PassageKey, NotedDecision]
) -> dict[int, NotedDecision]:
    """Return the decisions on passages of the list by index."""
    return {index: noted for key, noted in decisions.items() for index in keys.indices(key)}


def effective_on_matches(
    passages: NumberedPassages, own: Decided, decided: Mapping[int, NotedDecision]
) -> Decided:
    """Decide each match that has no decision of its own by the passages that hold it.

    Copied if one of them is copied, fine if all of them are fine. own: decisions on matches, in match order.
    """
    if not decided:
        return own
    copied_passages = _mask(len(passages), _indices(decided, Decision.COPIED))
    fine_passages = _mask(len(passages), _indices(decided, Decision.FINE))
    owners = _owners(passages)
    matches = passages.match_indices
    in_copied = _mask(len(own.copied), matches[copied_passages[owners]])
    in_fine = _mask(len(own.copied), matches[fine_passages[owners]])
    in_other = _mask(len(own.copied), matches[~fine_passages[owners]])
    undecided = own.undecided
    return Decided(own.copied | (undecided & in_copied), own.fine | (undecided & in_fine & ~in_other))


def decisions_on_passages(
    passages: NumberedPassages,
    effective: Decided,
    decided: Mapping[int, NotedDecision],
    match_notes: Mapping[int, str],
) -> PassageDecisions:
    """Summarise the decisions and notes on passages.

    effective: decisions on matches (`effective_on_matches`); match_notes: by index of the match. A passage of
    one match has the note of its match.
    """
    sizes = np.diff(passages.match_bounds)
    copied_matches, fine_matches = (
        np.bincount(_owners(passages)[column[passages.match_indices]], minlength=len(passages))
        for column in (effective.copied, effective.fine)
    )
    is_copied = (sizes > 0) & (copied_matches == sizes)
    is_fine = (sizes > 0) & (fine_matches == sizes)
    for column, decision in ((is_copied, Decision.COPIED), (is_fine, Decision.FINE)):
        column[_indices(decided, decision)] = True
        column[_indices(decided, _OTHER[decision])] = False
    partly = (copied_matches + fine_matches > 0) & ~is_copied & ~is_fine
    notes = {index: noted.note for index, noted in decided.items() if noted.note.strip()}
    if match_notes:
        single = np.flatnonzero(sizes == 1)
        only_match = passages.match_indices[passages.match_bounds[single]]
        for index, match in zip(single.tolist(), only_match.tolist(), strict=True):
            if match in match_notes:
                notes[index] = match_notes[match]
    return PassageDecisions(is_copied, is_fine, partly, notes)


_OTHER = {Decision.COPIED: Decision.FINE, Decision.FINE: Decision.COPIED}


def _indices(decided: Mapping[int, NotedDecision], decision: Decision) -> list[int]:
    return [index for index, noted in decided.items() if noted.decision is decision]


def _owners(passages: NumberedPassages) -> IndexArray:
    """Return the passage of each entry of `match_indices`."""
    return np.repeat(np.arange(len(passages)), np.diff(passages.match_bounds))


def _mask(size: int, indices: list[int] | IndexArray) -> BoolArray:
    mask = np.zeros(size, np.bool_)
    mask[indices] = True
    return mask

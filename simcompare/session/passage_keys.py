"""Keys of the passages of a comparison, and the passages that decisions by key apply to."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.session.decisions import Decision, NotedDecision, PassageKey, SentenceIndex
from simcompare.text.prepared_text import IndexArray

_FIRST, _LAST = [0, 2], [1, 3]
_SIDES = (0, 2)
"""Columns of the first sentence of each side."""


class PassageKeys:
    """Keys of the passages of a comparison; `left` and `right` index the sentences of its texts."""

    def __init__(
        self, comparison: Comparison, passages: NumberedPassages, left: SentenceIndex, right: SentenceIndex
    ) -> None:
        self._left, self._right = left, right
        # first and last sentence on the left, then on the right; shape (n, 4)
        self.sentences: IndexArray = np.concatenate(
            [
                comparison.left.prepared.sentences_in(passages.left_spans),
                comparison.right.prepared.sentences_in(passages.right_spans),
            ],
            axis=1,
        ) - np.array([0, 1, 0, 1])

    def key(self, index: int) -> PassageKey:
        left_first, left_last, right_first, right_last = self.sentences[index].tolist()
        left, right = self._left.keys, self._right.keys
        return PassageKey(left[left_first], left[left_last], right[right_first], right[right_last])

    def indices(self, key: PassageKey) -> list[int]:
        """Return the indices of the passages with this key: none, one or several with the same sentences."""
        return self._by_sentences.get(self._sentences_of(key), [])

    def indices_sharing(self, key: PassageKey) -> list[int]:
        """Return the indices of passages that share sentences with a key, those that share most first.

        Each shares at least half of the sentences of the smaller of both on either side, and overlaps no
        passage listed before it.
        """
        wanted = self._sentences_of(key)
        if None in wanted:
            return []
        region = np.array(wanted, np.intp)
        common = self._common_with(region)
        smaller = np.minimum(_sizes(self.sentences), _sizes(region))
        shared = common.sum(axis=1)
        found: list[int] = []
        for index in np.argsort(-shared, kind="stable").tolist():
            if (2 * common[index] >= smaller[index]).all() and not any(
                (self._common_with(self.sentences[other])[index] > 0).all() for other in found
            ):
                found.append(index)
        return found

    def share_within(self, index: int, keys: Iterable[PassageKey]) -> float:
        """Share of the sentences of a passage that some keys cover, on the side where it is smaller."""
        shares = []
        regions = [self._sentences_of(key) for key in keys]
        for side in _SIDES:
            inside = np.zeros(int(_sizes(self.sentences[index])[side // 2]), np.bool_)
            first = int(self.sentences[index, side])
            for region in regions:
                start, last = region[side], region[side + 1]
                if start is not None and last is not None:
                    inside[max(start - first, 0) : max(last + 1 - first, 0)] = True
            shares.append(float(inside.mean()))
        return min(shares)

    def _common_with(self, region: IndexArray) -> IndexArray:
        """Count the sentences that each passage has in a region, shape (n, 2) for left and right."""
        first = np.maximum(self.sentences[:, _FIRST], region[_FIRST])
        last = np.minimum(self.sentences[:, _LAST], region[_LAST])
        common: IndexArray = np.maximum(last - first + 1, 0)
        return common

    def _sentences_of(self, key: PassageKey) -> tuple[int | None, ...]:
        """First and last sentence of a key on the left, then on the right; None for each not in the text."""
        left, right = self._left.sentence_of, self._right.sentence_of
        return left(key.left_first), left(key.left_last), right(key.right_first), right(key.right_last)

    @cached_property
    def _by_sentences(self) -> Mapping[tuple[int | None, ...], list[int]]:
        """Indices of the passages by their four sentences."""
        by_sentences: defaultdict[tuple[int | None, ...], list[int]] = defaultdict(list)
        for index, sentences in enumerate(self.sentences.tolist()):
            by_sentences[tuple(sentences)].append(index)
        return by_sentences


def _sizes(sentences: IndexArray) -> IndexArray:
    """Count the sentences from the first to the last on each side, shape (..., 2)."""
    sizes: IndexArray = sentences[..., _LAST] - sentences[..., _FIRST] + 1
    return sizes


@dataclass(frozen=True, slots=True)
class KeyedDecisions:
    """Decisions by key, on the passages of a list that they apply to.

    decided: decision and note by index of the passage
    partly: indices of passages of which decisions cover less than half, or that have contradicting ones
    sources: by index, the keys of passages that had other sentences when they were decided
    """

    decided: Mapping[int, NotedDecision]
    partly: frozenset[int]
    sources: Mapping[int, tuple[PassageKey, ...]]


NO_KEYED_DECISIONS = KeyedDecisions({}, frozenset(), {})


def decided_by_key(keys: PassageKeys, decisions: Mapping[PassageKey, NotedDecision]) -> KeyedDecisions:
    """Find the passages of the list that decisions by key apply to.

    Other settings split, join, shorten or extend passages. A decision on a passage that the list does not
    have applies to those that share its sentences (`indices_sharing`), unless they have a decision by their
    own key. Such a passage is decided if decisions without a contradiction cover at least half of it.
    """
    decided = {index: noted for key, noted in decisions.items() for index in keys.indices(key)}
    sources: defaultdict[int, list[PassageKey]] = defaultdict(list)
    for key in decisions:
        if not keys.indices(key):
            for index in keys.indices_sharing(key):
                if index not in decided:
                    sources[index].append(key)
    partly = set()
    for index, found in sources.items():
        decided[index] = _joined(keys, index, {key: decisions[key] for key in found})
        if decided[index].decision is None and any(decisions[key].decision for key in found):
            partly.add(index)
    return KeyedDecisions(
        decided, frozenset(partly), {index: tuple(found) for index, found in sources.items()}
    )


def _joined(keys: PassageKeys, index: int, decisions: Mapping[PassageKey, NotedDecision]) -> NotedDecision:
    """Join the decisions and notes that apply to one passage."""
    note = "\n".join(dict.fromkeys(noted.note for noted in decisions.values() if noted.note.strip()))
    made = {noted.decision for noted in decisions.values()} - {None}
    decision: Decision | None = made.pop() if len(made) == 1 else None
    covering = [key for key, noted in decisions.items() if noted.decision is not None]
    is_covered = decision is not None and keys.share_within(index, covering) >= 0.5
    return NotedDecision(decision if is_covered else None, note)

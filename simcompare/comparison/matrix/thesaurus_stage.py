"""The thesaurus stage: share of equal and synonymous words of two sentences (Lv et al., formula 9)."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cpdist

from simcompare.comparison.matrix.text_numbering import NumberedText

Int32Array = NDArray[np.int32]
Float64Array = NDArray[np.float64]


class WordStage:
    """Formula 9 for the sentences of two texts with common numbers.

    w = (words in common + further words that pair off one to one as synonyms) / words of the longer
    sentence, which is the smaller of the two shares. Words in common are counted as a multiset, in any
    order. Without a thesaurus no words pair off.
    """

    def __init__(self, left: NumberedText, right: NumberedText) -> None:
        self._left, self._right = left, right
        self._groups = left.synonym_groups

    def weigh(self, rows: Int32Array, columns: Int32Array) -> Float64Array:
        """Compute w of each pair (left sentence rows[i], right sentence columns[i]), in [0, 1]."""
        if not len(rows):
            return np.zeros(0, dtype=np.float64)
        in_left, in_right = self._left.words, self._right.words
        # a sentence that occurs a thousand times ("无。" in a table) is weighed once
        codes = in_left.numbers[rows] * len(in_right.distinct) + in_right.numbers[columns]
        distinct, places = np.unique(codes, return_inverse=True)
        firsts, seconds = np.divmod(distinct, len(in_right.distinct))
        left = [in_left.distinct[i] for i in firsts.tolist()]
        right = [in_right.distinct[i] for i in seconds.tolist()]
        # for sorted words the longest common subsequence equals the multiset intersection
        shared = cpdist(left, right, scorer=LCSseq.similarity, dtype=np.int32).astype(np.int64)
        shared += [self._synonym_words(a, b) for a, b in zip(left, right, strict=True)]
        longer = np.maximum(in_left.counts[rows], in_right.counts[columns])
        weights: Float64Array = shared[places] / longer
        return weights

    def _synonym_words(self, left: str, right: str) -> int:
        if left == right:
            return 0
        # most pairs have few or no words that the thesaurus contains
        left, right = self._known(left), self._known(right)
        if not left or not right or left == right:
            return 0
        return len(pair_off(self._rest(left, right), self._rest(right, left)))

    def _known(self, words: str) -> str:
        return "".join(filter(self._groups.__contains__, words))

    def _rest(self, words: str, others: str) -> list[frozenset[int]]:
        """Return the groups of the known words beyond those in common."""
        common = Counter(others)
        rest = []
        for word in words:
            if common.get(word, 0):
                common[word] -= 1
            else:
                rest.append(self._groups[word])
        return rest


def pair_off(left: Sequence[frozenset[int]], right: Sequence[frozenset[int]]) -> list[tuple[int, int]]:
    """Pair off as many words as possible, one to one, whose synonym groups intersect.

    Each word is represented by its groups. Returns index pairs (left, right) in the order of the left: a
    maximum matching, by shortest augmenting paths.
    """
    members: defaultdict[int, list[int]] = defaultdict(list)
    for j, groups in enumerate(right):
        for group in groups:
            members[group].append(j)
    pairing = _WordPairing({}, {}, set())
    for i in range(len(left)):
        _find_partner(i, left, members, pairing)
    return sorted(pairing.of_left.items())


@dataclass(frozen=True, slots=True)
class _WordPairing:
    """Partners in both directions, and the right words through which no further partner can be reached."""

    of_left: dict[int, int]
    of_right: dict[int, int]
    spent: set[int]


def _find_partner(
    start: int, left: Sequence[frozenset[int]], members: Mapping[int, list[int]], pairing: _WordPairing
) -> None:
    """Find a partner for a left word by breadth-first search for an augmenting path."""
    came_from: dict[int, int] = {}
    queue = [start]
    for i in queue:
        for j in chain.from_iterable(members.get(group, ()) for group in left[i]):
            if j in came_from or j in pairing.spent:
                continue
            came_from[j] = i
            if j not in pairing.of_right:
                _flip_path(j, came_from, pairing)
                return
            queue.append(pairing.of_right[j])
    pairing.spent.update(came_from)


def _flip_path(free: int, came_from: Mapping[int, int], pairing: _WordPairing) -> None:
    """Flip the augmenting path that ends at a free right word, back to the left word it starts with."""
    j: int | None = free
    while j is not None:
        i = came_from[j]
        next_free = pairing.of_left.get(i)
        pairing.of_left[i], pairing.of_right[j] = j, i
        j = next_free

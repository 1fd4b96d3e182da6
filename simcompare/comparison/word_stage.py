"""The thesaurus stage: how much of two sentences is the same in words (Lv et al., formula 9)."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cpdist

from simcompare.comparison.renumbering import as_strings, joint_ids
from simcompare.text.prepared import PreparedText
from simcompare.text.thesaurus import Thesaurus

Int32Array = NDArray[np.int32]
Float64Array = NDArray[np.float64]


class WordStage:
    """Formula 9 for the sentences of two texts.

    w = (words in common + further words that pair off one to one as synonyms) / words of the longer
    sentence, which is the smaller of the two shares. Words in common are counted as a multiset, in any
    order. Without a thesaurus no words pair off.
    """

    def __init__(self, left: PreparedText, right: PreparedText, thesaurus: Thesaurus | None) -> None:
        left_ids, right_ids, words = joint_ids(
            left.word_vocabulary, left.word_ids, right.word_vocabulary, right.word_ids
        )
        self._left = _sorted_strings(left_ids, left.sentence_words)
        self._right = _sorted_strings(right_ids, right.sentence_words)
        self._left_counts = np.diff(left.sentence_words)
        self._right_counts = np.diff(right.sentence_words)
        codes = as_strings(np.arange(len(words), dtype=np.int32), np.arange(len(words) + 1, dtype=np.int32))
        self._groups = _known_groups(codes, words, thesaurus)

    def weigh(self, rows: Int32Array, columns: Int32Array) -> Float64Array:
        """Return w of each pair (left sentence rows[i], right sentence columns[i]), in [0, 1]."""
        if not len(rows):
            return np.zeros(0, dtype=np.float64)
        left = [self._left[i] for i in rows]
        right = [self._right[i] for i in columns]
        # in sorted words, the longest common subsequence is the multiset in common
        shared = cpdist(left, right, scorer=LCSseq.similarity, dtype=np.int32).astype(np.int64)
        if self._groups:
            shared += [self._synonym_words(a, b) for a, b in zip(left, right, strict=True)]
        longer = np.maximum(self._left_counts[rows], self._right_counts[columns])
        weights: Float64Array = shared / longer
        return weights

    def _synonym_words(self, left: str, right: str) -> int:
        rest_left, rest_right = self._rest(left, right), self._rest(right, left)
        if not rest_left or not rest_right:
            return 0
        return len(pair_off(rest_left, rest_right))

    def _rest(self, words: str, others: str) -> list[frozenset[int]]:
        """Return the groups of the words beyond those in common, where the thesaurus knows them."""
        rest = Counter(words)
        rest.subtract(others)
        return [
            self._groups[word] for word, extra in rest.items() if word in self._groups for _ in range(extra)
        ]


def pair_off(left: Sequence[frozenset[int]], right: Sequence[frozenset[int]]) -> list[tuple[int, int]]:
    """Pair off as many words as can be, one to one, where their synonym groups meet.

    Each word is given by its groups. Returns index pairs (left, right) in the order of the left: a maximum
    matching, by augmenting paths.
    """
    partners = [[j for j, groups in enumerate(right) if not groups.isdisjoint(own)] for own in left]
    owner: dict[int, int] = {}

    def find_partner(i: int, tried: set[int]) -> bool:
        for j in partners[i]:
            if j in tried:
                continue
            tried.add(j)
            if j not in owner or find_partner(owner[j], tried):
                owner[j] = i
                return True
        return False

    for i in range(len(left)):
        find_partner(i, set())
    return sorted((i, j) for j, i in owner.items())


def _sorted_strings(ids: Int32Array, bounds: Int32Array) -> list[str]:
    return ["".join(sorted(sentence)) for sentence in as_strings(ids, bounds)]


def _known_groups(
    codes: Sequence[str], words: Sequence[str], thesaurus: Thesaurus | None
) -> dict[str, frozenset[int]]:
    if thesaurus is None:
        return {}
    pairs = zip(codes, words, strict=True)
    return {code: groups for code, word in pairs if (groups := thesaurus.groups(word))}

"""The longest common subsequences of many sentence pairs, in the form rapidfuzz compares fastest.

It compares strings of one byte a character several times faster than others, and a large text has more
than 256 different units. A few sentences have not, so every few rows get a numbering of their own, in
which all units that these rows lack are one and the same. The counts are those of the whole units.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

from simcompare.comparison.renumbering import as_strings

Int32Array = NDArray[np.int32]
CountArray = NDArray[np.uint16] | NDArray[np.uint32]
# The codes of a byte: the end of a sentence, a unit that the rows lack, and the units of the rows.
_END, _ELSEWHERE, _FIRST = 0, 1, 2
_MOST_UNITS = 256 - _FIRST
# Below so many columns the new numbering takes longer than it saves.
_FEWEST_COLUMNS = 150
_LONGEST_IN_16_BITS = np.iinfo(np.uint16).max


@dataclass(frozen=True, slots=True, eq=False)
class NumberedSentences:
    """The sentences of a text as numbers from 1.

    strings: a string a sentence; ended: all numbers, a 0 behind each sentence; starts: shape (s+1,), where
    each sentence starts in `ended`; lengths: shape (s,), units of each sentence.
    """

    strings: list[str]
    ended: NDArray[np.intp]
    starts: NDArray[np.intp]
    lengths: Int32Array

    def __len__(self) -> int:
        return len(self.strings)

    def numbers_of(self, rows: range) -> NDArray[np.intp]:
        """Return the numbers of some consecutive sentences, each with its 0."""
        return self.ended[self.starts[rows.start] : self.starts[rows.stop]]


def numbered_sentences(ids: Int32Array, bounds: Int32Array) -> NumberedSentences:
    """Lay out the units `ids`, numbered from 0, whose sentences start and end at `bounds`."""
    ended = np.insert(ids.astype(np.intp) + 1, bounds[1:], 0)
    starts = bounds.astype(np.intp) + np.arange(len(bounds))
    return NumberedSentences(as_strings(ids, bounds), ended, starts, np.diff(bounds))


def lcs_counts(left: NumberedSentences, right: NumberedSentences, rows: range) -> CountArray:
    """Return the units in common, in order, of the sentences `rows` with every sentence of the right.

    Shape (len(rows), right sentences).
    """
    longest = int(max(left.lengths[rows.start : rows.stop].max(initial=0), right.lengths.max(initial=0)))
    dtype = np.uint16 if longest <= _LONGEST_IN_16_BITS else np.uint32
    if len(right) < _FEWEST_COLUMNS:
        return _counts(left.strings[rows.start : rows.stop], right.strings, dtype)
    return np.concatenate([_recoded_counts(left, right, few, dtype) for few in _groups(left, rows)])


def _groups(left: NumberedSentences, rows: range) -> Iterator[range]:
    """Cut the rows into groups of so few different units that a byte can tell them apart, where it can be."""
    start, seen = rows.start, set[int]()
    for row in rows:
        own = set(left.numbers_of(range(row, row + 1)).tolist()) - {0}
        if row > start and len(seen | own) > _MOST_UNITS:
            yield range(start, row)
            start, seen = row, set()
        seen |= own
    yield range(start, rows.stop)


def _recoded_counts(
    left: NumberedSentences, right: NumberedSentences, rows: range, dtype: type[np.unsignedinteger]
) -> CountArray:
    numbers = left.numbers_of(rows)
    distinct = np.flatnonzero(np.bincount(numbers))[1:]
    if len(distinct) > _MOST_UNITS:
        return _counts(left.strings[rows.start : rows.stop], right.strings, dtype)
    codes = np.full(max(numbers.max(), right.ended.max()) + 1, _ELSEWHERE, dtype=np.uint8)
    codes[0] = _END
    codes[distinct] = np.arange(_FIRST, _FIRST + len(distinct))
    return _counts(_sentences(codes[numbers]), _sentences(codes[right.ended]), dtype)


def _sentences(codes: NDArray[np.uint8]) -> list[bytes]:
    return codes.tobytes().split(bytes([_END]))[:-1]


def _counts(
    left: list[str] | list[bytes], right: list[str] | list[bytes], dtype: type[np.unsignedinteger]
) -> CountArray:
    counts: CountArray = cdist(left, right, scorer=LCSseq.similarity, dtype=dtype)
    return counts

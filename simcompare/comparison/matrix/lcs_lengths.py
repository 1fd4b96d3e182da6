"""Lengths of longest common subsequences of many sentence pairs, arranged for speed in rapidfuzz.

rapidfuzz compares strings with one byte per character several times faster than others, but a large text has
more than 256 distinct units. A few sentences have fewer. So every few rows get their own numbering, and all
units that these rows lack, which are most of a right sentence, are left out. No common subsequence contains
such a unit, so the lengths are unchanged.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

from simcompare.support.arrays import Int32Array

_FIRST_SURROGATE, _SURROGATES = 0xD800, 0x800


def as_strings(ids: Int32Array, bounds: Int32Array) -> list[str]:
    """Convert ids to one string per sentence with one character per id; bounds has shape (s+1,)."""
    codes = ids.astype("<u4")
    codes[codes >= _FIRST_SURROGATE] += _SURROGATES
    text = codes.tobytes().decode("utf-32-le")
    return [text[a:b] for a, b in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)]


CountArray = NDArray[np.unsignedinteger]
# Byte codes: 0 for a unit to leave out, 1 for the end of a sentence, the others for the units of the rows.
_LEFT_OUT, _END = 0, 1
_MOST_CODES = 255
# rapidfuzz processes several sentences at once (SIMD), the more the shorter the longest of them is.
_SIDE_BY_SIDE_UP_TO_UNITS = (8, 16, 32, 64)
# Below this number of columns the renumbering takes longer than it saves.
_FEWEST_COLUMNS = 150
_LONGEST_IN_16_BITS = np.iinfo(np.uint16).max


@dataclass(frozen=True, slots=True, eq=False)
class NumberedSentences:
    """The sentences of a text as unit numbers from 1.

    strings: one string per sentence; ended: all numbers, with a 0 after each sentence; starts: shape (s+1,),
    start of each sentence in `ended`; lengths: shape (s,), units of each sentence; occurs: whether each
    number up to the highest occurs in `ended`, then False for all that are higher.
    """

    strings: list[str]
    ended: NDArray[np.intp]
    starts: NDArray[np.intp]
    lengths: Int32Array
    occurs: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.strings)

    def numbers_of(self, rows: range, other: "NumberedSentences") -> NDArray[np.intp]:
        """Return the numbers of some consecutive sentences, each with its 0, as indices of `other.occurs`."""
        numbers = self.ended[self.starts[rows.start] : self.starts[rows.stop]]
        return np.minimum(numbers, len(other.occurs) - 1)


def numbered_sentences(ids: Int32Array, bounds: Int32Array) -> NumberedSentences:
    """Convert the unit ids of sentences that start and end at `bounds`."""
    ended = np.insert(ids.astype(np.intp) + 1, bounds[1:], 0)
    starts = bounds.astype(np.intp) + np.arange(len(bounds))
    occurs = np.append(np.bincount(ended) > 0, False)
    return NumberedSentences(as_strings(ids, bounds), ended, starts, np.diff(bounds), occurs)


def lcs_counts(left: NumberedSentences, right: NumberedSentences, rows: range) -> CountArray:
    """Return LCS lengths in units of the sentences `rows` with every right sentence.

    Shape (len(rows), right sentences).
    """
    longest = int(max(left.lengths[rows.start : rows.stop].max(initial=0), right.lengths.max(initial=0)))
    dtype: type[np.unsignedinteger] = np.uint16 if longest <= _LONGEST_IN_16_BITS else np.uint32
    if len(right) < _FEWEST_COLUMNS:
        return _counts(left.strings[rows.start : rows.stop], right.strings, dtype)
    counts = np.empty((len(rows), len(right)), dtype=dtype)
    for few in _groups(left, right, rows):
        counts[few - rows.start] = _recoded_counts(left, right, few, dtype)
    return counts


def _groups(left: NumberedSentences, right: NumberedSentences, rows: range) -> Iterator[NDArray[np.intp]]:
    """Group the rows so that each group has at most 255 distinct units, if possible.

    Rows that rapidfuzz can process together are adjacent.
    """
    lengths = left.lengths[rows.start : rows.stop]
    units = _unit_sets(left.numbers_of(rows, right), lengths, right.occurs)
    order = np.argsort(np.searchsorted(_SIDE_BY_SIDE_UP_TO_UNITS, lengths), kind="stable")
    start, seen = 0, 0
    for place, row in enumerate(order.tolist()):
        joint = seen | units[row]
        if place > start and joint.bit_count() > _MOST_CODES:
            yield order[start:place] + rows.start
            start, joint = place, units[row]
        seen = joint
    yield order[start:] + rows.start


def _unit_sets(numbers: NDArray[np.intp], lengths: Int32Array, wanted: NDArray[np.bool_]) -> list[int]:
    """Return the wanted numbers of each sentence as the bits of an integer, including its 0."""
    distinct = _distinct(numbers, wanted)
    places = np.zeros(len(wanted), dtype=np.intp)
    places[distinct] = np.arange(len(distinct))
    # unwanted numbers map to place 0, which every sentence has set anyway for its own 0
    members = np.zeros((len(lengths), len(distinct)), dtype=bool)
    members[np.repeat(np.arange(len(lengths)), lengths + 1), places[numbers]] = True
    return [int.from_bytes(bits.tobytes()) for bits in np.packbits(members, axis=1)]


def _distinct(numbers: NDArray[np.intp], wanted: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the distinct wanted numbers in ascending order."""
    among = np.zeros(len(wanted), dtype=bool)
    among[numbers] = True
    return np.flatnonzero(among & wanted)


def _recoded_counts(
    left: NumberedSentences,
    right: NumberedSentences,
    rows: NDArray[np.intp],
    dtype: type[np.unsignedinteger],
) -> CountArray:
    numbers = np.concatenate([left.numbers_of(range(row, row + 1), right) for row in rows.tolist()])
    distinct = _distinct(numbers, right.occurs)
    if len(distinct) > _MOST_CODES:
        return _counts([left.strings[row] for row in rows.tolist()], right.strings, dtype)
    # the smallest number is the 0 after each sentence
    codes = np.full(len(right.occurs), _LEFT_OUT, dtype=np.uint8)
    codes[distinct] = np.arange(_END, _END + len(distinct))
    return _counts(_sentences(codes[numbers]), _sentences(codes[right.ended]), dtype)


def _sentences(codes: NDArray[np.uint8]) -> list[bytes]:
    # `compress` is several times faster here than indexing with the same mask
    return codes.compress(codes != _LEFT_OUT).tobytes().split(bytes([_END]))[:-1]


def _counts(
    left: list[str] | list[bytes], right: list[str] | list[bytes], dtype: type[np.unsignedinteger]
) -> CountArray:
    counts: CountArray = cdist(left, right, scorer=LCSseq.similarity, dtype=dtype)
    return counts

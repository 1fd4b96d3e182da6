"""The longest common subsequences of many sentence pairs, in the form rapidfuzz compares fastest.

It compares strings of one byte a character several times faster than others, and a large text has more
than 256 different units. A few sentences have not, so every few rows get a numbering of their own, and all
units that these rows lack, most of a sentence of the right, are left out. No common subsequence holds one,
so the counts are those of the whole units.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

Int32Array = NDArray[np.int32]
_FIRST_SURROGATE, _SURROGATES = 0xD800, 0x800


def joint_ids(
    left_vocabulary: Sequence[str],
    left_ids: Int32Array,
    right_vocabulary: Sequence[str],
    right_ids: Int32Array,
) -> tuple[Int32Array, Int32Array, list[str]]:
    """Give the entries of both texts common numbers, by falling frequency.

    Common characters get numbers below 256, which makes strings of one byte a character wherever a
    sentence is made of them, and the comparison several times faster. Returns the new ids of both sides
    and the joint vocabulary in the new order.
    """
    joint: dict[str, int] = {}
    left_map = np.array([joint.setdefault(text, len(joint)) for text in left_vocabulary], dtype=np.int64)
    right_map = np.array([joint.setdefault(text, len(joint)) for text in right_vocabulary], dtype=np.int64)
    left, right = left_map[left_ids], right_map[right_ids]
    counts = np.bincount(np.concatenate([left, right]), minlength=len(joint))
    order = np.argsort(-counts, kind="stable")
    rank = np.empty(len(joint), dtype=np.int32)
    rank[order] = np.arange(len(joint), dtype=np.int32)
    texts = list(joint)
    return rank[left], rank[right], [texts[i] for i in order]


def as_strings(ids: Int32Array, bounds: Int32Array) -> list[str]:
    """Return one string a sentence, a character an id; bounds has one entry more than sentences."""
    codes = ids.astype("<u4")
    codes[codes >= _FIRST_SURROGATE] += _SURROGATES
    text = codes.tobytes().decode("utf-32-le")
    return [text[a:b] for a, b in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)]


CountArray = NDArray[np.unsignedinteger]
# The codes of a byte: a unit to leave out, the end of a sentence, and from there on the units of the rows.
_LEFT_OUT, _END = 0, 1
_MOST_CODES = 255
# Rapidfuzz counts several sentences at once, the more of them the shorter they all are.
_SIDE_BY_SIDE_UP_TO_UNITS = (8, 16, 32, 64)
# Below so many columns the new numbering takes longer than it saves.
_FEWEST_COLUMNS = 150
_LONGEST_IN_16_BITS = np.iinfo(np.uint16).max


@dataclass(frozen=True, slots=True, eq=False)
class NumberedSentences:
    """The sentences of a text as numbers from 1.

    strings: a string a sentence; ended: all numbers, a 0 behind each sentence; starts: shape (s+1,), where
    each sentence starts in `ended`; lengths: shape (s,), units of each sentence; occurs: shape (n+1,) for
    the n units of both texts, whether each number is among `ended`.
    """

    strings: list[str]
    ended: NDArray[np.intp]
    starts: NDArray[np.intp]
    lengths: Int32Array
    occurs: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.strings)

    def numbers_of(self, rows: range) -> NDArray[np.intp]:
        """Return the numbers of some consecutive sentences, each with its 0."""
        return self.ended[self.starts[rows.start] : self.starts[rows.stop]]


def numbered_sentences(ids: Int32Array, bounds: Int32Array, different: int) -> NumberedSentences:
    """Lay out the units `ids`, all below `different`, whose sentences start and end at `bounds`."""
    ended = np.insert(ids.astype(np.intp) + 1, bounds[1:], 0)
    starts = bounds.astype(np.intp) + np.arange(len(bounds))
    occurs = np.bincount(ended, minlength=different + 1) > 0
    return NumberedSentences(as_strings(ids, bounds), ended, starts, np.diff(bounds), occurs)


def lcs_counts(left: NumberedSentences, right: NumberedSentences, rows: range) -> CountArray:
    """Return the units in common, in order, of the sentences `rows` with every sentence of the right.

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
    """Sort the rows into groups of so few different units that a byte can tell them apart, where it can be.

    Rows that rapidfuzz can count side by side come together.
    """
    lengths = left.lengths[rows.start : rows.stop]
    units = _unit_sets(left.numbers_of(rows), lengths, right.occurs)
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
    """Return the wanted numbers of each sentence as the bits of an integer, among them its 0."""
    distinct = _distinct(numbers, wanted)
    places = np.zeros(len(wanted), dtype=np.intp)
    places[distinct] = np.arange(len(distinct))
    # a number nobody wants goes to place 0, where every sentence has its own 0
    members = np.zeros((len(lengths), len(distinct)), dtype=bool)
    members[np.repeat(np.arange(len(lengths)), lengths + 1), places[numbers]] = True
    return [int.from_bytes(bits.tobytes()) for bits in np.packbits(members, axis=1)]


def _distinct(numbers: NDArray[np.intp], wanted: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the wanted ones of some numbers, each once, in order."""
    among = np.zeros(len(wanted), dtype=bool)
    among[numbers] = True
    return np.flatnonzero(among & wanted)


def _recoded_counts(
    left: NumberedSentences,
    right: NumberedSentences,
    rows: NDArray[np.intp],
    dtype: type[np.unsignedinteger],
) -> CountArray:
    numbers = np.concatenate([left.numbers_of(range(row, row + 1)) for row in rows.tolist()])
    distinct = _distinct(numbers, right.occurs)
    if len(distinct) > _MOST_CODES:
        return _counts([left.strings[row] for row in rows.tolist()], right.strings, dtype)
    # the first number is the 0 behind each sentence
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

"""Kinds of passages, and the figures that justify them.

The thresholds are from zh-dev (Chinese) and pan13-dev (English). Kinds of the passages detected there, in %:

    planted              passages  identical  edited  reordered  reworded  summary
    zh copy                    41         78      20          0         2        0
    zh noise                   38          5      92          3         0        0
    zh traditional             43          0      98          0         2        0
    zh split                   42          0      95          2         2        0
    zh light                   40          0      88          2        10        0
    zh reorder                 36          0      11         89         0        0
    zh heavy                   36          0       0          0       100        0
    pan13 verbatim             57         60      35          0         5        0
    pan13 random               48          0       2         29        67        2
    pan13 translation          55          0      25          9        64        2
    pan13 summary              31          0       6          0        16       77

Copies are edited if an edge of one side has some words more. Random edits shuffle, replace and delete words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from simcompare.support.arrays import BoolArray, Float64Array, IndexArray, Int32Array
from simcompare.support.lazy import weak_cache
from simcompare.text.prepared_text import PreparedText

MOST_IN_COMMON = 0.75
"""Minimum of common_words or p, unless a passage is reworded."""
SAME_ORDER = 0.9
"""Minimum of in_order, unless a passage is reordered."""
# 1.5 ms; the time of an LCS grows with the product of the lengths
_MOST_LCS_CELLS = 4_000**2

Ids = NDArray[np.int64]
Bounds = tuple[int, int]


class PassageKind(StrEnum):
    """Kind of difference between the two sides of a passage. The values are part of the JSON format."""

    IDENTICAL = "identical"
    EDITED = "edited"
    REWORDED = "reworded"
    REORDERED = "reordered"
    SUMMARY = "summary"
    MEANING = "meaning"


PASSAGE_KINDS = tuple(PassageKind)


@dataclass(frozen=True, slots=True, eq=False)
class PassageFigures:
    """Common parts of the two sides of n passages, as columns of shape (n,).

    is_identical: both sides have the same units in the same order
    common_words: words that both sides have (as multisets) / words of the side with more words
    p: longest common subsequence (LCS) of the units / units of the longer side, as formula 7
    in_order: LCS of the units / units that both sides have (as multisets); 0 if there are none

    If the lengths of the two sides multiply to more than 16 million units, the LCS is a lower bound: equal
    sentences are aligned first, and the text between them is compared in sections.
    """

    is_identical: BoolArray
    common_words: Float64Array
    p: Float64Array
    in_order: Float64Array

    @classmethod
    def none(cls) -> "PassageFigures":
        return cls(np.zeros(0, np.bool_), np.zeros(0), np.zeros(0), np.zeros(0))

    def followed_by(self, other: "PassageFigures") -> "PassageFigures":
        return PassageFigures(
            np.append(self.is_identical, other.is_identical),
            np.append(self.common_words, other.common_words),
            np.append(self.p, other.p),
            np.append(self.in_order, other.in_order),
        )

    def in_sequence(self, order: IndexArray) -> "PassageFigures":
        return PassageFigures(
            self.is_identical[order], self.common_words[order], self.p[order], self.in_order[order]
        )

    @property
    def kinds(self) -> NDArray[np.int8]:
        """Kinds as indices into PASSAGE_KINDS, shape (n,), if the passages count towards the share."""
        mostly_common = (self.common_words >= MOST_IN_COMMON) | (self.p >= MOST_IN_COMMON)
        kinds = np.where(self.in_order >= SAME_ORDER, _code(PassageKind.EDITED), _code(PassageKind.REORDERED))
        kinds[~mostly_common] = _code(PassageKind.REWORDED)
        kinds[self.is_identical] = _code(PassageKind.IDENTICAL)
        return kinds.astype(np.int8)


def _code(kind: PassageKind) -> int:
    return PASSAGE_KINDS.index(kind)


def passage_figures(
    left: PreparedText,
    right: PreparedText,
    left_spans: Int32Array,
    right_spans: Int32Array,
    known_lcs: Int32Array | None = None,
) -> PassageFigures:
    """Compare the two sides of n passages; spans have shape (n, 2).

    `known_lcs` holds the LCS of the units of each passage, or -1 if it is to be computed, shape (n,).
    """
    bounds = left.units_in(left_spans), right.units_in(right_spans)
    lengths = np.diff(bounds[0])[:, 0], np.diff(bounds[1])[:, 0]
    numbers = shared_numbers(left, right)
    units, words = numbers.units, numbers.words
    lcs = np.full(len(left_spans), -1, np.int32) if known_lcs is None else known_lcs.copy()
    for passage in np.flatnonzero(lcs < 0).tolist():
        (a, b), (c, d) = bounds[0][passage].tolist(), bounds[1][passage].tolist()
        if (b - a) * (d - c) <= _MOST_LCS_CELLS:
            lcs[passage] = _lcs(units[0][a:b], units[1][c:d])
        else:
            lcs[passage] = _long_lcs(left, right, (a, b), (c, d))
    longer = np.maximum(*lengths)
    is_identical = (lcs == longer) & (lcs == np.minimum(*lengths))
    # words of equal units may be cut differently, as their neighbours differ
    common_words, in_order = np.ones(len(lcs)), np.ones(len(lcs))
    other = np.flatnonzero(~is_identical)
    left_bounds, right_bounds = bounds[0][other], bounds[1][other]
    common_units = _in_common(units[0], left_bounds, units[1], right_bounds)
    in_order[other] = lcs[other] / np.maximum(common_units, 1)
    left_bounds, right_bounds = words_of_units(left, left_bounds), words_of_units(right, right_bounds)
    most_words = np.maximum(np.diff(left_bounds)[:, 0], np.diff(right_bounds)[:, 0])
    common_words[other] = _in_common(words[0], left_bounds, words[1], right_bounds) / np.maximum(
        most_words, 1
    )
    return PassageFigures(is_identical, common_words, lcs / np.maximum(longer, 1), in_order)


@dataclass(frozen=True, slots=True, eq=False)
class SharedNumbers:
    """Units and words of two texts (left, right), equal ones with equal numbers."""

    units: tuple[Ids, Ids]
    words: tuple[Ids, Ids]


# kept, as a comparison is classified again at every step of a slider
@weak_cache(weak=2, most=2)
def shared_numbers(left: PreparedText, right: PreparedText) -> SharedNumbers:
    """Return the units and the words of two texts, renumbered by one vocabulary each."""
    return SharedNumbers(
        (
            left.unit_ids.astype(np.int64),
            _renumbered(left.unit_vocabulary, right.unit_vocabulary)[right.unit_ids],
        ),
        (
            left.word_ids.astype(np.int64),
            _renumbered(left.word_vocabulary, right.word_vocabulary)[right.word_ids],
        ),
    )


def _renumbered(left: Sequence[str], right: Sequence[str]) -> Ids:
    """Return the index of each right name in the left vocabulary, or a new number."""
    numbers = {name: number for number, name in enumerate(left)}
    return np.array([numbers.setdefault(name, len(numbers)) for name in right], np.int64)


def words_of_units(text: PreparedText, bounds: IndexArray) -> IndexArray:
    # with bounds of another type, numpy would convert the whole column first
    return np.searchsorted(text.word_units[:-1], bounds.astype(text.word_units.dtype))


def _in_common(left: Ids, left_bounds: IndexArray, right: Ids, right_bounds: IndexArray) -> Ids:
    """Count the elements that two sections have in common as multisets, for each pair of sections."""
    size = int(max(left.max(initial=0), right.max(initial=0))) + 1
    left_keys, left_counts = _counted_keys(left, left_bounds, size)
    right_keys, right_counts = _counted_keys(right, right_bounds, size)
    keys, i, j = np.intersect1d(left_keys, right_keys, assume_unique=True, return_indices=True)
    common = np.minimum(left_counts[i], right_counts[j])
    return np.bincount(keys // size, common, minlength=len(left_bounds)).astype(np.int64)


def _counted_keys(ids: Ids, bounds: IndexArray, size: int) -> tuple[Ids, IndexArray]:
    """Count each distinct element of each section; a key is section * size + element."""
    sections, places = expand_ranges(bounds)
    keys, counts = np.unique(sections * size + ids[places], return_counts=True)
    return keys, counts


def expand_ranges(bounds: IndexArray) -> tuple[IndexArray, IndexArray]:
    """List the indices of n ranges, shape (n, 2), as (number of the range, index), in order."""
    lengths = bounds[:, 1] - bounds[:, 0]
    ranges = np.repeat(np.arange(len(bounds)), lengths)
    before = np.cumsum(lengths) - lengths
    return ranges, np.arange(len(ranges)) + (bounds[:, 0] - before)[ranges]


def _lcs(left: Ids, right: Ids) -> int:
    return int(LCSseq.similarity(left.tolist(), right.tolist()))


# kept, as the passages of long texts are the same at every step of a slider
@weak_cache(weak=2, most=64)
def _long_lcs(left: PreparedText, right: PreparedText, left_bounds: Bounds, right_bounds: Bounds) -> int:
    numbers = shared_numbers(left, right).units
    units = numbers[0][slice(*left_bounds)], numbers[1][slice(*right_bounds)]
    sections = sections_to_align(
        sentences_of(units[0], left.sentence_units, left_bounds[0]),
        sentences_of(units[1], right.sentence_units, right_bounds[0]),
    )
    return sum(_lcs(*section) for section in sections)


def sentences_of(ids: Ids, starts: Int32Array, first: int) -> list[Ids]:
    """Split units or words, of which the first is number `first` of the text, at the starts of sentences."""
    return np.split(ids, starts[(starts > first) & (starts < first + len(ids))] - first)


def sections_to_align(left: Sequence[Ids], right: Sequence[Ids]) -> Iterator[tuple[Ids, Ids]]:
    """Split two sequences, given by sentences, into pairs of sections whose alignments are quick to compute.

    The sections cover both sequences, in order: the whole sequences if they are short enough, otherwise runs
    of equal sentences, and the text between them in parts.
    """
    if sum(map(len, left)) * sum(map(len, right)) <= _MOST_LCS_CELLS:
        yield np.concatenate(left), np.concatenate(right)
        return
    left_keys, right_keys = ([sentence.tobytes() for sentence in sentences] for sentences in (left, right))
    after = right_after = 0
    # the last block is empty and at the end of both sides
    for block in LCSseq.opcodes(left_keys, right_keys).as_matching_blocks():
        yield from _halves(_joined(left[after : block.a]), _joined(right[right_after : block.b]))
        after, right_after = block.a + block.size, block.b + block.size
        yield _joined(left[block.a : after]), _joined(right[block.b : right_after])


def _joined(sentences: Sequence[Ids]) -> Ids:
    return np.concatenate([np.zeros(0, np.int64), *sentences])


def _halves(left: Ids, right: Ids) -> Iterator[tuple[Ids, Ids]]:
    if len(left) * len(right) <= _MOST_LCS_CELLS:
        yield left, right
        return
    middle, right_middle = len(left) // 2, len(right) // 2
    yield from _halves(left[:middle], right[:right_middle])
    yield from _halves(left[middle:], right[right_middle:])

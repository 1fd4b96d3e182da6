"""Find short copies word for word: a clause or a sentence that is equal in both texts, within any text.

A copied clause has too few terms in common with a long sentence around it for a seed, and a copied sentence
may have too few words for a passage. But two writers hardly ever have so many words in a row in common.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from simcompare.comparison.passages.passage_columns import Passage, Passages
from simcompare.comparison.passages.passage_kinds import expand_ranges
from simcompare.comparison.passages.term_cosine import (
    PAIR_MULTIPLIER,
    HashTable,
    equal_places,
    joined,
    unit_hashes,
)
from simcompare.comparison.shares import in_ranges
from simcompare.model.document import Span
from simcompare.support.arrays import Float64Array, IndexArray
from simcompare.support.lazy import weak_cache
from simcompare.text.prepared_text import PreparedText

_RUN_UNITS = 10
# The most that 5,000 pairs without a copy have in common is 14 characters, two lines of a poem, or 9 words
# (tests/benchmarks/short_copies.py).
_LEAST_CHARACTERS, _LEAST_WORDS = 16, 12
# Further occurrences of a unit are no evidence, nor is any number: lists and tables repeat them.
_MOST_COUNTED = 2
# the sentences of a match have as much in common
_MOST_OF_A_SENTENCE = 0.6
# A run in more places of a text is a line of a form or a refrain.
_MOST_PLACES = 20


@dataclass(frozen=True, slots=True, eq=False)
class _Runs:
    """Runs of _RUN_UNITS units of a text and the evidence of a copied unit.

    table, places  (r,) hash of each run, sorted, and the unit with which it begins
    counts         (r,) number of runs in the text that equal each
    weights        (v,) by index of the unit in the vocabulary; a copy needs a sum of 1
    """

    table: HashTable
    places: IndexArray
    counts: IndexArray
    weights: Float64Array


@weak_cache(weak=1, most=1024)
def _runs(text: PreparedText) -> _Runs:
    units = unit_hashes(text)
    count = max(len(units) - _RUN_UNITS + 1, 0)
    hashes = np.zeros(count, np.uint64)
    with np.errstate(over="ignore"):  # a hash may wrap around
        for place in range(_RUN_UNITS):
            hashes = hashes * PAIR_MULTIPLIER + units[place : place + count]
    places = np.argsort(hashes, kind="stable")
    weights = np.array(list(map(_weight, text.unit_vocabulary)), np.float64)
    hashes = hashes[places]
    counts = hashes.searchsorted(hashes, "right") - hashes.searchsorted(hashes)
    return _Runs(HashTable(hashes), places, counts, weights)


def _weight(unit: str) -> float:
    if unit.isdecimal():
        return 0.0
    return 1 / (_LEAST_WORDS if unit.isascii() or len(unit) > 1 else _LEAST_CHARACTERS)


def verbatim_copies(
    left: PreparedText, right: PreparedText, passages: Passages, copies: IndexArray
) -> Iterator[Passage]:
    """Find the copies most of which, on both sides, is in no passage and in no longer copy.

    What recurs within one of the texts is copied once. copies: of the two texts, by `equal_stretches`.
    """
    if not len(copies):
        return
    covered = passages.select(passages.summaries == 0)
    is_found = (
        in_ranges(left.units_in(covered.left_spans), left.unit_count),
        in_ranges(right.units_in(covered.right_spans), right.unit_count),
    )
    starts, firsts, lengths = copies.T
    # the same order if the texts are swapped
    order = np.lexsort((abs(starts - firsts), starts + firsts, -lengths))
    for start, first, length in copies[order].tolist():
        found = is_found[0][start : start + length], is_found[1][first : first + length]
        if 2 * max(map(np.count_nonzero, found)) < length and _evidence(left, start, length) >= 1:
            found[0][:] = found[1][:] = True
            begin, stop = _without_ends(left, start, right, first, length)
            places = (start + begin, stop - begin), (first + begin, stop - begin)
            of_left, of_right = _sentence(left, *places[0]), _sentence(right, *places[1])
            if _evidence(left, *places[0]) < 1:
                if of_left and of_right:
                    continue  # these two sentences match
                places = (start, length), (first, length)
            elif of_left and of_right:
                places = of_left, of_right
            yield Passage(_span(left, *places[0]), _span(right, *places[1]))


def equal_stretches(left: PreparedText, rights: Sequence[PreparedText]) -> list[IndexArray]:
    """Return the longest equal stretches of a text and each of some others.

    First unit left, first unit right, units: shape (n, 3).
    """
    own, others = _runs(left), list(map(_runs, rights))
    found, first = equal_places(joined([runs.table.hashes for runs in others]), own.table)
    counts = np.maximum(joined([runs.counts for runs in others])[found], own.counts[first])
    few = np.flatnonzero(counts <= _MOST_PLACES)
    found, first = found[few], first[few]
    rows, chosen = expand_ranges(np.stack([first, first + own.counts[first]], axis=1))
    units_before = np.cumsum([0, *(right.unit_count for right in rights)])
    # as if the others were one text: no run goes on from one into the next
    ends = np.cumsum([len(runs.places) for runs in others])
    at = joined([runs.places for runs in others])[found] + units_before[ends.searchsorted(found, "right")]
    starts, diagonals = own.places[chosen], at[rows] - own.places[chosen]
    order = np.lexsort((starts, diagonals))
    starts, diagonals = starts[order], diagonals[order]
    is_first = np.ones(len(starts), np.bool_)
    is_first[1:] = (diagonals[1:] != diagonals[:-1]) | (starts[1:] - starts[:-1] != 1)
    firsts = np.flatnonzero(is_first)
    lengths = np.append(firsts[1:], len(starts)) - firsts + _RUN_UNITS - 1
    starts, at = starts[firsts], starts[firsts] + diagonals[firsts]
    pairs = units_before.searchsorted(at, "right") - 1
    order = np.argsort(pairs, kind="stable")
    stretches = np.array((starts, at - units_before[pairs], lengths)).T[order]
    bounds = pairs[order].searchsorted(np.arange(len(rights) + 1)).tolist()
    return [stretches[start:stop] for start, stop in pairwise(bounds)]


def _evidence(text: PreparedText, start: int, length: int) -> float:
    ids, counts = np.unique(text.unit_ids[start : start + length], return_counts=True)
    return float(_runs(text).weights[ids] @ np.minimum(counts, _MOST_COUNTED))


def _without_ends(
    left: PreparedText, start: int, right: PreparedText, first: int, length: int
) -> tuple[int, int]:
    """Leave out parts of sentences at both ends that are no copies by themselves: begin and end within it."""
    own, other = (
        text.sentence_units[slice(*np.searchsorted(text.sentence_units, [place, place + length + 1]))] - place
        for text, place in ((left, start), (right, first))
    )
    bounds = np.intersect1d(own, other).tolist()
    if not bounds:
        return 0, length
    begin = bounds[0] if _evidence(left, start, bounds[0]) < 1 else 0
    stop = bounds[-1] if _evidence(left, start + bounds[-1], length - bounds[-1]) < 1 else length
    return begin, stop


def _sentence(text: PreparedText, start: int, length: int) -> tuple[int, int] | None:
    """Return first unit and units of the sentence of which some units are the most part, if there is one."""
    sentence = int(np.searchsorted(text.sentence_units, start, "right")) - 1
    begin, end = text.sentence_units[sentence : sentence + 2].tolist()
    is_most = start + length <= end and length >= _MOST_OF_A_SENTENCE * (end - begin)
    return (begin, end - begin) if is_most else None


def _span(text: PreparedText, start: int, length: int) -> Span:
    """Return the span of some units, with the marks at the beginning or the end of a sentence."""
    first, stop = np.searchsorted(text.sentence_units, [start, start + length])
    begins, ends = text.sentence_units[first] == start, text.sentence_units[stop] == start + length
    return Span(
        int(text.sentence_spans[first, 0] if begins else text.unit_spans[start, 0]),
        int(text.sentence_spans[stop - 1, 1] if ends else text.unit_spans[start + length - 1, 1]),
    )

"""Exact edges of a passage: to the word, inside its first and last sentences or just beyond."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.passages.sentence_terms import SentenceTerms
from simcompare.model.document import Span
from simcompare.model.settings import PassageSettings

BoolArray = NDArray[np.bool_]
Float64Array = NDArray[np.float64]
TermArray = NDArray[np.uint64]
_ROUNDS = 2


@dataclass(frozen=True, slots=True, order=True)
class MatrixRectangle:
    """Left sentences top..bottom and right sentences first..last, both inclusive."""

    top: int
    bottom: int
    first: int
    last: int

    def union(self, other: "MatrixRectangle") -> "MatrixRectangle":
        """Return the smallest rectangle that contains both."""
        return MatrixRectangle(
            min(self.top, other.top),
            max(self.bottom, other.bottom),
            min(self.first, other.first),
            max(self.last, other.last),
        )


class _PassageSide:
    """The words of one side of a passage, with some sentences more at either end.

    start and end bound the words that currently belong to the passage. The start cannot move past the end of
    the first sentence, nor the end before the beginning of the last one.
    """

    def __init__(self, text: SentenceTerms, first: int, last: int, settings: PassageSettings) -> None:
        bounds = text.bounds
        reach = settings.edge_reach_sentences
        self._text = text
        self._settings = settings
        self._offset = int(bounds[max(first - reach, 0)])
        stop = int(bounds[min(last + reach, text.sentence_count - 1) + 1])
        self.words: TermArray = text.words[self._offset : stop]
        self.weights: Float64Array = text.word_weights[self._offset : stop]
        self.core = int(bounds[first]) - self._offset, int(bounds[last + 1]) - self._offset
        self._latest_start = int(bounds[first + 1]) - 1 - self._offset
        self._earliest_end = int(bounds[last]) + 1 - self._offset
        self.start, self.end = self.core
        self._ranks = _Ranks.of(self.words, self.core)

    @property
    def inside(self) -> TermArray:
        """The words that currently belong to the passage."""
        return self.words[self.start : self.end]

    def move_edges(self, partners: TermArray) -> None:
        """Move each edge to where the gain of matched words over unmatched ones is largest."""
        matched = self._ranks.matched(partners)
        core = slice(*self.core)
        weight = float(self.weights[core].sum())
        share = float(self.weights[core][matched[core]].sum()) / weight if weight else 0.0
        cost = min(
            self._settings.most_edge_cost,
            self._settings.edge_cost * share / (1 - share) if share < 1 else np.inf,
        )
        gains = np.where(matched, self.weights, -cost * self.weights)
        self.start = _best_start(gains, self._latest_start)
        self.end = len(gains) - _best_start(gains[::-1], len(gains) - self._earliest_end)

    def span(self) -> Span:
        """Return the span of the passage; an edge close to a sentence boundary snaps to it."""
        text, prepared = self._text, self._text.prepared
        start, end = self.start + self._offset, self.end + self._offset
        begins, ends = text.bounds[:-1], text.bounds[1:]
        first, last = _closest(begins, start), _closest(ends, end)
        snap = self._settings.edge_snap_words
        if first <= last and abs(begins[first] - start) <= snap:
            begin = int(text.spans[first, 0])
        else:
            begin = int(prepared.unit_spans[prepared.word_units[start], 0])
        if first <= last and abs(ends[last] - end) <= snap:
            return Span(begin, int(text.spans[last, 1]))
        return Span(begin, int(prepared.unit_spans[prepared.word_units[end] - 1, 1]))


def _closest(bounds: NDArray[np.int64], place: int) -> int:
    """Return the index of the value nearest to a place, the first of several."""
    after = min(int(bounds.searchsorted(place)), len(bounds) - 1)
    before = max(after - 1, 0)
    nearest = before if abs(bounds[before] - place) <= abs(bounds[after] - place) else after
    return int(bounds.searchsorted(bounds[nearest]))


def trimmed_spans(
    left: SentenceTerms, right: SentenceTerms, rectangle: MatrixRectangle, settings: PassageSettings
) -> tuple[Span, Span] | None:
    """Return the spans of a passage to the word, or None if it is too short to count."""
    left_side = _PassageSide(left, rectangle.top, rectangle.bottom, settings)
    right_side = _PassageSide(right, rectangle.first, rectangle.last, settings)
    # both sides move by the previous state of the other, so that swapped texts give the same result
    inside, partners = left_side.words, right_side.words
    for _ in range(_ROUNDS):
        left_side.move_edges(partners)
        right_side.move_edges(inside)
        inside, partners = left_side.inside, right_side.inside
    is_chinese = left.prepared.is_mostly_chinese and right.prepared.is_mostly_chinese
    least_words = settings.least_words_chinese if is_chinese else settings.least_words
    if min(len(inside), len(partners)) < least_words:
        return None
    return left_side.span(), right_side.span()


@dataclass(frozen=True, slots=True, eq=False)
class _Ranks:
    """Words by their order of pairing off.

    order   (w,) indices of the words: sorted by word, then by their distance from the core
    ordered (w,) the words in this order
    ranks   (w,) number of equal words before each in this order
    """

    order: NDArray[np.intp]
    ordered: TermArray
    ranks: NDArray[np.intp]

    @classmethod
    def of(cls, words: TermArray, core: tuple[int, int]) -> "_Ranks":
        """Rank the words around a core."""
        places = np.arange(len(words))
        distance = np.maximum(np.maximum(core[0] - places, places - core[1] + 1), 0)
        order = np.lexsort((places, distance, words))
        ordered = words[order]
        return cls(order, ordered, places - ordered.searchsorted(ordered))

    def matched(self, partners: TermArray) -> BoolArray:
        """Mark the words that pair off one to one with an equal word among the partners.

        If a word occurs more often than its partners, occurrences in the core come first, then the closest.
        """
        partners = np.sort(partners)
        available = partners.searchsorted(self.ordered, side="right") - partners.searchsorted(self.ordered)
        matched = np.zeros(len(self.order), dtype=np.bool_)
        matched[self.order] = self.ranks < available
        return matched


def _best_start(gains: Float64Array, latest: int) -> int:
    """Return the start <= `latest` with the largest sum of gains from it to `latest`."""
    before = np.zeros(latest + 1)
    np.cumsum(gains[:latest], out=before[1:])
    return int(before.argmin())

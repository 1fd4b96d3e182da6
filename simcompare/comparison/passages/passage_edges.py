"""The exact edges of a passage: to the word, inside its first and last sentences or just beyond."""

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
    """Sentences top..bottom of the left text and first..last of the right one, ends included."""

    top: int
    bottom: int
    first: int
    last: int

    def meets(self, other: "MatrixRectangle") -> bool:
        """Whether the stretches share sentences on both sides."""
        rows = self.top <= other.bottom and other.top <= self.bottom
        return rows and self.first <= other.last and other.first <= self.last

    def joined(self, other: "MatrixRectangle") -> "MatrixRectangle":
        """Return the smallest stretch that holds both."""
        return MatrixRectangle(
            min(self.top, other.top),
            max(self.bottom, other.bottom),
            min(self.first, other.first),
            max(self.last, other.last),
        )


class _Side:
    """The words of one side of a passage, with some sentences more at either end.

    start and end bound the words that belong to the passage at the moment; both ends may move, but not
    past the first sentence's end or the last one's beginning.
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

    @property
    def inside(self) -> TermArray:
        """The words that belong to the passage at the moment."""
        return self.words[self.start : self.end]

    def move_edges(self, partners: TermArray) -> None:
        """Put each edge where matched words gain most over unmatched ones."""
        matched = match_words(self.words, partners, self.core)
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
        """Return the passage's span; an edge close to a sentence's beginning or end moves there."""
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
    return int(np.argmin(np.abs(bounds - place)))


def trimmed_spans(
    left: SentenceTerms, right: SentenceTerms, stretch: MatrixRectangle, settings: PassageSettings
) -> tuple[Span, Span] | None:
    """Return the spans of a passage to the word, or None where it is too short to count."""
    one = _Side(left, stretch.top, stretch.bottom, settings)
    other = _Side(right, stretch.first, stretch.last, settings)
    # both move by what the other was before, so that swapped texts give the same
    inside, partners = one.words, other.words
    for _ in range(_ROUNDS):
        one.move_edges(partners)
        other.move_edges(inside)
        inside, partners = one.inside, other.inside
    if min(len(inside), len(partners)) < settings.least_words:
        return None
    return one.span(), other.span()


def match_words(words: TermArray, partners: TermArray, core: tuple[int, int]) -> BoolArray:
    """Return which words pair off with an equal one among the partners, one to one.

    Where there are more of a word than partners, those in the core come first, then the closest to it.
    """
    places = np.arange(len(words))
    distance = np.maximum(np.maximum(core[0] - places, places - core[1] + 1), 0)
    order = np.lexsort((places, distance, words))
    ordered = words[order]
    rank = places - np.searchsorted(ordered, ordered)
    partners = np.sort(partners)
    available = np.searchsorted(partners, ordered, side="right") - np.searchsorted(partners, ordered)
    matched = np.zeros(len(words), dtype=np.bool_)
    matched[order] = rank < available
    return matched


def _best_start(gains: Float64Array, latest: int) -> int:
    """Return the start at or before `latest` from which the gains up to it add up to most."""
    before = np.concatenate([[0.0], np.cumsum(gains[:latest])])
    return int(np.argmin(before))

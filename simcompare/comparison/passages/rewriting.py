"""Find sections that say the same in other words, by vectors of the meaning of their sentences.

In essays on one question every sentence is close to some sentence of the other, so a cosine says little. From
each cosine half of what either sentence has on average with its next best partners is subtracted (hub
correction, as in cross-lingual retrieval): with those in the other text and, unless that is in another
language, the nearest in its own. What is left is high only where two sentences belong to each other more than
to all around them. Two searches use it: a local alignment finds sections in the same order, and rectangles of
at least three sentences on each side find those in which sentences were merged, split or moved. What is found
close together is one passage, with the sum of the evidence.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.passages.passage_columns import NO_PASSAGES, Passage, Passages
from simcompare.comparison.passages.passage_detection import (
    MatrixRectangle,
    PairTerms,
    find_passages,
    merged_rectangles,
)
from simcompare.comparison.passages.term_cosine import SentenceTerms
from simcompare.comparison.shares import in_ranges
from simcompare.model.document import Span
from simcompare.model.settings import PassageSettings
from simcompare.support.arrays import BoolArray, Int32Array
from simcompare.text.prepared_text import PreparedText, is_compared_by_meaning
from simcompare.text.sentence_meaning import mean_of_next

Matrix = NDArray[np.floating[Any]]
_Found = tuple[MatrixRectangle, float]
"""Sentences of both texts, and the evidence as a multiple of the least one."""
# Chosen on the texts of tests/benchmarks/rewording.py, all of them, and on essays of a class on one question.
_NEXT_PARTNERS = 5
_PART_OF_HUBS = np.float32(0.5)
# Measured: 0.08 to 0.19 in essays on one question.
_NEARER_IN_OWN = np.float32(0.08)
"""By which sentences are nearer to the nearest in their own text than to the next best in the other."""
_LEAST_CORRECTED = np.float32(0.13)
# One pair of equal lines, as of a signature, is no rewriting; a copy is found by its words anyway.
_MOST_OF_ONE_SENTENCE = np.float32(0.15)
_FEWEST_SENTENCES, _MOST_SENTENCES = 3, 6
_SHORTEST = 45
"""A heading, a line with a name and one sentence are no rewriting of a section."""
_LEAST_EVIDENCE = 0.44
_LEAST_PART = 0.5
"""Of the least evidence: what a part of a passage has, which in all has the least."""
# The order is evidence, too, so that an alignment may take weaker pairs.
_LEAST_ALIGNED, _MOST_ALIGNED = 0.03, 0.3
_COST_OF_GAP = 0.1
_LEAST_GROWN = 0.1
_LEAST_ALIGNMENT = 0.38
# Translations (tests/benchmarks/translations.py) are in 1.31 pieces each with 0, in 1.03 with 1, 1.00 with 2.
_GAP_SENTENCES = 2
"""Sentences without a partner that may be between two parts of one passage, on each side."""
# Of 3,981 pairs of essays on one question, 10 have the least evidence, 5 have 1.1 times as much, 1 has 1.5.
LEAST_EVIDENCE_IN_CLASS = 1.1
"""From which a passage counts in the list of a class, which has many pairs."""
_CHANCE_OF_LEAST, _CHANCE_FALLS_BY = 0.003, 0.2
_LEAST_COUNTERPART = 0.15
_FEWEST_UNITS, _UNITS_OF_FULL_WEIGHT = 4, 12
_NEVER = np.float32(-9.0)
# limits the memory that long texts need
_ROWS_AT_ONCE = 500


def all_passages(
    left: SentenceTerms,
    right: SentenceTerms,
    settings: PassageSettings,
    *,
    meaning: bool | None,
    terms: PairTerms | None = None,
) -> Passages:
    """Find the passages of two texts by their words, and by the meaning of their sentences if wanted."""
    passages = find_passages(left, right, settings, terms)
    if not is_compared_by_meaning(left.prepared, right.prepared, meaning):
        return passages
    return passages.with_others(rewritten_passages(left.prepared, right.prepared, passages))


def counterparts(
    left: PreparedText, right: PreparedText, left_span: Int32Array, right_span: Int32Array
) -> list[tuple[int, int]]:
    """Return the sentences of a rewritten passage that belong together, left and right, in reading order.

    Each is the nearest to the other in the passage, at least one way. spans: shape (2,).
    """
    if left.meanings is None or right.meanings is None:
        return []
    [rows], [columns] = left.sentences_in(left_span[None]), right.sentences_in(right_span[None])
    cosines = (
        left.meanings[slice(*rows)].astype(np.float32) @ right.meanings[slice(*columns)].astype(np.float32).T
    )
    hubs = cosines.mean(axis=1)[:, None] + cosines.mean(axis=0)[None, :]
    corrected = cosines - _PART_OF_HUBS * hubs
    is_nearest = (corrected == corrected.max(axis=0)) | (corrected == corrected.max(axis=1)[:, None])
    found = np.argwhere(is_nearest & (corrected >= _LEAST_COUNTERPART)) + np.array([rows[0], columns[0]])
    return [(row, column) for row, column in found.tolist()]


def chance_of(evidence: float) -> float:
    """Return the share of pairs of essays on one question that have so much evidence, or more, by chance."""
    return _CHANCE_OF_LEAST * math.exp((1 - evidence) / _CHANCE_FALLS_BY)


def rewritten_passages(left: PreparedText, right: PreparedText, passages: Passages) -> Passages:
    """Find the sections that were possibly rewritten, outside the passages found by their words.

    A translation may contain some of these, with sections in two languages. Both texts have `meanings`;
    passages in reading order of the left text.
    """
    if left.meanings is None or right.meanings is None:
        return NO_PASSAGES
    spans = passages.left_spans[passages.covers], passages.right_spans[passages.covers]
    # words find the parts of a translation with much that both languages write alike, as names and code
    is_part = (left.han_shares(spans[0]) > 0) != (right.han_shares(spans[1]) > 0)
    own, other = (_LongSentences(text, each, is_part) for text, each in ((left, spans[0]), (right, spans[1])))
    if min(own.free, other.free) < _FEWEST_SENTENCES:
        return NO_PASSAGES
    corrected = _corrected(own, other)
    free = corrected.copy()
    found = _rectangles(corrected, own.weights, other.weights)
    for rectangle, _evidence in found:
        _mask(corrected, rectangle)
    found += _alignments(corrected, np.minimum(own.weights[:, None], other.weights[None, :]))
    grown: list[_Found] = []
    for each, evidence in found:
        place = next((place for place, (other, _) in enumerate(grown) if other.union(each) == other), None)
        if place is None:
            grown.append((_grown(each, free), evidence))
        else:
            grown[place] = grown[place][0], grown[place][1] + evidence
    return Passages.of(
        Passage(
            Span(int(own.spans[each.top, 0]), int(own.spans[each.bottom, 1])),
            Span(int(other.spans[each.first, 0]), int(other.spans[each.last, 1])),
            evidence=evidence,
        )
        for each, evidence in _joined(grown)
        if evidence >= 1
        and min(own.length(each.top, each.bottom), other.length(each.first, each.last)) >= _SHORTEST
        and not (
            own.is_found[each.top : each.bottom + 1].all()
            and other.is_found[each.first : each.last + 1].all()
        )
    )


class _LongSentences:
    """The sentences of a text that are long enough, in columns.

    is_found: in a passage found by words; is_taken: in one that is no part of a translation.
    """

    def __init__(self, text: PreparedText, found: Int32Array, is_part: BoolArray) -> None:
        assert text.meanings is not None
        lengths = text.sentence_lengths
        chosen = lengths >= _FEWEST_UNITS
        chosen[: text.lines_above] = False
        self.text, self.chosen = text, chosen
        self.spans = text.sentence_spans[chosen]
        self.meanings = text.meanings[chosen].astype(np.float32)
        self.is_chinese = text.han_shares(self.spans) > 0
        # a word is about as long as two characters
        self.lengths = lengths[chosen] * np.where(self.is_chinese, 1, 2)
        self.weights = np.minimum(lengths[chosen] / np.float32(_UNITS_OF_FULL_WEIGHT), 1)
        self.is_found, self.is_taken = (
            in_ranges(text.sentences_in(spans), text.sentence_count)[chosen]
            for spans in (found, found[~is_part])
        )

    @property
    def free(self) -> int:
        return int(np.count_nonzero(~self.is_taken))

    def length(self, first: int, last: int) -> int:
        """Return the length of sentences in Chinese characters."""
        return int(self.lengths[first : last + 1].sum())


def _corrected(left: _LongSentences, right: _LongSentences) -> Matrix:
    """Return the cosines of all sentences less their hubs; _NEVER for sentences in a passage."""
    cosines = left.meanings @ right.meanings.T
    cosines[left.is_taken] = cosines[:, right.is_taken] = 0
    hubs = mean_of_next(cosines, _NEXT_PARTNERS), mean_of_next(cosines.T, _NEXT_PARTNERS)
    corrected: Matrix = cosines - _PART_OF_HUBS * (hubs[0][:, None] + hubs[1][None, :])
    # the mean of both hubs, but sentences of one language are nearer to each other than to a translation
    less = [
        _PART_OF_HUBS / 2 * (hub - side.text.meaning_hubs[side.chosen] + _NEARER_IN_OWN)
        for hub, side in zip(hubs, (left, right), strict=True)
    ]
    is_one_language = left.is_chinese[:, None] == right.is_chinese[None, :]
    corrected += np.where(is_one_language, less[0][:, None] + less[1][None, :], np.float32(0))
    corrected[left.is_taken] = corrected[:, right.is_taken] = _NEVER
    return corrected


def _gains(best: Matrix, weights: Matrix) -> Matrix:
    gains: Matrix = np.minimum(best - _LEAST_CORRECTED, _MOST_OF_ONE_SENTENCE) * weights
    return gains


def _alignments(corrected: Matrix, weights: Matrix) -> list[_Found]:
    """Find sections in the same order; `corrected` then has _NEVER for their sentences."""
    found: list[_Found] = []
    while (aligned := _best_alignment(corrected, weights)) is not None:
        best, _evidence = aligned
        rows, columns = best.bottom + 1 - best.top, best.last + 1 - best.first
        if max(rows, columns) >= _FEWEST_SENTENCES and min(rows, columns) > 1:
            found.append(aligned)
        _mask(corrected, best)
    return found


def _mask(corrected: Matrix, rectangle: MatrixRectangle) -> None:
    """Set the sentences of a rectangle to _NEVER, so that no other search finds them."""
    corrected[rectangle.top : rectangle.bottom + 1] = _NEVER
    corrected[:, rectangle.first : rectangle.last + 1] = _NEVER


def _best_alignment(corrected: Matrix, weights: Matrix) -> _Found | None:
    """Return the sentences of the best local alignment (Smith and Waterman), if it is enough for a part."""
    gains = np.clip(corrected - _LEAST_ALIGNED, _NEVER, _MOST_ALIGNED) * weights
    best, aligned = _LEAST_PART * _LEAST_ALIGNMENT, None
    if np.maximum(gains.max(axis=1), 0).sum() < best:
        return None
    places = np.arange(gains.shape[1] + 1)
    costs = _COST_OF_GAP * places
    scores, starts = np.zeros(len(places)), np.zeros((len(places), 2), np.int64)
    for row, gained in enumerate(gains):
        paired = np.append(0.0, scores[:-1] + gained)
        pair_starts = np.concatenate([starts[:1], starts[:-1]])
        is_new = np.append(True, scores[:-1] <= 0)
        pair_starts[is_new] = np.stack([np.full(len(places), row), places - 1], 1)[is_new]
        is_paired = paired >= scores - _COST_OF_GAP
        values = np.maximum(np.where(is_paired, paired, scores - _COST_OF_GAP), 0)
        starts = np.where(is_paired[:, None], pair_starts, starts)
        # a gap in the row: the best value before, less the cost of the distance
        highest = np.maximum.accumulate(values + costs)
        sources = np.maximum.accumulate(np.where(values + costs >= highest, places, 0))
        scores, starts = highest - costs, starts[sources]
        place = int(scores.argmax())
        if scores[place] >= best:
            best, (top, first) = float(scores[place]), starts[place].tolist()
            aligned = MatrixRectangle(top, row, first, place - 1), best / _LEAST_ALIGNMENT
    return aligned


def _rectangles(corrected: Matrix, rows: Matrix, columns: Matrix) -> list[_Found]:
    """Find rectangles of sentences with evidence for a part, without a sentence in common.

    The evidence of a rectangle is the sum of what each of its sentences gains by its best partner in it.
    """
    if not _is_possible(corrected, rows, columns):
        return []
    found: list[_Found] = []
    for start in range(0, len(corrected), _ROWS_AT_ONCE):
        part = slice(start, start + _ROWS_AT_ONCE + _MOST_SENTENCES - 1)
        for height, width, evidence in _evidence(corrected[part], rows[part], columns):
            for top, first in np.argwhere(evidence >= _LEAST_PART * _LEAST_EVIDENCE).tolist():
                bounds = start + top, start + top + height - 1, first, first + width - 1
                found.append((MatrixRectangle(*bounds), float(evidence[top, first]) / _LEAST_EVIDENCE))
    chosen: list[_Found] = []
    taken = [np.zeros(size, np.bool_) for size in corrected.shape]
    for each, times in sorted(found, key=lambda each: (-each[1], each[0])):
        sentences = taken[0][each.top : each.bottom + 1], taken[1][each.first : each.last + 1]
        if not any(side.any() for side in sentences):
            chosen.append((each, times))
            for side in sentences:
                side[:] = True
    return chosen


def _evidence(corrected: Matrix, rows: Matrix, columns: Matrix) -> Iterator[tuple[int, int, Matrix]]:
    """Yield each height and width, and the evidence of all rectangles of this size by their first cells."""
    best_of_rows, of_rows = [corrected], [_gains(corrected, rows[:, None])]
    for width in range(2, min(_MOST_SENTENCES, corrected.shape[1]) + 1):
        best_of_rows.append(np.maximum(best_of_rows[-1][:, :-1], corrected[:, width - 1 :]))
        of_rows.append(_gains(best_of_rows[-1], rows[:, None]))
    best_of_columns, sums_of_rows = corrected, list(of_rows)
    for height in range(2, min(_MOST_SENTENCES, len(corrected)) + 1):
        best_of_columns = np.maximum(best_of_columns[:-1], corrected[height - 1 :])
        of_columns = _gains(best_of_columns, columns[None, :])
        sum_of_columns = of_columns
        for width, gains in enumerate(of_rows, 1):
            sums_of_rows[width - 1] = sums_of_rows[width - 1][:-1] + gains[height - 1 :]
            if width > 1:
                sum_of_columns = sum_of_columns[:, :-1] + of_columns[:, width - 1 :]
            if min(height, width) >= _FEWEST_SENTENCES:
                yield height, width, sums_of_rows[width - 1] + sum_of_columns


def _grown(rectangle: MatrixRectangle, corrected: Matrix) -> MatrixRectangle:
    """Add sentences beside a rectangle that have a partner in it, or beside it."""
    while True:
        top, bottom, first, last = rectangle.top, rectangle.bottom, rectangle.first, rectangle.last
        rows, columns = slice(max(top - 1, 0), bottom + 2), slice(max(first - 1, 0), last + 2)
        above = top > 0 and corrected[top - 1, columns].max() >= _LEAST_GROWN
        below = bottom + 1 < len(corrected) and corrected[bottom + 1, columns].max() >= _LEAST_GROWN
        before = first > 0 and corrected[rows, first - 1].max() >= _LEAST_GROWN
        after = last + 1 < corrected.shape[1] and corrected[rows, last + 1].max() >= _LEAST_GROWN
        if not (above or below or before or after):
            return rectangle
        rectangle = MatrixRectangle(top - above, bottom + below, first - before, last + after)


def _joined(found: list[_Found]) -> list[_Found]:
    """Join rectangles that are close to each other in both texts; their evidence is added."""
    # longer, so that neighbours overlap
    more = 1 + _GAP_SENTENCES
    longer = [replace(each, bottom=each.bottom + more, last=each.last + more) for each, _evidence in found]
    joined = merged_rectangles(longer)
    sums = [sum(evidence for each, evidence in found if each.union(whole) == whole) for whole in joined]
    shorter = [replace(each, bottom=each.bottom - more, last=each.last - more) for each in joined]
    return sorted(zip(shorter, sums, strict=True))


def _is_possible(corrected: Matrix, rows: Matrix, columns: Matrix) -> bool:
    """Return whether any rectangle can have enough evidence; most pairs of a class have none."""
    most = 0.0
    for axis, weights in ((1, rows), (0, columns)):
        sums = np.cumsum(np.maximum(_gains(corrected.max(axis), weights), 0))
        most += float((sums - np.append(np.zeros(_MOST_SENTENCES), sums)[: len(sums)]).max())
    return most >= _LEAST_PART * _LEAST_EVIDENCE

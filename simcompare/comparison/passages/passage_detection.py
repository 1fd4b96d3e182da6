"""Detect passages: similar sentences close to each other in both texts (D(i, I) of Lv et al., extended).

Seeds are sentence pairs with a high term cosine that is close to the best of either sentence. Seeds close to
each other on both sides form a passage if their sections as a whole have a high cosine. The passage grows
over weaker pairs beside it, and its edges are moved to the word.
"""

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.comparison_result import Cells, Matches, Passage
from simcompare.comparison.passages.passage_edges import MatrixRectangle, trimmed_spans
from simcompare.comparison.passages.sentence_terms import SentenceTerms
from simcompare.comparison.passages.term_cosine import (
    TermCosines,
    TermWeights,
    fragment_cosine,
    term_cosines,
    term_weights,
)
from simcompare.model.document import Span
from simcompare.model.settings import PassageSettings, SummarySettings
from simcompare.text.prepared_text import PreparedText

Float64Array = NDArray[np.float64]


# Measured on planted passages and on the summaries of PAN 2013: the partners of a summary's sentences form
# at least 0.38 clusters a sentence, those of passages copied from several places, with the sentences between
# them, 0.15 to 0.43, mostly below 0.3.
_LEAST_CLUSTERS_PER_SENTENCE = 0.35
# Two or three sentences of unrelated text; without it, text between two summaries counts as one of them.
_MOST_EVIDENCE_LOST = 5.0


def find_summaries(
    text: SentenceTerms,
    source: SentenceTerms,
    cells: TermCosines,
    settings: SummarySettings,
) -> list[tuple[Span, Span]]:
    """Find the sections of `text` that summarise `source`, each with the section of the source it draws on.

    The evidence of a sentence is the excess of its best cosine over the cosine that chance gives in a source
    of this length; a summary is a run of sentences with much evidence. Unless the run with the most evidence
    is a summary, there is none: other runs would be remains of copied passages. `cells` has the sentences of
    `text` as rows.
    """
    cosine = _least_cosine(source.sentence_count, settings)
    weights = np.minimum(text.words_per_sentence, settings.most_words_counted)
    summaries: list[tuple[Span, Span]] = []
    runs = _runs((cells.best_of_left - cosine) * weights, _MOST_EVIDENCE_LOST)
    for evidence, first, last in sorted(runs, reverse=True):
        partners = _partners(first, last, cosine, weights, cells, settings)
        words = text.bounds[last + 1] - text.bounds[first]
        if evidence >= settings.least_evidence and words >= settings.least_words and len(partners):
            own = _span(text, first, last)
            drawn_on = _span(source, int(partners.min()), int(partners.max()))
            if len(drawn_on) >= settings.least_spread * len(own):
                summaries.append((own, drawn_on))
        if not summaries:
            break
    return summaries


def _partners(
    first: int,
    last: int,
    cosine: float,
    weights: NDArray[np.int64],
    cells: TermCosines,
    settings: SummarySettings,
) -> NDArray[np.int64]:
    """Return the partners of the sentences with evidence in a run, or none if they are not scattered."""
    run = np.arange(first, last + 1)
    informative = run[cells.best_of_left[run] > cosine]
    partners = cells.partner_of_left[informative]
    scattered = len(informative) >= settings.least_sentences and _scattered(
        partners, cells.best_of_left[informative] * weights[informative], settings
    )
    return partners if scattered else partners[:0]


def _least_cosine(source_sentences: int, settings: SummarySettings) -> float:
    longer = max(source_sentences / settings.usual_source_sentences, 1.0)
    return settings.cosine + settings.cosine_growth * math.log(longer)


def _scattered(partners: NDArray[np.int64], evidence: Float64Array, settings: SummarySettings) -> bool:
    """Return whether neighbouring partners form many clusters, none of which holds most of the evidence."""
    order = np.argsort(partners)
    apart = np.diff(partners[order]) > settings.cluster_gap_sentences
    clusters = np.concatenate([[0], np.cumsum(apart)])
    largest = np.bincount(clusters, evidence[order]).max()
    many = clusters[-1] + 1 >= _LEAST_CLUSTERS_PER_SENTENCE * len(partners)
    return bool(many and largest <= settings.most_in_one_cluster * evidence.sum())


def _runs(gains: Float64Array, most_lost: float) -> list[tuple[float, int, int]]:
    """Find runs of consecutive values with a large sum, as (sum, first, last).

    A run ends at its largest sum as soon as later values lose all of it, or more than `most_lost`.
    """
    runs: list[tuple[float, int, int]] = []
    total = largest = 0.0
    first = last = 0
    for place, gain in enumerate([*gains.tolist(), -math.inf]):
        if not largest:
            first, total = place, 0.0
        total += gain
        if total > largest:
            largest, last = total, place
        elif largest and (total <= 0 or largest - total > most_lost):
            runs.append((largest, first, last))
            largest = 0.0
    return runs


def _span(text: SentenceTerms, first: int, last: int) -> Span:
    return Span(int(text.spans[first, 0]), int(text.spans[last, 1]))


Points = NDArray[np.int64]


def find_passages(
    left: SentenceTerms, right: SentenceTerms, settings: PassageSettings
) -> tuple[Passage, ...]:
    """Find the passages that two texts share, in reading order of the left text.

    Finds copied, reworded, reordered, split and joined sentences, and sections that summarise sentences
    scattered over the other text, in either direction. Texts with the same words are one passage, however
    short, and however often their sentences recur.
    """
    if not left.sentence_count or not right.sentence_count:
        return ()
    if np.array_equal(left.words, right.words):
        return (Passage(_whole(left), _whole(right)),)
    weights = term_weights(left, right, settings.common_share)
    cells = term_cosines(left, right, weights, settings.floor_cosine)
    rectangles = _PassageGrower(left, right, weights, cells, settings).rectangles()
    passages = [
        Passage(*spans)
        for rectangle in rectangles
        if (spans := trimmed_spans(left, right, rectangle, settings)) is not None
    ]
    return tuple(sorted(_with_summaries(passages, left, right, cells, settings), key=_place))


def _place(passage: Passage) -> tuple[Span, Span]:
    return passage.left, passage.right


def _whole(text: SentenceTerms) -> Span:
    return Span(int(text.spans[0, 0]), int(text.spans[-1, 1]))


def passages_of_matches(
    cells: Cells, left: PreparedText, right: PreparedText, gap_sentences: int = 1
) -> tuple[Passage, ...]:
    """Combine matched sentences into passages: D(i, I) of Lv et al., with small gaps.

    `cells` are those of the matches.
    """
    spans, _groups_of_matches = stretches_of_matches(cells, left, right, gap_sentences)
    return tuple(Passage(Span(start, end), Span(first, last)) for start, end, first, last in spans.tolist())


def stretches_of_matches(
    cells: Cells, left: PreparedText, right: PreparedText, gap_sentences: int = 1
) -> tuple[Points, Points]:
    """Group matched sentences that are close to each other on both sides.

    Returns the spans of the groups (start and end left, start and end right) in reading order, shape (n, 4),
    and the number of each match's group, shape (m,).
    """
    points = np.stack([cells.rows, cells.columns], axis=1).astype(np.int64)
    if not len(points):
        return np.zeros((0, 4), np.int64), np.zeros(0, np.int64)
    # vectorised: there may be thousands of single matches, and a slider recomputes them at every step
    labels = _group_labels(points, gap_sentences)
    in_order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[in_order], prepend=-1))
    firsts = np.minimum.reduceat(points[in_order], starts, axis=0)
    lasts = np.maximum.reduceat(points[in_order], starts, axis=0)
    ends = np.stack(
        [
            left.sentence_spans[firsts[:, 0], 0],
            left.sentence_spans[lasts[:, 0], 1],
            right.sentence_spans[firsts[:, 1], 0],
            right.sentence_spans[lasts[:, 1], 1],
        ],
        axis=1,
    )
    reading_order = np.lexsort(ends.T[::-1])
    return ends[reading_order], np.argsort(reading_order)[labels]


def _with_summaries(
    passages: list[Passage],
    left: SentenceTerms,
    right: SentenceTerms,
    cells: TermCosines,
    settings: PassageSettings,
) -> list[Passage]:
    """Add summaries of the other text; passages inside a summary are part of it."""
    if settings.summary is None:
        return passages
    summaries = find_summaries(left, right, cells, settings.summary)
    if summaries:
        outside = [p for p in passages if not any(_overlap(p.left, own) for own, _ in summaries)]
        return [*outside, *(Passage(*spans, summary="left") for spans in summaries)]
    summaries = find_summaries(right, left, cells.transposed(), settings.summary)
    # several passages copied from one text are not a summary of it, though scattered over the other
    if any(_overlap(p.right, own) for p in passages for own, _ in summaries):
        return passages
    return [*passages, *(Passage(drawn_on, own, summary="right") for own, drawn_on in summaries)]


def _overlap(first: Span, second: Span) -> bool:
    return first.start < second.end and second.start < first.end


class _PassageGrower:
    """Grows seeds into rectangles of sentences."""

    def __init__(
        self,
        left: SentenceTerms,
        right: SentenceTerms,
        weights: TermWeights,
        cells: TermCosines,
        settings: PassageSettings,
    ) -> None:
        self._left, self._right, self._weights, self._settings = left, right, weights, settings
        best = np.maximum(cells.best_of_left[cells.rows], cells.best_of_right[cells.columns])
        points = np.stack([cells.rows, cells.columns], axis=1)
        seeds = (
            (cells.cosines >= settings.seed_cosine)
            & (cells.shared_terms >= settings.seed_shared_terms)
            & (cells.cosines >= settings.seed_of_best * best)
        )
        growth_mask = (cells.cosines >= settings.grow_cosine) & (
            cells.cosines >= settings.grow_of_best * best
        )
        self._seeds, self._growth_points = points[seeds], points[growth_mask]

    def rectangles(self) -> list[MatrixRectangle]:
        """Return the rectangles, merged if they overlap."""
        merged: list[MatrixRectangle] = []
        for rectangle in sorted(map(self._grown, self._kernels())):
            # a rectangle that has grown may overlap another one
            while (
                overlapping := next((other for other in merged if other.overlaps(rectangle)), None)
            ) is not None:
                merged.remove(overlapping)
                rectangle = overlapping.union(rectangle)  # noqa: PLW2901 - the union takes its place
            merged.append(rectangle)
        return merged

    def _kernels(self) -> Iterator[MatrixRectangle]:
        """Yield groups of seeds whose sections have a high cosine as a whole.

        Other groups are split at smaller gaps.
        """
        gap = self._settings.gap_sentences
        waiting = [(group, gap) for group in _groups(self._seeds, gap)]
        while waiting:
            points, gap = waiting.pop()
            rectangle = _bounding_rectangle(points)
            if self._cosine(rectangle) >= self._settings.least_fragment_cosine:
                yield rectangle
            elif gap > 0:
                waiting.extend((group, gap - 1) for group in _groups(points, gap - 1))

    def _cosine(self, rectangle: MatrixRectangle) -> float:
        rows, columns = (rectangle.top, rectangle.bottom), (rectangle.first, rectangle.last)
        return fragment_cosine(self._left, self._right, self._weights, rows, columns)

    def _grown(self, rectangle: MatrixRectangle) -> MatrixRectangle:
        """Add pairs within reach until there are none left."""
        reach = self._settings.grow_reach_sentences
        while True:
            near = self._growth_points_near(rectangle, reach)
            larger = rectangle.union(_bounding_rectangle(near)) if len(near) else rectangle
            if larger == rectangle:
                return rectangle
            rectangle = larger

    def _growth_points_near(self, rectangle: MatrixRectangle, reach: int) -> Points:
        rows, columns = self._growth_points[:, 0], self._growth_points[:, 1]
        start, stop = np.searchsorted(rows, [rectangle.top - reach, rectangle.bottom + reach + 1])
        near = columns[start:stop]
        return self._growth_points[start:stop][
            (near >= rectangle.first - reach) & (near <= rectangle.last + reach)
        ]


def _bounding_rectangle(points: Points) -> MatrixRectangle:
    (top, first), (bottom, last) = points.min(axis=0), points.max(axis=0)
    return MatrixRectangle(int(top), int(bottom), int(first), int(last))


def _groups(points: Points, gap: int) -> Sequence[Points]:
    """Split the points at gaps of more than `gap` sentences between neighbours, on either side."""
    if not len(points):
        return []
    labels = _group_labels(points, gap)
    in_order = np.argsort(labels, kind="stable")
    return np.split(points[in_order], np.flatnonzero(np.diff(labels[in_order])) + 1)


def _group_labels(points: Points, gap: int) -> NDArray[np.int64]:
    """Return the group number of each point, from 0, shape (n,); needs at least one point.

    Splitting on one side may open gaps on the other side, so this repeats until nothing is split.
    """
    labels, count = np.zeros(len(points), np.int64), 0
    while labels.max() + 1 > count:
        count = labels.max() + 1
        for side in (0, 1):
            in_order = np.lexsort((points[:, side], labels))
            apart = np.diff(points[in_order, side]) > gap + 1
            apart |= np.diff(labels[in_order]) > 0
            labels[in_order[1:]] = np.cumsum(apart)
            labels[in_order[0]] = 0
    return labels


def longest_match_chain(matches: Matches) -> NDArray[np.intp]:
    """Find the longest chain of best matches in the same order in both texts, as ascending indices.

    Each is the best match of its left sentence; no sentence occurs twice. Linked scrolling aligns by it.
    """
    best = matches.best_of_left[matches.best_of_left >= 0].astype(np.intp)
    return best[_longest_increasing(matches.cells.columns[best].tolist())]


def _longest_increasing(values: list[int]) -> list[int]:
    """Return the indices of a longest strictly increasing subsequence (patience sorting)."""
    lowest_ends: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for place, value in enumerate(values):
        length = bisect_left(lowest_ends, value)
        before.append(ends[length - 1] if length else -1)
        lowest_ends[length : length + 1] = [value]
        ends[length : length + 1] = [place]
    chain: list[int] = []
    place = ends[-1] if ends else -1
    while place >= 0:
        chain.append(place)
        place = before[place]
    return chain[::-1]

"""Detect passages: similar sentences close to each other in both texts (D(i, I) of Lv et al., extended).

Seeds are sentence pairs with a high term cosine that is close to the best of either sentence. Seeds close to
each other on both sides form a passage if their sections as a whole have a high cosine. The passage grows
over weaker pairs beside it, and its edges are moved to the word.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.comparison_result import Cells, Matches
from simcompare.comparison.passages.passage_columns import NO_PASSAGES, Passage, Passages, with_summaries
from simcompare.comparison.passages.passage_kinds import passage_figures
from simcompare.comparison.passages.term_cosine import (
    SentenceTerms,
    TermCosines,
    TermWeights,
    compared_terms,
    fragment_cosine,
    sentence_terms,
)
from simcompare.comparison.passages.verbatim_copies import equal_stretches, verbatim_copies
from simcompare.model.document import Span
from simcompare.model.settings import PassageSettings
from simcompare.support.arrays import BoolArray, Float64Array, IndexArray, Int32Array
from simcompare.support.lazy import weak_cache
from simcompare.support.plugins import PASSAGES, plugins, warn
from simcompare.text.comparable import is_han
from simcompare.text.prepared_text import PreparedText

TermArray = NDArray[np.uint64]
Points = NDArray[np.int64]
_ROUNDS = 2
_TRIMMED_SENTENCES = 2
"""A weak pair over which a passage grew may have another sentence between it and the passage. Plagdet on the
development sets with 1, 2, 3 and all sentences: .9426, .9429, .9427, .9419 and .9902, .9917, .9920, .9922."""
# Essays on one question have its words in common, and the fewer sentences both texts have, the less is known
# of which words these are. The evidence of a passage is its cosine times the words of its shorter side. In
# texts with few sentences, planted passages of the development sets without a sure cosine have at least 49%
# of their words in common; so have 10 of 30 of independent essays, and most of these quote the same sentence.
_LEAST_EVIDENCE, _MOST_COSINE_FOR_EVIDENCE = 12.5, 0.47
_SENTENCES_OF_ESSAYS, _SURE_COSINE, _LEAST_IN_COMMON = 60, 0.65, 0.47
_LEAST_COSINE_TIMES_SENTENCES, _LEAST_P = 9.5, 0.5


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
    the second sentence, nor the end before the beginning of the last but one.
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
        self._latest_start = int(bounds[min(first + _TRIMMED_SENTENCES, last + 1)]) - 1 - self._offset
        self._earliest_end = int(bounds[max(last + 1 - _TRIMMED_SENTENCES, first)]) + 1 - self._offset
        self.start, self.end = self.core
        self._core_weight = float(self.weights[slice(*self.core)].sum())
        of = _ranks if len(self.words) <= _MOST_KEPT_WORDS else _ranks.function
        self._ranks = of(text, self._offset, stop, self.core)

    @property
    def inside(self) -> TermArray:
        """The words that currently belong to the passage."""
        return self.words[self.start : self.end]

    def move_edges(self, partners: TermArray) -> None:
        """Move each edge to where the gain of matched words over unmatched ones is largest."""
        matched = self._ranks.matched(partners)
        core = slice(*self.core)
        weight = self._core_weight
        share = float(self.weights[core][matched[core]].sum()) / weight if weight else 0.0
        cost = min(
            self._settings.most_edge_cost,
            self._settings.edge_cost * share / (1 - share) if share < 1 else np.inf,
        )
        gains = np.where(matched, self.weights, -cost * self.weights)
        self.start = _best_start(gains, self._latest_start)
        self.end = len(gains) - _best_start(gains[::-1], len(gains) - self._earliest_end)

    @property
    def sentences(self) -> tuple[int, int]:
        """The first and the last sentence with words of the passage."""
        first, last = np.searchsorted(
            self._text.bounds, [self.start + self._offset + 1, self.end + self._offset]
        )
        return int(first) - 1, int(last) - 1

    def cut(self, first: int, last: int) -> None:
        """Cut off sentences of the core before and after these."""
        first_word, end = (self._text.bounds[[first, last + 1]] - self._offset).tolist()
        if self.start >= self.core[0]:
            self.start = max(self.start, first_word)
        if self.end <= self.core[1]:
            self.end = min(self.end, end)

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
    if after and place - int(bounds[after - 1]) <= abs(int(bounds[after]) - place):
        return int(bounds.searchsorted(bounds[after - 1]))
    return after


def trimmed_spans(
    left: SentenceTerms,
    right: SentenceTerms,
    rectangle: MatrixRectangle,
    settings: PassageSettings,
    least_words: float,
    similar: Points | None = None,
) -> tuple[Span, Span] | None:
    """Return the spans of a passage to the word, or None if it is too short to count.

    similar: its pairs of similar sentences, with which it begins and ends if they are known.
    """
    left_side = _PassageSide(left, rectangle.top, rectangle.bottom, settings)
    right_side = _PassageSide(right, rectangle.first, rectangle.last, settings)
    # both sides move by the previous state of the other, so that swapped texts give the same result
    inside, partners = left_side.words, right_side.words
    for _ in range(_ROUNDS):
        left_side.move_edges(partners)
        right_side.move_edges(inside)
        inside, partners = left_side.inside, right_side.inside
    if similar is not None:
        firsts, lasts = np.array([left_side.sentences, right_side.sentences]).T
        similar = similar[((similar >= firsts) & (similar <= lasts)).all(axis=1)]
        if len(similar):
            whole = _bounding_rectangle(_without_lone_edges(similar, left, right))
            left_side.cut(whole.top, whole.bottom)
            right_side.cut(whole.first, whole.last)
            inside, partners = left_side.inside, right_side.inside
    if min(len(inside), len(partners)) < least_words:
        return None
    return left_side.span(), right_side.span()


def _without_lone_edges(similar: Points, left: SentenceTerms, right: SentenceTerms) -> Points:
    """Leave out a first or last pair of equal sentences, as titles, with more words behind it in one text."""
    for turn in (1, -1):
        edge = turn * (turn * similar).min(axis=0)
        rest = similar[(turn * similar > turn * edge).all(axis=1)]
        if not 0 < len(rest) == len(similar) - 1:
            continue
        following = turn * (turn * rest).min(axis=0)
        (own, between), (other, others_between) = (
            (
                text.words[slice(*text.bounds[[place, place + 1]])],
                np.diff(text.bounds[[min(place, after) + 1, max(place, after)]])[0],
            )
            for text, place, after in zip((left, right), edge, following, strict=True)
        )
        if np.array_equal(own, other) and max(between, others_between) > len(own):
            similar = rest
    return similar


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


# the same in many pairs of a class, whose essays have a cover
_MOST_KEPT_WORDS = 300


@weak_cache(weak=1, most=4096)
def _ranks(text: SentenceTerms, start: int, stop: int, core: tuple[int, int]) -> _Ranks:
    """Rank some words of a text around a core, whose places count from the start."""
    return _Ranks.of(text.words[start:stop], core)


def _best_start(gains: Float64Array, latest: int) -> int:
    """Return the start <= `latest` with the largest sum of gains from it to `latest`."""
    if not latest:
        return 0
    before = gains[:latest].cumsum()
    start = before.argmin()
    return int(start) + 1 if before[start] < 0 else 0


# Measured on 40 texts of `zh-dev` with 60% homophones, and the same with the characters shuffled in eights:
# all 80 have a passage with their own source, none of 1,136 pairs with other sources has one.
_SOUND_SEED_COSINE = 0.6
_SOUND_GROW_COSINE = 0.5
_LEAST_SOUND_CHARACTERS = 40


def settings_by_sound(settings: PassageSettings) -> PassageSettings:
    """Return the settings of passages for terms by sound, of which many are common to unrelated sentences."""
    return replace(
        settings,
        seed_cosine=max(settings.seed_cosine, _SOUND_SEED_COSINE),
        least_fragment_cosine=max(settings.least_fragment_cosine, _SOUND_SEED_COSINE),
        grow_cosine=max(settings.grow_cosine, _SOUND_GROW_COSINE),
        least_words=_LEAST_SOUND_CHARACTERS,
        least_words_chinese=_LEAST_SOUND_CHARACTERS,
        summary=None,
    )


@weak_cache(weak=1, most=64)
def terms_by_sound(text: PreparedText) -> SentenceTerms:
    """Collect the syllables of each sentence of a text; each unit is a word.

    Homophones put for characters keep their sounds, and shuffled characters keep their sentence, while
    neither leaves words to compare. As there are only 400 syllables, higher cosines are needed.
    """
    # hardly any text needs it
    from pypinyin import lazy_pinyin  # noqa: PLC0415

    # with a digit, so that no syllable is taken for an English word
    sounds = tuple(f"{lazy_pinyin(unit)[0]}1" if is_han(unit) else unit for unit in text.unit_vocabulary)
    return sentence_terms(
        replace(
            text,
            unit_vocabulary=sounds,
            word_vocabulary=sounds,
            word_tags=("x",) * len(sounds),
            word_ids=text.unit_ids,
            word_units=np.arange(text.unit_count + 1, dtype=np.int32),
            sentence_words=text.sentence_units,
        )
    )


@dataclass(frozen=True, slots=True, eq=False)
class PairTerms:
    """What two texts have in common, of which passages are made."""

    weights: TermWeights
    cells: TermCosines
    stretches: IndexArray

    @classmethod
    def of(
        cls, left: SentenceTerms, rights: Sequence[SentenceTerms], settings: PassageSettings
    ) -> "list[PairTerms]":
        """Compare a text with some others; all texts have sentences."""
        compared = compared_terms(left, rights, settings.common_share, settings.floor_cosine)
        stretches = equal_stretches(left.prepared, [right.prepared for right in rights])
        return [cls(*pair, found) for pair, found in zip(compared, stretches, strict=True)]


def find_passages(
    left: SentenceTerms, right: SentenceTerms, settings: PassageSettings, terms: PairTerms | None = None
) -> Passages:
    """Find the passages that two texts share, in reading order of the left text.

    Finds copied, reworded, reordered, split and joined sentences, and sections that summarise sentences
    scattered over the other text, in either direction. Texts with the same words are one passage, however
    short, and however often their sentences recur. If the words of one are broken up, the texts are also
    compared by sound, and the comparison that covers more of them counts. terms: if they are known.
    """
    if not left.sentence_count or not right.sentence_count:
        return NO_PASSAGES
    if np.array_equal(left.words, right.words):
        return Passages.of([Passage(_whole(left), _whole(right))])
    terms = terms or PairTerms.of(left, [right], settings)[0]
    by_words = _passages_of(left, right, settings, terms)
    copies = Passages.of(verbatim_copies(left.prepared, right.prepared, by_words, terms.stretches))
    by_words = _with_those_of_plugins(by_words.with_others(copies), left.prepared, right.prepared)
    if not (left.prepared.has_broken_words or right.prepared.has_broken_words):
        return by_words
    sounds = terms_by_sound(left.prepared), terms_by_sound(right.prepared)
    by_sound = settings_by_sound(settings)
    terms = PairTerms.of(sounds[0], sounds[1:], by_sound)[0]
    return max(by_words, _passages_of(*sounds, by_sound, terms), key=_covered_characters)


def _with_those_of_plugins(passages: Passages, left: PreparedText, right: PreparedText) -> Passages:
    """Add the passages that plug-ins find, those with words on both sides."""
    for plugin in plugins(PASSAGES).values():
        try:
            found = Passages.of(plugin.function(left, right, passages))
        except Exception as error:
            warn(plugin.package, plugin.name, error)
            continue
        is_inside = np.ones(len(found), np.bool_)
        for text, spans in ((left, found.left_spans), (right, found.right_spans)):
            is_inside &= np.diff(text.units_in(spans))[:, 0] > 0
            is_inside &= (spans[:, 0] >= 0) & (spans[:, 1] <= text.sentence_spans[-1, 1])
        passages = passages.with_others(found.select(is_inside))
    return passages


def _passages_of(
    left: SentenceTerms, right: SentenceTerms, settings: PassageSettings, terms: PairTerms
) -> Passages:
    grower = _PassageGrower(left, right, terms.weights, terms.cells, settings)
    passages = []
    for rectangle in grower.rectangles():
        cosine = grower.cosine(rectangle)
        least_words = _least_words(left, right, settings, cosine)
        spans = trimmed_spans(left, right, rectangle, settings, least_words, grower.similar(rectangle))
        if spans is not None and _is_alike_enough(left, right, cosine, spans):
            passages.append(Passage(*spans))
    return Passages.of(
        sorted(with_summaries(passages, left, right, terms.cells, settings), key=lambda p: (p.left, p.right))
    )


def _least_words(
    left: SentenceTerms, right: SentenceTerms, settings: PassageSettings, cosine: float
) -> float:
    """Return the fewest words that both sides of a passage of this cosine need."""
    is_chinese = left.prepared.is_mostly_chinese and right.prepared.is_mostly_chinese
    least = settings.least_words_chinese if is_chinese else settings.least_words
    if cosine >= _MOST_COSINE_FOR_EVIDENCE:
        return least
    return max(least, _LEAST_EVIDENCE / cosine) if cosine else np.inf


def _is_alike_enough(
    left: SentenceTerms, right: SentenceTerms, cosine: float, spans: tuple[Span, Span]
) -> bool:
    """Return whether a passage of short texts has a high cosine, or enough words in common.

    In very short ones, of some ten sentences each, its units are in the same order, too.
    """
    sentences = left.kind_count + right.kind_count
    if sentences >= _SENTENCES_OF_ESSAYS or cosine >= _SURE_COSINE:
        return True
    own, other = (np.array([[span.start, span.end]], np.int32) for span in spans)
    figures = passage_figures(left.prepared, right.prepared, own, other)
    return bool(
        figures.common_words[0] >= _LEAST_IN_COMMON
        and (cosine * sentences >= _LEAST_COSINE_TIMES_SENTENCES or figures.p[0] >= _LEAST_P)
    )


def _covered_characters(passages: Passages) -> int:
    """Return the characters of both texts in passages, overlaps counted twice; summaries do not count."""
    spans = passages.spans[passages.summaries == 0]
    return int((spans[:, 1] - spans[:, 0]).sum() + (spans[:, 3] - spans[:, 2]).sum())


def _whole(text: SentenceTerms) -> Span:
    return Span(int(text.spans[0, 0]), int(text.spans[-1, 1]))


_GAP_SENTENCES = 1
"""Sentences without a match that may be within a stretch of matches."""


def passages_of_matches(
    cells: Cells, left: PreparedText, right: PreparedText, gap_sentences: int = _GAP_SENTENCES
) -> Passages:
    """Combine matched sentences into passages: D(i, I) of Lv et al., with small gaps.

    `cells` are those of the matches.
    """
    spans, _groups_of_matches = stretches_of_matches(cells, left, right, gap_sentences)
    return Passages(spans, np.zeros(len(spans), np.int8), np.zeros(len(spans), np.float32))


def groups_of_matches(cells: Cells) -> NDArray[np.int64]:
    """Return the group of each match, shape (m,), m > 0: those of `stretches_of_matches` in another order."""
    return _group_labels(_points_of(cells), _GAP_SENTENCES)


def _points_of(cells: Cells) -> Points:
    return np.stack([cells.rows, cells.columns], axis=1).astype(np.int64)


def stretches_of_matches(
    cells: Cells, left: PreparedText, right: PreparedText, gap_sentences: int = _GAP_SENTENCES
) -> tuple[Int32Array, Points]:
    """Group matched sentences that are close to each other on both sides.

    Returns the spans of the groups (start and end left, start and end right) in reading order, shape (n, 4),
    and the number of each match's group, shape (m,).
    """
    points = _points_of(cells)
    if not len(points):
        return np.zeros((0, 4), np.int32), np.zeros(0, np.int64)
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
        self._settings = settings
        self._cosine = cache(partial(fragment_cosine, left, right, weights))
        best = np.maximum(cells.best_of_left[cells.rows], cells.best_of_right[cells.columns])
        seeds = np.flatnonzero(
            (cells.shared_terms >= settings.seed_shared_terms)
            & (cells.cosines >= np.maximum(settings.seed_of_best * best, settings.seed_cosine))
        )
        growth = np.flatnonzero(
            cells.cosines >= np.maximum(settings.grow_of_best * best, settings.grow_cosine)
        )
        self._seeds = np.array((cells.rows[seeds], cells.columns[seeds])).T
        self._growth_rows, self._growth_columns = cells.rows[growth], cells.columns[growth]

    def rectangles(self) -> list[MatrixRectangle]:
        """Return the rectangles, merged if they overlap, as one that has grown may."""
        return merged_rectangles(list(map(self._grown, self._kernels())))

    def _kernels(self) -> Iterator[MatrixRectangle]:
        """Yield groups of seeds whose sections have a high cosine as a whole.

        Other groups are split at smaller gaps.
        """
        gap = self._settings.gap_sentences
        waiting = [(group, gap) for group in _groups(self._seeds, gap)]
        while waiting:
            points, gap = waiting.pop()
            rectangle = _bounding_rectangle(points)
            if self.cosine(rectangle) >= self._settings.least_fragment_cosine:
                yield rectangle
            elif gap > 0:
                waiting.extend((group, gap - 1) for group in _groups(points, gap - 1))

    def cosine(self, rectangle: MatrixRectangle) -> float:
        """Compute the cosine of the whole sections."""
        return self._cosine((rectangle.top, rectangle.bottom), (rectangle.first, rectangle.last))

    def _grown(self, rectangle: MatrixRectangle) -> MatrixRectangle:
        """Add pairs within reach until there are none left."""
        reach = self._settings.grow_reach_sentences
        while True:
            near = self.similar(rectangle, reach)
            larger = rectangle.union(_bounding_rectangle(near)) if len(near) else rectangle
            if larger == rectangle:
                return rectangle
            rectangle = larger

    def similar(self, rectangle: MatrixRectangle, reach: int = 0) -> Points:
        """Return the pairs of similar sentences in a rectangle and within reach of it, shape (n, 2)."""
        start = self._growth_rows.searchsorted(rectangle.top - reach)
        stop = self._growth_rows.searchsorted(rectangle.bottom + reach, "right")
        rows, columns = self._growth_rows[start:stop], self._growth_columns[start:stop]
        near = (columns >= rectangle.first - reach) & (columns <= rectangle.last + reach)
        return np.array((rows[near], columns[near])).T


def merged_rectangles(rectangles: Sequence[MatrixRectangle]) -> list[MatrixRectangle]:
    """Replace overlapping rectangles by the smallest one that contains them, until none overlap."""
    if len(rectangles) < 2:
        return list(rectangles)
    # columns, as there may be thousands of rectangles, each compared with all others
    tops, bottoms, firsts, lasts = merged = np.zeros((4, len(rectangles)), np.int64)
    is_used = np.zeros(len(rectangles), np.bool_)
    for place, rectangle in enumerate(rectangles):
        top, bottom, first, last = rectangle.top, rectangle.bottom, rectangle.first, rectangle.last
        while True:
            overlaps = is_used & (tops <= bottom) & (bottoms >= top) & (firsts <= last) & (lasts >= first)
            if not overlaps.any():
                break
            is_used &= ~overlaps
            top, first = min(top, tops[overlaps].min()), min(first, firsts[overlaps].min())
            bottom, last = max(bottom, bottoms[overlaps].max()), max(last, lasts[overlaps].max())
        merged[:, place] = top, bottom, first, last
        is_used[place] = True
    return [MatrixRectangle(*sides) for sides in merged[:, is_used].T.tolist()]


def _bounding_rectangle(points: Points) -> MatrixRectangle:
    (top, first), (bottom, last) = points.min(axis=0), points.max(axis=0)
    return MatrixRectangle(int(top), int(bottom), int(first), int(last))


def _groups(points: Points, gap: int) -> Sequence[Points]:
    """Split the points at gaps of more than `gap` sentences between neighbours, on either side."""
    if not len(points):
        return []
    in_order = np.sort(points, axis=0)
    if (in_order[1:] - in_order[:-1]).max(initial=0) <= gap + 1:
        return [points]  # as in most pairs of a class
    labels = _group_labels(points, gap)
    in_order = np.argsort(labels, kind="stable")
    points, labels = points[in_order], labels[in_order]
    cuts = np.flatnonzero(labels[1:] != labels[:-1]) + 1
    return [points[start:stop] for start, stop in pairwise([0, *cuts.tolist(), len(points)])]


def _group_labels(points: Points, gap: int) -> NDArray[np.int64]:
    """Return the group number of each point, from 0, shape (n,); needs at least one point.

    Splitting on one side may open gaps on the other side, so this repeats until nothing is split.
    """
    labels, count = np.zeros(len(points), np.int64), 0
    while labels.max() + 1 > count:
        count = labels.max() + 1
        for side in (0, 1):
            in_order = np.lexsort((points[:, side], labels))
            places, before = points[in_order, side], labels[in_order]
            apart = (places[1:] - places[:-1] > gap + 1) | (before[1:] > before[:-1])
            labels[in_order[1:]] = apart.cumsum()
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

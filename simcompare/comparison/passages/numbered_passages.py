"""The passages of a comparison as a numbered list: detected passages, and lone matched sentences."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, starmap

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.comparison_result import Comparison, Matches, MatchKind
from simcompare.comparison.passages.passage_columns import SUMMARY_SIDES, SummarySide
from simcompare.comparison.passages.passage_detection import stretches_of_matches
from simcompare.comparison.passages.passage_kinds import (
    MOST_IN_COMMON,
    PASSAGE_KINDS,
    PassageFigures,
    PassageKind,
    expand_ranges,
    passage_figures,
)
from simcompare.comparison.shares import CountedText, counting_matches, fewer_units, in_ranges
from simcompare.model.document import Span
from simcompare.support.arrays import BoolArray, Float64Array, IndexArray, Int32Array
from simcompare.support.lazy import weak_cache
from simcompare.text.prepared_text import PreparedText

UNKNOWN_LCS = -1
_MOST_KEPT = 100_000
# odd, so that no bit of a key is lost
_HASH_FACTORS = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5, 1], np.uint64
)
HashArray = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class _KnownFigures:
    """Figures of n passages, sorted by the hash of their key: spans and known LCS, shape (n, 5)."""

    hashes: HashArray
    keys: Int32Array
    figures: PassageFigures

    def find(self, hashes: HashArray, keys: Int32Array) -> tuple[IndexArray, BoolArray]:
        """Return the index of each key, and whether it is there."""
        if not len(self.hashes):
            return np.zeros(len(keys), np.intp), np.zeros(len(keys), np.bool_)
        places = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        return places, (self.keys[places] == keys).all(axis=1)

    def followed_by(self, hashes: HashArray, keys: Int32Array, figures: PassageFigures) -> "_KnownFigures":
        """Add passages; if there are too many, forget the others."""
        if len(self.hashes) + len(hashes) <= _MOST_KEPT:
            hashes, keys = np.append(self.hashes, hashes), np.concatenate([self.keys, keys])
            figures = self.figures.followed_by(figures)
        order = np.argsort(hashes, kind="stable")
        return _KnownFigures(hashes[order], keys[order], figures.in_sequence(order))


class FigureTable:
    """Figures of the passages of two texts, each computed once: a slider changes only a few passages."""

    def __init__(self) -> None:
        nothing = np.zeros(0)
        self._known = _KnownFigures(
            np.zeros(0, np.uint64),
            np.zeros((0, 5), np.int32),
            PassageFigures(np.zeros(0, np.bool_), nothing, nothing, nothing),
        )

    def figures(
        self, left: PreparedText, right: PreparedText, spans: Int32Array, known_lcs: Int32Array
    ) -> PassageFigures:
        """Compare the two sides of n passages; spans: shape (n, 4), known_lcs: as in `passage_figures`."""
        known, keys = self._known, np.concatenate([spans, known_lcs[:, np.newaxis]], axis=1)
        hashes = keys.astype(np.uint64) @ _HASH_FACTORS
        places, is_known = known.find(hashes, keys)
        if is_known.all():
            return known.figures.in_sequence(places)
        new = ~is_known
        computed = passage_figures(left, right, spans[new, :2], spans[new, 2:], known_lcs[new])
        self._known = known.followed_by(hashes[new], keys[new], computed)
        in_sequence = np.argsort(np.append(np.flatnonzero(is_known), np.flatnonzero(new)))
        return known.figures.in_sequence(places[is_known]).followed_by(computed).in_sequence(in_sequence)


@weak_cache(weak=2, most=4)
def figure_table(_left: PreparedText, _right: PreparedText) -> FigureTable:
    return FigureTable()


_UNKNOWN = -1
_SUMMARY, _MEANING = map(PASSAGE_KINDS.index, (PassageKind.SUMMARY, PassageKind.MEANING))
KINDS_OF_PASSAGES = {
    MatchKind.EXACT: PassageKind.IDENTICAL,
    MatchKind.EDITED: PassageKind.EDITED,
    MatchKind.SYNONYM: PassageKind.REWORDED,
}
_EDITED, _REORDERED = map(PASSAGE_KINDS.index, (PassageKind.EDITED, PassageKind.REORDERED))


@dataclass(frozen=True, slots=True)
class NumberedPassage:
    """A passage of the list, numbered from 1 in reading order of the left text.

    summary: the side whose section is a summary, if the kind is SUMMARY
    evidence: as of `Passage`, if the kind is MEANING
    left_units, right_units: units that count on each side; units: its length, by `fewer_units`
    common_words, p, in_order: shares in [0, 1], as in `PassageFigures`
    matches: indices of the comparison's matches in it
    """

    number: int
    left: Span
    right: Span
    kind: PassageKind
    summary: SummarySide | None
    left_units: int
    right_units: int
    common_words: float
    p: float
    in_order: float
    units: int
    matches: tuple[int, ...]
    evidence: float


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class NumberedPassages:
    """The numbered passages of a comparison, as columns; passage `number` is at index number - 1.

    left_spans, right_spans  (n, 2) code points in each text
    kinds                    (n,) indices into PASSAGE_KINDS
    summaries                (n,) as in `Passages`
    covers                   (n,) the whole sections count towards the shares, not only the matched sentences
                             in them: false for a lone sentence, for a stretch of matched sentences without
                             detection, for a summary, and for what was found by meaning
    left_units, right_units  (n,) units that count
    common_words, p, in_order  (n,) as in `PassageFigures`
    match_bounds             (n+1,) passage i has the matches match_indices[match_bounds[i]:match_bounds[i+1]]
    match_indices            indices of the comparison's matches, ascending within a passage
    evidence                 (n,) as in `Passages`

    A match is in no passage if its sentences are in two different ones, and in several if these overlap.
    """

    left_spans: Int32Array
    right_spans: Int32Array
    kinds: NDArray[np.int8]
    summaries: NDArray[np.int8]
    covers: BoolArray
    left_units: Int32Array
    right_units: Int32Array
    common_words: Float64Array
    p: Float64Array
    in_order: Float64Array
    match_bounds: IndexArray
    match_indices: IndexArray
    evidence: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.kinds)

    def __iter__(self) -> Iterator[NumberedPassage]:
        return self._between(0, len(self))

    def __getitem__(self, index: int) -> NumberedPassage:
        place = range(len(self))[index]
        return next(self._between(place, place + 1))

    def _between(self, first: int, stop: int) -> Iterator[NumberedPassage]:
        own, bounds = slice(first, stop), self.match_bounds[first : stop + 1].tolist()
        matches = self.match_indices[bounds[0] : bounds[-1]].tolist()
        return map(
            NumberedPassage,
            range(first + 1, stop + 1),
            starmap(Span, self.left_spans[own].tolist()),
            starmap(Span, self.right_spans[own].tolist()),
            map(PASSAGE_KINDS.__getitem__, self.kinds[own].tolist()),
            map(SUMMARY_SIDES.__getitem__, self.summaries[own].tolist()),
            self.left_units[own].tolist(),
            self.right_units[own].tolist(),
            self.common_words[own].tolist(),
            self.p[own].tolist(),
            self.in_order[own].tolist(),
            fewer_units(self.left_units[own], self.right_units[own]).tolist(),
            (tuple(matches[start - bounds[0] : end - bounds[0]]) for start, end in pairwise(bounds)),
            self.evidence[own].tolist(),
        )

    @property
    def is_rewritten(self) -> BoolArray:
        """Mask of the passages that were possibly rewritten."""
        rewritten: BoolArray = self.kinds == _MEANING
        return rewritten

    @property
    def units(self) -> Int32Array:
        """Lengths as of `units_of`, shape (n,)."""
        return fewer_units(self.left_units, self.right_units)

    @property
    def in_common(self) -> Float64Array:
        """Share in common by which each passage is of its kind, shape (n,): of its words, or of its text."""
        of_text = np.where(self.kinds == _REORDERED, self.p / np.maximum(self.in_order, 0.01), self.p)
        is_by_words = (self.common_words >= MOST_IN_COMMON) | ~np.isin(self.kinds, (_EDITED, _REORDERED))
        return np.where(is_by_words, self.common_words, of_text)

    def units_of(self, index: int) -> int:
        """Return the length of a passage, by its index: units that count, by `fewer_units`."""
        return int(fewer_units(self.left_units[index], self.right_units[index]))

    def matches_of(self, index: int) -> IndexArray:
        """Return the indices of the comparison's matches in a passage, by the index of the passage."""
        return self.match_indices[self.match_bounds[index] : self.match_bounds[index + 1]]

    def kinds_of_matches(self, comparison: Comparison) -> NDArray[np.int8]:
        """Return the MatchKind of each match, shape (matches,).

        Two sentences that are a passage are of the kind of the passage, unless that is of passages only.
        """
        kinds, is_single = comparison.matches.kinds.copy(), np.diff(self.match_bounds) == 1
        texts = comparison.left.prepared, comparison.right.prepared
        for text, spans in zip(texts, (self.left_spans, self.right_spans), strict=True):
            is_single &= np.diff(text.sentences_in(spans))[:, 0] == 1
        for kind, of_passage in KINDS_OF_PASSAGES.items():
            single = np.flatnonzero(is_single & (self.kinds == PASSAGE_KINDS.index(of_passage)))
            kinds[self.match_indices[self.match_bounds[single]]] = kind
        return kinds

    def of_match(self, match: int) -> int | None:
        """Return the index of the first passage with this match, or None."""
        found = np.flatnonzero(self.match_indices == match)
        if not len(found):
            return None
        return int(np.searchsorted(self.match_bounds, found[0], side="right")) - 1


def is_mostly_chinese(comparison: Comparison, passages: NumberedPassages, index: int) -> bool:
    """Return whether more than half of the units on the side that `units_of` counts are Han characters."""
    is_left = passages.left_units[index] == passages.units_of(index)
    text = (comparison.left if is_left else comparison.right).prepared
    spans = passages.left_spans if is_left else passages.right_spans
    return bool(text.han_shares(spans[index : index + 1])[0] > 0.5)


@dataclass(frozen=True, slots=True, eq=False)
class _UnnumberedPassages:
    """Passages before they are numbered.

    spans: start and end left, start and end right, shape (n, 4);
    known_lcs: LCS of the units, as in `passage_figures`;
    passages, matches: pairs of indices, which match is in which passage.
    """

    spans: Int32Array
    known_lcs: Int32Array
    summaries: NDArray[np.int8]
    covers: BoolArray
    passages: IndexArray
    matches: IndexArray
    evidence: NDArray[np.float32]


def numbered_passages(comparison: Comparison) -> NumberedPassages:
    """List the passages of a comparison that count, and lone matched sentences as passages of one sentence.

    A sentence that no passage overlaps is listed with its best match, and with its other matches that are in
    no passage either. Without detection the passages are stretches of matched sentences, of which those
    without a best match of a sentence are left out.
    """
    if comparison.detected_passages is None:
        return _numbered(comparison, _stretches(comparison))
    return _numbered(comparison, _detected_and_lone(comparison))


def _stretches(comparison: Comparison) -> _UnnumberedPassages:
    matches = comparison.matches
    spans, stretches = stretches_of_matches(
        matches.cells, comparison.left.prepared, comparison.right.prepared
    )
    best = np.concatenate([matches.best_of_left, matches.best_of_right])
    has_best = np.zeros(len(spans), np.bool_)
    has_best[stretches[best[best >= 0]]] = True
    listed = np.flatnonzero(has_best[stretches])
    stretches = (np.cumsum(has_best) - 1)[stretches[listed]]
    known_lcs = np.full(int(has_best.sum()), UNKNOWN_LCS, np.int32)
    sizes = np.bincount(stretches, minlength=len(known_lcs))
    is_single = sizes[stretches] == 1
    known_lcs[stretches[is_single]] = matches.cells.lcs[listed[is_single]]
    listed_spans = spans[has_best]
    summaries, covers = np.zeros(len(listed_spans), np.int8), np.zeros(len(listed_spans), np.bool_)
    evidence = np.zeros(len(listed_spans), np.float32)
    return _UnnumberedPassages(listed_spans, known_lcs, summaries, covers, stretches, listed, evidence)


def _detected_and_lone(comparison: Comparison) -> _UnnumberedPassages:
    left, right, matches = comparison.left.prepared, comparison.right.prepared, comparison.matches
    cells, passages = matches.cells, comparison.passages
    rows, columns = left.sentences_in(passages.left_spans), right.sentences_in(passages.right_spans)
    # matched sentences count towards the share, rewritten passages do not: list the sentences separately
    of_left = in_ranges(rows[passages.is_rewritten], left.sentence_count)
    of_right = in_ranges(columns[passages.is_rewritten], right.sentence_count)
    rows[passages.is_rewritten] = columns[passages.is_rewritten] = 0
    inside = _matches_inside(matches, rows, columns)
    is_lone = (
        _without_passage(matches.best_of_left, rows),
        _without_passage(matches.best_of_right, columns),
    )
    lone = np.unique(
        np.concatenate([matches.best_of_left[is_lone[0]], matches.best_of_right[is_lone[1]]])
    ).astype(np.intp)
    # those that do not count either are words that both happen to have
    is_rewritten = of_left[cells.rows[lone]] & of_right[cells.columns[lone]]
    lone = lone[~is_rewritten | counting_matches(cells.select(lone), passages, left, right)]
    with_lone = _matches_of_lone(matches, is_lone, lone, inside[1])
    sentence_spans = left.sentence_spans[cells.rows[lone]], right.sentence_spans[cells.columns[lone]]
    return _UnnumberedPassages(
        np.concatenate([passages.spans, np.concatenate(sentence_spans, axis=1)]),
        np.append(np.full(len(passages), UNKNOWN_LCS, np.int32), cells.lcs[lone]),
        np.append(passages.summaries, np.zeros(len(lone), np.int8)),
        np.append(passages.covers, np.zeros(len(lone), np.bool_)),
        np.append(inside[0], with_lone[0] + len(passages)),
        np.append(inside[1], with_lone[1]),
        np.append(passages.evidence, np.zeros(len(lone), np.float32)),
    )


def _matches_inside(matches: Matches, rows: IndexArray, columns: IndexArray) -> tuple[IndexArray, IndexArray]:
    """Find the matches whose sentences are both in a passage, as pairs of indices (passage, match).

    rows, columns: sentences that each passage overlaps, shape (n, 2), first and one after the last.
    """
    cells = matches.cells
    bounds = np.searchsorted(cells.rows, rows.astype(cells.rows.dtype))
    passages, found = expand_ranges(bounds)
    partners = cells.columns[found]
    is_inside = (partners >= columns[passages, 0]) & (partners < columns[passages, 1])
    return passages[is_inside], found[is_inside]


def _without_passage(best: Int32Array, bounds: IndexArray) -> BoolArray:
    """Mark the sentences that have a match and that no passage overlaps, shape (s,)."""
    return (best >= 0) & ~in_ranges(bounds, len(best))


def _matches_of_lone(
    matches: Matches, is_lone: tuple[BoolArray, BoolArray], lone: IndexArray, inside: IndexArray
) -> tuple[IndexArray, IndexArray]:
    """Assign the matches outside passages to lone sentences, as pairs of indices (place in `lone`, match).

    A match that is not in `lone` itself belongs to its left sentence, or else to its right one.
    """
    cells = matches.cells
    places = np.full(len(matches) + 1, _UNKNOWN, np.intp)
    places[lone] = np.arange(len(lone))
    is_free = np.ones(len(matches), np.bool_)
    is_free[inside] = False
    free = np.flatnonzero(is_free)
    of_left = np.where(is_lone[0], places[matches.best_of_left], _UNKNOWN)[cells.rows[free]]
    of_right = np.where(is_lone[1], places[matches.best_of_right], _UNKNOWN)[cells.columns[free]]
    owners = np.select([places[free] >= 0, of_left >= 0], [places[free], of_left], of_right)
    has_owner = owners >= 0
    return owners[has_owner], free[has_owner]


def _numbered(comparison: Comparison, found: _UnnumberedPassages) -> NumberedPassages:
    left, right = comparison.left.prepared, comparison.right.prepared
    order = np.lexsort(found.spans.T[::-1])
    spans = found.spans[order]
    left_sections, right_sections, summaries = spans[:, :2], spans[:, 2:], found.summaries[order]
    figures = figure_table(left, right).figures(left, right, spans, found.known_lcs[order])
    kinds = figures.kinds
    kinds[summaries > 0] = _SUMMARY
    evidence = found.evidence[order]
    kinds[evidence > 0] = _MEANING
    numbers = np.argsort(order)[found.passages]
    by_passage = np.lexsort((found.matches, numbers))
    counted = CountedText(left, comparison.left_excluded), CountedText(right, comparison.right_excluded)
    return NumberedPassages(
        left_sections,
        right_sections,
        kinds,
        summaries,
        found.covers[order],
        counted[0].counting_units_in(left_sections),
        counted[1].counting_units_in(right_sections),
        figures.common_words,
        figures.p,
        figures.in_order,
        np.searchsorted(numbers[by_passage], np.arange(len(order) + 1)),
        found.matches[by_passage],
        evidence,
    )

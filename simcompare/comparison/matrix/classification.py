"""Classification of matrix cells by thresholds: matches and similarity (Lv et al., 3.2(3) and (4))."""

import numpy as np

from simcompare.comparison.comparison_result import (
    BoolArray,
    Cells,
    ExcludedSentences,
    Int32Array,
    Matches,
    MatchKind,
    NetSimilarity,
    Similarity,
)
from simcompare.model.settings import ComparisonSettings


def similar_cells(cells: Cells, settings: ComparisonSettings) -> Cells:
    """Select the similar cells: P >= similar_weight, and P or else w >= right_weight.

    Without the word stage P must reach right_weight. Nothing is scored again, so that thresholds can change
    while a slider is dragged.
    """
    by_units = cells.p >= settings.right_weight
    if not settings.word_stage:
        return cells.select(np.flatnonzero(by_units))
    by_words = (cells.p >= settings.similar_weight) & (cells.w >= settings.right_weight)
    return cells.select(np.flatnonzero(by_units | by_words))


def without_excluded(similar: Cells, left: ExcludedSentences, right: ExcludedSentences) -> Cells:
    """Select the cells whose two sentences both count."""
    return similar.select(np.flatnonzero(left.kept[similar.rows] & right.kept[similar.columns]))


def make_matches(similar: Cells, shape: tuple[int, int], settings: ComparisonSettings) -> Matches:
    """Classify similar cells by kind, and find the best match of each sentence."""
    by_units = similar.p >= settings.right_weight
    kinds = np.where(by_units, MatchKind.EDITED, MatchKind.SYNONYM).astype(np.int8)
    kinds[similar.p == 1.0] = MatchKind.EXACT
    return Matches(
        similar,
        kinds,
        _best(similar, similar.rows, shape[0]),
        _best(similar, similar.columns, shape[1]),
    )


def _best(cells: Cells, sentences: Int32Array, count: int) -> Int32Array:
    """Find for each sentence the index of its strongest match: highest P, then w, then the first."""
    best = np.full(count, -1, dtype=np.int32)
    left = np.arange(len(cells))
    for scores in (cells.p, cells.w):
        # no sorting: with millions of cells it takes seconds
        highest = np.zeros(count)
        np.maximum.at(highest, sentences[left], scores[left])
        left = left[scores[left] == highest[sentences[left]]]
    best[sentences[left[::-1]]] = left[::-1]
    return best


def similarity(similar: Cells, left: ExcludedSentences, right: ExcludedSentences) -> Similarity:
    """Compute the share of units in similar sentences in both directions (formula 4), without exclusions."""
    return Similarity(
        _share(similar.rows, left.lengths, np.ones_like(left.kept)) or 0.0,
        _share(similar.columns, right.lengths, np.ones_like(right.kept)) or 0.0,
    )


def net_similarity(kept: Cells, left: ExcludedSentences, right: ExcludedSentences) -> NetSimilarity:
    """Compute formula 4 over the sentences that count; `kept` holds the similar cells between them."""
    return NetSimilarity(
        _share(kept.rows, left.lengths, left.kept), _share(kept.columns, right.lengths, right.kept)
    )


def _share(similar: Int32Array, lengths: Int32Array, counted: BoolArray) -> float | None:
    """Return units of the similar sentences / units of all counted sentences, or None if none is counted."""
    units = int(lengths[counted].sum())
    if not units:
        return None
    is_similar = np.zeros(len(lengths), np.bool_)
    is_similar[similar] = True
    return int(lengths[is_similar].sum()) / units

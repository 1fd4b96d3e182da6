"""Classification of matrix cells by thresholds into matches (Lv et al., 3.2(3))."""

import numpy as np

from simcompare.comparison.comparison_result import (
    Cells,
    ExcludedSentences,
    Int32Array,
    Matches,
    MatchKind,
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
    """Select the cells that count by `pair_counts`."""
    left_kept, right_kept = left.kept[similar.rows], right.kept[similar.columns]
    counts = left_kept & (right_kept | right.quoted[similar.columns])
    counts |= right_kept & left.quoted[similar.rows]
    return similar.select(np.flatnonzero(counts))


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

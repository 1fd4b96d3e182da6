"""What the two thresholds make of the matrix: matches and similarity (Lv et al., 3.2(3) and (4))."""

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.values import Cells, Matches, MatchKind, Similarity
from simcompare.settings import ComparisonSettings
from simcompare.text.prepared import PreparedText

Int32Array = NDArray[np.int32]


def find_matches(cells: Cells, shape: tuple[int, int], settings: ComparisonSettings) -> Matches:
    """Judge the cells: Q = P >= similar_weight, and of those P or else w must reach right_weight.

    Nothing is scored again, so thresholds can move while a person drags them.
    """
    by_units = cells.p >= settings.right_weight
    by_words = (cells.p >= settings.similar_weight) & (cells.w >= settings.right_weight)
    chosen = np.flatnonzero(by_units | by_words)
    taken = cells.taken(chosen)
    kinds = np.where(by_units[chosen], MatchKind.EDITED, MatchKind.SYNONYM).astype(np.int8)
    kinds[taken.p == 1.0] = MatchKind.EXACT
    return Matches(
        taken,
        kinds,
        _best(taken, taken.rows, shape[0]),
        _best(taken, taken.columns, shape[1]),
    )


def _best(cells: Cells, sentences: Int32Array, count: int) -> Int32Array:
    """Return for each sentence the index of its strongest match: highest P, then w, then the first."""
    best = np.full(count, -1, dtype=np.int32)
    weakest_first = np.lexsort((-np.arange(len(cells)), cells.w, cells.p))
    best[sentences[weakest_first]] = weakest_first
    return best


def similarity(matches: Matches, left: PreparedText, right: PreparedText) -> Similarity:
    """Return the units in similar sentences over all units, both ways (formula 4)."""
    return Similarity(
        _share(matches.cells.rows, left),
        _share(matches.cells.columns, right),
    )


def _share(sentences: Int32Array, text: PreparedText) -> float:
    covered = int(text.sentence_lengths[np.unique(sentences)].sum())
    return covered / text.unit_count if text.unit_count else 0.0

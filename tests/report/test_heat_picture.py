"""Pooling of large comparison matrices for the picture."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from simcompare.report.heat_picture import _EXCLUDED, HEAT_LEVELS, _pooled, heat_levels
from tests.report.essays import QUOTING, comparison_of


def test_that_cells_of_excluded_sentences_are_grey_and_others_have_their_heat(tmp_path):
    comparison = comparison_of(tmp_path, QUOTING, QUOTING)
    kept = comparison.left_excluded.kept
    assert 0 < kept.sum() < len(kept)
    levels = heat_levels(comparison)
    equal = np.diag(levels)
    assert (equal[kept] < _EXCLUDED).all()
    assert (equal[~kept] == _EXCLUDED + HEAT_LEVELS - 1).all()


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 50), st.integers(0, 2**32 - 1))
def test_that_pooled_cells_keep_the_maximum_of_what_counts(rows, columns, step, seed):
    random = np.random.default_rng(seed)
    heat = random.integers(0, 256, (rows, columns), dtype=np.uint8)
    kept = random.random(rows) < 0.8, random.random(columns) < 0.8
    counted = np.where(np.logical_and.outer(*kept), heat, 0)
    by_definition = [
        [counted[row : row + step, column : column + step].max() for column in range(0, columns, step)]
        for row in range(0, rows, step)
    ]
    assert _pooled(heat, step, *kept).tolist() == np.array(by_definition).tolist()

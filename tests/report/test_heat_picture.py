"""Pooling of large comparison matrices for the picture."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from simcompare.report.heat_picture import _pooled


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 50), st.integers(0, 2**32 - 1))
def test_that_pooled_cells_keep_the_maximum(rows, columns, step, seed):
    heat = np.random.default_rng(seed).integers(0, 256, (rows, columns), dtype=np.uint8)
    by_definition = [
        [heat[row : row + step, column : column + step].max() for column in range(0, columns, step)]
        for row in range(0, rows, step)
    ]
    assert _pooled(heat, step).tolist() == np.array(by_definition).tolist()

"""The heatmap's pyramid, against a plain reference implementation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.ui.compare.heatmap.heatmap_picture import HeatPyramid


def hottest_of(cells, side):
    rows, columns = (-(-length // side) for length in cells.shape)
    return np.array(
        [
            [cells[r * side : (r + 1) * side, c * side : (c + 1) * side].max() for c in range(columns)]
            for r in range(rows)
        ]
    )


def filled(cells, blocks=1):
    pyramid = HeatPyramid(*cells.shape)
    for first in range(0, len(cells), blocks):
        pyramid.put(first, cells[first : first + blocks])
    return pyramid


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 9), st.randoms(use_true_random=False))
def test_that_every_level_holds_the_maximum_of_its_cells_in_any_order_of_blocks(rows, columns, block, order):
    cells = np.random.default_rng(order.randrange(2**32)).integers(0, 256, (rows, columns), dtype=np.uint8)
    pyramid = HeatPyramid(rows, columns)
    starts = list(range(0, rows, block))
    order.shuffle(starts)
    for first in starts:
        pyramid.put(first, cells[first : first + block])
    for exponent in range(6):
        level, side = pyramid.level_for(2**exponent)
        expected = hottest_of(cells, side)
        np.testing.assert_array_equal(level[: len(expected), : expected.shape[1]], expected)


@pytest.mark.parametrize("cells_per_pixel", [0.1, 1, 2, 7.9, 100, 10_000])
def test_that_an_isolated_hot_cell_is_kept_at_every_level(cells_per_pixel):
    cells = np.zeros((777, 1031), dtype=np.uint8)
    cells[776, 1030] = 255
    level, _side = filled(cells, 50).level_for(cells_per_pixel)
    assert level.max() == 255


def test_that_a_level_is_never_coarser_than_a_pixel():
    pyramid = HeatPyramid(1000, 1000)
    assert [pyramid.level_for(cells)[1] for cells in (0.2, 1, 1.9, 2, 3.9, 4, 33)] == [1, 1, 1, 2, 2, 4, 32]


def test_that_a_block_stored_again_replaces_the_old_one():
    pyramid = filled(np.full((8, 8), 200, dtype=np.uint8))
    pyramid.put(0, np.full((8, 8), 10, dtype=np.uint8))
    assert pyramid.level_for(8)[0].max() == 10
    assert pyramid.level_for(1)[0][7, 7] == 10


def test_that_missing_rows_are_returned_as_runs():
    pyramid = HeatPyramid(10, 3)
    assert pyramid.missing_rows() == [range(0, 10)]
    pyramid.put(2, np.ones((3, 3), dtype=np.uint8))
    assert pyramid.missing_rows() == [range(0, 2), range(5, 10)]
    pyramid.put(0, np.ones((10, 3), dtype=np.uint8))
    assert pyramid.missing_rows() == []

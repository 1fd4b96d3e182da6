"""Pixel positions of heatmap cells at any map size."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from simcompare.ui.compare.heatmap.heatmap_geometry import Axis, fitted_geometry


@given(
    st.integers(1, 900), st.integers(1, 900), st.floats(1, 40), st.floats(0, 1), st.sampled_from([1, 1.5, 2])
)
def test_that_every_visible_cell_is_shown_by_a_pixel(count, available_px, zoom, place, ratio):
    geometry = fitted_geometry(count, count, available_px, available_px, ratio).zoomed(zoom, 0, 0)
    axis = geometry.rows.starting_at(place * count)
    for side in (1, 4):
        first, last = axis.pixel_cells(side)
        assert first[0] == axis.visible.start // side
        assert last[-1] == (axis.visible.stop - 1) // side
        assert (first[1:] <= last[:-1] + 1).all()


@given(st.integers(1, 3000), st.integers(1, 3000), st.integers(100, 900), st.integers(100, 900))
def test_that_cells_are_stretched_within_limits_unless_the_map_would_be_a_line(rows, columns, width, height):
    geometry = fitted_geometry(rows, columns, width, height, 1)
    down, across = geometry.rows, geometry.columns
    within_limits = 1 / 8.01 < down.cell_px / across.cell_px < 8.01
    assert within_limits or min(down.used_px, across.used_px) <= 96
    assert down.cell_px <= 40
    assert down.used_px <= height
    assert across.used_px <= width


@given(st.integers(1, 200), st.integers(20, 400))
def test_that_a_pixel_maps_back_to_the_sentence_it_shows(count, available_px):
    axis = fitted_geometry(count, count, available_px, available_px, 1).rows
    assert isinstance(axis, Axis)
    _first, last = axis.pixel_cells(1)
    assert [axis.index_at(pixel) for pixel in range(axis.used_px)] == last.tolist()


@pytest.mark.parametrize(
    ("cell_px", "first", "expected"),
    [
        (28, 0, [0, 1, 2, 3, 4, 5]),
        (10, 0, [0, 4, 9, 14]),
        (5, 0, [0, 9, 19, 29]),
        (0.5, 0, [0, 99, 199, 299]),
        (10, 6.5, [9, 14, 19]),
    ],
)
def test_that_ticks_are_at_the_first_and_at_round_numbers(cell_px, first, expected):
    axis = Axis(400, 168, cell_px, 0, 1, first)
    assert list(axis.ticks(24))[: len(expected)] == expected


@pytest.mark.parametrize(
    ("index", "first"),
    [
        (100, 100),  # visible: the map does not move
        (109, 100),
        (99, 99),  # near: the smallest move that shows all of it
        (98, 98),
        (110, 101),
        (111, 102),
        (97, 92.5),  # far: moved to the middle
        (112, 107.5),
        (0, 0),  # limited by the end of the map
        (399, 390),
    ],
)
def test_that_revealing_moves_a_near_sentence_to_the_edge_and_a_far_one_to_the_middle(index, first):
    axis = Axis(400, 100, 10, 0, 1, first=100)
    assert axis.revealing(index).first == first


@given(st.integers(1, 900), st.integers(30, 900), st.floats(1, 40), st.floats(0, 1), st.integers(0, 899))
@example(count=1, available_px=30, zoom=2.0, place=0.0, index=0)
def test_that_a_revealed_cell_is_completely_visible(count, available_px, zoom, place, index):
    index = min(index, count - 1)
    geometry = fitted_geometry(count, count, available_px, available_px, 1).zoomed(zoom, 0, 0)
    moved = geometry.panned(-place * geometry.rows.cell_px * count, 0).revealing(index, count - 1 - index)
    for axis, sentence in ((moved.rows, index), (moved.columns, count - 1 - index)):
        visible_cells = axis.used_px / axis.cell_px
        assert axis.first - 1e-6 <= sentence
        assert sentence + 1 <= axis.first + max(visible_cells, 1) + 1e-6

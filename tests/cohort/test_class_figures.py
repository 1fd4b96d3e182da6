"""Figures behind the pictures of a class, and the layout of its graph."""

import time
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.cohort.class_figures import (
    BIN_COUNT,
    MOST_EDGES,
    ClassFigures,
    are_crossing,
    lay_out_graph,
    ranks_by_name,
)

NAN = float("nan")
Pairs = dict[tuple[int, int], tuple[float, float]]


def figures_of(count: int, pairs: Pairs) -> ClassFigures:
    left, right = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    shares = np.array(list(pairs.values()), np.float64).reshape(-1, 2)
    return ClassFigures(count, left, right, shares[:, 0], shares[:, 1])


def random_class(count: int, seed: int) -> ClassFigures:
    """A class in which most pairs share little and some much."""
    generator = np.random.default_rng(seed)
    left, right = np.triu_indices(count, 1)
    shares = generator.beta(1, 40, len(left))
    smaller = shares * generator.uniform(0.5, 1, len(left))
    return ClassFigures(count, left.astype(np.int64), right.astype(np.int64), shares, smaller)


def test_that_a_pair_is_counted_once_by_its_larger_share() -> None:
    figures = figures_of(
        4, {(0, 1): (0.05, 0.57), (0, 2): (1.0, 1.0), (1, 2): (NAN, NAN), (0, 3): (0.58, 0.01)}
    )
    expected = np.zeros(BIN_COUNT, int)
    expected[[28, 29, 49]] = 1  # 56 to 58%, 58 to 60%, and the last one with 100%
    assert figures.histogram.tolist() == expected.tolist()
    assert figures.known_count == 3
    assert figures.count_from(0.57) == 3
    assert figures.links_from(0.58).tolist() == [1, 3]


def test_that_pairs_count_as_they_are_written() -> None:
    """11.7% is written as 12%, 0.0796 as 8% and 0.285, in binary 28.499..., as 29%."""
    figures = figures_of(
        4, {(0, 1): (0.117, 0.01), (0, 2): (0.01, 0.1149), (1, 2): (0.0796, 0), (0, 3): (0.285, 0.01)}
    )
    assert np.flatnonzero(figures.histogram).tolist() == [4, 5, 6, 14]
    assert figures.count_from(0.12) == figures.histogram[6:].sum() == 2
    assert figures.links_from(0.12).tolist() == [3, 0]
    assert figures.count_from(0.29) == 1
    assert [group.members for group in figures.groups(0.12)] == [(0, 1, 3)]
    assert lay_out_graph(figures, 0.12).edges.tolist() == [3, 0]


@given(st.integers(0, 1000))
def test_that_every_pair_is_in_one_bin_and_on_one_side_of_a_limit(seed: int) -> None:
    figures = random_class(20, seed)
    assert figures.histogram.sum() == figures.known_count
    for number in range(BIN_COUNT):
        assert figures.histogram[number:].sum() == figures.count_from(number / BIN_COUNT)


def test_that_rewritten_pairs_are_drawn_last_but_are_in_no_group() -> None:
    figures = replace(
        figures_of(5, {(0, 1): (0.3, 0.2), (1, 2): (0.01, 0), (3, 4): (0, 0), (0, 2): (0, 0)}),
        rewritten=np.array([True, True, True, False]),
    )
    assert [group.members for group in figures.groups(0.12)] == [(0, 1)]
    layout = lay_out_graph(figures, 0.12)
    assert (layout.edges.tolist(), layout.rewritten_start) == ([0, 1, 2], 1)
    assert sorted(layout.nodes.tolist()) == [0, 1, 2, 3, 4]
    assert layout.unlinked_count == 0


def test_that_the_matrix_has_the_share_of_the_row_in_the_column() -> None:
    matrix = figures_of(3, {(0, 2): (0.25, 0.75)}).matrix
    assert matrix[0, 2] == 0.25
    assert matrix[2, 0] == 0.75
    assert np.isnan(matrix[[0, 0, 1], [0, 1, 2]]).all()


def test_that_the_nearest_document_is_that_which_has_most_of_this_one() -> None:
    highest, nearest = figures_of(4, {(0, 1): (0.1, 0.2), (1, 2): (0.9, NAN), (0, 2): (NAN, NAN)}).nearest
    assert nearest.tolist() == [1, 2, -1, -1]
    assert highest[:2] == pytest.approx([0.1, 0.9]), "not the share of the other text"
    assert np.isnan(highest[2:]).all()


def test_that_of_equal_shares_the_rarest_text_decides_who_is_nearest_then_the_name() -> None:
    figures = figures_of(4, {(0, 1): (0.5, 0.1), (0, 2): (0.4998, 0.5), (0, 3): (0.5, 0.2)})

    def nearest(scores: list[float], names: list[str]) -> int:
        ranks = ranks_by_name(names)
        return int(replace(figures, rank_scores=np.array(scores), name_ranks=ranks).nearest[1][0])

    assert nearest([0.1, 0.3, 0.2], ["", "Ann", "Bob", "Cid"]) == 2
    assert nearest([0.1, NAN, 0.1], ["", "Dan", "Ann", "Cid"]) == 3
    assert nearest([NAN, NAN, NAN], ["", "dan", "Eve", "Cid"]) == 3
    assert figures.nearest[0][0] == 0.5


@given(st.integers(2, 30), st.integers(0, 1000), st.sampled_from([0.02, 0.05, 0.1]))
def test_that_the_members_of_a_group_are_side_by_side(count: int, seed: int, least: float) -> None:
    figures = random_class(count, seed)
    order = figures.order(least)
    assert sorted(order.tolist()) == list(range(count))
    start = 0
    for group in figures.groups(least):
        assert set(order[start : start + len(group.members)].tolist()) == set(group.members)
        start += len(group.members)


def test_that_similar_documents_of_a_group_are_neighbours() -> None:
    chain = figures_of(5, {(0, 3): (0.9, 0.9), (3, 1): (0.8, 0.8), (1, 4): (0.7, 0.7), (4, 2): (0.6, 0.6)})
    assert chain.order(0.5).tolist() in ([0, 3, 1, 4, 2], [2, 4, 1, 3, 0])


def test_that_figures_of_no_documents_are_empty() -> None:
    figures = figures_of(0, {})
    assert len(figures.order(0.1)) == figures.histogram.sum() == len(figures.nearest[0]) == 0
    assert len(lay_out_graph(figures, 0.1).nodes) == 0


@given(st.integers(2, 40), st.integers(0, 1000), st.sampled_from([0.05, 0.08, 0.12]))
def test_that_no_two_nodes_overlap_and_all_lie_within_the_picture(
    count: int, seed: int, least: float
) -> None:
    layout = lay_out_graph(random_class(count, seed), least)
    assert (layout.positions >= 0.49).all()
    assert (layout.positions <= np.array([layout.width, layout.height]) - 0.49).all()
    for first, second in combinations(layout.positions, 2):
        assert np.abs(first - second).max() > 0.95


def test_that_only_linked_documents_are_drawn_and_the_others_counted() -> None:
    figures = figures_of(6, {(0, 1): (0.2, 0.1), (2, 3): (0.05, 0.5), (4, 5): (0.1, 0.1)})
    layout = lay_out_graph(figures, 0.2)
    assert layout.nodes.tolist() == [2, 3, 0, 1]
    assert layout.edges.tolist() == [1, 0]
    assert layout.unlinked_count == 2


def test_that_linked_documents_are_nearer_than_others() -> None:
    star = figures_of(6, {(0, other): (0.5, 0.5) for other in range(1, 6)})
    layout = lay_out_graph(star, 0.5)
    distances = np.hypot(*(layout.positions[:, None] - layout.positions).transpose(2, 0, 1))
    assert distances[0, 1:].max() < distances[1:, 1:].max()


def test_that_only_the_strongest_of_many_edges_are_drawn() -> None:
    figures = random_class(80, 1)
    layout = lay_out_graph(figures, 0.0)
    assert len(layout.edges) == MOST_EDGES
    assert layout.hidden_edges == len(figures.left) - MOST_EDGES


def test_that_the_layout_is_the_same_each_time() -> None:
    first, second = (lay_out_graph(random_class(50, 3), 0.06) for _time in range(2))
    assert np.array_equal(first.positions, second.positions)


def test_that_300_essays_are_laid_out_in_a_moment() -> None:
    figures = random_class(300, 1)
    taken = []
    for _time in range(3):
        start = time.process_time()
        lay_out_graph(figures, 0.12)
        taken.append(time.process_time() - start)
    assert min(taken) < 0.2  # 0.04 s on an idle machine


K_4 = list(combinations(range(4), 2))
TWO_TRIANGLES = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]
RING_WITH_CHORD = [(0, 2), (2, 1), (1, 4), (4, 3), (3, 0), (0, 1)]


@pytest.mark.parametrize("links", [K_4, TWO_TRIANGLES, RING_WITH_CHORD])
def test_that_links_of_a_small_group_do_not_cross_without_need(links: list[tuple[int, int]]) -> None:
    figures = figures_of(5, {(min(link), max(link)): (0.5, 0.5) for link in links})
    layout = lay_out_graph(figures, 0.12)
    place = dict(zip(layout.nodes.tolist(), layout.positions, strict=True))
    lines = np.array([(*place[first], *place[second]) for first, second in links])
    assert not are_crossing(lines, lines).any()


def test_that_a_node_is_named_on_the_side_away_from_its_links() -> None:
    layout = lay_out_graph(figures_of(4, dict.fromkeys(K_4, (0.5, 0.5))), 0.12)
    assert layout.are_above[layout.positions[:, 1].argmin()]
    assert not layout.are_above[layout.positions[:, 1].argmax()]

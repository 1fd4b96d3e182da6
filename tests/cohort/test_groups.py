"""Groups of documents that share much text."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from simcompare.cohort.cohort_scoring import NO_GROUP, Group, find_groups, groups_of_pairs, linking_shares
from simcompare.support.display_text import reaches

Edges = list[tuple[int, int, float]]


def group_members(edges: Edges, least: float = 0.5) -> list[tuple[int, ...]]:
    left, right = (np.array([edge[side] for edge in edges], np.int64) for side in (0, 1))
    shares = np.array([edge[2] for edge in edges], np.float64)
    groups = find_groups(left, right, shares, least)
    assert [group.number for group in groups] == list(range(1, len(groups) + 1))
    return [group.members for group in groups]


def test_that_documents_linked_through_a_third_form_one_group() -> None:
    assert group_members([(1, 2, 0.9), (2, 5, 0.6), (1, 5, 0.2), (3, 4, 0.4)]) == [(1, 2, 5)]


def test_that_groups_are_ordered_by_size_and_then_by_share() -> None:
    edges = [(1, 9, 0.5), (2, 3, 0.8), (3, 4, 0.7), (5, 6, 1.0), (7, 8, 0.5)]
    assert group_members(edges) == [(2, 3, 4), (5, 6), (1, 9), (7, 8)]


def test_that_a_share_written_as_the_limit_connects_and_an_unknown_one_does_not() -> None:
    assert group_members([(1, 2, 0.495), (3, 4, 0.4949), (5, 6, float("nan"))]) == [(1, 2)]


def test_that_a_pair_is_in_the_group_that_it_links() -> None:
    left, right = np.array([1, 2, 1, 3, 1]), np.array([2, 5, 5, 4, 3])
    shares = np.array([0.9, 0.6, 0.2, 0.5, np.nan])
    groups = find_groups(left, right, shares, 0.5)
    assert [group.members for group in groups] == [(1, 2, 5), (3, 4)]
    assert groups_of_pairs(groups, left, right, shares, 0.5).tolist() == [1, 1, NO_GROUP, 2, NO_GROUP]
    others = find_groups(left, right, shares, 0.9)
    assert groups_of_pairs(others, left, right, shares, 0.5).tolist() == [
        1,
        NO_GROUP,
        NO_GROUP,
        NO_GROUP,
        NO_GROUP,
    ]
    assert groups_of_pairs([], left[:0], right[:0], shares[:0], 0.5).tolist() == []


def test_that_an_essay_of_which_nothing_counts_is_in_no_group() -> None:
    shares = linking_shares(np.array([0.0, 0.01, np.nan]), np.array([0.4, 0.4, 0.4]))
    assert shares.tolist() == [0.0, 0.4, 0.4]


def test_that_no_pairs_give_no_groups() -> None:
    assert group_members([]) == []
    assert find_groups(*[np.zeros(0, np.int64)] * 2, np.zeros(0), 0.5) == []


def test_that_a_long_chain_is_one_group() -> None:
    assert find_groups(np.arange(999), np.arange(1, 1000), np.ones(999), 0.5) == [
        Group(1, tuple(range(1000)))
    ]


@given(
    st.lists(
        st.tuples(st.integers(1, 6), st.integers(7, 12), st.floats(0, 1)),
        unique_by=lambda edge: edge[2],
    ),
    st.permutations(range(13)),
)
def test_that_group_numbers_do_not_depend_on_the_document_order(edges: Edges, moved: list[int]) -> None:
    listed = group_members([(moved[left], moved[right], share) for left, right, share in edges])
    assert listed == [tuple(sorted(moved[key] for key in members)) for members in group_members(edges)]


def groups_by_merging(edges: Edges) -> set[frozenset[int]]:
    """Return the groups as sets, merging one edge after the other."""
    groups: list[set[int]] = []
    for left, right, share in edges:
        if reaches(share, 0.5):
            touched = [group for group in groups if group & {left, right}]
            groups = [group for group in groups if group not in touched]
            groups.append(set().union({left, right}, *touched))
    return {frozenset(group) for group in groups}


@example([(1, 13, 0.496)])
@given(st.lists(st.tuples(st.integers(1, 12), st.integers(13, 24), st.floats(0, 1))))
def test_that_groups_equal_those_of_merging_edge_by_edge(edges: Edges) -> None:
    assert {frozenset(group) for group in group_members(edges)} == groups_by_merging(edges)

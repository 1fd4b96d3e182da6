"""Longest chain of matches that is in the same order in both texts."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.comparison.passages.passage_detection import _longest_increasing, longest_match_chain
from tests.helpers.documents import compare_texts


def test_that_a_moved_sentence_is_left_out_of_the_chain():
    left = ["河水流过石桥。", "老人坐在桥头。", "孩子放起风筝。", "月亮慢慢升起。"]
    moved = [left[3], *left[:3]]
    matches = compare_texts(left, moved).matches
    chain = [(matches[i].left, matches[i].right) for i in longest_match_chain(matches)]
    assert chain == [(0, 1), (1, 2), (2, 3)]


def test_that_texts_without_a_match_have_no_chain():
    assert len(longest_match_chain(compare_texts("天地人和。", "Good day.").matches)) == 0


@given(st.lists(st.integers(0, 9), max_size=9))
def test_that_no_increasing_subsequence_is_longer(values):
    chain = _longest_increasing(values)
    picked = [values[place] for place in chain]
    assert chain == sorted(chain)
    assert all(a < b for a, b in pairwise(picked))
    longest = max(
        (n for n in range(len(values) + 1) if any(_onward(part) for part in combinations(values, n))),
        default=0,
    )
    assert len(chain) == longest


def _onward(values):
    return all(a < b for a, b in pairwise(values))


@pytest.mark.parametrize("values", [[], [3], [5, 4, 3], [1, 1, 1]])
def test_that_short_and_descending_sequences_are_accepted(values):
    assert len(_longest_increasing(values)) == min(1, len(values))

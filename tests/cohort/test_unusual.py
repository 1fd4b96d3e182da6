"""What is unusual in a class: the limit, false alarms to expect, and the rarity of a pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.cohort.pair_scores import LEAST_LIMIT, ClassShares
from simcompare.support.display_text import reaches

PAIRS_OF_40 = 780


def class_of(*shares: float, usual: float = 0.0) -> ClassShares:
    """A class of 40 essays with these shares; the other pairs have about the usual one."""
    chance = np.random.default_rng(1)
    others = usual * chance.gamma(4, 0.25, PAIRS_OF_40 - len(shares))
    return ClassShares(np.append(others, shares))


def unusual_count(shares: ClassShares) -> int:
    return int(reaches(shares.shares, shares.limit).sum())


def test_that_nothing_is_unusual_in_a_clean_class() -> None:
    clean = class_of(0.03, 0.04)
    assert unusual_count(clean) == 0
    assert clean.limit == LEAST_LIMIT
    assert clean.chance_pairs < 0.05


def test_that_a_copied_part_is_unusual_and_many_times_the_usual_share() -> None:
    found = ClassShares(np.append(np.full(PAIRS_OF_40, 0.01), 0.15)).rarity(0.15)
    assert found.is_unusual
    assert found.times_usual == pytest.approx(15)
    assert class_of(0.15).rarity(0.15).times_usual is None


def test_that_a_share_written_as_the_limit_is_unusual() -> None:
    found = class_of(0.117, 0.1149)
    assert found.limit == LEAST_LIMIT
    assert unusual_count(found) == 1
    assert [found.rarity(share).is_unusual for share in (0.117, 0.1149)] == [True, False]


def test_that_the_limit_rises_where_all_essays_are_similar() -> None:
    similar = class_of(0.12, 0.7, usual=0.06)
    assert 0.2 < similar.limit < 0.6
    assert not similar.rarity(0.12).is_unusual
    assert similar.rarity(0.12).times_usual < 3
    assert similar.rarity(0.7).is_unusual


def test_that_a_group_of_copies_does_not_make_copies_usual() -> None:
    """Nineteen of forty share one essay: 171 of 780 pairs."""
    copies = class_of(*[0.9] * 171)
    assert copies.limit == LEAST_LIMIT
    assert unusual_count(copies) == 171


def test_that_a_few_essays_have_the_least_limit() -> None:
    assert ClassShares(np.array([0.3, 0.0, 0.0])).limit == LEAST_LIMIT
    nothing = ClassShares(np.zeros(0))
    assert (nothing.limit, unusual_count(nothing), nothing.rarity(0.5).chance_pairs) == (LEAST_LIMIT, 0, 0)


@pytest.mark.parametrize(("pairs", "limit"), [(44, LEAST_LIMIT), (45, 0.68), (66, 0.73)])
def test_the_limit_of_a_class_whose_shares_are_spread_evenly(pairs: int, limit: float) -> None:
    assert ClassShares(np.linspace(0.02, 0.3, pairs)).limit == limit


@given(st.lists(st.floats(0, 1), max_size=60), st.floats(0, 1), st.floats(0, 1))
def test_that_a_higher_share_is_expected_of_fewer_pairs(
    shares: list[float], one: float, other: float
) -> None:
    drawn = ClassShares(np.array(shares))
    low, high = (drawn.rarity(share) for share in sorted((one, other)))
    assert low.chance_pairs >= high.chance_pairs
    assert low.is_unusual <= high.is_unusual
    assert 0 <= drawn.chance_pairs <= len(shares)
    assert LEAST_LIMIT <= drawn.limit < 1

"""Percentages: one rule of rounding for people, which never says nothing or everything unless it is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simcompare.support.display_text import least_share, percent, percentage, reaches


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0, "0%"),
        (0.0002, "<0.1%"),
        (0.0006, "0.1%"),
        (0.0496, "5%"),
        (0.0944, "9.4%"),
        (0.0996, "10%"),
        (0.285, "29%"),  # 28.499999999999996 in binary
        (0.494, "49%"),
        (0.496, "50%"),
        (0.994, "99%"),
        (0.9999, ">99%"),
        (1, "100%"),
    ],
)
def test_that_shares_are_whole_percentages_with_a_decimal_below_ten(share, shown):
    assert percent(share) == shown


@pytest.mark.parametrize("percentage", [0.1, 0.7, 2.5, 5, 9, 10, 11, 35, 55, 57, 99, 100])
def test_that_a_limit_is_reached_by_the_shares_that_are_shown_so(percentage):
    limit = least_share(percentage)
    assert percent(limit + 1e-9 * (limit < 1)) == f"{percentage:g}%"
    assert percent(limit - 1e-9) != f"{percentage:g}%"


@pytest.mark.parametrize("percentage_above", [12.6, 62.1, 99.5])
def test_that_a_limit_with_decimals_is_that_of_tables(percentage_above):
    limit = least_share(percentage_above)
    assert percentage(limit) == percentage(limit + 1e-9) == percentage_above
    assert percentage(limit - 1e-9) < percentage_above


def test_that_every_share_reaches_a_limit_of_nothing():
    assert least_share(0) == 0


@given(st.integers(1, 30_000), st.floats(0, 1), st.integers(1, 100))
def test_that_a_limit_is_reached_if_the_written_share_is_as_high(units: int, part: float, limit: int) -> None:
    share = round(part * units) / units
    written = float(percent(share).removesuffix("%").strip("<>"))
    assert reaches(share, limit / 100) == (written >= limit)


def test_that_of_an_array_an_unknown_share_reaches_no_limit() -> None:
    assert reaches(np.array([0.117, 0.1149, np.nan]), 0.12).tolist() == [True, False, False]

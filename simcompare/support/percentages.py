"""Shares as percentages: one rule of rounding for all that people read, in the window and in files."""

import math
from typing import TYPE_CHECKING, overload

from simcompare.support.i18n import _

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DECIMALS = 9


def percent(share: float) -> str:
    """Write a share for people: "62 %"; below 10 % with one decimal, "9.4 %".

    A share above 0 is never written as 0 % but as "<0.1 %", one below 1 never as 100 % but as ">99 %".
    """
    tenths = _rounded(share * 1000)
    number = f"{tenths / 10 if tenths < 100 else _rounded(share * 100):g}"
    if tenths == 0 and share > 0:
        number = "<0.1"
    if number == "100" and share < 1:
        number = ">99"
    return with_sign(number)


def with_sign(number: object) -> str:
    """Write a percent sign behind a number, on the same line."""
    return _("{number} %").format(number=number).replace(" ", "\N{NO-BREAK SPACE}")


def least_share(percentage: float) -> float:
    """Return the least share that `percent` writes as this percentage or more: 0.495 for 50.

    A percentage with decimals is compared with one decimal, as tables have: 0.6205 for 62.1.
    """
    # without the rounding, 100 * 0.55 would count as more than 55
    percentage = round(percentage, _DECIMALS)
    if percentage >= 100:
        return 1.0
    steps_per_percent = 1 if percentage > 10 and percentage == int(percentage) else 10
    steps = math.ceil(round(percentage * steps_per_percent, _DECIMALS))
    return max(steps - 0.5, 0.0) / (100 * steps_per_percent)


@overload
def reaches(share: float, limit: float) -> bool: ...
@overload
def reaches(share: "NDArray[np.float64]", limit: float) -> "NDArray[np.bool_]": ...
def reaches(share: "float | NDArray[np.float64]", limit: float) -> "bool | NDArray[np.bool_]":
    """Return whether a share is written as the percentage of a limit or more: 0.115, 12 %, reaches 0.12.

    share: one or an array; an unknown one, NaN, reaches no limit.
    """
    return share >= least_share(100 * limit)


def percentage(share: float) -> float:
    """Return a share in percent for tables, 62.1 for 62.1 %; only exact 0 and 1 give 0 and 100."""
    number = round(share * 100, 1)
    return min(max(number, 0.1), 99.9) if 0 < share < 1 else number


def _rounded(number: float) -> int:
    """Round half up; 28.499999999999996, 100 * 0.285, counts as 28.5."""
    return math.floor(round(number, _DECIMALS) + 0.5)

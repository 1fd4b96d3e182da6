"""Shares as percentages: one rule of rounding for all that people read, in the window and in files."""

import math

from simcompare.support.i18n import _


def percent(share: float) -> str:
    """Write a share for people: "62 %"; below 10 % with one decimal, "9.4 %".

    A share above 0 is never written as 0 % but as "<0.1 %", one below 1 never as 100 % but as ">99 %".
    """
    tenths = math.floor(share * 1000 + 0.5)
    number = f"{tenths / 10 if tenths < 100 else math.floor(share * 100 + 0.5):g}"
    if tenths == 0 and share > 0:
        number = "<0.1"
    if number == "100" and share < 1:
        number = ">99"
    return _("{number} %").format(number=number)


def least_share(percentage: float) -> float:
    """Return the least share that `percent` writes as this percentage or more: 0.495 for 50.

    A percentage with decimals is compared with one decimal, as tables have: 0.6205 for 62.1.
    """
    if percentage >= 100:
        return 1.0
    step = 1 if percentage > 10 and percentage == int(percentage) else 0.1
    # without the rounding, 100 * 0.55 would count as more than 55
    steps = math.ceil(round(percentage / step, 6))
    return max(steps - 0.5, 0.0) * step / 100


def percentage(share: float) -> float:
    """Return a share in percent for tables, 62.1 for 62.1 %; only exact 0 and 1 give 0 and 100."""
    number = round(share * 100, 1)
    return min(max(number, 0.1), 99.9) if 0 < share < 1 else number

"""The matches that run through both texts in the same order: what two texts are laid alongside by."""

from bisect import bisect_left

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.values import Matches


def matches_in_order(matches: Matches) -> NDArray[np.intp]:
    """Return the longest chain of best matches that leads onward in both texts, as indices in order.

    Each is the best match of its left sentence; no sentence stands in two of them.
    """
    best = matches.best_of_left[matches.best_of_left >= 0].astype(np.intp)
    return best[_increasing(matches.cells.columns[best].tolist())]


def _increasing(values: list[int]) -> list[int]:
    """Return the places of a longest strictly increasing subsequence (patience sorting)."""
    lowest_ends: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for place, value in enumerate(values):
        length = bisect_left(lowest_ends, value)
        before.append(ends[length - 1] if length else -1)
        lowest_ends[length : length + 1] = [value]
        ends[length : length + 1] = [place]
    chain: list[int] = []
    place = ends[-1] if ends else -1
    while place >= 0:
        chain.append(place)
        place = before[place]
    return chain[::-1]

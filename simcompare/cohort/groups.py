"""Groups of documents that pairs link: several students who share one essay.

A pair links its documents if its larger share reaches the limit of the class, which a teacher chooses or
which is proposed (cohort/unusual.py). Window, tables, reports and graph all use these functions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simcompare.support.percentages import reaches

NO_GROUP = 0
"""Number of the group of a pair that links nothing."""


@dataclass(frozen=True, slots=True)
class Group:
    """Documents by ascending keys; `number` counts from 1, the largest group first."""

    number: int
    members: tuple[int, ...]


def find_groups(
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    shares: NDArray[np.float64],
    limit: float,
) -> Sequence[Group]:
    """Find the connected components of documents, linked by pairs that reach the share `limit`.

    left, right: keys of both documents of each pair; shares: the larger of the pair's two shares in [0, 1],
    NaN if unknown. A document without a link is in no group. Groups of equal size are ordered by their
    shares compared in descending order, then by their first document, so numbers do not depend on the
    document order.
    """
    close = reaches(shares, limit)
    keys, places = np.unique(np.concatenate([left[close], right[close]]), return_inverse=True)
    lefts, rights = np.split(places, 2)
    labels = connected(len(keys), lefts, rights)
    ranks = []
    for label in np.unique(labels):
        members = tuple(keys[labels == label].tolist())
        falling = np.sort(-shares[close][labels[lefts] == label]).tolist()
        ranks.append((-len(members), falling, members))
    return [Group(number, members) for number, (*_rank, members) in enumerate(sorted(ranks), 1)]


def groups_of_pairs(
    groups: Sequence[Group],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    shares: NDArray[np.float64],
    limit: float,
) -> NDArray[np.int32]:
    """Return the number of the group of each pair, shape (pairs,), NO_GROUP for a pair below the limit.

    Two documents of a group may be linked only through a third one; their pair is in no group. Other
    parameters as in `find_groups`; the groups may be those of earlier shares.
    """
    members = [key for group in groups for key in group.members]
    highest = max(int(left.max(initial=0)), int(right.max(initial=0)), *members, 0)
    numbers = np.full(highest + 1, NO_GROUP, np.int32)
    for group in groups:
        numbers[list(group.members)] = group.number
    is_link = reaches(shares, limit) & (numbers[left] == numbers[right])
    return np.where(is_link, numbers[left], NO_GROUP)


def connected(count: int, left: NDArray[np.intp], right: NDArray[np.intp]) -> NDArray[np.intp]:
    """Label each of `count` nodes with the lowest node connected to it, with pointer jumping."""
    labels = np.arange(count)
    while True:
        before = labels.copy()
        least = np.minimum(labels[left], labels[right])
        np.minimum.at(labels, left, least)
        np.minimum.at(labels, right, least)
        labels = labels[labels]
        if np.array_equal(labels, before):
            return labels

"""Groups of linked documents: several students who share one essay."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MINIMUM_GROUP_SHARE = 0.5
"""Minimum share of one text that another covers to link them in a group: half. Chosen, not tuned."""


@dataclass(frozen=True, slots=True)
class Group:
    """Documents by ascending keys; `number` counts from 1, the largest group first."""

    number: int
    members: tuple[int, ...]


def find_groups(
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    shares: NDArray[np.float64],
    least: float = MINIMUM_GROUP_SHARE,
) -> Sequence[Group]:
    """Find the connected components of documents, linked by pairs with at least the share `least`.

    left, right: keys of both documents of each pair; shares: the larger of the pair's two shares in [0, 1],
    NaN if unknown. A document without a link is in no group. Groups of equal size are ordered by their
    shares compared in descending order, then by their first document, so numbers do not depend on the
    document order.
    """
    close = np.nan_to_num(shares, nan=-1.0) >= least
    keys, places = np.unique(np.concatenate([left[close], right[close]]), return_inverse=True)
    lefts, rights = np.split(places, 2)
    labels = connected(len(keys), lefts, rights)
    ranks = []
    for label in np.unique(labels):
        members = tuple(keys[labels == label].tolist())
        falling = np.sort(-shares[close][labels[lefts] == label]).tolist()
        ranks.append((-len(members), falling, members))
    return [Group(number, members) for number, (*_rank, members) in enumerate(sorted(ranks), 1)]


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

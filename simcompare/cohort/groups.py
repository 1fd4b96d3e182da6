"""Groups of texts that hang together: several students who share one essay."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MINIMUM_GROUP_SHARE = 0.5
"""So much of one text another must cover for both to be in one group: half of it. Chosen, not tuned."""


@dataclass(frozen=True, slots=True)
class Group:
    """Texts by their keys, in order; `number` counts from 1, the largest group first."""

    number: int
    members: tuple[int, ...]


def find_groups(
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    shares: NDArray[np.float64],
    least: float = MINIMUM_GROUP_SHARE,
) -> Sequence[Group]:
    """Return the groups of texts that are connected by pairs of which at least a share is covered.

    left, right: the keys of both texts of each pair; shares: how much of that one is covered of which it is
    more, in [0, 1], NaN where nobody knows. A text that no pair connects is in no group. Of groups of one
    size that comes first whose texts share more, by the greatest share, then the next one and so on: their
    numbers are the same in whatever order the texts are listed. Where all shares are equal, that comes first
    whose first text does.
    """
    close = np.nan_to_num(shares, nan=-1.0) >= least
    keys, places = np.unique(np.concatenate([left[close], right[close]]), return_inverse=True)
    lefts, rights = np.split(places, 2)
    labels = _connected(len(keys), lefts, rights)
    ranks = []
    for label in np.unique(labels):
        members = tuple(keys[labels == label].tolist())
        falling = np.sort(-shares[close][labels[lefts] == label]).tolist()
        ranks.append((-len(members), falling, members))
    return [Group(number, members) for number, (*_rank, members) in enumerate(sorted(ranks), 1)]


def _connected(count: int, left: NDArray[np.intp], right: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return for each of `count` nodes the least one that edges lead to; labels jump, so few turns do."""
    labels = np.arange(count)
    while True:
        before = labels.copy()
        least = np.minimum(labels[left], labels[right])
        np.minimum.at(labels, left, least)
        np.minimum.at(labels, right, least)
        labels = labels[labels]
        if np.array_equal(labels, before):
            return labels

"""Kinship of Word files: whether parts of two files were written in one and the same file.

Word and WPS mark what is written in a session of editing with a random id, and keep the ids when a file is
copied or renamed (ECMA-376, part 1, 17.15.1.70). Two files share many ids if one was made from the other, if
both were made from a third one such as a template, or if a part was passed on with its formatting. The ids do
not tell which of these, who wrote what, or which file came first. They never count for shares, ranks or
limits. Without common ids nothing is proved: LibreOffice removes them, and pasted plain text has none.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import exp, lgamma, log

import numpy as np

from simcompare.session.school_class import Pair

FEWEST_HOLDERS, HOLDERS_SHARE = 3, 0.1
POSSIBLE_IDS = 1 << 24
"""Word's ids are 32-bit numbers whose upper byte is 0; those of WPS have all bits."""
MOST_CHANCE = 1e-7
_LEAST_SHARED_IDS = 2
"""A file with a single id was made by a program, from the template of which the id is."""


def most_holders(documents: int, fewest: int = FEWEST_HOLDERS, share: float = HOLDERS_SHARE) -> int:
    """Return how many documents of a class may have what two of them share; what more have tells nothing."""
    return max(fewest, int(share * documents))


@dataclass(frozen=True, slots=True)
class Kinship:
    """Editing ids that two files share, and the probability of as many by chance."""

    shared_ids: int
    chance: float


def find_kin(ids_of: Mapping[int, Collection[str]]) -> dict[Pair, Kinship]:
    """Find the pairs of files that share more editing ids than chance explains, the lower key first.

    ids_of: different ids by file. Those that more than 3 files and 10% of the files hold do not count: they
    are of a template.
    """
    keys = sorted(key for key, ids in ids_of.items() if ids)
    most = most_holders(len(keys))
    ids = np.array([int(each, 16) for key in keys for each in ids_of[key]], np.int64)
    files = np.repeat(np.arange(len(keys)), [len(ids_of[key]) for key in keys])
    order = np.argsort(ids, kind="stable")
    ids, files = ids[order], files[order]
    _ids, places, holders = np.unique(ids, return_inverse=True, return_counts=True)
    telling = holders[places] <= most
    ids, files = ids[telling], files[telling]
    counts = np.bincount(files, minlength=len(keys))
    shared = np.zeros((len(keys), len(keys)), np.uint16)
    for step in range(1, most):  # the holders of an id are neighbours
        is_same = ids[step:] == ids[:-step]
        if not is_same.any():
            break
        np.add.at(shared, (files[:-step][is_same], files[step:][is_same]), 1)
    found = {}
    for left, right in np.argwhere(shared >= _LEAST_SHARED_IDS).tolist():
        count = int(shared[left, right])
        chance = chance_of_sharing(count, int(counts[left]), int(counts[right]))
        if chance < MOST_CHANCE:
            found[keys[left], keys[right]] = Kinship(count, chance)
    return found


def chance_of_sharing(shared: int, left: int, right: int) -> float:
    """Return the probability that `left` and `right` random ids have at least `shared` ids in common.

    Upper tail of the Poisson distribution, with two significant digits; shared >= 1.
    """
    expected = left * right / POSSIBLE_IDS
    term = exp(shared * log(expected) - expected - lgamma(shared + 1))
    total, count = 0.0, shared
    while term > total * 1e-9:
        total, count = total + term, count + 1
        term *= expected / count
    return float(f"{min(total, 1.0):.1e}")

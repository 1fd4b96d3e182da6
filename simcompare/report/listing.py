"""Which matches a person is shown, and in which order those of one sentence."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from simcompare.comparison.values import Matches

MOST_LISTED_MATCHES = 2_000
"""Beyond it, a text that repeats itself would make a list that nobody reads and few browsers open."""


def listed_matches(matches: Matches, most: int = MOST_LISTED_MATCHES) -> list[int]:
    """Return the indices of the matches to list, in order: all, or the best of each sentence.

    Only where there are more than `most` is a match left out, and then each of its sentences has a better
    one in the list.
    """
    if len(matches) <= most:
        return list(range(len(matches)))
    best = np.concatenate([matches.best_of_left, matches.best_of_right])
    return [int(index) for index in np.unique(best[best >= 0])]


def by_sentence(
    sentences: Sequence[int], listed: Iterable[int], matches: Matches
) -> Mapping[int, Sequence[int]]:
    """Return the listed matches of each sentence, the best first: highest P, then w, then the first.

    `sentences` gives the sentence of every match, listed or not.
    """
    found: defaultdict[int, list[int]] = defaultdict(list)
    for index in listed:
        found[sentences[index]].append(index)
    p, w = matches.cells.p, matches.cells.w
    for indices in found.values():
        indices.sort(key=lambda index: (-p[index], -w[index], index))
    return found

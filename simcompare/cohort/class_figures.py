"""Figures behind the pictures of a class: histogram, matrix of shares, order of documents, nearest partners.

The window paints them, the class report draws them.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from simcompare.cohort.groups import Group, find_groups
from simcompare.support.percentages import least_share, reaches

PERCENT_PER_BIN = 2
BIN_COUNT = 100 // PERCENT_PER_BIN
_UNKNOWN = -1.0
_BIN_STARTS = [least_share(percent) for percent in range(PERCENT_PER_BIN, 100, PERCENT_PER_BIN)]
FloatArray = NDArray[np.float64]
IndexArray = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class ClassFigures:
    """Shares of the pairs of a class, and what the pictures show of them.

    count: number of documents; left, right: indices in range(count) of the documents of each pair, shape
    (pairs,); left_in_right, right_in_left: share of the left and of the right document after exclusions, in
    [0, 1], NaN if unknown, shape (pairs,). Pairs may be missing: old work is not compared with itself.
    """

    count: int
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    left_in_right: FloatArray
    right_in_left: FloatArray

    @cached_property
    def larger(self) -> FloatArray:
        """Larger share of each pair, NaN if unknown, shape (pairs,)."""
        larger: FloatArray = np.fmax(self.left_in_right, self.right_in_left)
        return larger

    @cached_property
    def histogram(self) -> NDArray[np.intp]:
        """Number of pairs by larger share, shape (BIN_COUNT,); bin i begins at i * PERCENT_PER_BIN percent.

        Shares count as they are written: 11.7 %, written as 12 %, is in the bin that begins there. The last
        bin holds 100 % too. Pairs whose share is unknown are left out.
        """
        known = self.larger[~np.isnan(self.larger)]
        bins = np.searchsorted(_BIN_STARTS, known, side="right")
        return np.bincount(bins, minlength=BIN_COUNT)

    @cached_property
    def known_count(self) -> int:
        """Number of pairs whose share is known."""
        return int(np.count_nonzero(~np.isnan(self.larger)))

    def pairs_from(self, least: float) -> IndexArray:
        """Return the indices of the pairs whose larger share reaches `least`, highest share first."""
        found = np.flatnonzero(reaches(self.larger, least))
        return found[np.argsort(-self.larger[found], kind="stable")]

    def count_from(self, least: float) -> int:
        """Return the number of pairs whose larger share reaches `least`."""
        return int(np.count_nonzero(reaches(self.larger, least)))

    @cached_property
    def matrix(self) -> NDArray[np.float32]:
        """Share of document i in document j at [i, j], shape (count, count); NaN if unknown or i = j."""
        matrix = np.full((self.count, self.count), np.nan, np.float32)
        matrix[self.left, self.right] = self.left_in_right
        matrix[self.right, self.left] = self.right_in_left
        return matrix

    @cached_property
    def nearest(self) -> tuple[FloatArray, IndexArray]:
        """Highest larger share of each document, NaN without any, and the other document, -1 without any.

        Of equal ones the document with the higher smaller share is the nearest, then the first.
        """
        is_highest = self._similarity == self._similarity.max(axis=1, keepdims=True, initial=_UNKNOWN)
        smaller = np.nan_to_num(np.fmin(self.matrix, self.matrix.T), nan=_UNKNOWN)
        best = np.where(is_highest, smaller, -np.inf).argmax(axis=1) if self.count else np.zeros(0, np.intp)
        highest = self._similarity[np.arange(self.count), best].astype(np.float64)
        is_known = highest >= 0
        return np.where(is_known, highest, np.nan), np.where(is_known, best, -1)

    def groups(self, least: float) -> list[Group]:
        """Return the groups of documents linked by pairs that reach this share, the largest first."""
        return list(find_groups(self.left, self.right, self.larger, least))

    def order(self, least: float) -> IndexArray:
        """Return the documents by group, shape (count,): the members of a group side by side, largest first.

        Documents without a link that reaches `least` come last. Within a group and among the others, similar
        documents are neighbours.
        """
        groups = self.groups(least)
        ranks = np.full(self.count, len(groups))
        for group in groups:
            ranks[list(group.members)] = group.number - 1
        leaves = self._leaves
        return leaves[np.argsort(ranks[leaves], kind="stable")]

    @cached_property
    def _similarity(self) -> NDArray[np.float32]:
        """Larger share of any two documents, symmetric; below 0 where it is unknown."""
        similarity: NDArray[np.float32] = np.nan_to_num(np.fmax(self.matrix, self.matrix.T), nan=_UNKNOWN)
        return similarity

    @cached_property
    def _leaves(self) -> IndexArray:
        """Documents in the order of the leaves of the single-linkage tree of their similarity.

        The members of a group are neighbours there, whatever the limit. Of two branches those ends meet that
        are most similar.
        """
        branches = [[document] for document in range(self.count)]
        of_document = list(range(self.count))
        for first, second in self._spanning_edges():
            left, right = branches[of_document[first]], branches[of_document[second]]
            joined = _joined(left, right, self._similarity)
            for document in joined:
                of_document[document] = first
            branches[first] = joined
        return np.array(branches[of_document[0]] if self.count else [], np.intp)

    def _spanning_edges(self) -> list[tuple[int, int]]:
        """Return the edges of the maximum spanning tree by descending similarity (Prim's algorithm)."""
        if self.count < 2:
            return []
        best, partner = self._similarity[0].copy(), np.zeros(self.count, np.intp)
        best[0] = -np.inf
        edges, weights = [], []
        for _step in range(self.count - 1):
            added = int(best.argmax())
            edges.append((int(partner[added]), added))
            weights.append(-best[added])
            own = self._similarity[added]
            closer = (own > best) & np.isfinite(best)
            best[closer], partner[closer] = own[closer], added
            best[added] = -np.inf
        return [edges[place] for place in np.argsort(weights, kind="stable").tolist()]


def _joined(left: list[int], right: list[int], similarity: NDArray[np.float32]) -> list[int]:
    """Join two rows of documents, reversed if needed, at their most similar ends."""
    ways = (
        (similarity[left[-1], right[0]], left, right),
        (similarity[left[-1], right[-1]], left, right[::-1]),
        (similarity[left[0], right[0]], left[::-1], right),
        (similarity[left[0], right[-1]], right, left),
    )
    _similarity, first, second = max(ways, key=lambda way: float(way[0]))
    return first + second

"""Filter of the views of a class: documents, a range of shares, and what is also in the library."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from simcompare.cohort.class_figures import BIN_COUNT, ClassFigures, ranks_by_name
from simcompare.comparison.figures import SIDES
from simcompare.session.decisions import PairReview
from simcompare.session.school_class import Pair
from simcompare.support.arrays import BoolArray, Float64Array
from simcompare.support.display_text import reaches, shared_ends
from simcompare.ui.state.cohort.class_state import ClassPart, ClassState
from simcompare.ui.state.cohort.pair_comparisons import PairComparisons


@dataclass(frozen=True, eq=False)
class ClassPicture:
    """Shares of all pairs, with the keys and labels of the documents, shape (documents,), by ascending key.

    after: the figures after decisions. ranks: highest rank score of a pair of each document, NaN if unknown,
    shape (documents,). limit: larger share before decisions from which pairs are counted and link documents
    in a group; proposed_limit: that of the class's own shares. is_fine: which pairs are of no concern as a
    whole, shape (pairs,).
    """

    keys: NDArray[np.int64]
    labels: tuple[str, ...]
    figures: ClassFigures
    after: ClassFigures
    ranks: Float64Array
    limit: float
    proposed_limit: float
    is_fine: BoolArray

    @cached_property
    def shared(self) -> list[tuple[int, int]]:
        """What the labels have in common (`shared_ends`)."""
        return shared_ends(self.labels)

    @property
    def rewritten(self) -> NDArray[np.intp]:
        """Indices of the pairs with possibly rewritten passages that are not of no concern."""
        found = self.figures.rewritten
        return np.zeros(0, np.intp) if found is None else np.flatnonzero(found)

    def is_rewritten(self, first: int, second: int) -> bool:
        """Return whether two documents have such passages."""
        return self._is_among(self.rewritten, first, second)

    def is_cleared(self, first: int, second: int) -> bool:
        """Return whether the pair of two documents is of no concern as a whole."""
        return self._is_among(np.flatnonzero(self.is_fine), first, second)

    def _is_among(self, pairs: NDArray[np.intp], first: int, second: int) -> bool:
        left, right = self.figures.left[pairs], self.figures.right[pairs]
        are_both = ((left == first) & (right == second)) | ((left == second) & (right == first))
        return bool(are_both.any())

    @cached_property
    def order(self) -> NDArray[np.intp]:
        """Indices of the documents by group, similar ones side by side."""
        return self.figures.order(self.limit)

    def index_of(self, key: int) -> int | None:
        place = int(np.searchsorted(self.keys, key))
        return place if place < len(self.keys) and self.keys[place] == key else None

    def key_at(self, index: int) -> int:
        return int(self.keys[index])

    def pair_of(self, first: int, second: int) -> Pair:
        left, right = sorted((self.key_at(first), self.key_at(second)))
        return left, right


def class_picture(
    pairs: PairComparisons,
    reviews: Mapping[Pair, PairReview],
    label_of: Callable[[int], str],
    limit: float,
    proposed_limit: float,
) -> ClassPicture:
    table, rewritten = pairs.table, pairs.open_rewritten(reviews)
    rows = table.rows
    keys = np.unique(np.concatenate([rows["left"], rows["right"]]))
    ends = np.searchsorted(keys, rows["left"]), np.searchsorted(keys, rows["right"])
    labels = tuple(label_of(key) for key in keys.tolist())
    scores, names = rows["rank_score"].copy(), ranks_by_name(labels)
    figures, after = (
        ClassFigures(
            len(keys),
            *ends,
            rows[f"{kind}_{SIDES[0]}"].copy(),
            rows[f"{kind}_{SIDES[1]}"].copy(),
            scores,
            names,
            rewritten,
        )
        for kind in ("after_exclusions", "after_decisions")
    )
    ranks = np.full(len(keys), np.nan)
    for end in ends:
        np.fmax.at(ranks, end, rows["rank_score"])
    is_fine = np.zeros(len(rows), np.bool_)
    is_fine[table.places_of(pair for pair, review in reviews.items() if review.is_fine)] = True
    return ClassPicture(keys, labels, figures, after, ranks, limit, proposed_limit, is_fine)


@dataclass(frozen=True, slots=True)
class ShareRange:
    """Pairs whose larger share reaches `least` and, unless it is None, does not reach `below`."""

    least: float
    below: float | None = None

    def holds(self, shares: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which of the larger shares are in the range; unknown ones, NaN, are not."""
        from_least = reaches(shares, self.least)
        return from_least if self.below is None else from_least & ~reaches(shares, self.below)


def bin_range(number: int) -> ShareRange:
    """Return the shares of a bar of the histogram; the last one has all up to 100%."""
    is_last = number == BIN_COUNT - 1
    return ShareRange(number / BIN_COUNT, None if is_last else (number + 1) / BIN_COUNT)


class ClassFilter(QObject):
    """Filter that a click in a view of the class sets for all of them.

    documents: keys. One document: its pairs; several: the pairs of two of them; none: all pairs. in_library:
    keys of essays that are in the library, too: the pairs of any of them; None: all pairs.
    """

    changed = Signal()

    def __init__(self, class_state: ClassState, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._class_state = class_state
        class_state.changed.connect(self._follow_class)
        self.documents: frozenset[int] = frozenset()
        self.shares: ShareRange | None = None
        self.in_library: frozenset[int] | None = None

    @property
    def is_empty(self) -> bool:
        return not self.documents and self.shares is None and self.in_library is None

    def show_documents(self, keys: Collection[int]) -> None:
        self._set(frozenset(keys), self.shares, self.in_library)

    def toggle_documents(self, keys: Collection[int]) -> None:
        """Filter by these documents, or no longer if they are what is filtered by."""
        self.show_documents(() if frozenset(keys) == self.documents else keys)

    def show_shares(self, shares: ShareRange | None) -> None:
        self._set(self.documents, shares, self.in_library)

    def show_in_library(self, keys: Collection[int] | None) -> None:
        self._set(self.documents, self.shares, None if keys is None else frozenset(keys))

    def clear(self) -> None:
        self._set(frozenset(), None, None)

    def keep_only(self, keys: Collection[int]) -> None:
        """Forget documents that are not among these, and all without any.

        A pair without one of its two documents is no filter.
        """
        if not keys:
            self.clear()
        else:
            self._keep(self.documents & frozenset(keys))

    def _follow_class(self, changed: ClassPart) -> None:
        if ClassPart.STUDENTS in changed:
            self._keep(self.documents - self._class_state.school.not_compared)

    def _keep(self, kept: frozenset[int]) -> None:
        if kept != self.documents:
            self._set(kept if len(kept) > 1 else frozenset(), self.shares, self.in_library)

    def _set(
        self, documents: frozenset[int], shares: ShareRange | None, in_library: frozenset[int] | None
    ) -> None:
        if (documents, shares, in_library) != (self.documents, self.shares, self.in_library):
            self.documents, self.shares, self.in_library = documents, shares, in_library
            self.changed.emit()


class LibraryShares(QObject):
    """Largest share of each essay, by key, that one text of the library has; empty before a search."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shares: Mapping[int, float] = {}

    def show_shares(self, shares: Mapping[int, float]) -> None:
        if shares != self.shares:
            self.shares = shares
            self.changed.emit()

    def reaching(self, limit: float) -> frozenset[int]:
        return frozenset(key for key, share in self.shares.items() if reaches(share, limit))

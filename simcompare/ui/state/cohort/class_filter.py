"""Filter of the views of a class: documents and a range of shares."""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from simcompare.cohort.class_figures import BIN_COUNT
from simcompare.support.percentages import reaches


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
    """Return the shares of a bar of the histogram; the last one has all up to 100 %."""
    is_last = number == BIN_COUNT - 1
    return ShareRange(number / BIN_COUNT, None if is_last else (number + 1) / BIN_COUNT)


class ClassFilter(QObject):
    """Filter that a click in a view of the class sets for all of them.

    documents: keys. One document: its pairs; several: the pairs of two of them; none: all pairs.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.documents: frozenset[int] = frozenset()
        self.shares: ShareRange | None = None

    @property
    def is_empty(self) -> bool:
        """True if nothing is filtered."""
        return not self.documents and self.shares is None

    def show_documents(self, keys: Collection[int]) -> None:
        """Filter by these documents; without any, no longer by documents."""
        self._set(frozenset(keys), self.shares)

    def toggle_documents(self, keys: Collection[int]) -> None:
        """Filter by these documents, or no longer if they are what is filtered by."""
        self.show_documents(() if frozenset(keys) == self.documents else keys)

    def show_shares(self, shares: ShareRange | None) -> None:
        """Filter by the larger share of a pair; None: by no share."""
        self._set(self.documents, shares)

    def clear(self) -> None:
        """Show all pairs."""
        self._set(frozenset(), None)

    def keep_only(self, keys: Collection[int]) -> None:
        """Forget documents that are not among these, and all without any.

        A pair without one of its two documents is no filter.
        """
        kept = self.documents & frozenset(keys)
        if not keys:
            self.clear()
        elif kept != self.documents:
            self._set(kept if len(kept) > 1 else frozenset(), self.shares)

    def _set(self, documents: frozenset[int], shares: ShareRange | None) -> None:
        if (documents, shares) != (self.documents, self.shares):
            self.documents, self.shares = documents, shares
            self.changed.emit()

"""Filter of the views of a class: documents and a range of shares."""

from collections.abc import Collection
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal


@dataclass(frozen=True, slots=True)
class ShareRange:
    """Pairs whose larger share is at least `least` and, unless it is None, below `below`."""

    least: float
    below: float | None = None


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

"""Documents taken out of the list, and put back when that is undone."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from simcompare.i18n import N_, _, ngettext
from simcompare.ui.state.entry import Entry
from simcompare.ui.state.side import Side
from simcompare.ui.state.steps import Step
from simcompare.visible import visible_name


class Shelf(Protocol):
    """Where documents are taken from and put back."""

    @property
    def sides(self) -> Mapping[Side, int]:
        """The documents that stand side by side, by their keys."""

    def take_out(self, entries: Sequence[Entry]) -> None:
        """Take documents out of the list."""

    def put_back(self, entries: Sequence[Entry], sides: Mapping[Side, int] | None) -> None:
        """Put documents back to their places, and on the sides they had where these are given."""


class Removal(Step):
    """Keeps what was read of the documents, so that nothing is read again when they come back."""

    def __init__(self, shelf: Shelf, entries: Sequence[Entry]) -> None:
        super().__init__(N_("Remove {names}"))
        self.entries = tuple(entries)
        self._shelf = shelf
        self._sides = dict(shelf.sides)
        self._sides_after: dict[Side, int] = {}

    def in_words(self) -> str:
        """Return what is removed, in the language of the moment."""
        return _(self.text()).format(names=what_is_removed(self.entries))

    def redo(self) -> None:
        """Take them out."""
        self._sides = dict(self._shelf.sides)
        self._shelf.take_out(self.entries)
        self._sides_after = dict(self._shelf.sides)

    def undo(self) -> None:
        """Put them back; a pair that was chosen since stays."""
        untouched = self._shelf.sides == self._sides_after
        self._shelf.put_back(self.entries, self._sides if untouched else None)


def what_is_removed(entries: Sequence[Entry]) -> str:
    """Return the name of one document, the number of several."""
    if len(entries) == 1:
        return visible_name(entries[0].path.name)
    count = len(entries)
    return ngettext("{count} document", "{count} documents", count).format(count=f"{count:,}")

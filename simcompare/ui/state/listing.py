"""What is in the list, what each document is called, and which two stand side by side."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from simcompare.comparison.subject import Subject
from simcompare.ui.state.chosen_sides import ChosenSides
from simcompare.ui.state.entry import Entry
from simcompare.ui.state.names import NO_NAME, DocumentName, names_of
from simcompare.ui.state.side import Side
from simcompare.untitled import in_this_language


class Listing(QObject):
    """Holds the documents by their keys; what left the list comes back under the key it had."""

    changed = Signal()
    sides_swapped = Signal()
    """The two texts changed places; `changed` follows."""
    pair_chosen = Signal()
    """A person wants to see two texts side by side; `changed` follows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries: Mapping[int, Entry] = {}
        self._names: dict[int, DocumentName] | None = None
        self._keys_of_removed: dict[Path, int] = {}
        self._chosen = ChosenSides()

    def _list(self, entries: Iterable[Entry]) -> None:
        """Let these be the documents of the list; keys are in the order in which documents came first."""
        self.entries = {entry.key: entry for entry in sorted(entries, key=lambda entry: entry.key)}
        self._names = None

    def _tell(self) -> None:
        self.changed.emit()

    # names

    @property
    def names(self) -> Mapping[int, DocumentName]:
        """What each document is called, by its key; no two of them alike."""
        if self._names is None:  # they are asked for in every cell of a table
            paths = [entry.path for entry in self.entries.values()]
            self._names = dict(zip(self.entries, names_of(paths), strict=True))
        return self._names

    def name_of(self, key: int) -> str:
        """Return what a document is called; nothing where it is not in the list."""
        return self.names.get(key, NO_NAME).text

    # subjects

    @property
    def subjects(self) -> list[Subject]:
        """Every document that has been read."""
        return [entry.subject for entry in self.entries.values() if entry.subject is not None]

    def replace_subjects(self, replacements: Mapping[Subject, Subject]) -> None:
        """Let other subjects of the same texts stand for those there are."""
        for entry in self.entries.values():
            if entry.subject is not None:
                entry.subject = replacements.get(entry.subject, entry.subject)
        self._tell()

    def retranslate(self) -> Mapping[Subject, Subject]:
        """Name texts without a title in the language of the moment; return what stands for their subjects.

        Who calls it tells of the change, once a comparison of them is in place.
        """
        before = {entry.key: entry.subject for entry in self.entries.values()}
        self._name_untitled(self.entries.values())
        self._keys_of_removed = {in_this_language(path): key for path, key in self._keys_of_removed.items()}
        now = ((before[key], entry.subject) for key, entry in self.entries.items())
        return {old: new for old, new in now if old is not None and new is not None and new is not old}

    def _name_untitled(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            if entry.pasted is not None:
                entry.go_by(in_this_language(entry.path))
        self._names = None

    # sides

    def choose(self, side: Side, key: int) -> None:
        """Put a document on a side; where it stands on the other side, the two change places."""
        if self.sides.get(side) == key:
            return
        if self.sides.get(side.other) == key:
            self.swap()
            return
        self._chosen.put({side: key})
        self._tell()

    def choose_pair(self, left: int, right: int) -> None:
        """Put two documents of the list side by side."""
        if not {left, right} <= self.entries.keys():
            return
        self.pair_chosen.emit()
        if self.sides == {Side.LEFT: right, Side.RIGHT: left}:
            self.swap()
            return
        self._chosen.put({Side.LEFT: left, Side.RIGHT: right})
        self._tell()

    def swap(self) -> None:
        """Let the two texts change places."""
        self._chosen.swap()
        self.sides_swapped.emit()
        self._tell()

    @property
    def sides_were_chosen(self) -> bool:
        """Whether a person has chosen what stands side by side."""
        return self._chosen.were_chosen

    @property
    def sides(self) -> Mapping[Side, int]:
        """The documents that stand side by side, by their keys."""
        return self._chosen.keys

    def entry_on(self, side: Side) -> Entry | None:
        """Return the document on a side."""
        return self.entries.get(self.sides.get(side, 0))

    def _choose_sides(self) -> None:
        self._chosen.were_chosen &= bool(self.entries)  # the next class begins anew
        self._chosen.choose_among(self._usable())

    def _usable(self) -> list[int]:
        return [key for key, entry in self.entries.items() if entry.error is None]

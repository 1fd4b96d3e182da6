"""The documents of the window: files come into the list, are read, are looked after, and leave it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import count
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoStack

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.loading.archive import files_of
from simcompare.loading.extraction import PastedText, ReadingOptions
from simcompare.model.errors import PreparingStoppedError, SimcompareError
from simcompare.model.untitled import localised_name
from simcompare.session.session_data import SessionDocument
from simcompare.support.display_text import display_name
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.state.document_entry import Entry, name_for, restored
from simcompare.ui.state.document_listing import Listing, Side
from simcompare.ui.state.file_reading import FileReading, ReadingQueue
from simcompare.ui.state.file_watch import FileState, FileWatch, KnownFile
from simcompare.ui.state.settings_change import Step


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
        return display_name(entries[0].path.name)
    count = len(entries)
    return ngettext("{count} document", "{count} documents", count).format(count=f"{count:,}")


__all__ = ["Documents", "Entry"]

_ARRIVALS_MS = 30


class Documents(Listing):
    """Reads the files that are added, and keeps what became of them."""

    noticed = Signal(str)
    doubts_found = Signal(list)
    """All files are read; the keys of those that are doubtful and were not before."""
    text_changed = Signal(int)
    """A file that was read again holds another text than before: its key."""
    removed = Signal(object)
    """The Removal, which the history can undo."""
    files_changed = Signal(list)
    """The keys of all whose files hold something else now, where there are more of them than before."""

    def __init__(self, reading: FileReading, history: QUndoStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._keys = count(1)
        self._new_doubts: list[int] = []
        self._arrivals = QTimer(self, singleShot=True, interval=_ARRIVALS_MS)
        self._arrivals.timeout.connect(self._tell)
        self._reading = reading
        self._queue = ReadingQueue(reading, self._entry_of, self)
        reading.finished.connect(self._take_prepared_document)
        reading.failed.connect(self._take_error)
        reading.recognised.connect(self._take_progress)
        self._history = history
        self._watch = FileWatch(self)
        self._watch.found.connect(self._take_states)

    # what can be done

    def add(self, paths: Iterable[Path]) -> None:
        """Add files, and the files inside folders; those already listed are named and left.

        A file that was removed comes back under its key, as what was decided about it is kept by that.
        """
        known = {entry.path for entry in self.entries.values()}
        repeated: list[str] = []
        new: list[Entry] = []
        for path in files_of(path.absolute() for path in paths):
            if path in known:
                repeated.append(path.name)
                continue
            known.add(path)
            new.append(Entry(self._keys_of_removed.pop(path, 0) or next(self._keys), path))
        if repeated:
            self.noticed.emit(_("Already in the list: {names}").format(names=", ".join(repeated)))
        self._take_in(new)

    def add_pasted(self, pasted: PastedText, title: str = "") -> None:
        """Add a text that is in no file, under a title or a number.

        What somebody selected is all wanted: of markup nothing is taken for the menu of a page.
        """
        taken = {entry.path for entry in self.entries.values()} | self._keys_of_removed.keys()
        path = name_for(title, {path.name for path in taken})
        asked = ReadingOptions(whole_page=pasted.is_html)
        self._take_in([Entry(next(self._keys), path, asked, pasted=pasted)])

    def _entry_of(self, key: int) -> Entry | None:
        return self.entries.get(key)

    def _take_in(self, entries: Sequence[Entry]) -> None:
        """Put documents into the list, and have those read that are to be."""
        self._list([*self.entries.values(), *entries])
        for entry in entries:
            if entry.asked is not None:
                self._queue.put(entry.key)
        self._queue.hand_on()
        self._choose_sides()
        self._tell()

    def read_again(
        self, keys: Iterable[int], *, password: str | None = None, whole_page: bool | None = None
    ) -> None:
        """Read files again, as before but for what is given."""
        for key in keys:
            entry = self.entries[key]
            before = entry.asked or entry.options
            entry.asked = replace(
                before,
                password=password or before.password,
                whole_page=before.whole_page if whole_page is None else whole_page,
            )
            self._queue.put(key)
        self._queue.hand_on()
        self._tell()

    def restore(self, files: Sequence[SessionDocument], sides: Mapping[Side, int]) -> list[int]:
        """Let the files of a session take the place of all there are, and return their keys, in order.

        Their texts are prepared again, first those of the sides, which are given by their places among them.
        """
        for key in self.entries:
            self._reading.cancel(key)
        entries = [restored(next(self._keys), file) for file in files]
        self._name_untitled(entries)
        keys = [entry.key for entry in entries]
        self._list(entries)
        self._chosen.restore({side: keys[place] for side, place in sides.items()})
        self._new_doubts.clear()
        self._keys_of_removed.clear()
        self._queue.clear()
        for key in sorted(keys, key=lambda key: key not in self.sides.values()):
            self._queue.put(key)
        self._choose_sides()
        self._queue.hand_on()
        self._tell()
        return keys

    def remove(self, keys: Iterable[int]) -> None:
        """Take documents out of the list, which can be undone; a comparison with one of them ends."""
        entries = [self.entries[key] for key in keys if key in self.entries]
        if entries:
            removal = Removal(self, entries)
            self._history.push(removal)
            self.removed.emit(removal)

    def take_out(self, entries: Iterable[Entry]) -> None:
        """Take documents out of the list."""
        gone = {entry.key: entry.path for entry in entries}
        for key, path in gone.items():
            self._reading.cancel(key)
            self._keys_of_removed[path] = key
        self._list(entry for key, entry in self.entries.items() if key not in gone)
        self._choose_sides()
        self._tell()

    def put_back(self, entries: Iterable[Entry], sides: Mapping[Side, int] | None) -> None:
        """Put documents back to their places, and on the sides they had where these are given.

        A file that was added again since is not listed twice.
        """
        listed = {entry.path for entry in self.entries.values()}
        returning = [entry for entry in entries if entry.path not in listed]
        for entry in returning:
            self._keys_of_removed.pop(entry.path, None)
            entry.on_disk = FileState.SAME  # until the watch, which begins anew, finds something else
            entry.follow_recipe(self._reading.recipe)
            if entry.pasted is not None:
                entry.go_by(localised_name(entry.path))
        if sides is not None:
            self._chosen.keys = dict(sides)
        self._take_in(returning)

    def cancel_reading(self) -> None:
        """Read no further: files of which nothing is known leave the list, others stay as they were."""
        unread = [entry for entry in self.entries.values() if entry.asked is not None]
        if not unread:
            return
        for entry in unread:
            self._reading.cancel(entry.key)
            entry.asked = None
            if entry.prepared_document is None and (entry.kept is not None or entry.pasted is not None):
                entry.error = PreparingStoppedError(entry.path)
        self.take_out([entry for entry in unread if not entry.is_known])

    def close(self) -> None:
        """Hand on no more files and tell nothing any more."""
        self._arrivals.stop()
        self._queue.clear()
        self._watch.close()
        self._history.clear()

    # what arrives

    @property
    def under_way(self) -> frozenset[int]:
        """The documents that are being read; the others that are to be read wait for their turn."""
        return self._reading.under_way

    @property
    def reading_count(self) -> tuple[int, int]:
        """(documents that are not being read, documents)."""
        done = sum(1 for entry in self.entries.values() if entry.asked is None)
        return done, len(self.entries)

    def _take_prepared_document(self, key: int, prepared_document: PreparedDocument) -> None:
        entry = self.entries.get(key)
        if entry is None:
            return
        was_known = entry.is_doubtful or entry.kept is not None
        text_before = entry.document.text if entry.document is not None else prepared_document.document.text
        entry.prepared_document, entry.error, entry.kept = prepared_document, None, None
        if entry.pasted is not None:
            entry.go_by(entry.path)  # meanwhile the language may have changed
        entry.options, entry.asked = entry.asked or entry.options, None
        entry.on_disk, entry.recognised = FileState.SAME, None
        if entry.is_doubtful and not was_known:
            self._new_doubts.append(key)
        before = self.sides
        self._chosen.fill_from(self._usable())
        self._arrived(key, before)
        if prepared_document.document.text != text_before:
            self.text_changed.emit(key)

    def _take_error(self, key: int, error: SimcompareError) -> None:
        entry = self.entries.get(key)
        if entry is None:
            return
        before = self.sides
        if entry.prepared_document is not None:
            self.noticed.emit(str(error))
        else:
            entry.error = error
            entry.options = entry.asked or entry.options
            self._choose_sides()
        entry.asked = entry.recognised = None
        self._arrived(key, before)

    def _take_progress(self, key: int, done: int, total: int) -> None:
        """Tell how far text recognition has come."""
        if (entry := self.entries.get(key)) is not None and entry.asked is not None:
            entry.recognised = (done, total)
            self._tell_soon()

    def _take_states(self, states: Mapping[Path, FileState]) -> None:
        """Tell what has become of the files; what was read of them stays until a person wants them anew."""
        before = set(self.changed_on_disk)
        for entry in self.entries.values():
            if entry.asked is None:
                entry.on_disk = states.get(entry.path, entry.on_disk)
        self._tell()
        if not before.issuperset(self.changed_on_disk):
            self.files_changed.emit(self.changed_on_disk)

    @property
    def changed_on_disk(self) -> list[int]:
        """The documents whose files hold something else than was read."""
        return [key for key, entry in self.entries.items() if entry.on_disk is FileState.CHANGED]

    def _arrived(self, key: int, sides_before: Mapping[Side, int]) -> None:
        """Tell at once of what is looked at, and of all others together: hundreds may come in a row."""
        done, total = self.reading_count
        if key in self.sides.values() or self.sides != sides_before or done == total:
            self._tell()
        else:
            self._tell_soon()

    def _tell_soon(self) -> None:
        if not self._arrivals.isActive():
            self._arrivals.start()

    def _tell(self) -> None:
        self._arrivals.stop()
        self._watch.watch(self._read_from_disk())
        self.changed.emit()
        done, total = self.reading_count
        if done == total and self._new_doubts:
            doubts = [key for key in self._new_doubts if key in self.entries]
            self._new_doubts.clear()
            if doubts:
                self.doubts_found.emit(doubts)

    def _read_from_disk(self) -> dict[Path, KnownFile]:
        """Return what was read from the disk, here or by who saved the session."""
        return {
            entry.path: KnownFile(entry.prepared_document.document.sha256, entry.stamp)
            for entry in self.entries.values()
            if entry.prepared_document is not None and entry.can_be_looked_for
        }


class Sameness(Enum):
    """How much two documents are the same: byte for byte, or in their text alone."""

    FILE = "file"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Twin:
    """The first document that another one is the same as, byte for byte or in its text alone."""

    key: int
    same_file: bool


def sameness(one: Entry, other: Entry) -> Sameness | None:
    """Return how two documents are the same, None where they are not; what was pasted is no file."""
    if one.document is None or other.document is None:
        return None
    if one.document.sha256 == other.document.sha256 and one.pasted is None and other.pasted is None:
        return Sameness.FILE
    return Sameness.TEXT if one.essence == other.essence else None


def twins_of(entries: Iterable[Entry]) -> dict[int, Twin]:
    """Return, by key, for every document the first one before it that is the same."""
    twins: dict[int, Twin] = {}
    files: dict[str, Entry] = {}
    texts: dict[bytes, Entry] = {}
    for entry in entries:
        document, essence = entry.document, entry.essence
        if document is None or essence is None:
            continue
        first = files.setdefault(document.sha256, entry)
        first = first if first is not entry else texts.get(essence, entry)
        if first is not entry:
            twins[entry.key] = Twin(first.key, same_file=sameness(first, entry) is Sameness.FILE)
        texts.setdefault(essence, entry)
    return twins

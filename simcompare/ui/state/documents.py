"""The documents of the window: the files in the list, what became of each, and which stand side by side."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoStack

from simcompare.comparison.subject import Subject
from simcompare.errors import PreparingStoppedError, SimcompareError
from simcompare.i18n import _
from simcompare.loading.files import files_of
from simcompare.loading.options import ReadingOptions
from simcompare.loading.pasted import PastedText
from simcompare.session.values import SessionDocument
from simcompare.ui.state.chosen_sides import ChosenSides
from simcompare.ui.state.entry import Entry, name_for, restored
from simcompare.ui.state.file_watch import FileState, FileWatch, KnownFile
from simcompare.ui.state.names import NO_NAME, DocumentName, names_of
from simcompare.ui.state.reading import FileReading
from simcompare.ui.state.reading_queue import ReadingQueue
from simcompare.ui.state.removal import Removal
from simcompare.ui.state.side import Side
from simcompare.untitled import in_this_language

__all__ = ["Documents", "Entry"]

_ARRIVALS_MS = 30


class Documents(QObject):
    """Reads the files that are added, and keeps what became of them."""

    changed = Signal()
    sides_swapped = Signal()
    """The two texts changed places; `changed` follows."""
    pair_chosen = Signal()
    """A person wants to see two texts side by side; `changed` follows."""
    noticed = Signal(str)
    doubts_found = Signal(list)
    """All files are read; the keys of those that are doubtful and were not before."""
    removed = Signal(object)
    """The Removal, which the history can undo."""
    files_changed = Signal(list)
    """The keys of all whose files hold something else now, where there are more of them than before."""

    def __init__(self, reading: FileReading, history: QUndoStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries: dict[int, Entry] = {}
        self._names: tuple[dict[int, Path], dict[int, DocumentName]] = ({}, {})
        self._chosen = ChosenSides()
        self._keys = count(1)
        self._keys_of_removed: dict[Path, int] = {}
        self._new_doubts: list[int] = []
        self._arrivals = QTimer(self, singleShot=True, interval=_ARRIVALS_MS)
        self._arrivals.timeout.connect(self._tell)
        self._reading = reading
        self._queue = ReadingQueue(reading, self._entry_of, self)
        reading.finished.connect(self._take_subject)
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
        for path in files_of(path.absolute() for path in paths):
            if path in known:
                repeated.append(path.name)
                continue
            known.add(path)
            self._list(Entry(self._keys_of_removed.pop(path, 0) or next(self._keys), path))
        if repeated:
            self.noticed.emit(_("Already in the list: {names}").format(names=", ".join(repeated)))
        self._follow_list()

    def add_pasted(self, pasted: PastedText, title: str = "") -> None:
        """Add a text that is in no file, under a title or a number.

        What somebody selected is all wanted: of markup nothing is taken for the menu of a page.
        """
        taken = {entry.path for entry in self.entries.values()} | self._keys_of_removed.keys()
        path = name_for(title, {path.name for path in taken})
        asked = ReadingOptions(whole_page=pasted.is_html)
        self._list(Entry(next(self._keys), path, asked, pasted=pasted))
        self._follow_list()

    def _entry_of(self, key: int) -> Entry | None:
        return self.entries.get(key)

    def _list(self, entry: Entry) -> None:
        self.entries[entry.key] = entry
        self._queue.put(entry.key)

    def _follow_list(self) -> None:
        # keys are in the order in which documents came first
        self.entries = dict(sorted(self.entries.items()))
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
        self.entries = dict(zip(keys, entries, strict=True))
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
        for entry in entries:
            self._reading.cancel(entry.key)
            self.entries.pop(entry.key, None)
            self._keys_of_removed[entry.path] = entry.key
        self._choose_sides()
        self._tell()

    def put_back(self, entries: Iterable[Entry], sides: Mapping[Side, int] | None) -> None:
        """Put documents back to their places, and on the sides they had where these are given.

        A file that was added again since is not listed twice.
        """
        listed = {entry.path for entry in self.entries.values()}
        for entry in entries:
            if entry.path in listed:
                continue
            self.entries[entry.key] = entry
            self._keys_of_removed.pop(entry.path, None)
            entry.on_disk = FileState.SAME  # until the watch, which begins anew, finds something else
            entry.follow_recipe(self._reading.recipe)
            if entry.pasted is not None:
                entry.go_by(in_this_language(entry.path))
            if entry.asked is not None:
                self._queue.put(entry.key)
        if sides is not None:
            self._chosen.keys = dict(sides)
        self._follow_list()

    def cancel_reading(self) -> None:
        """Read no further: files of which nothing is known leave the list, others stay as they were."""
        unread = [entry for entry in self.entries.values() if entry.asked is not None]
        if not unread:
            return
        for entry in unread:
            self._reading.cancel(entry.key)
            entry.asked = None
            if entry.subject is None and (entry.kept is not None or entry.pasted is not None):
                entry.error = PreparingStoppedError(entry.path)
        self.take_out([entry for entry in unread if not entry.is_known])

    def close(self) -> None:
        """Hand on no more files and tell nothing any more."""
        self._arrivals.stop()
        self._queue.clear()
        self._watch.close()
        self._history.clear()

    # names

    @property
    def names(self) -> Mapping[int, DocumentName]:
        """What each document is called, by its key; no two of them alike."""
        paths = {key: entry.path for key, entry in self.entries.items()}
        if paths != self._names[0]:  # asked for every cell of a table
            self._names = paths, dict(zip(paths, names_of(list(paths.values())), strict=True))
        return self._names[1]

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

    def _take_subject(self, key: int, subject: Subject) -> None:
        entry = self.entries.get(key)
        if entry is None:
            return
        was_known = entry.is_doubtful or entry.kept is not None
        entry.subject, entry.error, entry.kept = subject, None, None
        if entry.pasted is not None:
            entry.go_by(entry.path)  # meanwhile the language may have changed
        entry.options, entry.asked = entry.asked or entry.options, None
        entry.on_disk, entry.recognised = FileState.SAME, None
        if entry.is_doubtful and not was_known:
            self._new_doubts.append(key)
        before = self.sides
        self._chosen.fill_from(self._usable())
        self._arrived(key, before)

    def _take_error(self, key: int, error: SimcompareError) -> None:
        entry = self.entries.get(key)
        if entry is None:
            return
        before = self.sides
        if entry.subject is not None:
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
            entry.path: KnownFile(entry.subject.document.sha256, entry.stamp)
            for entry in self.entries.values()
            if entry.subject is not None and entry.can_be_looked_for
        }

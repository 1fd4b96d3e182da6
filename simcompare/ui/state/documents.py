"""The documents of the window: the files in the list, what became of each, and which stand side by side."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from simcompare.comparison.subject import Subject
from simcompare.document import Document
from simcompare.errors import (
    FileNotReadableError,
    PasswordNeededError,
    PreparingStoppedError,
    SimcompareError,
)
from simcompare.i18n import N_, _
from simcompare.loading.files import files_of
from simcompare.loading.options import DEFAULT_OPTIONS, ReadingOptions
from simcompare.receipt import DropReason
from simcompare.session.values import SessionDocument
from simcompare.ui.state.reading import FileReading
from simcompare.ui.state.side import Side

_ARRIVALS_MS = 30
_FILES_AT_ONCE = 10
_UNREAD_REMOTE = N_("it is on another computer and was not read yet")


@dataclass(slots=True, eq=False)
class Entry:
    """A file in the list. `asked` says how it is being read; what was known before stays until it arrives.

    `kept` is its text as a session has it, until that is ready to be compared.
    """

    key: int
    path: Path
    asked: ReadingOptions | None = DEFAULT_OPTIONS
    options: ReadingOptions = DEFAULT_OPTIONS
    subject: Subject | None = None
    error: SimcompareError | None = None
    kept: Document | None = None

    @property
    def document(self) -> Document | None:
        """Its text, where it was read, whether it is ready to be compared or not."""
        return self.subject.document if self.subject is not None else self.kept

    @property
    def is_doubtful(self) -> bool:
        """Whether its text may not be what a reader of the file sees."""
        return self.subject is not None and self.subject.document.receipt.doubtful

    @property
    def is_locked(self) -> bool:
        """Whether it waits for a password."""
        return isinstance(self.error, PasswordNeededError)

    @property
    def is_known(self) -> bool:
        """Whether something can be told of it: what was read, or why nothing was."""
        return self.subject is not None or self.error is not None

    @property
    def is_part_of_page(self) -> bool:
        """Whether it is a web page of which more could be read."""
        dropped = self.subject.document.receipt.dropped if self.subject else ()
        return any(part.reason is DropReason.NAVIGATION for part in dropped)


class Documents(QObject):
    """Reads the files that are added, and keeps what became of them."""

    changed = Signal()
    sides_swapped = Signal()
    """The two texts changed places; `changed` follows."""
    noticed = Signal(str)
    doubts_found = Signal(list)
    """All files are read; the keys of those that are doubtful and were not before."""

    def __init__(self, reading: FileReading, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries: dict[int, Entry] = {}
        self.sides: dict[Side, int] = {}
        self._keys = count(1)
        self._sides_were_chosen = False
        self._new_doubts: list[int] = []
        self._arrivals = QTimer(self, singleShot=True, interval=_ARRIVALS_MS)
        self._arrivals.timeout.connect(self._tell)
        self._unsubmitted: deque[int] = deque()
        self._submissions = QTimer(self, singleShot=True, interval=0)
        self._submissions.timeout.connect(self._submit_files)
        self._reading = reading
        reading.finished.connect(self._take_subject)
        reading.failed.connect(self._take_error)

    # what can be done

    def add(self, paths: Iterable[Path]) -> None:
        """Add files, and the files inside folders; those already listed are named and left."""
        known = {entry.path for entry in self.entries.values()}
        repeated: list[str] = []
        for path in files_of(path.absolute() for path in paths):
            if path in known:
                repeated.append(path.name)
                continue
            known.add(path)
            key = next(self._keys)
            self.entries[key] = Entry(key, path)
            self._unsubmitted.append(key)
        self._submit_files()
        if repeated:
            self.noticed.emit(_("Already in the list: {names}").format(names=", ".join(repeated)))
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
            self._unsubmitted.append(key)
        self._submit_files()
        self._tell()

    def _submit_files(self) -> None:
        """Have a few files read, and the others after the next turn of the event loop: it takes a while."""
        for _turn in range(min(_FILES_AT_ONCE, len(self._unsubmitted))):
            entry = self.entries.get(self._unsubmitted.popleft())
            if entry is not None and entry.asked is not None:
                self._submit(entry, entry.asked)
        if self._unsubmitted:
            self._submissions.start()

    def _submit(self, entry: Entry, asked: ReadingOptions) -> None:
        if entry.kept is not None:
            self._reading.prepare(entry.key, entry.kept)
        else:
            self._reading.read(entry.key, entry.path, asked)

    def restore(self, files: Sequence[SessionDocument], sides: Mapping[Side, int]) -> list[int]:
        """Let the files of a session take the place of all there are, and return their keys, in order.

        Their texts are prepared again, first those of the sides, which are given by their places among them.
        """
        for key in self.entries:
            self._reading.cancel(key)
        restored = [_restored(next(self._keys), file) for file in files]
        keys = [entry.key for entry in restored]
        self.entries = dict(zip(keys, restored, strict=True))
        self.sides = {side: keys[place] for side, place in sides.items()}
        self._sides_were_chosen = bool(sides)
        self._new_doubts.clear()
        self._unsubmitted = deque(
            sorted(
                (key for key in keys if self.entries[key].asked is not None),
                key=lambda key: key not in self.sides.values(),
            )
        )
        self._choose_sides()
        self._submit_files()
        self._tell()
        return keys

    def remove(self, keys: Sequence[int]) -> None:
        """Take documents out of the list; a comparison with one of them ends."""
        for key in keys:
            self._reading.cancel(key)
            self.entries.pop(key, None)
        self._choose_sides()
        self._tell()

    def cancel_reading(self) -> None:
        """Read no further: files of which nothing is known leave the list, others stay as they were."""
        unread = [entry for entry in self.entries.values() if entry.asked is not None]
        if not unread:
            return
        for entry in unread:
            self._reading.cancel(entry.key)
            entry.asked = None
            if entry.kept is not None:
                entry.error = PreparingStoppedError(entry.path)
        self.remove([entry.key for entry in unread if entry.subject is None and entry.error is None])

    def close(self) -> None:
        """Hand on no more files and tell nothing any more."""
        self._arrivals.stop()
        self._submissions.stop()

    # subjects

    @property
    def subjects(self) -> list[Subject]:
        """Every document that has been read."""
        return [entry.subject for entry in self.entries.values() if entry.subject is not None]

    def replace_subjects(self, replacements: Mapping[Subject, Subject]) -> None:
        """Let other subjects of the same texts stand for those there are."""
        for entry in self.entries.values():
            if entry.subject is not None:
                entry.subject = replacements[entry.subject]
        self._tell()

    # sides

    def choose(self, side: Side, key: int) -> None:
        """Put a document on a side; where it stands on the other side, the two change places."""
        if self.sides.get(side) == key:
            return
        if self.sides.get(side.other) == key:
            self.swap()
            return
        self._sides_were_chosen = True
        self.sides[side] = key
        self._tell()

    def swap(self) -> None:
        """Let the two texts change places."""
        self._sides_were_chosen = True
        self.sides = {side.other: key for side, key in self.sides.items()}
        self.sides_swapped.emit()
        self._tell()

    def entry_on(self, side: Side) -> Entry | None:
        """Return the document on a side."""
        return self.entries.get(self.sides.get(side, 0))

    def _choose_sides(self) -> None:
        """Leave on its side what was chosen and can stay there, and fill the sides that are empty then.

        Until somebody chooses, the first two documents without a problem stand side by side, in order.
        """
        usable = self._usable()
        self.sides = {
            side: key for side, key in self.sides.items() if self._sides_were_chosen and key in usable
        }
        self._fill_sides()

    def _fill_sides(self) -> None:
        """Give each empty side the first document that can stand there."""
        for side in Side:
            free = [key for key in self._usable() if key not in self.sides.values()]
            if side not in self.sides and free:
                self.sides = {**self.sides, side: free[0]}

    def _usable(self) -> list[int]:
        return [key for key, entry in self.entries.items() if entry.error is None]

    # what arrives

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
        entry.options, entry.asked = entry.asked or entry.options, None
        if entry.is_doubtful and not was_known:
            self._new_doubts.append(key)
        before = self.sides
        self._fill_sides()
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
        entry.asked = None
        self._arrived(key, before)

    def _arrived(self, key: int, sides_before: dict[Side, int]) -> None:
        """Tell at once of what is looked at, and of all others together: hundreds may come in a row."""
        done, total = self.reading_count
        if key in self.sides.values() or self.sides != sides_before or done == total:
            self._tell()
        elif not self._arrivals.isActive():
            self._arrivals.start()

    def _tell(self) -> None:
        self._arrivals.stop()
        self.changed.emit()
        done, total = self.reading_count
        if done == total and self._new_doubts:
            doubts = [key for key in self._new_doubts if key in self.entries]
            self._new_doubts.clear()
            if doubts:
                self.doubts_found.emit(doubts)


def _restored(key: int, file: SessionDocument) -> Entry:
    """Return the entry of a session's file; only what was not read yet is looked for at its place."""
    options = ReadingOptions(whole_page=file.whole_page)
    error = file.error
    if file.document is None and error is None and is_remote(str(file.path)):
        error = FileNotReadableError(file.path, cause=_UNREAD_REMOTE)
    return Entry(key, file.path, None if error else options, options, error=error, kept=file.document)


def is_remote(path: str) -> bool:
    """Return whether a path names another computer.

    Looking there would tell it who looks, and a session may come from anybody.
    """
    return path.startswith(("//", "\\\\"))

"""The library in the window: what it holds, and the work on it in the background."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QThreadPool, Signal

from simcompare.library.library_errors import LibraryError, NoLibraryError
from simcompare.library.tags import STUDENT, make_tag
from simcompare.model.errors import SimcompareError
from simcompare.ui.state.comparison_run import Task
from simcompare.ui.state.library.additions import (
    AdditionReceipt,
    AdditionTags,
    ClassToAdd,
    Tick,
    add_class,
    add_places,
)
from simcompare.ui.state.library.open_access import LibraryAccess

if TYPE_CHECKING:
    from simcompare.library.entries import LibraryFigures, StoredEntry
    from simcompare.library.listing import EntryGroup
    from simcompare.library.removing import RemovalProtocol
    from simcompare.library.search.search import LibraryHit
    from simcompare.model.document import Document

MOST_LISTED = 5_000
"""Entries that are listed of one group; the newest ones."""
_Contents = tuple["Sequence[EntryGroup]", "LibraryFigures", "Sequence[StoredEntry]"]
Work = Callable[[LibraryAccess], Any]
Use = Callable[[Any], object]


@dataclass(frozen=True, slots=True, eq=False)
class _LibraryRequest:
    access: LibraryAccess
    work: Work
    use: Use
    stop: Event


class LibraryState(QObject):
    """Runs all work on one library in two threads: one adds, the other one lists, searches and removes."""

    changed = Signal()
    """Groups, figures, listed entries, error or path."""
    adding_changed = Signal()
    added = Signal(object)
    """The AdditionReceipt of what was added, also after cancelling."""
    refused = Signal(object)
    """The SimcompareError of a request that changed nothing."""
    removed = Signal(object)
    """The RemovalProtocol of entries that were removed."""
    replaced = Signal()
    """Another file is the library now."""
    _done = Signal(object)
    _failed = Signal(object)
    _added = Signal(object)
    _adding_failed = Signal(object)
    _ticked = Signal(int, int)

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.groups: Sequence[EntryGroup] = ()
        self.figures: LibraryFigures | None = None
        """Size on the disk, with the log of recent changes."""
        self.entries: Sequence[StoredEntry] = ()
        self.group: EntryGroup | None = None
        """Group whose entries are listed; None: those of all groups."""
        self.error: LibraryError | None = None
        self.is_known = False
        """True if the library was looked into, or cannot be."""
        self.adding: tuple[int, int] | None = None
        """Numbers of documents done and of all while some are being added."""
        self._access = LibraryAccess(path)
        self._stop, self._stop_adding = Event(), Event()
        self._requests: deque[_LibraryRequest] = deque()
        self._requests_in_turn: deque[_LibraryRequest] = deque()
        """Those that wait for all others, as the user waits for these."""
        self._is_reading = False
        self._reader = QThreadPool(self, maxThreadCount=1)
        self._writer = QThreadPool(self, maxThreadCount=1)
        self._done.connect(self._deliver)
        self._failed.connect(self._fail_reading)
        self._added.connect(self._finish_adding)
        self._adding_failed.connect(self._fail_adding)
        self._ticked.connect(self._show_tick)

    @property
    def path(self) -> Path:
        """File of the library."""
        return self._access.path

    def use(self, path: Path) -> None:
        """Use the library in another file, which may be new. Only while nothing is being added."""
        self._ask(LibraryAccess.close, lambda _closed: None)
        self._access = LibraryAccess(path)
        self.groups, self.entries, self.group, self.figures = (), (), None, None
        self.error, self.is_known = None, False
        self.refresh()
        self.replaced.emit()

    # --- listing

    def refresh(self) -> None:
        """Look into the library again."""
        self._ask(partial(_contents, self.group), self._show_contents)

    def show_group(self, group: EntryGroup | None) -> None:
        """List the entries of a group, or of all."""
        if group != self.group:
            self.group = group
            self.refresh()

    def _show_contents(self, contents: _Contents) -> None:
        self.groups, self.figures, entries = contents
        values = None if self.group is None else self.group.values
        self.group = next((group for group in self.groups if group.values == values), None)
        self.error, self.is_known = None, True
        if values is not None and self.group is None:
            self.refresh()  # nothing is left of the group
            return
        self.entries = entries
        self.changed.emit()

    # --- adding

    def add_places(self, places: Sequence[Path], tags: AdditionTags) -> None:
        """Add files, the files in folders and archives, and the documents of sessions."""
        self._add(lambda access, stop, tick: add_places(access, places, tags, stop, tick))

    def add_class(self, school_class: ClassToAdd, tags: AdditionTags) -> None:
        """Add the essays of the class."""
        self._add(lambda access, stop, tick: add_class(access, school_class, tags, stop, tick))

    def _add(self, work: Callable[[LibraryAccess, Event, Tick], AdditionReceipt]) -> None:
        if self.adding is not None:
            raise RuntimeError("documents are being added already")
        self._stop_adding = stop = Event()
        self.adding = 0, 0
        # the work ends by itself when it is stopped, as it stores what was read
        task = partial(work, self._access, stop, self._ticked.emit)
        self._writer.start(Task(task, self._added, self._adding_failed, self._stop))
        self.adding_changed.emit()

    def cancel_adding(self) -> None:
        """Stop adding; what was read is stored, and `added` follows."""
        self._stop_adding.set()

    def _show_tick(self, done: int, total: int) -> None:
        if self.adding is not None:
            self.adding = done, total
            self.adding_changed.emit()

    def _finish_adding(self, receipt: AdditionReceipt | None) -> None:
        self.adding = None
        self.adding_changed.emit()
        if receipt is not None:
            self.added.emit(receipt)
            self.refresh()

    def _fail_adding(self, error: Exception) -> None:
        self.adding = None
        self.adding_changed.emit()
        self._fail(error)

    # --- requests that are answered

    def remove(self, ids: Collection[int]) -> None:
        """Remove entries for good; `removed` follows."""
        self._ask(partial(_remove, ids), self._finish_removing)

    def _finish_removing(self, protocol: RemovalProtocol) -> None:
        self.refresh()
        self.removed.emit(protocol)

    def entries_of_student(self, student: str, then: Callable[[Sequence[StoredEntry]], object]) -> None:
        """Find all entries of a student, of any class and year."""
        self._ask(partial(_entries_of_student, student), then)

    def restore(self, entry: int, then: Callable[[Document], object]) -> None:
        """Restore the document of an entry."""
        self._ask(partial(_restored, entry), then)

    def search_sentence(self, sentence: str, then: Callable[[Sequence[LibraryHit]], object]) -> None:
        """Search the entries that have a sentence, or one like it."""
        self._ask(partial(_hits_of_sentence, sentence), then)

    def ask_in_turn(self, work: Work, then: Use, stop: Event) -> None:
        """Do some work that may wait for all other requests, unless it is stopped before."""
        self._requests_in_turn.append(_LibraryRequest(self._access, work, then, stop))
        self._start_next()

    def _ask(self, work: Work, use: Use) -> None:
        """Do some work in the thread that reads, then use the result in the GUI thread."""
        self._requests.append(_LibraryRequest(self._access, work, use, self._stop))
        self._start_next()

    def _start_next(self) -> None:
        """Start the next request, unless one is being answered."""
        while not self._is_reading and (queue := self._requests or self._requests_in_turn):
            request = queue.popleft()
            if not request.stop.is_set():
                self._is_reading = True
                self._reader.start(Task(partial(_answer, request), self._done, self._failed, self._stop))

    def _deliver(self, answer: tuple[_LibraryRequest, Any] | None) -> None:
        self._is_reading = False
        self._start_next()
        if answer is not None and answer[0].access is self._access and not answer[0].stop.is_set():
            answer[0].use(answer[1])

    def _fail_reading(self, error: Exception) -> None:
        self._is_reading = False
        self._start_next()
        self._fail(error)

    def _fail(self, error: Exception) -> None:
        if isinstance(error, NoLibraryError):
            self.groups, self.entries, self.group, self.figures = (), (), None, None
            self.error, self.is_known = None, True
            self.changed.emit()
        elif isinstance(error, LibraryError) and not self.groups:
            self.error, self.is_known = error, True
            self.changed.emit()
        elif isinstance(error, SimcompareError):
            self.refused.emit(error)
        else:
            raise error

    def close(self) -> None:
        """Stop without further signals, once what was read so far is stored."""
        self._stop.set()
        self._stop_adding.set()
        for signal in (self._done, self._failed, self._added, self._adding_failed, self._ticked):
            signal.disconnect()
        self._writer.waitForDone()
        self._reader.waitForDone()
        self._access.close()


def _answer(request: _LibraryRequest) -> tuple[_LibraryRequest, Any]:
    return request, request.work(request.access)


def _contents(group: EntryGroup | None, access: LibraryAccess) -> _Contents:
    from simcompare.library.entries import library_figures  # noqa: PLC0415 - loads the database toolkit
    from simcompare.library.listing import entry_groups, newest_entries  # noqa: PLC0415

    library = access.library()
    return entry_groups(library), library_figures(library), newest_entries(library, group, MOST_LISTED)


def _remove(ids: Collection[int], access: LibraryAccess) -> RemovalProtocol:
    from simcompare.library.removing import remove_entries  # noqa: PLC0415 - loads the database toolkit

    return remove_entries(access.library(), ids)


def _entries_of_student(student: str, access: LibraryAccess) -> Sequence[StoredEntry]:
    from simcompare.library.entries import list_entries  # noqa: PLC0415 - loads the database toolkit

    return list_entries(access.library(), [make_tag(STUDENT, student)])


def _restored(entry: int, access: LibraryAccess) -> Document:
    from simcompare.library.entries import restored_document  # noqa: PLC0415 - loads the database toolkit

    library = access.library()
    with library.reading() as connection:
        return restored_document(library, connection, entry)


def _hits_of_sentence(sentence: str, access: LibraryAccess) -> Sequence[LibraryHit]:
    return access.search().search_sentence(sentence)

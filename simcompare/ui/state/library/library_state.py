"""The library in the window: what it holds, and the work on it in the background."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import date, datetime
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, SignalInstance

from simcompare.export.output_paths import is_one_of
from simcompare.library.library_errors import ExportNotSavedError, NoLibraryError
from simcompare.library.store.library_place import LibraryPlace
from simcompare.library.tags import STUDENT, UNTIL, make_tag
from simcompare.model.errors import SimcompareError
from simcompare.model.progress import Cancelled, stoppable
from simcompare.support.i18n import N_
from simcompare.ui.state.library.additions import (
    AdditionTags,
    ClassToAdd,
    LibraryAccess,
    LongWork,
    TickOf,
    Work,
    WorkKind,
    WorkProgress,
    add_class,
    add_places,
)
from simcompare.ui.state.task import Background

if TYPE_CHECKING:
    from simcompare.library.changes import RemovalProtocol
    from simcompare.library.entries import EntryGroup, LibraryFigures, StoredEntry
    from simcompare.library.search.search import LibraryHit
    from simcompare.library.transfer import ImportSummary
    from simcompare.model.document import Document


# ruff: noqa: PLC0415 - these load the database toolkit

MOST_LISTED = 5_000
"""Entries that are listed of one group; the newest ones."""
Contents = tuple["Sequence[EntryGroup]", "LibraryFigures", "Sequence[StoredEntry]"]
"""All groups, the size of the library, and the entries of one group or of all."""


def contents(group: EntryGroup | None, access: LibraryAccess) -> Contents:
    """List the groups, and the newest entries of one of them."""
    from simcompare.library.entries import entry_groups, library_figures, newest_entries

    library = access.library()
    groups = entry_groups(library, _today())
    return groups, library_figures(library), newest_entries(library, group, MOST_LISTED)


def removed(ids: Collection[int], access: LibraryAccess) -> RemovalProtocol:
    from simcompare.library.changes import remove_entries

    return remove_entries(access.library(), ids)


def retained(group: EntryGroup, until: date | None, access: LibraryAccess) -> Sequence[StoredEntry]:
    """Set or remove the last day of all entries of a group."""
    from simcompare.library.entries import change_tags, entries_of_group, retain

    library = access.library()
    entries = entries_of_group(library, group)
    if not entries:  # another program removed them
        return []
    if until is None:
        return change_tags(library, entries, [], removed_names=[UNTIL])
    return retain(library, entries, [], until)


def expired(access: LibraryAccess) -> Sequence[StoredEntry]:
    from simcompare.library.changes import expired_entries

    return expired_entries(access.library(), _today())


def _today() -> date:
    return datetime.now().astimezone().date()


def entries_of_student(student: str, access: LibraryAccess) -> Sequence[StoredEntry]:
    from simcompare.library.entries import list_entries

    return list_entries(access.library(), [make_tag(STUDENT, student)])


def restored(entry: int, access: LibraryAccess) -> Document:
    from simcompare.library.entries import restored_document

    library = access.library()
    with library.reading() as connection:
        return restored_document(library, connection, entry)


def hits_of_sentence(sentence: str, access: LibraryAccess) -> Sequence[LibraryHit]:
    from simcompare.library.search.search import LibrarySearch

    return LibrarySearch(access.library()).search_sentence(sentence)


_OWN_FILE = N_("it is the library itself")


def export_to_file(
    access: LibraryAccess, path: Path, stop: Event, tick_of: TickOf
) -> tuple[Path, int | None]:
    """Export all entries; return the file, and the number of entries in it, None if it was cancelled.

    Raises ExportNotSavedError, LibraryError.
    """
    from simcompare.library.transfer import export_library

    if isinstance(access.place, Path) and path.exists() and is_one_of(path, [access.place]):
        raise ExportNotSavedError(path, cause=_OWN_FILE)
    tick = stoppable(tick_of(WorkKind.EXPORTING), stop)
    try:
        return path, export_library(access.library(), path, tick=tick)
    except Cancelled:
        return path, None


def import_from_file(
    access: LibraryAccess, path: Path, stop: Event, tick_of: TickOf
) -> tuple[Path, ImportSummary | None]:
    """Import the entries that the library does not have; the library is made if there is none.

    Return the file, and what was imported, None if it was cancelled. Nothing is imported of a file that is
    damaged anywhere. Raises FileNotReadableError, DamagedExportError, NewerExportError, LibraryError.
    """
    from simcompare.library.transfer import import_library, opened_export

    try:
        with opened_export(path) as export:
            submissions = export.submissions(stoppable(tick_of(WorkKind.CHECKING), stop))
            library = access.library(create=True)
            summary = import_library(library, export, submissions, tick_of(WorkKind.IMPORTING), stop)
    except Cancelled:
        return path, None
    return path, summary


Request = Callable[[LibraryAccess], Any]
Use = Callable[[Any], object]
Fail = Callable[[SimcompareError], object]


class LibraryState(QObject):
    """Runs all work on one library in two threads: one adds and transfers, the other one answers requests."""

    changed = Signal()
    """Groups, figures, listed entries, error or path."""
    work_changed = Signal()
    added = Signal(object)
    """The AdditionReceipt of what was added, also after cancelling."""
    exported = Signal(object)
    """The file, and the number of entries in it; None if the export was cancelled."""
    imported = Signal(object)
    """The file, and the ImportSummary; None if the import was cancelled."""
    refused = Signal(object)
    """The SimcompareError of a request that changed nothing."""
    removed = Signal(object)
    """The RemovalProtocol of entries that were removed."""
    retained = Signal(object, int)
    """The last day, a date or None, and the number of entries that have it now."""
    replaced = Signal()
    """Another file is the library now."""

    def __init__(self, place: LibraryPlace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.groups: Sequence[EntryGroup] = ()
        self.figures: LibraryFigures | None = None
        """Size on the disk, with the log of recent changes."""
        self.entries: Sequence[StoredEntry] = ()
        self.group: EntryGroup | None = None
        """Group whose entries are listed; None: those of all groups."""
        self.error: SimcompareError | None = None
        """Why the library could not be looked into; what was listed before stays."""
        self.is_missing = False
        """True if there is no file yet."""
        self.is_known = False
        """True if the library was looked into, or cannot be."""
        self.access = LibraryAccess(place)
        self._reader = Background(self)
        self._work = LongWork(self)
        self._work.changed.connect(self.work_changed)

    @property
    def place(self) -> LibraryPlace:
        return self.access.place

    @property
    def work(self) -> WorkProgress | None:
        return self._work.progress

    def use(self, place: LibraryPlace) -> None:
        """Use the library in another place, which may be empty. Only while `work` is None."""
        self.access.stop_connecting.set()
        self._ask(LibraryAccess.close, lambda _closed: None)
        self.access = LibraryAccess(place)
        self.groups, self.entries, self.group, self.figures = (), (), None, None
        self.error, self.is_known = None, False
        self.refresh()
        self.replaced.emit()

    # --- listing

    def refresh(self) -> None:
        self._ask(partial(contents, self.group), self._show_contents, self._show_error)

    def show_group(self, group: EntryGroup | None) -> None:
        if group != self.group:
            self.group = group
            self.refresh()

    def _show_contents(self, found: Contents) -> None:
        self.groups, self.figures, entries = found
        values = None if self.group is None else self.group.values
        self.group = next((group for group in self.groups if group.values == values), None)
        self.error, self.is_missing, self.is_known = None, False, True
        if values is not None and self.group is None:
            self.refresh()  # nothing is left of the group
            return
        self.entries = entries
        self.changed.emit()

    def _show_error(self, error: SimcompareError) -> None:
        if isinstance(error, NoLibraryError):
            self.groups, self.entries, self.group, self.figures = (), (), None, None
        self.is_missing = isinstance(error, NoLibraryError)
        self.error = None if self.is_missing else error
        self.is_known = True
        self.changed.emit()

    # --- long work

    def add_places(self, places: Sequence[Path], tags: AdditionTags) -> None:
        work = partial(add_places, self.access, places, tags)
        self._start_work(WorkKind.ADDING, work, self._told_by(self.added))

    def add_class(self, school_class: ClassToAdd, tags: AdditionTags) -> None:
        work = partial(add_class, self.access, school_class, tags)
        self._start_work(WorkKind.ADDING, work, self._told_by(self.added))

    def export_to(self, path: Path) -> None:
        work = partial(export_to_file, self.access, path)
        self._start_work(WorkKind.EXPORTING, work, self.exported.emit)

    def import_from(self, path: Path) -> None:
        work = partial(import_from_file, self.access, path)
        self._start_work(WorkKind.CHECKING, work, self._told_by(self.imported))

    def _start_work(self, kind: WorkKind, work: Work, use: Use) -> None:
        self._work.start(kind, work, use, self._fail_work)

    def cancel_work(self) -> None:
        self._work.cancel()

    def _told_by(self, signal: SignalInstance) -> Use:
        def tell(outcome: object) -> None:
            signal.emit(outcome)
            self.refresh()

        return tell

    def _fail_work(self, error: Exception) -> None:
        if not isinstance(error, SimcompareError):
            raise error
        self._refuse(error)

    # --- requests that are answered

    def remove(self, ids: Collection[int]) -> None:
        self._ask(partial(removed, ids), self._told_by(self.removed))

    def retain(self, group: EntryGroup, until: date | None) -> None:
        """Set the last day on which the entries of a group may be kept, or remove it; `retained` follows."""
        self._ask(partial(retained, group, until), partial(self._finish_retaining, until))

    def _finish_retaining(self, until: date | None, entries: Sequence[StoredEntry]) -> None:
        self.refresh()
        self.retained.emit(until, len(entries))

    def expired_entries(self, then: Callable[[Sequence[StoredEntry]], object]) -> None:
        self._ask(expired, then)

    def entries_of_student(self, student: str, then: Callable[[Sequence[StoredEntry]], object]) -> None:
        self._ask(partial(entries_of_student, student), then)

    def restore(self, entry: int, then: Callable[[Document], object]) -> None:
        self._ask(partial(restored, entry), then)

    def search_sentence(self, sentence: str, then: Callable[[Sequence[LibraryHit]], object]) -> None:
        """Search the entries that have a sentence, or one like it."""
        self._ask(partial(hits_of_sentence, sentence), then)

    def _ask(self, work: Request, use: Use, fail: Fail | None = None) -> None:
        """Do some work in the thread that reads, then use the result or the error in the GUI thread."""
        access = self.access

        def deliver(answer: Any) -> None:
            if access is self.access:
                (fail or self._refuse)(answer) if isinstance(answer, SimcompareError) else use(answer)

        self._reader.start(partial(_answer, work, access), deliver)

    def _refuse(self, error: SimcompareError) -> None:
        """Tell that something was not done, and whether the library can still be reached."""
        self.refused.emit(error)
        self.refresh()

    def close(self) -> None:
        """Stop without further signals, once what was read so far is stored."""
        self._reader.cancel()
        self._work.close()
        self._reader.close()
        self.access.close()


def _answer(request: Request, access: LibraryAccess) -> Any:
    """Return the result, or the error that the user can resolve."""
    try:
        return request(access)
    except SimcompareError as error:
        return error

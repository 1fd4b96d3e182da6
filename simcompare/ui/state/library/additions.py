"""Access to a library, work on it that takes long, and what is added: files, and the class in the window."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from simcompare.cohort.document_preparation import (
    PRELOADED,
    ClassListFoundError,
    lower_process_priority,
    submitted_files,
)
from simcompare.comparison.prepared_document import PreparedDocument, prepare_document
from simcompare.export.export_tasks import extend_pseudonyms
from simcompare.library.library_errors import ConnectionLostError, NoLibraryError, ServerUnavailableError
from simcompare.library.store.library_place import LibraryPlace
from simcompare.library.students import FileLabels, StudentNaming, file_labels, has_recognised, pseudonym_of
from simcompare.library.tags import STUDENT, Tag, make_tag
from simcompare.loading.extraction import DEFAULT_OPTIONS
from simcompare.loading.workers.isolation import ReaderPool
from simcompare.loading.workers.text_recognition import submit
from simcompare.model.document import Document
from simcompare.model.errors import FileError, SimcompareError
from simcompare.model.progress import Tick, throttled
from simcompare.pseudonyms.file_names import opening_of
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.pseudonyms.roster import read_students
from simcompare.pseudonyms.students import Student
from simcompare.session.session_data import FILE_SUFFIX
from simcompare.session.session_file import read_session
from simcompare.support.i18n import N_
from simcompare.ui.state.task import Background, Report

if TYPE_CHECKING:
    from simcompare.library.changes import NewEntry, SubmissionKey
    from simcompare.library.store.open_library import Library


class LibraryAccess:
    """One library for several threads.

    The database toolkit is loaded when the library is opened: loading it would make the start of the window a
    sixth slower.
    """

    def __init__(self, place: LibraryPlace) -> None:
        self.place = place
        self._lock = Lock()
        self._library: Library | None = None
        self.stop_connecting = Event()  # set: no longer wait for a server that does not answer

    def library(self, *, create: bool = False) -> Library:
        """Return the open library; with `create`, make it if the file is missing. Raises LibraryError."""
        if not create and isinstance(self.place, Path) and _is_missing(self.place):
            raise NoLibraryError(str(self.place))  # without loading the toolkit

        from simcompare.library.store.open_library import open_library  # noqa: PLC0415 - loads the toolkit

        with self._lock:
            if self._library is None:
                self._library = open_library(self.place, create=create, stop=self.stop_connecting)
            return self._library

    def close(self) -> None:
        """Close the library; the next call opens it again."""
        with self._lock:
            library, self._library = self._library, None
        if library is not None:
            library.close()


def _is_missing(path: Path) -> bool:
    """Check that there is no file; one in a folder that may not be read is for the toolkit to report."""
    try:
        return not path.exists()
    except OSError:
        return False


class WorkKind(Enum):
    """What is being done.

    COMPARING_FILES: it is found out which files are known. CHECKING: the file that will be imported is being
    checked. RECONNECTING: adding waits for the server.
    """

    COMPARING_FILES = auto()
    ADDING = auto()
    EXPORTING = auto()
    CHECKING = auto()
    IMPORTING = auto()
    RECONNECTING = auto()


@dataclass(frozen=True, slots=True)
class WorkProgress:
    """Numbers of documents done and of all; 0 of 0 before they are known."""

    kind: WorkKind
    done: int = 0
    total: int = 0


TickOf = Callable[[WorkKind], Tick]
"""Returns the function that reports the progress of one kind of work."""
Work = Callable[[Event, TickOf], object]
"""Is called with an event that is set to cancel the work."""


class LongWork(QObject):
    """Runs one work at a time in a thread of its own."""

    changed = Signal()
    _ticked = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.progress: WorkProgress | None = None
        """None while nothing is done."""
        self._stop = Event()
        self._background = Background(self)
        self._ticked.connect(self._show)

    def start(
        self,
        kind: WorkKind,
        work: Work,
        use: Callable[[Any], object],
        fail: Callable[[Exception], object],
    ) -> None:
        if self.progress is not None:
            raise RuntimeError("some work is being done already")
        self._stop = Event()
        report = Report(self._ticked)
        # the work ends by itself when it is cancelled, as it may have a result then as well
        task = partial(
            work, self._stop, lambda kind: throttled(lambda *count: report(WorkProgress(kind, *count)))
        )
        self._background.start(task, partial(self._finish, use), partial(self._finish, fail))
        self._show(WorkProgress(kind))

    def cancel(self) -> None:
        self._stop.set()

    def _show(self, progress: WorkProgress) -> None:
        self.progress = progress
        self.changed.emit()

    def _finish(self, tell: Callable[[Any], object], outcome: object) -> None:
        self.progress = None
        self.changed.emit()
        tell(outcome)

    def close(self) -> None:
        self._stop.set()
        self._ticked.disconnect()
        self._background.close()


_PAUSE_SECONDS = 2.0
_PATIENCE_SECONDS = 60.0
"""Time to wait for a server before the rest is given up."""


class ReconnectingAddition:
    """Adds documents as `add_entries` does.

    While a server cannot be reached, it tries again for a minute. A document whose transaction was lost is
    added again; one that was stored although the answer was lost is known then.
    """

    def __init__(
        self, access: LibraryAccess, entries: Iterator[NewEntry], stop: Event, tick_of: TickOf
    ) -> None:
        self._access, self._entries, self._stop, self._tick_of = access, entries, stop, tick_of
        self._pending: deque[NewEntry] = deque()
        """Taken from `entries`, and not known to be stored."""
        self.lost: list[NewEntry] | None = None
        """Those that were pending when the server was given up; None if it was not."""

    def numbers(self) -> Iterator[int | None]:
        """Yield the number of each entry, None for a known one; end early if the server is given up.

        Raises LibraryError, also if a server cannot be reached at the beginning.
        """
        from simcompare.library.changes import add_entries  # noqa: PLC0415 - loads the database toolkit

        library = self._access.library(create=True)
        stored: Counter[SubmissionKey] = Counter()
        give_up_at: float | None = None
        while True:
            entries = chain(list(self._pending), self._next_entries())
            try:
                for number in add_entries(library, entries, stored):
                    stored[self._pending.popleft().submission] += 1
                    give_up_at = None
                    yield number
            except (ConnectionLostError, ServerUnavailableError):
                give_up_at = give_up_at or time.monotonic() + _PATIENCE_SECONDS
                self._tick_of(WorkKind.RECONNECTING)(0, 0)
                if self._stop.wait(_PAUSE_SECONDS) or time.monotonic() >= give_up_at:
                    self.lost = list(self._pending)
                    return
            else:
                return

    def _next_entries(self) -> Iterator[NewEntry]:
        for new in self._entries:
            self._pending.append(new)
            yield new


_WORKERS = 2
_LOOK_FOR_CANCEL_SECONDS = 0.2
_NO_FILE = N_("nothing tells which file it was")
_NO_TEXT = N_("the session does not hold its text")


class NotAddedError(FileError):
    template = N_("{name} was not added: {cause}. Add its file instead.")


class NotStoredError(FileError):
    template = N_("{name} was not added, as the connection was lost. Add it again later.")


@dataclass(frozen=True, slots=True)
class AdditionTags:
    """Tags of all documents that are added, "" for none, and how their students are stored."""

    school_class: str = ""
    year: str = ""
    assignment: str = ""
    students: StudentNaming = StudentNaming.NAME


@dataclass(frozen=True, slots=True)
class ClassEssay:
    """An essay of the class in the window; student: name or "" if unknown."""

    prepared_document: PreparedDocument
    student: str


@dataclass(frozen=True, slots=True)
class ClassToAdd:
    essays: Sequence[ClassEssay]
    listed: Sequence[Student] = ()
    pseudonyms: Pseudonyms | None = None


@dataclass(slots=True)
class AdditionReceipt:
    """Numbers of documents added and known, the errors of the others, and names without a student.

    pseudonyms: those that were used, to be kept with the session. unnamed: files whose student is unknown,
    so that names in their texts stay. is_connection_lost: the connection to a server was lost for too long;
    all that was not stored is among the failed.
    """

    added: int = 0
    known: int = 0
    failed: list[SimcompareError] = field(default_factory=list)
    was_cancelled: bool = False
    pseudonyms: Pseudonyms | None = None
    unnamed: list[str] = field(default_factory=list)
    is_connection_lost: bool = False


def add_places(
    access: LibraryAccess, places: Sequence[Path], tags: AdditionTags, stop: Event, tick_of: TickOf
) -> AdditionReceipt:
    """Add the files of folders, archives and single paths, and the documents of sessions."""
    receipt = AdditionReceipt()
    sessions = [path for path in places if path.suffix.lower() == FILE_SUFFIX]
    others = [path for path in places if path not in sessions]
    with closing(_entries_of_places(access, others, sessions, tags, receipt, stop, tick_of)) as entries:
        return _added(access, entries, receipt, stop, tick_of)


def add_class(
    access: LibraryAccess, school_class: ClassToAdd, tags: AdditionTags, stop: Event, tick_of: TickOf
) -> AdditionReceipt:
    receipt = AdditionReceipt()
    with closing(_entries_of_class(school_class, tags, receipt, stop, tick_of(WorkKind.ADDING))) as entries:
        return _added(access, entries, receipt, stop, tick_of)


def _added(
    access: LibraryAccess,
    entries: Iterator[NewEntry],
    receipt: AdditionReceipt,
    stop: Event,
    tick_of: TickOf,
) -> AdditionReceipt:
    adding = ReconnectingAddition(access, entries, stop, tick_of)
    for number in adding.numbers():
        receipt.added += number is not None
        receipt.known += number is None
    receipt.was_cancelled = stop.is_set()
    if adding.lost is not None:
        receipt.failed += [NotStoredError(Path(str(new.columns["name"]))) for new in adding.lost]
        receipt.is_connection_lost = True
        list(entries)  # yields nothing any more, but notes the others
    return receipt


# places


def _entries_of_places(
    access: LibraryAccess,
    places: Sequence[Path],
    sessions: Sequence[Path],
    tags: AdditionTags,
    receipt: AdditionReceipt,
    stop: Event,
    tick_of: TickOf,
) -> Generator[NewEntry, None, None]:
    """Yield what is added; it ends early when it is cancelled, so that all that was read is stored."""
    from simcompare.library.changes import (  # noqa: PLC0415 - loads the database toolkit
        labelled,
        read_new_entry,
    )

    found = submitted_files(places)
    receipt.failed += [*map(ClassListFoundError, found.rosters), *found.refused]
    place = access.place
    own_files = {place, place.resolve()} if isinstance(place, Path) else set()
    files = [path for path in found.documents if own_files.isdisjoint((path, path.resolve()))]
    listed = [student for roster in found.rosters for student in read_students(roster)]
    labels = file_labels(files, places, _tags(tags, ""), tags.students, listed)
    paths = _unknown_files(access, labels, tags, stop, tick_of(WorkKind.COMPARING_FILES))
    receipt.known += len(files) - len(paths)
    stored = list(_documents_of(sessions, receipt))
    total, tick = len(paths) + len(stored), tick_of(WorkKind.ADDING)
    tick(0, total)
    with ReaderPool(_WORKERS, initializer=lower_process_priority, preload=PRELOADED) as pool:
        futures = [submit(pool, read_new_entry, path, (), options=DEFAULT_OPTIONS) for path in paths]
        for done, (path, future) in enumerate(zip(paths, futures, strict=True), start=1):
            if receipt.is_connection_lost:
                receipt.failed.append(NotStoredError(path))
                continue
            if not _is_ready(future, stop):
                return
            try:
                yield labelled(future.result(), labels[path])
            except SimcompareError as error:
                receipt.failed.append(error)
            tick(done, total)
    for done, (document, student) in enumerate(stored, start=len(paths) + 1):
        if receipt.is_connection_lost:
            receipt.failed.append(NotStoredError(document.path))
            continue
        if stop.is_set():
            return
        named = student if tags.students is StudentNaming.NAME else ""
        yield from _entry_of(document, _tags(tags, named), receipt)
        tick(done, total)


def _unknown_files(
    access: LibraryAccess, labels: Mapping[Path, FileLabels], tags: AdditionTags, stop: Event, tick: Tick
) -> list[Path]:
    """Return the files that the library may not have, by their hashes.

    Those that cannot be opened are among them, as reading them gives the error; all are if it is cancelled or
    the connection is lost, as adding skips what is known anyway.
    """
    # these load the database toolkit
    from simcompare.library.changes import (  # noqa: PLC0415
        submission_of,
        unknown_files,
    )

    submissions: dict[Path, SubmissionKey] = {}
    for done, (path, own_labels) in enumerate(labels.items(), start=1):
        if stop.is_set():
            return list(labels)
        with suppress(FileError):
            submissions[path] = submission_of(path, own_labels)
        tick(done, len(labels))
    is_recognised = has_recognised(_tags(tags, ""), tags.students)
    try:
        unknown = set(unknown_files([access.library()], submissions, students_recognised=is_recognised))
    except (ConnectionLostError, ServerUnavailableError):
        return list(labels)
    return [path for path in labels if path in unknown or path not in submissions]


def _is_ready(future: Future[NewEntry], stop: Event) -> bool:
    """Wait for a file; return False if it was cancelled before."""
    while not stop.is_set():
        if wait([future], _LOOK_FOR_CANCEL_SECONDS).done:
            return True
    return False


def _documents_of(sessions: Iterable[Path], receipt: AdditionReceipt) -> Iterator[tuple[Document, str]]:
    """Yield the compared documents of sessions and the names of their students; note what has no text."""
    for path in sessions:
        try:
            session = read_session(path)
        except SimcompareError as error:
            receipt.failed.append(error)
            continue
        school_class = session.school_class.arranged()
        names = {number: each.name for each in school_class.students for number in each.files}
        for number, held in enumerate(session.documents):
            if number in school_class.not_compared:
                continue
            if held.document is not None:
                yield held.document, names.get(number, "")
            else:
                receipt.failed.append(held.error or NotAddedError(held.path, cause=_NO_TEXT))


def _tags(tags: AdditionTags, student: str) -> list[Tag]:
    values = {"class": tags.school_class, "year": tags.year, "assignment": tags.assignment, STUDENT: student}
    return [make_tag(name, value) for name, value in values.items() if value.strip()]


def _entry_of(
    document: Document, tags: Sequence[Tag], receipt: AdditionReceipt
) -> Generator[NewEntry, None, None]:
    """Yield the entry of a document that was read before, or note why there is none."""
    from simcompare.library.changes import (  # noqa: PLC0415 - loads the database toolkit
        LIBRARY_RECIPE,
        make_new_entry,
    )

    if not document.sha256:
        receipt.failed.append(NotAddedError(document.path, cause=_NO_FILE))
        return
    try:
        yield make_new_entry(prepare_document(document, LIBRARY_RECIPE), tags)
    except SimcompareError as error:
        receipt.failed.append(error)


# class


def _entries_of_class(
    school_class: ClassToAdd, tags: AdditionTags, receipt: AdditionReceipt, stop: Event, tick: Tick
) -> Generator[NewEntry, None, None]:
    essays, total = list(school_class.essays), len(school_class.essays)
    tick(0, total)
    if tags.students is StudentNaming.PSEUDONYM:
        receipt.pseudonyms = _pseudonyms_for(school_class)
        known = receipt.pseudonyms.known_students([essay.prepared_document.document.path for essay in essays])
        receipt.unnamed = [student.path.name for student in known if not student.name]
    for done, essay in enumerate(essays, start=1):
        if receipt.is_connection_lost:
            receipt.failed.append(NotStoredError(essay.prepared_document.document.path))
            continue
        if stop.is_set():
            return
        document, student = essay.prepared_document.document, essay.student
        if receipt.pseudonyms is not None:
            document, student = _pseudonymised(essay, receipt.pseudonyms)
        elif tags.students is StudentNaming.NONE:
            student = ""
        yield from _entry_of(document, _tags(tags, student), receipt)
        tick(done, total)


def _pseudonyms_for(school_class: ClassToAdd) -> Pseudonyms:
    documents = [essay.prepared_document.document for essay in school_class.essays]
    openings = {document.path: opening_of(document) for document in documents}
    return extend_pseudonyms(openings, school_class.listed, school_class.pseudonyms)


def _pseudonymised(essay: ClassEssay, pseudonyms: Pseudonyms) -> tuple[Document, str]:
    """Return a document without names, and the pseudonym of its student, "" if the student is unknown.

    The pseudonym is the one that this computer gives the name in every class, so that everything of a student
    can be removed by name; within texts it is that of the session. The digest of the file stays: it tells
    whether the library knows the submission, and no name.
    """
    original = essay.prepared_document.document
    document = replace(
        pseudonyms.prepared_document(essay.prepared_document).document,
        sha256=original.sha256,
        size_bytes=original.size_bytes,
    )
    owner = pseudonyms.owner_of(original.path)
    assert owner is not None, "all files of the class have a pseudonym"
    name = essay.student or ("" if owner.student is None else "".join(owner.student.names[:1]))
    return document, pseudonym_of(name) if name else ""

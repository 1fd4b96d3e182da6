"""One document of the list, the watch on its file, and the background update of fingerprints."""

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from hashlib import blake2b
from itertools import chain, count
from pathlib import Path
from threading import Event, Thread

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from simcompare.comparison.prepared_document import PreparedDocument, with_recipe
from simcompare.loading.archive import bytes_of
from simcompare.loading.archive_members import file_on_disk
from simcompare.loading.extraction import DEFAULT_OPTIONS, PastedText, ReadingOptions
from simcompare.loading.workers.isolation import LONG_SECONDS
from simcompare.model.document import Document, DropReason
from simcompare.model.errors import FileError, FileNotReadableError, PasswordNeededError, SimcompareError
from simcompare.model.file_kinds import CLASS_LISTS, renamed, untitled_pattern
from simcompare.model.settings import UserWords
from simcompare.report.entry_words import OPENED_FOLDER, stored_student
from simcompare.session.session_data import SessionDocument
from simcompare.session.session_file import is_remote
from simcompare.support.atomic_file import ChangeStamp, change_stamp
from simcompare.support.i18n import N_
from simcompare.ui.state.task import Report

# Programs save in several steps (write a new file, delete the old one, rename): wait for the last one.
_QUIET_MS = 400


class FileState(StrEnum):
    """State of a file on disk, compared with what was read of it."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class KnownFile:
    """Content of a file as it was read. `stamp` was taken before; None if it was read elsewhere."""

    sha256: str
    stamp: ChangeStamp | None


_FileChecks = dict[Path, tuple[FileState, KnownFile]]


class FileWatch(QObject):
    """Checks files when the system reports a change, and when a window gets the focus.

    The check on focus is needed because network drives report no changes. Checks run in a thread, as a drive
    may be slow. Only a different SHA-256 is a change: a file saved again unchanged, or touched by a
    synchronising program, is the same. A file of a session that was never found on this computer is not
    reported as gone.
    """

    states_changed = Signal(object)
    """{path: FileState} of the files whose state changed."""
    _checked = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: dict[Path, KnownFile] = {}
        self._states: dict[Path, FileState] = {}
        self._is_checking = self._must_check_again = False
        self._stop = Event()
        self._watcher = QFileSystemWatcher(self)
        self._check_delay = QTimer(self, singleShot=True, interval=_QUIET_MS)
        self._check_delay.timeout.connect(self.check)
        self._watcher.fileChanged.connect(self._check_soon)
        self._watcher.directoryChanged.connect(self._check_soon)
        self._checked.connect(self._take)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.focusWindowChanged.connect(self._follow_focus)

    def watch(self, read: Mapping[Path, KnownFile]) -> None:
        """Watch exactly these files; each counts as unchanged until a check finds otherwise."""
        current = {path: known.sha256 for path, known in self._known.items()}
        if {path: known.sha256 for path, known in read.items()} == current:
            return
        changed = {path for path, known in read.items() if current.get(path) != known.sha256}
        self._known = {path: read[path] if path in changed else self._known[path] for path in read}
        self._states = {
            path: self._states[path] for path in read if path not in changed and path in self._states
        }
        self._watch_paths()
        self._check_soon()

    def check(self) -> None:
        """Check all files in the background; `states_changed` follows if a state changed."""
        if self._is_checking:
            self._must_check_again = True
        elif self._known:
            self._is_checking = True
            arguments = dict(self._known), self._stop, Report(self._checked)
            Thread(target=_check_files, args=arguments, name="file check", daemon=True).start()

    def close(self) -> None:
        """Stop without further signals, and without waiting for a drive that does not answer."""
        self._stop.set()
        self._check_delay.stop()
        self._known = {}
        self._checked.disconnect(self._take)

    def _check_soon(self) -> None:
        self._check_delay.start()

    def _follow_focus(self, window: object) -> None:
        if window is not None:
            self.check()

    def _watch_paths(self) -> None:
        """Watch files for writes, and their folders for replacements."""
        files = set(map(file_on_disk, self._known))
        wanted = {str(path) for path in files} | {str(path.parent) for path in files}
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if unwanted := watched - wanted:
            self._watcher.removePaths(list(unwanted))
        if missing := wanted - watched:
            self._watcher.addPaths(list(missing))

    def _take(self, checked: tuple[Mapping[Path, KnownFile], _FileChecks]) -> None:
        known, checks = checked
        self._is_checking = False
        changed: dict[Path, FileState] = {}
        for path, (state, seen) in checks.items():
            if self._known.get(path) is not known[path]:
                continue  # read again or removed meanwhile
            if state is FileState.GONE and seen.stamp is None and path not in self._states:
                continue  # never found here: the session may come from another computer
            self._known[path] = seen
            if state is not self._states.get(path, FileState.SAME):
                changed[path] = state
            self._states[path] = state
        self._watch_paths()  # Qt stops watching a file that is replaced
        if changed:
            self.states_changed.emit(changed)
        if self._must_check_again:
            self._must_check_again = False
            self.check()


def _check_files(known: Mapping[Path, KnownFile], stop: Event, report: Report) -> None:
    wanted = (file for file in known.items() if not stop.is_set())
    report((known, {file[0]: check for file in wanted if (check := check_file(*file)) is not None}))


def check_file(path: Path, known: KnownFile) -> tuple[FileState, KnownFile] | None:
    """Check one file; return its state and updated record, or None if it cannot be read now."""
    file = file_on_disk(path)
    stamp = change_stamp(file)
    if stamp is None:
        return FileState.GONE, known
    if stamp == known.stamp:
        return FileState.SAME, known
    try:
        sha256 = _sha256(path) if file == path else hashlib.sha256(bytes_of(path)).hexdigest()
    except OSError:
        return None  # locked by another program; the next check tries again
    except FileError:
        return FileState.GONE, known  # no longer in its archive
    if sha256 == known.sha256:
        return FileState.SAME, replace(known, stamp=stamp)
    return FileState.CHANGED, known


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


_UNREAD_REMOTE = N_("it is on another computer and was not read yet")


@dataclass(slots=True, eq=False)
class DocumentEntry:
    """File or pasted text in the list; the `path` of a pasted text is only its name.

    pending_options: those of a read under way; earlier results are kept until it ends. saved_document: text
    from a session, not prepared yet; saved_meanings: its vectors, or those of a text that is prepared again.
    stamp: of the file when it was read; file_state: its state since then. recognised_pages:
    (pages recognised, pages in total) during text recognition. is_essay: the user says that the file is no
    class list. reading_seconds: time that the last read took, None if unknown.
    """

    key: int
    path: Path
    pending_options: ReadingOptions | None = DEFAULT_OPTIONS
    options: ReadingOptions = DEFAULT_OPTIONS
    prepared_document: PreparedDocument | None = None
    error: SimcompareError | None = None
    saved_document: Document | None = None
    saved_meanings: bytes = b""
    pasted: PastedText | None = None
    stamp: ChangeStamp | None = None
    file_state: FileState = FileState.SAME
    recognised_pages: tuple[int, int] | None = None
    is_essay: bool = False
    reading_seconds: float | None = None
    _text_digest: tuple[Document, bytes] | None = field(default=None, init=False, repr=False)

    def rename(self, name: Path) -> None:
        self.path = name
        if self.saved_document is not None and self.saved_document.path != name:
            self.saved_document = renamed(self.saved_document, name)
        if self.prepared_document is not None and self.prepared_document.document.path != name:
            self.prepared_document = replace(
                self.prepared_document, document=renamed(self.prepared_document.document, name)
            )

    @property
    def document(self) -> Document | None:
        """Text that was read, prepared or not."""
        return self.prepared_document.document if self.prepared_document is not None else self.saved_document

    @property
    def kept_meanings(self) -> bytes:
        """Vectors of its sentences, if they are known."""
        known = self.prepared_document.kept_meanings if self.prepared_document is not None else b""
        return known or self.saved_meanings

    @property
    def has_meanings(self) -> bool:
        known = self.prepared_document
        return bool(self.saved_meanings) or (known is not None and known.prepared.meanings is not None)

    @property
    def is_opened_hit(self) -> bool:
        return self.path.parts[:1] == (OPENED_FOLDER,)

    @property
    def stored_student(self) -> str:
        return stored_student(self.path)

    @property
    def is_doubtful(self) -> bool:
        """True if the text may differ from what a reader of the file sees."""
        return self.prepared_document is not None and self.prepared_document.document.receipt.doubtful

    @property
    def is_locked(self) -> bool:
        return isinstance(self.error, PasswordNeededError)

    @property
    def has_result(self) -> bool:
        """True if reading has given a text or an error."""
        return self.prepared_document is not None or self.error is not None

    @property
    def may_be_class_list(self) -> bool:
        """True until it is known whether it is a class list."""
        is_unread = not self.has_result and self.saved_document is None
        return is_unread and not self.is_essay and self.path.suffix.lower().removeprefix(".") in CLASS_LISTS

    @property
    def took_long(self) -> bool:
        return self.reading_seconds is not None and self.reading_seconds > LONG_SECONDS

    @property
    def has_checkable_file(self) -> bool:
        """True if a local file can be checked: it was read here, or a session names its path."""
        return self.stamp is not None or (
            self.pasted is None and self.path.is_absolute() and not is_remote(str(self.path))
        )

    @property
    def is_part_of_page(self) -> bool:
        """True if it is a web page whose navigation was left out."""
        dropped = self.prepared_document.document.receipt.dropped if self.prepared_document else ()
        return any(part.reason is DropReason.NAVIGATION for part in dropped)

    @property
    def text_digest(self) -> bytes | None:
        """Digest of the text without white space, which differs between formats."""
        document = self.document
        if document is None:
            return None
        if self._text_digest is None or self._text_digest[0] is not document:
            letters = "".join(document.text.split())
            self._text_digest = document, blake2b(letters.encode("utf-8", "replace")).digest()
        return self._text_digest[1]

    def follow(self, recipe: str, own: UserWords | None, meaning: bool, is_source: bool) -> bool:
        """Schedule preparing again if the text was prepared otherwise; return whether it is to be prepared.

        One that only lacks vectors is read and compared without them until it has them.
        """
        known = self.prepared_document
        if known is not None:
            known = self.prepared_document = known.as_source(is_source)
        if known is None:
            return self.pending_options is not None
        is_same = (known.fingerprint.recipe_name, known.prepared.user_words) == (recipe, own)
        if not is_same or (known.prepared.meanings is not None) != meaning:
            self.saved_meanings = known.kept_meanings or self.saved_meanings
            if not (is_same and meaning):
                self.prepared_document = known.with_meanings(False) if is_same else None
            if (meaning or not is_same) and self.pending_options is None:
                self.saved_document, self.pending_options = known.document, self.options
        return self.pending_options is not None


def unused_name(title: str, taken: Collection[str]) -> Path:
    """Unused name for a text without a file: its title if it has one, numbered if taken."""
    # a path separator in the title would cut off all before it
    wanted = re.sub(r"[/\\]|(?<=^[A-Za-z]):", "-", " ".join(title.split())).strip(". ")
    numbered = wanted + " ({number})" if wanted else untitled_pattern()
    names = (numbered.format(number=number) for number in count(2 if wanted else 1))
    return Path(next(name for name in chain([wanted] if wanted else [], names) if name not in taken))


def restored_entry(key: int, file: SessionDocument) -> DocumentEntry:
    """Create the entry of a document of a session; its file is read only if the session holds no text."""
    options = ReadingOptions(whole_page=file.whole_page)
    error = file.error
    unread = file.document is None and error is None and file.pasted is None
    if unread and is_remote(str(file.path)):
        error = FileNotReadableError(file.path, cause=_UNREAD_REMOTE)
    pending_options = None if error else options
    return DocumentEntry(
        key,
        file.path,
        pending_options,
        options,
        error=error,
        saved_document=file.document,
        pasted=file.pasted,
        saved_meanings=file.meanings,
    )


class DuplicateKind(Enum):
    """Kind of duplicate: the same bytes, or the same text only."""

    FILE = "file"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Duplicate:
    key: int
    same_file: bool


def duplicate_kind(first: DocumentEntry, second: DocumentEntry) -> DuplicateKind | None:
    """Compare two documents; None if they differ. Pasted texts have no file, so only their text counts."""
    if first.document is None or second.document is None:
        return None
    if first.document.sha256 == second.document.sha256 and first.pasted is None and second.pasted is None:
        return DuplicateKind.FILE
    return DuplicateKind.TEXT if first.text_digest == second.text_digest else None


def find_duplicates(entries: Iterable[DocumentEntry]) -> dict[int, Duplicate]:
    """First earlier duplicate of each document that has one, by key."""
    duplicates: dict[int, Duplicate] = {}
    files: dict[str, DocumentEntry] = {}
    texts: dict[bytes, DocumentEntry] = {}
    for entry in entries:
        document, text_digest = entry.document, entry.text_digest
        if document is None or text_digest is None:
            continue
        first = files.setdefault(document.sha256, entry)
        first = first if first is not entry else texts.get(text_digest, entry)
        if first is not entry:
            duplicates[entry.key] = Duplicate(
                first.key, same_file=duplicate_kind(first, entry) is DuplicateKind.FILE
            )
        texts.setdefault(text_digest, entry)
    return duplicates


Replacements = Mapping[PreparedDocument, PreparedDocument]
"""New prepared document by old one."""


def with_recipe_for_all(prepared_documents: Sequence[PreparedDocument], recipe: str) -> Replacements:
    return {each: with_recipe(each, recipe, each.prepared.user_words) for each in prepared_documents}

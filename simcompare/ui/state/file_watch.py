"""Watch the loaded files on disk and report when their content differs from what was read."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from threading import Event, Thread

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from simcompare.loading.archive import bytes_of
from simcompare.loading.archive_members import file_on_disk
from simcompare.model.errors import FileError
from simcompare.support.atomic_file import ChangeStamp, change_stamp
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

"""Files on the disk, watched: whether each still holds what was read of it."""

import hashlib
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from simcompare.support.atomic_file import ChangeStamp, change_stamp

# Programs save in several steps: a new file is written, the old one removed, the new one renamed.
_QUIET_MS = 400


class FileState(StrEnum):
    """What a file holds now, beside what was read of it."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class KnownFile:
    """What was read of a file. `stamp` was taken before; None where it was read at another time."""

    sha256: str
    stamp: ChangeStamp | None


_Looks = dict[Path, tuple[FileState, KnownFile]]


class FileWatch(QObject):
    """Looks when the system tells of a change, and when a window gets the focus: network drives tell nothing.

    It looks in a thread of its own, as a drive may take long to answer. Only other bytes are a change: a
    file that was saved again as it was, or touched by a synchronising program, is the same. A file of a
    session that was never seen here is not missed.
    """

    found = Signal(object)
    """{path: FileState} of the files whose state is another than before."""
    _looked = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: dict[Path, KnownFile] = {}
        self._states: dict[Path, FileState] = {}
        self._is_looking = self._must_look_again = False
        self._watcher = QFileSystemWatcher(self)
        self._quiet = QTimer(self, singleShot=True, interval=_QUIET_MS)
        self._quiet.timeout.connect(self.look)
        self._watcher.fileChanged.connect(self._wait_for_quiet)
        self._watcher.directoryChanged.connect(self._wait_for_quiet)
        self._looked.connect(self._take)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.focusWindowChanged.connect(self._follow_focus)

    def watch(self, read: Mapping[Path, KnownFile]) -> None:
        """Watch these files and no others; each is what was read of it until something else is found."""
        current = {path: known.sha256 for path, known in self._known.items()}
        if {path: known.sha256 for path, known in read.items()} == current:
            return
        news = {path for path, known in read.items() if current.get(path) != known.sha256}
        self._known = {path: read[path] if path in news else self._known[path] for path in read}
        self._states = {
            path: self._states[path] for path in read if path not in news and path in self._states
        }
        self._watch_paths()
        self._wait_for_quiet()

    def look(self) -> None:
        """Look at all files in the background; `found` follows where something is new."""
        if self._is_looking:
            self._must_look_again = True
        elif self._known:
            self._is_looking = True
            threading.Thread(target=self._look, args=(dict(self._known),), daemon=True).start()

    def close(self) -> None:
        """Look no more and tell nothing; a drive that does not answer is not waited for."""
        self._quiet.stop()
        self._known = {}
        self._looked.disconnect(self._take)

    def _wait_for_quiet(self) -> None:
        self._quiet.start()

    def _follow_focus(self, window: object) -> None:
        if window is not None:
            self.look()

    def _watch_paths(self) -> None:
        """Watch files for what is written into them, and their folders for what takes their places."""
        wanted = {str(path) for path in self._known} | {str(path.parent) for path in self._known}
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if unwanted := watched - wanted:
            self._watcher.removePaths(list(unwanted))
        if missing := wanted - watched:
            self._watcher.addPaths(list(missing))

    def _look(self, known: dict[Path, KnownFile]) -> None:
        looks = {path: look for path, file in known.items() if (look := look_at(path, file)) is not None}
        with suppress(RuntimeError):  # the window was closed meanwhile, and this with it
            self._looked.emit(known, looks)

    def _take(self, known: dict[Path, KnownFile], looks: _Looks) -> None:
        self._is_looking = False
        news: dict[Path, FileState] = {}
        for path, (state, seen) in looks.items():
            if self._known.get(path) is not known[path]:
                continue  # it was read again or removed meanwhile
            if state is FileState.GONE and seen.stamp is None and path not in self._states:
                continue  # the session may be from another computer
            self._known[path] = seen
            if state is not self._states.get(path, FileState.SAME):
                news[path] = state
            self._states[path] = state
        self._watch_paths()  # a file that was replaced is watched no more
        if news:
            self.found.emit(news)
        if self._must_look_again:
            self._must_look_again = False
            self.look()


def look_at(path: Path, known: KnownFile) -> tuple[FileState, KnownFile] | None:
    """Return what has become of a file, and how it is known from now on; None where that cannot be told."""
    stamp = change_stamp(path)
    if stamp is None:
        return FileState.GONE, known
    if stamp == known.stamp:
        return FileState.SAME, known
    try:
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None  # another program holds it; it is looked at again
    if sha256 == known.sha256:
        return FileState.SAME, replace(known, stamp=stamp)
    return FileState.CHANGED, known

"""Access to a library, and work on it that takes long and can be cancelled, one at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from pathlib import Path
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from simcompare.library.library_errors import NoLibraryError
from simcompare.library.store.library_place import LibraryPlace
from simcompare.model.progress import Tick, throttled
from simcompare.ui.state.task import Background, Report

if TYPE_CHECKING:
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

"""List the files in folders and archives for the window, in the background if that may take long."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event

from PySide6.QtCore import QObject, QThreadPool, Signal

from simcompare.loading.file_listing import ListedFiles, list_files
from simcompare.ui.state.task import Task

# An archive is listed at about 400 MB/s; folders may be on a slow network.
_MOST_FILES_AT_ONCE, _MOST_BYTES_AT_ONCE = 20, 1_000_000

UseListed = Callable[[ListedFiles], object]


@dataclass(frozen=True, slots=True, eq=False)
class _Request:
    paths: Sequence[Path]
    use: UseListed
    stop: Event = field(default_factory=Event)


class PathListing(QObject):
    """Lists paths in the order of the requests. Few small files are listed at once."""

    changed = Signal()
    """Requests begin to wait, or are cancelled; `use` tells the end."""
    _listed = Signal(object)
    _failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: list[_Request] = []
        self._pool = QThreadPool(self, maxThreadCount=1)
        self._listed.connect(self._deliver)

    @property
    def is_busy(self) -> bool:
        """True if files are being listed."""
        return bool(self._waiting)

    def list(self, paths: Iterable[Path], use: UseListed) -> None:
        """Call `use` with the files at some paths, in the GUI thread."""
        request = _Request(tuple(paths), use)
        if not self._waiting and _is_quick(request.paths):
            use(list_files(request.paths))
            return
        self._waiting.append(request)
        self._pool.start(Task(partial(_list, request), self._listed, self._failed, request.stop))
        if len(self._waiting) == 1:
            self.changed.emit()

    def cancel(self) -> None:
        """Forget all requests."""
        for request in self._waiting:
            request.stop.set()
        if self._waiting:
            self._waiting.clear()
            self.changed.emit()

    def close(self) -> None:
        """Stop without further signals."""
        self._listed.disconnect()
        for request in self._waiting:
            request.stop.set()
        self._pool.waitForDone()

    def _deliver(self, found: tuple[_Request, ListedFiles] | None) -> None:
        if found is None or found[0].stop.is_set():
            return
        request, listed = found
        self._waiting.remove(request)
        request.use(listed)


def _is_quick(paths: Sequence[Path]) -> bool:
    return len(paths) <= _MOST_FILES_AT_ONCE and not any(map(_is_large, paths))


def _is_large(path: Path) -> bool:
    try:
        return path.is_dir() or path.stat().st_size > _MOST_BYTES_AT_ONCE
    except (OSError, ValueError):
        return False  # listed as it is; reading it gives the error


def _list(request: _Request) -> tuple[_Request, ListedFiles]:
    return request, list_files(request.paths)

"""Read files in worker processes, so that a file on which a reader hangs or crashes affects no other."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from simcompare.loading.archive import text_bytes
from simcompare.model.errors import (
    DamagedFileError,
    FileError,
    InstallationError,
    MemoryNeededError,
    ReadingStoppedError,
    ReadingTimeoutError,
    SimcompareError,
)
from simcompare.support.i18n import N_
from simcompare.support.workers.worker_pool import (
    MeasuredFuture,
    ProcessorTimeError,
    TaskIsLargeError,
    WorkerDiedError,
    WorkerError,
    WorkerPool,
    WorkerTimeoutError,
)
from simcompare.support.workers.worker_process import allowing_more_memory

Result = TypeVar("Result")

DEFAULT_TIMEOUT_SECONDS = 20.0
"""Processor time that a file is given."""
LARGE_BYTES = 4_000_000
"""Only one file with more text or markup than this is read at a time: 10 MB of text take up to 550 MB."""
# 10 MB of text reserve up to 490 MB more than a worker has before, pictures and text recognition more.
_LARGE_MEMORY_BYTES = 600_000_000
_MEMORY_BYTES = 750_000_000
LONG_SECONDS = 10.0
"""Files that took longer are named when all have been read."""

# Besides its processor time a file may wait this long: at a load of 14, readable files of 2 to 12 seconds
# of processor time took up to 80.
_MAX_WAITING_SECONDS = 160.0


class ReaderPool(WorkerPool):
    """Worker pool for functions that read a file; failures become errors of that file.

    `timeout_seconds` limits the processor time of a file.
    """

    def __init__(
        self,
        max_workers: int = 2,
        timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
        initializer: Callable[..., object] | None = None,
        initargs: tuple[Any, ...] = (),
        preload: str = "simcompare.loading.load",
    ) -> None:
        super().__init__(
            max_workers,
            timeout_seconds + _MAX_WAITING_SECONDS,
            expected=SimcompareError,
            preload=preload,
            initializer=initializer,
            initargs=initargs,
        )
        self._processor_seconds = timeout_seconds

    def submit(
        self,
        function: Callable[..., Result],
        path: Path,
        *args: object,
        timeout_seconds: float | None = None,
        is_large: bool | None = None,
    ) -> "MeasuredFuture[Result]":
        """Run `function(path, *args)` in a worker; it must be a top-level function of a module.

        The future has the result, or raises the SimcompareError of the function, ReadingTimeoutError, or
        DamagedFileError if the worker died. `cancel()` stops the function even while it runs.
        `timeout_seconds` replaces the limit of processor time. Of large files one is read at a time; if
        `is_large` is None, the worker looks at the size of the file.
        """
        seconds = self._processor_seconds if timeout_seconds is None else timeout_seconds
        read = {None: _read_unless_large, False: _read, True: _read_large}[is_large]
        return self.start(
            (read, function, path, *args),
            seconds + _MAX_WAITING_SECONDS,
            partial(file_error, path),
            seconds,
            is_long=seconds > DEFAULT_TIMEOUT_SECONDS,
            alone=(_read_large, function, path, *args),
            is_alone=is_large or False,
        )


def is_large_text(text: str) -> bool:
    """Return whether preparing a text needs as much memory as reading a large file."""
    return len(text.encode("utf-8", "surrogatepass")) > LARGE_BYTES


def _read_unless_large(function: Callable[..., Result], path: Path, *args: object) -> Result:
    if text_bytes(path) > LARGE_BYTES:
        raise TaskIsLargeError
    return _read(function, path, *args)


def _read_large(function: Callable[..., Result], path: Path, *args: object) -> Result:
    with allowing_more_memory(_LARGE_MEMORY_BYTES):
        return function(path, *args)


def _read(function: Callable[..., Result], path: Path, *args: object) -> Result:
    with allowing_more_memory(_MEMORY_BYTES):
        return function(path, *args)


def file_error(path: Path, error: WorkerError) -> FileError:
    """Convert the failure of a worker to an error of the file."""
    if isinstance(error, ProcessorTimeError):
        return ReadingTimeoutError(path, seconds=f"{error.seconds:g}")
    if isinstance(error, WorkerTimeoutError):
        return ReadingStoppedError(path, seconds=f"{error.seconds:g}")
    if not isinstance(error, WorkerDiedError):
        return InstallationError(path, cause=str(error))
    if error.out_of_memory:
        return MemoryNeededError(path)
    return DamagedFileError(path, cause=N_("the reader stopped unexpectedly"))

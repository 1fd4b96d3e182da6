"""Readers in child processes: one that hangs is stopped, one that dies costs only its own file."""

import multiprocessing
import os
import sys
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from simcompare.errors import DamagedFileError, FileError, ReadingTimeoutError, SimcompareError
from simcompare.i18n import N_

Result = TypeVar("Result")

DEFAULT_TIMEOUT_SECONDS = 20.0
_MEMORY_LIMIT_BYTES = 2 * 1024**3
# Readers in C leak a little: a worker is replaced after this many files.
_TASKS_PER_WORKER = 50
_OUT_OF_MEMORY_EXIT = 86


class ReaderPool:
    """Worker processes that read files, each within a time and a memory limit.

    Start it under `if __name__ == "__main__"`, as workers are spawned. `initializer` runs once in each
    worker, for instance to set the language of its messages.
    """

    def __init__(
        self,
        max_workers: int = 2,
        timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
        initializer: Callable[..., object] | None = None,
        initargs: tuple[Any, ...] = (),
    ) -> None:
        self.max_workers = max_workers
        self.timeout_seconds = timeout_seconds
        self._pool = ProcessPool(
            max_workers=max_workers,
            max_tasks=_TASKS_PER_WORKER,
            initializer=_start_worker,
            initargs=(initializer, initargs),
            context=multiprocessing.get_context("spawn"),
        )

    def submit(self, function: Callable[..., Result], path: Path, *args: object) -> "Future[Result]":
        """Run `function(path, *args)` in a worker; it must be a top-level function of a module.

        The future gives the result or raises the SimcompareError raised inside, ReadingTimeoutError, or
        DamagedFileError where the worker died. `cancel()` stops it even while it runs.
        """
        inner = self._pool.submit(_run, self.timeout_seconds, function, path, *args)
        return _ReadingFuture(inner, path, self.timeout_seconds)

    def warm(self, function: Callable[[], object]) -> None:
        """Start the workers now and let each call `function`, whose imports then are done."""
        for _worker in range(self.max_workers):
            self._pool.submit(function, None)

    def close(self) -> None:
        """Stop every worker at once, whatever it does; unfinished futures are cancelled."""
        self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _ReadingFuture(Future[Any]):
    """Follows the pool's own future and turns what can happen to a worker into a FileError."""

    def __init__(self, inner: "ProcessFuture[Any]", path: Path, timeout_seconds: float) -> None:
        super().__init__()
        self._inner = inner
        self._path = path
        self._timeout_seconds = timeout_seconds
        inner.add_done_callback(self._follow)

    def cancel(self) -> bool:
        """Stop the work, waiting or running; the callback of the pool's future does the rest."""
        return bool(self._inner.cancel())  # type: ignore[no-untyped-call]

    def running(self) -> bool:
        """Return whether a worker is at it."""
        return bool(self._inner.running())

    def _follow(self, inner: "Future[Any]") -> None:
        if inner.cancelled():
            super().cancel()
            self.set_running_or_notify_cancel()
            return
        self.set_running_or_notify_cancel()
        error = inner.exception()
        if error is None:
            self.set_result(inner.result())
        else:
            self.set_exception(self._file_error(error))

    def _file_error(self, error: BaseException) -> SimcompareError:
        if isinstance(error, SimcompareError):
            return error
        if isinstance(error, FutureTimeoutError):
            wrapped: FileError = ReadingTimeoutError(self._path, seconds=f"{self._timeout_seconds:g}")
        else:
            wrapped = DamagedFileError(self._path, cause=_cause(error))
        wrapped.__cause__ = error
        return wrapped


def _cause(error: BaseException) -> str:
    if not isinstance(error, ProcessExpired):
        return str(error) or type(error).__name__
    if error.exitcode == _OUT_OF_MEMORY_EXIT:
        return N_("it needs more memory than a file is given")
    return N_("the reader stopped unexpectedly")


def _run(function: Callable[..., Result], path: Path, *args: object) -> Result:
    try:
        return function(path, *args)
    except MemoryError:
        # What else failed in here is unknown: only a new process is sound.
        os._exit(_OUT_OF_MEMORY_EXIT)


def _start_worker(initializer: Callable[..., object] | None, initargs: tuple[Any, ...]) -> None:
    if sys.platform != "win32":
        _limit_memory()
    if initializer is not None:
        initializer(*initargs)


def _limit_memory() -> None:
    import resource  # noqa: PLC0415 - there is none on Windows

    _soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = _MEMORY_LIMIT_BYTES if hard == resource.RLIM_INFINITY else min(hard, _MEMORY_LIMIT_BYTES)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    except (ValueError, OSError):
        # macOS knows the limit and refuses to set it: the time limit remains.
        return

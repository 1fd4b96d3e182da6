"""Readers in child processes: one that hangs is stopped, one that dies costs only its own file."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from simcompare.loading.workers.reader_process import OUT_OF_MEMORY_EXIT, process_context, run, start_worker
from simcompare.model.errors import DamagedFileError, FileError, ReadingTimeoutError, SimcompareError
from simcompare.support.i18n import N_

Result = TypeVar("Result")

DEFAULT_TIMEOUT_SECONDS = 20.0
# Readers in C leak a little: a worker is replaced after this many files.
_TASKS_PER_WORKER = 50


class ReaderPool:
    """Worker processes that read files, each within a time and a memory limit.

    Start it under `if __name__ == "__main__"`, as workers import the program. `initializer` runs once in each
    worker, for instance to set the language of its messages. `preload` names a module that workers need.

    Files wait in a queue here; the process pool is given one for each worker that is free. A file that
    it was given costs a worker when it is cancelled, whether the worker had begun or not.
    """

    def __init__(
        self,
        max_workers: int = 2,
        timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS,
        initializer: Callable[..., object] | None = None,
        initargs: tuple[Any, ...] = (),
        preload: str = "simcompare.loading.load",
    ) -> None:
        self.max_workers = max_workers
        self.timeout_seconds = timeout_seconds
        self._pool = ProcessPool(
            max_workers=max_workers,
            max_tasks=_TASKS_PER_WORKER,
            initializer=start_worker,
            initargs=(dict(os.environ), initializer, initargs),
            context=process_context(preload),
        )
        # Guards what follows and every future's `inner`. No callback of a future runs under it.
        self._lock = threading.Lock()
        self._waiting: dict[_ReadingFuture, None] = {}
        self._handed_on: set[_ReadingFuture] = set()
        self._free_workers = max_workers
        self._closed = False

    def submit(
        self,
        function: Callable[..., Result],
        path: Path,
        *args: object,
        timeout_seconds: float | None = None,
    ) -> "Future[Result]":
        """Run `function(path, *args)` in a worker; it must be a top-level function of a module.

        The future gives the result or raises the SimcompareError raised inside, ReadingTimeoutError, or
        DamagedFileError where the worker died. `cancel()` stops it even while it runs. `timeout_seconds` is
        this task's own limit.
        """
        seconds = self.timeout_seconds if timeout_seconds is None else timeout_seconds
        future = _ReadingFuture(self._cancel, (function, path, *args), path, seconds)
        with self._lock:
            if self._closed:
                raise RuntimeError("The pool is closed")
            self._waiting[future] = None
        self._hand_on()
        return future

    def warm(self, function: Callable[[], object]) -> None:
        """Start the workers now and let each call `function`, whose imports then are done."""
        for _worker in range(self.max_workers):
            with self._lock:
                self._free_workers -= 1
            self._free_worker_after(function)

    def close(self) -> None:
        """Stop every worker at once, whatever it does; unfinished futures are cancelled."""
        with self._lock:
            self._closed = True
            unfinished = [*self._waiting, *self._handed_on]
        self._pool.stop()  # type: ignore[no-untyped-call]
        for future in unfinished:
            future.cancel()
        self._pool.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _hand_on(self) -> None:
        """Give the process pool the files that waited longest, one for each free worker."""
        while True:
            with self._lock:
                if self._closed or not self._waiting or self._free_workers <= 0:
                    return
                future = next(iter(self._waiting))
                del self._waiting[future]
                inner = self._begin(future)
            if isinstance(inner, RuntimeError):
                future.fail(inner)
            else:
                inner.add_done_callback(partial(self._end, future))

    def _begin(self, future: "_ReadingFuture") -> "ProcessFuture[Any] | RuntimeError":
        """Return the process pool's future, or its error where the pool broke down."""
        try:
            future.inner = self._pool.submit(run, future.timeout_seconds, *future.work)
        except RuntimeError as error:
            return error
        self._free_workers -= 1
        self._handed_on.add(future)
        return future.inner

    def _end(self, future: "_ReadingFuture", inner: "Future[Any]") -> None:
        with self._lock:
            self._handed_on.discard(future)
        if inner.cancelled() or isinstance(inner.exception(), (FutureTimeoutError, ProcessExpired)):
            # The worker dies. The next file waits here until there is another, and can be cancelled.
            self._free_worker_after(_nothing)
        else:
            self._free_worker()
        future.follow(inner)

    def _free_worker_after(self, function: Callable[[], object]) -> None:
        """Count a worker as free again when one has run `function`."""
        try:
            with self._lock:
                if self._closed:
                    return
                done = self._pool.submit(function, None)
        except RuntimeError:
            # The pool broke down; the files that wait are told so when they are handed on.
            self._free_worker()
            return
        done.add_done_callback(lambda _done: self._free_worker())

    def _free_worker(self) -> None:
        with self._lock:
            self._free_workers += 1
        self._hand_on()

    def _cancel(self, future: "_ReadingFuture") -> bool:
        with self._lock:
            waited = future in self._waiting
            self._waiting.pop(future, None)
            inner = future.inner
        if waited:
            future.give_up()
            return True
        return bool(inner.cancel()) if inner is not None else future.cancelled()  # type: ignore[no-untyped-call]


class _ReadingFuture(Future[Any]):
    """Waits for a worker, follows the process pool's own future, and gives its errors as a FileError."""

    def __init__(
        self,
        cancel: "Callable[[_ReadingFuture], bool]",
        work: tuple[Any, ...],
        path: Path,
        timeout_seconds: float,
    ) -> None:
        super().__init__()
        self.work = work
        self.inner: ProcessFuture[Any] | None = None
        self._cancel = cancel
        self._path = path
        self.timeout_seconds = timeout_seconds

    def cancel(self) -> bool:
        """Stop the work, waiting or running."""
        return self._cancel(self)

    def running(self) -> bool:
        """Return whether a worker is at it."""
        return self.inner is not None and bool(self.inner.running())

    def follow(self, inner: "Future[Any]") -> None:
        """Take over how the process pool's future ended."""
        if inner.cancelled():
            self.give_up()
            return
        error = inner.exception()
        if error is not None:
            self.fail(error)
            return
        self.set_running_or_notify_cancel()
        self.set_result(inner.result())

    def give_up(self) -> None:
        """Be cancelled; called once, where nothing else ends the future."""
        super().cancel()
        self.set_running_or_notify_cancel()

    def fail(self, error: BaseException) -> None:
        """End with an error, as that of the file."""
        self.set_running_or_notify_cancel()
        self.set_exception(self._file_error(error))

    def _file_error(self, error: BaseException) -> SimcompareError:
        if isinstance(error, SimcompareError):
            return error
        if isinstance(error, FutureTimeoutError):
            wrapped: FileError = ReadingTimeoutError(self._path, seconds=f"{self.timeout_seconds:g}")
        else:
            wrapped = DamagedFileError(self._path, cause=_cause(error))
        wrapped.__cause__ = error
        return wrapped


def _cause(error: BaseException) -> str:
    if not isinstance(error, ProcessExpired):
        return str(error) or type(error).__name__
    if error.exitcode == OUT_OF_MEMORY_EXIT:
        return N_("it needs more memory than a file is given")
    return N_("the reader stopped unexpectedly")


def _nothing() -> None:
    """Show that a worker is there."""

"""Run exports: workers for all of them; start the tasks of one, stop them, convert the errors of workers."""

from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event, Lock
from typing import Any, TypeVar

from simcompare.loading.workers.isolation import file_error
from simcompare.model.errors import ReportNotSavedError, SimcompareError
from simcompare.model.progress import Cancelled, Tick
from simcompare.report.cohort.report_bundle import error_in_words
from simcompare.support.i18n import N_, _
from simcompare.support.workers.worker_pool import WorkerError, WorkerPool

Result = TypeVar("Result")
BROKE_OFF = N_("making it broke off")
_WORKERS = 2
_PRELOADED = "simcompare.loading.load"
_MOST_SECONDS = 900.0
"""Time limit of a task; a report of 300 pages takes 15 seconds."""


class ExportWorkers:
    """Worker pool that starts with the first task and closes when the last holder releases it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._holders = 0
        self._pool: WorkerPool | None = None

    def hold(self) -> None:
        """Keep the pool open until `release`."""
        with self._lock:
            self._holders += 1

    def release(self) -> None:
        """Close the pool unless something else holds it; may take a moment."""
        with self._lock:
            self._holders -= 1
            pool = self._pool if not self._holders else None
            if pool is not None:
                self._pool = None
        if pool is not None:
            pool.close()

    def submit(self, function: Callable[..., Result], *args: object) -> "Future[Result]":
        """Run `function(*args)` in a worker; call `hold` first. Raises WorkerError."""
        with self._lock:
            if self._pool is None:
                self._pool = WorkerPool(_WORKERS, _MOST_SECONDS, expected=SimcompareError, preload=_PRELOADED)
            return self._pool.start((function, *args))


class ExportContext:
    """Workers, progress and stop flag of one export.

    The export runs in a background thread; `stop` may be called from another one.
    """

    def __init__(self, workers: ExportWorkers, tick: Tick) -> None:
        self.tick = tick
        self._workers = workers
        self._stop = Event()
        self._lock = Lock()
        self._futures: list[Future[Any]] = []

    @property
    def is_stopped(self) -> bool:
        """True if `stop` was called."""
        return self._stop.is_set()

    def stop(self) -> None:
        """End the export as soon as possible, without partly written files."""
        self._stop.set()
        with self._lock:
            for future in self._futures:
                future.cancel()

    def raise_if_stopped(self) -> None:
        """Raise Cancelled after `stop`."""
        if self.is_stopped:
            raise Cancelled

    def start(self, function: Callable[..., Result], *args: object) -> Callable[[], Result]:
        """Run `function(*args)` in a worker; return a function that waits for the result.

        That function raises the errors of `function`, WorkerError and Cancelled.
        """
        self.raise_if_stopped()
        future = self._workers.submit(function, *args)
        with self._lock:
            self._futures.append(future)
            if self.is_stopped:
                future.cancel()
        return partial(self._wait_for, future)

    def _wait_for(self, future: "Future[Result]") -> Result:
        try:
            return future.result()
        except CancelledError as error:
            raise Cancelled from error
        finally:
            with self._lock:
                self._futures.remove(future)  # a kept future would hold its result in memory


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """Work for a background thread, such as a preview; `key`: all that the result depends on."""

    key: Hashable
    make: Callable[[ExportContext], object] = field(compare=False, repr=False)


def failure_cause(error: Exception) -> str:
    return _(BROKE_OFF) if isinstance(error, WorkerError) else error_in_words(error)


@contextmanager
def worker_errors_as_not_saved(path: Path) -> Iterator[None]:
    """Raise ReportNotSavedError instead of a WorkerError."""
    try:
        yield
    except WorkerError as error:
        raise ReportNotSavedError(path, cause=BROKE_OFF) from error


def wait_for_file(path: Path, wait: Callable[[], Result]) -> Result:
    """Return the result of a task on one file. Raises FileError instead of a WorkerError."""
    try:
        return wait()
    except WorkerError as error:
        raise file_error(path, error) from error

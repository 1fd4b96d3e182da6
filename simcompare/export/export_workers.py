"""Reference-counted worker pool for reports, copies and previews."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import TypeVar

from simcompare.model.errors import SimcompareError
from simcompare.support.workers.worker_pool import WorkerPool

Result = TypeVar("Result")
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

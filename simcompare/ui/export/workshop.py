"""The processes that make reports, copies and previews: there while somebody needs them."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from threading import Lock
from typing import TypeVar

from simcompare.loading.isolation import ReaderPool

Result = TypeVar("Result")
_WORKERS = 2
_MOST_SECONDS = 900.0
"""Nothing takes so long: a report of 300 pages takes 15 seconds."""


class Workshop:
    """Starts its processes with the first work, and ends them once nobody holds it any more."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._holders = 0
        self._pool: ReaderPool | None = None

    def hold(self) -> None:
        """Keep the processes until `release`."""
        with self._lock:
            self._holders += 1

    def release(self) -> None:
        """End the processes where nobody else holds them; may take a moment."""
        with self._lock:
            self._holders -= 1
            pool = self._pool if not self._holders else None
            if pool is not None:
                self._pool = None
        if pool is not None:
            pool.close()

    def submit(self, function: Callable[..., Result], path: Path, *given: object) -> "Future[Result]":
        """Have `function(path, *given)` run; whoever asks holds the workshop. `cancel` stops it."""
        with self._lock:
            if self._pool is None:
                self._pool = ReaderPool(_WORKERS, timeout_seconds=_MOST_SECONDS)
            return self._pool.submit(function, path, *given)

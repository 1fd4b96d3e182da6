"""Reference-counted worker pool for reports, copies and previews."""

import io
import pickle
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from simcompare.model.errors import SimcompareError
from simcompare.support.worker_pool import WorkerPool

Result = TypeVar("Result")
_WORKERS = 2
_PRELOADED = "simcompare.loading.load"
_MOST_SECONDS = 900.0
"""A report of 300 pages takes 15 seconds."""


class Workshop:
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

    def submit(self, function: Callable[..., Result], path: Path, *given: object) -> "Future[Result]":
        """Run `function(path, *given)` in a worker; call `hold` first. Raises WorkerError."""
        with self._lock:
            if self._pool is None:
                self._pool = WorkerPool(_WORKERS, _MOST_SECONDS, expected=SimcompareError, preload=_PRELOADED)
            return self._pool.start((function, path, *given))


_PROTOCOL = 5


def parcel(value: object) -> bytes:
    """Return a value as bytes; may take a while, and other threads have their turns in between."""
    parts = _Parts()
    pickle.Pickler(parts, _PROTOCOL).dump(value)
    return b"".join(parts.all)


def unpacked(packed: bytes) -> Any:
    """Return the value that `parcel` packed; other threads have their turns in between, too."""
    return pickle.Unpickler(_Reading(packed)).load()


class _Parts:
    """A file in memory. Pickle writes it in frames, and lets go of the interpreter at each call of `write`.

    `pickle.dumps` holds it to the end: 100 ms for two texts of 3,000 sentences.
    """

    def __init__(self) -> None:
        self.all: list[bytes] = []

    def write(self, data: Any) -> int:
        """Keep a part; it may be a view of memory that changes later."""
        self.all.append(bytes(data))
        return len(self.all[-1])


class _Reading(io.BytesIO):
    """A file in memory of which pickle reads frame by frame, by methods that let go of the interpreter."""

    def read(self, size: int | None = -1) -> bytes:
        """Return the next bytes."""
        return super().read(size)

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer with the next bytes."""
        return super().readinto(buffer)

    def readline(self, size: int | None = -1) -> bytes:
        """Return the next line."""
        return super().readline(size)

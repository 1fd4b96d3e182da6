"""Read files in worker processes, so that a file on which a reader hangs or crashes affects no other."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from simcompare.model.errors import DamagedFileError, FileError, ReadingTimeoutError, SimcompareError
from simcompare.support.i18n import N_
from simcompare.support.worker_pool import WorkerDiedError, WorkerError, WorkerPool, WorkerTimeoutError

Result = TypeVar("Result")

DEFAULT_TIMEOUT_SECONDS = 20.0


class ReaderPool(WorkerPool):
    """Worker pool for functions that read a file; failures become errors of that file."""

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
            timeout_seconds,
            expected=SimcompareError,
            preload=preload,
            initializer=initializer,
            initargs=initargs,
        )

    def submit(
        self,
        function: Callable[..., Result],
        path: Path,
        *args: object,
        timeout_seconds: float | None = None,
    ) -> "Future[Result]":
        """Run `function(path, *args)` in a worker; it must be a top-level function of a module.

        The future has the result, or raises the SimcompareError of the function, ReadingTimeoutError, or
        DamagedFileError if the worker died. `cancel()` stops the function even while it runs.
        """
        return self.start((function, path, *args), timeout_seconds, partial(file_error, path))


def file_error(path: Path, error: WorkerError) -> FileError:
    """Convert the failure of a worker to an error of the file."""
    if isinstance(error, WorkerTimeoutError):
        return ReadingTimeoutError(path, seconds=f"{error.seconds:g}")
    if not isinstance(error, WorkerDiedError):
        return DamagedFileError(path, cause=str(error))
    if error.out_of_memory:
        return DamagedFileError(path, cause=N_("it needs more memory than a file is given"))
    return DamagedFileError(path, cause=N_("the reader stopped unexpectedly"))

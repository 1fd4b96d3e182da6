"""What a process that reads files does for itself: how it starts, its memory, its silence, its end."""

import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import Any, TypeVar

Result = TypeVar("Result")

_MEMORY_LIMIT_BYTES = 2 * 1024**3
OUT_OF_MEMORY_EXIT = 86
"""The exit code of a process that needed more memory than it may have."""


def run(function: Callable[..., Result], path: Path, *args: object) -> Result:
    """Return what `function(path, *args)` returns, or raise what it raises, if that can leave the process.

    Where memory ran out, the process ends with OUT_OF_MEMORY_EXIT.
    """
    try:
        return function(path, *args)
    except Exception as error:
        if not isinstance(error, MemoryError):
            raise
    except BaseException as error:
        # Rust code panics where Python has no memory for its results. No process can take such an error.
        if type(error).__name__ != "PanicException":
            raise
    # What else failed in here is unknown: only a new process is sound.
    os._exit(OUT_OF_MEMORY_EXIT)


def process_context(preload: str) -> BaseContext:
    """Return how workers start: as new programs, on Linux as copies of a process that has `preload` imported.

    A copy is there in a third of the time, and shares the memory of what is loaded. On macOS libraries do not
    bear to be copied. The first pool's module is the one that counts.
    """
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["simcompare.loading.workers.reader_server", preload])
    return context


def start_worker(
    environment: dict[str, str], initializer: Callable[..., object] | None, initargs: tuple[Any, ...]
) -> None:
    """Give a new process its environment and its limit of memory, keep libraries quiet, and begin."""
    os.environ.clear()  # a copy has the environment in which the first pool was made
    os.environ.update(environment)
    _quiet_libraries()
    if sys.platform != "win32":
        _limit_memory(_MEMORY_LIMIT_BYTES)
    if initializer is not None:
        initializer(*initargs)


def _quiet_libraries() -> None:
    """Keep what libraries print about a broken file off the terminal; Python's own messages go there.

    The future says what went wrong with the file.
    """
    if sys.stderr is None:  # a window without a terminal
        return
    try:
        terminal = os.dup(2)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)
    except OSError:
        return
    encoding, errors = sys.stderr.encoding, sys.stderr.errors
    sys.stderr = os.fdopen(terminal, "w", 1, encoding=encoding, errors=errors, closefd=False)


@contextmanager
def allowing_memory(limit_bytes: int) -> Iterator[None]:
    """Give what runs within another limit of memory than a file has; where there is none, none."""
    if sys.platform == "win32":
        yield
        return
    import resource  # noqa: PLC0415 - there is none on Windows

    usual, _hard = resource.getrlimit(resource.RLIMIT_AS)
    if usual != resource.RLIM_INFINITY:
        _limit_memory(limit_bytes)
    try:
        yield
    finally:
        if usual != resource.RLIM_INFINITY:
            _limit_memory(usual)


def _limit_memory(limit_bytes: int) -> None:
    import resource  # noqa: PLC0415 - there is none on Windows

    _soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = limit_bytes if hard == resource.RLIM_INFINITY else min(hard, limit_bytes)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    except (ValueError, OSError):
        # macOS knows the limit and refuses to set it: the time limit remains.
        return

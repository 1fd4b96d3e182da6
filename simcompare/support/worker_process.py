"""Worker processes: start method, memory limit, redirected library output, exit when memory runs out."""

import gc
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from multiprocessing.context import BaseContext
from multiprocessing.util import get_temp_dir
from pathlib import Path
from typing import Any, TypeVar

from simcompare.support.processor_time import exit_after
from simcompare.support.unfinished_files import record_unfinished

Result = TypeVar("Result")

_MEMORY_LIMIT_BYTES = 2 * 1024**3
# Collecting cyclic garbage every 700 objects takes a tenth of the time of loading a PDF file.
_OBJECTS_BETWEEN_COLLECTIONS = 20_000
OUT_OF_MEMORY_EXIT = 86
"""Exit code of a process that reached its memory limit."""


def run(function: Callable[..., Result], *args: object) -> Result:
    """Call a function; its errors pass through, unless they cannot be pickled.

    When memory runs out, the process ends with OUT_OF_MEMORY_EXIT.
    """
    try:
        return function(*args)
    except Exception as error:
        if not isinstance(error, MemoryError):
            raise
    except BaseException as error:
        # Rust code panics if Python has no memory for its results; a PanicException cannot be pickled.
        if type(error).__name__ != "PanicException":
            raise
    # Whatever else failed for lack of memory is unknown, so the process cannot be used again.
    os._exit(OUT_OF_MEMORY_EXIT)


@dataclass(frozen=True, slots=True)
class MeasuredCall:
    """Outcome of a call: its result or expected error, and the processor time it used in seconds."""

    result: Any
    error: Exception | None
    processor_seconds: float


def run_measured(
    expected: type[Exception],
    limit_seconds: float | None,
    function: Callable[..., object],
    *args: object,
) -> MeasuredCall:
    """Call a function like `run`, and measure its processor time with that of the programs it starts.

    Errors other than `expected` are raised. The process ends if it uses more processor time than the limit.
    """
    began = _processor_seconds()
    result, raised = None, None
    with nullcontext() if limit_seconds is None else exit_after(limit_seconds):
        try:
            result = run(function, *args)
        except expected as error:
            raised = error
    return MeasuredCall(result, raised, _processor_seconds() - began)


def _processor_seconds() -> float:
    """Return the processor time used by this process and by the programs it has run."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def process_context(preload: str) -> BaseContext:
    """Return the start method of workers: on Linux forked from a server that imported `preload`, else spawn.

    Forking takes a third of the time and shares the memory of loaded modules. On macOS, libraries do not
    survive a fork. The server is started once per program, with the module of the first pool.
    """
    if sys.platform != "linux":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["simcompare.support.forkserver_preload", preload])
    if multiprocessing.parent_process() is None:
        record_unfinished(Path(get_temp_dir()))  # of the sockets of the server
    return context


def start_worker(
    environment: dict[str, str], initializer: Callable[..., object] | None, initargs: tuple[Any, ...]
) -> None:
    """Set up a new worker: environment, quiet libraries, memory, garbage, then `initializer(*initargs)`."""
    os.environ.clear()  # a forked worker has the environment in which the first pool was made
    os.environ.update(environment)
    _quiet_libraries()
    gc.freeze()  # the modules stay: collections need not look at them
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    if sys.platform != "win32":
        _limit_memory(_MEMORY_LIMIT_BYTES)
    if initializer is not None:
        initializer(*initargs)


def _quiet_libraries() -> None:
    """Discard what libraries write to file descriptor 2; Python's own stderr still reaches the terminal.

    Nothing is lost: the error of the future describes the failure.
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
    """Replace the memory limit of this process, if it has one, for the duration of the block."""
    if sys.platform == "win32":
        yield
        return
    import resource  # noqa: PLC0415 - not available on Windows

    usual, _hard = resource.getrlimit(resource.RLIMIT_AS)
    if usual != resource.RLIM_INFINITY:
        _limit_memory(limit_bytes)
    try:
        yield
    finally:
        if usual != resource.RLIM_INFINITY:
            _limit_memory(usual)


def _limit_memory(limit_bytes: int) -> None:
    import resource  # noqa: PLC0415 - not available on Windows

    _soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = limit_bytes if hard == resource.RLIM_INFINITY else min(hard, limit_bytes)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    except (ValueError, OSError):
        # macOS refuses to set this limit; the time limit remains
        return

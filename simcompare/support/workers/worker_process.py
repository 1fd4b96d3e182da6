"""Worker processes: start method, memory limit, redirected library output, exit when memory runs out."""

import ctypes
import gc
import multiprocessing
import os
import pickle
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from mmap import ACCESS_COPY, mmap
from multiprocessing import connection, util
from multiprocessing.context import BaseContext
from multiprocessing.util import get_temp_dir
from pathlib import Path
from tempfile import TemporaryFile
from threading import RLock
from typing import Any, NamedTuple, TypeVar

from simcompare.support.atomic_file import record_unfinished
from simcompare.support.clock import exit_after
from simcompare.support.interrupts import interrupts_blocked

_LARGE_BYTES = 2_000_000
# Numbers begin at multiples of their size.
_ALIGNMENT = 64


@dataclass(slots=True)
class PackedResult:
    """A pickled object, and the bytes of its large arrays."""

    pickled: bytes
    arrays: list[bytes]

    def unpacked(self) -> Any:
        """Return the object; its large arrays can be changed like others."""
        return pickle.loads(self.pickled, buffers=_mapped(self.arrays) if self.arrays else ())


NOTHING = PackedResult(b"", [])


def packed(value: object) -> PackedResult:
    large: list[pickle.PickleBuffer] = []

    def is_in_pickle(buffer: pickle.PickleBuffer) -> bool:
        if buffer.raw().nbytes < _LARGE_BYTES:
            return True
        large.append(buffer)
        return False

    pickled = pickle.dumps(value, pickle.HIGHEST_PROTOCOL, buffer_callback=is_in_pickle)
    return PackedResult(pickled, [bytes(buffer.raw()) for buffer in large])


def _mapped(arrays: Sequence[bytes]) -> Sequence[memoryview | bytearray]:
    """Write arrays to a nameless file, and map it; keep them in memory if there is no room on the disk."""
    places: list[tuple[int, int]] = []
    try:
        with TemporaryFile() as file:
            for array in arrays:
                begin = file.seek(-(-file.tell() // _ALIGNMENT) * _ALIGNMENT)
                file.write(array)
                places.append((begin, file.tell()))
            file.flush()
            whole = memoryview(mmap(file.fileno(), 0, access=ACCESS_COPY))
    except OSError:
        return [bytearray(array) for array in arrays]
    return [whole[begin:end] for begin, end in places]


Result = TypeVar("Result")

_MEMORY_LIMIT_BYTES = 2 * 1024**3
# Collecting cyclic garbage every 700 objects takes a tenth of the time of loading a PDF file.
_OBJECTS_BETWEEN_COLLECTIONS = 20_000
# A worker that has read ordinary files has 150 MB, most of it shared.
_GROWN_BYTES = 200_000_000
# The path of a Unix socket has at most 107 bytes; multiprocessing appends /pymp-xxxxxxxx/listener-xxxxxxxx.
_LONGEST_SOCKET_FOLDER_BYTES = 107 - 32
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


@dataclass(slots=True)
class MeasuredCall:
    """Outcome of a call: its result or its error, and the processor time it used in seconds."""

    result: PackedResult
    error: Exception | None
    processor_seconds: float

    def take_result(self) -> Any:
        """Return the result; a second call finds none."""
        result, self.result = self.result, NOTHING
        value = result.unpacked()
        if result.arrays:
            del result
            _return_free_memory()
        return value

    def __reduce__(self) -> tuple[Any, ...]:
        # Pebble keeps the outcome until the worker has done its next task.
        result, self.result = self.result, NOTHING
        return MeasuredCall, (result, self.error, self.processor_seconds)


def run_measured(
    expected: tuple[type[Exception], ...],
    limit_seconds: float | None,
    function: Callable[..., object],
    *args: object,
) -> MeasuredCall:
    """Call a function like `run`, and measure its processor time with that of the programs it starts.

    Memory that the call leaves unused is given back to the system. Errors other than `expected` are raised.
    The process ends if it uses more processor time than the limit.
    """
    began = _processor_seconds()
    result, raised = NOTHING, None
    with nullcontext() if limit_seconds is None else exit_after(limit_seconds):
        try:
            result = run(lambda: packed(function(*args)))
        except expected as error:
            # without what it refers to, as it is kept until the next task
            raised = error.with_traceback(None)
            raised.__cause__ = raised.__context__ = None
    if sys.platform == "linux" and _memory_bytes().resident > _GROWN_BYTES:
        gc.collect()
        _return_free_memory()
    return MeasuredCall(result, raised, _processor_seconds() - began)


def _return_free_memory() -> None:
    """Return free memory to the system: the C library keeps several hundred MB after a large file."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # not in every C library
        if trim is not None:
            trim(0)


class _Memory(NamedTuple):
    """Memory of a process in bytes: its address space, and the part of it that is in use."""

    reserved: int
    resident: int


def _memory_bytes() -> _Memory:
    """Return the memory of this process (Linux)."""
    pages = Path("/proc/self/statm").read_text("ascii").split()
    size = os.sysconf("SC_PAGE_SIZE")
    return _Memory(int(pages[0]) * size, int(pages[1]) * size)


def _processor_seconds() -> float:
    """Return the processor time used by this process and by the programs it has run."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def process_context(preload: str) -> BaseContext:
    """Return the start method of workers: on Linux forked from a server that imported `preload`, else spawn.

    Forking takes a third of the time and shares the memory of loaded modules. On macOS, libraries do not
    survive a fork. The server is started once per program, with the module of the first pool. Its socket is
    in the folder for temporary files; where that has too long a path, workers are spawned, too.
    """
    if sys.platform != "linux" or len(os.fsencode(tempfile.gettempdir())) > _LONGEST_SOCKET_FOLDER_BYTES:
        _poll_in_turn("spawn_win32" if sys.platform == "win32" else "spawn_posix")
        return multiprocessing.get_context("spawn")
    _poll_in_turn("forkserver")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["simcompare.support.workers.forkserver_preload", preload])
    if multiprocessing.parent_process() is None:
        record_unfinished(Path(get_temp_dir()))  # of the sockets of the server
    return context


def fork_server_here(preload: str) -> None:
    """Start the server of `process_context` as a fork of this process, which loads `preload` for both.

    Nothing is done but on Linux, and if there are other threads, whose locks nobody would unlock in a fork.
    """
    is_possible = process_context(preload).get_start_method() == "forkserver"
    if not is_possible or threading.active_count() > 1:
        return
    changed: Any = util
    usual = changed.spawnv_passfds
    with interrupts_blocked():  # the fork would print a traceback of its own
        import_module("pebble")
        import_module(preload)
        changed.spawnv_passfds = _fork_instead
        try:
            import_module("multiprocessing.forkserver").ensure_running()  # not on Windows
        finally:
            changed.spawnv_passfds = usual


def _fork_instead(_program: bytes, arguments: Sequence[str], descriptors: Sequence[int]) -> int:
    """Run the Python code that ends the arguments in a fork with these file descriptors only."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.flush()
    process = os.fork()
    if process:
        return process
    try:
        kept = {0, 1, 2, *descriptors}
        for descriptor in [int(path.name) for path in Path("/proc/self/fd").iterdir()]:
            if descriptor not in kept:
                with suppress(OSError):
                    os.close(descriptor)
        exec(arguments[-1], {})  # what multiprocessing would have another Python run
    finally:
        os._exit(0)


_polling = RLock()


@cache
def _poll_in_turn(kind: str) -> None:
    """Have processes polled and closed by one thread at a time.

    Python polls all processes when it starts one, and Pebble's threads poll theirs. A poll could read from a
    descriptor that another thread had closed and that belonged to a new process by then: the start of that
    one waited for ever. Two polls of one process at a time gave it the exit code 255.
    """
    popen: Any = import_module(f"multiprocessing.popen_{kind}").Popen
    popen.poll, popen.close = _in_turn(popen.poll), _in_turn(popen.close)


def _in_turn(method: Callable[..., Result]) -> Callable[..., Result]:
    def call(popen: Any, *flag: int) -> Result:
        if 0 in flag:  # wait for the end, during which other threads may poll
            connection.wait([popen.sentinel])
        with _polling:
            return method(popen, *flag)

    return call


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


@contextmanager
def allowing_more_memory(more_bytes: int) -> Iterator[None]:
    """Limit the memory of this process to what it has now and this much more, for the duration of the block.

    Libraries reserve memory for each processor of the machine, which no fixed limit allows for.
    """
    if sys.platform != "linux":
        yield
        return
    with allowing_memory(_memory_bytes().reserved + more_bytes):
        yield


def _limit_memory(limit_bytes: int) -> None:
    import resource  # noqa: PLC0415 - not available on Windows

    _soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = limit_bytes if hard == resource.RLIM_INFINITY else min(hard, limit_bytes)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    except (ValueError, OSError):
        # macOS refuses to set this limit; the time limit remains
        return

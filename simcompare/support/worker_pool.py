"""Pool of worker processes whose tasks can be killed and are limited in time and memory."""

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from functools import partial
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

from pebble import ProcessExpired, ProcessFuture, ProcessPool

from simcompare.support.processor_time import is_out_of_time
from simcompare.support.worker_process import (
    OUT_OF_MEMORY_EXIT,
    MeasuredCall,
    process_context,
    run_measured,
    start_worker,
)

Result = TypeVar("Result")

# Libraries in C leak a little: a worker is replaced after this many tasks.
_TASKS_PER_WORKER = 50

# Tasks that run longer than this are overtaken: others get spare workers. Most files take a tenth of it.
_SLOW_SECONDS = 3.0
_MOST_SPARE_WORKERS = 2


class WorkerError(Exception):
    """A task has no result: it ran too long, its process died, or it raised an unexpected error."""


class WorkerTimeoutError(WorkerError):
    """A task exceeded its time limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no result within {seconds:g} seconds")
        self.seconds = seconds


class ProcessorTimeError(WorkerError):
    """A task used more processor time than it is given."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no result within {seconds:g} seconds of processor time")
        self.seconds = seconds


class WorkerDiedError(WorkerError):
    """The process of a task ended, at its memory limit or by a crash."""

    def __init__(self, *, out_of_memory: bool = False) -> None:
        super().__init__("out of memory" if out_of_memory else "the process ended")
        self.out_of_memory = out_of_memory


class MeasuredFuture(Future[Result]):
    """Future of a task that runs in workers.

    seconds_used: once it is done, its processor time in seconds; of a task whose worker died or was stopped,
    the time since it began; None if that is unknown.
    """

    seconds_used: float | None = None


class WorkerPool:
    """Worker processes that call functions, each call within a time and a memory limit.

    Start it under `if __name__ == "__main__"`, as workers import the program. `initializer` runs once in
    each worker, for instance to set the language of its messages. `preload` names a module that workers
    need. Errors of the class `expected` are raised unchanged, all others as WorkerError.

    Tasks wait in a queue here; the process pool receives one for each free worker. Cancelling a task that
    the process pool has received ends a worker, whether or not the worker had begun it.

    While all workers are busy, up to two of them for long, the tasks that wait are given to as many spare
    workers, in a process pool of their own. Tasks known to be long wait for a worker all the same.
    """

    def __init__(
        self,
        max_workers: int,
        timeout_seconds: float,
        *,
        expected: type[Exception],
        preload: str,
        initializer: Callable[..., object] | None = None,
        initargs: tuple[Any, ...] = (),
    ) -> None:
        self.max_workers = max_workers
        self.timeout_seconds = timeout_seconds
        self._expected = expected
        self._make_pool = partial(
            ProcessPool,
            max_tasks=_TASKS_PER_WORKER,
            initializer=start_worker,
            initargs=(dict(os.environ), initializer, initargs),
            context=process_context(preload),
        )
        self._pool = self._make_pool(max_workers=max_workers)
        self._spare_pool: ProcessPool | None = None
        # Guards the attributes below and every future's `inner`; not held while callbacks of futures run.
        self._lock = threading.Lock()
        self._waiting: dict[_TaskFuture, None] = {}
        self._handed_on: set[_TaskFuture] = set()
        self._overtaking: set[_TaskFuture] = set()
        """Tasks handed on to spare workers."""
        self._free_workers = max_workers
        self._next_look: threading.Timer | None = None
        self._closed = False

    def start(
        self,
        work: tuple[Any, ...],
        timeout_seconds: float | None = None,
        converted: Callable[[WorkerError], Exception] | None = None,
        processor_seconds: float | None = None,
        *,
        is_long: bool = False,
    ) -> "MeasuredFuture[Any]":
        """Run `function(*args)` in a worker, given as `(function, *args)`; it must be a top-level function.

        The future has the result, or raises the `expected` error of the function or a WorkerError, which
        `converted` may turn into another error. `cancel()` stops the task even while it runs.
        `timeout_seconds` replaces the time limit of the pool; `processor_seconds` is a limit of processor
        time besides. A task that `is_long` overtakes no other.
        """
        limits = _TimeLimits(
            self.timeout_seconds if timeout_seconds is None else timeout_seconds, processor_seconds, is_long
        )
        future = _TaskFuture(self._cancel, work, limits, self._expected, converted)
        with self._lock:
            if self._closed:
                raise RuntimeError("The pool is closed")
            self._waiting[future] = None
        self._hand_on()
        return future

    def warm(self, function: Callable[[], object]) -> None:
        """Start all workers now and have each of them call `function`, for its imports."""
        for _worker in range(self.max_workers):
            with self._lock:
                self._free_workers -= 1
            self._free_worker_after(function)

    def close(self) -> None:
        """Kill all workers; unfinished futures are cancelled."""
        with self._lock:
            self._closed = True
            unfinished = [*self._waiting, *self._handed_on, *self._overtaking]
            if self._next_look is not None:
                self._next_look.cancel()
        pools = [pool for pool in (self._pool, self._spare_pool) if pool is not None]
        for pool in pools:
            pool.stop()  # type: ignore[no-untyped-call]
        for future in unfinished:
            future.cancel()
        for pool in pools:
            pool.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _hand_on(self) -> None:
        """Give the process pool the tasks that waited longest, one for each free worker."""
        while True:
            with self._lock:
                if self._closed or not self._waiting:
                    return
                overtakes = self._free_workers <= 0
                future = self._next_overtaking() if overtakes else next(iter(self._waiting))
                if future is None:
                    self._look_again()
                    return
                del self._waiting[future]
                inner = self._begin(future, overtakes)
            if isinstance(inner, RuntimeError):
                future.fail(inner)
            else:
                inner.add_done_callback(partial(self._end, future))

    def _next_overtaking(self) -> "_TaskFuture | None":
        """Return the task to give to a spare worker, if there is one for it."""
        slow_since = time.monotonic() - _SLOW_SECONDS
        slow = sum(each.began <= slow_since for each in self._handed_on)
        if len(self._overtaking) >= min(slow, _MOST_SPARE_WORKERS):
            return None
        return next((each for each in self._waiting if not each.limits.is_long), None)

    def _look_again(self) -> None:
        """Hand on tasks later, as a running one may be slow by then."""
        if self._next_look is None:
            self._next_look = threading.Timer(_SLOW_SECONDS, self._look)
            self._next_look.daemon = True
            self._next_look.start()

    def _look(self) -> None:
        with self._lock:
            self._next_look = None
        self._hand_on()

    def _begin(self, future: "_TaskFuture", overtakes: bool) -> "ProcessFuture[Any] | RuntimeError":
        """Return the process pool's future, or its error if the pool broke down."""
        pool = self._pool
        if overtakes:
            pool = self._spare_pool = self._spare_pool or self._make_pool(max_workers=_MOST_SPARE_WORKERS)
        try:
            future.inner = pool.submit(*future.call(), *future.work)
        except RuntimeError as error:
            return error
        future.began = time.monotonic()
        if overtakes:
            self._overtaking.add(future)
        else:
            self._free_workers -= 1
            self._handed_on.add(future)
        return future.inner

    def _end(self, future: "_TaskFuture", inner: "Future[Any]") -> None:
        with self._lock:
            overtook = future in self._overtaking
            self._overtaking.discard(future)
            self._handed_on.discard(future)
        if overtook:
            self._hand_on()
        elif inner.cancelled() or isinstance(inner.exception(), (FutureTimeoutError, ProcessExpired)):
            # The worker dies. The next task waits here until there is another, and can be cancelled.
            self._free_worker_after(_prove_alive)
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
            # The pool broke down; waiting tasks fail when they are handed on.
            self._free_worker()
            return
        done.add_done_callback(lambda _done: self._free_worker())

    def _free_worker(self) -> None:
        with self._lock:
            self._free_workers += 1
        self._hand_on()

    def _cancel(self, future: "_TaskFuture") -> bool:
        with self._lock:
            waited = future in self._waiting
            self._waiting.pop(future, None)
            inner = future.inner
        if waited:
            future.cancel_now()
            return True
        return bool(inner.cancel()) if inner is not None else future.cancelled()  # type: ignore[no-untyped-call]


class _TimeLimits(NamedTuple):
    """Limits of a task in seconds: of time, and of processor time if any; whether it is known to be long."""

    seconds: float
    processor_seconds: float | None
    is_long: bool


class _TaskFuture(MeasuredFuture[Any]):
    """Future of a task: waits for a worker, then follows the process pool's own future."""

    def __init__(
        self,
        cancel: "Callable[[_TaskFuture], bool]",
        work: tuple[Any, ...],
        limits: _TimeLimits,
        expected: type[Exception],
        converted: Callable[[WorkerError], Exception] | None,
    ) -> None:
        super().__init__()
        self.work = work
        self.limits = limits
        self.began = 0.0
        self.inner: ProcessFuture[Any] | None = None
        self._cancel = cancel
        self._expected = expected
        self._converted = converted

    def call(self) -> tuple[Any, ...]:
        """Return the first arguments of the process pool's `submit`; those of `work` follow."""
        seconds, processor_seconds, _is_long = self.limits
        return run_measured, seconds, self._expected, processor_seconds

    def cancel(self) -> bool:
        """Stop the task, waiting or running."""
        return self._cancel(self)

    def running(self) -> bool:
        """Return whether a worker runs the task."""
        return self.inner is not None and bool(self.inner.running())

    def follow(self, inner: "Future[Any]") -> None:
        """Take over the outcome of the process pool's future."""
        if inner.cancelled():
            self.cancel_now()
            return
        error = inner.exception()
        if error is not None:
            self.seconds_used = self._seconds_until(error)
            self.fail(error)
            return
        call: MeasuredCall = inner.result()
        self.seconds_used = call.processor_seconds
        if call.error is not None:
            self.fail(call.error)
            return
        self.set_running_or_notify_cancel()
        self.set_result(call.result)

    def _seconds_until(self, error: BaseException) -> float | None:
        """Return the time that a task took until its worker ended."""
        if not isinstance(error, (FutureTimeoutError, ProcessExpired)):
            return None
        since_begin = time.monotonic() - self.began
        limit = self.limits.processor_seconds
        is_at_limit = isinstance(error, ProcessExpired) and is_out_of_time(error.exitcode)
        return limit if is_at_limit else since_begin

    def cancel_now(self) -> None:
        """Set the state to cancelled; called once, if nothing else ends the future."""
        super().cancel()
        self.set_running_or_notify_cancel()

    def fail(self, error: BaseException) -> None:
        """End with an expected error, or with a WorkerError."""
        self.set_running_or_notify_cancel()
        if isinstance(error, self._expected):
            self.set_exception(error)
            return
        wrapped = _worker_error(error, self.limits)
        raised = self._converted(wrapped) if self._converted else wrapped
        raised.__cause__ = error
        self.set_exception(raised)


def _worker_error(error: BaseException, limits: _TimeLimits) -> WorkerError:
    if isinstance(error, FutureTimeoutError):
        return WorkerTimeoutError(limits.seconds)
    if isinstance(error, ProcessExpired):
        if limits.processor_seconds is not None and is_out_of_time(error.exitcode):
            return ProcessorTimeError(limits.processor_seconds)
        return WorkerDiedError(out_of_memory=error.exitcode == OUT_OF_MEMORY_EXIT)
    return WorkerError(str(error) or type(error).__name__)


def _prove_alive() -> None:
    """No-op task that proves that a worker is alive."""

"""Pool of worker processes whose tasks can be killed and are limited in time and memory."""

import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from itertools import chain, count
from operator import attrgetter
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from simcompare.support.workers.worker_process import process_context, start_worker
from simcompare.support.workers.worker_tasks import (
    MeasuredFuture,
    TaskFuture,
    TimeLimits,
    WorkerError,
    has_ended_worker,
)

if TYPE_CHECKING:
    from pebble import ProcessFuture, ProcessPool

_number = attrgetter("number")
# Libraries in C leak a little: a worker is replaced after this many tasks.
_TASKS_PER_WORKER = 50

# Tasks that run longer than this are overtaken: others get spare workers. Most files take a tenth of it.
_SLOW_SECONDS = 3.0
_MOST_SPARE_WORKERS = 2


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
        self._initargs = (dict(os.environ), initializer, initargs)
        self._context = process_context(preload)
        self._pool: ProcessPool | None = None
        """Made with the first task: the window makes two pools before it is shown."""
        self._spare_pool: ProcessPool | None = None
        # Guards the attributes below and every future's `inner`; not held while callbacks of futures run.
        self._lock = threading.Lock()
        self._waiting: dict[TaskFuture, None] = {}
        self._handed_on: set[TaskFuture] = set()
        self._overtaking: set[TaskFuture] = set()
        """Tasks handed on to spare workers."""
        self._numbers = count()
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
        alone: tuple[Any, ...] | None = None,
        is_alone: bool = False,
    ) -> "MeasuredFuture[Any]":
        """Run `function(*args)` in a worker, given as `(function, *args)`; it must be a top-level function.

        The future has the result, or raises the `expected` error of the function or a WorkerError, which
        `converted` may turn into another error. `cancel()` stops the task even while it runs.
        `timeout_seconds` replaces the time limit of the pool; `processor_seconds` is a limit of processor
        time besides. A task that `is_long` overtakes no other. If it raises TaskIsLargeError, `alone` is run
        instead of it while no other such task runs; with `is_alone` this is known from the beginning.
        """
        limits = TimeLimits(
            self.timeout_seconds if timeout_seconds is None else timeout_seconds, processor_seconds, is_long
        )
        future = TaskFuture(self._cancel, work, alone, limits, self._expected, converted)
        future.is_alone = is_alone
        with self._lock:
            future.number = next(self._numbers)
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
                future = self._next_overtaking() if overtakes else next(self._ready(), None)
                if future is None:
                    if overtakes:
                        self._look_again()
                    return
                del self._waiting[future]
                inner = self._begin(future, overtakes)
            if isinstance(inner, RuntimeError):
                future.fail(inner)
            else:
                inner.add_done_callback(partial(self._end, future))

    def _next_overtaking(self) -> "TaskFuture | None":
        """Return the task to give to a spare worker, if there is one for it."""
        slow_since = time.monotonic() - _SLOW_SECONDS
        slow = sum(each.began <= slow_since for each in self._handed_on)
        if len(self._overtaking) >= min(slow, _MOST_SPARE_WORKERS):
            return None
        return next((each for each in self._ready() if not each.limits.is_long), None)

    def _ready(self) -> "Iterator[TaskFuture]":
        """Yield the waiting tasks that may begin, in order."""
        running = chain(self._handed_on, self._overtaking)
        one_is_alone = any(each.is_alone for each in running)
        return (each for each in self._waiting if not (one_is_alone and each.is_alone))

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

    def _begin(self, future: "TaskFuture", overtakes: bool) -> "ProcessFuture[Any] | RuntimeError":
        """Return the process pool's future, or its error if the pool broke down."""
        if overtakes:
            pool = self._spare_pool = self._spare_pool or self._make_pool(_MOST_SPARE_WORKERS)
        else:
            pool = self._main_pool()
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

    def _main_pool(self) -> "ProcessPool":
        if self._pool is None:
            self._pool = self._make_pool(self.max_workers)
        return self._pool

    def _make_pool(self, max_workers: int) -> "ProcessPool":
        from pebble import ProcessPool  # noqa: PLC0415 - loads asyncio and ssl

        return ProcessPool(
            max_workers,
            max_tasks=_TASKS_PER_WORKER,
            initializer=start_worker,
            initargs=self._initargs,
            context=self._context,
        )

    def _end(self, future: "TaskFuture", inner: "Future[Any]") -> None:
        with self._lock:
            overtook = future in self._overtaking
            self._overtaking.discard(future)
            self._handed_on.discard(future)
            waits_again = not self._closed and future.becomes_alone(inner)
            if waits_again:
                self._waiting = dict.fromkeys(sorted([future, *self._waiting], key=_number))
        if overtook:
            self._hand_on()
        elif inner.cancelled() or has_ended_worker(inner.exception()):
            # The worker dies. The next task waits here until there is another, and can be cancelled.
            self._free_worker_after(_prove_alive)
        else:
            self._free_worker()
        if not waits_again:
            future.follow(inner)

    def _free_worker_after(self, function: Callable[[], object]) -> None:
        """Count a worker as free again when one has run `function`."""
        try:
            with self._lock:
                if self._closed:
                    return
                done = self._main_pool().submit(function, None)
        except RuntimeError:
            # The pool broke down; waiting tasks fail when they are handed on.
            self._free_worker()
            return
        done.add_done_callback(lambda _done: self._free_worker())

    def _free_worker(self) -> None:
        with self._lock:
            self._free_workers += 1
        self._hand_on()

    def _cancel(self, future: "TaskFuture") -> bool:
        with self._lock:
            waited = future in self._waiting
            self._waiting.pop(future, None)
            inner = future.inner
        if waited:
            future.cancel_now()
            return True
        return bool(inner.cancel()) if inner is not None else future.cancelled()  # type: ignore[no-untyped-call]


def _prove_alive() -> None:
    """No-op task that proves that a worker is alive."""

"""Pool of worker processes that can be stopped, and what runs in them."""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from functools import partial
from itertools import count
from operator import attrgetter
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeVar
from weakref import proxy

from simcompare.support.clock import is_out_of_time
from simcompare.support.i18n import N_
from simcompare.support.workers.worker_process import (
    OUT_OF_MEMORY_EXIT,
    MeasuredCall,
    process_context,
    run_measured,
    start_worker,
)

if TYPE_CHECKING:
    from pebble import ProcessFuture, ProcessPool

Result = TypeVar("Result")
WAITING_FACTOR = 10
"""A task may take this many times its limit of processor time, as other programs use the processors, too."""


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


class TaskIsLargeError(Exception):
    """A task found that it may need much memory: it is to run while no other such task does."""


class TimeLimits(NamedTuple):
    """Limits of a task in seconds: of time, and of processor time if any; whether it is known to be long."""

    seconds: float
    processor_seconds: float | None
    is_long: bool


class TaskFuture(MeasuredFuture[Any]):
    """Future of a task: waits for a worker, then follows the process pool's own future.

    Only one task that `is_alone` runs at a time. `number`: place in the order in which tasks were submitted.
    """

    def __init__(
        self,
        cancel: "Callable[[TaskFuture], bool]",
        work: tuple[Any, ...],
        alone: tuple[Any, ...] | None,
        limits: TimeLimits,
        expected: type[Exception],
        converted: Callable[[WorkerError], Exception] | None,
    ) -> None:
        super().__init__()
        self.work = work
        self.is_alone = False
        self.number = 0
        self._has_second_try = True
        self._alone = alone
        self.limits = limits
        self.began = 0.0
        self.inner: ProcessFuture[Any] | None = None
        self._cancel = cancel
        self._expected = expected
        self._converted = converted

    def call(self) -> tuple[Any, ...]:
        """Return the first arguments of the process pool's `submit`; those of `work` follow."""
        seconds, processor_seconds, _is_long = self.limits
        return run_measured, seconds, (self._expected, TaskIsLargeError), processor_seconds

    def becomes_alone(self, inner: "Future[Any]") -> bool:
        """Return whether the task found that it is large; it then has to run again, alone."""
        if self._alone is None or inner.cancelled() or inner.exception() is not None:
            return False
        if not isinstance(inner.result().error, TaskIsLargeError):
            return False
        self.work, self._alone, self.inner, self.is_alone = self._alone, None, None, True
        return True

    def tries_again(self, inner: "Future[Any]") -> bool:
        """Return whether the task has to run again, as its idle process was killed before it began; once."""
        is_unbegun = not inner.cancelled() and isinstance(inner.exception(), BrokenExecutor)
        has_second_try, self._has_second_try = self._has_second_try, not is_unbegun
        return is_unbegun and has_second_try

    def cancel(self) -> bool:
        """Stop the task, waiting or running."""
        return self._cancel(self)

    def running(self) -> bool:
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
        self.set_result(call.take_result())

    def _seconds_until(self, error: BaseException) -> float | None:
        """Return the time that a task took until its worker ended."""
        if not has_ended_worker(error):
            return None
        since_begin = time.monotonic() - self.began
        limit = self.limits.processor_seconds
        exit_code = _exit_code(error)
        is_at_limit = exit_code is not None and is_out_of_time(exit_code)
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


def has_ended_worker(error: BaseException | None) -> bool:
    """Return whether an error of a task means that its worker was killed, died or did not start."""
    return isinstance(error, FutureTimeoutError | BrokenExecutor) or _exit_code(error) is not None


def _exit_code(error: BaseException | None) -> int | None:
    """Return the exit code of the worker that died with a task, None for other errors."""
    code = getattr(error, "exitcode", None)  # of pebble's ProcessExpired: no import works while Python ends
    return None if code is None else int(code)


def _worker_error(error: BaseException, limits: TimeLimits) -> WorkerError:
    if isinstance(error, FutureTimeoutError):
        return WorkerTimeoutError(limits.seconds)
    exit_code = _exit_code(error)
    if exit_code is not None:
        if limits.processor_seconds is not None and is_out_of_time(exit_code):
            return ProcessorTimeError(limits.processor_seconds)
        return WorkerDiedError(out_of_memory=exit_code == OUT_OF_MEMORY_EXIT)
    if isinstance(error, BrokenExecutor):
        return WorkerError(N_("its processes do not start"))
    return WorkerError(f"{type(error).__name__}: {error}".rstrip(": "))


_SECONDS_TO_ABORT = 1.0
_log = logging.getLogger(__name__)


class SingleWorker:
    """A worker process that runs one task at a time, in a process pool of its own.

    In a pool of several workers, Pebble loses a task that a worker takes just before it is killed for the
    task before, which was cancelled or ran out of time (Pebble's issue 153).
    """

    def __init__(self, make_pool: "Callable[[], ProcessPool]", *, is_spare: bool) -> None:
        self.is_spare = is_spare
        self._make_pool = make_pool
        self._pool: ProcessPool | None = None

    @property
    def is_broken(self) -> bool:
        """True if the process ended while it had nothing to do."""
        return self._pool is not None and not self._pool.active

    def submit(
        self, function: Callable[..., object], timeout_seconds: float | None, *args: object
    ) -> "ProcessFuture[Any]":
        """Run `function(*args)`; the process is started with the first task.

        Raise RuntimeError if it cannot be started.
        """
        if self._pool is None:
            self._pool = self._make_pool()
        future = self._pool.submit(function, timeout_seconds, *args)
        if not self._pool.active:
            with suppress(FutureTimeoutError, CancelledError):
                future.exception(_SECONDS_TO_ABORT)
            if not future.done():  # given to the pool after it had aborted its tasks
                future.set_exception(BrokenExecutor())
        return future

    def take_pool(self) -> "ProcessPool | None":
        """Remove the process pool, which the caller has to end; the next task gets another one."""
        pool, self._pool = self._pool, None
        return pool


def abort_late_tasks(pool: "ProcessPool") -> None:
    """Abort a task that Pebble takes while its process turns out not to start: it would never end."""
    from pebble.pool.base_pool import PoolStatus  # noqa: PLC0415 - loads asyncio and ssl

    # a reference to itself would keep the pool and its tasks in a program that has called gc.freeze
    manager = proxy(pool._pool_manager)
    schedule = partial(type(pool._pool_manager).schedule, manager)

    def schedule_or_abort(task: Any) -> None:
        schedule(task)
        if manager.context.status == PoolStatus.ERROR:
            manager.task_manager.tasks_abort(BrokenExecutor())

    # of the pool alone
    manager.schedule = schedule_or_abort


def end_pool(pool: "ProcessPool") -> None:
    """Kill the process; takes up to three seconds. Not for the threads of the pool, which it waits for."""
    pool.stop()  # type: ignore[no-untyped-call]
    pool.join()


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

    Tasks wait in a queue here; each worker receives one at a time. Cancelling a task that a worker has
    received ends that worker, whether or not it had begun the task.

    While all workers are busy, up to two of them for long, the tasks that wait are given to as many spare
    workers. Tasks known to be long wait for another worker all the same.
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
        processor_seconds: float | None = None,
    ) -> None:
        self.max_workers = max_workers
        self.timeout_seconds = timeout_seconds
        self.processor_seconds = processor_seconds
        self._expected = expected
        self._initargs = (dict(os.environ), initializer, initargs)
        self._context = process_context(preload)
        # Their processes start with the first task: the window makes two pools before it is shown.
        spare = (False,) * max_workers + (True,) * _MOST_SPARE_WORKERS
        self._workers = tuple(SingleWorker(self._make_pool, is_spare=is_spare) for is_spare in spare)
        # Guards the attributes below and every future's `inner`; not held while callbacks of futures run.
        self._lock = threading.Lock()
        self._waiting: dict[TaskFuture, None] = {}
        self._free = list(self._workers)
        self._running: dict[SingleWorker, TaskFuture] = {}
        self._replacing: set[threading.Thread] = set()
        self._numbers = count()
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
        `timeout_seconds` and `processor_seconds`, a limit of processor time besides, replace those of the
        pool. A task that `is_long` overtakes no other. If it raises TaskIsLargeError, `alone` is run
        instead of it while no other such task runs; with `is_alone` this is known from the beginning.
        """
        limits = TimeLimits(
            self.timeout_seconds if timeout_seconds is None else timeout_seconds,
            self.processor_seconds if processor_seconds is None else processor_seconds,
            is_long,
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

    def hurry(self, future: "MeasuredFuture[Any]") -> None:
        """Let a task that waits for a worker be the next one."""
        with self._lock:
            if isinstance(future, TaskFuture) and future in self._waiting:
                future.number = min(each.number for each in self._waiting) - 1
                self._waiting = {future: None, **self._waiting}

    def warm(self, function: Callable[[], object]) -> None:
        """Start all workers but spare ones in a thread; each of them calls `function`, for its imports."""
        with self._lock:
            warmed = [worker for worker in self._free if not worker.is_spare]
            self._free = [worker for worker in self._free if worker.is_spare]
            thread = threading.Thread(target=self._warm, args=(warmed, function))
            self._replacing.add(thread)
        thread.start()

    def _warm(self, workers: "list[SingleWorker]", function: Callable[[], object]) -> None:
        # The server that forks processes starts the first one when it has loaded its modules, after seconds
        # on a busy computer. Meanwhile tasks can be submitted, as the lock is not held.
        context: Any = self._context
        with suppress(OSError, EOFError):  # if none can be started, the first task tells so
            process = context.Process(target=_prove_alive)
            process.start()
            process.join()
        for worker in workers:
            self._free_after(worker, function)
        with self._lock:
            self._replacing.discard(threading.current_thread())

    def close(self) -> None:
        """Kill all workers; unfinished futures are cancelled."""
        with self._lock:
            self._closed = True
            unfinished = [*self._waiting, *self._running.values()]
            replacing = set(self._replacing)
            pools = [pool for worker in self._workers if (pool := worker.take_pool()) is not None]
            if self._next_look is not None:
                self._next_look.cancel()
        for pool in pools:
            pool.stop()  # type: ignore[no-untyped-call]
        for future in unfinished:
            future.cancel()
        for pool in pools:
            pool.join()
        for thread in replacing:
            thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _hand_on(self) -> None:
        """Give each free worker the task that waited longest."""
        while True:
            with self._lock:
                if self._closed or not self._waiting:
                    return
                chosen = self._next()
                if chosen is None:
                    return
                worker, future = chosen
                self._free.remove(worker)
                if worker.is_broken:
                    self._start_replacing(worker)
                    continue
                del self._waiting[future]
                inner = self._begin(worker, future)
                if isinstance(inner, RuntimeError):
                    self._start_replacing(worker, is_proven=False)
            if isinstance(inner, RuntimeError):
                future.fail(inner)
            else:
                inner.add_done_callback(partial(self._end, worker))

    def _next(self) -> "tuple[SingleWorker, TaskFuture] | None":
        """Return a free worker and its task, if there are both."""
        worker = next((each for each in self._free if not each.is_spare), None)
        if worker is not None:
            future = next(self._ready(), None)
        else:
            worker, future = next(iter(self._free), None), self._next_overtaking()
            if future is None and self._next_look is None:  # a running task may be slow later
                self._next_look = threading.Timer(_SLOW_SECONDS, self._look)
                self._next_look.daemon = True
                self._next_look.start()
        return None if worker is None or future is None else (worker, future)

    def _next_overtaking(self) -> "TaskFuture | None":
        """Return the task to give to a spare worker, if there is one for it."""
        slow_since = time.monotonic() - _SLOW_SECONDS
        is_spare = [worker.is_spare for worker in self._running]
        slow = sum(not worker.is_spare and task.began <= slow_since for worker, task in self._running.items())
        if sum(is_spare) >= slow:
            return None
        return next((each for each in self._ready() if not each.limits.is_long), None)

    def _ready(self) -> "Iterator[TaskFuture]":
        """Yield the waiting tasks that may begin, in order."""
        one_is_alone = any(each.is_alone for each in self._running.values())
        return (each for each in self._waiting if not (one_is_alone and each.is_alone))

    def _look(self) -> None:
        with self._lock:
            self._next_look = None
        self._hand_on()

    def _begin(self, worker: SingleWorker, future: "TaskFuture") -> "ProcessFuture[Any] | RuntimeError":
        """Return the process pool's future, or its error if it cannot be started."""
        try:
            future.inner = worker.submit(*future.call(), *future.work)
        except RuntimeError as error:
            return error
        future.began = time.monotonic()
        self._running[worker] = future
        return future.inner

    def _make_pool(self) -> "ProcessPool":
        from pebble import ProcessPool  # noqa: PLC0415 - loads asyncio and ssl

        pool = ProcessPool(
            max_workers=1,
            max_tasks=_TASKS_PER_WORKER,
            initializer=start_worker,
            initargs=self._initargs,
            context=self._context,
        )
        abort_late_tasks(pool)
        _log.debug("a worker process is started, of up to %d", len(self._workers))
        return pool

    def _end(self, worker: SingleWorker, inner: "Future[Any]") -> None:
        # Pebble keeps `inner` until the worker has done its next task, so that must not refer to the result
        with self._lock:
            future = self._running.pop(worker)
            waits_again = not self._closed and (future.becomes_alone(inner) or future.tries_again(inner))
            if waits_again:
                self._waiting = dict.fromkeys(sorted([future, *self._waiting], key=_number))
            has_ended = inner.cancelled() or has_ended_worker(inner.exception())
            # a worker keeps up to 200 MB after a large task
            has_ended |= future.is_alone and not waits_again
            if has_ended and not self._closed:
                self._start_replacing(worker)
        if not has_ended:
            self._free_worker(worker)
        if not waits_again:
            future.follow(inner)

    def _start_replacing(self, worker: SingleWorker, *, is_proven: bool = True) -> None:
        """Kill the process of a worker in a thread, as it may take seconds, and count the worker as free.

        With `is_proven` another process is started first: the next task waits here until then, and can be
        cancelled. Without, the next task has the error if none can be started.
        """
        _log.info("a worker process has ended and is replaced")
        thread = threading.Thread(target=self._replace, args=(worker, worker.take_pool(), is_proven))
        self._replacing.add(thread)
        thread.start()

    def _replace(self, worker: SingleWorker, pool: "ProcessPool | None", is_proven: bool) -> None:
        if is_proven:
            self._free_after(worker, _prove_alive)
        else:
            self._free_worker(worker)
        if pool is not None:
            end_pool(pool)
        with self._lock:
            self._replacing.discard(threading.current_thread())

    def _free_after(self, worker: SingleWorker, function: Callable[[], object]) -> None:
        """Count a worker as free when it has run `function`."""
        with self._lock:
            if self._closed:
                return
            try:
                done = worker.submit(function, None)
            except RuntimeError:
                self._start_replacing(worker, is_proven=False)
                return
        done.add_done_callback(partial(self._free_if_alive, worker))

    def _free_if_alive(self, worker: SingleWorker, done: "Future[Any]") -> None:
        if done.cancelled() or has_ended_worker(done.exception()):
            with self._lock:
                if not self._closed:
                    self._start_replacing(worker, is_proven=False)
        else:
            self._free_worker(worker)

    def _free_worker(self, worker: SingleWorker) -> None:
        with self._lock:
            self._free.append(worker)
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

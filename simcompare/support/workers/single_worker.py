"""One worker process in a process pool of its own."""

from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import proxy

if TYPE_CHECKING:
    from pebble import ProcessFuture, ProcessPool

_SECONDS_TO_ABORT = 1.0


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

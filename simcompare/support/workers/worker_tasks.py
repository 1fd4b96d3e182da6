"""Tasks of a worker pool: their futures, their limits, and the errors of tasks without a result."""

import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from simcompare.support.clock import is_out_of_time
from simcompare.support.i18n import N_
from simcompare.support.workers.worker_process import OUT_OF_MEMORY_EXIT, MeasuredCall, run_measured

if TYPE_CHECKING:
    from pebble import ProcessFuture

Result = TypeVar("Result")


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

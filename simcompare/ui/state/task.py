"""Work in a thread pool, and results of other threads, reported by signals."""

from collections.abc import Callable
from copy import copy
from functools import partial
from threading import Event
from typing import Any, NoReturn

from PySide6.QtCore import QCoreApplication, QObject, QThreadPool, Signal, SignalInstance
from shiboken6 import isValid

from simcompare.model.progress import Cancelled
from simcompare.support.event_log import EVENTS


class _TaskSignals(QObject):
    """Signals of a task. Qt drops a connection, and what is queued in it, when the receiver is deleted."""

    done = Signal(object)
    failed = Signal(object)


class Report:
    """Emits results of other threads, by signals that the GUI thread deletes after the last of them.

    The receiver may be deleted meanwhile. If a task dropped its signals itself, they were deleted in the
    pool's thread. A receiver that was deleted in the GUI thread at that moment calls `disconnectNotify` of
    the half-deleted sender, and the program crashed. The application is their parent, so that dropping the
    last reference does not delete them.
    """

    def __init__(self, done: SignalInstance, failed: SignalInstance | None = None) -> None:
        self.signals = _TaskSignals(QCoreApplication.instance())
        self.signals.done.connect(done)
        if failed is not None:
            self.signals.failed.connect(failed)

    def __call__(self, value: object) -> None:
        if isValid(self.signals):  # the application may be gone
            self.signals.done.emit(value)

    def __del__(self) -> None:
        if isValid(self.signals):
            self.signals.deleteLater()


class Task:
    """Run `work` in a thread pool; emit its result, its error, or None if the run was cancelled.

    It is a function for `QThreadPool.start`, not a QRunnable: PySide makes a runnable a child of the pool
    after it was started, so one that had ended by then was kept with all its data. `QThreadPool.clear` would
    leave waiting functions in memory: stop their work instead.

    `done` and `failed` are signals of the object that starts the task. They are connected and not kept: that
    object may be deleted while the task works, and a SignalInstance raises once its object is gone. Construct
    a task in the GUI thread.
    """

    def __init__(
        self, work: Callable[[], object], done: SignalInstance, failed: SignalInstance | None, stop: Event
    ) -> None:
        self._work = work
        self._stop = stop
        self._report = Report(done, failed)

    def with_work(self, work: Callable[[], object]) -> "Task":
        """Make a task with other work and the same signals: connecting hundreds of objects takes 15 ms."""
        other = copy(self)
        other._work = work
        return other

    def __call__(self) -> None:
        """Do the work, unless the run was cancelled while the task was queued."""
        try:
            if self._stop.is_set():
                raise Cancelled
            result = self._work()
        except Cancelled:
            self._report(None)
        except Exception as error:
            EVENTS.add_error(error)
            self._report.signals.failed.emit(error)
        else:
            self._report(result)


class Background(QObject):
    """Does work in a thread pool, and uses each result or error in the GUI thread unless it was cancelled.

    Without a pool it has a thread of its own, which does one work after the other. The pool never holds the
    functions that use results: dropped there, their objects would be deleted in its thread.
    """

    _ended = Signal(object)

    def __init__(self, parent: QObject, pool: QThreadPool | None = None) -> None:
        super().__init__(parent)
        self._has_own_thread = pool is None
        self._pool = QThreadPool(self, maxThreadCount=1) if pool is None else pool
        self._under_way: dict[Event, tuple[Callable[[Any], object], Callable[[Exception], object]]] = {}
        self._ended.connect(self._deliver)

    @property
    def is_busy(self) -> bool:
        return not all(stop.is_set() for stop in self._under_way)

    def start(
        self,
        work: Callable[[], Any],
        use: Callable[[Any], object],
        fail: Callable[[Exception], object] | None = None,
        stop: Event | None = None,
    ) -> None:
        """Do some work; then call `use` with the result, or `fail` with the error, which else is raised.

        stop: set by `cancel`, for work that ends early by it.
        """
        stop = stop or Event()
        self._under_way[stop] = use, fail or _raise
        self._pool.start(partial(_run, work, stop, Report(self._ended)))

    def cancel(self) -> None:
        """Use no result of what was started so far."""
        for stop in self._under_way:
            stop.set()

    def close(self) -> None:
        """Cancel everything; wait if the thread is an own one."""
        self.cancel()
        self._ended.disconnect()
        if self._has_own_thread:
            self._pool.waitForDone()

    def _deliver(self, ended: tuple[Event, Any, Exception | None]) -> None:
        stop, result, error = ended
        use, fail = self._under_way.pop(stop)
        if not stop.is_set():
            use(result) if error is None else fail(error)


def _run(work: Callable[[], Any], stop: Event, report: Report) -> None:
    result, failure = None, None
    try:
        if not stop.is_set():
            result = work()
    except Cancelled:
        stop.set()
    except Exception as error:
        EVENTS.add_error(error)
        failure = error
    report((stop, result, failure))


def _raise(error: Exception) -> NoReturn:
    raise error

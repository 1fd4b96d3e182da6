"""Work in a thread pool, and results of other threads, reported by signals."""

from collections.abc import Callable
from functools import partial
from threading import Event
from typing import Any, NoReturn

from PySide6.QtCore import QCoreApplication, QObject, QThreadPool, Signal, SignalInstance
from shiboken6 import isValid

from simcompare.model.progress import Cancelled
from simcompare.support.event_log import EVENTS


class _TaskSignals(QObject):
    """Qt drops a connection, and what is queued in it, when the receiver is deleted."""

    done = Signal(object)


class Report:
    """Emits results of other threads, by signals that the GUI thread deletes after the last of them.

    The receiver may be deleted meanwhile. If a task dropped its signals itself, they were deleted in the
    pool's thread. A receiver that was deleted in the GUI thread at that moment calls `disconnectNotify` of
    the half-deleted sender, and the program crashed. The application is their parent, so that dropping the
    last reference does not delete them.
    """

    def __init__(self, done: SignalInstance) -> None:
        self.signals = _TaskSignals(QCoreApplication.instance())
        self.signals.done.connect(done)

    def __call__(self, value: object) -> None:
        if isValid(self.signals):  # the application may be gone
            self.signals.done.emit(value)

    def __del__(self) -> None:
        if isValid(self.signals):
            self.signals.deleteLater()


class Background(QObject):
    """Does work in a thread pool, and uses each result or error in the GUI thread unless it was cancelled.

    Without a pool it has a thread of its own, which does one work after the other. The pool never holds the
    functions that use results: dropped there, their objects would be deleted in its thread. It is given
    functions, not a QRunnable, which PySide would keep with all its data if it ends at once.
    """

    _ended = Signal(object)

    def __init__(self, parent: QObject, pool: QThreadPool | None = None) -> None:
        super().__init__(parent)
        self._has_own_thread = pool is None
        self._pool = QThreadPool(self, maxThreadCount=1) if pool is None else pool
        self._under_way: dict[Event, tuple[Callable[[Any], object], Callable[[Exception], object]]] = {}
        self._ended.connect(self._deliver)
        self._report = Report(self._ended)

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
        self._pool.start(partial(_run, work, stop, self._report))

    def cancel(self) -> None:
        """Use no result of what was started so far."""
        for stop in self._under_way:
            stop.set()

    def close(self) -> None:
        """Cancel everything; wait if the thread is an own one."""
        self.cancel()
        self.finish()

    def finish(self) -> None:
        """Use no further result; wait for the end of all work if the thread is an own one."""
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

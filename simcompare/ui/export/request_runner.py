"""Runs the latest request of a dialog in a background thread."""

from collections.abc import Hashable
from functools import partial
from threading import Event

from PySide6.QtCore import QObject, QThreadPool, Signal

from simcompare.export.export_context import ExportContext, ExportRequest, ExportWorkers
from simcompare.model.progress import no_tick
from simcompare.ui.state.task import Task


class RequestRunner(QObject):
    """Runs one request at a time, and after it only the latest of those made meanwhile; keeps results."""

    answered = Signal(object)
    """Result of the latest request, or its error."""
    waiting = Signal()
    """The latest request must be computed."""
    _done = Signal(object)
    _failed = Signal(object)

    def __init__(self, workers: ExportWorkers, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workers = workers
        self._threads = QThreadPool(self)
        self._threads.setMaxThreadCount(1)
        self._never = Event()  # a request is stopped through its context
        self._context: ExportContext | None = None
        self._results: dict[Hashable, object] = {}
        self._latest: ExportRequest | None = None
        self._running: tuple[ExportContext, ExportRequest] | None = None
        self._done.connect(self._take)
        self._failed.connect(self._take)

    def open(self) -> None:
        self._workers.hold()
        self._context = ExportContext(self._workers, no_tick)

    def request(self, request: ExportRequest) -> None:
        """Answer a request: at once if it was computed before."""
        self._latest = request
        if request.key in self._results:
            self.answered.emit(self._results[request.key])
        else:
            self.waiting.emit()
            self._run_latest()

    def drop_request(self) -> None:
        self._latest = None

    def _run_latest(self) -> None:
        request, context = self._latest, self._context
        if context is None or self._running is not None or request is None or request.key in self._results:
            return
        self._running = context, request
        self._threads.start(Task(partial(request.make, context), self._done, self._failed, self._never))

    def _take(self, outcome: object) -> None:
        if self._running is None:
            return
        (context, request), self._running = self._running, None
        if context is self._context and outcome is not None:
            if not isinstance(outcome, Exception):
                self._results[request.key] = outcome
            if request == self._latest:
                self.answered.emit(outcome)
        if context is not self._context or request != self._latest:
            self._run_latest()

    def close(self) -> None:
        """Forget all requests and results; a running request is not answered. Returns at once.

        It is not cancelled: that would kill its worker, which an export may need.
        """
        self._context = self._latest = None
        self._results.clear()
        self._threads.start(self._workers.release)

    def wait(self) -> None:
        """Cancel the running request and wait for its end; the window is closing."""
        if self._running is not None:
            self._running[0].stop()
        for signal in (self._done, self._failed):
            signal.disconnect()
        self._threads.waitForDone()

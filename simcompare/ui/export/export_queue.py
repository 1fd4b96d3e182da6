"""Requests for previews and export jobs, run one after the other in background threads."""

from collections.abc import Hashable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from simcompare.export.export_context import ExportContext, ExportRequest, ExportWorkers
from simcompare.export.exports import ExportJob, ExportResult
from simcompare.model.progress import Cancelled, no_tick, throttled
from simcompare.ui.state.task import Background, Report


class RequestRunner(QObject):
    """Runs one request at a time, and after it only the latest of those made meanwhile; keeps results."""

    answered = Signal(object)
    """Result of the latest request, or its error."""
    waiting = Signal()
    """The latest request must be computed."""

    def __init__(self, workers: ExportWorkers, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workers = workers
        self._background = Background(self)
        self._context: ExportContext | None = None
        self._results: dict[Hashable, object] = {}
        self._latest: ExportRequest | None = None
        self._running: tuple[ExportContext, ExportRequest] | None = None

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
        self._background.start(partial(_made, request, context), self._take, self._take)

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
        self._background.start(self._workers.release, lambda _nothing: None)

    def wait(self) -> None:
        """Cancel the running request and wait for its end; the window is closing."""
        if self._running is not None:
            self._running[0].stop()
        self._background.finish()


def _made(request: ExportRequest, context: ExportContext) -> object:
    """Return the result of a request, None if it was stopped."""
    try:
        return request.make(context)
    except Cancelled:
        return None


class ExportQueue(QObject):
    """Runs one job at a time. Each ends with one of `written`, `failed` and `cancelled`."""

    changed = Signal()
    """The jobs or the progress changed."""
    written = Signal(object, object)
    """The job and its result."""
    failed = Signal(object, object)
    """The job and its error."""
    cancelled = Signal(object)
    _progressed = Signal(object)

    def __init__(self, workers: ExportWorkers, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workers = workers
        self._background = Background(self)
        self._contexts: dict[ExportJob, ExportContext] = {}
        self.progress = (0, 0)
        """(written parts, all parts) of the running job; (0, 0) if it has no parts."""
        self._progressed.connect(self._show_progress)

    @property
    def jobs(self) -> tuple[ExportJob, ...]:
        """The running job, then the waiting ones."""
        return tuple(self._contexts)

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(path for job in self._contexts for path in job.paths)

    def is_cancelled(self, job: ExportJob) -> bool:
        """Return whether a job was cancelled and has not ended yet."""
        return self._contexts[job].is_stopped

    def add(self, job: ExportJob) -> None:
        report = Report(self._progressed)
        progress = throttled(lambda done, total: report((job, done, total)))
        context = self._contexts[job] = ExportContext(self._workers, progress)
        self._workers.hold()
        self._background.start(partial(self._run, job, context), self._end, self._fail)
        self.changed.emit()

    def cancel(self) -> None:
        for context in self._contexts.values():
            context.stop()

    def close(self) -> None:
        """Cancel all jobs and wait for their end, without further signals."""
        self.cancel()
        self._progressed.disconnect()
        self._background.finish()

    def _run(self, job: ExportJob, context: ExportContext) -> ExportResult | None:
        """Return what was written, None if the job was cancelled; that ends in its turn."""
        try:
            context.raise_if_stopped()
            return job.run(context)
        except Cancelled:
            return None
        finally:
            self._workers.release()

    def _show_progress(self, progress: tuple[ExportJob, int, int]) -> None:
        job, done, total = progress
        if job is next(iter(self._contexts), None):
            self.progress = (done, total)
            self.changed.emit()

    def _end(self, result: ExportResult | None) -> None:
        job = self._take_first()
        if result is None:
            self.cancelled.emit(job)
        else:
            self.written.emit(job, result)

    def _fail(self, error: Exception) -> None:
        self.failed.emit(self._take_first(), error)

    def _take_first(self) -> ExportJob:
        """Remove and return the job that ended: they end in the order in which they were added."""
        job = next(iter(self._contexts))
        del self._contexts[job]
        self.progress = (0, 0)
        self.changed.emit()
        return job

"""Files written one after the other while the window goes on working."""

import time
from functools import partial
from pathlib import Path
from threading import Event

from PySide6.QtCore import QObject, QThreadPool, Signal

from simcompare.export.export_jobs import Bench, Job, Written
from simcompare.export.export_workers import Workshop
from simcompare.ui.state.comparison_run import Task

_TELL_SECONDS = 0.1


class Writing(QObject):
    """Does one job at a time. For each, one of `written`, `failed` and `cancelled` comes."""

    changed = Signal()
    """What is being written, or how far that is."""
    written = Signal(object, object)
    """The job, and what became of it."""
    failed = Signal(object, object)
    """The job, and the error."""
    cancelled = Signal(object)
    _progressed = Signal(object, int, int)
    _done = Signal(object)
    _broke_off = Signal(object)

    def __init__(self, workshop: Workshop, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workshop = workshop
        self._threads = QThreadPool(self)
        self._threads.setMaxThreadCount(1)
        self._benches: dict[Job, Bench] = {}
        self.progress = (0, 0)
        """(parts that are written, parts) of the job under way; (0, 0) where it has no parts."""
        self._progressed.connect(self._show_progress)
        self._done.connect(self._end)
        self._broke_off.connect(self._fail)

    @property
    def jobs(self) -> tuple[Job, ...]:
        """The job under way, and those that wait for their turn."""
        return tuple(self._benches)

    @property
    def places(self) -> tuple[Path, ...]:
        """Where something is being written, or will be."""
        return tuple(place for job in self._benches for place in job.places)

    def is_given_up(self, job: Job) -> bool:
        """Whether a job ends without being written."""
        return self._benches[job].is_stopped

    def start(self, job: Job) -> None:
        """Write this, once what was asked for before is written."""
        bench = self._benches[job] = Bench(self._workshop, _Teller(partial(self._progressed.emit, job)))
        self._workshop.hold()
        never = Event()  # a job that is given up ends in its turn
        self._threads.start(Task(partial(self._do, job, bench), self._done, self._broke_off, never))
        self.changed.emit()

    def cancel(self) -> None:
        """Write neither what is under way nor what waits."""
        for bench in self._benches.values():
            bench.stop()

    def close(self) -> None:
        """Give up everything, wait for that, and tell nothing any more."""
        self.cancel()
        for signal in (self._progressed, self._done, self._broke_off):
            signal.disconnect()
        self._threads.waitForDone()

    def _do(self, job: Job, bench: Bench) -> Written:
        """Do a job, in the thread of the pool."""
        try:
            bench.check()
            return job.run(bench)
        finally:
            self._workshop.release()

    def _show_progress(self, job: Job, done: int, total: int) -> None:
        if job is next(iter(self._benches), None):
            self.progress = (done, total)
            self.changed.emit()

    def _end(self, written: Written | None) -> None:
        job = self._take_first()
        if written is None:
            self.cancelled.emit(job)
        else:
            self.written.emit(job, written)

    def _fail(self, error: Exception) -> None:
        self.failed.emit(self._take_first(), error)

    def _take_first(self) -> Job:
        """Return the job that ended: they end in the order in which they were asked for."""
        job = next(iter(self._benches))
        del self._benches[job]
        self.progress = (0, 0)
        self.changed.emit()
        return job


class _Teller:
    """Passes on how far a job is, a few times a second."""

    def __init__(self, tell: "partial[None]") -> None:
        self._tell = tell
        self._told_seconds = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._told_seconds >= _TELL_SECONDS or done == total:
            self._told_seconds = now
            self._tell(done, total)

"""Things asked of the workshop for a dialog, such as previews: the latest first, each made once."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from threading import Event

from PySide6.QtCore import QObject, QThreadPool, Signal

from simcompare.progress import no_tick
from simcompare.ui.export.jobs import Bench
from simcompare.ui.export.workshop import Workshop
from simcompare.ui.state.comparison_run import Task


@dataclass(frozen=True, slots=True)
class Wanted:
    """Something to be made, by all that it depends on; `make` is called in a thread of its own."""

    key: Hashable
    make: Callable[[Bench], object] = field(compare=False, repr=False)


class Asking(QObject):
    """Has one thing made at a time; of those asked for meanwhile only the last."""

    answered = Signal(object)
    """What was made, or the error that is in its place."""
    waiting = Signal()
    """What is wanted takes a while."""
    _made = Signal(object)
    _failed = Signal(object)

    def __init__(self, workshop: Workshop, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workshop = workshop
        self._threads = QThreadPool(self)
        self._threads.setMaxThreadCount(1)
        self._never = Event()
        self._bench: Bench | None = None
        self._known: dict[Hashable, object] = {}
        self._wanted: Wanted | None = None
        self._making: tuple[Bench, Wanted] | None = None
        self._made.connect(self._take)
        self._failed.connect(self._take)

    def open(self) -> None:
        """Begin: processes are started as soon as something is wanted."""
        self._workshop.hold()
        self._bench = Bench(self._workshop, no_tick)

    def want(self, wanted: Wanted) -> None:
        """Have this answered, at once where it was made before."""
        self._wanted = wanted
        if wanted.key in self._known:
            self.answered.emit(self._known[wanted.key])
        else:
            self.waiting.emit()
            self._make()

    def forget(self) -> None:
        """Want nothing any more: what was asked for is not answered."""
        self._wanted = None

    def _make(self) -> None:
        wanted, bench = self._wanted, self._bench
        if bench is None or self._making is not None or wanted is None or wanted.key in self._known:
            return
        self._making = bench, wanted
        self._start(partial(wanted.make, bench))

    def _start(self, work: Callable[[], object]) -> None:
        self._threads.start(Task(work, self._made, self._failed, self._never))

    def _take(self, outcome: object) -> None:
        if self._making is None:
            return
        (bench, made), self._making = self._making, None
        if bench is self._bench and outcome is not None:
            if not isinstance(outcome, Exception):
                self._known[made.key] = outcome
            if made == self._wanted:
                self.answered.emit(outcome)
        if bench is not self._bench or made != self._wanted:
            self._make()

    def close(self) -> None:
        """End: nothing is told any more of what is being made, and nothing is kept. Returns at once.

        It is not broken off: that would cost the process that may go on with an export.
        """
        self._bench = self._wanted = None
        self._known.clear()
        self._threads.start(self._workshop.release)

    def wait(self) -> None:
        """Break off what is being made, and wait for that; the window is closing."""
        if self._making is not None:
            self._making[0].stop()
        for signal in (self._made, self._failed):
            signal.disconnect()
        self._threads.waitForDone()

"""Judging a comparison anew: at once where that is quick, else in the background."""

from functools import partial
from threading import Event

from PySide6.QtCore import QObject, QThreadPool, Signal

from simcompare.comparison.compare import Grounds, judge_again
from simcompare.comparison.values import Comparison
from simcompare.settings import ComparisonSettings
from simcompare.ui.state.comparison_run import Task

_MOST_CELLS_AT_ONCE = 500_000
"""So many are judged in some 10 ms."""


class Judging(QObject):
    """Judges one comparison at a time; of what is asked for meanwhile, the last comes into force."""

    judged = Signal(object)
    """The comparison as it is judged now."""
    failed = Signal(object)
    """What stopped it; the comparison stays as it was judged before."""
    _done = Signal(object)
    _stopped = Signal(object)

    def __init__(self, pool: QThreadPool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = pool
        self._stop = Event()
        self._is_busy = False
        self._next: tuple[Comparison, ComparisonSettings, Grounds | None] | None = None
        self._done.connect(self._take)
        self._stopped.connect(self._fail)

    def judge(
        self, comparison: Comparison, settings: ComparisonSettings, grounds: Grounds | None = None
    ) -> None:
        """Judge a comparison under other settings, or on other grounds; `judged` follows."""
        if grounds is None and self._next is not None and self._next[0].matrix is comparison.matrix:
            grounds = self._next[2]  # they were found, and not yet judged by
        self._next = comparison, settings, grounds
        if not self._is_busy:
            self._begin()

    def close(self) -> None:
        """Say nothing any more."""
        self._stop.set()
        self._done.disconnect(self._take)
        self._stopped.disconnect(self._fail)

    def _begin(self) -> None:
        if self._next is None:
            return
        (comparison, settings, grounds), self._next = self._next, None
        if len(comparison.matrix.cells) <= _MOST_CELLS_AT_ONCE:
            self.judged.emit(judge_again(comparison, settings, grounds))
            return
        self._is_busy = True
        work = partial(judge_again, comparison, settings, grounds)
        self._pool.start(Task(work, self._done, self._stopped, self._stop))

    def _take(self, comparison: Comparison | None) -> None:
        self._is_busy = False
        if comparison is not None:
            self.judged.emit(comparison)
        if self._next is not None and comparison is not None and self._next[0].matrix is comparison.matrix:
            self._next = comparison, *self._next[1:]  # it may have been judged on other grounds
        self._begin()

    def _fail(self, error: Exception) -> None:
        self._is_busy = False
        self.failed.emit(error)
        self._begin()

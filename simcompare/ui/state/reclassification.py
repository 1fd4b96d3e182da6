"""Judging a comparison anew: at once where that is quick, else in the background."""

from dataclasses import replace
from functools import partial
from threading import Event

from PySide6.QtCore import QObject, QThreadPool, Signal

from simcompare.comparison.compare_documents import PairExclusionCandidates, detect_passages, reclassify
from simcompare.comparison.comparison_result import Comparison, ComparisonMatrix, Passage
from simcompare.model.settings import ComparisonSettings, PassageSettings
from simcompare.ui.state.comparison_run import Task

_MOST_CELLS_AT_ONCE = 500_000
"""So many are judged in some 10 ms."""


_Found = tuple[ComparisonMatrix, PassageSettings, tuple[Passage, ...]]
"""Passages, the matrix of the comparison that they belong to, and how they were grown."""


class Judging(QObject):
    """Judges one comparison at a time; of what is asked for meanwhile, the last comes into force.

    To grow passages in another way takes seconds of large texts: a comparison is judged by all else first,
    and a second time once they are grown. They are kept as long as the matrix is the same.
    """

    judged = Signal(object)
    """The comparison as it is judged now; its settings say how its passages were grown."""
    failed = Signal(object)
    """What stopped it; the comparison stays as it was judged before."""
    _done = Signal(object)
    _stopped = Signal(object)
    _grew = Signal(object)

    def __init__(self, pool: QThreadPool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = pool
        self._stop = Event()
        self._is_busy = False
        self._next: tuple[Comparison, ComparisonSettings, PairExclusionCandidates | None] | None = None
        self._wanted: tuple[Comparison, ComparisonSettings] | None = None
        self._grown = _GrownPassages()
        self._done.connect(self._take)
        self._stopped.connect(self._fail)
        self._grew.connect(self._take_grown)

    def judge(
        self,
        comparison: Comparison,
        settings: ComparisonSettings,
        exclusion_candidates: PairExclusionCandidates | None = None,
    ) -> None:
        """Judge a comparison under other settings, or on other grounds; `judged` follows."""
        if (
            exclusion_candidates is None
            and self._next is not None
            and self._next[0].matrix is comparison.matrix
        ):
            exclusion_candidates = self._next[2]  # they were found, and not yet judged by
        self._grown.follow(comparison)
        if self._grown.is_to_be_found(settings.passages):
            work = partial(_grow, comparison, settings)
            self._pool.start(Task(work, self._grew, self.failed, self._stop))
        self._wanted = comparison, settings
        self._next = comparison, settings, exclusion_candidates
        if not self._is_busy:
            self._begin()

    def close(self) -> None:
        """Say nothing any more."""
        self._stop.set()
        self._done.disconnect(self._take)
        self._stopped.disconnect(self._fail)
        self._grew.disconnect(self._take_grown)

    def _begin(self) -> None:
        if self._next is None:
            return
        (comparison, settings, exclusion_candidates), self._next = self._next, None
        detected_passages = self._grown.of(settings.passages)
        if detected_passages is None and settings.passages is not None:
            settings = replace(settings, passages=comparison.settings.passages)
        work = partial(
            reclassify, comparison, settings, exclusion_candidates, detected_passages=detected_passages
        )
        if len(comparison.matrix.cells) <= _MOST_CELLS_AT_ONCE:
            self._show(work())
            return
        self._is_busy = True
        self._pool.start(Task(work, self._done, self._stopped, self._stop))

    def _take(self, comparison: Comparison | None) -> None:
        self._is_busy = False
        if comparison is not None:
            self._show(comparison)
        self._begin()

    def _show(self, comparison: Comparison) -> None:
        """Judge on from here: it may have been judged on other grounds than what was asked about."""
        if self._next is not None and self._next[0].matrix is comparison.matrix:
            self._next = comparison, *self._next[1:]
        if self._wanted is not None and self._wanted[0].matrix is comparison.matrix:
            self._wanted = comparison, self._wanted[1]
        self.judged.emit(comparison)

    def _take_grown(self, found: _Found | None) -> None:
        if found is None or not self._grown.take(*found) or self._wanted is None:
            return
        comparison, settings = self._wanted
        if settings.passages == found[1]:
            self.judge(comparison, settings)

    def _fail(self, error: Exception) -> None:
        self._is_busy = False
        self.failed.emit(error)
        self._begin()


class _GrownPassages:
    """The passages between two texts, by the settings that they were grown under."""

    def __init__(self) -> None:
        self._matrix: ComparisonMatrix | None = None
        self._grown: dict[PassageSettings, tuple[Passage, ...] | None] = {}

    def follow(self, comparison: Comparison) -> None:
        """Keep those of this comparison, and of another one nothing more."""
        if comparison.matrix is not self._matrix:
            self._matrix, self._grown = comparison.matrix, {}
        if comparison.settings.passages is not None:
            self._grown[comparison.settings.passages] = comparison.detected_passages

    def is_to_be_found(self, passages: PassageSettings | None) -> bool:
        """Whether they are neither there nor on their way; from now on they are."""
        if passages is None or passages in self._grown:
            return False
        self._grown[passages] = None
        return True

    def of(self, passages: PassageSettings | None) -> tuple[Passage, ...] | None:
        """Return them, None where they are not there yet."""
        return None if passages is None else self._grown.get(passages)

    def take(
        self, matrix: ComparisonMatrix, passages: PassageSettings, detected_passages: tuple[Passage, ...]
    ) -> bool:
        """Keep what was found; return whether anybody wants it still."""
        if matrix is not self._matrix:
            return False
        self._grown[passages] = detected_passages
        return True


def _grow(comparison: Comparison, settings: ComparisonSettings) -> _Found:
    detected_passages = detect_passages(comparison.left, comparison.right, settings)
    assert settings.passages is not None, "there is something to grow them by"
    assert detected_passages is not None, "and then they are grown"
    return comparison.matrix, settings.passages, detected_passages

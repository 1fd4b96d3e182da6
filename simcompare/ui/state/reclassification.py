"""Classify a comparison by other settings: at once if that is quick, otherwise in the background."""

from dataclasses import replace
from functools import partial
from threading import Event

from PySide6.QtCore import QObject, QThreadPool, Signal

from simcompare.comparison.compare_documents import PairExclusionCandidates, detect_passages, reclassify
from simcompare.comparison.comparison_result import Comparison, ComparisonMatrix
from simcompare.comparison.passages.passage_columns import Passages
from simcompare.model.settings import ComparisonSettings, PassageSettings
from simcompare.ui.state.task import Task

_MAX_CELLS_AT_ONCE = 500_000
"""Number of cells that are classified in about 10 ms."""
_TEXT_FROM_ELSEWHERE = ("left_out", "prompt", "exclude_common", "common_share", "counted_common")
"""Settings after whose change passages are searched again (`passages_after_exclusions`)."""
_MAX_SENTENCES_SEARCHED_AT_ONCE = 400
"""Number of sentences in two texts whose passages are searched in about 10 ms."""


_GrownResult = tuple[ComparisonMatrix, PassageSettings, Passages]
"""Matrix, passage settings, and the passages grown by them."""


class Reclassification(QObject):
    """Reclassifies one comparison at a time; of requests made meanwhile only the last is done.

    Growing passages by other settings takes seconds for large texts: the comparison is first reclassified by
    all other settings, then again when the passages are grown. They are cached as long as the matrix is the
    same.
    """

    reclassified = Signal(object)
    """The reclassified comparison; its settings say how its passages were grown."""
    failed = Signal(object)
    """The exception; the comparison stays as it was."""
    _done = Signal(object)
    _stopped = Signal(object)
    _grew = Signal(object)

    def __init__(self, pool: QThreadPool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = pool
        self._stop = Event()
        self._is_busy = False
        self._next: tuple[Comparison, ComparisonSettings, PairExclusionCandidates | None] | None = None
        self._latest_request: tuple[Comparison, ComparisonSettings] | None = None
        self._grown = _PassageCache()
        self._done.connect(self._take)
        self._stopped.connect(self._fail)
        self._grew.connect(self._take_grown)

    def reclassify(
        self,
        comparison: Comparison,
        settings: ComparisonSettings,
        exclusion_candidates: PairExclusionCandidates | None = None,
    ) -> None:
        """Classify a comparison by other settings or exclusion candidates; `reclassified` follows."""
        if (
            exclusion_candidates is None
            and self._next is not None
            and self._next[0].matrix is comparison.matrix
        ):
            exclusion_candidates = self._next[2]  # those of a queued request, not applied yet
        self._grown.follow(comparison)
        if self._grown.claim(settings.passages):
            work = partial(_grow_for, comparison, settings)
            self._pool.start(Task(work, self._grew, self.failed, self._stop))
        self._latest_request = comparison, settings
        self._next = comparison, settings, exclusion_candidates
        if not self._is_busy:
            self._start_next()

    def close(self) -> None:
        """Stop without further signals."""
        self._stop.set()
        self._done.disconnect(self._take)
        self._stopped.disconnect(self._fail)
        self._grew.disconnect(self._take_grown)

    def _start_next(self) -> None:
        if self._next is None:
            return
        (comparison, settings, exclusion_candidates), self._next = self._next, None
        detected_passages = self._grown.get(settings.passages)
        if detected_passages is None and settings.passages is not None:
            settings = replace(settings, passages=comparison.settings.passages)
        work = partial(
            reclassify, comparison, settings, exclusion_candidates, detected_passages=detected_passages
        )
        is_searched = exclusion_candidates is not None or any(
            getattr(settings, name) != getattr(comparison.settings, name) for name in _TEXT_FROM_ELSEWHERE
        )
        is_quick = not is_searched or sum(comparison.matrix.shape) <= _MAX_SENTENCES_SEARCHED_AT_ONCE
        if is_quick and len(comparison.matrix.cells) <= _MAX_CELLS_AT_ONCE:
            self._publish(work())
            return
        self._is_busy = True
        self._pool.start(Task(work, self._done, self._stopped, self._stop))

    def _take(self, comparison: Comparison | None) -> None:
        self._is_busy = False
        if comparison is not None:
            self._publish(comparison)
        self._start_next()

    def _publish(self, comparison: Comparison) -> None:
        """Emit the result and base queued requests on it: its exclusion candidates may be the newer ones."""
        if self._next is not None and self._next[0].matrix is comparison.matrix:
            self._next = comparison, *self._next[1:]
        if self._latest_request is not None and self._latest_request[0].matrix is comparison.matrix:
            self._latest_request = comparison, self._latest_request[1]
        self.reclassified.emit(comparison)

    def _take_grown(self, found: _GrownResult | None) -> None:
        if found is None or not self._grown.take(*found) or self._latest_request is None:
            return
        comparison, settings = self._latest_request
        if settings.passages == found[1]:
            self.reclassify(comparison, settings)

    def _fail(self, error: Exception) -> None:
        self._is_busy = False
        self.failed.emit(error)
        self._start_next()


class _PassageCache:
    """Cache of the passages between two texts, by passage settings."""

    def __init__(self) -> None:
        self._matrix: ComparisonMatrix | None = None
        self._grown: dict[PassageSettings, Passages | None] = {}

    def follow(self, comparison: Comparison) -> None:
        """Add the passages of a comparison; clear the cache if its matrix is another one."""
        if comparison.matrix is not self._matrix:
            self._matrix, self._grown = comparison.matrix, {}
        if comparison.settings.passages is not None:
            self._grown[comparison.settings.passages] = comparison.detected_passages

    def claim(self, passages: PassageSettings | None) -> bool:
        """Return whether passages must be grown for these settings; if so, mark them as being grown."""
        if passages is None or passages in self._grown:
            return False
        self._grown[passages] = None
        return True

    def get(self, passages: PassageSettings | None) -> Passages | None:
        """Return the cached passages, or None if they are not grown yet."""
        return None if passages is None else self._grown.get(passages)

    def take(self, matrix: ComparisonMatrix, passages: PassageSettings, detected_passages: Passages) -> bool:
        """Store grown passages; return False if they belong to another matrix."""
        if matrix is not self._matrix:
            return False
        self._grown[passages] = detected_passages
        return True


def _grow_for(comparison: Comparison, settings: ComparisonSettings) -> _GrownResult:
    detected_passages = detect_passages(comparison.left, comparison.right, settings)
    assert settings.passages is not None, "passages are only grown for settings that want them"
    assert detected_passages is not None, "grow_passages returns passages for such settings"
    return comparison.matrix, settings.passages, detected_passages

"""Reclassify scored pairs by the current settings in the background; the latest settings win."""

from collections.abc import Mapping
from functools import partial
from threading import Event

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QThreadPool, Signal

from simcompare.cohort.pair_scores import ExclusionCandidateCache, PairClassifier, PairScores, PairSummary
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.progress import Cancelled
from simcompare.model.settings import ComparisonSettings
from simcompare.text.prepared_text import PreparedText
from simcompare.ui.state.cohort.class_common import CommonByText
from simcompare.ui.state.cohort.pair_rows_data import Pair
from simcompare.ui.state.task import Report, Task

_PAIRS_PER_PORTION = 200

ReclassifiedPairs = list[tuple[Pair, PairScores, PairSummary]]
"""Pairs, their scores, and the figures classified from them."""


class PairReclassification(QObject):
    """Reclassifies pairs by the current settings; discards unfinished results of earlier ones."""

    reclassified = Signal(object)
    """Some reclassified pairs (ReclassifiedPairs)."""
    ended = Signal()
    _portion_done = Signal(object)
    _finished = Signal(object)
    _failed = Signal(object)

    def __init__(self, settings: ComparisonSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.classifier = PairClassifier(settings, ExclusionCandidateCache(None, settings.thesaurus))
        self.is_busy = False
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._stop = Event()
        self._portion_done.connect(self._emit_portion)
        self._finished.connect(self._finish)
        self._failed.connect(self._fail)

    def use(self, settings: ComparisonSettings, prompt: PreparedText | None, common: CommonByText) -> None:
        """Classify by other settings or with other candidates from now on; cancels unfinished work."""
        exclusion_candidates = self.classifier.exclusion_candidates
        if prompt is not exclusion_candidates.prompt or settings.thesaurus != exclusion_candidates.thesaurus:
            exclusion_candidates = ExclusionCandidateCache(prompt, settings.thesaurus, common)
        elif common is not exclusion_candidates.common:
            exclusion_candidates = exclusion_candidates.with_common(common)
        self.classifier = PairClassifier(settings, exclusion_candidates)
        self._cancel()

    def start(
        self,
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        scores: Mapping[Pair, PairScores],
        prepared_documents: Mapping[int, PreparedDocument],
    ) -> None:
        """Reclassify pairs of documents, by key; `reclassified` follows several times, then `ended`."""
        self._cancel()
        self.is_busy = True
        work = partial(
            _classify_all,
            left,
            right,
            scores,
            prepared_documents,
            self.classifier,
            Report(self._portion_done),
            self._stop,
        )
        self._pool.start(Task(work, self._finished, self._failed, self._stop))

    def close(self) -> None:
        """Stop without further signals."""
        self._cancel()
        self._pool.waitForDone()
        for signal in (self._portion_done, self._finished, self._failed):
            signal.disconnect()

    def _cancel(self) -> None:
        self._stop.set()
        self._stop = Event()
        self.is_busy = False

    def _emit_portion(self, portion: tuple[PairClassifier, ReclassifiedPairs]) -> None:
        classifier, reclassified = portion
        if classifier is self.classifier:
            self.reclassified.emit(reclassified)

    def _finish(self, stop: Event | None) -> None:
        if stop is self._stop:  # otherwise a later request is being processed
            self.is_busy = False
            self.ended.emit()

    def _fail(self, error: Exception) -> None:
        self.is_busy = False
        raise error


def _classify_all(
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    scores: Mapping[Pair, PairScores],
    prepared_documents: Mapping[int, PreparedDocument],
    classifier: PairClassifier,
    report: Report,
    stop: Event,
) -> Event:
    """Classify pairs and emit them in portions; return `stop`, which identifies the request."""
    portion: ReclassifiedPairs = []
    for pair in zip(left.tolist(), right.tolist(), strict=True):
        if stop.is_set():
            raise Cancelled
        held = scores.get(pair)
        if held is None:
            continue
        portion.append(
            (pair, held, classifier.classify(prepared_documents[pair[0]], prepared_documents[pair[1]], held))
        )
        if len(portion) == _PAIRS_PER_PORTION:
            report((classifier, portion))
            portion = []
    report((classifier, portion))
    return stop

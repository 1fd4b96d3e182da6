"""Scored pairs judged by the settings of the moment, in the background; the latest settings win."""

from collections.abc import Mapping
from functools import partial
from threading import Event

from PySide6.QtCore import QObject, QThreadPool, Signal, SignalInstance

from simcompare.cohort.pair_scores import ExclusionCandidateCache, PairClassifier, PairScores, PairSummary
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.progress import Cancelled
from simcompare.model.settings import ComparisonSettings
from simcompare.text.prepared_text import PreparedText
from simcompare.ui.state.cohort.pair_columns_data import Pair
from simcompare.ui.state.comparison_run import Task

_PAIRS_AT_ONCE = 200

Judged = list[tuple[Pair, PairScores, PairSummary]]
"""Pairs, the scores they were judged from, and what came of it."""


class PairJudging(QObject):
    """Holds the judge of the moment. What an earlier one is still at is stopped and told to nobody."""

    judged = Signal(object)
    """Some pairs (Judged)."""
    ended = Signal()
    _some_judged = Signal(object, object)
    _finished = Signal(object)
    _failed = Signal(object)

    def __init__(self, settings: ComparisonSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.classifier = PairClassifier(settings, ExclusionCandidateCache(None, settings.thesaurus))
        self.is_busy = False
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._stop = Event()
        self._some_judged.connect(self._tell)
        self._finished.connect(self._finish)
        self._failed.connect(self._fail)

    def use(self, settings: ComparisonSettings, prompt: PreparedText | None) -> None:
        """Judge by other settings from now on; what is under way ends."""
        exclusion_candidates = self.classifier.exclusion_candidates
        if prompt is not exclusion_candidates.prompt or settings.thesaurus != exclusion_candidates.thesaurus:
            exclusion_candidates = ExclusionCandidateCache(prompt, settings.thesaurus)
        self.classifier = PairClassifier(settings, exclusion_candidates)
        self._give_up()

    def start(
        self, scores: Mapping[Pair, PairScores], prepared_documents: Mapping[int, PreparedDocument]
    ) -> None:
        """Judge these pairs, given with the documents they are of; `judged` follows, then `ended`."""
        self._give_up()
        self.is_busy = True
        work = partial(_judge_all, scores, prepared_documents, self.classifier, self._some_judged, self._stop)
        self._pool.start(Task(work, self._finished, self._failed, self._stop))

    def close(self) -> None:
        """Stop, and say nothing any more."""
        self._give_up()
        self._pool.waitForDone()
        for signal in (self._some_judged, self._finished, self._failed):
            signal.disconnect()

    def _give_up(self) -> None:
        self._stop.set()
        self._stop = Event()
        self.is_busy = False

    def _tell(self, classifier: PairClassifier, judged: Judged) -> None:
        if classifier is self.classifier:
            self.judged.emit(judged)

    def _finish(self, stop: Event | None) -> None:
        if stop is self._stop:  # else others are being judged by now
            self.is_busy = False
            self.ended.emit()

    def _fail(self, error: Exception) -> None:
        self.is_busy = False
        raise error


def _judge_all(
    scores: Mapping[Pair, PairScores],
    prepared_documents: Mapping[int, PreparedDocument],
    classifier: PairClassifier,
    judged: SignalInstance,
    stop: Event,
) -> Event:
    """Judge pairs and tell of some at a time; returns `stop`, by which the work is known."""
    some: Judged = []
    for pair, held in scores.items():
        if stop.is_set():
            raise Cancelled
        some.append(
            (pair, held, classifier.classify(prepared_documents[pair[0]], prepared_documents[pair[1]], held))
        )
        if len(some) == _PAIRS_AT_ONCE:
            judged.emit(classifier, some)
            some = []
    judged.emit(classifier, some)
    return stop

"""Reclassify scored pairs by the current settings in the background; the latest settings win."""

from collections.abc import Mapping
from functools import partial
from threading import Event

from PySide6.QtCore import QObject, QThreadPool, Signal, SignalInstance

from simcompare.cohort.pair_scores import GroundsOfTexts, PairJudge, PairScores, PairSummary
from simcompare.comparison.subject import Subject
from simcompare.model.progress import Cancelled
from simcompare.model.settings import ComparisonSettings
from simcompare.text.prepared_text import PreparedText
from simcompare.ui.state.cohort.pair_columns_data import Pair
from simcompare.ui.state.comparison_run import Task

_PAIRS_PER_PORTION = 200

ReclassifiedPairs = list[tuple[Pair, PairScores, PairSummary]]
"""Pairs, their scores, and the figures classified from them."""


class PairReclassification(QObject):
    """Reclassifies pairs by the current settings; discards unfinished results of earlier ones."""

    reclassified = Signal(object)
    """Some reclassified pairs (Judged)."""
    ended = Signal()
    _portion_done = Signal(object, object)
    _finished = Signal(object)
    _failed = Signal(object)

    def __init__(self, settings: ComparisonSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.judge = PairJudge(settings, GroundsOfTexts(None, settings.thesaurus))
        self.is_busy = False
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self._stop = Event()
        self._portion_done.connect(self._emit_portion)
        self._finished.connect(self._finish)
        self._failed.connect(self._fail)

    def use(self, settings: ComparisonSettings, prompt: PreparedText | None) -> None:
        """Classify by other settings from now on; cancels unfinished work."""
        grounds = self.judge.grounds
        if prompt is not grounds.prompt or settings.thesaurus != grounds.thesaurus:
            grounds = GroundsOfTexts(prompt, settings.thesaurus)
        self.judge = PairJudge(settings, grounds)
        self._cancel()

    def start(self, scores: Mapping[Pair, PairScores], subjects: Mapping[int, Subject]) -> None:
        """Reclassify these pairs of documents; `reclassified` follows several times, then `ended`."""
        self._cancel()
        self.is_busy = True
        work = partial(_classify_all, scores, subjects, self.judge, self._portion_done, self._stop)
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

    def _emit_portion(self, judge: PairJudge, reclassified: ReclassifiedPairs) -> None:
        if judge is self.judge:
            self.reclassified.emit(reclassified)

    def _finish(self, stop: Event | None) -> None:
        if stop is self._stop:  # otherwise a later request is being processed
            self.is_busy = False
            self.ended.emit()

    def _fail(self, error: Exception) -> None:
        self.is_busy = False
        raise error


def _classify_all(
    scores: Mapping[Pair, PairScores],
    subjects: Mapping[int, Subject],
    judge: PairJudge,
    reclassified: SignalInstance,
    stop: Event,
) -> Event:
    """Classify pairs and emit them in portions; return `stop`, which identifies the request."""
    portion: ReclassifiedPairs = []
    for pair, held in scores.items():
        if stop.is_set():
            raise Cancelled
        portion.append((pair, held, judge.judge(subjects[pair[0]], subjects[pair[1]], held)))
        if len(portion) == _PAIRS_PER_PORTION:
            reclassified.emit(judge, portion)
            portion = []
    reclassified.emit(judge, portion)
    return stop

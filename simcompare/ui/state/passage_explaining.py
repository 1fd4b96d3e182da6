"""Explain a long passage in the background."""

from functools import partial
from threading import Event

from PySide6.QtCore import QObject, QThreadPool, Signal

from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.passage_explanation import PassageExplanation, explain_passage
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.text.thesaurus import Thesaurus
from simcompare.ui.state.comparison_run import Task


class PassageExplaining(QObject):
    """Explains one passage at a time; earlier requests are cancelled."""

    explained = Signal(object)
    """The PassageExplanation of the passage requested last."""
    failed = Signal(object)
    _done = Signal(object)

    def __init__(self, pool: QThreadPool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = pool
        self._stop = Event()
        self._done.connect(self._deliver)

    def explain(
        self, comparison: Comparison, passages: NumberedPassages, index: int, thesaurus: Thesaurus | None
    ) -> None:
        """Explain a passage, by its index, in the current language; `explained` follows."""
        self.cancel()
        self._stop = stop = Event()
        work = partial(_explain, stop, comparison, passages, index, thesaurus)
        self._pool.start(Task(work, self._done, self.failed, stop))

    def cancel(self) -> None:
        """Discard the current request; no signal follows."""
        self._stop.set()

    def _deliver(self, result: tuple[Event, PassageExplanation] | None) -> None:
        if result is not None and not result[0].is_set():
            self.explained.emit(result[1])


def _explain(
    stop: Event,
    comparison: Comparison,
    passages: NumberedPassages,
    index: int,
    thesaurus: Thesaurus | None,
) -> tuple[Event, PassageExplanation]:
    return stop, explain_passage(comparison, passages, index, thesaurus)

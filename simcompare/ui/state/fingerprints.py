"""Fingerprints by another recipe, made in the pool for all documents at once."""

from collections.abc import Mapping, Sequence
from functools import partial
from threading import Event

from PySide6.QtCore import QObject, QThreadPool, Signal

from simcompare.comparison.subject import Subject, with_recipe
from simcompare.ui.state.comparison_run import Task

Remade = Mapping[Subject, Subject]
"""What stands for each subject from now on."""


class Fingerprinting(QObject):
    """Makes the fingerprints of subjects anew. All change together: two recipes can't be compared."""

    remade = Signal(str, object)
    """The recipe, and what stands for each of the subjects given (Remade)."""
    failed = Signal(object)
    """The NoTermsError of a text that the recipe cannot fingerprint; nothing changes then."""
    _made = Signal(object)
    _refused = Signal(object)

    def __init__(self, pool: QThreadPool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = pool
        self._stop = Event()
        self._made.connect(self._deliver)
        self._refused.connect(self._refuse)

    def remake(self, subjects: Sequence[Subject], recipe: str) -> None:
        """Begin; returns at once. What was asked for before is dropped."""
        self._stop.set()
        self._stop = Event()
        work = partial(_remade, subjects, recipe, self._stop)
        self._pool.start(Task(work, self._made, self._refused, self._stop))

    def close(self) -> None:
        """Say nothing any more."""
        self._stop.set()

    def _deliver(self, made: tuple[str, Remade, Event] | None) -> None:
        if made is not None and made[2] is self._stop and not self._stop.is_set():
            self.remade.emit(*made[:2])

    def _refuse(self, error: Exception) -> None:
        if not self._stop.is_set():
            self.failed.emit(error)


def _remade(subjects: Sequence[Subject], recipe: str, asked: Event) -> tuple[str, Remade, Event]:
    return recipe, {subject: with_recipe(subject, recipe) for subject in subjects}, asked

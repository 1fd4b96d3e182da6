"""The prompt or template whose sentences are excluded: read once, scored against each pair."""

from functools import partial
from pathlib import Path
from threading import Event

from PySide6.QtCore import QObject, QThreadPool, Signal

from simcompare.comparison.compare import Grounds, grounds_of
from simcompare.comparison.subject import Subject
from simcompare.comparison.values import Comparison, ComparisonMatrix
from simcompare.errors import SimcompareError
from simcompare.text.prepared import PreparedText
from simcompare.text.thesaurus import Thesaurus
from simcompare.ui.state.comparison_run import Task
from simcompare.ui.state.reading import FileReading

_KEY = -1
"""The key under which it is read; documents have keys from 1 on."""


class PromptFile(QObject):
    """At most one file. It stays read while its exclusion is switched off and on."""

    changed = Signal()
    """It began to be read, or could not be read."""
    ready = Signal()
    failed = Signal(object)
    """The SimcompareError, or what stopped the scoring."""
    scored = Signal(object, object)
    """A comparison's matrix, and the grounds to judge it by with this prompt."""
    _grounds_found = Signal(object)

    def __init__(self, reading: FileReading, pool: QThreadPool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.subject: Subject | None = None
        self.pending: Path | None = None
        self._reading = reading
        self._pool = pool
        self._stop = Event()
        reading.finished.connect(self._take)
        reading.failed.connect(self._fail)
        self._grounds_found.connect(self._deliver)

    @property
    def path(self) -> Path | None:
        """The file that was read."""
        return self.subject.document.path if self.subject else None

    @property
    def prepared(self) -> PreparedText | None:
        """The text of the file that was read."""
        return self.subject.prepared if self.subject else None

    def read(self, path: Path) -> None:
        """Read a file to take the place of the one there is."""
        self.pending = path
        self._reading.read(_KEY, path)
        self.changed.emit()

    def score(self, comparison: Comparison, thesaurus: Thesaurus | None) -> None:
        """Find the grounds for a comparison in the background; `scored` follows."""
        work = partial(_find_grounds, comparison, self.prepared, thesaurus)
        self._pool.start(Task(work, self._grounds_found, self.failed, self._stop))

    def close(self) -> None:
        """Say nothing any more."""
        self._stop.set()
        self._grounds_found.disconnect(self._deliver)

    def _take(self, key: int, subject: Subject) -> None:
        if key == _KEY:
            self.pending, self.subject = None, subject
            self.ready.emit()

    def _fail(self, key: int, error: SimcompareError) -> None:
        if key == _KEY:
            self.pending = None
            self.changed.emit()
            self.failed.emit(error)

    def _deliver(self, found: tuple[PreparedText | None, ComparisonMatrix, Grounds] | None) -> None:
        # meanwhile another file may have been read
        if found is not None and found[0] is self.prepared:
            self.scored.emit(found[1], found[2])


def _find_grounds(
    comparison: Comparison, prompt: PreparedText | None, thesaurus: Thesaurus | None
) -> tuple[PreparedText | None, ComparisonMatrix, Grounds]:
    return prompt, comparison.matrix, grounds_of(comparison.left, comparison.right, prompt, thesaurus)

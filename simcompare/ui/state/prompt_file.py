"""Prompt or template whose sentences are excluded: read once, matched against each pair."""

from functools import partial
from pathlib import Path
from threading import Event

from PySide6.QtCore import QObject, QThreadPool, Signal

from simcompare.comparison.compare_documents import PairExclusionCandidates, exclusion_candidates_of
from simcompare.comparison.comparison_result import Comparison, ComparisonMatrix
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.document import Document
from simcompare.model.errors import SimcompareError
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus
from simcompare.ui.state.comparison_run import Task
from simcompare.ui.state.file_reading import FileReading

_KEY = -1
"""Key under which the prompt is read; documents have keys from 1 on."""


class PromptFile(QObject):
    """At most one prompt file. It stays loaded while its exclusion is switched off and on."""

    changed = Signal()
    """Reading has begun, succeeded or failed."""
    ready = Signal()
    restored = Signal()
    """The prompt of a session is ready; the settings already say whether it is excluded."""
    failed = Signal(object)
    """The SimcompareError, or the exception that stopped scoring."""
    scored = Signal(object, object)
    """Matrix of a comparison, and its exclusion candidates with this prompt."""
    _exclusion_candidates_found = Signal(object)

    def __init__(self, reading: FileReading, pool: QThreadPool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.prepared_document: PreparedDocument | None = None
        self.pending: Path | None = None
        self._kept: Document | None = None
        self._reading = reading
        self._pool = pool
        self._stop = Event()
        reading.finished.connect(self._take)
        reading.failed.connect(self._fail)
        self._exclusion_candidates_found.connect(self._deliver)

    @property
    def path(self) -> Path | None:
        """Path of the loaded file."""
        return self.prepared_document.document.path if self.prepared_document else None

    @property
    def prepared(self) -> PreparedText | None:
        """Prepared text of the loaded file."""
        return self.prepared_document.prepared if self.prepared_document else None

    @property
    def document(self) -> Document | None:
        """Text of the file, prepared or not."""
        return self.prepared_document.document if self.prepared_document else self._kept

    def restore(self, document: Document | None) -> None:
        """Replace the prompt by that of a session, or by none."""
        self._reading.cancel(_KEY)
        self.prepared_document, self._kept = None, document
        self.pending = document.path if document else None
        if document:
            self._reading.prepare(_KEY, document)
        self.changed.emit()

    def read(self, path: Path) -> None:
        """Read a file that replaces the current prompt."""
        self.pending, self._kept = path, None
        self._reading.read(_KEY, path)
        self.changed.emit()

    def score(self, comparison: Comparison, thesaurus: Thesaurus | None) -> None:
        """Compute the exclusion candidates of a comparison in the background; `scored` follows."""
        work = partial(_find_exclusion_candidates, comparison, self.prepared, thesaurus)
        self._pool.start(Task(work, self._exclusion_candidates_found, self.failed, self._stop))

    def close(self) -> None:
        """Stop without further signals."""
        self._stop.set()
        self._exclusion_candidates_found.disconnect(self._deliver)

    def _take(self, key: int, prepared_document: PreparedDocument) -> None:
        if key == _KEY:
            was_kept = self._kept is not None
            self.pending, self._kept, self.prepared_document = None, None, prepared_document
            self.changed.emit()
            (self.restored if was_kept else self.ready).emit()

    def _fail(self, key: int, error: SimcompareError) -> None:
        if key == _KEY:
            self.pending = None
            self.changed.emit()
            self.failed.emit(error)

    def _deliver(
        self, found: tuple[PreparedText | None, ComparisonMatrix, PairExclusionCandidates] | None
    ) -> None:
        # another prompt may have been read meanwhile
        if found is not None and found[0] is self.prepared:
            self.scored.emit(found[1], found[2])


def _find_exclusion_candidates(
    comparison: Comparison, prompt: PreparedText | None, thesaurus: Thesaurus | None
) -> tuple[PreparedText | None, ComparisonMatrix, PairExclusionCandidates]:
    return (
        prompt,
        comparison.matrix,
        exclusion_candidates_of(comparison.left, comparison.right, prompt, thesaurus),
    )

"""Prompt and templates whose sentences are excluded: read once, matched against each pair."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QThreadPool, Signal

from simcompare.cohort.class_check import joined_text
from simcompare.comparison.compare_documents import (
    PairCommonText,
    PairExclusionCandidates,
    exclusion_candidates_of,
)
from simcompare.comparison.comparison_result import Comparison, ComparisonMatrix
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.document import Document
from simcompare.model.errors import SimcompareError
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus
from simcompare.ui.state.file_reading import FileReading
from simcompare.ui.state.task import Background

_KEY, _JOINED_KEY = -1, -2
"""Keys under which the prompt, and it joined with the templates, are read; documents have keys from 1 on."""


class PromptFile(QObject):
    """At most one prompt file, and the documents that are templates.

    They stay loaded while their exclusion is switched off and on.
    """

    changed = Signal()
    """Reading has begun, succeeded or failed."""
    ready = Signal()
    restored = Signal()
    """The prompt of a session or other templates are ready; the settings say whether they are excluded."""
    failed = Signal(object)
    """The SimcompareError, or the exception that stopped scoring."""
    scored = Signal(object, object)
    """Matrix of a comparison, and its exclusion candidates with this prompt."""

    def __init__(self, reading: FileReading, pool: QThreadPool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.prepared_document: PreparedDocument | None = None
        self.pending: Path | None = None
        self._kept: Document | None = None
        self._templates: tuple[Document, ...] = ()
        self._template_paths: tuple[Path, ...] = ()
        self._joined: PreparedDocument | None = None
        self._is_joining = False
        self._reading = reading
        self._background = Background(self, pool)
        reading.finished.connect(self._take)
        reading.failed.connect(self._fail)

    @property
    def path(self) -> Path | None:
        """Path of the loaded file, or of the first template without one."""
        if self.document is not None:
            return self.document.path
        return next(iter(self._template_paths), None)

    @property
    def prepared(self) -> PreparedText | None:
        document = self._joined or self.prepared_document
        return document.prepared if document else None

    @property
    def document(self) -> Document | None:
        return self.prepared_document.document if self.prepared_document else self._kept

    @property
    def is_ready(self) -> bool:
        """False while the prompt of a session, or templates, are being prepared."""
        return not self._is_joining and (self._kept is None or self.pending is None)

    def restore(self, document: Document | None) -> None:
        """Replace the prompt by that of a session, or by none, and forget the templates."""
        self._reading.cancel(_KEY)
        self._reading.cancel(_JOINED_KEY)
        self._templates, self._template_paths, self._joined = (), (), None
        self._is_joining = False
        self.prepared_document, self._kept = None, document
        self.pending = document.path if document else None
        if document:
            self._reading.prepare(_KEY, document)
        self.changed.emit()

    def prepare_again(self) -> None:
        """Prepare the prompt by other words; templates follow when they are prepared."""
        if self.document is None and self.pending is not None:
            self.read(self.pending)
        else:
            self.restore(self.document)

    def read(self, path: Path) -> None:
        self.pending, self._kept = path, None
        self._reading.read(_KEY, path)
        self.changed.emit()

    def use_templates(self, templates: Mapping[Path, Document | None]) -> None:
        """Exclude the sentences of these texts too; `restored` follows when they are prepared.

        The value is None while a template is being read.
        """
        texts = tuple(text for text in templates.values() if text is not None)
        self._template_paths = tuple(templates)
        if texts != self._templates:
            self._templates = texts
            self._join()

    def _join(self) -> None:
        self._reading.cancel(_JOINED_KEY)
        self._is_joining = bool(self._templates)
        if not self._templates:
            self._joined = None
            self.restored.emit()
            return
        own = [self.prepared_document.document] if self.prepared_document is not None else []
        self._reading.prepare(_JOINED_KEY, joined_text([*own, *self._templates]))

    def score(self, comparison: Comparison, thesaurus: Thesaurus | None, common: PairCommonText) -> None:
        """Compute the exclusion candidates of a comparison in the background; `scored` follows."""
        prompt, texts = self.prepared, (comparison.left, comparison.right)
        work = partial(exclusion_candidates_of, *texts, prompt, thesaurus, common)
        self._background.start(work, partial(self._deliver, prompt, comparison.matrix), self.failed.emit)

    def close(self) -> None:
        self._background.close()

    def _take(self, key: int, prepared_document: PreparedDocument) -> None:
        if key == _KEY:
            was_kept = self._kept is not None
            self.pending, self._kept, self.prepared_document = None, None, prepared_document
            self.changed.emit()
            (self.restored if was_kept else self.ready).emit()
            if self._templates:
                self._join()
        elif key == _JOINED_KEY:
            self._joined, self._is_joining = prepared_document, False
            self.restored.emit()

    def _fail(self, key: int, error: SimcompareError) -> None:
        if key in {_KEY, _JOINED_KEY}:
            self.pending, self._is_joining = None, False
            self.changed.emit()
            self.failed.emit(error)

    def _deliver(
        self, prompt: PreparedText | None, matrix: ComparisonMatrix, found: PairExclusionCandidates
    ) -> None:
        if prompt is self.prepared:  # another one may have been read meanwhile
            self.scored.emit(matrix, found)

"""Files read and prepared in worker processes, results as signals; the prompt, matched against each pair."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import CancelledError
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Thread

from PySide6.QtCore import QObject, Qt, QThreadPool, QTimer, Signal

from simcompare.cohort.class_check import joined_text
from simcompare.cohort.document_preparation import (
    PRELOADED,
    lower_process_priority,
    preload_readers,
    prepare_read_document,
    read_prepared_document,
    read_prepared_pasted_text,
    read_submitted_document,
)
from simcompare.comparison.compare_documents import (
    PairCommonText,
    PairExclusionCandidates,
    exclusion_candidates_of,
)
from simcompare.comparison.comparison_result import Comparison, ComparisonMatrix
from simcompare.comparison.prepared_document import PreparedDocument, with_recipe
from simcompare.loading.archive_members import ListedFiles, file_on_disk, list_files
from simcompare.loading.extraction import DEFAULT_OPTIONS, PastedText, ReadingOptions
from simcompare.loading.workers import text_recognition as recognition
from simcompare.loading.workers.isolation import ReaderPool, is_large_text
from simcompare.model.document import Document
from simcompare.model.errors import InstallationError, SimcompareError
from simcompare.model.settings import UserWords
from simcompare.support.atomic_file import change_stamp
from simcompare.support.workers.worker_pool import MeasuredFuture
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus
from simcompare.ui.state.document_entry import DocumentEntry
from simcompare.ui.state.task import Background, Report

# An archive is listed at about 400 MB/s; folders may be on a slow network.
_MOST_FILES_AT_ONCE, _MOST_BYTES_AT_ONCE = 20, 1_000_000

UseListed = Callable[[ListedFiles], object]


class PathListing(QObject):
    """Lists paths in the order of the requests. Few small files are listed at once."""

    changed = Signal()
    """Requests begin to wait, or are cancelled; `use` tells the end."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = Background(self)

    @property
    def is_busy(self) -> bool:
        return self._background.is_busy

    def list(self, paths: Iterable[Path], use: UseListed) -> None:
        """Call `use` with the files at some paths, in the GUI thread."""
        wanted, was_busy = tuple(paths), self.is_busy
        if not was_busy and (len(wanted) <= _MOST_FILES_AT_ONCE and not any(map(_is_large, wanted))):
            use(list_files(wanted))
            return
        self._background.start(partial(list_files, wanted), use)
        if not was_busy:
            self.changed.emit()

    def cancel(self) -> None:
        if self.is_busy:
            self._background.cancel()
            self.changed.emit()

    def close(self) -> None:
        self._background.close()


def _is_large(path: Path) -> bool:
    try:
        return path.is_dir() or path.stat().st_size > _MOST_BYTES_AT_ONCE
    except (OSError, ValueError):
        return False  # listed as it is; reading it gives the error


READERS = 2


class FileReading(QObject):
    """Reads files in parallel. Each key gets one of `finished` and `failed`, unless it is cancelled."""

    finished = Signal(int, object)
    failed = Signal(int, object)
    recognised = Signal(object)
    """Key, pages recognised so far, pages in total."""
    timed = Signal(int, float)
    """Key, and seconds that reading took; emitted before finished or failed if they are known."""
    _arrived = Signal(object)

    def __init__(self, recipe: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.recipe = recipe
        self.user_words: UserWords | None = None
        self.meaning = False
        self.also_encoded: frozenset[int] = frozenset()
        """Keys of the documents that are encoded even if not all are."""
        self.is_put_off = True
        """True while nothing is encoded, as all is compared by words first."""
        self._pool = ReaderPool(max_workers=READERS, initializer=lower_process_priority, preload=PRELOADED)
        self._reading: dict[int, tuple[Path, MeasuredFuture[PreparedDocument]]] = {}
        self._preparing: dict[int, Document] = {}
        # Futures call back in a thread of the pool, or at once if they have ended; the result is delivered
        # in a later turn of the GUI thread either way.
        self._arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._report = Report(self._arrived)

    def is_encoded(self, key: int) -> bool:
        return self.meaning or key in self.also_encoded

    def warm(self) -> None:
        """Start the processes in advance, so that the first file does not wait for them."""
        self._pool.warm(preload_readers)

    def read(self, key: int, path: Path, options: ReadingOptions = DEFAULT_OPTIONS) -> None:
        """Start reading a file; signals carry the key. Cancels earlier reading under the same key."""
        self._submit(key, path, read_prepared_document, options=options)

    def read_submitted(self, key: int, path: Path, options: ReadingOptions) -> None:
        """Start reading a file, like `read`; a class list fails with ClassListFoundError."""
        self._submit(key, path, read_submitted_document, options=options)

    def read_pasted(self, key: int, path: Path, pasted: PastedText, options: ReadingOptions) -> None:
        self._submit(key, path, read_prepared_pasted_text, pasted, options=options)

    def _submit(
        self,
        key: int,
        path: Path,
        function: Callable[..., PreparedDocument],
        *arguments: object,
        options: ReadingOptions,
    ) -> None:
        self.cancel(key)
        report = Report(self.recognised)
        is_encoded = self.is_encoded(key) and not self.is_put_off
        options = replace(options, user_words=self.user_words, meaning=is_encoded)
        submit = partial(recognition.submit, options=options, tick=lambda *pages: report((key, *pages)))
        self._await(key, path, submit(self._pool, function, path, *arguments, self.recipe))

    @property
    def under_way(self) -> frozenset[int]:
        """Keys being read now; the others are queued."""
        return frozenset(islice(self._reading, READERS))

    def hurry(self, keys: Iterable[int]) -> None:
        """Let these wait for no others."""
        for key in keys:
            if key in self._reading:
                self._pool.hurry(self._reading[key][1])

    def prepare(self, key: int, document: Document, kept: bytes = b"", is_readable: bool = True) -> None:
        """Prepare a text; one that cannot be read yet is not encoded, unless its vectors were kept."""
        self.cancel(key)
        self._preparing[key] = document
        sent = replace(document, character_boxes=None)  # large, and not needed for preparing
        submit = partial(self._pool.submit, is_large=is_large_text(document.text))
        is_encoded = self.is_encoded(key) and (is_readable or bool(kept))
        arguments = document.path, sent, self.recipe, self.user_words, is_encoded, kept
        self._await(key, document.path, submit(prepare_read_document, *arguments))

    def _await(self, key: int, path: Path, future: "MeasuredFuture[PreparedDocument]") -> None:
        self._reading[key] = path, future
        report = self._report
        future.add_done_callback(lambda done: report((key, done)))

    def cancel(self, key: int) -> None:
        """Cancel reading; no signal follows."""
        self._preparing.pop(key, None)
        if key in self._reading:
            _path, future = self._reading.pop(key)
            future.cancel()

    def close(self) -> None:
        """Stop without further signals. The processes end in the background, before the program does."""
        self._arrived.disconnect(self._deliver)
        self._reading.clear()
        Thread(target=self._pool.close, name="end of reading").start()

    def _deliver(self, arrived: "tuple[int, MeasuredFuture[PreparedDocument]]") -> None:
        key, future = arrived
        path, awaited = self._reading.get(key, (None, None))
        if path is None or awaited is not future:
            return
        del self._reading[key]
        document = self._preparing.pop(key, None)
        if document is None and future.seconds_used is not None:
            self.timed.emit(key, future.seconds_used)
        try:
            # the recipe may have changed meanwhile; with other words of the user, it was submitted again
            prepared_document = with_recipe(future.result(), self.recipe, self.user_words)
        except CancelledError:
            return
        except SimcompareError as error:
            # kept with the document: its traceback would keep the memory of all callers
            self.failed.emit(key, error.with_traceback(None))
        except Exception as error:
            self.failed.emit(key, InstallationError(path, cause=str(error) or type(error).__name__))
        else:
            self.finished.emit(
                key, replace(prepared_document, document=document) if document else prepared_document
            )


_FILES_AT_ONCE = 10


class ReadingQueue(QObject):
    """Submits queued documents in small portions, so that hundreds of files do not block the window."""

    def __init__(
        self,
        reading: FileReading,
        entry_of: Callable[[int], DocumentEntry | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._reading = reading
        self._entry_of = entry_of
        self._keys: deque[int] = deque()
        self._next_turn = QTimer(self, singleShot=True, interval=0)
        self._next_turn.timeout.connect(self.submit_next)

    def put(self, key: int) -> None:
        self._keys.append(key)

    def clear(self) -> None:
        self._keys.clear()
        self._next_turn.stop()

    def submit_next(self) -> None:
        """Submit a few documents now, the others in later turns of the event loop."""
        for _turn in range(_FILES_AT_ONCE):
            if not self._keys:  # a submission may process events that close the window and clear the queue
                return
            entry = self._entry_of(self._keys.popleft())
            if entry is not None and entry.pending_options is not None:
                self._submit(entry, entry.pending_options)
        if self._keys:
            self._next_turn.start()

    def _submit(self, entry: DocumentEntry, asked: ReadingOptions) -> None:
        if entry.saved_document is not None:
            is_readable = entry.prepared_document is not None
            document, kept = entry.saved_document, entry.saved_meanings
            self._reading.prepare(entry.key, document, kept, is_readable)
        elif entry.pasted is not None:
            self._reading.read_pasted(entry.key, entry.path, entry.pasted, asked)
        else:
            entry.stamp = change_stamp(file_on_disk(entry.path))
            read = self._reading.read if entry.is_essay else self._reading.read_submitted
            read(entry.key, entry.path, asked)


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

"""Files read and prepared in processes of their own; the results come back as signals."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Thread

from PySide6.QtCore import QObject, QTimer, Signal

from simcompare.cohort.document_preparation import (
    PRELOADED,
    lower_process_priority,
    preload_readers,
    prepare_read_document,
    read_prepared_document,
    read_prepared_pasted_text,
)
from simcompare.comparison.prepared_document import PreparedDocument, with_recipe
from simcompare.loading.extraction import DEFAULT_OPTIONS, PastedText, ReadingOptions
from simcompare.loading.workers import text_recognition as recognition
from simcompare.loading.workers.isolation import ReaderPool
from simcompare.model.document import Document
from simcompare.model.errors import DamagedFileError, SimcompareError
from simcompare.support.atomic_file import change_stamp
from simcompare.ui.state.document_entry import Entry

_WORKERS = 2


class FileReading(QObject):
    """Reads files side by side. For each key, one of `finished` and `failed` comes, unless cancelled."""

    finished = Signal(int, object)
    failed = Signal(int, object)
    recognised = Signal(int, int, int)
    """The key, and how many pages of how many text recognition has read."""
    _arrived = Signal(int, object)

    def __init__(self, recipe: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.recipe = recipe
        self._pool = ReaderPool(max_workers=_WORKERS, initializer=lower_process_priority, preload=PRELOADED)
        self._reading: dict[int, tuple[Path, Future[PreparedDocument]]] = {}
        self._preparing: dict[int, Document] = {}
        self._is_closed = False
        # futures report from a thread of the pool; the signal brings them into the GUI thread
        self._arrived.connect(self._deliver)

    def warm(self) -> None:
        """Start the processes, so that the first file does not wait for them."""
        self._pool.warm(preload_readers)

    def read(self, key: int, path: Path, options: ReadingOptions = DEFAULT_OPTIONS) -> None:
        """Begin to read a file; the signals carry the key. What was being read under it is given up."""
        self._submit(key, path, read_prepared_document, options=options)

    def read_pasted(self, key: int, path: Path, pasted: PastedText, options: ReadingOptions) -> None:
        """Begin to read a text that is in no file, as `read` does a file."""
        self._submit(key, path, read_prepared_pasted_text, pasted, options=options)

    def _submit(
        self,
        key: int,
        path: Path,
        function: Callable[..., PreparedDocument],
        *given: object,
        options: ReadingOptions,
    ) -> None:
        self.cancel(key)
        tick = partial(self.recognised.emit, key)
        submit = partial(recognition.submit, options=options, tick=tick)
        self._await(key, path, submit(self._pool, function, path, *given, self.recipe))

    @property
    def under_way(self) -> frozenset[int]:
        """The keys of those that workers are at; all others wait for their turn."""
        return frozenset(islice(self._reading, _WORKERS))

    def prepare(self, key: int, document: Document) -> None:
        """Begin to prepare a document that was read before, as `read` does a file."""
        self.cancel(key)
        self._preparing[key] = document
        sent = replace(document, character_boxes=None)  # they are large, and no part of the work
        self._await(
            key, document.path, self._pool.submit(prepare_read_document, document.path, sent, self.recipe)
        )

    def _await(self, key: int, path: Path, future: "Future[PreparedDocument]") -> None:
        self._reading[key] = path, future
        future.add_done_callback(partial(self._report, key))

    def _report(self, key: int, done: "Future[PreparedDocument]") -> None:
        """Tell the GUI thread that a future is done, in whichever thread it is."""
        if not self._is_closed:
            self._arrived.emit(key, done)

    def cancel(self, key: int) -> None:
        """Give up a file; no signal follows."""
        self._preparing.pop(key, None)
        if key in self._reading:
            _path, future = self._reading.pop(key)
            future.cancel()

    def close(self) -> None:
        """Stop at once; no signal follows. The processes end meanwhile, and before the program does."""
        self._is_closed = True
        self._arrived.disconnect(self._deliver)
        self._reading.clear()
        Thread(target=self._pool.close, name="end of reading").start()

    def _deliver(self, key: int, future: "Future[PreparedDocument]") -> None:
        path, awaited = self._reading.get(key, (None, None))
        if path is None or awaited is not future:
            return
        del self._reading[key]
        document = self._preparing.pop(key, None)
        try:
            prepared_document = with_recipe(future.result(), self.recipe)  # it may have changed meanwhile
        except CancelledError:
            return
        except SimcompareError as error:
            self.failed.emit(key, error)
        except Exception as error:
            self.failed.emit(key, DamagedFileError(path, cause=str(error) or type(error).__name__))
        else:
            self.finished.emit(
                key, replace(prepared_document, document=document) if document else prepared_document
            )


_FILES_AT_ONCE = 10


class ReadingQueue(QObject):
    """Hands on those that are still wanted when their turn comes; that takes a while for hundreds."""

    def __init__(
        self, reading: FileReading, entry_of: Callable[[int], Entry | None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._reading = reading
        self._entry_of = entry_of
        self._keys: deque[int] = deque()
        self._next_turn = QTimer(self, singleShot=True, interval=0)
        self._next_turn.timeout.connect(self.hand_on)

    def put(self, key: int) -> None:
        """Let a document wait for its turn."""
        self._keys.append(key)

    def clear(self) -> None:
        """Hand on none of those that wait."""
        self._keys.clear()
        self._next_turn.stop()

    def hand_on(self) -> None:
        """Have a few files read, and the others after the next turn of the event loop."""
        for _turn in range(min(_FILES_AT_ONCE, len(self._keys))):
            entry = self._entry_of(self._keys.popleft())
            if entry is not None and entry.asked is not None:
                self._submit(entry, entry.asked)
        if self._keys:
            self._next_turn.start()

    def _submit(self, entry: Entry, asked: ReadingOptions) -> None:
        if entry.kept is not None:
            self._reading.prepare(entry.key, entry.kept)
        elif entry.pasted is not None:
            self._reading.read_pasted(entry.key, entry.path, entry.pasted, asked)
        else:
            entry.stamp = change_stamp(entry.path)
            self._reading.read(entry.key, entry.path, asked)

"""One comparison at work in a QThreadPool: numbering, then row blocks side by side, then judgement."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Event

from PySide6.QtCore import QObject, QRunnable, QThread, QThreadPool, Signal, SignalInstance

from simcompare.comparison.compare_documents import build_comparison, detect_passages, exclusion_candidates_of
from simcompare.comparison.comparison_result import Comparison, RowBlock
from simcompare.comparison.matrix.comparison_matrix import (
    MatrixBuilder,
    MatrixInput,
    make_matrix_input,
    row_blocks,
    score_rows,
)
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.errors import LexiconError
from simcompare.model.progress import Cancelled
from simcompare.model.settings import ComparisonSettings
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus, load_thesaurus
from simcompare.text.words import inverse_document_frequency

_TELL_SECONDS = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A finished comparison, its prompt and thesaurus; the error where that asked for could not be read."""

    comparison: Comparison
    prompt: PreparedText | None
    thesaurus: Thesaurus | None
    thesaurus_error: LexiconError | None


@dataclass(frozen=True, slots=True, eq=False)
class _Posed:
    matrix_input: MatrixInput
    thesaurus: Thesaurus | None
    thesaurus_error: LexiconError | None


class _TaskSignals(QObject):
    """Signals of one task. Qt drops a connection, and what is queued in it, when the receiver is deleted."""

    done = Signal(object)
    failed = Signal(object)


class Task(QRunnable):
    """Run `work` in a thread pool; emit its result, its error, or None if the run was cancelled.

    `done` and `failed` are signals of the object that starts the task. They are connected and not kept: that
    object may be deleted while the task works, and a SignalInstance raises once its object is gone. Construct
    a task in the GUI thread; the task owns its own signals for as long as it may emit.
    """

    def __init__(
        self, work: Callable[[], object], done: SignalInstance, failed: SignalInstance, stop: Event
    ) -> None:
        super().__init__()
        self._work = work
        self._stop = stop
        # deleted with the task in the pool's thread, which is safe as it never receives an event
        self._signals = _TaskSignals()
        self._signals.done.connect(done)
        self._signals.failed.connect(failed)

    def run(self) -> None:
        """Do the work, unless the run was cancelled while the task was queued."""
        try:
            if self._stop.is_set():
                raise Cancelled
            result = self._work()
        except Cancelled:
            self._signals.done.emit(None)
        except Exception as error:
            self._signals.failed.emit(error)
        else:
            self._signals.done.emit(result)


def computing_pool() -> QThreadPool:
    """Return a pool whose threads leave one core to the window.

    Python code runs in one of them at a time: with one more, on two cores, no more was computed in a second,
    and painting took twice as long. Threads of less priority are no way out: one that is kept from running
    by other programs may hold the interpreter, and then the window waits.
    """
    return QThreadPool(maxThreadCount=max(1, QThread.idealThreadCount() - 1))


def load_for_comparing(thesaurus: str) -> None:
    """Load what all comparisons need: that takes half a second, in which the window would wait often."""
    with suppress(LexiconError):  # who compares by it is told
        load_thesaurus(thesaurus)
    inverse_document_frequency("的")


class ComparisonRun(QObject):
    """Compares two subjects. Exactly one of succeeded, failed, cancelled is emitted, and it comes last."""

    shape_known = Signal(int, int)
    block_scored = Signal(object)
    progressed = Signal(int, int)
    succeeded = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    _problem_posed = Signal(object)
    _rows_scored = Signal(object)
    _concluded = Signal(object)
    _task_failed = Signal(object)

    def __init__(
        self,
        left: PreparedDocument,
        right: PreparedDocument,
        settings: ComparisonSettings,
        prompt: PreparedText | None,
        pool: QThreadPool,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.left = left
        self.right = right
        self._settings = settings
        self._prompt = prompt
        self._pool = pool
        self._stop = Event()
        self._over = False
        self._error: Exception | None = None
        self._waiting = 0
        self._rows_done = 0
        self._told_seconds = 0.0
        self._posed: _Posed | None = None
        self._builder: MatrixBuilder | None = None
        self._problem_posed.connect(self._score)
        self._rows_scored.connect(self._collect)
        self._concluded.connect(self._succeed)
        self._task_failed.connect(self._fail)
        for last in (self.succeeded, self.failed, self.cancelled):
            last.connect(self.deleteLater)

    def start(self) -> None:
        """Begin; returns at once."""
        self._submit(self._pose, self._problem_posed)

    def cancel(self) -> None:
        """Ask the tasks to stop; `cancelled` follows once the last one has reported."""
        self._stop.set()

    def abandon(self) -> None:
        """Stop without another word: the window is closing."""
        self._over = True
        self._stop.set()

    def _submit(self, work: Callable[[], object], done: SignalInstance) -> None:
        self._waiting += 1
        self._pool.start(Task(work, done, self._task_failed, self._stop))

    def _pose(self) -> _Posed:
        thesaurus, thesaurus_error = None, None
        try:
            thesaurus = load_thesaurus(self._settings.thesaurus)
        except LexiconError as error:
            thesaurus_error = error
        matrix_input = make_matrix_input(self.left.prepared, self.right.prepared, thesaurus)
        return _Posed(matrix_input, thesaurus, thesaurus_error)

    def _score(self, posed: _Posed | None) -> None:
        self._waiting -= 1
        if posed is None or self._stop.is_set():
            self._end_early()
            return
        self._posed = posed
        self._builder = MatrixBuilder(posed.matrix_input.shape)
        self.shape_known.emit(*posed.matrix_input.shape)
        for rows in row_blocks(posed.matrix_input):
            self._submit(partial(score_rows, posed.matrix_input, rows), self._rows_scored)

    def _collect(self, block: RowBlock | None) -> None:
        self._waiting -= 1
        if block is not None and self._builder is not None and not self._stop.is_set():
            self._builder.add(block)
            self._rows_done += len(block.rows)
            self.block_scored.emit(block)
            self._tell_progress()
        if self._waiting:
            return
        if self._stop.is_set():
            self._end_early()
        else:
            self._submit(self._conclude, self._concluded)

    def _tell_progress(self) -> None:
        """Tell how far it is, unless that was told just now: a progress bar paints itself each time."""
        now = time.monotonic()
        if now - self._told_seconds >= _TELL_SECONDS or not self._waiting:
            self._told_seconds = now
            self.progressed.emit(self._rows_done, self.left.prepared.sentence_count)

    def _conclude(self) -> Outcome:
        posed, builder = self._posed, self._builder
        assert posed is not None, "rows are scored after the problem is posed"
        assert builder is not None, "and gathered as they come"
        matrix = builder.matrix()
        exclusion_candidates = exclusion_candidates_of(self.left, self.right, self._prompt, posed.thesaurus)
        detected_passages = detect_passages(self.left, self.right, self._settings)
        comparison = build_comparison(
            self.left, self.right, self._settings, matrix, exclusion_candidates, detected_passages
        )
        return Outcome(comparison, self._prompt, posed.thesaurus, posed.thesaurus_error)

    def _succeed(self, outcome: Outcome | None) -> None:
        self._waiting -= 1
        if outcome is None or self._stop.is_set():
            self._end_early()
        elif not self._over:
            self._over = True
            self.succeeded.emit(outcome)

    def _fail(self, error: Exception) -> None:
        self._waiting -= 1
        if not self._stop.is_set():  # what fails while the run is being cancelled is nobody's concern
            self._error = error
            self._stop.set()
        self._end_early()

    def _end_early(self) -> None:
        """Say how the run ended, once its last task has reported: a listener may delete the run then."""
        if self._over or self._waiting:
            return
        self._over = True
        if self._error is not None:
            self.failed.emit(self._error)
        else:
            self.cancelled.emit()

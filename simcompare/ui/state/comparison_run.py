"""Compare two prepared documents in a QThreadPool: prepare the problem, score row blocks, classify.

Row blocks are scored in parallel.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import Event

from PySide6.QtCore import QObject, QThread, QThreadPool, Signal, SignalInstance

from simcompare.comparison.compare_documents import (
    PairCommonText,
    build_comparison,
    detect_passages,
    exclusion_candidates_of,
)
from simcompare.comparison.comparison_result import Comparison, RowBlock
from simcompare.comparison.matrix.comparison_matrix import (
    MatrixBuilder,
    MatrixInput,
    make_matrix_input,
    row_blocks,
    score_rows,
)
from simcompare.comparison.passages.numbered_passages import NumberedPassages, numbered_passages
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.errors import LexiconError
from simcompare.model.progress import throttled
from simcompare.model.settings import ComparisonSettings
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus, load_thesaurus
from simcompare.text.words import inverse_document_frequency, segmenter
from simcompare.ui.state.task import Task


@dataclass(frozen=True, slots=True, eq=False)
class RunOutcome:
    """Comparison of a finished run and what it used; the error if the thesaurus was unreadable."""

    comparison: Comparison
    passages: NumberedPassages
    prompt: PreparedText | None
    common: PairCommonText
    thesaurus: Thesaurus | None
    thesaurus_error: LexiconError | None


@dataclass(frozen=True, slots=True, eq=False)
class _PreparedProblem:
    matrix_input: MatrixInput
    thesaurus: Thesaurus | None
    thesaurus_error: LexiconError | None


def create_compute_pool() -> QThreadPool:
    """Create a pool that leaves one core to the GUI thread.

    Python code runs in one thread at a time: with one more thread, on two cores, throughput was the same and
    painting took twice as long. Lower thread priority does not help: a thread that is preempted by other
    programs may hold the GIL, and the GUI thread waits for it.
    """
    return QThreadPool(maxThreadCount=max(1, QThread.idealThreadCount() - 1))


def preload_comparison_data(thesaurus: str) -> None:
    """Load data that all comparisons and names of files need.

    It takes half a second and would often delay the GUI thread.
    """
    with suppress(LexiconError):  # the comparison reports it
        load_thesaurus(thesaurus)
    inverse_document_frequency("的")
    segmenter()


class ComparisonRun(QObject):
    """Compares two prepared documents. The last signal is exactly one of succeeded, failed and cancelled."""

    shape_known = Signal(int, int)
    block_scored = Signal(object)
    progressed = Signal(int, int)
    succeeded = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    _problem_prepared = Signal(object)
    _rows_scored = Signal(object)
    _concluded = Signal(object)
    _task_failed = Signal(object)

    def __init__(
        self,
        left: PreparedDocument,
        right: PreparedDocument,
        settings: ComparisonSettings,
        prompt: PreparedText | None,
        common: PairCommonText,
        pool: QThreadPool,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.left = left
        self.right = right
        self._settings = settings
        self._prompt = prompt
        self._common = common
        self._pool = pool
        self._stop = Event()
        self._is_over = False
        self._error: Exception | None = None
        self._pending_tasks = 0
        self._rows_done = 0
        self._tick = throttled(self.progressed.emit)  # a progress bar repaints itself each time
        self._prepared_problem: _PreparedProblem | None = None
        self._builder: MatrixBuilder | None = None
        self._problem_prepared.connect(self._score)
        self._rows_scored.connect(self._collect)
        self._concluded.connect(self._succeed)
        self._task_failed.connect(self._fail)
        for last in (self.succeeded, self.failed, self.cancelled):
            last.connect(self.deleteLater)

    def start(self) -> None:
        """Start in the background."""
        self._submit(self._prepare_problem, self._problem_prepared)

    def cancel(self) -> None:
        """Ask the tasks to stop; `cancelled` follows when the last one has reported."""
        self._stop.set()

    def abandon(self) -> None:
        """Stop without further signals, as the window is closing."""
        self._is_over = True
        self._stop.set()

    def _submit(self, work: Callable[[], object], done: SignalInstance) -> None:
        self._start_task(Task(work, done, self._task_failed, self._stop))

    def _start_task(self, task: Task) -> None:
        self._pending_tasks += 1
        self._pool.start(task)

    def _prepare_problem(self) -> _PreparedProblem:
        thesaurus, thesaurus_error = None, None
        try:
            thesaurus = load_thesaurus(self._settings.thesaurus)
        except LexiconError as error:
            thesaurus_error = error
        matrix_input = make_matrix_input(self.left.prepared, self.right.prepared, thesaurus)
        return _PreparedProblem(matrix_input, thesaurus, thesaurus_error)

    def _score(self, prepared_problem: _PreparedProblem | None) -> None:
        self._pending_tasks -= 1
        if prepared_problem is None or self._stop.is_set():
            self._end_early()
            return
        self._prepared_problem = prepared_problem
        self._builder = MatrixBuilder(prepared_problem.matrix_input.shape)
        self.shape_known.emit(*prepared_problem.matrix_input.shape)
        score = partial(score_rows, prepared_problem.matrix_input)
        first, *others = row_blocks(prepared_problem.matrix_input)
        task = Task(partial(score, first), self._rows_scored, self._task_failed, self._stop)
        for each in (task, *(task.with_work(partial(score, rows)) for rows in others)):
            self._start_task(each)

    def _collect(self, block: RowBlock | None) -> None:
        self._pending_tasks -= 1
        if block is not None and self._builder is not None and not self._stop.is_set():
            self._builder.add(block)
            self._rows_done += len(block.rows)
            self.block_scored.emit(block)
            self._tick(self._rows_done, self.left.prepared.sentence_count)
        if self._pending_tasks:
            return
        if self._stop.is_set():
            self._end_early()
        else:
            self._submit(self._conclude, self._concluded)

    def _conclude(self) -> RunOutcome:
        prepared_problem, builder = self._prepared_problem, self._builder
        assert prepared_problem is not None, "rows are scored after the problem is prepared"
        assert builder is not None, "and gathered as they come"
        matrix = builder.matrix()
        exclusion_candidates = exclusion_candidates_of(
            self.left, self.right, self._prompt, prepared_problem.thesaurus, self._common
        )
        detected_passages = detect_passages(self.left, self.right, self._settings)
        comparison = build_comparison(
            self.left, self.right, self._settings, matrix, exclusion_candidates, detected_passages
        )
        return RunOutcome(
            comparison,
            numbered_passages(comparison),
            self._prompt,
            self._common,
            prepared_problem.thesaurus,
            prepared_problem.thesaurus_error,
        )

    def _succeed(self, outcome: RunOutcome | None) -> None:
        self._pending_tasks -= 1
        if outcome is None or self._stop.is_set():
            self._end_early()
        elif not self._is_over:
            self._is_over = True
            self.succeeded.emit(outcome)

    def _fail(self, error: Exception) -> None:
        self._pending_tasks -= 1
        if not self._stop.is_set():  # errors during cancellation do not matter
            self._error = error
            self._stop.set()
        self._end_early()

    def _end_early(self) -> None:
        """Emit `failed` or `cancelled` once the last task has reported: the receiver may delete the run."""
        if self._is_over or self._pending_tasks:
            return
        self._is_over = True
        if self._error is not None:
            self.failed.emit(self._error)
        else:
            self.cancelled.emit()

"""Compare two prepared documents in a QThreadPool: prepare the problem, score row blocks, classify.

Row blocks are scored in parallel.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from threading import Event
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QThread, QThreadPool, Signal

from simcompare.comparison.citations.named_sources import named_sources
from simcompare.comparison.compare_documents import (
    PairCommonText,
    PairExclusionCandidates,
    build_comparison,
    detect_passages,
    exclusion_candidates_of,
    reclassify,
)
from simcompare.comparison.comparison_matrix import (
    MOST_THREADS,
    MatrixBuilder,
    MatrixInput,
    make_matrix_input,
    row_blocks,
    score_rows,
)
from simcompare.comparison.comparison_result import EXCLUSIONS, Comparison, ComparisonMatrix, RowBlock
from simcompare.comparison.passages.numbered_passages import NumberedPassages, numbered_passages
from simcompare.comparison.passages.passage_columns import Passages
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.errors import LexiconError
from simcompare.model.progress import throttled
from simcompare.model.settings import ComparisonSettings, PassageSettings
from simcompare.support.lazy import LazyPattern
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus, load_thesaurus
from simcompare.text.words import inverse_document_frequency, segment
from simcompare.ui.state.task import Background


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
    return QThreadPool(maxThreadCount=min(max(1, QThread.idealThreadCount() - 1), MOST_THREADS))


def preload_comparison_data(thesaurus: str) -> None:
    """Load data that all comparisons and names of files need, and the patterns that explain passages.

    It takes half a second and would often delay the GUI thread, the patterns at the first step to a passage.
    """
    with suppress(LexiconError):  # the comparison reports it
        load_thesaurus(thesaurus)
    inverse_document_frequency("的")
    list(segment(["雾锁石桥"]))  # its tables are loaded by the first run of characters
    np.unique(np.zeros(1))  # imports a module at its first use
    named_sources("")
    for pattern in tuple(LazyPattern.all):
        _ = pattern.compiled


class ComparisonRun(QObject):
    """Compares two prepared documents. The last signal is exactly one of succeeded, failed and cancelled."""

    shape_known = Signal(int, int)
    block_scored = Signal(object)
    progressed = Signal(int, int)
    succeeded = Signal(object)
    failed = Signal(object)
    cancelled = Signal()

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
        self._background = Background(self, pool)
        self._stop = Event()
        self._is_over = False
        self._error: Exception | None = None
        self._pending_tasks = 0
        self._rows_done = 0
        self._tick = throttled(self.progressed.emit)  # a progress bar repaints itself each time
        self._prepared_problem: _PreparedProblem | None = None
        self._builder: MatrixBuilder | None = None
        for last in (self.succeeded, self.failed, self.cancelled):
            last.connect(self.deleteLater)

    def start(self) -> None:
        self._submit(self._prepare_problem, self._score)

    def cancel(self) -> None:
        """Ask the tasks to stop; `cancelled` follows when the last one has reported."""
        self._stop.set()

    def abandon(self) -> None:
        """Stop without further signals, as the window is closing."""
        self._is_over = True
        self._stop.set()

    def _submit(self, work: Callable[[], object], use: Callable[[Any], object]) -> None:
        """Start a task; `use` gets its result, None if the run was stopped before."""
        self._pending_tasks += 1
        self._background.start(partial(_unless_stopped, work, self._stop), use, self._fail)

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
        for rows in row_blocks(prepared_problem.matrix_input):
            self._submit(partial(score, rows), self._collect)

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
            self._submit(self._conclude, self._succeed)

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


def _unless_stopped(work: Callable[[], object], stop: Event) -> object:
    return None if stop.is_set() else work()


_MAX_CELLS_AT_ONCE = 500_000
"""Number of cells that are classified in about 10 ms."""
_TEXT_FROM_ELSEWHERE = [
    name for exclusion in EXCLUSIONS.values() if exclusion.is_shared for name in exclusion.settings
]
"""Settings after whose change passages are searched again (`passages_after_exclusions`)."""
_MAX_SENTENCES_SEARCHED_AT_ONCE = 400
"""Number of sentences in two texts whose passages are searched in about 10 ms."""


_GrownResult = tuple[ComparisonMatrix, PassageSettings, Passages]
"""Matrix, passage settings, and the passages grown by them."""


class Reclassification(QObject):
    """Reclassifies one comparison at a time; of requests made meanwhile only the last is done.

    Growing passages by other settings takes seconds for large texts: the comparison is first reclassified by
    all other settings, then again when the passages are grown. They are cached as long as the matrix is the
    same.
    """

    reclassified = Signal(object)
    """The reclassified comparison; its settings say how its passages were grown."""
    failed = Signal(object)
    """The exception; the comparison stays as it was."""

    def __init__(self, pool: QThreadPool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = Background(self, pool)
        self._is_busy = False
        self._next: tuple[Comparison, ComparisonSettings, PairExclusionCandidates | None] | None = None
        self._latest_request: tuple[Comparison, ComparisonSettings] | None = None
        self._grown = _PassageCache()

    def reclassify(
        self,
        comparison: Comparison,
        settings: ComparisonSettings,
        exclusion_candidates: PairExclusionCandidates | None = None,
    ) -> None:
        """Classify a comparison by other settings or exclusion candidates; `reclassified` follows."""
        if (
            exclusion_candidates is None
            and self._next is not None
            and self._next[0].matrix is comparison.matrix
        ):
            exclusion_candidates = self._next[2]  # those of a queued request, not applied yet
        self._grown.follow(comparison)
        if self._grown.claim(settings.passages):
            self._background.start(
                partial(_grow_for, comparison, settings), self._take_grown, self.failed.emit
            )
        self._latest_request = comparison, settings
        self._next = comparison, settings, exclusion_candidates
        if not self._is_busy:
            self._start_next()

    def close(self) -> None:
        self._background.close()

    def _start_next(self) -> None:
        if self._next is None:
            return
        (comparison, settings, exclusion_candidates), self._next = self._next, None
        detected_passages = self._grown.get(settings.passages)
        if detected_passages is None and settings.passages is not None:
            settings = replace(settings, passages=comparison.settings.passages)
        work = partial(
            reclassify, comparison, settings, exclusion_candidates, detected_passages=detected_passages
        )
        is_searched = exclusion_candidates is not None or any(
            getattr(settings, name) != getattr(comparison.settings, name) for name in _TEXT_FROM_ELSEWHERE
        )
        is_quick = not is_searched or sum(comparison.matrix.shape) <= _MAX_SENTENCES_SEARCHED_AT_ONCE
        if is_quick and len(comparison.matrix.cells) <= _MAX_CELLS_AT_ONCE:
            self._publish(work())
            return
        self._is_busy = True
        self._background.start(work, self._take, self._fail)

    def _take(self, comparison: Comparison) -> None:
        self._is_busy = False
        self._publish(comparison)
        self._start_next()

    def _publish(self, comparison: Comparison) -> None:
        """Emit the result and base queued requests on it: its exclusion candidates may be the newer ones."""
        if self._next is not None and self._next[0].matrix is comparison.matrix:
            self._next = comparison, *self._next[1:]
        if self._latest_request is not None and self._latest_request[0].matrix is comparison.matrix:
            self._latest_request = comparison, self._latest_request[1]
        self.reclassified.emit(comparison)

    def _take_grown(self, found: _GrownResult) -> None:
        if not self._grown.take(*found) or self._latest_request is None:
            return
        comparison, settings = self._latest_request
        if settings.passages == found[1]:
            self.reclassify(comparison, settings)

    def _fail(self, error: Exception) -> None:
        self._is_busy = False
        self.failed.emit(error)
        self._start_next()


class _PassageCache:
    """Cache of the passages between two texts, by passage settings."""

    def __init__(self) -> None:
        self._matrix: ComparisonMatrix | None = None
        self._grown: dict[PassageSettings, Passages | None] = {}

    def follow(self, comparison: Comparison) -> None:
        """Add the passages of a comparison; clear the cache if its matrix is another one."""
        if comparison.matrix is not self._matrix:
            self._matrix, self._grown = comparison.matrix, {}
        if comparison.settings.passages is not None:
            self._grown[comparison.settings.passages] = comparison.detected_passages

    def claim(self, passages: PassageSettings | None) -> bool:
        """Return whether passages must be grown for these settings; if so, mark them as being grown."""
        if passages is None or passages in self._grown:
            return False
        self._grown[passages] = None
        return True

    def get(self, passages: PassageSettings | None) -> Passages | None:
        return None if passages is None else self._grown.get(passages)

    def take(self, matrix: ComparisonMatrix, passages: PassageSettings, detected_passages: Passages) -> bool:
        """Store grown passages; return False if they belong to another matrix."""
        if matrix is not self._matrix:
            return False
        self._grown[passages] = detected_passages
        return True


def _grow_for(comparison: Comparison, settings: ComparisonSettings) -> _GrownResult:
    detected_passages = detect_passages(comparison.left, comparison.right, settings)
    assert settings.passages is not None, "passages are only grown for settings that want them"
    assert detected_passages is not None, "grow_passages returns passages for such settings"
    return comparison.matrix, settings.passages, detected_passages

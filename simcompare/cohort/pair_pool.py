"""Process pool that scores pairs of texts, so that the window's thread is not slowed down.

A text is sent to each process once, however many pairs it is in. Threads are no alternative because of the
interpreter lock: on 2 cores a second thread scored 1.15 times as many pairs, and lengthened the gaps of the
window's thread from 8 to 22 ms.
"""

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, groupby, repeat
from math import prod
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from operator import itemgetter
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread, Timer

from simcompare.cohort.document_preparation import PRELOADED
from simcompare.cohort.pair_scores import PairScores, PairText, classified, load_thesaurus_or_none, score_pair
from simcompare.comparison.comparison_matrix import TextNumbering, scored_cells
from simcompare.comparison.comparison_result import Cells
from simcompare.comparison.figures import PairSummary
from simcompare.comparison.passages.passage_detection import PairTerms
from simcompare.comparison.shares import CountedText
from simcompare.model.settings import ComparisonSettings
from simcompare.session.school_class import Pair
from simcompare.support.clock import exit_after
from simcompare.support.i18n import N_
from simcompare.support.workers.worker_pool import WAITING_FACTOR
from simcompare.support.workers.worker_process import process_context
from simcompare.text.prepared_text import PreparedText

# A batch takes about 0.05 s: long enough for a small overhead, short enough for steady progress.
MOST_PAIRS_PER_BATCH = 60
MOST_CELLS_PER_BATCH = 200_000
BATCHES_PER_WORKER = 2
"""Batches to keep submitted per worker: the next one is queued while the first one is scored."""
_SCORER_NICENESS = 10
_JOIN_TIMEOUT_SECONDS = 30.0
# Limit of a request's processor time, ten times what it takes.
_LEAST_LIMIT_SECONDS, _LIMIT_SECONDS_PER_CELL = 60.0, 20e-6
_log = logging.getLogger(__name__)
_LOST = N_("it took too long, or needed too much memory, and did so again when it was repeated")


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Pairs to score together, and the texts they need by key; `epoch` is returned unchanged.

    counted: all texts, if the pairs are to be classified, too.
    """

    epoch: int
    pairs: tuple[Pair, ...]
    texts: Mapping[int, PreparedText] = field(repr=False)
    settings: ComparisonSettings
    counted: Mapping[int, CountedText] | None = field(default=None, repr=False)


_Submitted = tuple[Batch, Event] | None
"""A batch and the event of its stop, which may come just when a thread has taken it; None ends a thread."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoredBatch:
    """Result of a batch: for each pair its scores or an error text, and its figures if asked for."""

    batch: Batch
    outcomes: tuple[PairScores | str, ...]
    figures: tuple[PairSummary | None, ...] = ()


_Outcome = tuple[PairScores | str, PairSummary | None]
_KnownOf = dict[Pair, tuple[Cells, PairTerms | None]]


@dataclass(frozen=True, slots=True, eq=False)
class _ScoringRequest:
    texts: dict[int, PreparedText | CountedText]
    pairs: tuple[Pair, ...]
    settings: ComparisonSettings
    forgotten: frozenset[int]
    limit_seconds: float


class PairPool:
    """Scores batches in parallel processes. `report` is called for each batch, in a thread of the pool.

    If `report` raises, it is called again with the error as the outcome of every pair. A process that dies or
    exceeds its time limit is replaced, and the pairs of its batch are scored again, each once and by itself.

    Processes import the program, so start it under `if __name__ == "__main__"`. The first processes start
    with the first batch. On Linux they are forked from a server that has preloaded the readers, which halves
    the start.
    """

    def __init__(self, workers: int, report: Callable[[ScoredBatch], None]) -> None:
        self._batches: SimpleQueue[_Submitted] = SimpleQueue()
        self._stopped = Event()
        self._workers = [_ScoringWorker(self._batches, report) for _ in range(workers)]

    @property
    def worker_count(self) -> int:
        """Number of batches scored in parallel."""
        return len(self._workers)

    def submit(self, batch: Batch) -> None:
        """Queue a batch; does not wait."""
        self._batches.put((batch, self._stopped))

    def forget(self, texts: frozenset[int]) -> None:
        """Have each process free these texts before its next batch."""
        for worker in self._workers:
            worker.forget(texts)

    def drop_waiting(self) -> None:
        """Remove the batches that no process has started."""
        with suppress(Empty):
            while True:
                self._batches.get_nowait()

    def stop(self) -> None:
        """Stop all work now; batches in progress are not reported. Further batches may follow."""
        self._stopped.set()
        self._stopped = Event()
        self.drop_waiting()
        for worker in self._workers:
            worker.kill()

    def close(self) -> None:
        """Stop all work and end the processes and threads."""
        self._stopped.set()
        for worker in self._workers:
            worker.kill()
        self.drop_waiting()
        for _worker in self._workers:
            self._batches.put(None)
        for worker in self._workers:
            worker.thread.join(_JOIN_TIMEOUT_SECONDS)


class _ScoringWorker:
    """A process, and the thread that does its pickling and waiting, so that no other thread is blocked."""

    def __init__(self, batches: "SimpleQueue[_Submitted]", report: Callable[[ScoredBatch], None]) -> None:
        self._batches = batches
        self._report = report
        self._lock = Lock()
        self._stopped = Event()
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._known: set[int] = set()
        self._forgotten: set[int] = set()
        self.thread = Thread(target=self._serve, name="pairs", daemon=True)
        self.thread.start()

    def forget(self, texts: frozenset[int]) -> None:
        """Have the process free these texts with its next batch."""
        with self._lock:
            self._forgotten |= texts

    def kill(self) -> None:
        """Kill the process, whatever its state."""
        with self._lock:
            if self._process is not None:
                self._process.kill()

    def _serve(self) -> None:
        while (submitted := self._batches.get()) is not None:
            self._serve_batch(*submitted)
            del submitted  # nothing keeps the texts while the next batch is awaited
        self._end()

    def _serve_batch(self, batch: Batch, stopped: Event) -> None:
        self._stopped = stopped
        try:
            one_by_one = (self._scored(batch, (pair,)) or ((_LOST, None),) for pair in batch.pairs)
            outcomes = self._scored(batch, batch.pairs) or tuple(chain.from_iterable(one_by_one))
            scored = ScoredBatch(batch, *zip(*outcomes, strict=True))
        except Exception as error:
            self._end()
            scored = ScoredBatch(batch, _all_failed(batch, error))
        if not self._stopped.is_set():
            self._report_batch(scored)

    def _scored(self, batch: Batch, pairs: tuple[Pair, ...]) -> tuple[_Outcome, ...]:
        """Score pairs of a batch; empty if the process died, took too long or was stopped."""
        try:
            return () if self._stopped.is_set() else self._request(batch, pairs)
        except (EOFError, OSError):
            self._end()
            return ()

    def _report_batch(self, scored: ScoredBatch) -> None:
        """Report a batch. If `report` raises, report its pairs as failed and continue with the next batch."""
        try:
            self._report(scored)
        except Exception as error:
            try:
                self._report(ScoredBatch(scored.batch, _all_failed(scored.batch, error)))
            except Exception:
                threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), self.thread)))

    def _request(self, batch: Batch, pairs: tuple[Pair, ...]) -> tuple[_Outcome, ...]:
        if self._process is not None and not self._process.is_alive():
            self._end()  # it was killed in the meantime
        connection = self._connection or self._start()
        wanted = {text for pair in pairs for text in pair}
        with self._lock:
            forgotten = frozenset(self._forgotten - wanted)
            self._forgotten.clear()
        new_texts = {text: (batch.counted or batch.texts)[text] for text in wanted - self._known}
        cells = sum(prod(batch.texts[text].sentence_count for text in pair) for pair in pairs)
        limit_seconds = _LEAST_LIMIT_SECONDS + _LIMIT_SECONDS_PER_CELL * cells
        deadline = Timer(WAITING_FACTOR * limit_seconds, self.kill)
        deadline.daemon = True
        deadline.start()
        try:
            connection.send(_ScoringRequest(new_texts, pairs, batch.settings, forgotten, limit_seconds))
            self._known = (self._known - forgotten) | wanted
            outcomes: tuple[_Outcome, ...] = connection.recv()
        finally:
            deadline.cancel()
        return outcomes

    def _start(self) -> Connection:
        context = process_context(PRELOADED)
        parent_end, child_end = context.Pipe()
        process = context.Process(target=_score_requests, args=(child_end,), daemon=True)  # type: ignore[attr-defined]
        process.start()
        _log.debug("a process that scores pairs is started")
        child_end.close()
        with self._lock:
            self._process, self._connection = process, parent_end
            if self._stopped.is_set():
                process.kill()
        return parent_end

    def _end(self) -> None:
        with self._lock:
            process, connection = self._process, self._connection
            self._process = self._connection = None
        self._known = set()
        if connection is not None:
            connection.close()
        if process is not None:
            process.kill()
            process.join()  # not closed: the program may be ending its processes meanwhile


def _all_failed(batch: Batch, error: Exception) -> tuple[str, ...]:
    return (str(error) or type(error).__name__,) * len(batch.pairs)


# --- in the worker process


def _score_requests(connection: Connection) -> None:
    """Answer requests until the other end of the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process decides when to end
    if hasattr(os, "nice"):
        os.nice(_SCORER_NICENESS)
    texts: dict[int, PairText] = {}
    counted: dict[int, CountedText] = {}
    numbering = TextNumbering(None)
    with suppress(EOFError, OSError):
        while True:
            request: _ScoringRequest = connection.recv()
            with exit_after(request.limit_seconds):
                for text in request.forgotten:
                    texts.pop(text, None)
                thesaurus = load_thesaurus_or_none(request.settings.thesaurus)
                if thesaurus is not numbering.thesaurus:
                    numbering = TextNumbering(thesaurus)
                    texts = {text: PairText(known.prepared, numbering) for text, known in texts.items()}
                for key, new in request.texts.items():
                    if isinstance(new, CountedText):
                        counted[key] = new
                    texts[key] = PairText(new.text if isinstance(new, CountedText) else new, numbering)
                known = _known(texts, request.pairs, request.settings)
                outcomes: list[_Outcome] = []
                for pair in request.pairs:
                    scores, summary = _score_or_error(texts, pair, request.settings, known), None
                    if counted and isinstance(scores, PairScores):
                        sides = counted[pair[0]], counted[pair[1]]
                        summary, scores = classified(*sides, scores, request.settings)
                    outcomes.append((scores, summary))
            connection.send(tuple(outcomes))


def _known(texts: Mapping[int, PairText], pairs: Iterable[Pair], settings: ComparisonSettings) -> _KnownOf:
    """Return cells and terms of the pairs, those of a left text at once; without pairs that fail."""
    known: _KnownOf = {}
    for left, same in groupby(pairs, itemgetter(0)):
        keys = [right for _left, right in same]
        with suppress(Exception):
            own, others = texts[left], [texts[right] for right in keys]
            cells = scored_cells(own.numbered, [other.numbered for other in others])
            terms: Iterable[PairTerms | None] = repeat(None)
            if settings.passages is not None and all(text.prepared.sentence_count for text in (own, *others)):
                terms = PairTerms.of(own.terms, [other.terms for other in others], settings.passages)
            known |= zip(((left, right) for right in keys), zip(cells, terms, strict=False), strict=True)
    return known


def _score_or_error(
    texts: Mapping[int, PairText], pair: Pair, settings: ComparisonSettings, known: _KnownOf
) -> PairScores | str:
    try:
        return score_pair(texts[pair[0]], texts[pair[1]], settings, *known.get(pair, ()))
    except Exception as error:
        return str(error) or type(error).__name__

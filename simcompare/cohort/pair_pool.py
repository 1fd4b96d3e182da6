"""Processes that score pairs of texts, so that a window beside them keeps its own thread to itself.

A text goes to each process once, whatever number of pairs it has. Threads would not do, as they hold the
interpreter in turn: on 2 cores a second thread scored 1.15 times as many pairs, and stretched the gaps of the
window's thread from 8 to 22 ms.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue
from threading import Lock, Thread

from simcompare.cohort.pair_scores import PairScores, PairText, load_thesaurus_or_none, score_pair
from simcompare.comparison.prepared_document import PRELOADED
from simcompare.loading.workers.reader_process import process_context
from simcompare.model.settings import ComparisonSettings
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus

Pair = tuple[int, int]
"""The numbers of two texts, left and right."""
# A batch takes a tenth of a second or so: long enough to cost little, short enough to see results come.
MOST_PAIRS_PER_BATCH = 20
MOST_CELLS_PER_BATCH = 60_000
BATCHES_PER_WORKER = 2
"""How many are best given at once: that of the next while the first one is worked on."""
_LESS_URGENT_THAN_THE_WINDOW = 10
_SECONDS_TO_END = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Some pairs to be scored in one go, and the texts they need by number; `epoch` comes back unchanged."""

    epoch: int
    pairs: tuple[Pair, ...]
    texts: Mapping[int, PreparedText] = field(repr=False)
    settings: ComparisonSettings


@dataclass(frozen=True, slots=True, eq=False)
class ScoredBatch:
    """What became of a batch: for each pair its scores, or why there are none; None: its process died."""

    batch: Batch
    outcomes: tuple[PairScores | str, ...] | None


@dataclass(frozen=True, slots=True, eq=False)
class _Request:
    texts: dict[int, PreparedText]
    pairs: tuple[Pair, ...]
    settings: ComparisonSettings
    forgotten: frozenset[int]


class PairPool:
    """Scores batches side by side. `report` is called for each, in a thread of the pool.

    Where it raises, it is called again with the error as the outcome of every pair.

    Start it under `if __name__ == "__main__"`, as processes import the program; the first ones start with the
    first batch. On Linux they are copies of one that has imported what reading needs, there in half the time.
    """

    def __init__(self, workers: int, report: Callable[[ScoredBatch], None]) -> None:
        self._batches: SimpleQueue[Batch | None] = SimpleQueue()
        self._workers = [_Worker(self._batches, report) for _ in range(workers)]

    @property
    def worker_count(self) -> int:
        """How many batches are worked on at once."""
        return len(self._workers)

    def submit(self, batch: Batch) -> None:
        """Have a batch scored; returns at once."""
        self._batches.put(batch)

    def forget(self, texts: frozenset[int]) -> None:
        """Let the processes give up the memory of these texts, each before its next batch."""
        for worker in self._workers:
            worker.forget(texts)

    def drop_waiting(self) -> None:
        """Forget the batches that no process has begun with."""
        with suppress(Empty):
            while True:
                self._batches.get_nowait()

    def stop(self) -> None:
        """End all work at once; what was under way is reported as lost. Other batches may follow."""
        self.drop_waiting()
        for worker in self._workers:
            worker.kill()

    def close(self) -> None:
        """End all work for good."""
        for worker in self._workers:
            worker.close()
        self.drop_waiting()
        for _worker in self._workers:
            self._batches.put(None)
        for worker in self._workers:
            worker.thread.join(_SECONDS_TO_END)


class _Worker:
    """A process, and the thread that speaks with it: pickling a text and waiting cost nobody else time."""

    def __init__(self, batches: "SimpleQueue[Batch | None]", report: Callable[[ScoredBatch], None]) -> None:
        self._batches = batches
        self._report = report
        self._lock = Lock()
        self._closed = False
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._known: set[int] = set()
        self._forgotten: set[int] = set()
        self.thread = Thread(target=self._serve, name="pairs", daemon=True)
        self.thread.start()

    def forget(self, texts: frozenset[int]) -> None:
        """Tell the process with the next batch that these texts are gone."""
        with self._lock:
            self._forgotten |= texts

    def kill(self) -> None:
        """Stop the process, whatever it does."""
        with self._lock:
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """Stop the process, and start no other."""
        self._closed = True
        self.kill()

    def _serve(self) -> None:
        while (batch := self._batches.get()) is not None and not self._closed:
            try:
                outcomes = self._ask(batch)
            except (EOFError, OSError):
                self._end()
                outcomes = None
            except Exception as error:
                self._end()
                outcomes = _all_failed(batch, error)
            if not self._closed:
                self._tell(ScoredBatch(batch, outcomes))
        self._end()

    def _tell(self, scored: ScoredBatch) -> None:
        """Report a batch. Where that fails its pairs are reported as failed, and the next one comes."""
        try:
            self._report(scored)
        except Exception as error:
            try:
                self._report(ScoredBatch(scored.batch, _all_failed(scored.batch, error)))
            except Exception:
                threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), self.thread)))

    def _ask(self, batch: Batch) -> tuple[PairScores | str, ...]:
        if self._process is not None and not self._process.is_alive():
            self._end()  # it was stopped since
        connection = self._connection or self._start()
        wanted = {text for pair in batch.pairs for text in pair}
        with self._lock:
            forgotten = frozenset(self._forgotten - wanted)
            self._forgotten.clear()
        news = {text: batch.texts[text] for text in wanted - self._known}
        connection.send(_Request(news, batch.pairs, batch.settings, forgotten))
        self._known = (self._known - forgotten) | wanted
        outcomes: tuple[PairScores | str, ...] = connection.recv()
        return outcomes

    def _start(self) -> Connection:
        context = process_context(PRELOADED)
        ours, theirs = context.Pipe()
        process = context.Process(target=_score_for, args=(theirs,), daemon=True)  # type: ignore[attr-defined]
        process.start()
        theirs.close()
        with self._lock:
            self._process, self._connection = process, ours
            if self._closed:
                process.kill()
        return ours

    def _end(self) -> None:
        with self._lock:
            process, connection = self._process, self._connection
            self._process = self._connection = None
        self._known = set()
        if connection is not None:
            connection.close()
        if process is not None:
            process.kill()
            process.join()
            process.close()


def _all_failed(batch: Batch, error: Exception) -> tuple[str, ...]:
    return (str(error) or type(error).__name__,) * len(batch.pairs)


# --- in the process


def _score_for(connection: Connection) -> None:
    """Answer requests until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the window decides when to end
    if hasattr(os, "nice"):
        os.nice(_LESS_URGENT_THAN_THE_WINDOW)
    texts: dict[int, PairText] = {}
    with suppress(EOFError, OSError):
        while True:
            request: _Request = connection.recv()
            for text in request.forgotten:
                texts.pop(text, None)
            texts |= {text: PairText(prepared) for text, prepared in request.texts.items()}
            thesaurus = load_thesaurus_or_none(request.settings.thesaurus)
            connection.send(
                tuple(_outcome(texts, pair, request.settings, thesaurus) for pair in request.pairs)
            )


def _outcome(
    texts: Mapping[int, PairText], pair: Pair, settings: ComparisonSettings, thesaurus: Thesaurus | None
) -> PairScores | str:
    try:
        return score_pair(texts[pair[0]], texts[pair[1]], settings, thesaurus)
    except Exception as error:
        return str(error) or type(error).__name__

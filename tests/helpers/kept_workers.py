"""Worker processes that a closed window leaves to the window of the next test.

Starting them takes a tenth of the processor time of a test. A window has its pools for itself, and only idle
pools are kept: those with work under way end with their window, as in the program.
"""

from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any

import pytest

from simcompare.cohort.document_preparation import lower_process_priority
from simcompare.cohort.pair_pool import Batch, PairPool, ScoredBatch
from simcompare.loading.workers.isolation import ReaderPool
from simcompare.ui.state import file_reading
from simcompare.ui.state.cohort import pair_comparisons
from tests.helpers.kept_processes import keeping_processes

_kept_readers: list["_KeptReaderPool"] = []
_kept_scorers: list["_KeptPairPool"] = []


class _KeptReaderPool(ReaderPool):
    """Reader pool that is kept if it is idle when its window closes."""

    def close(self) -> None:
        with self._lock:
            is_idle = len(self._free) == len(self._workers) and not self._waiting
        if is_idle:
            _kept_readers.append(self)
        else:
            self.end()

    def end(self) -> None:
        """End the processes."""
        super().close()


class _KeptPairPool(PairPool):
    """Pair pool that is kept if all batches were scored when its window closes."""

    def __init__(self, workers: int, report: Callable[[ScoredBatch], None]) -> None:
        self.report = report
        self._count_lock = Lock()
        self._unscored = 0
        self._was_stopped = False
        super().__init__(workers, self._pass_on)

    def submit(self, batch: Batch) -> None:
        with self._count_lock:
            self._unscored += 1
        super().submit(batch)

    def drop_waiting(self) -> None:
        self._was_stopped = True
        super().drop_waiting()

    def close(self) -> None:
        if self._unscored or self._was_stopped:
            self.end()
            return
        self.report = lambda _scored: None
        for worker in self._workers:
            worker._known.clear()  # the next window gives its texts the same numbers
        _kept_scorers.append(self)

    def end(self) -> None:
        """End the processes."""
        super().close()

    def _pass_on(self, scored: ScoredBatch) -> None:
        self.report(scored)
        with self._count_lock:
            self._unscored -= 1


def _reader_pool(*arguments: Any, **options: Any) -> ReaderPool:
    return _kept_readers.pop() if _kept_readers else _KeptReaderPool(*arguments, **options)


def _pair_pool(workers: int, report: Callable[[ScoredBatch], None]) -> PairPool:
    if not _kept_scorers:
        return _KeptPairPool(workers, report)
    pool = _kept_scorers.pop()
    pool.report = report
    return pool


@pytest.fixture(scope="session", autouse=True)
def workers_kept_between_tests() -> Iterator[None]:
    """Keep the idle workers of closed windows for the next ones.

    Those that export, search a library or import entries are kept one by one.
    """
    with keeping_processes(None, lower_process_priority), pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_reading, "ReaderPool", _reader_pool)
        patch.setattr(pair_comparisons, "PairPool", _pair_pool)
        yield
    for readers in _kept_readers:
        readers.end()
    for scorers in _kept_scorers:
        scorers.end()

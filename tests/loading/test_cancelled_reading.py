"""Reading that is cancelled at the moment at which it ends."""

import time
from pathlib import Path

from pebble.pool.process import WorkerManager

from simcompare.loading.workers.isolation import ReaderPool
from tests.helpers.patience import PATIENCE_S


def _read_slowly(path: Path, seconds: float) -> str:
    time.sleep(seconds)
    return path.name


def test_that_the_next_file_is_read_if_the_one_before_ended_while_it_was_cancelled(monkeypatch):
    """The process of a cancelled file is killed late, when it would have read the next file already."""

    def stop_late(manager, worker_id, stop=WorkerManager.maybe_stop_worker):
        time.sleep(1)
        return stop(manager, worker_id)

    monkeypatch.setattr(WorkerManager, "maybe_stop_worker", stop_late)
    with ReaderPool(max_workers=1) as pool:
        first = pool.submit(_read_slowly, Path("first"), 0.5)
        while not first.running():
            time.sleep(0.01)
        assert first.cancel()
        assert pool.submit(_read_slowly, Path("second"), 2).result(PATIENCE_S) == "second"

"""Reading processes that end just before the next file."""

import os
import signal
import sys
import time
import weakref
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest
from pebble import ProcessPool
from pebble.pool.process import WorkerManager

from simcompare.loading.workers.isolation import ReaderPool
from simcompare.support.workers.worker_pool import SingleWorker, abort_late_tasks, end_pool, has_ended_worker
from tests.helpers.patience import PATIENCE_S


def _read_slowly(path: Path, seconds: float) -> str:
    time.sleep(seconds)
    return path.name


def _process(path: Path) -> int:
    return os.getpid()


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


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_that_a_file_is_read_if_the_idle_process_was_killed():
    with ReaderPool(max_workers=1) as pool:
        for _time in range(3):
            os.kill(pool.submit(_process, Path("first")).result(PATIENCE_S), signal.SIGKILL)
            assert pool.submit(_read_slowly, Path("second"), 0).result(PATIENCE_S) == "second"


def test_that_a_task_ends_that_a_pool_gets_while_its_process_turns_out_not_to_start(monkeypatch):
    def make_pool() -> ProcessPool:
        pool = ProcessPool(1, initializer=os._exit, initargs=(3,))
        abort_late_tasks(pool)  # as readers do: the process may end before the first task is taken
        return pool

    worker = SingleWorker(make_pool, is_spare=False)
    assert isinstance(worker.submit(os.getpid, None).exception(PATIENCE_S), BrokenExecutor)
    # the pool breaks between its own check and the moment it takes the task
    monkeypatch.setattr(ProcessPool, "_check_pool_status", lambda _pool: None)
    assert isinstance(worker.submit(os.getpid, None).exception(PATIENCE_S), BrokenExecutor)
    end_pool(worker.take_pool())


def test_that_a_pool_keeps_nothing_alive_by_a_reference_to_itself():
    """The window freezes garbage collection: what it freezes in a reference cycle is never given back."""
    pool = ProcessPool(1)
    abort_late_tasks(pool)
    manager = weakref.ref(pool._pool_manager)
    del pool
    assert manager() is None


def test_that_an_error_is_told_while_python_ends_and_loads_no_more_modules(monkeypatch):
    monkeypatch.setitem(sys.modules, "pebble", None)  # any import of it fails
    assert not has_ended_worker(RuntimeError("cannot schedule new futures after interpreter shutdown"))

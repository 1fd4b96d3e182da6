"""Worker processes that a command leaves to the commands of the next tests of the same file.

Starting them takes most of the processor time of a test that runs a command on two small files.
"""

import itertools
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from simcompare.cohort.document_preparation import lower_process_priority
from simcompare.support.i18n import set_language
from simcompare.support.workers.worker_pool import WorkerPool, has_ended_worker

if TYPE_CHECKING:
    from pebble import ProcessFuture, ProcessPool

# A worker that starts after the pool, as one does after 50 tasks, has the environment of an earlier test.
_MOST_TASKS = 25

Key = tuple[object, tuple[object, ...]]
"""Initializer of a worker and its arguments."""


class _KeptProcess:
    """Pool of one process that is kept when it is stopped, if it has nothing to do and no task ended it."""

    def __init__(self, pool: "ProcessPool", kept: "list[_KeptProcess]") -> None:
        self._pool = pool
        self._kept = kept
        self._tasks: list[ProcessFuture[Any]] = []
        self._is_stopped = False

    @property
    def active(self) -> bool:
        return bool(self._pool.active)

    def submit(self, *arguments: Any) -> "ProcessFuture[Any]":
        task = self._pool.submit(*arguments)
        self._tasks.append(task)
        return task

    def begin_command(self) -> None:
        """Give the process the environment and the working folder that a new one would have."""
        self.submit(_enter, None, dict(os.environ), os.getcwd())  # noqa: PTH109 - for the process

    def stop(self) -> None:
        if self.active and len(self._tasks) <= _MOST_TASKS and all(map(_is_fine, self._tasks)):
            self._kept.append(self)
        else:
            self._pool.stop()  # type: ignore[no-untyped-call]
            self._is_stopped = True

    def join(self) -> None:
        # a process that is kept may be in use again by now
        if self._is_stopped:
            self._pool.join()

    def end(self) -> None:
        """Kill the process."""
        self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join()


def _is_fine(task: "ProcessFuture[Any]") -> bool:
    return task.done() and not task.cancelled() and not has_ended_worker(task.exception())


def _enter(environment: dict[str, str], folder: str) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)


@pytest.fixture(scope="module")
def processes_kept_between_tests() -> Iterator[None]:
    """Keep the idle workers of commands that read files, write copies or import entries."""
    with keeping_processes(None, set_language, lower_process_priority):
        yield


@contextmanager
def keeping_processes(*initializers: Callable[..., object] | None) -> Iterator[None]:
    """Keep idle workers with one of these initializers for later pools, with what is in their memory."""
    kept: dict[Key, list[_KeptProcess]] = {}
    make_pool = WorkerPool._make_pool

    def kept_or_made(pool: WorkerPool) -> Any:
        _environment, initializer, arguments = pool._initargs
        if initializer not in initializers:
            return make_pool(pool)
        idle = kept.setdefault((initializer, arguments), [])
        if not idle:
            return _KeptProcess(make_pool(pool), idle)
        process = idle.pop()
        process.begin_command()
        return process

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WorkerPool, "_make_pool", kept_or_made)
        yield
    for process in itertools.chain(*kept.values()):
        process.end()

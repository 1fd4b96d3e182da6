"""Read files with text recognition: a quick read, one task per page, then a read with the results.

Recognising a page takes longer than reading most files. As separate tasks, pages let other files be read
in between, report progress, and a page that hangs fails alone.
"""

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from simcompare.loading.extraction import ReadingOptions
from simcompare.loading.workers.isolation import ReaderPool
from simcompare.model.errors import NoTextError, RecognitionNeededError
from simcompare.model.progress import Tick, no_tick
from simcompare.support.workers.worker_pool import MeasuredFuture

if TYPE_CHECKING:
    from simcompare.loading.formats.ocr.ocr_engine import RecognisedPage

Result = TypeVar("Result")

# Dense pages take 10 seconds of processor time, more if other processes compete.
_SECONDS_A_PAGE = 120.0


def submit(
    pool: ReaderPool,
    function: Callable[..., Result],
    path: Path,
    *args: object,
    options: ReadingOptions,
    tick: Tick = no_tick,
) -> MeasuredFuture[Result]:
    """Read a file in the pool as `ReaderPool.submit` does, with text recognition if pages need it.

    If `function(path, *args, options)` raises RecognitionNeededError, the pages are recognised and it is
    run again. `tick(done, total)` is called from a thread of the pool at the start and after each page.
    """
    reading = _RecognisingRead(pool, partial(pool.submit, function, path, *args), path, options, tick)
    reading.begin()
    return reading


def submitter(
    pool: ReaderPool, function: "Callable[..., Result]", *args: object
) -> Callable[[Path], MeasuredFuture[Result]]:
    """Return a function that submits the read of a path; recognises text if `args` end in ReadingOptions."""
    *others, last = args or (None,)
    if isinstance(last, ReadingOptions):
        return lambda path: submit(pool, function, path, *others, options=last)
    return lambda path: pool.submit(function, path, *args)


def _recognise_page(path: Path, number: int, options: ReadingOptions) -> "RecognisedPage":
    # imports numpy and pdfium, which only the worker process needs
    from simcompare.loading.formats.ocr.ocr_task import recognise_page  # noqa: PLC0415

    return recognise_page(path, number, options)


class _RecognisingRead(MeasuredFuture[Any]):
    """Future of a file's whole sequence of tasks; cancelling it cancels the running ones.

    `seconds_used` is the sum of all tasks.
    """

    def __init__(
        self,
        pool: ReaderPool,
        read: Callable[[ReadingOptions], MeasuredFuture[Any]],
        path: Path,
        options: ReadingOptions,
        tick: Tick,
    ) -> None:
        super().__init__()
        self._pool = pool
        self._submit_reading = read
        self._path = path
        self._options = options
        self._tick = tick
        # Guards the attributes below. No task is submitted and no callback is called while it is held.
        self._lock = threading.Lock()
        self._under_way: set[Future[Any]] = set()
        self._waiting: deque[int] = deque()
        self._pages: dict[int, RecognisedPage | None] = {}
        self._total = 0
        self._page_error: BaseException | None = None
        self._over = False

    def begin(self) -> None:
        """Submit the quick read, which finds the pages to be recognised."""
        asking = replace(self._options, recognised={})
        self._start(partial(self._submit_reading, asking), self._quick_reading_done)

    def cancel(self) -> bool:
        if not self._end():
            return self.cancelled()
        with self._lock:
            under_way = list(self._under_way)
        for task in under_way:
            task.cancel()
        super().cancel()
        self.set_running_or_notify_cancel()
        return True

    def _start(
        self, submit_task: Callable[[], MeasuredFuture[Any]], done: "Callable[[Future[Any]], None]"
    ) -> None:
        try:
            task = submit_task()
        except RuntimeError:
            # The pool is closed.
            self.cancel()
            return
        with self._lock:
            self._under_way.add(task)
            over = self._over
        if over:
            task.cancel()
        task.add_done_callback(partial(self._done, done, task))

    def _done(
        self, done: "Callable[[Future[Any]], None]", task: MeasuredFuture[Any], _future: "Future[Any]"
    ) -> None:
        with self._lock:
            self._under_way.discard(task)
            self.seconds_used = (self.seconds_used or 0.0) + (task.seconds_used or 0.0)
        if task.cancelled():
            self.cancel()
        else:
            done(task)

    def _quick_reading_done(self, task: "Future[Any]") -> None:
        error = task.exception()
        if not isinstance(error, RecognitionNeededError):
            self._settle(task)
            return
        self._waiting.extend(error.numbers)
        self._total = len(error.numbers)
        self._tick(0, self._total)
        for _worker in range(self._pool.max_workers):
            self._recognise_next()

    def _recognise_next(self) -> None:
        with self._lock:
            if not self._waiting or self._over:
                return
            number = self._waiting.popleft()
        submit_page = partial(
            self._pool.submit,
            _recognise_page,
            self._path,
            number,
            self._options,
            timeout_seconds=_SECONDS_A_PAGE,
            is_large=False,
        )
        self._start(submit_page, partial(self._page_done, number))

    def _page_done(self, number: int, task: "Future[Any]") -> None:
        error = task.exception()
        with self._lock:
            self._pages[number] = None if error is not None else task.result()
            self._page_error = self._page_error or error
            done = len(self._pages)
        self._tick(done, self._total)
        if done == self._total:
            known = replace(self._options, recognised=self._pages)
            self._start(partial(self._submit_reading, known), self._settle)
        else:
            self._recognise_next()

    def _settle(self, task: "Future[Any]") -> None:
        if not self._end():
            return
        self.set_running_or_notify_cancel()
        error = task.exception()
        if isinstance(error, NoTextError) and self._page_error is not None:
            # If no page could be recognised, the error of a page is more informative.
            error = self._page_error
        if error is None:
            self.set_result(task.result())
        else:
            self.set_exception(error)

    def _end(self) -> bool:
        """Mark the read as ended; return False if it had ended before."""
        with self._lock:
            ended, self._over = not self._over, True
        return ended

"""Reading in which text recognition takes part: first quickly, then page by page, then with what they say.

A page takes text recognition longer than most files take altogether. So each is a task of its own: other
files have their turn in between, progress is known, and a page that hangs costs itself alone.
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

if TYPE_CHECKING:
    from simcompare.loading.formats.ocr.ocr_pages import RecognisedPage

Result = TypeVar("Result")

# Dense pages take 10 seconds of a processor that others may be using too.
_SECONDS_A_PAGE = 120.0


def submit(
    pool: ReaderPool,
    function: Callable[..., Result],
    path: Path,
    *args: object,
    options: ReadingOptions,
    tick: Tick = no_tick,
) -> "Future[Result]":
    """Run `function(path, *args, options)` in the pool, as its `submit` does, with recognised text.

    Where the function raises RecognitionNeededError, the pages are recognised and it is run again.
    `tick(done, total)` is called, from a thread of the pool, when recognition begins and after each page.
    """
    reading = _RecognisingRead(pool, partial(pool.submit, function, path, *args), path, options, tick)
    reading.begin()
    return reading


def submitter(
    pool: ReaderPool, function: "Callable[..., Result]", *args: object
) -> "Callable[[Path], Future[Result]]":
    """Return what begins to read a file; with recognised text where the last of `args` are ReadingOptions."""
    *others, last = args or (None,)
    if isinstance(last, ReadingOptions):
        return lambda path: submit(pool, function, path, *others, options=last)
    return lambda path: pool.submit(function, path, *args)


def _recognise_page(path: Path, number: int, options: ReadingOptions) -> "RecognisedPage":
    # loads numpy and pdfium, which only the reading process needs
    from simcompare.loading.formats.ocr.ocr_task import recognise_page  # noqa: PLC0415

    return recognise_page(path, number, options)


class _RecognisingRead(Future[Any]):
    """Follows the tasks of a file until the last; one that is cancelled cancels those under way."""

    def __init__(
        self,
        pool: ReaderPool,
        read: "Callable[[ReadingOptions], Future[Any]]",
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
        # Guards what follows. No task is submitted and no callback called under it.
        self._lock = threading.Lock()
        self._under_way: set[Future[Any]] = set()
        self._waiting: deque[int] = deque()
        self._pages: dict[int, RecognisedPage | None] = {}
        self._total = 0
        self._page_error: BaseException | None = None
        self._over = False

    def begin(self) -> None:
        """Read quickly; the pages that should be recognised come out of it."""
        asking = replace(self._options, recognised={})
        self._start(partial(self._submit_reading, asking), self._quick_reading_done)

    def cancel(self) -> bool:
        """Stop at once, whatever task is under way."""
        if not self._end():
            return self.cancelled()
        with self._lock:
            under_way = list(self._under_way)
        for task in under_way:
            task.cancel()
        super().cancel()
        self.set_running_or_notify_cancel()
        return True

    def _start(self, submit_task: "Callable[[], Future[Any]]", done: "Callable[[Future[Any]], None]") -> None:
        try:
            task = submit_task()
        except RuntimeError:
            # The pool was closed.
            self.cancel()
            return
        with self._lock:
            self._under_way.add(task)
            over = self._over
        if over:
            task.cancel()
        task.add_done_callback(partial(self._done, done))

    def _done(self, done: "Callable[[Future[Any]], None]", task: "Future[Any]") -> None:
        with self._lock:
            self._under_way.discard(task)
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
            # No page could be read: why tells more than that.
            error = self._page_error
        if error is None:
            self.set_result(task.result())
        else:
            self.set_exception(error)

    def _end(self) -> bool:
        """Return whether it is this call that ends the reading."""
        with self._lock:
            ended, self._over = not self._over, True
        return ended

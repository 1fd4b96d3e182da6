"""Files read in processes of their own, each within its limits of time and memory."""

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from multiprocessing import resource_tracker
from pathlib import Path
from typing import TypeVar

from simcompare.cli.progress_bar import progress_bar
from simcompare.errors import SimcompareError
from simcompare.i18n import _, set_language

Result = TypeVar("Result")


def read_files(
    function: Callable[..., Result], paths: Sequence[Path], *args: object, language: str
) -> list[Result | SimcompareError]:
    """Return function(path, *args) for each path, in order, or the error of that file.

    A file given several times is read once. `language` is that of the messages. Where the last of `args` are
    ReadingOptions, text recognition takes part.
    """
    outcomes = dict(read_in_order(function, list(dict.fromkeys(paths)), *args, language=language))
    return [outcomes[path] for path in paths]


def read_in_order(
    function: Callable[..., Result], paths: Sequence[Path], *args: object, language: str, bar: bool = True
) -> Iterator[tuple[Path, Result | SimcompareError]]:
    """Yield each path with function(path, *args), or the error of that file, as soon as it is its turn.

    `bar` shows how far it is, where a terminal is watched.
    """
    # loads pebble, which the help and --version do without
    from simcompare.loading.isolation import ReaderPool  # noqa: PLC0415
    from simcompare.loading.recognition import submitter  # noqa: PLC0415

    if not paths:
        return
    workers = min(len(paths), os.cpu_count() or 1)
    with (
        progress_bar(_("Reading"), wanted=bar) as tick,
        ReaderPool(workers, initializer=set_language, initargs=(language,)) as pool,
    ):
        with deaf_to_interrupts():
            begin = submitter(pool, function, *args)
            futures: deque[Future[Result]] = deque(map(begin, paths))
        for done, path in enumerate(paths, start=1):
            # what was taken is not kept: a folder may hold more text than memory does
            outcome = outcome_of(futures.popleft())
            yield path, outcome
            tick(done, len(paths))


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """Let processes that are started within not hear Ctrl+C: this one hears it and stops them.

    Else one that is still starting up would answer with a traceback of its own.
    """
    if sys.platform == "win32":
        yield
        return
    # it would give the signal free again when it starts together with the first process
    resource_tracker.ensure_running()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def outcome_of(future: Future[Result]) -> Result | SimcompareError:
    """Return what a process gave, or the error that a person can mend."""
    try:
        return future.result()
    except SimcompareError as error:
        return error

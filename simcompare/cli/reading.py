"""Files read in processes of their own, each within its limits of time and memory."""

import os
import signal
import sys
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

    A file given several times is read once. `language` is that of the messages.
    """
    # loads pebble, which the help and --version do without
    from simcompare.loading.isolation import ReaderPool  # noqa: PLC0415

    distinct = list(dict.fromkeys(paths))
    workers = min(len(distinct), os.cpu_count() or 1)
    outcomes: dict[Path, Result | SimcompareError] = {}
    with (
        progress_bar(_("Reading")) as tick,
        ReaderPool(workers, initializer=set_language, initargs=(language,)) as pool,
    ):
        with deaf_to_interrupts():
            futures = [(path, pool.submit(function, path, *args)) for path in distinct]
        for path, future in futures:
            outcome = _outcome(future)
            outcomes[path] = outcome
            tick(len(outcomes), len(distinct))
    return [outcomes[path] for path in paths]


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


def _outcome(future: Future[Result]) -> Result | SimcompareError:
    try:
        return future.result()
    except SimcompareError as error:
        return error

"""Ctrl+C in a process that starts others: the parent handles it and stops the children."""

import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from threading import Event
from typing import TypeVar

Result = TypeVar("Result")
_POLL_SECONDS = 0.2


@contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Make processes that are started within the block ignore Ctrl+C.

    Otherwise one that is still starting would print its own traceback.
    """
    if sys.platform == "win32":
        yield
        return
    # the tracker would unblock the signal if it started together with the first process
    resource_tracker.ensure_running()
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def interruptible(work: Callable[[Event], Result]) -> Result:
    """Run `work(stop)`, with the processes that it starts, in a thread, and return its result.

    Ctrl+C sets `stop`, upon which `work` should end soon; KeyboardInterrupt is raised after its end.
    """
    stop = Event()
    with ThreadPoolExecutor(1) as executor:
        with interrupts_blocked():
            future = executor.submit(work, stop)
        try:
            while True:
                # Windows does not notice Ctrl+C during a wait without a timeout
                try:
                    return future.result(_POLL_SECONDS)
                except TimeoutError:
                    if future.done():
                        raise
        except BaseException:
            stop.set()
            raise

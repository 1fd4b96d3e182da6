"""Ctrl+C in a process that starts others: the parent handles it and stops the children."""

import signal
import sys
import threading
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
    """Hold back Ctrl+C until the end of the block; processes that are started within it ignore Ctrl+C.

    Otherwise one that is still starting would print its own traceback. The main thread must not be
    interrupted either: a module in C that it imports would end with an error of its own.
    """
    received: list[int] = []
    handler = signal.getsignal(signal.SIGINT)
    is_held_back = callable(handler) and threading.current_thread() is threading.main_thread()
    if is_held_back:
        # blocked in the main thread only, the signal would reach Python by another thread
        signal.signal(signal.SIGINT, lambda number, _frame: received.append(number))
    if sys.platform != "win32":
        # the tracker would unblock the signal if it started together with the first process
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if sys.platform != "win32":
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        if is_held_back:
            signal.signal(signal.SIGINT, handler)
            for number in received[:1]:
                signal.raise_signal(number)


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
                    if future.done():  # since the wait, or with a TimeoutError of the work itself
                        return future.result()
        except BaseException:
            stop.set()
            raise

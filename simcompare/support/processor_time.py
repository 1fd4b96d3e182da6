"""Limits of processor time, which other programs on a busy machine do not use up."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from threading import Event
from typing import TypeVar

_OUT_OF_TIME_EXIT = 87
_WATCH_SECONDS = 0.2


class ProcessorDeadline:
    """Moment at which this thread will have used a number of seconds of processor time from now on."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.thread_time() + seconds

    @property
    def is_past(self) -> bool:
        """True once the time is used up."""
        return time.thread_time() > self._end


def is_out_of_time(exit_code: int) -> bool:
    """Return whether a process with this exit code was ended by `exit_after`."""
    if sys.platform != "win32" and exit_code == -signal.SIGPROF:
        return True
    return exit_code == _OUT_OF_TIME_EXIT


if sys.platform == "win32":

    @contextmanager
    def exit_after(seconds: float) -> Iterator[None]:
        """End this process if the block uses more than this much processor time."""
        with watched_by_thread(seconds):
            yield

else:

    @contextmanager
    def exit_after(seconds: float) -> Iterator[None]:
        """End this process if the block uses more than this much processor time.

        The default action of the signal ends the process also within code in C, where Python runs no thread.
        """
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)


@contextmanager
def watched_by_thread(seconds: float) -> Iterator[None]:
    """End this process from a thread if the block uses more than this much processor time."""
    end = time.process_time() + seconds
    is_done = threading.Event()

    def watch() -> None:
        while not is_done.wait(_WATCH_SECONDS):
            if time.process_time() > end:
                os._exit(_OUT_OF_TIME_EXIT)

    threading.Thread(target=watch, daemon=True, name="limit of processor time").start()
    try:
        yield
    finally:
        is_done.set()


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
                    if future.done():
                        raise
        except BaseException:
            stop.set()
            raise

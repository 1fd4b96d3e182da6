"""The time that outputs bear, and limits of processor time, which other programs do not use up."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime


def now() -> datetime:
    """Return the local time, or that of SOURCE_DATE_EPOCH in UTC: outputs are then equal byte for byte."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(seconds), UTC) if seconds.isdecimal() else datetime.now().astimezone()


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

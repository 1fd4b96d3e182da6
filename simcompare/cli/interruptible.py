"""Work whose processes end in order when a person presses Ctrl+C."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TypeVar

from simcompare.cli.reading import deaf_to_interrupts

Result = TypeVar("Result")
_LISTEN_SECONDS = 0.2


def interruptible(work: Callable[[Event], Result]) -> Result:
    """Return work(stop), done in a thread of its own, with what processes it starts.

    Ctrl+C is heard here alone: it sets `stop`, by which the work is to end soon, and goes on as
    KeyboardInterrupt once that has happened.
    """
    stop = Event()
    with ThreadPoolExecutor(1) as executor:
        with deaf_to_interrupts():
            future = executor.submit(work, stop)
        try:
            while True:
                # Windows does not hear Ctrl+C while it waits without an end
                try:
                    return future.result(_LISTEN_SECONDS)
                except TimeoutError:
                    if future.done():
                        raise
        except BaseException:
            stop.set()
            raise

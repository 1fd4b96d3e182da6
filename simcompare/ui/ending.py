"""The end of the program where the system or a terminal asks for it, not a person in the window."""

import os
import signal
import sys
import threading
from multiprocessing import resource_tracker
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier, Signal

_ENDING = () if sys.platform == "win32" else (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def keep_interrupts_from_children() -> None:
    """Let Ctrl+C in a terminal, which goes to all its processes, reach this one alone.

    Readers that are just starting would tell of it at length. Call it before the first thread and the first
    process begin, which inherit what is blocked. Windows knows no such thing.
    """
    if sys.platform != "win32":
        resource_tracker.ensure_running()  # else it is started later, and lets interrupts in again
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        threading.Thread(target=_take_interrupts, name="interrupts", daemon=True).start()


def _take_interrupts() -> None:
    """Be the one thread that the system can interrupt; Python's handlers run in the main thread."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        threading.Event().wait()


class EndingBySignal(QObject):
    """Tells that the program is asked to end; else what it shares with its readers would be left behind.

    Python's handlers wait for Python code to run in the main thread, which may be in Qt for long: a pipe
    wakes it up.
    """

    asked = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._end, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        for number in _ENDING:
            signal.signal(number, self._ask)
        if _ENDING:
            signal.set_wakeup_fd(self._wake)
            self._notifier = QSocketNotifier(self._end, QSocketNotifier.Type.Read, self)
            self._notifier.activated.connect(lambda: os.read(self._end, 64))

    def _ask(self, _number: int, _frame: FrameType | None) -> None:
        self.asked.emit()

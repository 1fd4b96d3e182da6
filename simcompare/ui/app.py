"""Start of the window: `simcompare-gui [FILE ...]`."""

import argparse
import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from multiprocessing import resource_tracker
from pathlib import Path
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier, QTimer, Signal
from PySide6.QtWidgets import QApplication

from simcompare import __version__
from simcompare.support.i18n import _, set_language, system_language
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.preferences import Preferences

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


_INTERVAL_MS = 1000
_LONGEST_SECONDS = 0.02


class GarbageCollector(QObject):
    """Takes over from Python, which collects in whichever thread happens to make an object, and at any time.

    A full collection in the middle of a drag holds the window for a tenth of a second, and one in a worker
    may delete what belongs to the GUI thread.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self._collect)
        gc.disable()
        gc.freeze()  # modules stay: there is nothing to look for in them
        self._timer.start()

    def _collect(self) -> None:
        """Collect the oldest generation that is due by Python's own thresholds."""
        limits = zip(gc.get_count(), gc.get_threshold(), strict=True)
        due = [generation for generation, (count, most) in enumerate(limits) if count > most]
        if not due:
            return
        begin = time.perf_counter()
        gc.collect(due[-1])
        if due[-1] == 2 and time.perf_counter() - begin > _LONGEST_SECONDS:
            # what is left are mostly long-lived values, as a thesaurus: the next time it is quick again
            gc.freeze()


# Threads of Python code give way this often; with Python's own 5 ms repaints stutter beside them.
SWITCH_INTERVAL_SECONDS = 0.0005


def main() -> None:
    """Show the window, with the files named on the command line."""
    multiprocessing.freeze_support()
    keep_interrupts_from_children()
    files, for_qt = _command_line(sys.argv[1:])
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    application = QApplication([*sys.argv[:1], *for_qt])
    application.setApplicationName("simcompare")
    window = MainWindow(Preferences())
    window.show()
    GarbageCollector(window)
    EndingBySignal(window).asked.connect(window.end_at_once)
    QTimer.singleShot(0, lambda: _begin(window, files))
    sys.exit(application.exec())


def _command_line(arguments: list[str]) -> tuple[list[Path], list[str]]:
    """Return the files to open, and what is left for Qt; --help and --version answer and end the program."""
    set_language(system_language())
    parser = argparse.ArgumentParser(
        "simcompare-gui", description=_("Compare documents in a window. `simcompare` does it without one.")
    )
    parser.add_argument("--version", action="version", version=f"simcompare {__version__}")
    parser.add_argument(
        "files", nargs="*", type=Path, metavar="FILE", help=_("documents, folders or one session to open")
    )
    known, for_qt = parser.parse_known_args(arguments)
    return known.files, for_qt


def _begin(window: MainWindow, files: list[Path]) -> None:
    window.workspace.warm()
    window.sessions.offer_rescued_work()
    if files:
        window.sessions.add(files)


if __name__ == "__main__":
    main()

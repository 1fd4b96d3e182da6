"""Start of the window: `simcompare-gui [FILE ...]`."""

import multiprocessing
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from simcompare.ui.garbage import GarbageCollector
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.preferences import Preferences

# Threads of Python code give way this often; with Python's own 5 ms repaints stutter beside them.
SWITCH_INTERVAL_SECONDS = 0.0005


def main() -> None:
    """Show the window, with the files named on the command line."""
    multiprocessing.freeze_support()
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    application = QApplication(sys.argv)
    application.setApplicationName("simcompare")
    window = MainWindow(Preferences())
    window.show()
    GarbageCollector(window)
    QTimer.singleShot(0, lambda: _begin(window, application.arguments()[1:]))
    sys.exit(application.exec())


def _begin(window: MainWindow, names: list[str]) -> None:
    window.workspace.warm()
    window.sessions.offer_rescued_work()
    if names:
        window.sessions.add(map(Path, names))


if __name__ == "__main__":
    main()

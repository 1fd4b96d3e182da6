"""Start of the window: `simcompare-gui [FILE ...]`."""

import argparse
import multiprocessing
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from simcompare import __version__
from simcompare.i18n import _, set_language, system_language
from simcompare.ui.ending import EndingBySignal, keep_interrupts_from_children
from simcompare.ui.garbage import GarbageCollector
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.preferences import Preferences

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

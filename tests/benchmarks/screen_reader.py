"""Read the whole window like a screen reader does, while it is being used: does anything crash?

    xvfb-run -a dbus-run-session -- .venv/bin/python -m tests.benchmarks.screen_reader [--seconds 120]

Needs Linux with at-spi2-core, dbus-daemon, xvfb and python3-dbus, the client's library, which the system's
Python has (`--python`). The window shows a class and a pair. It goes on switching pages, moving the cursors
of its pictures, opening and closing their tables and changing language. Meanwhile the client walks the tree
of AT-SPI objects again and again and reads names, descriptions, roles, states and cells of tables. Prints
the counts; a crash of the window is an error.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from simcompare.ui.access.picture_table import PictureTableDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from simcompare.ui.session.session_commands import UnsavedDialog
from simcompare.ui.window_assembly import whole_window
from tests.gui.class_samples import write_class

CLIENT = Path(__file__).with_name("screen_reader_client.py")
_STEP_MS = 60
_PICTURE_KEYS = (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Up)


def steps(window: MainWindow) -> Iterator[Callable[[], object]]:
    """Use of the window, one small step after the other, without end."""
    page, compare = window.class_page, window.compare_view
    pictures: tuple[QWidget, ...] = (page.maps.map, page.maps.graph, page.histogram.histogram)
    for language in cycle(("zh", "en")):
        yield window.pages.show_pairs
        for picture in pictures:
            yield from _use_picture(window, picture)
        yield window.pages.show_compare
        yield from _use_picture(window, compare.heatmap)
        yield lambda: window.workspace.selection.step_passage(1)
        yield lambda: QTest.keyClick(window, Qt.Key.Key_F1)
        yield lambda: [dialog.close() for dialog in window.findChildren(QWidget) if dialog.isModal()]
        yield window.pages.show_library
        yield lambda language=language: window.use_language(language)


def _use_picture(window: MainWindow, picture: QWidget) -> Iterator[Callable[[], object]]:
    yield picture.setFocus
    for key in _PICTURE_KEYS:
        yield lambda key=key: QTest.keyClick(picture, key)
    for _round in range(2):
        yield lambda: _trigger(picture)
        for key in _PICTURE_KEYS:
            yield lambda key=key: [QTest.keyClick(dialog.view, key) for dialog in _tables(window)]
        yield lambda: [QTest.keyClick(dialog, Qt.Key.Key_Escape) for dialog in _tables(window)]


def _trigger(picture: QWidget) -> None:
    for action in picture.actions():
        action.trigger()


def _tables(window: MainWindow) -> list[PictureTableDialog]:
    return [dialog for dialog in window.findChildren(PictureTableDialog) if dialog.isVisible()]


def main() -> None:
    """Show the window, use it while the client reads, and end with the client's result."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--python", default="/usr/bin/python3", help="Python with the module dbus")
    arguments = parser.parse_args()
    os.environ["QT_LINUX_ACCESSIBILITY_ALWAYS_ON"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        application = QApplication(["simcompare"])
        QAccessible.setActive(True)
        window = whole_window(Preferences())
        window.show()
        window.workspace.documents.add(write_class(Path(folder), 10))
        client = subprocess.Popen([arguments.python, str(CLIENT), str(arguments.seconds)])
        todo, count = steps(window), 0

        def step() -> None:
            nonlocal count
            if client.poll() is not None:
                application.exit()  # quit would close the window first
            elif not window.workspace.is_busy:
                count += 1
                next(todo)()

        timer = QTimer(interval=_STEP_MS)
        timer.timeout.connect(step)
        timer.start()
        application.exec()
        timer.stop()
        window.close()
        for question in window.findChildren(UnsavedDialog):
            question.discard_button.click()
        print(f"{count} steps of the window")
    sys.exit(client.returncode)


if __name__ == "__main__":
    main()

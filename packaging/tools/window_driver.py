"""Open a window without saved settings, and run its event loop until it has reached a state."""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QTimer

from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from simcompare.ui.session.session_commands import UnsavedDialog
from simcompare.ui.window_assembly import whole_window

LIMIT_MS = 240_000
SETTLING_MS = 400


def spin(until: Callable[[], bool]) -> None:
    """Run the event loop until a condition holds. Raises SystemExit after four minutes."""
    loop, watch = QEventLoop(), QTimer(interval=20)
    watch.timeout.connect(lambda: loop.quit() if until() else None)
    watch.start()
    QTimer.singleShot(LIMIT_MS, loop, loop.quit)
    loop.exec()
    watch.stop()  # its connection keeps it alive, and the window may be gone soon
    if not until():
        raise SystemExit("the window did not reach the wanted state")


def settle(time_ms: int = SETTLING_MS) -> None:
    """Run the event loop for a time, so that everything is painted."""
    loop = QEventLoop()
    QTimer.singleShot(time_ms, loop.quit)
    loop.exec()


@contextmanager
def window_of(language: str, theme: str, size_px: tuple[int, int]) -> Iterator[MainWindow]:
    """Open a window without saved settings."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        window = whole_window(Preferences())
        window.use_language(language)
        window.use_theme(theme)
        window.resize(*size_px)
        window.show()
        try:
            yield window
        finally:
            window.close()
            for question in window.findChildren(UnsavedDialog):
                question.discard_button.click()

"""When a window is painted."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget


def paint_in_a_later_turn(window: QWidget) -> None:
    """Let what changes now be painted once other events have had their turn.

    Where all of a window changes, to change it and to paint it take as long as two frames each.
    """
    if window.isVisible() and window.updatesEnabled():
        window.setUpdatesEnabled(False)
        QTimer.singleShot(0, window, lambda: window.setUpdatesEnabled(True))

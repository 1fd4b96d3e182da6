"""Helpers that find parts of the window."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from simcompare.ui.compare.matches.passage_list import PassageTable
from simcompare.ui.main_window import MainWindow


def match_view(window: MainWindow) -> PassageTable:
    view = window.sidebar.passages.findChild(PassageTable)
    assert isinstance(view, PassageTable)
    return view


def labels(widget: QWidget) -> str:
    return "\n".join(label.text() for label in widget.findChildren(QLabel))


def texts(window: MainWindow) -> list[str]:
    comparison = window.workspace.comparison
    assert comparison is not None
    return [comparison.left.name, comparison.right.name]


_LONG_DELAY_MS = 1000
"""Timers with this interval or more change nothing that tests look at."""


def wait_until_still(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until nothing is being computed and no delayed change is due."""

    def is_still() -> bool:
        timers = window.findChildren(QTimer)
        due = any(timer.isActive() and timer.interval() < _LONG_DELAY_MS for timer in timers)
        return not due and not window.workspace.is_busy

    qtbot.waitUntil(is_still)

"""Helpers that find parts of the window."""

from PySide6.QtWidgets import QLabel, QWidget

from simcompare.ui.compare.matches.passage_table import PassageTable
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

"""Distribution of space among the parts of the window."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QSplitterHandle,
    QTextEdit,
)
from pytestqt.qtbot import QtBot

from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import LEFT_TEXT, Essay, wait_for_comparison


def test_that_the_inspector_takes_the_height_that_its_text_needs(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    window.resize(1280, 800)
    start, rest = "下课以后，我和同桌一起去操场上跑步，", "太阳晒得我们满头大汗，可是谁也不愿意先停下来。"
    long = start + "一圈又一圈，" * 40 + rest
    paths = [essay("a.txt", f"题目\n{long}"), essay("b.txt", f"题目\n{long}我们笑了。")]
    window.workspace.documents.add(paths)
    wait_for_comparison(window, qtbot)
    window.workspace.selection.select(len(window.workspace.comparison.matches) - 1)
    inspector = window.compare_view.inspector
    qtbot.waitUntil(lambda: inspector.height() > 200)
    assert inspector.height() <= round(window.compare_view.height() * 0.4)


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_that_a_match_is_visible_without_scrolling(
    compared: MainWindow, qtbot: QtBot, size: tuple[int, int], language: str
) -> None:
    compared.resize(*size)
    compared.use_language(language)
    for _ in range(len(compared.workspace.comparison.matches)):
        qtbot.keyClick(compared, Qt.Key.Key_N)
        views = compared.compare_view.inspector.findChildren(QTextEdit)
        assert [view.verticalScrollBar().maximum() for view in views] == [0, 0]


def test_that_documents_take_the_height_that_few_matches_leave(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    documents, matches = window.sidebar.documents, window.sidebar.passages
    window.workspace.documents.add([essay("a.txt", LEFT_TEXT), essay("b.txt", "The rain fell all night.")])
    wait_for_comparison(window, qtbot)
    assert not window.workspace.comparison.matches
    assert documents.height() > 2 * matches.height()
    window.resize(window.width(), window.height() + 100)
    qtbot.waitUntil(lambda: documents.height() > 3 * matches.height())


def test_that_moving_the_splitter_below_the_documents_is_respected(
    compared: MainWindow, qtbot: QtBot
) -> None:
    (handle,) = (h for h in compared.sidebar.findChildren(QSplitterHandle) if h.isVisible())
    middle = handle.rect().center()
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseMove(handle, QPoint(middle.x(), middle.y() - 60))
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=middle)
    height = compared.sidebar.documents.height()
    compared.workspace.compare_again()
    wait_for_comparison(compared, qtbot)
    assert compared.sidebar.documents.height() == height


def test_that_moving_the_splitter_is_respected(compared: MainWindow, qtbot: QtBot) -> None:
    inspector = compared.compare_view.inspector
    (handle,) = (
        h
        for h in compared.compare_view.findChildren(QSplitterHandle)
        if h.orientation() is Qt.Orientation.Vertical and h.isVisible()
    )
    middle = handle.rect().center()
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseMove(handle, QPoint(middle.x(), middle.y() + 50))
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=middle)
    height = inspector.height()
    for _ in range(3):
        qtbot.keyClick(compared, Qt.Key.Key_N)
        assert inspector.height() == height


def test_that_the_window_stays_large_enough_for_its_tool_bar(compared: MainWindow, qtbot: QtBot) -> None:
    compared.resize(300, 200)
    assert compared.width() >= 1000
    assert compared.height() >= 600
    assert compared.sidebar.width() >= 200

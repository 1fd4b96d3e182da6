"""Distribution of space among the parts of the window."""

from itertools import product

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QSplitterHandle,
    QTextEdit,
)
from pytestqt.qtbot import QtBot

from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import Essay, wait_for_comparison
from tests.gui.passage_samples import COPY, LEFT_ESSAY, RIGHT_ESSAY
from tests.gui.window_parts import match_view


def test_that_all_reasons_are_visible_without_scrolling(compared: MainWindow, qtbot: QtBot) -> None:
    compared.compare_view.inspector.why_action.trigger()
    for size, language in product([(1280, 800), (1920, 1080)], ["en", "zh"]):
        compared.resize(*size)
        compared.use_language(language)
        for key in (Qt.Key.Key_N, Qt.Key.Key_P):
            for _ in compared.workspace.passages:
                qtbot.keyClick(compared, key)
                views = compared.compare_view.inspector.findChildren(QTextEdit)
                assert [view.verticalScrollBar().maximum() for view in views] == [0, 0]


def test_that_few_documents_leave_their_height_to_the_passages(judging: MainWindow, qtbot: QtBot) -> None:
    documents, passages = judging.sidebar.documents, judging.sidebar.passages
    assert documents.height() == documents.wanted_height()
    assert passages.height() > 2 * documents.height()
    match_view(judging).set_unfolded(COPY, True)
    assert documents.height() == documents.wanted_height(), "rows stay where they are clicked"


def test_that_passages_get_most_of_the_column_beside_many_documents_and_the_border_stays(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    documents, passages = window.sidebar.documents, window.sidebar.passages
    others = [essay(f"{number}.txt", f"The rain fell all night on {number}.") for number in range(12)]
    window.workspace.documents.add([essay("a.txt", LEFT_ESSAY), essay("b.txt", RIGHT_ESSAY), *others])
    wait_for_comparison(window, qtbot)
    heights = []
    for pair, count in (((1, 2), 3), ((2, 3), 0), ((2, 1), 3)):
        window.workspace.documents.choose_pair(*pair)
        window.pages.show_compare()
        qtbot.waitUntil(
            lambda wanted=count: (
                window.workspace.passages is not None
                and len(window.workspace.passages) == wanted
                and not window.workspace.is_busy
                and passages.height() > 0  # laid out after the page was shown
            )
        )
        heights.append((documents.height(), passages.height()))
    assert len(set(heights)) == 1, "whatever the number of passages"
    assert passages.height() > 1.8 * documents.height() > 0


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


def test_that_the_window_is_never_too_small_for_its_parts_and_folds_the_sidebar_first(
    compared: MainWindow, qtbot: QtBot
) -> None:
    compared.resize(1024, 600)
    assert compared.sidebar.width() >= 200
    compared.resize(300, 200)
    assert compared.size() == compared.minimumSize()
    assert not compared.sidebar.isVisible()

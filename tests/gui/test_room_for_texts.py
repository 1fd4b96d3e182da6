"""Room for the texts in Compare: characters a line, lines, and the heatmap's column beside them."""

from collections.abc import Callable
from itertools import pairwise
from statistics import median

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextBlock
from PySide6.QtWidgets import QScrollArea, QSplitter, QSplitterHandle, QTextEdit
from pytestqt.qtbot import QtBot

from simcompare.support.resources import resource_path
from simcompare.ui.compare.heatmap.heatmap_view import HeatmapView
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.document_listing import Side
from tests.gui.conftest import close_unsaved, wait_for_comparison

PAIR = ("家乡的石桥.docx", "心中的桥.html")
LAPTOP, DESKTOP, SMALLEST = (1366, 768), (1920, 1080), (1060, 600)

Reading = Callable[[tuple[int, int]], MainWindow]
"""Opens the sample pair in a window of this size, with the preferences of the test."""


@pytest.fixture
def reading(another_window: Callable[..., MainWindow], qtbot: QtBot) -> Reading:
    def start(size: tuple[int, int]) -> MainWindow:
        window = another_window(*(str(resource_path("samples", name)) for name in PAIR))
        window.use_language("zh")
        window.resize(*size)
        wait_for_comparison(window, qtbot)
        for text in texts_of(window):
            qtbot.waitUntil(lambda text=text: text.lines.is_finished)
        return window

    return start


def texts_of(window: MainWindow) -> list[QTextEdit]:
    return [window.compare_view.panes[side].findChild(QTextEdit) for side in Side]


def blocks_of(text: QTextEdit) -> list[QTextBlock]:
    block, found = text.document().begin(), []
    while block.isValid():
        found.append(block)
        block = block.next()
    return found


def characters_a_line(text: QTextEdit) -> list[int]:
    """Count the characters of each line that is filled: neither the first nor the last of its paragraph."""
    layouts = [block.layout() for block in blocks_of(text)]
    return [lay.lineAt(n).textLength() for lay in layouts for n in range(1, lay.lineCount() - 1)]


def whole_lines(text: QTextEdit) -> int:
    """Count the lines that are visible from top to bottom."""
    top = text.verticalScrollBar().value()
    bottom = top + text.viewport().height()
    count = 0
    for block in blocks_of(text):
        start = text.document().documentLayout().blockBoundingRect(block).top()
        line_px = block.blockFormat().lineHeight()
        starts = [start + number * line_px for number in range(block.layout().lineCount())]
        count += sum(top <= y and y + line_px <= bottom for y in starts)
    return count


def fewest_whole_lines(text: QTextEdit) -> int:
    """Fewest visible lines at any of several positions between title and end."""
    bar, counts = text.verticalScrollBar(), []
    for value in range(0, bar.maximum(), 37):
        bar.setValue(value)
        counts.append(whole_lines(text))
    return min(counts)


def drag(handle: QSplitterHandle, by_px: int, qtbot: QtBot) -> None:
    start = handle.rect().center()
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(handle, start + QPoint(by_px, 0))
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=start + QPoint(by_px, 0))


def splitter(window: MainWindow, name: str) -> QSplitter:
    found = window.findChild(QSplitter, name)
    assert isinstance(found, QSplitter)
    return found


def click_tab(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(window.compare_view.heatmap_tabs[0], Qt.MouseButton.LeftButton)


def narrow_heatmap(window: MainWindow, qtbot: QtBot) -> HeatmapView:
    heatmap = window.compare_view.heatmap
    assert heatmap.isVisible()
    qtbot.waitUntil(lambda: 120 <= heatmap.width() <= 130)
    return heatmap


def test_that_a_laptop_shows_24_characters_a_line_and_20_lines_of_each_text_beside_the_heatmap(
    reading: Reading, chinese_font: None, qtbot: QtBot
) -> None:
    window = reading(LAPTOP)
    assert (window.width(), window.height()) == LAPTOP
    narrow_heatmap(window, qtbot)
    for text in texts_of(window):
        # a line that would begin with a punctuation mark is a character shorter
        assert median(characters_a_line(text)) >= 24
        assert min(characters_a_line(text)) >= 23
        assert fewest_whole_lines(text) >= 20


def test_that_reasons_below_an_offer_to_recover_do_not_scroll_the_window(
    reading: Reading,
) -> None:
    window = reading((1257, 707))
    window.recovery_bar.show()
    contents = window.centralWidget()
    assert isinstance(contents, QScrollArea)
    layout = contents.widget().layout()
    assert layout is not None
    assert not layout.hasHeightForWidth(), "it would be as high as all texts together want to be"


def test_that_a_desktop_shows_the_heatmap_beside_comfortable_lines(
    reading: Reading, chinese_font: None
) -> None:
    window = reading(DESKTOP)
    assert window.compare_view.heatmap.isVisible()
    assert window.compare_view.heatmap.width() >= 240
    for text in texts_of(window):
        assert 32 <= median(characters_a_line(text)) <= 42
        assert fewest_whole_lines(text) >= 28


def test_that_both_texts_are_equally_wide_with_40_px_between_them(reading: Reading) -> None:
    window = reading(SMALLEST)
    left, right = (window.compare_view.panes[side] for side in Side)
    for size in (SMALLEST, LAPTOP, DESKTOP):
        window.resize(*size)
        assert abs(left.width() - right.width()) <= 1
        assert right.mapTo(window, QPoint(0, 0)).x() - left.mapTo(window, QPoint(left.width(), 0)).x() == 40


@pytest.mark.parametrize("language", ["en", "zh"])
def test_that_the_smallest_window_holds_everything_with_the_heatmap(
    reading: Reading, language: str, qtbot: QtBot
) -> None:
    window = reading(SMALLEST)
    window.use_language(language)
    click_tab(window, qtbot)
    assert (window.width(), window.height()) == SMALLEST
    needed = window.minimumSizeHint()
    assert needed.width() <= SMALLEST[0]
    assert needed.height() <= SMALLEST[1]
    view = window.compare_view
    row = [view.panes[Side.LEFT], view.panes[Side.RIGHT], view.heatmap, view.heatmap_tabs[0]]
    edges = [(part.mapTo(window, QPoint(0, 0)).x(), part.width()) for part in row]
    assert all(start + width <= following for (start, width), (following, _) in pairwise(edges))
    assert sum(edges[-1]) <= SMALLEST[0]
    for text in texts_of(window):
        assert min(characters_a_line(text)) >= 14


def test_that_the_heatmap_folds_and_unfolds_with_the_width_until_the_user_decides(
    reading: Reading, qtbot: QtBot
) -> None:
    window = reading(DESKTOP)
    heatmap = window.compare_view.heatmap
    window.resize(*SMALLEST)
    assert not heatmap.isVisible()
    window.resize(*LAPTOP)
    assert heatmap.isVisible()
    click_tab(window, qtbot)
    assert not heatmap.isVisible()
    window.resize(*SMALLEST)
    window.resize(*DESKTOP)
    assert not heatmap.isVisible()


@pytest.mark.parametrize(("size", "chosen"), [(SMALLEST, True), (DESKTOP, False)])
def test_that_a_chosen_heatmap_is_remembered_whatever_the_width(
    reading: Reading, size: tuple[int, int], chosen: bool, qtbot: QtBot
) -> None:
    first = reading(size)
    assert first.compare_view.heatmap.isVisible() is not chosen
    click_tab(first, qtbot)
    close_unsaved(first)
    assert reading(size).compare_view.heatmap.isVisible() is chosen


def test_that_the_width_of_the_heatmap_is_remembered(reading: Reading, qtbot: QtBot) -> None:
    first = reading(DESKTOP)
    before = first.compare_view.heatmap.width()
    drag(splitter(first, "columns").handle(1), -100, qtbot)
    assert abs(first.compare_view.heatmap.width() - before - 100) <= 2
    wide = first.compare_view.heatmap.width()
    close_unsaved(first)
    second = reading(DESKTOP)
    qtbot.waitUntil(lambda: second.compare_view.heatmap.width() == wide)


def test_that_the_border_between_the_texts_can_be_dragged_and_is_remembered(
    reading: Reading, qtbot: QtBot
) -> None:
    first = reading(LAPTOP)
    left, right = (first.compare_view.panes[side] for side in Side)
    whole = left.width() + right.width()
    drag(splitter(first, "panes").handle(1), 80, qtbot)
    assert left.width() - right.width() >= 150
    assert left.width() + right.width() == whole
    sizes = splitter(first, "panes").sizes()
    close_unsaved(first)
    assert splitter(reading(LAPTOP), "panes").sizes() == sizes


def test_that_sizes_remembered_by_an_older_version_are_ignored(reading: Reading) -> None:
    Preferences().splitters = {"texts": (700, 300, 100), "whole": (500, 100)}
    window = reading(LAPTOP)
    left, right = (window.compare_view.panes[side] for side in Side)
    assert abs(left.width() - right.width()) <= 1


def test_that_a_click_in_the_narrow_heatmap_selects_a_pair_of_sentences(
    reading: Reading, qtbot: QtBot
) -> None:
    window = reading(LAPTOP)
    heatmap = narrow_heatmap(window, qtbot)
    qtbot.mouseClick(heatmap, Qt.MouseButton.LeftButton, pos=heatmap.rect().center())
    left, right = window.workspace.selection.cell
    comparison = window.workspace.comparison
    sentences = [side.prepared.sentence_count for side in (comparison.left, comparison.right)]
    assert 0.3 < left / sentences[0] < 0.7
    assert 0.3 < right / sentences[1] < 0.7

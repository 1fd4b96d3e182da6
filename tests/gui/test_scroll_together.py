"""Linked scrolling of both texts."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QTextEdit
from pytestqt.qtbot import QtBot

from simcompare.comparison.passages.passage_detection import longest_match_chain
from simcompare.model.document import Span
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from tests.gui.conftest import wait_for_comparison

SHARED = [f"第{n}座石桥立在第{n}条小河上，第{n}个孩子每天从桥上走过去读书。" for n in range(60)]
OWN = [f"这里写的是别的事情，与桥无关，编号是{n}，只有这一篇里才有。" for n in range(40)]
"""Text before the shared sentences that only the right text has."""


@pytest.fixture
def long_pair(window: MainWindow, essay: Callable[[str, str], Path], qtbot: QtBot) -> MainWindow:
    left, right = "\n".join(SHARED), "\n".join([*OWN, *SHARED])
    window.workspace.documents.add([essay("left.txt", left), essay("right.txt", right)])
    wait_for_comparison(window, qtbot)
    return window


def turn_wheel(window: MainWindow, side: Side, notches: int) -> None:
    page = window.compare_view.panes[side].findChild(QTextEdit).viewport()
    place = page.rect().center()
    event = QWheelEvent(
        QPointF(place),
        QPointF(page.mapToGlobal(place)),
        QPoint(),
        QPoint(0, -120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(page, event)


def scrolled(window: MainWindow, side: Side) -> int:
    return window.compare_view.panes[side].scrolled_px


def heights(window: MainWindow) -> list[tuple[int, int]]:
    """Heights of the in-order matches on the left and on the right, for those visible on the left."""
    comparison, panes = window.workspace.comparison, window.compare_view.panes
    found = []
    for index in longest_match_chain(comparison.matches):
        match = comparison.matches[int(index)]
        left = panes[Side.LEFT].viewport_y_of(comparison.left_span(match))
        if 0 <= left < panes[Side.LEFT].height():
            found.append((left, panes[Side.RIGHT].viewport_y_of(comparison.right_span(match))))
    return found


@pytest.mark.parametrize("side", Side)
def test_that_matches_stay_side_by_side_while_the_wheel_is_turned(
    long_pair: MainWindow, qtbot: QtBot, side: Side
) -> None:
    while scrolled(long_pair, Side.LEFT) < 400:
        with qtbot.waitSignal(long_pair.compare_view.panes[side].scrolled_by_user):
            turn_wheel(long_pair, side, 12)
    line = long_pair.fontMetrics().height() * 3
    assert heights(long_pair)
    assert all(abs(left - right) <= line for left, right in heights(long_pair))


def test_that_the_other_text_follows_to_a_hit_of_a_search(long_pair: MainWindow, qtbot: QtBot) -> None:
    finder, panes = long_pair.compare_view.finder, long_pair.compare_view.panes
    finder.open()
    finder.bar.field.setText("第40个孩子")
    heights = [panes[side].viewport_y_of(Span(*finder.search.hits[side][0].tolist())) for side in Side]
    assert 0 < heights[0] == heights[1]
    finder.bar.field.setText("编号是30")
    assert finder.search.current.side is Side.RIGHT
    assert scrolled(long_pair, Side.LEFT) == 0


def test_that_scrolling_by_keys_scrolls_the_other_text(long_pair: MainWindow, qtbot: QtBot) -> None:
    before = scrolled(long_pair, Side.RIGHT)
    view = long_pair.compare_view.panes[Side.LEFT].findChild(QTextEdit)
    qtbot.keyClick(view, Qt.Key.Key_PageDown)
    qtbot.waitUntil(lambda: scrolled(long_pair, Side.RIGHT) > before)


def test_that_both_texts_reach_their_ends_together(long_pair: MainWindow, qtbot: QtBot) -> None:
    def left_to_go(side: Side) -> int:
        pane = long_pair.compare_view.panes[side]
        return pane.page_px - pane.findChild(QTextEdit).viewport().height() - pane.scrolled_px

    while left_to_go(Side.LEFT) > 0:
        with qtbot.waitSignal(long_pair.compare_view.panes[Side.LEFT].scrolled_by_user):
            turn_wheel(long_pair, Side.LEFT, 40)
    assert abs(left_to_go(Side.RIGHT)) < 100


def test_that_ctrl_j_unlinks_the_texts(long_pair: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(long_pair, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert not long_pair.compare_view.linked_scrolling.action.isChecked()
    before = scrolled(long_pair, Side.RIGHT)
    with qtbot.waitSignal(long_pair.compare_view.panes[Side.LEFT].scrolled_by_user):
        turn_wheel(long_pair, Side.LEFT, 12)
    assert scrolled(long_pair, Side.RIGHT) == before


def test_that_aligning_a_selected_pair_does_not_start_linked_scrolling(
    long_pair: MainWindow, qtbot: QtBot
) -> None:
    panes = long_pair.compare_view.panes
    # not by positions: they move a little when estimated heights become exact
    with (
        qtbot.assertNotEmitted(panes[Side.LEFT].scrolled_by_user, wait=50),
        qtbot.assertNotEmitted(panes[Side.RIGHT].scrolled_by_user, wait=50),
    ):
        long_pair.workspace.selection.select(30)
    assert all(scrolled(long_pair, side) for side in Side)

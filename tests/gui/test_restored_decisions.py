"""Decisions on long texts are restored in the background, without losing newer ones."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QUndoStack
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Cell, Decision
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.review.review_history import ReviewHistory
from tests.gui.conftest import wait_for_comparison

FIRST, SECOND = Decision.COPIED, Decision.FINE
COUNTED = "零一二三四五六七八九"


def sentence(number: int) -> str:
    return "".join(COUNTED[int(digit)] for digit in f"{number:05}") + "块石头在河里。"


@pytest.fixture
def long_pair(window: MainWindow, essay: Callable[[str, str], Path], qtbot: QtBot) -> MainWindow:
    """Window with two texts of 1,500 sentences each, some of them equal."""
    left = "".join(sentence(number) for number in range(1500))
    right = "".join(f"{number}只鸟飞过桥头。" if number % 100 else sentence(number) for number in range(1500))
    window.workspace.documents.add([essay("a.txt", left), essay("b.txt", right)])
    wait_for_comparison(window, qtbot)
    return window


def cells_of(window: MainWindow) -> tuple[Cell, Cell]:
    matches = window.workspace.comparison.matches
    return (matches[0].left, matches[0].right), (matches[1].left, matches[1].right)


def restored(window: MainWindow, history: QUndoStack) -> ReviewHistory:
    """Review history with decisions of a session, created beside an existing comparison."""
    first, _second = cells_of(window)
    window.workspace.review.decide(first, FIRST)
    review = ReviewHistory(window.workspace.documents, history, window)
    review.restore(window.workspace.review.pairs())
    review.follow(window.workspace.comparison, window.workspace.passages)
    return review


def test_that_decisions_on_long_texts_appear_when_the_index_is_built(
    long_pair: MainWindow, qtbot: QtBot
) -> None:
    first, _second = cells_of(long_pair)
    review = restored(long_pair, QUndoStack(long_pair))
    assert review.decision_of(first).decision is None, "restored in the background"
    with qtbot.waitSignal(review.changed):
        pass
    assert review.decision_of(first).decision is FIRST
    review.close()


def test_that_deciding_before_the_index_is_built_loses_nothing(long_pair: MainWindow, qtbot: QtBot) -> None:
    first, second = cells_of(long_pair)
    history = QUndoStack(long_pair)
    review = restored(long_pair, history)
    review.decide(second, SECOND)
    assert (review.decision_of(first).decision, review.decision_of(second).decision) == (FIRST, SECOND)
    history.undo()
    assert review.decision_of(first).decision is FIRST
    assert review.decision_of(second).decision is None
    review.close()


def test_that_a_decision_withdrawn_before_the_index_is_built_stays_withdrawn(
    long_pair: MainWindow, qtbot: QtBot
) -> None:
    first, _second = cells_of(long_pair)
    review = restored(long_pair, QUndoStack(long_pair))
    review.decide(first, None)
    assert review.decision_of(first).decision is None
    assert review.pairs() == {}
    review.close()

"""Decisions on long texts are restored without blocking the window, and none is lost meanwhile."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QUndoStack
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.match_decisions import Cell
from simcompare.ui.state.review_history import Review
from tests.gui.conftest import wait_for_comparison

FIRST, SECOND = Decision.COPIED, Decision.FINE
COUNTED = "零一二三四五六七八九"


def sentence(number: int) -> str:
    return "".join(COUNTED[int(digit)] for digit in f"{number:05}") + "块石头在河里。"


@pytest.fixture
def long_pair(window: MainWindow, essay: Callable[[str, str], Path], qtbot: QtBot) -> MainWindow:
    """A window with two texts of 1,500 sentences each, some of them the same."""
    left = "".join(sentence(number) for number in range(1500))
    right = "".join(f"{number}只鸟飞过桥头。" if number % 100 else sentence(number) for number in range(1500))
    window.workspace.documents.add([essay("a.txt", left), essay("b.txt", right)])
    wait_for_comparison(window, qtbot)
    return window


def cells_of(window: MainWindow) -> tuple[Cell, Cell]:
    matches = window.workspace.comparison.matches
    return (matches[0].left, matches[0].right), (matches[1].left, matches[1].right)


def restored(window: MainWindow, history: QUndoStack) -> Review:
    """Load the decisions of a saved session beside an existing comparison."""
    first, _second = cells_of(window)
    window.workspace.review.judge(first, FIRST)
    review = Review(window.workspace.documents, history, window)
    review.restore(window.workspace.review.pairs())
    review.follow(window.workspace.comparison)
    return review


def test_that_decisions_on_long_texts_are_restored_once_sentences_have_keys(
    long_pair: MainWindow, qtbot: QtBot
) -> None:
    first, _second = cells_of(long_pair)
    review = restored(long_pair, QUndoStack(long_pair))
    assert review.decision_of(first).decision is None, "restored in the background"
    with qtbot.waitSignal(review.changed):
        pass
    assert review.decision_of(first).decision is FIRST
    review.close()


def test_that_a_decision_made_before_they_are_restored_keeps_the_others(
    long_pair: MainWindow, qtbot: QtBot
) -> None:
    first, second = cells_of(long_pair)
    history = QUndoStack(long_pair)
    review = restored(long_pair, history)
    review.judge(second, SECOND)
    assert (review.decision_of(first).decision, review.decision_of(second).decision) == (FIRST, SECOND)
    history.undo()
    assert review.decision_of(first).decision is FIRST
    assert review.decision_of(second).decision is None
    review.close()


def test_that_a_decision_removed_before_they_are_restored_stays_removed(
    long_pair: MainWindow, qtbot: QtBot
) -> None:
    first, _second = cells_of(long_pair)
    review = restored(long_pair, QUndoStack(long_pair))
    review.judge(first, None)
    assert review.decision_of(first).decision is None
    assert review.pairs() == {}
    review.close()

"""Actions of a teacher who decides on matches."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision, NotedDecision, PairReview
from simcompare.ui.compare.matches.decision_bar import NoteEdit
from simcompare.ui.main_window import MainWindow

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
COPIED, FINE = NotedDecision(Decision.COPIED), NotedDecision(Decision.FINE)


def press(
    window: MainWindow, qtbot: QtBot, key: Qt.Key, modifiers: Qt.KeyboardModifier | None = None
) -> None:
    qtbot.keyClick(window.focusWidget() or window, key, modifiers or Qt.KeyboardModifier.NoModifier)


def noted_decision(window: MainWindow, index: int) -> NotedDecision:
    assert window.workspace.comparison is not None
    match = window.workspace.comparison.matches[index]
    return window.workspace.review.decision_of((match.left, match.right))


def button(window: MainWindow, word: str) -> QAbstractButton:
    return next(b for b in window.compare_view.inspector.findChildren(QAbstractButton) if b.text() == word)


def note_field(window: MainWindow) -> NoteEdit:
    return window.compare_view.inspector.note_popup.field


def note_title(window: MainWindow) -> str:
    assert note_field(window).isVisible()
    return note_field(window).accessibleName()


def undo(window: MainWindow) -> QAction:
    return window.undo_actions.entries[0]


def redo(window: MainWindow) -> QAction:
    return window.undo_actions.entries[1]


def overall(window: MainWindow) -> NotedDecision:
    return window.workspace.review.overall


def only_review(window: MainWindow) -> PairReview:
    (review,) = window.workspace.review.pairs().values()
    return review

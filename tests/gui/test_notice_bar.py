"""Notice bar: lasting notices, and notices that disappear by themselves."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from simcompare.ui import notice_bar
from simcompare.ui.main_window import MainWindow
from simcompare.ui.notice_bar import NoticeBar


@pytest.fixture
def bar(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[NoticeBar]:
    """Notice bar above a focused field; its notices disappear at once."""
    monkeypatch.setattr(notice_bar, "_SHOWN_FOR_MS", 1)
    window, bar, field = QWidget(), NoticeBar(), QLineEdit()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.addWidget(bar)
    column.addWidget(field)
    window.show()
    qtbot.waitActive(window)
    field.setFocus()
    yield bar
    window.close()


def test_that_a_notice_of_success_disappears(bar: NoticeBar, qtbot: QtBot) -> None:
    bar.show_notice("report.html is written.", passes=True)
    assert bar.isVisible()
    qtbot.waitUntil(bar.isHidden)


def test_that_a_notice_stays_while_one_of_its_buttons_has_the_focus(bar: NoticeBar, qtbot: QtBot) -> None:
    bar.show_notice("report.html is written.", lambda: None, passes=True)
    bar.show_button.setFocus(Qt.FocusReason.TabFocusReason)
    bar._hide_timer.timeout.emit()
    assert bar.isVisible()
    bar.window().findChild(QLineEdit).setFocus()
    qtbot.waitUntil(bar.isHidden)


def test_that_an_important_notice_stays(bar: NoticeBar, qtbot: QtBot) -> None:
    bar.show_notice("report.html is written.", passes=True)
    bar.show_notice("essay.pdf could not be read.")
    assert not bar._hide_timer.isActive()
    assert bar.isVisible()


def test_that_a_withdrawn_notice_is_hidden_unless_another_one_replaced_it(bar: NoticeBar) -> None:
    bar.show_notice("essay.pdf could not be read.")
    bar.withdraw("The comparison stopped.")
    assert bar.isVisible()
    bar.withdraw("essay.pdf could not be read.")
    assert not bar.isVisible()


def test_that_enter_pressed_twice_does_not_answer_the_next_question(bar: NoticeBar, qtbot: QtBot) -> None:
    answers = list[str]()

    def answer() -> None:
        answers.append("template")
        bar.show_notice("2 sentences are left out.", lambda: answers.append("counted"), "Count them")

    bar.show_notice("Is it a template?", answer, "Use as template")
    bar.show_button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(bar.show_button, Qt.Key.Key_Space)
    assert answers == ["template"]
    assert bar.dismiss_button.hasFocus()
    qtbot.keyClick(bar.window().focusWidget(), Qt.Key.Key_Space)
    assert answers == ["template"]
    assert bar.isHidden()


def test_that_a_held_enter_answers_one_notice_and_does_not_dismiss_the_next(
    window: MainWindow, qtbot: QtBot
) -> None:
    bar, answers = window.notice, list[str]()

    def answer() -> None:
        answers.append("template")
        bar.show_notice("2 sentences are left out.", lambda: answers.append("counted"), "Count them")

    bar.show_notice("Is it a template?", answer, "Use as template")
    bar.show_button.setFocus(Qt.FocusReason.TabFocusReason)
    for is_repeated in (False, True, True):
        focused = window.focusWidget()
        press = QKeyEvent(
            QEvent.Type.KeyPress,
            Qt.Key.Key_Return,
            Qt.KeyboardModifier.NoModifier,
            "\r",
            is_repeated,
        )
        QApplication.sendEvent(focused, press)
    assert answers == ["template"]
    assert bar.label.text() == "2 sentences are left out."
    assert bar.isVisible()
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    assert bar.isHidden()


def test_that_the_same_notice_shown_again_keeps_the_focus(bar: NoticeBar) -> None:
    bar.show_notice("essay.pdf could not be read.", lambda: None)
    bar.show_button.setFocus(Qt.FocusReason.TabFocusReason)
    bar.show_notice("essay.pdf could not be read.", lambda: None)
    assert bar.show_button.hasFocus()

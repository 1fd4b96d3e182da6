"""The line above the texts: what waits to be read, and what goes by itself."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from simcompare.ui import notice_bar
from simcompare.ui.notice_bar import NoticeBar


@pytest.fixture
def bar(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[NoticeBar]:
    """A bar over a field that has the keyboard, whose notices pass at once."""
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


def test_that_what_went_well_goes_by_itself(bar: NoticeBar, qtbot: QtBot) -> None:
    bar.show_notice("report.html is written.", passes=True)
    assert bar.isVisible()
    qtbot.waitUntil(bar.isHidden)


def test_that_it_stays_while_one_of_its_buttons_has_the_keyboard(bar: NoticeBar, qtbot: QtBot) -> None:
    bar.show_notice("report.html is written.", lambda: None, passes=True)
    bar.show_button.setFocus(Qt.FocusReason.TabFocusReason)
    bar._hide_timer.timeout.emit()
    assert bar.isVisible()
    bar.window().findChild(QLineEdit).setFocus()
    qtbot.waitUntil(bar.isHidden)


def test_that_what_must_be_read_stays(bar: NoticeBar, qtbot: QtBot) -> None:
    bar.show_notice("report.html is written.", passes=True)
    bar.show_notice("essay.pdf could not be read.")
    assert not bar._hide_timer.isActive()
    assert bar.isVisible()

"""Language of the window, including Qt's own texts."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from simcompare.support.i18n import set_language
from simcompare.ui.main_window import MainWindow


@pytest.fixture
def chinese(window: MainWindow) -> Iterator[MainWindow]:
    window.use_language("zh")
    yield window
    window.use_language("en")
    set_language("en")


def button_texts(box: QMessageBox) -> list[str]:
    return [button.text().replace("&", "") for button in box.buttons()]


def make_box(qtbot: QtBot) -> QMessageBox:
    box = QMessageBox()
    box.setStandardButtons(QMessageBox.StandardButton.Save | QMessageBox.StandardButton.Cancel)
    qtbot.addWidget(box)
    return box


def test_that_buttons_of_qt_are_in_the_language_of_the_window(chinese: MainWindow, qtbot: QtBot) -> None:
    assert [text.partition("(")[0] for text in button_texts(make_box(qtbot))] == ["保存", "取消"]
    chinese.use_language("en")
    assert button_texts(make_box(qtbot)) == ["Save", "Cancel"]


def test_that_file_dialogs_and_menus_of_text_fields_are_chinese(chinese: MainWindow, qtbot: QtBot) -> None:
    dialog = QFileDialog(chinese)
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    assert "取消" in [button.text().partition("(")[0] for button in dialog.findChildren(QPushButton)]
    field = QLineEdit()
    qtbot.addWidget(field)
    texts = [action.text() for action in field.createStandardContextMenu().actions() if action.text()]
    assert any("粘贴" in text for text in texts)

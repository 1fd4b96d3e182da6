"""What the user pressed last: a key or the mouse, in any window."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot

from simcompare.ui.window_pages import LastInput


def test_that_keys_and_clicks_in_a_window_and_its_dialog_count(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(window.isActiveWindow)
    last = LastInput(window)
    assert not last.was_key
    qtbot.keyClick(window.windowHandle(), Qt.Key.Key_Down)
    assert last.was_key
    dialog = QDialog(window)
    dialog.open()
    qtbot.waitUntil(dialog.isActiveWindow)
    qtbot.mouseClick(dialog.windowHandle(), Qt.MouseButton.LeftButton)
    assert not last.was_key
    qtbot.keyClick(dialog.windowHandle(), Qt.Key.Key_Down)
    assert last.was_key
    dialog.reject()

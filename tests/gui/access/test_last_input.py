"""What the user pressed last: a key or the mouse, in any window; shortcuts win over keys of text fields."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QShortcut
from PySide6.QtWidgets import QDialog, QLineEdit, QSpinBox, QWidget
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


def test_that_shortcuts_win_in_text_fields_but_for_keys_that_edit(qtbot: QtBot) -> None:
    window, pressed = QWidget(), list[str]()
    qtbot.addWidget(window)
    field, number = QLineEdit("text", window), QSpinBox(window)
    for keys in ("Ctrl+E", "Ctrl+A", "Ctrl+C", "Ctrl+Z", "E", "Ctrl+Left"):
        QShortcut(keys, window).activated.connect(lambda keys=keys: pressed.append(keys))
    window.show()
    qtbot.waitUntil(window.isActiveWindow)
    _last = LastInput(window)
    control = Qt.KeyboardModifier.ControlModifier
    for focused in (field, number):
        focused.setFocus()
        for key in (Qt.Key.Key_E, Qt.Key.Key_A, Qt.Key.Key_C, Qt.Key.Key_Z, Qt.Key.Key_Left):
            qtbot.keyClick(window.windowHandle(), key, control)
    assert pressed == ["Ctrl+E", "Ctrl+E"]
    field.setFocus()
    field.selectAll()
    qtbot.keyClick(window.windowHandle(), Qt.Key.Key_C, control)
    qtbot.keyClick(window.windowHandle(), Qt.Key.Key_E)
    assert (QGuiApplication.clipboard().text(), field.text()) == ("text", "e")
    qtbot.keyClick(window.windowHandle(), Qt.Key.Key_Z, control)
    assert field.text() == "text"

"""Widgets on their own, without the window of the program."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot


def show_widget(widget: QWidget, qtbot: QtBot, width: int, height: int) -> None:
    """Show a widget in this size; pytest-qt deletes it after the test."""
    qtbot.addWidget(widget)
    widget.resize(width, height)
    with qtbot.waitExposed(widget):
        widget.show()


def looks_different_with_focus(widget: QWidget, qtbot: QtBot) -> bool:
    """Return whether a widget that gets the focus by Tab is painted differently."""
    widget.activateWindow()
    qtbot.waitUntil(widget.isActiveWindow)
    widget.clearFocus()
    without = widget.grab().toImage()
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(widget.hasFocus)
    return widget.grab().toImage() != without

"""The row of buttons above the documents: what stands in it can be reached, however narrow the window is."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.main_window import MainWindow


def is_worded(button: QToolButton) -> bool:
    """Whether a button shows its word beside its icon."""
    return button.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonTextBesideIcon


def test_that_a_click_on_export_asks_what_is_to_be_written(compared: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(compared.tool_bar.export_button, Qt.MouseButton.LeftButton)

    [dialog] = compared.findChildren(ExportDialog)
    assert dialog.isVisible()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_that_there_is_nothing_to_export_before_anything_is_compared(window: MainWindow) -> None:
    assert not window.tool_bar.export_button.isEnabled()
    assert not window.tool_bar.swap_button.isEnabled()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_that_all_of_the_bar_is_seen_in_the_smallest_window(
    window: MainWindow, language: str, qtbot: QtBot
) -> None:
    window.use_language(language)
    window.resize(window.minimumSize())

    bar = window.tool_bar
    qtbot.waitUntil(lambda: bar.minimumSizeHint().width() <= bar.width() == window.width())


def test_that_words_are_left_off_where_they_have_no_room_and_come_back(
    window: MainWindow, qtbot: QtBot
) -> None:
    buttons = (window.tool_bar.swap_button, window.tool_bar.export_button)
    window.use_language("en")
    window.resize(window.minimumSize())
    qtbot.waitUntil(lambda: not any(map(is_worded, buttons)))

    window.resize(1280, 800)

    qtbot.waitUntil(lambda: all(map(is_worded, buttons)))


def test_that_a_shorter_language_brings_the_words_back(window: MainWindow, qtbot: QtBot) -> None:
    buttons = (window.tool_bar.swap_button, window.tool_bar.export_button)
    window.use_language("en")
    window.resize(window.minimumSize())
    qtbot.waitUntil(lambda: not any(map(is_worded, buttons)))

    window.use_language("zh")

    qtbot.waitUntil(lambda: all(map(is_worded, buttons)))

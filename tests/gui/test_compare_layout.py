"""Layout of the Compare view: folding of the heatmap, height of the inspector."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from simcompare.ui.compare.text_pane.text_view import TextView
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from simcompare.ui.style.theme import current_theme
from tests.gui.exclusion_samples import NO_POPUPS

FOLD = (Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)


def text_width(window: MainWindow) -> int:
    return window.compare_view.panes[Side.LEFT].width()


def test_that_a_folded_heatmap_is_restored_with_its_width(compared: MainWindow, qtbot: QtBot) -> None:
    heatmap = compared.compare_view.heatmap
    compared.activateWindow()
    before, width = text_width(compared), heatmap.width()
    qtbot.keyClick(compared, *FOLD)
    assert not heatmap.isVisible()
    assert not compared.folding.action.isChecked()
    qtbot.waitUntil(lambda: text_width(compared) > before + width // 3)
    assert compared.compare_view.isAncestorOf(compared.focusWidget())
    qtbot.keyClick(compared, *FOLD)
    assert heatmap.isVisible()
    qtbot.waitUntil(lambda: abs(text_width(compared) - before) < 4)


def test_that_focus_goes_to_the_left_text_beside_an_open_or_folded_heatmap(compared: MainWindow) -> None:
    for folds in (False, True):
        if folds:
            compared.folding.action.trigger()
        assert compared.compare_view.heatmap.isVisible() is not folds
        compared.pages.setFocus()
        compared.pages.show_compare()
        assert compared.compare_view.panes[Side.LEFT].isAncestorOf(compared.focusWidget())


def has_focus_mark(window: MainWindow) -> bool:
    text = window.focusWidget()
    assert isinstance(text, TextView)
    return text.viewport().grab().toImage().pixelColor(1, 40) == QColor(current_theme().accent)


def show_pairs(window: MainWindow, qtbot: QtBot) -> None:
    """Show the class with the focus on its first pair; a window that is not active shows no focus."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.pages.show_pairs()
    window.pairs_view.table.setFocus()
    window.pairs_view.table.selectRow(0)


def press(window: MainWindow, qtbot: QtBot, *keys: Qt.Key | Qt.KeyboardModifier) -> None:
    """Press a key in a window, as the system reports it; the widget with the focus gets it."""
    qtbot.keyClick(window.windowHandle(), *keys)


def click(part: QWidget, place: QPoint, qtbot: QtBot) -> None:
    """Click a place of a widget, as the system reports it."""
    window = part.window()
    qtbot.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton, pos=part.mapTo(window, place))


def click_menu_entry(window: MainWindow, name: str, qtbot: QtBot) -> None:
    """Open the menu of a command with the mouse, and click it."""
    action = window.commands.actions[name]
    menu = next(each for each in window.main_menus if action in each.actions())
    click(window.menus, window.menus.actionGeometry(menu.menuAction()).center(), qtbot)
    qtbot.waitUntil(menu.isVisible)
    click(menu, menu.actionGeometry(action).center(), qtbot)


def test_that_the_left_text_has_a_focus_mark_if_a_key_opened_the_pair(four: MainWindow, qtbot: QtBot) -> None:
    show_pairs(four, qtbot)
    press(four, qtbot, Qt.Key.Key_Return)
    assert has_focus_mark(four)
    show_pairs(four, qtbot)
    press(four, qtbot, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert has_focus_mark(four)
    show_pairs(four, qtbot)
    four.page_switch.compare_button.setFocus(Qt.FocusReason.TabFocusReason)
    press(four, qtbot, Qt.Key.Key_Return)
    assert has_focus_mark(four)


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_the_left_text_has_no_focus_mark_if_the_mouse_opened_the_pair(
    four: MainWindow, qtbot: QtBot
) -> None:
    button = four.page_switch.compare_button
    show_pairs(four, qtbot)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    press(four, qtbot, Qt.Key.Key_Shift)
    click(button, button.rect().center(), qtbot)
    assert not has_focus_mark(four)
    show_pairs(four, qtbot)
    press(four, qtbot, Qt.Key.Key_Down)
    click_menu_entry(four, "page_compare", qtbot)
    assert not has_focus_mark(four)
    show_pairs(four, qtbot)
    table = four.pairs_view.table
    place = table.visualRect(table.model().index(0, 0)).center()
    press(four, qtbot, Qt.Key.Key_Down)
    click(table.viewport(), place, qtbot)
    qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert not has_focus_mark(four)


def test_that_the_left_text_has_no_focus_mark_without_input(compared: MainWindow, qtbot: QtBot) -> None:
    compared.activateWindow()
    qtbot.waitUntil(compared.isActiveWindow)
    compared.pages.setFocus()
    compared.pages.show_compare()
    assert not has_focus_mark(compared)

"""Tool bar: all parts are reachable at any width."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.main_window import MainWindow

SMALL_SCREEN_PX = (1024, 600)


def is_worded(button: QToolButton) -> bool:
    """Return whether a button shows its text beside its icon."""
    return button.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonTextBesideIcon


def test_that_a_click_on_export_opens_the_dialog(compared: MainWindow, qtbot: QtBot) -> None:
    qtbot.mouseClick(compared.tool_bar.export_button, Qt.MouseButton.LeftButton)

    [dialog] = compared.findChildren(ExportDialog)
    assert dialog.isVisible()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_that_menus_and_tools_fit_a_row_of_a_small_screen(window: MainWindow, qtbot: QtBot) -> None:
    # export is disabled before a comparison
    assert not window.tool_bar.export_button.isEnabled()
    assert not window.tool_bar.swap_button.isEnabled()

    # menus and tools share a row and do not overlap
    bar = window.tool_bar
    parts = (window.menus, bar.add_button, bar.export_button, bar.strictness, bar.exclusions, bar.method)
    window.resize(*SMALL_SCREEN_PX)
    left = [part.mapTo(window, part.rect().topLeft()).x() for part in parts]
    right = [part.mapTo(window, part.rect().bottomRight()).x() for part in parts]
    assert all(end < start for end, start in zip(right[:-1], left[1:], strict=True))
    assert right[-1] < window.width()
    assert bar.height() <= 44

    # in both languages
    bar = window.tool_bar
    for language in ("en", "zh"):
        window.use_language(language)
        window.tool_bar.strictness.presets["paper"].trigger()  # the longest text
        window.resize(*SMALL_SCREEN_PX)

        qtbot.waitUntil(lambda: bar.minimumSizeHint().width() <= bar.width() == window.width())


def test_that_button_texts_are_hidden_for_longer_ones_and_return(window: MainWindow, qtbot: QtBot) -> None:
    buttons = (window.tool_bar.swap_button, window.tool_bar.export_button)
    method = window.tool_bar.method
    short, long = method.text(), "How sentences are compared"
    window.resize(1600, 640)
    qtbot.waitUntil(lambda: all(map(is_worded, buttons)))
    while all(map(is_worded, buttons)) and window.width() > window.minimumWidth():
        window.resize(window.width() - 10, 640)
    window.resize(window.width() + 10, 640)
    qtbot.waitUntil(lambda: all(map(is_worded, buttons)))

    method.setText(long)
    qtbot.waitUntil(lambda: not any(map(is_worded, buttons)))
    method.setText(short)
    qtbot.waitUntil(lambda: all(map(is_worded, buttons)))

    method.setText(long)
    qtbot.waitUntil(lambda: not any(map(is_worded, buttons)))
    method.setText(2 * long)
    qtbot.waitUntil(lambda: not is_worded(window.tool_bar.add_button))
    window.resize(2000, 800)
    qtbot.waitUntil(lambda: all(map(is_worded, (*buttons, window.tool_bar.add_button))))


def test_that_a_laptop_that_enlarges_everything_has_one_row_with_the_settings_in_a_menu(
    compared: MainWindow, qtbot: QtBot
) -> None:
    bar = compared.tool_bar
    wide = (bar.strictness, bar.exclusions, bar.method)
    for language in ("en", "zh"):
        compared.use_language(language)
        compared.resize(2000, 800)
        qtbot.waitUntil(lambda: all(button.isVisible() for button in wide))
        assert not bar.settings_button.isVisible()
        compared.resize(bar.minimumSizeHint().width(), 472)
        while bar._row.may_wrap and compared.width() < 2000:  # until a row is enough, with any font
            compared.resize(compared.width() + 10, 472)
        qtbot.waitUntil(bar.settings_button.isVisible)
        assert not any(button.isVisible() for button in wide)
        tops = {part.mapTo(bar, QPoint(0, 0)).y() + part.height() // 2 for part in _parts(compared)}
        assert max(tops) - min(tops) <= 2

        menu = bar.settings_button.menu()
        menu.aboutToShow.emit()
        assert [action.text() for action in menu.actions()] == [button.text() for button in wide]
        assert all(action.menu().actions() for action in menu.actions())
        documents = compared.folded_sidebar.button
        assert documents.text()
        assert documents.toolTip()


def _parts(window: MainWindow) -> list[QToolButton]:
    bar = window.tool_bar
    return [bar.add_button, bar.export_button, bar.settings_button, window.folded_sidebar.button]

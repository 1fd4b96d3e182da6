"""Layout of the Compare view: folding of the heatmap, height of the inspector."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QSplitter
from pytestqt.qtbot import QtBot

from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from tests.gui.conftest import wait_for_comparison

FOLD = (Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)


def text_width(window: MainWindow) -> int:
    return window.compare_view.panes[Side.LEFT].width()


def drag_border(window: MainWindow, qtbot: QtBot, by_px: int) -> None:
    """Drag the border above the inspector with the mouse."""
    handle = window.compare_view.findChild(QSplitter, "whole").handle(1)
    start = handle.rect().center()
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(handle, start + QPoint(0, by_px))
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=start + QPoint(0, by_px))


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


def test_that_focus_goes_to_a_text_if_the_heatmap_is_folded(compared: MainWindow) -> None:
    compared.folding.action.trigger()
    compared.pages.setFocus()
    compared.pages.show_compare()
    assert compared.compare_view.panes[Side.LEFT].isAncestorOf(compared.focusWidget())


def test_that_a_hint_takes_one_line_and_a_match_the_height_of_its_text(
    compared: MainWindow, qtbot: QtBot
) -> None:
    inspector = compared.compare_view.inspector
    line = inspector.fontMetrics().height()
    qtbot.waitUntil(lambda: inspector.height() < 4 * line)
    compared.workspace.selection.select(0)
    qtbot.waitUntil(lambda: inspector.height() >= inspector.needed_height() > 4 * line)


def test_that_a_moved_border_applies_to_matches_and_not_to_the_hint(
    compared: MainWindow, qtbot: QtBot
) -> None:
    inspector = compared.compare_view.inspector
    compared.workspace.selection.select(0)
    qtbot.waitUntil(lambda: inspector.height() >= inspector.needed_height() > 0)
    drag_border(compared, qtbot, -60)
    chosen = inspector.height()
    compared.workspace.selection.select(1)
    assert inspector.height() == chosen
    compared.workspace.documents.remove([2])
    qtbot.waitUntil(lambda: inspector.height() < chosen // 2)
    compared.workspace.history.undo()
    wait_for_comparison(compared, qtbot)
    compared.workspace.selection.select(0)
    assert inspector.height() == chosen

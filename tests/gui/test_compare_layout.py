"""Layout of the Compare view: folding of the heatmap, height of the inspector."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from simcompare.ui.compare.text_pane.text_view import TextView
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from simcompare.ui.style.appearance import current_theme

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


@pytest.mark.parametrize("folds", [False, True])
def test_that_focus_goes_to_the_left_text_beside_an_open_or_folded_heatmap(
    compared: MainWindow, folds: bool
) -> None:
    if folds:
        compared.folding.action.trigger()
    assert compared.compare_view.heatmap.isVisible() is not folds
    compared.pages.setFocus()
    compared.pages.show_compare()
    assert compared.compare_view.panes[Side.LEFT].isAncestorOf(compared.focusWidget())


def test_that_the_left_text_has_a_focus_mark_if_a_key_opened_the_pair(four: MainWindow, qtbot: QtBot) -> None:
    def has_mark() -> bool:
        text = four.focusWidget()
        assert isinstance(text, TextView)
        return text.viewport().grab().toImage().pixelColor(1, 40) == QColor(current_theme().accent)

    four.activateWindow()
    four.pages.show_pairs()
    four.pairs_view.table.setFocus()
    four.pairs_view.table.selectRow(0)
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_Return)
    assert has_mark()
    qtbot.mouseClick(four.page_switch.pairs_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(four.page_switch.compare_button, Qt.MouseButton.LeftButton)
    assert not has_mark()

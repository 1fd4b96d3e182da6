"""Copying from the texts, and their context menu."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QTextCursor,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QTextEdit
from pytestqt.qtbot import QtBot

from simcompare.ui.compare.text_pane.text_pane import TextPane
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from tests.gui.exclusion_samples import NO_POPUPS
from tests.gui.match_list_samples import document
from tests.gui.panes import page

pytestmark = pytest.mark.one_window


@pytest.mark.parametrize(
    ("displayed", "copied"),
    [("石\u00ad桥\u200b记\ufeff\u2060", "石桥记"), ("一\u2028二", "一\n二"), ("一\u00a0二", "一\u00a0二")],
)
def test_that_copied_text_has_no_invisible_characters(qtbot: QtBot, displayed: str, copied: str):
    pane = TextPane()
    qtbot.addWidget(pane)
    pane.show()
    pane.set_document(document("a.txt", [displayed, "二。"]))
    qtbot.keyClick(page(pane), Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(page(pane), Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == f"{copied}\n二。"


menus = pytest.mark.qt_log_ignore(NO_POPUPS)


def menu_at(view: QTextEdit, point: QPoint, reason=QContextMenuEvent.Reason.Mouse) -> dict[str, QAction]:
    """Open the context menu at a point and return its actions by text."""
    wish = QContextMenuEvent(reason, point, view.viewport().mapToGlobal(point))
    QApplication.sendEvent(view.viewport(), wish)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return {action.text(): action for action in menu.actions() if action.text()}


def choose(commands: dict[str, QAction], text: str) -> str:
    """Choose an action of an open menu and return the text on the clipboard."""
    QApplication.clipboard().setText("before")
    menu = QApplication.activePopupWidget()
    menu.setActiveAction(commands[text])
    QTest.keyClick(menu, Qt.Key.Key_Return)
    return QApplication.clipboard().text()


def place_in(window: MainWindow, side: Side, words: str) -> tuple[QTextEdit, QPoint]:
    view = page(window.compare_view.panes[side])
    cursor = QTextCursor(view.document())
    cursor.setPosition(view.toPlainText().index(words))
    here = view.cursorRect(cursor)
    return view, QPoint(here.left() + 5, here.center().y())


@menus
def test_that_the_menu_copies_a_sentence_and_a_matched_pair(compared: MainWindow):
    view, point = place_in(compared, Side.RIGHT, "祖父补网")
    assert choose(menu_at(view, point), "Copy the sentence") == "我十分喜爱看祖父补网。"
    view, point = place_in(compared, Side.RIGHT, "清晨")
    assert choose(menu_at(view, point), "Copy the matched pair") == (
        "left.txt, sentence 2:\n清晨的河面上飘着一层薄薄的雾。\n\n"
        "right.txt, sentence 4:\n清晨的河面上飘着一层薄薄的雾。"
    )


@menus
def test_that_the_menu_offers_no_pair_without_a_match_and_no_sentence_outside_the_text(
    compared: MainWindow,
):
    view, point = place_in(compared, Side.RIGHT, "城里")
    commands = menu_at(view, point)
    assert [text for text, action in commands.items() if action.isEnabled()] == [
        "Copy the sentence",
        "Leave this sentence out everywhere",
        "Select all",
        "Find…",
        "Search the library for this sentence",
    ]
    QApplication.activePopupWidget().close()
    assert not menu_at(view, QPoint(2, 2))["Copy the sentence"].isEnabled()
    QApplication.activePopupWidget().close()


@menus
def test_that_the_menu_key_offers_the_framed_sentence(compared: MainWindow):
    compared.workspace.selection.select(0)
    view = page(compared.compare_view.panes[Side.LEFT])
    commands = menu_at(view, QPoint(0, 0), QContextMenuEvent.Reason.Keyboard)
    assert choose(commands, "Copy the sentence") == "清晨的河面上飘着一层薄薄的雾。"


@menus
def test_that_the_menu_opens_the_search(compared: MainWindow):
    view, point = place_in(compared, Side.LEFT, "清晨")
    commands = menu_at(view, point)
    choose(commands, "Find…")
    assert compared.compare_view.finder.bar.isVisible()

"""A whole evening with the keyboard alone: class, pair, passages, decision, note, export, library, back."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision
from simcompare.ui.compare.matches.decision_bar import NoteEdit
from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import wait_for_comparison
from tests.gui.exclusion_samples import NO_POPUPS
from tests.gui.exporting import WRITING_TIMEOUT_MS
from tests.gui.window_parts import wait_until_still

pytestmark = pytest.mark.qt_log_ignore(NO_POPUPS)

CTRL, SHIFT, ALT = (getattr(Qt.KeyboardModifier, f"{name}Modifier") for name in ("Control", "Shift", "Alt"))
PLAIN = Qt.KeyboardModifier.NoModifier


def press(key: Qt.Key, modifier: Qt.KeyboardModifier = PLAIN) -> None:
    """Press a key where the keyboard is: no step of this test names a widget that takes it."""
    focused = QApplication.focusWidget()
    assert focused is not None, "the focus is lost"
    assert focused.isVisible()
    QTest.keyClick(focused, key, modifier)


def tab_to(is_there: Callable[[QWidget], bool]) -> None:
    for _step in range(80):
        here = QApplication.focusWidget()
        if here is not None and is_there(here):
            return
        press(Qt.Key.Key_Tab)
    raise AssertionError("Tab does not reach it")


def test_that_a_whole_evening_needs_no_mouse(school_class: MainWindow, qtbot: QtBot) -> None:
    window, workspace = school_class, school_class.workspace
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)

    # from the class table to a pair
    press(Qt.Key.Key_1, CTRL)
    tab_to(lambda here: here is window.pairs_view.table)
    press(Qt.Key.Key_Home)
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.pages.shows_compare)
    wait_for_comparison(window, qtbot)
    wait_until_still(window, qtbot)
    pair = tuple(workspace.documents.sides.values())

    # passages, a decision and a note
    press(Qt.Key.Key_N)
    assert workspace.selection.passage is not None
    press(Qt.Key.Key_C)
    assert workspace.review.passages.copied.any()
    press(Qt.Key.Key_M)
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), NoteEdit))
    QTest.keyClicks(QApplication.focusWidget(), "seen")
    press(Qt.Key.Key_Escape)
    press(Qt.Key.Key_C, SHIFT)
    assert workspace.review.pair_review(*pair).overall.decision is Decision.COPIED

    # export, left by Escape
    press(Qt.Key.Key_E, CTRL)
    [dialog] = [each for each in window.findChildren(QDialog) if each.isVisible()]
    assert isinstance(dialog, ExportDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    tab_to(lambda here: here is dialog.export_button)
    qtbot.waitUntil(dialog.export_button.isEnabled, timeout=WRITING_TIMEOUT_MS)
    with qtbot.waitSignal(window.export.ended, timeout=WRITING_TIMEOUT_MS):
        press(Qt.Key.Key_Return)
    window.activateWindow()  # as a window manager does when a dialog closes
    qtbot.waitUntil(window.isActiveWindow)

    # next pair, back to the class, the library, and back
    press(Qt.Key.Key_Right, CTRL)
    wait_for_comparison(window, qtbot)
    assert tuple(workspace.documents.sides.values()) != pair
    press(Qt.Key.Key_Left, ALT)
    assert window.pages.currentWidget() is window.class_page
    press(Qt.Key.Key_3, CTRL)
    qtbot.waitUntil(lambda: window.pages.currentWidget() is not window.class_page)
    wait_until_still(window, qtbot)
    tab_to(lambda here: window.pages.currentWidget().isAncestorOf(here))
    press(Qt.Key.Key_Left, ALT)
    qtbot.waitUntil(lambda: window.pages.currentWidget() is window.class_page)
    assert QApplication.focusWidget() is not None

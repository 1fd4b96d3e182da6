"""List of shortcuts opened with Ctrl+/."""

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision
from simcompare.ui.actions import ShortcutsDialog
from simcompare.ui.main_window import MainWindow


def open_list(window: MainWindow, qtbot: QtBot) -> ShortcutsDialog:
    qtbot.keyClick(window, Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier)
    [dialog] = window.findChildren(ShortcutsDialog)
    return dialog


def test_that_a_key_lists_every_shortcut_of_the_menus_and_esc_closes_it(
    window: MainWindow, qtbot: QtBot
) -> None:
    dialog = open_list(window, qtbot)
    listed = dialog.page.toPlainText()
    actions = [
        action
        for action in window.findChildren(QAction)
        if action.isVisible() and action.text() and not action.shortcut().isEmpty()
    ]
    assert len(actions) > 8
    for action in actions:
        assert action.shortcut().toString(QKeySequence.SequenceFormat.NativeText) in listed
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_that_keys_named_in_tooltips_are_keys_of_listed_commands(four: MainWindow, qtbot: QtBot) -> None:
    tips = [part.toolTip() for part in four.findChildren(QWidget)]
    named = {key for tip in tips for key in re.findall(r"(?:Ctrl|Shift|Alt)\+[\w+]*[\w←→]", tip)}
    listed = open_list(four, qtbot).page.toPlainText()
    keys = {
        key.toString(QKeySequence.SequenceFormat.NativeText)
        for action in four.findChildren(QAction)
        if action.shortcut().toString(QKeySequence.SequenceFormat.NativeText) in listed
        for key in action.shortcuts()
    }
    assert "Ctrl+→" in named
    assert named <= keys


def test_that_undo_has_one_key_and_the_same_name_after_every_step(four: MainWindow, qtbot: QtBot) -> None:
    keys = list(four.workspace.documents.entries)
    four.workspace.review.decide_pair(keys[0], keys[1], Decision.FINE)
    four.pairs_view.menu.show_state(3, None)
    rows = open_list(four, qtbot).page.toPlainText().splitlines()
    assert rows[rows.index("Undo") - 1] == "Ctrl+Z"
    assert rows[rows.index("Redo") - 1] == "Ctrl+Shift+Z"
    assert "mark the pair as no concern" not in rows
    assert not [row for row in rows if "3 pairs" in row]


def test_that_the_list_is_in_the_current_language(window: MainWindow, qtbot: QtBot) -> None:
    window.use_language("zh")
    listed = open_list(window, qtbot).page.toPlainText()
    window.use_language("en")
    assert "文件" in listed
    assert "(&" not in listed


def test_that_the_menus_change_their_language_after_the_list_was_shown(
    window: MainWindow, qtbot: QtBot
) -> None:
    open_list(window, qtbot).close()
    window.use_language("zh")
    titles = [action.text() for action in window.menus.actions()]
    window.use_language("en")
    assert titles[0].startswith("文件")

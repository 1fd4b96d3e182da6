"""Sentences left out by hand: context menu of the texts, menu of exclusions, table of pairs, undo."""

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from simcompare.support.display_text import percent
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.compare.matches.passage_list import PassageTable
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from tests.gui.conftest import Essay, wait_for_comparison
from tests.gui.exclusion_samples import NO_POPUPS, button_of, greyed, listed, open_menu, shares
from tests.gui.pair_table import cells, settle
from tests.gui.test_text_menu import choose, menu_at, place_in
from tests.helpers.passages import METRO, chinese

pytestmark = pytest.mark.qt_log_ignore(NO_POPUPS)

LEAVE_OUT, COUNT = "Leave this sentence out everywhere", "Count this sentence again"
MIST = "清晨的河面上飘着一层薄薄的雾。"


def choose_at(window: MainWindow, side: Side, words: str, entry: str) -> None:
    """Choose an entry in the context menu of the sentence with these words."""
    view, point = place_in(window, side, words)
    choose(menu_at(view, point), entry)


def entries_at(window: MainWindow, side: Side, words: str) -> list[str]:
    view, point = place_in(window, side, words)
    texts = list(menu_at(view, point))
    QApplication.activePopupWidget().close()
    return texts


def submenu_entries(window: MainWindow) -> Sequence[QAction]:
    """Open the menu of exclusions and in it the list of the sentences left out, by keyboard."""
    open_menu(window)
    menu, submenu = button_of(window).menu(), button_of(window).left_out
    menu.setActiveAction(submenu.menuAction())
    QTest.keyClick(menu, Qt.Key.Key_Return)
    assert submenu.isVisible()
    return [action for action in submenu.actions() if not action.isSeparator()]


def click(window: MainWindow, action: QAction, qtbot: QtBot) -> None:
    submenu = button_of(window).left_out
    qtbot.mouseClick(submenu, Qt.MouseButton.LeftButton, pos=submenu.actionGeometry(action).center())


def left_out(window: MainWindow) -> list[str]:
    return [sentence.text for sentence in window.workspace.settings.left_out]


def test_that_leaving_a_sentence_out_and_counting_it_again_are_steps_that_are_undone_and_redone(
    compared: MainWindow, qtbot: QtBot
) -> None:
    # the menu offers nothing outside the text
    view, _point = place_in(compared, Side.LEFT, "清晨")
    texts = list(menu_at(view, QPoint(2, 2)))
    QApplication.activePopupWidget().close()
    assert "Copy the sentence" in texts
    assert {LEAVE_OUT, COUNT}.isdisjoint(texts)

    # a sentence is left out of both texts and counted again
    before = compared.workspace.comparison
    assert MIST in listed(compared)
    choose_at(compared, Side.RIGHT, "清晨", LEAVE_OUT)
    assert MIST in greyed(compared, Side.LEFT)
    assert MIST in greyed(compared, Side.RIGHT)
    assert MIST not in listed(compared)
    assert all("left out by hand: 1 sentence (14 characters)" in share for share in shares(compared))
    after = compared.workspace.comparison.share.left_in_right
    assert after.raw == before.share.left_in_right.raw
    assert after.after_exclusions < before.share.left_in_right.after_exclusions
    assert LEAVE_OUT not in entries_at(compared, Side.LEFT, "清晨")
    choose_at(compared, Side.LEFT, "清晨", COUNT)
    assert compared.workspace.comparison.share == before.share
    assert MIST not in greyed(compared, Side.LEFT)
    assert LEAVE_OUT in entries_at(compared, Side.RIGHT, "清晨")

    # counting a sentence again is named as such in the edit menu
    choose_at(compared, Side.LEFT, "清晨", LEAVE_OUT)
    choose_at(compared, Side.LEFT, "清晨", COUNT)
    assert left_out(compared) == []
    assert compared.undo_actions.entries[0].text() == "Undo: count sentence again"

    # leaving out is one step that is undone and redone
    choose_at(compared, Side.LEFT, "清晨", LEAVE_OUT)
    choose_at(compared, Side.LEFT, "爷爷补网", LEAVE_OUT)
    undo = compared.undo_actions.entries[0]
    assert undo.text() == "Undo: leaving sentences out"
    qtbot.keyClick(compared, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert left_out(compared) == [MIST]
    qtbot.keyClick(compared, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert left_out(compared) == []
    assert MIST in listed(compared)
    qtbot.keyClick(compared, Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert MIST in greyed(compared, Side.RIGHT)


def menu_of_row(window: MainWindow, qtbot: QtBot, words: str, row: int = 0) -> dict[str, QAction]:
    """Right-click the first row from `row` on with these words, and return the entries of the menu."""
    table = window.findChild(PassageTable)
    indices = (table.model().index(number, 0) for number in range(row, table.model().rowCount()))
    place = table.visualRect(next(index for index in indices if words in index.data())).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.RightButton, pos=place)
    return menu_at(table, place)


def test_that_sentence_pairs_of_the_unfolded_list_can_be_left_out(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    edited = f"{METRO[1][:-1]}了。"
    texts = chinese(METRO), chinese([METRO[0], edited, *METRO[2:]])
    window.workspace.documents.add([essay(f"{number}.txt", text) for number, text in enumerate(texts)])
    wait_for_comparison(window, qtbot)
    entries = menu_of_row(window, qtbot, METRO[0])
    assert "Mark as copied" in entries
    assert not [text for text in entries if "Leave" in text], "a passage of several sentences"
    QApplication.activePopupWidget().close()
    qtbot.keyClick(window.findChild(PassageTable), Qt.Key.Key_Right)
    choose(menu_of_row(window, qtbot, METRO[0], row=1), LEAVE_OUT)
    assert left_out(window) == [METRO[0]]
    assert METRO[0] not in listed(window)
    window.workspace.history.undo()
    choose(menu_of_row(window, qtbot, METRO[1], row=1), "Leave the right sentence out everywhere")
    assert left_out(window) == [edited]


def test_that_a_passage_of_one_sentence_pair_can_be_left_out(compared: MainWindow, qtbot: QtBot) -> None:
    choose(menu_of_row(compared, qtbot, MIST), LEAVE_OUT)
    assert left_out(compared) == [MIST]


def test_that_an_excluded_sentence_can_be_left_out_too_and_stays_so(excluding: MainWindow) -> None:
    """A quotation in one text may stand in another one without its marks."""
    quoted = "“桥是会说话的，只是说得很慢。”"
    choose_at(excluding, Side.LEFT, "桥是会说话的", LEAVE_OUT)
    assert "left out by hand: 1 sentence" in shares(excluding)[0]
    assert "quotation" not in shares(excluding)[0]
    next(iter(button_of(excluding).ticks.values())).trigger()
    assert quoted in greyed(excluding, Side.LEFT)


def test_that_the_table_of_all_pairs_follows(four: MainWindow, qtbot: QtBot) -> None:
    before = cells(four, PairColumn.SHARE_A), cells(four, PairColumn.MATCHES)
    four.pages.show_compare()
    choose_at(four, Side.LEFT, "清晨", LEAVE_OUT)
    settle(four, qtbot)
    after = cells(four, PairColumn.SHARE_A), cells(four, PairColumn.MATCHES)
    assert [int(matches) for matches in after[1]] == [int(before[1][0]) - 1, *map(int, before[1][1:])]
    assert after[0][0] != before[0][0]
    comparison = four.workspace.comparison
    assert after[0][0] == percent(comparison.share.left_in_right.after_exclusions)
    four.workspace.history.undo()
    settle(four, qtbot)
    assert (cells(four, PairColumn.SHARE_A), cells(four, PairColumn.MATCHES)) == before


def test_that_the_menu_of_exclusions_lists_the_latest_first_and_puts_each_back(
    compared: MainWindow, qtbot: QtBot
) -> None:
    button = button_of(compared)
    assert not button.left_out.menuAction().isVisible()
    choose_at(compared, Side.LEFT, "清晨", LEAVE_OUT)
    choose_at(compared, Side.LEFT, "爷爷补网", LEAVE_OUT)
    assert button.text() == "Excluded: 5 kinds"
    assert button.left_out.title() == "2 sentences left out by hand"
    entries = submenu_entries(compared)
    assert [entry.text() for entry in entries] == ["我非常喜欢看爷爷补网。", MIST, "Count all again"]
    click(compared, entries[1], qtbot)
    assert button.left_out.isVisible(), "the menu stays open, so that the effect is seen"
    assert MIST not in greyed(compared, Side.LEFT)
    assert not entries[1].isChecked()
    click(compared, entries[1], qtbot)
    assert MIST in greyed(compared, Side.LEFT)
    click(compared, entries[2], qtbot)
    assert left_out(compared) == []
    assert button.text() == "Excluded: 4 kinds"
    assert not button.left_out.menuAction().isVisible()
    compared.workspace.history.undo()
    assert len(left_out(compared)) == 2


def test_that_the_menu_lists_ten_sentences_shortened(window: MainWindow, essay: Essay, qtbot: QtBot) -> None:
    long = "渔船慢慢地从芦苇旁边划过去，" * 12
    lines = [*(f"这一句的编号是{number}号。" for number in range(11)), f"{long}谁也没有说话。"]
    window.workspace.documents.add([essay("a.txt", "\n".join(lines)), essay("b.txt", lines[0])])
    wait_for_comparison(window, qtbot)
    for line in lines:
        view, point = place_in(window, Side.LEFT, line[:12])
        view.verticalScrollBar().setValue(view.verticalScrollBar().value() + point.y() - 100)
        choose_at(window, Side.LEFT, line[:12], LEAVE_OUT)
    texts = [entry.text() for entry in submenu_entries(window)]
    assert len(texts) == 12
    assert texts[0].startswith("渔船慢慢地")
    assert texts[0].endswith("…")
    assert texts[1] == "这一句的编号是10号。"
    assert texts[-2:] == ["and 2 more", "Count all again"]

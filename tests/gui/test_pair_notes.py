"""Notes and decisions on pairs: editing and display."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision, NotedDecision
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.compare.matches.decision_bar import NoteEdit
from simcompare.ui.compare.matches.passage_list import PassageList
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, READING_TIMEOUT_MS, RIGHT_TEXT, wait_for_comparison
from tests.gui.pair_table import pair_at
from tests.gui.session_steps import save_to

LEFT_BUTTON = Qt.MouseButton.LeftButton


@pytest.fixture
def three(window: MainWindow, essay, qtbot: QtBot) -> MainWindow:
    """Window that shows the table of three essays."""
    texts = {"a.txt": LEFT_TEXT, "b.txt": RIGHT_TEXT, "c.txt": OTHER_TEXT}
    window.workspace.documents.add([essay(name, text) for name, text in texts.items()])
    wait_for_comparison(window, qtbot)
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    window.pages.show_pairs()
    return window


def click_first_row(window: MainWindow, qtbot: QtBot) -> tuple[int, int]:
    table = window.pairs_view.table
    place = table.visualRect(table.model().index(0, PairColumn.B)).center()
    qtbot.mouseClick(table.viewport(), LEFT_BUTTON, pos=place)
    return pair_at(window, 0)


def overall(window: MainWindow, pair: tuple[int, int]) -> NotedDecision:
    return window.workspace.review.pair_review(*pair).overall


def test_that_m_opens_the_note_of_the_current_row(three: MainWindow, qtbot: QtBot) -> None:
    pair = click_first_row(three, qtbot)
    qtbot.keyClick(three.pairs_view.table, Qt.Key.Key_M)
    field = three.pairs_view.note.field
    qtbot.waitUntil(field.isVisible)
    assert three.rect().contains(field.parentWidget().geometry())
    qtbot.keyClicks(field, "ask both")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert not field.isVisible()
    assert overall(three, pair) == NotedDecision(None, "ask both")
    assert three.pairs_view.table.hasFocus()


def test_that_the_menu_of_the_table_opens_the_note(three: MainWindow, qtbot: QtBot) -> None:
    pair = click_first_row(three, qtbot)
    action = next(a for a in three.pairs_view.menu.actions() if a.text() == "Note on the pair…")
    action.trigger()
    field = three.pairs_view.note.field
    qtbot.waitUntil(field.isVisible)
    qtbot.keyClicks(field, "copied")
    assert overall(three, pair).note == "copied"


def test_that_the_table_marks_a_pair_with_a_note_on_a_passage(three: MainWindow) -> None:
    left, right = pair_at(three, 0)
    three.workspace.documents.choose_pair(left, right)
    review = three.workspace.review
    review.note_passage(0, "see page 2")
    column = three.pairs_view.table._columns[PairColumn.DECISION]
    assert column.look(three.pairs_view.listed()[0]).marks
    assert "see page 2" in three.pairs_view.table.model().index(0, PairColumn.DECISION).data(
        Qt.ItemDataRole.ToolTipRole
    )


def test_that_the_header_shows_a_note_beside_a_decision(compared: MainWindow, qtbot: QtBot) -> None:
    decision_bar, review = compared.compare_view.header.decision_bar, compared.workspace.review
    button = decision_bar.note_button
    assert not button.isChecked()
    review.decide_pair(*review.pair, Decision.COPIED)
    review.note_pair(*review.pair, "talk to both")
    assert button.isChecked()
    assert "talk to both" in button.toolTip()
    qtbot.mouseClick(button, LEFT_BUTTON)
    qtbot.waitUntil(decision_bar.note.isVisible)
    assert decision_bar.note.toPlainText() == "talk to both"
    assert button.isChecked(), "the click opens the note and changes nothing"


def test_that_a_closed_note_gives_the_focus_back_to_the_text(compared: MainWindow, qtbot: QtBot) -> None:
    view = compared.compare_view
    compared.pages.show_compare()
    view.panes[Side.LEFT].setFocus()
    text = QApplication.focusWidget()
    qtbot.keyClick(text, Qt.Key.Key_M, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: isinstance(QApplication.focusWidget(), NoteEdit))
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    assert QApplication.focusWidget() is text, "where Enter leads on to the next pair"


def test_that_a_reopened_session_shows_decisions_immediately(
    compared: MainWindow, session_path: Path, qtbot: QtBot
) -> None:
    workspace = compared.workspace
    workspace.review.decide_pair(*workspace.review.pair, Decision.COPIED)
    save_to(compared, session_path, qtbot)
    seen: list[tuple[bool, list[str]]] = []
    copied = compared.compare_view.header.decision_bar.switches[Decision.COPIED]
    matches = compared.findChild(PassageList)

    def observe() -> None:
        if workspace.comparison is None:
            seen.append((copied.isChecked(), [label.text() for label in matches.findChildren(QLabel)]))

    compared.sessions.keeper.opened.connect(observe)
    with qtbot.waitSignal(compared.sessions.keeper.opened, timeout=READING_TIMEOUT_MS):
        compared.sessions.open(session_path)
    (was_checked, labels), *_others = seen
    assert was_checked
    assert "0" not in labels
    assert "Not compared yet" in labels
    wait_for_comparison(compared, qtbot)
    assert copied.isChecked()

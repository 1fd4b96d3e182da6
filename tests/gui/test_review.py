"""Decisions and notes made with mouse and keys, and undone."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision, NotedDecision
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.review.match_decisions import DecisionFilter
from tests.gui.review_steps import (
    COPIED,
    CTRL,
    FINE,
    SHIFT,
    button,
    note_field,
    noted_decision,
    press,
    redo,
    undo,
)

# --- deciding


def test_that_buttons_decide_on_the_selected_match_and_the_selection_stays(
    reviewing: MainWindow, qtbot: QtBot
):
    cell = reviewing.workspace.selection.cell
    qtbot.mouseClick(button(reviewing, "Copied"), Qt.MouseButton.LeftButton)
    assert noted_decision(reviewing, 0) == COPIED
    qtbot.mouseClick(button(reviewing, "No concern"), Qt.MouseButton.LeftButton)
    assert noted_decision(reviewing, 0) == FINE
    qtbot.mouseClick(button(reviewing, "No concern"), Qt.MouseButton.LeftButton)
    assert noted_decision(reviewing, 0) == NotedDecision()
    assert reviewing.workspace.selection.cell == cell


def test_that_keys_decide_and_a_second_press_withdraws(reviewing: MainWindow, qtbot: QtBot):
    press(reviewing, qtbot, Qt.Key.Key_C)
    assert noted_decision(reviewing, 0) == COPIED
    assert button(reviewing, "Copied").isChecked()
    press(reviewing, qtbot, Qt.Key.Key_F)
    assert noted_decision(reviewing, 0) == FINE
    press(reviewing, qtbot, Qt.Key.Key_F)
    assert noted_decision(reviewing, 0) == NotedDecision()
    assert reviewing.workspace.review.pairs() == {}


def test_that_sentences_that_do_not_match_cannot_be_decided(reviewing: MainWindow, qtbot: QtBot):
    reviewing.workspace.selection.select_cell(0, 0)
    assert reviewing.workspace.selection.selected is None
    press(reviewing, qtbot, Qt.Key.Key_C)
    reviewing.workspace.review.decide((0, 0), Decision.COPIED)
    assert reviewing.workspace.review.pairs() == {}
    assert not reviewing.workspace.history.canUndo()


def test_that_u_selects_the_next_undecided_match_and_wraps_around(reviewing: MainWindow, qtbot: QtBot):
    selection = reviewing.workspace.selection
    press(reviewing, qtbot, Qt.Key.Key_C)
    press(reviewing, qtbot, Qt.Key.Key_U)
    assert selection.selected == 1
    selection.select(2)
    press(reviewing, qtbot, Qt.Key.Key_F)
    press(reviewing, qtbot, Qt.Key.Key_U)
    assert selection.selected == 1
    press(reviewing, qtbot, Qt.Key.Key_F)
    qtbot.waitUntil(lambda: not reviewing.commands.actions["undecided"].isEnabled())
    selection.select_undecided()
    assert selection.selected == 1


def test_that_n_and_p_step_through_the_listed_matches(reviewing: MainWindow, qtbot: QtBot):
    selection = reviewing.workspace.selection
    selection.select(1)
    press(reviewing, qtbot, Qt.Key.Key_C)
    selection.show(DecisionFilter.UNDECIDED)
    assert selection.listed.tolist() == [0, 2]
    selection.select(0)
    press(reviewing, qtbot, Qt.Key.Key_N)
    assert selection.selected == 2
    press(reviewing, qtbot, Qt.Key.Key_P)
    assert selection.selected == 0


# --- notes


def test_that_m_opens_the_note_where_letters_are_typed_instead_of_shortcuts(
    reviewing: MainWindow, qtbot: QtBot
):
    heatmap = reviewing.focusWidget()
    press(reviewing, qtbot, Qt.Key.Key_M)
    field = note_field(reviewing)
    assert field.hasFocus()
    for key in (Qt.Key.Key_F, Qt.Key.Key_C, Qt.Key.Key_U, Qt.Key.Key_N, Qt.Key.Key_M):
        press(reviewing, qtbot, key)
    assert field.toPlainText() == "fcunm"
    assert noted_decision(reviewing, 0) == NotedDecision(None, "fcunm")
    press(reviewing, qtbot, Qt.Key.Key_Escape)
    assert not field.isVisible()
    assert reviewing.focusWidget() is heatmap


def test_that_a_note_typed_without_interruption_is_one_undo_step(reviewing: MainWindow, qtbot: QtBot):
    press(reviewing, qtbot, Qt.Key.Key_C)
    press(reviewing, qtbot, Qt.Key.Key_M)
    qtbot.keyClicks(note_field(reviewing), "see me")
    press(reviewing, qtbot, Qt.Key.Key_Escape)
    press(reviewing, qtbot, Qt.Key.Key_M)
    qtbot.keyClicks(note_field(reviewing), "!")
    press(reviewing, qtbot, Qt.Key.Key_Escape)
    notes = [noted_decision(reviewing, 0)]
    for _step in range(3):
        press(reviewing, qtbot, Qt.Key.Key_Z, CTRL)
        notes.append(noted_decision(reviewing, 0))
    assert [held.decision for held in notes] == [Decision.COPIED] * 3 + [None]
    assert notes[1].note == "see me"
    assert notes[2].note == ""


def test_that_a_note_typed_and_deleted_leaves_no_undo_step(reviewing: MainWindow, qtbot: QtBot):
    press(reviewing, qtbot, Qt.Key.Key_M)
    qtbot.keyClicks(note_field(reviewing), "a")
    press(reviewing, qtbot, Qt.Key.Key_Backspace)
    assert not reviewing.workspace.history.canUndo()


def test_that_a_field_undoes_its_own_typing_first(reviewing: MainWindow, qtbot: QtBot):
    press(reviewing, qtbot, Qt.Key.Key_C)
    press(reviewing, qtbot, Qt.Key.Key_M)
    qtbot.keyClicks(note_field(reviewing), "word")
    press(reviewing, qtbot, Qt.Key.Key_Z, CTRL)
    press(reviewing, qtbot, Qt.Key.Key_Z, CTRL)
    assert note_field(reviewing).toPlainText() == ""
    assert noted_decision(reviewing, 0) == COPIED


def test_that_the_note_field_closes_when_another_match_is_chosen(reviewing: MainWindow, qtbot: QtBot):
    press(reviewing, qtbot, Qt.Key.Key_M)
    qtbot.keyClicks(note_field(reviewing), "first")
    reviewing.workspace.selection.select(1)
    assert not note_field(reviewing).isVisible()
    press(reviewing, qtbot, Qt.Key.Key_M)
    assert note_field(reviewing).toPlainText() == ""
    assert noted_decision(reviewing, 0).note == "first"


# --- undo


def test_that_the_edit_menu_names_the_steps(reviewing: MainWindow, qtbot: QtBot):
    assert not undo(reviewing).isEnabled()
    assert not redo(reviewing).isEnabled()
    press(reviewing, qtbot, Qt.Key.Key_C)
    assert undo(reviewing).text() == "Undo: mark as copied"
    press(reviewing, qtbot, Qt.Key.Key_Z, CTRL)
    assert noted_decision(reviewing, 0) == NotedDecision()
    assert (undo(reviewing).isEnabled(), redo(reviewing).text()) == (False, "Redo: mark as copied")
    press(reviewing, qtbot, Qt.Key.Key_Z, CTRL | SHIFT)
    assert noted_decision(reviewing, 0) == COPIED


def test_that_undo_selects_the_changed_match(reviewing: MainWindow, qtbot: QtBot):
    press(reviewing, qtbot, Qt.Key.Key_C)
    reviewing.workspace.selection.select(2)
    press(reviewing, qtbot, Qt.Key.Key_Z, CTRL)
    assert reviewing.workspace.selection.selected == 0
    reviewing.workspace.selection.select(2)
    press(reviewing, qtbot, Qt.Key.Key_Z, CTRL | SHIFT)
    assert reviewing.workspace.selection.selected == 0

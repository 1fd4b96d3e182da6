"""Decisions and notes: given by mouse and keys, undone, and kept."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision, NotedDecision
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.match_decisions import DecisionFilter
from tests.gui.review_steps import COPIED, CTRL, FINE, SHIFT, button, judgement, note_field, press, redo, undo

# --- deciding


def test_that_buttons_judge_the_selected_match_and_the_selection_stays(judging: MainWindow, qtbot: QtBot):
    cell = judging.workspace.selection.cell
    qtbot.mouseClick(button(judging, "Copied"), Qt.MouseButton.LeftButton)
    assert judgement(judging, 0) == COPIED
    qtbot.mouseClick(button(judging, "Fine"), Qt.MouseButton.LeftButton)
    assert judgement(judging, 0) == FINE
    qtbot.mouseClick(button(judging, "Fine"), Qt.MouseButton.LeftButton)
    assert judgement(judging, 0) == NotedDecision()
    assert judging.workspace.selection.cell == cell


def test_that_keys_judge_and_a_second_press_takes_it_back(judging: MainWindow, qtbot: QtBot):
    press(judging, qtbot, Qt.Key.Key_C)
    assert judgement(judging, 0) == COPIED
    assert button(judging, "Copied").isChecked()
    press(judging, qtbot, Qt.Key.Key_F)
    assert judgement(judging, 0) == FINE
    press(judging, qtbot, Qt.Key.Key_F)
    assert judgement(judging, 0) == NotedDecision()
    assert judging.workspace.review.pairs() == {}


def test_that_two_sentences_that_are_no_match_cannot_be_judged(judging: MainWindow, qtbot: QtBot):
    judging.workspace.selection.select_cell(0, 0)
    assert judging.workspace.selection.selected is None
    press(judging, qtbot, Qt.Key.Key_C)
    judging.workspace.review.decide((0, 0), Decision.COPIED)
    assert judging.workspace.review.pairs() == {}
    assert not judging.workspace.history.canUndo()


def test_that_u_goes_to_the_next_undecided_match_and_round(judging: MainWindow, qtbot: QtBot):
    selection = judging.workspace.selection
    press(judging, qtbot, Qt.Key.Key_C)
    press(judging, qtbot, Qt.Key.Key_U)
    assert selection.selected == 1
    selection.select(2)
    press(judging, qtbot, Qt.Key.Key_F)
    press(judging, qtbot, Qt.Key.Key_U)
    assert selection.selected == 1
    press(judging, qtbot, Qt.Key.Key_F)
    qtbot.waitUntil(lambda: not judging.commands.actions["undecided"].isEnabled())
    selection.select_undecided()
    assert selection.selected == 1


def test_that_n_and_p_step_through_the_matches_listed(judging: MainWindow, qtbot: QtBot):
    selection = judging.workspace.selection
    selection.select(1)
    press(judging, qtbot, Qt.Key.Key_C)
    selection.show(DecisionFilter.UNDECIDED)
    assert selection.listed.tolist() == [0, 2]
    selection.select(0)
    press(judging, qtbot, Qt.Key.Key_N)
    assert selection.selected == 2
    press(judging, qtbot, Qt.Key.Key_P)
    assert selection.selected == 0


# --- notes


def test_that_m_opens_the_note_and_its_letters_are_typed_not_obeyed(judging: MainWindow, qtbot: QtBot):
    heatmap = judging.focusWidget()
    press(judging, qtbot, Qt.Key.Key_M)
    field = note_field(judging)
    assert field.hasFocus()
    for key in (Qt.Key.Key_F, Qt.Key.Key_C, Qt.Key.Key_U, Qt.Key.Key_N, Qt.Key.Key_M):
        press(judging, qtbot, key)
    assert field.toPlainText() == "fcunm"
    assert judgement(judging, 0) == NotedDecision(None, "fcunm")
    press(judging, qtbot, Qt.Key.Key_Escape)
    assert not field.isVisible()
    assert judging.focusWidget() is heatmap


def test_that_a_note_typed_in_one_go_is_one_step_back(judging: MainWindow, qtbot: QtBot):
    press(judging, qtbot, Qt.Key.Key_C)
    press(judging, qtbot, Qt.Key.Key_M)
    qtbot.keyClicks(note_field(judging), "see me")
    press(judging, qtbot, Qt.Key.Key_Escape)
    press(judging, qtbot, Qt.Key.Key_M)
    qtbot.keyClicks(note_field(judging), "!")
    press(judging, qtbot, Qt.Key.Key_Escape)
    notes = [judgement(judging, 0)]
    for _step in range(3):
        press(judging, qtbot, Qt.Key.Key_Z, CTRL)
        notes.append(judgement(judging, 0))
    assert [held.decision for held in notes] == [Decision.COPIED] * 3 + [None]
    assert notes[1].note == "see me"
    assert notes[2].note == ""


def test_that_a_note_typed_and_deleted_leaves_no_step(judging: MainWindow, qtbot: QtBot):
    press(judging, qtbot, Qt.Key.Key_M)
    qtbot.keyClicks(note_field(judging), "a")
    press(judging, qtbot, Qt.Key.Key_Backspace)
    assert not judging.workspace.history.canUndo()


def test_that_a_field_undoes_its_own_typing_first(judging: MainWindow, qtbot: QtBot):
    press(judging, qtbot, Qt.Key.Key_C)
    press(judging, qtbot, Qt.Key.Key_M)
    qtbot.keyClicks(note_field(judging), "word")
    press(judging, qtbot, Qt.Key.Key_Z, CTRL)
    press(judging, qtbot, Qt.Key.Key_Z, CTRL)
    assert note_field(judging).toPlainText() == ""
    assert judgement(judging, 0) == COPIED


def test_that_the_note_field_closes_when_another_match_is_chosen(judging: MainWindow, qtbot: QtBot):
    press(judging, qtbot, Qt.Key.Key_M)
    qtbot.keyClicks(note_field(judging), "first")
    judging.workspace.selection.select(1)
    assert not note_field(judging).isVisible()
    press(judging, qtbot, Qt.Key.Key_M)
    assert note_field(judging).toPlainText() == ""
    assert judgement(judging, 0).note == "first"


# --- undo


def test_that_the_edit_menu_says_what_it_would_undo(judging: MainWindow, qtbot: QtBot):
    assert not undo(judging).isEnabled()
    assert not redo(judging).isEnabled()
    press(judging, qtbot, Qt.Key.Key_C)
    assert undo(judging).text() == "Undo: judge as copied"
    press(judging, qtbot, Qt.Key.Key_Z, CTRL)
    assert judgement(judging, 0) == NotedDecision()
    assert (undo(judging).isEnabled(), redo(judging).text()) == (False, "Redo: judge as copied")
    press(judging, qtbot, Qt.Key.Key_Z, CTRL | SHIFT)
    assert judgement(judging, 0) == COPIED


def test_that_what_is_undone_is_shown(judging: MainWindow, qtbot: QtBot):
    press(judging, qtbot, Qt.Key.Key_C)
    judging.workspace.selection.select(2)
    press(judging, qtbot, Qt.Key.Key_Z, CTRL)
    assert judging.workspace.selection.selected == 0
    judging.workspace.selection.select(2)
    press(judging, qtbot, Qt.Key.Key_Z, CTRL | SHIFT)
    assert judging.workspace.selection.selected == 0

"""Decisions and notes made with mouse and keys, and undone."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision, NotedDecision
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.review.found_decisions import DecisionFilter
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, Essay, add_unless_there, wait_for_comparison
from tests.gui.passage_samples import COPY, LONE, REWORDED
from tests.gui.review_steps import (
    COPIED,
    CTRL,
    FINE,
    SHIFT,
    button,
    note_field,
    note_title,
    noted_decision,
    overall,
    press,
    redo,
    undo,
)
from tests.gui.window_parts import match_view

pytestmark = pytest.mark.one_window

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


def test_that_keys_decide_on_the_passage_and_go_on_to_the_next_undecided_one(
    judging: MainWindow, qtbot: QtBot
):
    selection, review = judging.workspace.selection, judging.workspace.review
    press(judging, qtbot, Qt.Key.Key_C)
    assert review.passage_decision(COPY) == COPIED
    assert review.matches.copied[:4].all()
    assert selection.passage == REWORDED
    press(judging, qtbot, Qt.Key.Key_F)
    assert review.passage_decision(REWORDED) == FINE
    assert selection.passage == LONE
    press(judging, qtbot, Qt.Key.Key_F)
    assert review.passage_decision(LONE) == FINE
    assert selection.passage == LONE, "nothing is undecided"


@pytest.mark.parametrize(
    ("key", "decision", "words"),
    [
        (Qt.Key.Key_1, Decision.TASK_TEXT, "Task text"),
        (Qt.Key.Key_2, Decision.CITED, "Cited"),
        (Qt.Key.Key_3, Decision.COMMON_SOURCE, "Common source"),
        (Qt.Key.Key_4, Decision.JOINT_WORK, "Joint work permitted"),
    ],
)
def test_that_a_digit_decides_with_a_reason_that_the_switch_then_shows(
    judging: MainWindow, qtbot: QtBot, key: Qt.Key, decision: Decision, words: str
):
    shown = button(judging, "No concern")
    press(judging, qtbot, key)
    assert judging.workspace.review.passage_decision(COPY).decision is decision
    assert judging.workspace.review.matches.fine[:4].all()
    judging.workspace.selection.select_passage(COPY)
    assert (shown.text(), shown.isChecked()) == (words, True)
    press(judging, qtbot, key)
    assert judging.workspace.review.passage_decision(COPY) == NotedDecision()
    assert (shown.text(), shown.isChecked()) == ("No concern", False)
    press(judging, qtbot, Qt.Key.Key_5)
    assert judging.workspace.review.passage_decision(COPY) == COPIED


def test_that_the_menu_of_the_switch_changes_the_reason_and_takes_it_back(judging: MainWindow, qtbot: QtBot):
    review, bar = judging.workspace.review, judging.compare_view.inspector.line.decisions
    bar.reasons[Decision.CITED].trigger()
    assert review.passage_decision(COPY).decision is Decision.CITED
    bar.reasons[Decision.COMMON_SOURCE].trigger()
    assert review.passage_decision(COPY).decision is Decision.COMMON_SOURCE
    assert [entry.isChecked() for entry in bar.reasons.values()] == [False, False, True, False]
    bar.reasons[Decision.COMMON_SOURCE].trigger()
    assert review.passage_decision(COPY).decision is Decision.FINE


def test_that_pressing_the_key_again_withdraws_and_stays(judging: MainWindow, qtbot: QtBot):
    selection, review = judging.workspace.selection, judging.workspace.review
    press(judging, qtbot, Qt.Key.Key_C)
    selection.select_passage(COPY)
    assert button(judging, "Copied").isChecked()
    press(judging, qtbot, Qt.Key.Key_C)
    assert review.passage_decision(COPY) == NotedDecision()
    assert selection.passage == COPY
    assert review.pairs() == {}


def test_that_keys_decide_on_sentence_pairs_of_a_passage_one_after_the_other(
    judging: MainWindow, qtbot: QtBot
):
    selection, review = judging.workspace.selection, judging.workspace.review
    selection.select(2)
    visited = []
    for key in (Qt.Key.Key_F, Qt.Key.Key_F, Qt.Key.Key_C, Qt.Key.Key_F):
        press(judging, qtbot, key)
        visited.append((selection.passage, selection.selected))
    assert visited == [(COPY, 3), (COPY, 0), (COPY, 1), (REWORDED, None)]
    assert review.matches.fine.tolist()[:4] == [False, True, True, True]
    assert review.matches.copied.tolist()[:4] == [True, False, False, False]
    assert review.passage_decision(COPY) == NotedDecision()
    selection.select(0)
    press(judging, qtbot, Qt.Key.Key_C)
    assert noted_decision(judging, 0) == NotedDecision()
    assert selection.selected == 0


def type_with_shift(window: MainWindow, key: Qt.Key) -> None:
    """Press and release Shift around a key, as events of the window system, which Qt keeps as its state."""
    handle = window.windowHandle()
    QTest.keyPress(handle, Qt.Key.Key_Shift, SHIFT)
    QTest.keyClick(handle, key, SHIFT)
    QTest.keyRelease(handle, Qt.Key.Key_Shift)


def test_that_keys_decide_only_on_the_sentence_pair_that_was_stepped_to(judging: MainWindow, qtbot: QtBot):
    selection, review = judging.workspace.selection, judging.workspace.review
    qtbot.keyClick(judging, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert (selection.passage, selection.selected) == (COPY, 0)
    assert judging.sidebar.passages.several_selected == []
    press(judging, qtbot, Qt.Key.Key_C)
    assert selection.selected == 1, "the next undecided sentence pair"
    assert undo(judging).text() == "Undo: mark the sentence pair as copied"
    press(judging, qtbot, Qt.Key.Key_F)
    assert selection.selected == 2
    assert [noted_decision(judging, match) for match in range(3)] == [COPIED, FINE, NotedDecision()]
    assert review.passage_decision(COPY) == NotedDecision()


def select_rows(window: MainWindow, qtbot: QtBot, first: int, *others: int) -> None:
    """Click a row of the list, and others with Ctrl."""
    view = match_view(window)
    for row in (first, *others):
        place = view.visualRect(view.model().index(row, 0)).center()
        held = Qt.KeyboardModifier.NoModifier if row == first else CTRL
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, held, place)
    qtbot.waitUntil(judging_is_enabled(window))


def judging_is_enabled(window: MainWindow):
    return window.commands.actions["fine"].isEnabled


def test_that_several_rows_of_the_list_are_decided_in_one_step(judging: MainWindow, qtbot: QtBot):
    review, history = judging.workspace.review, judging.workspace.history
    select_rows(judging, qtbot, COPY, REWORDED)
    press(judging, qtbot, Qt.Key.Key_F)
    assert [review.passage_decision(each) for each in (COPY, REWORDED, LONE)] == [FINE, FINE, NotedDecision()]
    assert len(judging.sidebar.passages.several_selected) == 2, "the rows stay selected"
    assert undo(judging).text() == "Undo: mark 2 passages as no concern"
    history.undo()
    assert review.pairs() == {}


def test_that_several_rows_with_the_same_decision_lose_it(judging: MainWindow, qtbot: QtBot):
    review = judging.workspace.review
    select_rows(judging, qtbot, REWORDED, LONE)
    press(judging, qtbot, Qt.Key.Key_C)
    press(judging, qtbot, Qt.Key.Key_C)
    assert review.pairs() == {}
    review.decide_passages([LONE], Decision.FINE)
    press(judging, qtbot, Qt.Key.Key_C)
    assert [review.passage_decision(each) for each in (REWORDED, LONE)] == [COPIED, COPIED]


def test_that_sentence_pairs_are_decided_with_several_rows(judging: MainWindow, qtbot: QtBot):
    review = judging.workspace.review
    match_view(judging).set_unfolded(COPY, True)
    lone_row = match_view(judging).model().rowCount() - 1
    select_rows(judging, qtbot, 2, lone_row)
    press(judging, qtbot, Qt.Key.Key_F)
    assert review.matches.fine.tolist() == [False, True, False, False, True]
    judging.workspace.history.undo()
    assert not review.matches.fine.any()


def test_that_the_context_menu_of_the_list_decides(judging: MainWindow, qtbot: QtBot):
    texts = [action.text() for action in match_view(judging).actions()]
    reasons = [
        f"No concern: {why}" for why in ("task text", "cited", "common source", "joint work permitted")
    ]
    assert texts == ["Mark as no concern", *reasons, "Mark as copied", "Note…"]
    select_rows(judging, qtbot, COPY, LONE)
    match_view(judging).actions()[5].trigger()
    assert judging.workspace.review.passage_decision(LONE) == COPIED
    assert judging.workspace.review.passage_decision(COPY) == COPIED


def test_that_sentences_that_do_not_match_cannot_be_decided(reviewing: MainWindow, qtbot: QtBot):
    reviewing.workspace.selection.select_cell(0, 0)
    assert reviewing.workspace.selection.selected is None
    press(reviewing, qtbot, Qt.Key.Key_C)
    reviewing.workspace.review.decide((0, 0), Decision.COPIED)
    assert reviewing.workspace.review.pairs() == {}
    assert not reviewing.workspace.history.canUndo()


def test_that_a_key_of_a_decision_without_a_chosen_passage_says_so(reviewing: MainWindow, qtbot: QtBot):
    reviewing.workspace.selection.select_cell(0, 0)  # which does not match
    for key in (Qt.Key.Key_1, Qt.Key.Key_F, Qt.Key.Key_C):
        reviewing.status_line.show_message("")
        qtbot.waitUntil(judging_is_enabled(reviewing))
        press(reviewing, qtbot, key)
        assert reviewing.status_line.message.text() == "Choose a passage first."
    assert reviewing.workspace.review.pairs() == {}


def test_that_n_p_and_u_step_through_the_listed_and_undecided_passages(judging: MainWindow, qtbot: QtBot):
    # u selects the next undecided passage and wraps around
    selection = judging.workspace.selection
    judging.workspace.review.decide_passages([REWORDED], Decision.FINE)
    press(judging, qtbot, Qt.Key.Key_U)
    assert selection.passage == LONE
    press(judging, qtbot, Qt.Key.Key_U)
    assert selection.passage == COPY

    # n and p step through the listed passages
    selection = judging.workspace.selection
    judging.workspace.review.decide_passages([REWORDED], Decision.FINE)
    selection.show(DecisionFilter.UNDECIDED)
    press(judging, qtbot, Qt.Key.Key_N)
    assert selection.passage == LONE
    press(judging, qtbot, Qt.Key.Key_P)
    assert selection.passage == COPY
    selection.show(DecisionFilter.ALL)

    # u says so if every passage is judged
    judging.workspace.review.decide_passages([COPY, REWORDED, LONE], Decision.FINE)
    press(judging, qtbot, Qt.Key.Key_U)
    assert judging.status_line.message.text() == "Every passage is decided."
    assert judging.workspace.selection.passage == COPY


def test_that_u_says_so_if_there_is_no_passage(window: MainWindow, essay: Essay, qtbot: QtBot):
    add_unless_there(window, [essay("a.txt", LEFT_TEXT), essay("b.txt", OTHER_TEXT)])
    wait_for_comparison(window, qtbot)
    window.activateWindow()
    press(window, qtbot, Qt.Key.Key_U)
    assert window.status_line.message.text() == "No passages."


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
    reviewing.workspace.selection.select(0)
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
    press(reviewing, qtbot, Qt.Key.Key_Escape)
    reviewing.workspace.selection.select(1)
    press(reviewing, qtbot, Qt.Key.Key_M)
    press(reviewing, qtbot, Qt.Key.Key_Z, CTRL)
    assert note_field(reviewing).toPlainText() == "", "typed in another note"


def test_that_a_field_undoes_its_own_typing_first(reviewing: MainWindow, qtbot: QtBot):
    press(reviewing, qtbot, Qt.Key.Key_C)
    reviewing.workspace.selection.select(0)
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


def test_that_the_note_is_on_the_passage_or_on_the_selected_sentence_pair(judging: MainWindow, qtbot: QtBot):
    review = judging.workspace.review
    press(judging, qtbot, Qt.Key.Key_M)
    qtbot.keyClicks(note_field(judging), "textbook")
    press(judging, qtbot, Qt.Key.Key_Escape)
    assert review.passage_decision(COPY).note == "textbook"
    assert button(judging, "Note…").isChecked()
    judging.workspace.selection.select(1)
    assert not button(judging, "Note…").isChecked()
    press(judging, qtbot, Qt.Key.Key_M)
    qtbot.keyClicks(note_field(judging), "ask")
    press(judging, qtbot, Qt.Key.Key_Escape)
    assert noted_decision(judging, 1).note == "ask"
    assert review.passage_decision(COPY).note == "textbook"


def test_that_a_note_right_after_a_decision_is_on_what_was_decided(judging: MainWindow, qtbot: QtBot):
    selection, review = judging.workspace.selection, judging.workspace.review
    press(judging, qtbot, Qt.Key.Key_C)
    assert selection.passage == REWORDED
    press(judging, qtbot, Qt.Key.Key_M)
    assert note_title(judging) == "Note on passage 1"
    qtbot.keyClicks(note_field(judging), "from his cousin")
    press(judging, qtbot, Qt.Key.Key_Escape)
    assert review.passage_decision(COPY) == NotedDecision(Decision.COPIED, "from his cousin")
    assert review.passage_decision(REWORDED) == NotedDecision()
    assert selection.passage == REWORDED, "the steps go on where they were"
    press(judging, qtbot, Qt.Key.Key_M)
    assert note_title(judging) == "Note on passage 2"


def test_that_a_note_right_after_a_decision_on_sentences_is_on_these(judging: MainWindow, qtbot: QtBot):
    judging.workspace.selection.select(0)
    press(judging, qtbot, Qt.Key.Key_F)
    qtbot.mouseClick(button(judging, "Note…"), Qt.MouseButton.LeftButton)
    assert note_title(judging) == "Note on sentences 1 ↔ 1 of passage 1"
    qtbot.keyClicks(note_field(judging), "a title")
    press(judging, qtbot, Qt.Key.Key_Escape)
    assert [noted_decision(judging, match).note for match in (0, 1)] == ["a title", ""]


@pytest.mark.parametrize("key", [Qt.Key.Key_U, Qt.Key.Key_N])
def test_that_a_note_after_a_step_is_on_the_passage_of_the_step(
    judging: MainWindow, qtbot: QtBot, key: Qt.Key
):
    press(judging, qtbot, Qt.Key.Key_C)
    press(judging, qtbot, key)
    here = judging.workspace.selection.passage
    press(judging, qtbot, Qt.Key.Key_M)
    assert note_title(judging) == f"Note on passage {here + 1}"


def test_that_a_click_on_the_selected_row_chooses_it_for_the_note(judging: MainWindow, qtbot: QtBot):
    press(judging, qtbot, Qt.Key.Key_C)
    view = match_view(judging)
    place = view.visualRect(view.currentIndex()).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    press(judging, qtbot, Qt.Key.Key_M)
    assert note_title(judging) == "Note on passage 2"


def test_that_undoing_the_decision_leaves_nothing_to_go_back_to(judging: MainWindow, qtbot: QtBot):
    press(judging, qtbot, Qt.Key.Key_C)
    press(judging, qtbot, Qt.Key.Key_Z, CTRL)
    judging.workspace.selection.select_passage(LONE)
    press(judging, qtbot, Qt.Key.Key_M)
    assert note_title(judging) == "Note on passage 3"


def test_that_a_note_after_a_decision_on_the_pair_is_on_the_pair(judging: MainWindow, qtbot: QtBot):
    press(judging, qtbot, Qt.Key.Key_C, SHIFT)
    press(judging, qtbot, Qt.Key.Key_M, SHIFT)
    qtbot.keyClicks(judging.compare_view.header.decision_bar.note, "both")
    assert overall(judging) == NotedDecision(Decision.COPIED, "both")
    assert judging.workspace.review.passages.notes == {}


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

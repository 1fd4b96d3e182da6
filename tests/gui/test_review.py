"""Judging matches and pairs in the window: by button, by key, undone and done again."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QColor
from PySide6.QtWidgets import QPushButton, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from simcompare import i18n
from simcompare.comparison.values import Cells, MatchKind
from simcompare.document import Span
from simcompare.i18n import LANGUAGES
from simcompare.resources import resource_path
from simcompare.session.review import NO_REVIEW, Decision, Judgement, PairReview
from simcompare.settings import PRESETS
from simcompare.ui.looks.theme import LIGHT
from simcompare.ui.main_window import MainWindow
from simcompare.ui.matches.note_edit import NoteEdit
from simcompare.ui.state.match_judgements import MatchJudgements, Shown
from simcompare.ui.state.side import Side
from simcompare.ui.text_pane.judged import JudgedSentences
from simcompare.ui.text_pane.view import TextView
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, RIGHT_TEXT, wait_for_comparison
from tests.gui.match_list_samples import Marked, comparison

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
COPIED, FINE = Judgement(Decision.COPIED), Judgement(Decision.FINE)


@pytest.fixture
def judging(compared: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window with its first match selected and the keyboard in the heatmap."""
    compared.activateWindow()
    compared.compare_view.heatmap.setFocus()
    compared.workspace.selection.select(0)
    return compared


def press(
    window: MainWindow, qtbot: QtBot, key: Qt.Key, modifiers: Qt.KeyboardModifier | None = None
) -> None:
    qtbot.keyClick(window.focusWidget() or window, key, modifiers or Qt.KeyboardModifier.NoModifier)


def judgement(window: MainWindow, index: int) -> Judgement:
    assert window.workspace.comparison is not None
    match = window.workspace.comparison.matches[index]
    return window.workspace.review.judgement_of((match.left, match.right))


def button(window: MainWindow, word: str) -> QPushButton:
    return next(b for b in window.compare_view.inspector.findChildren(QPushButton) if b.text() == word)


def note_field(window: MainWindow) -> NoteEdit:
    return window.compare_view.inspector.findChild(NoteEdit)


def undo(window: MainWindow) -> QAction:
    return window.undo_actions.entries[0]


def redo(window: MainWindow) -> QAction:
    return window.undo_actions.entries[1]


def overall(window: MainWindow) -> Judgement:
    return window.workspace.review.overall


def only_review(window: MainWindow) -> PairReview:
    (review,) = window.workspace.review.pairs().values()
    return review


# --- deciding


def test_that_buttons_judge_the_selected_match_and_the_selection_stays(judging: MainWindow, qtbot: QtBot):
    cell = judging.workspace.selection.cell
    qtbot.mouseClick(button(judging, "Copied"), Qt.MouseButton.LeftButton)
    assert judgement(judging, 0) == COPIED
    qtbot.mouseClick(button(judging, "Fine"), Qt.MouseButton.LeftButton)
    assert judgement(judging, 0) == FINE
    qtbot.mouseClick(button(judging, "Fine"), Qt.MouseButton.LeftButton)
    assert judgement(judging, 0) == Judgement()
    assert judging.workspace.selection.cell == cell


def test_that_keys_judge_and_a_second_press_takes_it_back(judging: MainWindow, qtbot: QtBot):
    press(judging, qtbot, Qt.Key.Key_C)
    assert judgement(judging, 0) == COPIED
    assert button(judging, "Copied").isChecked()
    press(judging, qtbot, Qt.Key.Key_F)
    assert judgement(judging, 0) == FINE
    press(judging, qtbot, Qt.Key.Key_F)
    assert judgement(judging, 0) == Judgement()
    assert judging.workspace.review.pairs() == {}


def test_that_two_sentences_that_are_no_match_cannot_be_judged(judging: MainWindow, qtbot: QtBot):
    judging.workspace.selection.select_cell(0, 0)
    assert judging.workspace.selection.selected is None
    press(judging, qtbot, Qt.Key.Key_C)
    judging.workspace.review.judge((0, 0), Decision.COPIED)
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
    selection.show(Shown.UNDECIDED)
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
    assert judgement(judging, 0) == Judgement(None, "fcunm")
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
    assert judgement(judging, 0) == Judgement()
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


# --- what decisions outlive


def test_that_a_decision_outlives_other_settings(judging: MainWindow, qtbot: QtBot):
    press(judging, qtbot, Qt.Key.Key_C)
    workspace = judging.workspace
    strict = replace(PRESETS["balanced"], similar_weight=0.99, right_weight=0.995)
    workspace.set_settings(strict)
    wait_for_comparison(judging, qtbot)
    assert len(only_review(judging).matches) == 1
    workspace.set_settings(PRESETS["balanced"])
    wait_for_comparison(judging, qtbot)
    assert judgement(judging, 0) == COPIED
    assert workspace.review.matches.copied.tolist() == [True, False, False]


def test_that_a_decision_outlives_another_reading_of_the_file(
    judging: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
):
    workspace = judging.workspace
    workspace.selection.select(1)
    press(judging, qtbot, Qt.Key.Key_C)
    pair[0].write_text("新写的第一句。\n" + LEFT_TEXT, encoding="utf-8")
    before = workspace.comparison
    workspace.documents.read_again([workspace.documents.sides[Side.LEFT]])
    qtbot.waitUntil(lambda: workspace.comparison not in (None, before), timeout=30_000)
    assert workspace.review.matches.copied.tolist() == [False, True, False]


def test_that_a_decision_is_seen_from_both_sides(judging: MainWindow, qtbot: QtBot):
    press(judging, qtbot, Qt.Key.Key_C)
    workspace = judging.workspace
    (left, right) = workspace.review.pair or (0, 0)
    as_it_was = workspace.review.pair_review(left, right)
    cell = workspace.selection.cell
    workspace.documents.swap()
    wait_for_comparison(judging, qtbot)
    assert cell is not None
    assert workspace.review.judgement_of(cell[::-1]) == COPIED
    assert workspace.review.pair_review(right, left) == as_it_was.mirrored
    workspace.selection.select_cell(*cell[::-1])
    press(judging, qtbot, Qt.Key.Key_F)
    assert workspace.review.pair_review(left, right).matches == dict.fromkeys(as_it_was.matches, FINE)


def test_that_each_pair_has_its_own_decisions(
    judging: MainWindow, essay: Callable[[str, str], Path], qtbot: QtBot
):
    press(judging, qtbot, Qt.Key.Key_C)
    workspace = judging.workspace
    other = essay("other.txt", OTHER_TEXT + RIGHT_TEXT)
    with qtbot.waitSignal(workspace.documents.changed):
        workspace.documents.add([other])
    key = max(workspace.documents.entries)
    workspace.documents.choose(Side.RIGHT, key)
    qtbot.waitUntil(lambda: workspace.review.pair is not None and workspace.review.pair[1] == key)
    assert not workspace.review.matches.copied.any()
    assert len(workspace.review.pairs()) == 1
    with qtbot.waitSignal(workspace.noticed) as noticed:
        undo(judging).trigger()
    assert noticed.args == ["Changed in another pair: left.txt ↔ right.txt"]
    assert workspace.review.pairs() == {}


def test_that_a_removed_document_takes_its_decisions_out_of_sight(judging: MainWindow, qtbot: QtBot):
    press(judging, qtbot, Qt.Key.Key_C)
    workspace = judging.workspace
    pair = workspace.review.pair
    assert pair is not None
    workspace.documents.remove([pair[1]])
    assert workspace.review.pairs() == {}


def test_that_saved_decisions_are_taken_up_without_a_step_of_history(judging: MainWindow, qtbot: QtBot):
    workspace = judging.workspace
    pair = workspace.review.pair
    assert pair is not None
    press(judging, qtbot, Qt.Key.Key_C)
    saved = workspace.review.pair_review(*pair)
    workspace.history.clear()
    workspace.review.restore({})
    assert judgement(judging, 0) == Judgement()
    workspace.review.restore({pair[::-1]: saved.mirrored})
    assert judgement(judging, 0) == COPIED
    assert button(judging, "Copied").isChecked()
    assert not workspace.history.canUndo()
    assert workspace.review.pair_review(7, 9) == NO_REVIEW


# --- the pair as a whole


def test_that_the_pair_is_judged_in_its_header(judging: MainWindow, qtbot: QtBot):
    verdict = judging.compare_view.header.verdict
    assert verdict.text() == "Pair: undecided"
    copied = next(action for action in verdict.menu().actions() if action.text() == "Copied")
    copied.trigger()
    assert overall(judging) == COPIED
    assert verdict.text() == "Pair: copied"
    assert undo(judging).text() == "Undo: judge the pair as copied"
    press(judging, qtbot, Qt.Key.Key_Z, CTRL)
    assert verdict.text() == "Pair: undecided"


def test_that_the_pair_has_a_note(judging: MainWindow, qtbot: QtBot):
    verdict = judging.compare_view.header.verdict
    verdict.open_note()
    field: QWidget = verdict.note
    qtbot.waitUntil(field.isVisible)
    qtbot.keyClicks(field, "talk to both")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert not field.isVisible()
    assert overall(judging) == Judgement(None, "talk to both")
    assert "talk to both" in verdict.toolTip()
    press(judging, qtbot, Qt.Key.Key_Z, CTRL)
    assert overall(judging) == Judgement()


# --- the texts


def colours(window: MainWindow, side: Side, words: str) -> set[str]:
    """The colours seen on the line of some words, and in the margin beside it."""
    pane = window.compare_view.panes[side]
    page = pane.findChild(TextView)
    assert page is not None
    start = page.toPlainText().index(words)
    top = pane.height_of(Span(start, start + 1))
    image = page.viewport().grab().toImage()
    line = range(max(top, 0), min(top + 30, image.height()))
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in line}


def test_that_a_sentence_judged_fine_fades_and_one_judged_copied_has_a_flag(
    judging: MainWindow, qtbot: QtBot
):
    judging.use_theme("light")
    judging.workspace.selection.select(1)
    words, tint = "渔船慢慢", QColor(LIGHT.kinds[MatchKind.EDITED].tint).name()
    assert tint in colours(judging, Side.LEFT, words)
    press(judging, qtbot, Qt.Key.Key_F)
    assert tint not in colours(judging, Side.LEFT, words)
    flag = QColor(LIGHT.danger).name()
    assert flag not in colours(judging, Side.RIGHT, words)
    press(judging, qtbot, Qt.Key.Key_C)
    for side in Side:
        assert {flag, tint} <= colours(judging, side, words)


def test_that_a_sentence_is_fine_once_all_its_matches_are():
    cells = Cells(
        np.array([0, 0, 2], np.int32),
        np.array([1, 2, 2], np.int32),
        np.zeros(3, np.int32),
        np.ones(3),
        np.ones(3),
    )
    made = comparison()
    made = replace(made, matches=replace(made.matches, cells=cells))
    judged = MatchJudgements(
        copied=np.array([False, False, True]), fine=np.array([True, False, False]), notes={}
    )
    left = JudgedSentences.of(made, Side.LEFT, judged)
    assert (left.fine.tolist(), left.copied.tolist()) == ([False, False], [False, True])
    right = JudgedSentences.of(made, Side.RIGHT, judged)
    assert (right.fine.tolist(), right.copied.tolist()) == ([True, False], [False, True])


# --- language and room


def test_that_the_edit_menu_follows_the_language_at_once(
    judging: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    press(judging, qtbot, Qt.Key.Key_C)
    monkeypatch.setattr(i18n._Current, "catalogue", Marked())
    judging.retranslate()
    assert undo(judging).text() == "~Undo: ~judge as copied"
    assert redo(judging).text() == "~Redo"


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_sentences_and_reasons_are_seen_whole_in_the_smallest_window(
    window: MainWindow, qtbot: QtBot, language: str
):
    window.use_language(language)
    window.resize(window.minimumSize())
    window.workspace.documents.add(
        resource_path("samples", name) for name in ("家乡的石桥.docx", "心中的桥.html")
    )
    wait_for_comparison(window, qtbot)
    window.workspace.selection.select(0)
    inspector = window.compare_view.inspector
    # the longest of the reasons: words and synonyms decided
    views = [view for view in inspector.findChildren(QTextEdit) if view.isVisible()]
    assert len(views) == 2
    qtbot.waitUntil(lambda: all(view.verticalScrollBar().maximum() == 0 for view in views))

"""Persistence of decisions, and their display in pair header and texts, in either language."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import Cells
from simcompare.model.document import Span
from simcompare.model.settings import PRESETS
from simcompare.session.decisions import (
    DECISION_OF_CODE,
    NO_REVIEW,
    Decision,
    MatchDecisions,
    MatchKey,
    NotedDecision,
    PairReview,
    index_sentences,
)
from simcompare.support import i18n
from simcompare.support.i18n import LANGUAGES
from simcompare.support.resources import resource_path
from simcompare.ui.compare.text_pane.text_overview import PassageBars
from simcompare.ui.compare.text_pane.text_painting import SentenceDecisions, passage_ground
from simcompare.ui.compare.text_pane.text_view import TextView
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.language import LANGUAGE
from simcompare.ui.style.theme import LIGHT
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, RIGHT_TEXT, wait_for_comparison
from tests.gui.match_list_samples import Marked, comparison
from tests.gui.pixels import colours_of
from tests.gui.review_steps import (
    COPIED,
    CTRL,
    FINE,
    SHIFT,
    button,
    noted_decision,
    only_review,
    overall,
    press,
    redo,
    undo,
)

# --- persistence of decisions


def test_that_a_decision_is_kept_under_other_settings(reviewing: MainWindow, qtbot: QtBot):
    press(reviewing, qtbot, Qt.Key.Key_C)
    workspace = reviewing.workspace
    strict = replace(PRESETS["balanced"], similar_weight=0.99, right_weight=0.995)
    workspace.set_settings(strict)
    wait_for_comparison(reviewing, qtbot)
    assert len(only_review(reviewing).matches) == 1
    workspace.set_settings(PRESETS["balanced"])
    wait_for_comparison(reviewing, qtbot)
    assert noted_decision(reviewing, 0) == COPIED
    assert workspace.review.matches.copied.tolist() == [True, False, False]


def test_that_a_decision_is_kept_when_the_file_is_read_again(
    reviewing: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
):
    workspace = reviewing.workspace
    workspace.selection.select(1)
    press(reviewing, qtbot, Qt.Key.Key_C)
    pair[0].write_text("新写的第一句。\n" + LEFT_TEXT, encoding="utf-8")
    before = workspace.comparison
    workspace.documents.read_again([workspace.documents.sides[Side.LEFT]])
    qtbot.waitUntil(lambda: workspace.comparison not in (None, before))
    assert workspace.review.matches.copied.tolist() == [False, True, False]


def test_that_a_decision_is_shown_after_swapping_sides(reviewing: MainWindow, qtbot: QtBot):
    workspace = reviewing.workspace
    cell = workspace.selection.cell
    press(reviewing, qtbot, Qt.Key.Key_C)
    (left, right) = workspace.review.pair or (0, 0)
    as_it_was = workspace.review.pair_review(left, right)
    workspace.documents.swap()
    wait_for_comparison(reviewing, qtbot)
    assert cell is not None
    assert workspace.review.decision_of(cell[::-1]) == COPIED
    assert workspace.review.pair_review(right, left) == as_it_was.mirrored
    workspace.selection.select_cell(*cell[::-1])
    press(reviewing, qtbot, Qt.Key.Key_F)
    assert workspace.review.pair_review(left, right).matches == dict.fromkeys(as_it_was.matches, FINE)


def test_that_a_decision_made_after_a_swap_is_on_the_same_two_sentences(reviewing: MainWindow, qtbot: QtBot):
    workspace = reviewing.workspace
    pair = workspace.review.pair
    workspace.documents.swap()
    wait_for_comparison(reviewing, qtbot)
    comparison = workspace.comparison
    left, right = (index_sentences(side.prepared).keys for side in (comparison.left, comparison.right))
    # equal sentences have the same key on both sides
    matches = map(comparison.matches.__getitem__, range(len(comparison.matches)))
    match = next(match for match in matches if left[match.left] != right[match.right])
    workspace.selection.select_cell(match.left, match.right)
    press(reviewing, qtbot, Qt.Key.Key_C)
    assert workspace.review.decision_of((match.left, match.right)) == COPIED
    key = MatchKey(right[match.right], left[match.left])
    assert workspace.review.pairs() == {pair: PairReview(matches={key: COPIED})}


def test_that_each_pair_has_its_own_decisions(
    reviewing: MainWindow, essay: Callable[[str, str], Path], qtbot: QtBot
):
    press(reviewing, qtbot, Qt.Key.Key_C)
    workspace = reviewing.workspace
    other = essay("other.txt", OTHER_TEXT + RIGHT_TEXT)
    with qtbot.waitSignal(workspace.documents.changed):
        workspace.documents.add([other])
    key = max(workspace.documents.entries)
    workspace.documents.choose(Side.RIGHT, key)
    qtbot.waitUntil(lambda: workspace.review.pair is not None and workspace.review.pair[1] == key)
    assert not workspace.review.matches.copied.any()
    assert len(workspace.review.pairs()) == 1
    reviewing.pages.show_compare()
    wait_for_comparison(reviewing, qtbot)
    undo(reviewing).trigger()
    notice, words = reviewing.notice, "Changed in another pair: left.txt ↔ right.txt"
    assert (notice.shows(words), workspace.review.pairs()) == (True, {})
    notice.show_button.click()
    assert workspace.review.pair == (1, 2)
    qtbot.waitUntil(notice.isHidden)
    redo(reviewing).trigger()
    workspace.documents.choose_pair(2, key)
    wait_for_comparison(reviewing, qtbot)
    for leave in (reviewing.pages.show_pairs, partial(workspace.documents.choose_pair, 1, key)):
        reviewing.pages.show_compare()
        undo(reviewing).trigger()
        assert notice.shows(words)
        leave()
        qtbot.waitUntil(notice.isHidden)
        redo(reviewing).trigger()


def test_that_decisions_on_a_removed_document_are_hidden(reviewing: MainWindow, qtbot: QtBot):
    press(reviewing, qtbot, Qt.Key.Key_C)
    workspace = reviewing.workspace
    pair = workspace.review.pair
    assert pair is not None
    workspace.documents.remove([pair[1]])
    assert workspace.review.pairs() == {}


def test_that_saved_decisions_are_restored_without_an_undo_step(reviewing: MainWindow, qtbot: QtBot):
    workspace = reviewing.workspace
    pair = workspace.review.pair
    assert pair is not None
    press(reviewing, qtbot, Qt.Key.Key_C)
    workspace.selection.select(0)
    saved = workspace.review.pair_review(*pair)
    workspace.history.clear()
    workspace.review.restore({})
    assert noted_decision(reviewing, 0) == NotedDecision()
    workspace.review.restore({pair[::-1]: saved.mirrored})
    assert noted_decision(reviewing, 0) == COPIED
    assert button(reviewing, "Copied").isChecked()
    assert not workspace.history.canUndo()
    assert workspace.review.pair_review(7, 9) == NO_REVIEW


# --- the pair as a whole


def test_that_the_header_and_keys_decide_on_the_pair_which_has_a_note(reviewing: MainWindow, qtbot: QtBot):
    # the header decides on the pair
    switches = reviewing.compare_view.header.decision_bar.switches
    copied, fine = switches[Decision.COPIED], switches[Decision.FINE]
    qtbot.mouseClick(copied, Qt.MouseButton.LeftButton)
    assert overall(reviewing) == COPIED
    assert (copied.isChecked(), fine.isChecked()) == (True, False)
    assert undo(reviewing).text() == "Undo: mark the pair as copied"
    press(reviewing, qtbot, Qt.Key.Key_Z, CTRL)
    assert not copied.isChecked()
    for is_on in (True, False):
        qtbot.mouseClick(fine, Qt.MouseButton.LeftButton)
        assert fine.isChecked() is is_on
        assert overall(reviewing) == (FINE if is_on else NotedDecision())

    # the pair has a note
    decision_bar = reviewing.compare_view.header.decision_bar
    press(reviewing, qtbot, Qt.Key.Key_M, SHIFT)
    field: QWidget = decision_bar.note
    qtbot.waitUntil(field.isVisible)
    qtbot.keyClicks(field, "talk to both")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert not field.isVisible()
    assert overall(reviewing) == NotedDecision(None, "talk to both")
    assert decision_bar.note_button.isChecked()
    assert "talk to both" in decision_bar.note_button.toolTip()
    press(reviewing, qtbot, Qt.Key.Key_Z, CTRL)
    assert overall(reviewing) == NotedDecision()
    assert not decision_bar.note_button.isChecked()

    # shift f and shift c decide on the pair and leave the match alone
    for key, decision in ((Qt.Key.Key_F, FINE), (Qt.Key.Key_C, COPIED), (Qt.Key.Key_C, NotedDecision())):
        press(reviewing, qtbot, key, SHIFT)
        assert overall(reviewing) == decision
        assert noted_decision(reviewing, 0) == NotedDecision()
    press(reviewing, qtbot, Qt.Key.Key_F)
    assert (overall(reviewing), noted_decision(reviewing, 0)) == (NotedDecision(), FINE)


# --- the texts


def colours(window: MainWindow, side: Side, words: str) -> set[str]:
    """Colours on the line of some words."""
    pane = window.compare_view.panes[side]
    page = pane.findChild(TextView)
    assert page is not None
    start = page.toPlainText().index(words)
    top = pane.viewport_y_of(Span(start, start + 1))
    image = page.viewport().grab().toImage()
    return colours_of(image.copy(0, max(top, 0), image.width(), min(top + 30, image.height()) - max(top, 0)))


def margin(window: MainWindow, side: Side) -> QImage:
    """Margin of a text, with bars, numbers and flags of its passages."""
    return window.compare_view.panes[side].findChild(PassageBars).grab().toImage()


def test_that_a_fine_sentence_fades_and_a_copied_one_has_a_flag(reviewing: MainWindow, qtbot: QtBot):
    reviewing.use_theme("light")
    reviewing.workspace.selection.select(1)
    passages, passage = reviewing.workspace.passages, reviewing.workspace.selection.passage
    words, tint = "渔船慢慢", passage_ground(LIGHT, passages[passage].kind).name()
    assert tint in colours(reviewing, Side.LEFT, words)
    press(reviewing, qtbot, Qt.Key.Key_F)
    assert tint not in colours(reviewing, Side.LEFT, words)
    reviewing.workspace.selection.select(1)
    before = {side: margin(reviewing, side) for side in Side}
    press(reviewing, qtbot, Qt.Key.Key_C)
    reviewing.workspace.selection.select(1)
    for side in Side:
        assert tint in colours(reviewing, side, words)
        assert margin(reviewing, side) != before[side]


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
    decided = (Decision.FINE, None, Decision.COPIED)
    judged = MatchDecisions(np.array([DECISION_OF_CODE.index(each) for each in decided], np.int8), {})
    left = SentenceDecisions.of(made, Side.LEFT, judged)
    assert (left.fine.tolist(), left.copied.tolist()) == ([False, False], [False, True])
    right = SentenceDecisions.of(made, Side.RIGHT, judged)
    assert (right.fine.tolist(), right.copied.tolist()) == ([True, False], [False, True])


# --- language and space


def test_that_the_edit_menu_follows_the_language_at_once(
    reviewing: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    press(reviewing, qtbot, Qt.Key.Key_C)
    monkeypatch.setattr(i18n._CurrentLanguage, "catalogue", Marked())
    LANGUAGE.changed.emit()
    assert undo(reviewing).text() == "~Undo: ~mark as copied"
    assert redo(reviewing).text() == "~Redo"


def test_that_sentences_and_explanations_fit_a_small_screen(window: MainWindow, qtbot: QtBot):
    window.resize(1024, 600)
    window.workspace.documents.add(
        resource_path("samples", name) for name in ("家乡的石桥.docx", "心中的桥.html")
    )
    wait_for_comparison(window, qtbot)
    window.workspace.selection.select(0)
    inspector = window.compare_view.inspector
    inspector.why_action.trigger()
    # the longest explanation: classified by words and synonyms
    views = [view for view in inspector.findChildren(QTextEdit) if view.isVisible()]
    assert len(views) == 2
    for language in LANGUAGES:
        window.use_language(language)
        qtbot.waitUntil(lambda: all(view.verticalScrollBar().maximum() == 0 for view in views))

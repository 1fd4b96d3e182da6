"""One selected passage or pair of sentences, shared by all views."""

import re
from threading import get_ident

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTextEdit
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import MatchKind
from simcompare.ui.compare import compare_view
from simcompare.ui.compare.matches.passage_rows import KindSwitch
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.document_listing import Side
from tests.gui.conftest import READING_TIMEOUT_MS, wait_for_comparison
from tests.gui.passage_samples import COPY, LONE, REWORDED
from tests.gui.window_parts import labels, match_view

ALT, SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier


def test_that_clicking_a_heatmap_cell_selects_the_sentence_pair_everywhere(
    judging: MainWindow, qtbot: QtBot
) -> None:
    view, selection = judging.compare_view, judging.workspace.selection
    match = judging.workspace.comparison.matches[1]
    view.heatmap.cell_chosen.emit(match.left, match.right)
    assert (selection.passage, selection.selected) == (COPY, 1)
    assert match_view(judging).model().rows[match_view(judging).currentIndex().row()] == (COPY, 1)
    assert "1 of 3 · 2 ↔ 2" in labels(view.inspector)


def test_that_keys_visit_all_passages_and_their_sentence_pairs_but_hidden_kinds(
    judging: MainWindow, qtbot: QtBot
) -> None:
    # n and p visit all passages and stop at the ends
    selection, seen = judging.workspace.selection, []
    for key in (Qt.Key.Key_N, Qt.Key.Key_N, Qt.Key.Key_N, Qt.Key.Key_P, Qt.Key.Key_P, Qt.Key.Key_P):
        qtbot.keyClick(judging, key)
        seen.append(selection.passage)
        assert labels(judging.compare_view.inspector).startswith(f"{selection.passage + 1} of 3\n")
    assert seen == [REWORDED, LONE, LONE, REWORDED, COPY, COPY]

    # alt visits the sentence pairs of the passage
    selection, seen = judging.workspace.selection, []
    for key in (*[Qt.Key.Key_Down] * 5, *[Qt.Key.Key_Up] * 5):
        qtbot.keyClick(judging, key, ALT)
        seen.append(selection.selected)
    assert seen == [0, 1, 2, 3, 3, 2, 1, 0, None, None]
    assert selection.passage == COPY
    assert not judging.commands.actions["difference"].isEnabled(), "it is identical"
    selection.select_passage(REWORDED)
    assert judging.commands.actions["difference"].isEnabled()
    selection.select_passage(LONE)
    assert not judging.commands.actions["further"].isEnabled()
    selection.select_passage(COPY)

    # steps skip the kinds hidden in the list
    selection = judging.workspace.selection
    (hidden,) = (s for s in judging.findChildren(KindSwitch) if "reworded" in s.accessibleName())
    qtbot.mouseClick(hidden, Qt.MouseButton.LeftButton)
    qtbot.keyClick(judging, Qt.Key.Key_N)
    assert selection.passage == LONE
    qtbot.keyClick(judging, Qt.Key.Key_P)
    assert selection.passage == COPY
    for switch in judging.findChildren(KindSwitch):
        switch.setChecked(False)
    assert not judging.commands.actions["next"].isEnabled()


def test_that_w_unfolds_the_reasons_for_all_windows_to_come(judging: MainWindow, qtbot: QtBot) -> None:
    inspector = judging.compare_view.inspector
    assert [view for view in inspector.findChildren(QTextEdit) if view.isVisible()] == []
    qtbot.keyClick(judging, Qt.Key.Key_W)
    [reasons] = [view for view in inspector.findChildren(QTextEdit) if view.isVisible()]
    assert "word for word the same" in reasons.toPlainText() or "same order" in reasons.toPlainText()
    assert Preferences().shows_reasons
    qtbot.keyClick(judging, Qt.Key.Key_W)
    assert not reasons.isVisible()
    assert not Preferences().shows_reasons


def test_that_a_long_passage_is_explained_a_moment_later(
    judging: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare_view, "_MOST_CHARACTERS_AT_ONCE", 200)
    threads = []
    explain = compare_view.explain_passage

    def record_thread(*parts):
        threads.append(get_ident())
        return explain(*parts)

    monkeypatch.setattr(compare_view, "explain_passage", record_thread)
    inspector, selection = judging.compare_view.inspector, judging.workspace.selection
    selection.select_passage(REWORDED)
    assert labels(inspector).startswith("2 of 3\n\n"), "number and kind are shown at once"
    qtbot.waitUntil(lambda: "of the words in common" in labels(inspector))
    assert len(threads) == 1
    assert threads[0] != get_ident()
    selection.select_passage(COPY)
    selection.select_passage(REWORDED)
    selection.select_passage(LONE)
    qtbot.wait(300)
    assert labels(inspector).startswith("3 of 3\n")


def test_that_any_pair_of_sentences_can_be_inspected_with_its_reason_and_both_texts_align_a_match(
    compared: MainWindow, qtbot: QtBot
) -> None:
    # a tool tip and the inspector show the same figure
    comparison, view = compared.workspace.comparison, compared.compare_view
    rows, columns = comparison.matrix.heat.shape
    for row in range(rows):
        for column in range(columns):
            compared.workspace.selection.select_cell(row, column)
            reasons = [each.toPlainText() for each in view.inspector.findChildren(QTextEdit)]
            shown = "\n".join([labels(view.inspector), *reasons])
            figures = set(re.findall(r"(?:P = |similarity )([\d.]*\d)", shown))
            assert len(figures) == 1 or "word for word" in shown
            assert all(figure in view.heatmap._describer(row, column) for figure in figures)

    # sentences that do not match can be inspected with the reason
    compared.compare_view.heatmap.cell_chosen.emit(1, 1)
    assert compared.workspace.selection.selected is None
    assert "No match" in labels(compared.compare_view.inspector).split("\n")[0]
    reasons = [view.toPlainText() for view in compared.compare_view.inspector.findChildren(QTextEdit)]
    assert any("below 0.35" in text for text in reasons)
    qtbot.keyClick(compared, Qt.Key.Key_N)
    match = compared.workspace.comparison.matches[compared.workspace.selection.selected]
    assert (match.left, match.right) > (0, 1)

    # both texts align the selected pair
    qtbot.keyClick(compared, Qt.Key.Key_N)
    comparison, panes = compared.workspace.comparison, compared.compare_view.panes
    match = comparison.matches[compared.workspace.selection.selected]
    left = panes[Side.LEFT].viewport_y_of(comparison.left_span(match))
    right = panes[Side.RIGHT].viewport_y_of(comparison.right_span(match))
    assert abs(left - right) <= 2


def test_that_the_selected_pair_stays_selected_while_thresholds_move(compared: MainWindow) -> None:
    exact = next(
        i
        for i in range(len(compared.workspace.comparison.matches))
        if compared.workspace.comparison.matches[i].kind is MatchKind.EXACT
    )
    compared.workspace.selection.select(exact)
    cell = compared.workspace.selection.cell
    compared.tool_bar.strictness.sliders.weights_changed.emit(0.9, 0.95)
    assert compared.workspace.selection.cell == cell


def test_that_swapping_sides_keeps_the_selected_pair(compared: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(compared, Qt.Key.Key_N)
    left, right = compared.workspace.selection.cell
    qtbot.mouseClick(compared.tool_bar.swap_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: compared.workspace.selection.cell is not None, timeout=READING_TIMEOUT_MS)
    assert compared.workspace.selection.cell == (right, left)
    assert compared.workspace.selection.selected is not None


def test_that_the_selection_stays_after_comparing_again(compared: MainWindow, qtbot: QtBot) -> None:
    compared.workspace.selection.select(1)
    cell = compared.workspace.selection.cell
    qtbot.keyClick(compared, Qt.Key.Key_F5)
    wait_for_comparison(compared, qtbot)
    assert compared.workspace.selection.cell == cell


def test_that_a_click_on_a_sentence_without_a_match_says_so_and_names_the_nearest(
    judging: MainWindow, qtbot: QtBot
) -> None:
    workspace, inspector = judging.workspace, judging.compare_view.inspector
    comparison = workspace.comparison
    lone = int(np.flatnonzero((comparison.matches.best_of_right < 0) & comparison.right_excluded.kept)[0])
    span = comparison.right.prepared.sentence_span(lone)
    judging.compare_view.panes[Side.RIGHT].offset_clicked.emit(span.start)
    assert workspace.selection.unmatched == (Side.RIGHT, lone)
    assert workspace.selection.is_empty
    feed = judging.compare_view.text_feed
    assert (feed._sentence_span(Side.LEFT), feed._sentence_span(Side.RIGHT)) == (None, span)
    shown = labels(inspector)
    nearest = r"no match in the other text; the nearest is sentence \d+, similarity 0\.\d\d \(P\)\."
    assert re.search(nearest, shown), shown
    qtbot.keyClick(judging, Qt.Key.Key_N)
    assert workspace.selection.unmatched is None
    assert inspector.line.isVisible()
    assert not inspector._hint.isVisible()


def test_that_a_click_on_an_excluded_sentence_gives_the_reason(excluding: MainWindow) -> None:
    comparison = excluding.workspace.comparison
    excluded = int(np.flatnonzero(~comparison.left_excluded.kept)[0])
    span = comparison.left.prepared.sentence_span(excluded)
    excluding.compare_view.panes[Side.LEFT].offset_clicked.emit(span.start)
    assert "This sentence is excluded: " in labels(excluding.compare_view.inspector)


def test_that_a_step_goes_on_from_a_sentence_without_a_match(judging: MainWindow) -> None:
    selection = judging.workspace.selection
    selection._unmatched = (Side.LEFT, judging.workspace.comparison.left.prepared.sentence_count - 1)
    selection.passage = selection.cell = None
    selection.step_passage(1)
    assert selection.passage == LONE

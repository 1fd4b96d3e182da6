"""Selecting, unfolding and folding rows of the passage list, by mouse and keyboard."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.comparison.compare_documents import reclassify
from simcompare.ui.compare.matches.passage_list import PassageList
from simcompare.ui.compare.matches.passage_rows import PassageRow
from simcompare.ui.state.changes import ComparisonPart
from simcompare.ui.state.workspace import Workspace
from tests.gui.passage_list.passage_rows import (
    COMPARISON,
    CTRL,
    SHIFT,
    click_arrow,
    click_row,
    listed,
    press,
    rows,
    selected,
    spoken,
    table,
    unfolded_copy,
)
from tests.gui.passage_samples import COPY, LONE, REWORDED
from tests.helpers.passages import METRO


def test_that_the_arrow_unfolds_and_folds_a_passage_and_selects_nothing(
    workspace: Workspace, passages: PassageList, qtbot: QtBot
):
    click_arrow(passages, qtbot, 0)
    assert listed(passages) == unfolded_copy(workspace)
    assert workspace.selection.is_empty
    assert spoken(passages, 1).startswith("identical: sentence 1 on the left, 1 on the right, ")
    assert rows(passages).index(2, 0).data() == METRO[1]
    click_arrow(passages, qtbot, 0)
    assert listed(passages) == [PassageRow(COPY), PassageRow(REWORDED), PassageRow(LONE)]


@pytest.mark.parametrize("row", [REWORDED, LONE])
def test_that_a_passage_of_at_most_one_sentence_pair_has_no_arrow(
    workspace: Workspace, passages: PassageList, qtbot: QtBot, row: int
):
    click_arrow(passages, qtbot, row)
    assert len(listed(passages)) == 3
    assert workspace.selection.passage == row
    press(passages, qtbot, Qt.Key.Key_Right)
    assert len(listed(passages)) == 3


def test_that_right_and_left_unfold_enter_leave_and_fold(
    workspace: Workspace, passages: PassageList, qtbot: QtBot
):
    workspace.selection.select_passage(COPY)
    press(passages, qtbot, Qt.Key.Key_Right)
    assert listed(passages) == unfolded_copy(workspace)
    assert selected(passages) == [PassageRow(COPY)]
    press(passages, qtbot, Qt.Key.Key_Right)
    assert selected(passages) == [PassageRow(COPY, 0)]
    assert workspace.selection.selected == 0
    press(passages, qtbot, Qt.Key.Key_Down, Qt.Key.Key_Down)
    assert workspace.selection.selected == 2
    press(passages, qtbot, Qt.Key.Key_Left)
    assert (workspace.selection.passage, workspace.selection.cell) == (COPY, None)
    press(passages, qtbot, Qt.Key.Key_Left)
    assert len(listed(passages)) == 3


def test_that_folding_with_the_mouse_moves_the_selection_from_a_sentence_pair_to_the_passage(
    workspace: Workspace, passages: PassageList, qtbot: QtBot
):
    workspace.selection.select(2)
    assert selected(passages) == [PassageRow(COPY, 2)]
    click_arrow(passages, qtbot, 0)
    assert selected(passages) == [PassageRow(COPY)]
    assert (workspace.selection.passage, workspace.selection.cell) == (COPY, None)


def test_that_clicking_a_row_selects_its_passage_and_clicking_again_selects_it_again(
    workspace: Workspace, passages: PassageList, qtbot: QtBot
):
    click_row(passages, qtbot, REWORDED)
    assert workspace.selection.passage == REWORDED
    workspace.selection.passage = None
    click_row(passages, qtbot, REWORDED)
    assert workspace.selection.passage == REWORDED


def test_that_the_arrow_keys_select_the_neighbours(workspace: Workspace, passages: PassageList, qtbot: QtBot):
    workspace.selection.select_passage(COPY)
    visited = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        press(passages, qtbot, key)
        visited.append(workspace.selection.passage)
    assert visited == [REWORDED, LONE, REWORDED]


def test_that_focus_alone_selects_nothing_and_enter_selects_the_current_row(
    workspace: Workspace, passages: PassageList, qtbot: QtBot
):
    passages.activateWindow()
    table(passages).setFocus(Qt.FocusReason.TabFocusReason)
    assert workspace.selection.is_empty
    press(passages, qtbot, Qt.Key.Key_Return)
    assert workspace.selection.passage == COPY


def test_that_a_sentence_pair_selected_elsewhere_is_shown_in_its_unfolded_passage(
    workspace: Workspace, passages: PassageList
):
    match = workspace.comparison.matches[2]
    workspace.selection.select_cell(match.left, match.right)
    assert listed(passages) == unfolded_copy(workspace)
    assert selected(passages) == [PassageRow(COPY, 2)]
    workspace.selection.select_passage(LONE)
    assert selected(passages) == [PassageRow(LONE)]


def test_that_a_sentence_pair_of_several_passages_is_selected_in_the_one_that_was_clicked(
    workspace: Workspace, passages: PassageList, qtbot: QtBot
):
    # the reworded passage holds the first two pairs of the copied one, too
    bounds, indices = workspace.passages.match_bounds, workspace.passages.match_indices
    overlapping = replace(
        workspace.passages,
        match_bounds=bounds + np.array([0, 0, 2, 2]),
        match_indices=np.insert(indices, [bounds[1]] * 2, [0, 1]),
    )
    workspace.passages = overlapping
    workspace.selection.follow(COMPARISON, overlapping)
    workspace.comparison_changed.emit(ComparisonPart.ALL)
    click_arrow(passages, qtbot, 1)
    assert listed(passages)[2:4] == [PassageRow(REWORDED, 0), PassageRow(REWORDED, 1)]
    click_row(passages, qtbot, 3)
    assert (workspace.selection.passage, workspace.selection.selected) == (REWORDED, 1)
    assert selected(passages) == [PassageRow(REWORDED, 1)]


def test_that_several_rows_are_selected_with_ctrl_and_shift(
    workspace: Workspace, passages: PassageList, qtbot: QtBot
):
    click_row(passages, qtbot, COPY)
    click_row(passages, qtbot, LONE, CTRL)
    assert passages.several_selected == [PassageRow(COPY), PassageRow(LONE)]
    assert workspace.selection.passage == COPY
    click_row(passages, qtbot, COPY)
    assert passages.several_selected == []
    click_row(passages, qtbot, LONE, SHIFT)
    assert passages.several_selected == [PassageRow(COPY), PassageRow(REWORDED), PassageRow(LONE)]


def test_that_selected_and_unfolded_passages_stay_so_with_other_thresholds(
    workspace: Workspace, passages: PassageList
):
    workspace.selection.select(1)
    settings = replace(COMPARISON.settings, similar_weight=0.9, right_weight=0.95)
    workspace._set_comparison(reclassify(COMPARISON, settings))
    assert listed(passages) == unfolded_copy(workspace)
    assert selected(passages) == [PassageRow(COPY, 1)]

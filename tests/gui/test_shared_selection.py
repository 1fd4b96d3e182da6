"""One selected pair of sentences, shared by all views."""

import re

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTextEdit
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import MatchKind
from simcompare.ui.compare.matches.match_filter import KindSwitch
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from tests.gui.conftest import READING_TIMEOUT_MS, wait_for_comparison
from tests.gui.window_parts import labels, match_view


def test_that_clicking_a_heatmap_cell_selects_the_match_everywhere(
    compared: MainWindow, qtbot: QtBot
) -> None:
    view = compared.compare_view
    match = compared.workspace.comparison.matches[1]
    view.heatmap.cell_chosen.emit(match.left, match.right)
    assert compared.workspace.selection.selected == 1
    assert match_view(compared).currentIndex().row() == 1
    assert "Match 2 of" in labels(view.inspector)


def test_that_next_and_previous_visit_all_matches_and_stop_at_the_ends(
    compared: MainWindow, qtbot: QtBot
) -> None:
    total = len(compared.workspace.comparison.matches)
    seen = []
    for _ in range(total + 1):
        qtbot.keyClick(compared, Qt.Key.Key_N)
        seen.append(compared.workspace.selection.selected)
    assert seen == [*range(total), total - 1]
    for _ in range(total + 1):
        qtbot.keyClick(compared, Qt.Key.Key_P)
    assert compared.workspace.selection.selected == 0


def test_that_steps_skip_the_kinds_hidden_in_the_list(compared: MainWindow, qtbot: QtBot) -> None:
    workspace = compared.workspace
    kinds = [MatchKind(kind) for kind in workspace.comparison.matches.kinds.tolist()]
    (hidden,) = (s for s in compared.findChildren(KindSwitch) if "edited" in s.accessibleName())
    qtbot.mouseClick(hidden, Qt.MouseButton.LeftButton)
    listed = [index for index, kind in enumerate(kinds) if kind is not MatchKind.EDITED]
    assert match_view(compared).model().rowCount() == len(listed) < len(kinds)
    for key, order in ((Qt.Key.Key_N, listed), (Qt.Key.Key_P, listed[-2::-1])):
        for index in order:
            qtbot.keyClick(compared, key)
            assert workspace.selection.selected == index
    assert not workspace.selection.can_step(-1)
    workspace.selection.select(kinds.index(MatchKind.EDITED))
    qtbot.keyClick(compared, Qt.Key.Key_N)
    assert workspace.selection.selected in listed
    for switch in compared.findChildren(KindSwitch):
        switch.setChecked(False)
    assert not compared.commands.actions["next"].isEnabled()


def test_that_sentences_that_do_not_match_can_be_inspected_with_the_reason(
    compared: MainWindow, qtbot: QtBot
) -> None:
    compared.compare_view.heatmap.cell_chosen.emit(0, 1)
    assert compared.workspace.selection.selected is None
    assert "No match" in labels(compared.compare_view.inspector)
    reasons = [view.toPlainText() for view in compared.compare_view.inspector.findChildren(QTextEdit)]
    assert any("below 0.35" in text for text in reasons)
    qtbot.keyClick(compared, Qt.Key.Key_N)
    match = compared.workspace.comparison.matches[compared.workspace.selection.selected]
    assert (match.left, match.right) > (0, 1)


def test_that_a_tool_tip_and_the_inspector_show_the_same_figure(compared: MainWindow) -> None:
    comparison, view = compared.workspace.comparison, compared.compare_view
    rows, columns = comparison.matrix.heat.shape
    for row in range(rows):
        for column in range(columns):
            compared.workspace.selection.select_cell(row, column)
            (figure,) = re.findall(r"P = [\d.]+", labels(view.inspector))
            assert figure in view.heatmap._describer(row, column)


def test_that_both_texts_align_the_selected_pair(compared: MainWindow, qtbot: QtBot) -> None:
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

"""Opening, deciding and copying pairs of the table, with mouse and keyboard."""

import sys

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, RIGHT_TEXT, Essay, wait_for_comparison
from tests.gui.exclusion_samples import NO_POPUPS
from tests.gui.pair_table import (
    LEFT_BUTTON,
    cells,
    chosen_rows,
    click,
    click_header,
    middle,
    names,
    settle,
    side_names,
)
from tests.gui.review_steps import undo

# --- opening, deciding, copying


def test_that_enter_and_a_double_click_open_a_pair_and_alt_left_returns_to_its_row(
    four: MainWindow, qtbot: QtBot
) -> None:
    # enter opens the pair and alt left returns to its row
    click(four, qtbot, 3)
    pair = names(four)[3]
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_Return)
    assert four.pages.currentWidget() is four.compare_view
    assert [name[0] for name in side_names(four)] == list(pair)
    four.activateWindow()
    qtbot.keyClick(four, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert four.pages.currentWidget() is four.class_page
    (row,) = chosen_rows(four)
    assert names(four)[row] == pair
    assert four.pairs_view.table.currentIndex().row() == row

    # a double click opens a pair and the menu opens it swapped
    pair = names(four)[0]
    click(four, qtbot, 0)
    qtbot.mouseDClick(four.pairs_view.table.viewport(), LEFT_BUTTON, pos=middle(four, 0))
    assert [name[0] for name in side_names(four)] == list(pair)
    four.pages.show_pairs()
    four.pairs_view.menu.swapped_action.trigger()
    assert [name[0] for name in side_names(four)] == list(reversed(pair))


def test_that_an_opened_pair_starts_at_its_longest_passage_visible_in_the_list(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    fillers = [essay(f"m{number:02}.txt", f"{OTHER_TEXT}{number}") for number in range(20)]
    window.resize(1060, 600)
    window.workspace.documents.add(
        [*fillers, essay("y.txt", LEFT_TEXT * 12), essay("z.txt", RIGHT_TEXT * 12)]
    )
    settle(window, qtbot)
    qtbot.keyClicks(window.pairs_view.filter.text, "z.t")
    click(window, qtbot, 0)
    assert names(window)[0] == "yz"
    qtbot.keyClick(window.pairs_view.table, Qt.Key.Key_Return)
    wait_for_comparison(window, qtbot)
    selection, comparison = window.workspace.selection, window.workspace.comparison
    qtbot.waitUntil(lambda: selection.passage is not None)
    found = window.workspace.passages
    units = np.minimum(found.left_units, found.right_units)
    assert units[selection.passage] == units.max()
    match = comparison.matches[found.matches_of(selection.passage)[0]]
    for side, span in ((Side.LEFT, comparison.left_span), (Side.RIGHT, comparison.right_span)):
        pane = window.compare_view.panes[side]
        assert 0 <= pane.viewport_y_of(span(match)) < pane.height()
    view = window.sidebar.documents.findChild(QListView)
    for row in (20, 21):
        assert view.viewport().rect().intersects(view.visualRect(view.model().index(row, 0)))
    selection.select(2)
    window.pages.show_pairs()
    qtbot.keyClick(window.pairs_view.table, Qt.Key.Key_Return)
    assert selection.selected == 2, "where one was reading is not left"


def test_that_cells_have_accessible_texts_and_rows_are_copied_and_stay_selected(
    four: MainWindow, qtbot: QtBot
) -> None:
    # every cell and heading has an accessible text
    model = four.pairs_view.table.model()
    spoken = model.index(0, PairColumn.SHARE_A).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("Share of A: ")
    assert "Undecided" in model.index(0, PairColumn.DECISION).data(Qt.ItemDataRole.AccessibleTextRole)
    tips = [
        model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        for column in PairColumn
    ]
    assert all(tips)
    assert four.pairs_view.table.accessibleName() == "All pairs"

    # rows are copied with their headings
    click(four, qtbot, 0)
    four.activateWindow()
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    heading, row = QGuiApplication.clipboard().text().splitlines()
    assert heading.split("\t")[:3] == ["A", "B", "Share of A"]
    assert row.split("\t")[:2] == ["a.txt", "b.txt"]
    assert len(row.split("\t")) == len(heading.split("\t")) == len(PairColumn)

    # a row stays selected when rows are sorted
    click(four, qtbot, 0)
    for column in (PairColumn.B, PairColumn.MATCHES, PairColumn.DISTANCE):
        click_header(four, qtbot, column)
        (row,) = chosen_rows(four)
        assert names(four)[row] == "ab"


def test_that_keys_decide_on_the_selected_pairs_in_one_step_that_can_be_undone(
    four: MainWindow, qtbot: QtBot
) -> None:
    # repeating a decision is no undo step
    four.pairs_view.table.selectAll()
    four.pairs_view.menu.decisions[None].trigger()
    assert not four.workspace.history.canUndo()

    # rows selected by mouse are judged in one step
    table = four.pairs_view.table
    four.activateWindow()
    click(four, qtbot, 1)
    for row, modifier in ((3, Qt.KeyboardModifier.ShiftModifier), (5, Qt.KeyboardModifier.ControlModifier)):
        qtbot.mouseClick(table.viewport(), LEFT_BUTTON, modifier, middle(four, row))
    assert table.chosen_rows() == [1, 2, 3, 5]
    qtbot.keyClick(table, Qt.Key.Key_C)
    copied, undecided = "Copied", "–"
    assert cells(four, PairColumn.DECISION) == [undecided, copied, copied, copied, undecided, copied]
    assert table.chosen_rows() == [1, 2, 3, 5]
    assert undo(four).text() == "Undo: mark 4 pairs as copied"
    qtbot.mouseClick(table.viewport(), LEFT_BUTTON, Qt.KeyboardModifier.ControlModifier, middle(four, 4))
    qtbot.keyClick(table, Qt.Key.Key_F)
    assert undo(four).text() == "Undo: mark 5 pairs as no concern"
    qtbot.keyClick(table, Qt.Key.Key_F)
    assert undo(four).text() == "Undo: withdraw the decisions on 5 pairs"
    click(four, qtbot, 1)
    qtbot.keyClick(table, Qt.Key.Key_C)
    assert undo(four).text() == "Undo: mark the pair as copied"
    for _step in range(3):
        qtbot.keyClick(four, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert undo(four).text() == "Undo: mark 4 pairs as copied"
    qtbot.keyClick(four, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert cells(four, PairColumn.DECISION) == [undecided] * 6
    assert not four.workspace.history.canUndo()

    # f and c decide on the selected pairs and can be undone
    click(four, qtbot, 0)
    four.activateWindow()
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_C)
    assert cells(four, PairColumn.DECISION)[0] == "Copied"
    assert four.workspace.review.pair_review(1, 2).overall.decision is Decision.COPIED
    assert not four.workspace.review.pair_review(1, 2).matches, "the match behind is left alone"
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_C)
    assert cells(four, PairColumn.DECISION)[0] == "–"
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_F)
    assert cells(four, PairColumn.DECISION) == ["No concern"] * 6
    four.workspace.history.undo()
    assert cells(four, PairColumn.DECISION) == ["–"] * 6


def test_that_undoing_a_decision_on_several_pairs_of_the_class_names_no_other_pair(
    four: MainWindow, qtbot: QtBot
) -> None:
    review, keys = four.workspace.review, list(four.workspace.documents.entries)
    review.decide_pairs([(keys[0], key) for key in keys[1:]], Decision.FINE)
    assert four.pairs_view.isVisible()
    four.workspace.history.undo()
    assert not four.notice.isVisible()
    assert four.status_line.message.text() == "Decisions or notes changed on 3 pairs"


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)
def test_that_the_menu_decides_on_all_selected_rows_and_says_how_many(four: MainWindow, qtbot: QtBot) -> None:
    table, page = four.pairs_view.table, four.pairs_view
    four.activateWindow()
    click(four, qtbot, 1)
    qtbot.mouseClick(table.viewport(), LEFT_BUTTON, Qt.KeyboardModifier.ShiftModifier, middle(four, 3))
    table.customContextMenuRequested.emit(middle(four, 2))
    entry = page.menu.decisions[Decision.FINE]
    assert entry.text() == "Mark 3 pairs as no concern"
    qtbot.mouseClick(page.menu, LEFT_BUTTON, pos=page.menu.actionGeometry(entry).center())
    fine, undecided = "No concern", "–"
    assert cells(four, PairColumn.DECISION) == [undecided, fine, fine, fine, undecided, undecided]
    click(four, qtbot, 0)
    table.customContextMenuRequested.emit(middle(four, 0))
    assert entry.text() == "Mark the pair as no concern"
    page.menu.close()


def test_that_a_pair_opens_at_once_and_is_compared_once(four: MainWindow, qtbot: QtBot) -> None:
    started: list[bool] = []
    four.workspace.comparison_started.connect(lambda: started.append(True))
    row = names(four).index("cd")
    click(four, qtbot, row)
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_Return)
    settle(four, qtbot)
    assert side_names(four) == ["c.txt", "d.txt"]
    assert len(started) == 1


def test_that_a_pair_with_a_decided_match_is_partly_decided(four: MainWindow, qtbot: QtBot) -> None:
    click(four, qtbot, 0)
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_Return)
    wait_for_comparison(four, qtbot)
    match = four.workspace.comparison.matches[0]
    four.workspace.review.decide((match.left, match.right), Decision.FINE)
    four.pages.show_pairs()
    assert cells(four, PairColumn.DECISION)[0] == "Partly"
    decision = four.pairs_view.filter.decision
    decision.setCurrentIndex(1)
    assert len(names(four)) == 6, "the pair as a whole is undecided"


# --- keyboard


def test_that_a_cursor_key_selects_a_row_without_a_selection(four: MainWindow, qtbot: QtBot) -> None:
    table = four.pairs_view.table
    table.setFocus()
    for key, row in (
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_Down, 0),
        (Qt.Key.Key_Up, 0),
        (Qt.Key.Key_PageDown, 0),
        (Qt.Key.Key_End, 5),
    ):
        table.setCurrentIndex(QModelIndex())
        assert chosen_rows(four) == []
        qtbot.keyClick(table, key)
        assert chosen_rows(four) == [row]
        qtbot.keyClick(table, Qt.Key.Key_Up if row else Qt.Key.Key_Down)
        assert chosen_rows(four) == [row - 1 if row else 1]


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)
def test_that_the_menu_does_not_open_filtered_pairs(four: MainWindow, qtbot: QtBot) -> None:
    click(four, qtbot, 0)
    bar, menu = four.pairs_view.filter, four.pairs_view.menu
    qtbot.keyClicks(bar.text, "d.t")
    four.pairs_view._open_menu(QPoint(5, 5))
    assert not menu.open_action.isEnabled()
    assert not menu.copy_action.isEnabled()
    menu.close()
    qtbot.mouseClick(bar.clear_button, LEFT_BUTTON)
    assert len(names(four)) == 6
    assert chosen_rows(four) == [0]
    four.pairs_view._open_menu(QPoint(5, 5))
    assert menu.open_action.isEnabled()
    menu.close()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the platform opens the menu")
@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_shift_f10_opens_the_context_menu(four: MainWindow, qtbot: QtBot) -> None:
    four.activateWindow()
    four.pairs_view.table.setFocus()
    qtbot.keyClick(four.pairs_view.table, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(four.pairs_view.menu.isVisible)
    four.pairs_view.menu.close()

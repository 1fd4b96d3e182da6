"""The table of rows that every list is: sorting, selection, keys, copying, boxes, lines below the rows."""

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from simcompare.ui.access.rows_table import Column, RowsTable, TextRow
from tests.gui.widgets import show_widget


@dataclass(frozen=True)
class Tree:
    name: str
    height_m: int


TREES = [Tree("lime", 40), Tree("ash", 35), Tree("yew", 20)]
NO_SELECTION = QItemSelectionModel.SelectionFlag.NoUpdate
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def table(qtbot: QtBot) -> RowsTable[Tree]:
    columns = (
        Column[Tree]("Name", lambda tree: tree.name, lambda tree: tree.name, is_ticked=lambda _tree: False),
        Column[Tree](
            "Height", lambda tree: f"{tree.height_m}\u00a0m", lambda tree: tree.height_m, True, True, rank=1
        ),
    )
    table = RowsTable(columns, lambda tree: tree.name)
    show_widget(table, qtbot, 400, 300)
    table.show_rows(TREES)
    return table


def names(table: RowsTable[Tree]) -> list[str]:
    return [table.model().index(row, 0).data() for row in range(table.model().rowCount())]


def test_that_a_second_click_on_a_heading_reverses_the_order_and_rows_stay_selected(
    table: RowsTable[Tree],
) -> None:
    table.select_row(2)
    header, orders = table.horizontalHeader(), []
    for section in (0, 0, 1):
        header.sectionClicked.emit(section)
        orders.append(names(table))
        assert [tree.name for tree in table.chosen()] == ["yew"]
        assert table.current() == TREES[2]
    assert orders == [["ash", "lime", "yew"], ["yew", "lime", "ash"], ["lime", "ash", "yew"]]
    assert table.model().headerData(1, Qt.Orientation.Horizontal) == "Height ▼"


def test_that_the_context_menu_sorts_by_the_visible_columns(table: RowsTable[Tree]) -> None:
    (sorting,) = table.actions()
    assert sorting.text() == "Sort by"
    sorting.menu().aboutToShow.emit()
    by_name, _by_height = sorting.menu().actions()
    by_name.trigger()
    assert names(table) == ["ash", "lime", "yew"]
    table.leave_out([1])
    sorting.menu().aboutToShow.emit()
    assert [action.text() for action in sorting.menu().actions()] == ["Name"]


def test_that_a_row_that_is_listed_again_is_selected_again(table: RowsTable[Tree]) -> None:
    table.select_row(1)
    table.show_rows([TREES[0], TREES[2]])
    assert table.chosen() == []
    assert table.current() is None
    table.show_rows(TREES)
    assert table.chosen() == [TREES[1]]
    table.show_rows([Tree("ash", 36), TREES[2], TREES[0]])
    assert table.chosen() == [Tree("ash", 36)], "other rows of the same number"


def test_that_selected_rows_are_copied_with_headings(table: RowsTable[Tree], qtbot: QtBot) -> None:
    qtbot.keyClick(table, Qt.Key.Key_A, CTRL)
    qtbot.keyClick(table, Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == "Name\tHeight\nlime\t40 m\nash\t35 m\nyew\t20 m\n"


def test_that_keys_move_open_delete_and_tick(table: RowsTable[Tree], qtbot: QtBot) -> None:
    seen: list[object] = []
    table.opened.connect(lambda: seen.append("opened"))
    table.deletion_requested.connect(lambda: seen.append("deletion"))
    table.model_of_rows.ticked.connect(lambda rows, is_ticked: seen.append((rows, is_ticked)))
    for key in (Qt.Key.Key_End, Qt.Key.Key_Return, Qt.Key.Key_Home, Qt.Key.Key_Delete, Qt.Key.Key_Space):
        qtbot.keyClick(table, key)
    assert seen == ["opened", "deletion", ([TREES[0]], True)]


def test_that_enter_opens_the_first_row_if_none_is_selected(table: RowsTable[Tree], qtbot: QtBot) -> None:
    # as Qt does when a table gets the focus
    table.selectionModel().setCurrentIndex(table.model().index(0, 0), NO_SELECTION)
    opened: list[Tree | None] = []
    table.opened.connect(lambda: opened.append(table.current()))
    table.sort_by(0)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert opened == [TREES[1]], "the first as sorted"


def test_that_enter_is_left_to_the_dialog_if_a_row_cannot_be_opened(table: RowsTable[Tree]) -> None:
    table.select_row(0)
    for is_connected in (False, True):
        if is_connected:
            table.opened.connect(lambda: None)
        press = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(table, press)
        assert press.isAccepted() is is_connected


def test_that_lines_below_the_rows_go_across_all_columns_and_are_neither_sorted_nor_chosen(
    table: RowsTable[Tree], qtbot: QtBot
) -> None:
    table.show_rows(TREES, [TextRow("▸ felled (1)", "felled (1)")])
    table.horizontalHeader().sectionClicked.emit(0)
    assert names(table) == ["ash", "lime", "yew", "▸ felled (1)"]
    line = table.model().index(3, 0)
    assert line.data(Qt.ItemDataRole.AccessibleTextRole) == "felled (1)"
    assert table.visualRect(line).width() == table.viewport().width()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(line).center())
    assert table.chosen() == []
    table.show_rows(TREES, [TextRow("▾ felled (1)", "felled (1)"), TextRow("elm", "elm")])
    assert table.currentIndex().row() == 3


def test_that_a_column_of_less_rank_makes_room_for_names(table: RowsTable[Tree], qtbot: QtBot) -> None:
    assert not table.isColumnHidden(1)
    table.show_rows([Tree("a very long name of a tree that nobody planted here", 4)])
    table.resize(180, 300)
    qtbot.waitUntil(lambda: table.isColumnHidden(1))


def test_that_what_is_shown_without_rows_covers_them(table: RowsTable[Tree]) -> None:
    hint = QLabel("none")
    table.show_when_empty(hint)
    table.show_rows([])
    assert hint.isVisible()
    assert hint.geometry() == table.viewport().geometry()
    table.show_rows(TREES)
    assert not hint.isVisible()

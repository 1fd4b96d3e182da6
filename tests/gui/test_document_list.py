"""Document list: sides, keys, menu and sorting."""

import time
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from simcompare.support import i18n
from simcompare.ui.compare.matches.passage_rows import SIDE_PX
from simcompare.ui.documents.document_list import DocumentList, DocumentRow
from simcompare.ui.documents.document_rows import badge_rect
from simcompare.ui.state.language import LANGUAGE
from tests.gui.document_rows import (
    CONTROL,
    ROWS,
    action_called,
    click,
    click_row,
    offered,
    rect_of,
    shown_list,
    view,
)
from tests.gui.match_list_samples import Marked


@pytest.fixture
def documents(qtbot: QtBot) -> DocumentList:
    return shown_list(qtbot)


def many(count: int) -> list[DocumentRow]:
    return [replace(ROWS[n % 5], id=n, name=f"{n} {ROWS[n % 5].name}", side=None) for n in range(count)]


def test_that_the_header_counts_the_documents(documents: DocumentList):
    assert [label.text() for label in documents.findChildren(QLabel)] == ["Documents", "5"]


@pytest.mark.parametrize(("side", "row"), [("left", 1), ("right", 0), ("right", 2), ("left", 0)])
def test_that_a_badge_chooses_the_side(documents: DocumentList, qtbot: QtBot, side: str, row: int):
    with qtbot.waitSignal(documents.side_chosen) as chosen:
        click(documents, qtbot, badge_rect(rect_of(documents, row), side, SIDE_PX, ROWS[row].side).center())
    assert chosen.args == [ROWS[row].id, side]


@pytest.mark.parametrize("row", [3, 4])
def test_that_a_document_that_is_not_ready_cannot_be_put_on_a_side(
    documents: DocumentList, qtbot: QtBot, row: int
):
    with qtbot.assertNotEmitted(documents.side_chosen):
        click(documents, qtbot, badge_rect(rect_of(documents, row), "left", SIDE_PX, ROWS[row].side).center())
        qtbot.keyClick(view(documents), Qt.Key.Key_L, CONTROL)
    assert not action_called(documents, "Show on the left").isEnabled()
    assert not action_called(documents, "Show on the right").isEnabled()


@pytest.mark.parametrize(("key", "side"), [(Qt.Key.Key_L, "left"), (Qt.Key.Key_R, "right")])
def test_that_the_keyboard_chooses_the_side_of_the_current_row(
    documents: DocumentList, qtbot: QtBot, key: Qt.Key, side: str
):
    documents.activateWindow()
    documents.setFocus()
    click_row(documents, qtbot, 1)
    qtbot.keyClick(view(documents), Qt.Key.Key_Down)
    with qtbot.waitSignal(documents.side_chosen) as chosen:
        qtbot.keyClick(view(documents), key, CONTROL)
    assert chosen.args == [13, side]


def test_that_delete_asks_to_remove_all_selected_rows(documents: DocumentList, qtbot: QtBot):
    documents.activateWindow()
    documents.setFocus()
    click_row(documents, qtbot, 4)
    click_row(documents, qtbot, 1, CONTROL)
    with qtbot.waitSignal(documents.remove_requested) as asked:
        qtbot.keyClick(view(documents), Qt.Key.Key_Delete)
    assert asked.args == [[12, 15]]


def test_that_the_context_menu_offers_the_same(documents: DocumentList, qtbot: QtBot):
    click_row(documents, qtbot, 2)
    assert offered(documents) == [
        "What was read…",
        "Show on the left",
        "Show on the right",
        "Use as",
        "Sort by name",
        "Remove from the list",
        "Remove all documents",
    ]
    assert view(documents).contextMenuPolicy() is Qt.ContextMenuPolicy.ActionsContextMenu
    with qtbot.waitSignal(documents.side_chosen) as chosen:
        action_called(documents, "Show on the left").trigger()
    assert chosen.args == [13, "left"]


def test_that_actions_are_disabled_without_a_selection(documents: DocumentList):
    documents.set_rows([])
    about_the_list = {documents.order_action}
    actions = [a for a in view(documents).actions() if not a.isSeparator() and a not in about_the_list]
    assert not any(action.isVisible() and action.isEnabled() for action in actions)


def test_that_progress_keeps_the_current_row_and_the_place(documents: DocumentList, qtbot: QtBot):
    documents.set_rows(many(300))
    view(documents).setCurrentIndex(view(documents).model().index(150, 0))
    before = view(documents).verticalScrollBar().value()
    documents.set_rows([replace(row, detail="65%") for row in many(300)])
    assert view(documents).currentIndex().row() == 150
    assert view(documents).verticalScrollBar().value() == before > 0
    assert view(documents).currentIndex().data(Qt.ItemDataRole.AccessibleTextRole).endswith("65%")


def test_that_the_current_document_stays_current_when_others_are_added_or_removed(
    documents: DocumentList, qtbot: QtBot
):
    click_row(documents, qtbot, 2)
    documents.set_rows([DocumentRow(99, "新.txt", "waiting", "", None, ""), *ROWS[1:]])
    assert view(documents).currentIndex().data() == "我和外婆.html"
    assert [index.row() for index in view(documents).selectionModel().selectedIndexes()] == [2]
    documents.set_rows(ROWS[:2])
    assert not view(documents).selectionModel().hasSelection()


def test_that_three_hundred_rows_are_set_and_updated(documents: DocumentList, qtbot: QtBot, record_property):
    began = time.perf_counter()
    documents.set_rows(many(300))
    documents.set_rows([replace(row, state="ready") for row in many(300)])
    documents.repaint()
    record_property("set_rows_ms", round((time.perf_counter() - began) * 1000, 1))
    assert view(documents).model().rowCount() == 300


def test_that_texts_follow_the_language(documents: DocumentList, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(i18n._CurrentLanguage, "catalogue", Marked())
    LANGUAGE.changed.emit()
    assert documents.findChildren(QLabel)[0].text() == "~Documents"
    assert view(documents).actions()[0].text() == "~What was read…"


def test_that_all_documents_are_removed_at_once(documents: DocumentList, qtbot: QtBot):
    with qtbot.waitSignal(documents.remove_requested) as asked:
        action_called(documents, "Remove all documents").trigger()
    assert asked.args == [[11, 12, 13, 14, 15]]


def test_that_sorting_by_name_can_be_switched_on_and_off(documents: DocumentList):
    names = ["essay 10.txt", "Essay 2.txt", "a.txt"]
    documents.set_rows([replace(ROWS[2], id=number, name=name) for number, name in enumerate(names)])
    action_called(documents, "Sort by name").trigger()
    shown = [view(documents).model().index(row, 0).data() for row in range(3)]
    assert shown == ["a.txt", "Essay 2.txt", "essay 10.txt"]
    action_called(documents, "Sort by name").trigger()
    assert [view(documents).model().index(row, 0).data() for row in range(3)] == names


def test_that_the_reason_of_a_problem_has_two_lines_beside_the_passages_of_a_pair(qtbot: QtBot) -> None:
    documents = shown_list(qtbot)
    height_px = view(documents).sizeHintForRow(4)
    documents.show_brief(True)
    line_px = QFontMetrics(documents.font()).lineSpacing()
    assert view(documents).sizeHintForRow(4) < height_px - 2 * line_px

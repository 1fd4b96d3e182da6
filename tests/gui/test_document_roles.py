"""Drafts, templates, earlier work and class lists in the document list: order, folding, menu of roles."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from simcompare.session.school_class import DocumentRole
from simcompare.ui.documents.document_list import DocumentList, DocumentRow, places_of
from simcompare.ui.documents.document_rows import ROW_ROLE, offer_rect
from tests.gui.document_rows import CONTROL, click, click_row, double_click_row, offered, rect_of, view
from tests.gui.widgets import show_widget

DRAFT, OLD, TEMPLATE = DocumentRole.DRAFT, DocumentRole.OLD, DocumentRole.TEMPLATE
ROWS = [
    DocumentRow(1, "question.docx", "ready", "80 characters", None, "", role=TEMPLATE, is_chosen=True),
    DocumentRow(2, "王伟.docx", "ready", "900 characters", None, ""),
    DocumentRow(3, "王伟初稿.docx", "ready", "600 characters", None, "", role=DRAFT, essay=2),
    DocumentRow(4, "李娜.docx", "ready", "870 characters", None, ""),
    DocumentRow(5, "2024 a.docx", "ready", "800 characters", None, "", role=OLD, place="2024"),
    DocumentRow(6, "2024 b.docx", "ready", "810 characters", None, "", role=OLD, place="2024"),
    DocumentRow(-9, "名单.csv", "roster", "42 students", None, ""),
]


@pytest.fixture
def documents(qtbot: QtBot) -> Iterator[DocumentList]:
    widget = DocumentList()
    widget.set_rows(ROWS)
    show_widget(widget, qtbot, 240, 620)
    return widget


def names(documents: DocumentList) -> list[str]:
    model = view(documents).model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def click_fold(documents: DocumentList, qtbot: QtBot, row: int) -> None:
    shown = view(documents).model().index(row, 0).data(ROW_ROLE)
    place = offer_rect(rect_of(documents, row), shown, view(documents).font(), len(shown.offers) - 1)
    click(documents, qtbot, place.center())


def role_entry(documents: DocumentList, role: DocumentRole) -> QAction:
    return documents.role_menu.roles[role]


def test_that_drafts_and_earlier_work_are_folded_and_templates_come_after_the_essays(
    documents: DocumentList,
) -> None:
    assert names(documents) == ["王伟.docx", "李娜.docx", "question.docx", "名单.csv", "2024"]


def test_that_a_click_shows_the_draft_below_its_essay_and_another_one_hides_it(
    documents: DocumentList, qtbot: QtBot
) -> None:
    click_fold(documents, qtbot, 0)
    assert names(documents)[:3] == ["王伟.docx", "王伟初稿.docx", "李娜.docx"]
    click_fold(documents, qtbot, 0)
    assert names(documents)[:2] == ["王伟.docx", "李娜.docx"]


def test_that_a_click_on_the_heading_shows_the_earlier_work_and_enter_hides_it(
    documents: DocumentList, qtbot: QtBot
) -> None:
    click_row(documents, qtbot, 4)
    qtbot.waitUntil(lambda: names(documents)[4:] == ["2024", "2024 a.docx", "2024 b.docx"])
    qtbot.keyClick(view(documents), Qt.Key.Key_Return)
    assert names(documents)[4:] == ["2024"]


def test_that_a_double_click_on_the_heading_shows_the_earlier_work_once(
    documents: DocumentList, qtbot: QtBot
) -> None:
    double_click_row(documents, qtbot, 4)
    qtbot.waitUntil(lambda: len(names(documents)) == 7)


def test_that_a_folded_document_is_shown_when_it_is_asked_for(documents: DocumentList) -> None:
    documents.select_next([6])
    assert view(documents).currentIndex().data() == "2024 b.docx"
    documents.select_next([3])
    assert view(documents).currentIndex().data() == "王伟初稿.docx"


def test_that_the_heading_represents_the_documents_below_it(documents: DocumentList, qtbot: QtBot) -> None:
    documents.activateWindow()
    documents.setFocus()
    click_row(documents, qtbot, 4)
    with qtbot.waitSignal(documents.remove_requested) as asked:
        qtbot.keyClick(view(documents), Qt.Key.Key_Delete)
    assert asked.args == [[5, 6]]


def test_that_several_documents_become_templates_at_once(documents: DocumentList, qtbot: QtBot) -> None:
    click_row(documents, qtbot, 0)
    click_row(documents, qtbot, 1, CONTROL)
    with qtbot.waitSignal(documents.role_chosen) as chosen:
        role_entry(documents, TEMPLATE).trigger()
    assert chosen.args == [[2, 4], TEMPLATE]


def test_that_the_menu_ticks_the_role_and_marks_the_one_detected(
    documents: DocumentList, qtbot: QtBot
) -> None:
    click_row(documents, qtbot, 2)
    assert role_entry(documents, TEMPLATE).isChecked()
    assert role_entry(documents, TEMPLATE).text() == "Template"
    assert documents.role_menu.as_detected.isEnabled()
    click_row(documents, qtbot, 0)
    assert role_entry(documents, DocumentRole.CURRENT).isChecked()
    assert role_entry(documents, DocumentRole.CURRENT).text() == "Essay of the class (detected)"
    assert not documents.role_menu.as_detected.isEnabled()
    click_row(documents, qtbot, 2, CONTROL)
    assert not any(action.isChecked() for action in documents.role_menu.roles.values())
    with qtbot.waitSignal(documents.role_chosen) as chosen:
        documents.role_menu.as_detected.trigger()
    assert chosen.args == [[2, 1], None]


def test_that_a_class_list_has_no_role_and_opens_its_students(documents: DocumentList, qtbot: QtBot) -> None:
    with qtbot.waitSignal(documents.roster_requested) as asked:
        double_click_row(documents, qtbot, 3)
    assert asked.args == [-9]
    assert "Use as" not in offered(documents)


def test_that_a_screen_reader_gets_the_role_of_a_document(documents: DocumentList) -> None:
    model = view(documents).model()
    spoken = [model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(model.rowCount())]
    assert spoken[0] == "王伟.docx, 900 characters, Show 1 other file"
    assert spoken[2] == "question.docx, Template, 80 characters"
    assert spoken[4] == "2024, folded, 2 earlier essays"


def test_that_earlier_work_is_named_after_its_year_or_else_its_folder_or_archive() -> None:
    def places(*paths: str) -> set[str]:
        return set(places_of({number: Path(path) for number, path in enumerate(paths)}).values())

    assert places("/a/2024/x.txt", "/a/2024/y.txt") == {"2024"}
    assert places("/a/2024/王伟/x.txt", "/a/2024/李芳/y.txt") == {"2024"}
    years = [f"/a/{year}/{number}.txt" for year in (2023, 2024) for number in range(3)]
    assert places(*years) == {"2023", "2024"}
    assert places("/a/2022届.zip/王伟/x.txt") == {"2022届.zip"}
    assert places("Pasted text") == {"Earlier work"}


@pytest.mark.parametrize(
    ("state", "duplicate_of", "is_chosen", "badge"),
    [
        ("ready", None, False, "Draft"),
        ("problem", None, False, ""),
        ("ready", 2, False, ""),
        ("ready", 2, True, "Draft"),
    ],
)
def test_that_a_damaged_or_identical_file_is_called_a_draft_only_if_the_teacher_says_so(
    state: str, duplicate_of: int | None, is_chosen: bool, badge: str
) -> None:
    row = DocumentRow(1, "附件.docx", state, "", None, "", duplicate_of=duplicate_of)
    assert replace(row, role=DocumentRole.DRAFT, is_chosen=is_chosen).badge == badge

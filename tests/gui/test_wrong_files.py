"""A folder with files that cannot be essays: named with their reasons, and no students."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.ui.documents.document_list import ProblemMenu
from simcompare.ui.export.workspace_sources import class_snapshot
from simcompare.ui.main_window import MainWindow
from tests.gui.class_samples import NAMES, write_class
from tests.gui.class_windows import document_key, settle_class_page, students
from tests.gui.conftest import LEFT_TEXT, wait_for_comparison
from tests.gui.document_rows import view as list_view
from tests.gui.loading_samples import write_docx_with_white_text
from tests.gui.session_steps import drop
from tests.helpers.patience import PATIENCE_MS

WRONG = {
    "安装程序.exe": (b"MZ\x90\0\3" + bytes(99), "is not an essay (program)"),
    "成绩.xlsx": (b"PK\3\4 cut short", "is not an essay (damaged workbook; if it is the class list"),
    "评分表.csv": ("题目,满分,得分\n一,20,18\n二,30,25\n".encode(), "is not an essay (table of figures"),
    "2025009-钱七.txt": ("你好老师呀".encode(), "is not an essay (its text has fewer than 10"),
    "空.docx": (b"", "is empty: there is no text in it"),
}


@pytest.fixture
def mixed(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    write_class(tmp_path)
    for name, (data, _reason) in WRONG.items():
        (tmp_path / name).write_bytes(data)
    drop(window, tmp_path)
    settle_class_page(window, qtbot)
    return window


@pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)
def test_that_wrong_files_are_no_students_and_are_listed_once_with_their_reasons(
    mixed: MainWindow, qtbot: QtBot
) -> None:
    assert sorted(students(mixed)) == sorted(NAMES[:6])
    assert mixed.class_page._student_count.text() == "6 students"
    assert mixed.status_line._documents.text() == "11 documents · 6 ready"
    link = mixed.status_line.problems_button
    assert link.text() == "1 file could not be read, 4 files are not essays"
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    menu = mixed.findChild(ProblemMenu)
    lines = dict(action.text().split("\t") for action in menu.actions())
    assert not {name for name, (_data, reason) in WRONG.items() if not lines[name].startswith(reason)}
    menu.hide()


def test_that_a_class_report_of_the_window_counts_no_student_for_them(mixed: MainWindow) -> None:
    check = class_snapshot(mixed.workspace).check(with_notes=True)
    assert len(check.students) == len(check.school.students) == 6
    assert {document.path.name for document in check.cohort.unread} == WRONG.keys()


def test_that_a_short_text_is_compared_at_the_request_of_the_teacher(mixed: MainWindow, qtbot: QtBot) -> None:
    key = document_key(mixed, "2025009-钱七.txt")
    view = list_view(mixed.sidebar.documents)
    row = next(row for row in mixed.sidebar.documents._all if row.id == key)
    assert [offer.text for offer in row.offers] == ["Compare it anyway"]
    mixed.sidebar.documents.select_next([key])
    mixed.sidebar.documents.reading_again_requested.emit([key])
    settle_class_page(mixed, qtbot)
    assert "钱七" in students(mixed)
    assert view.model().rowCount() == 11


def test_that_the_notice_counts_again_when_one_of_several_files_can_be_read_after_all(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    documents, label = window.workspace.documents, window.notice.label
    paths = [tmp_path / f"{name}.txt" for name in ("Emma", "Liam", "Mia")]
    documents.add(paths)
    qtbot.waitUntil(lambda: label.text() == "3 files could not be read.", timeout=PATIENCE_MS)
    for count, words in ((2, "2 files could not be read."), (1, "Mia.txt cannot be opened")):
        paths[2 - count].write_text(" ".join(LEFT_TEXT), "utf-8")
        documents.read_again([document_key(window, paths[2 - count].name)])
        qtbot.waitUntil(lambda words=words: label.text().startswith(words), timeout=PATIENCE_MS)
    window.notice.dismiss_button.click()
    paths[2].write_text(" ".join(LEFT_TEXT), "utf-8")
    documents.read_again([document_key(window, "Mia.txt")])
    qtbot.waitUntil(lambda: not documents.problems, timeout=PATIENCE_MS)
    assert not window.notice.isVisible()


def test_that_doubtful_documents_that_are_compared_count_as_ready(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    drop(window, *(write_docx_with_white_text(tmp_path / f"{name}.docx") for name in "ab"))
    wait_for_comparison(window, qtbot)
    assert window.status_line._documents.text() == "2 documents · 2 ready"
    assert window.status_line.problems_button.text() == "2 files to check"

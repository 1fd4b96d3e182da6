"""Recognised students before an anonymous export: corrections, lists, and warnings of unknown students."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from simcompare.ui.main_window import MainWindow
from tests.gui.anonymous_exports import (
    LI,
    UNKNOWN,
    WANG,
    ZHAO,
    accept,
    column,
    open_anonymous,
    open_who_is_who,
)
from tests.gui.conftest import Essay, wait_for_comparison
from tests.gui.exporting import (
    WRITING_TIMEOUT_MS,
    choose_source,
    open_export,
    type_into,
    write,
)
from tests.helpers.essay_files import write_docx


def test_that_a_corrected_name_is_replaced(window: MainWindow, essay: Essay, out: Path, qtbot: QtBot) -> None:
    text = "河边的童年\n小石头非常喜欢看爷爷补网。清晨的河面上飘着一层薄薄的雾。"
    window.workspace.documents.add([essay("作文一.txt", text), essay("李明.txt", LI)])
    wait_for_comparison(window, qtbot)
    dialog = open_anonymous(window, qtbot)
    names = open_who_is_who(dialog, qtbot)
    assert column(names, 1) == ["", "李明"]
    assert column(names, 3)[0].startswith("Text 0")
    names.table.editItem(names.table.item(0, 1))
    [editor] = names.table.findChildren(QLineEdit)
    typed = QInputMethodEvent()
    typed.setCommitString("小石头")
    QApplication.sendEvent(editor, typed)
    # the click commits the cell being edited
    accept(names, qtbot)
    type_into(dialog, qtbot, name="anonymous", folder=out)
    write(window, dialog, qtbot)
    page = (out / "anonymous.html").read_text("utf-8")
    assert "小石头" not in page
    assert "李明" not in page


def test_that_a_list_of_students_adds_other_spellings(pupils: MainWindow, essay: Essay, qtbot: QtBot) -> None:
    roster = essay("class.csv", "姓名,学号,别名\n王小红,20230501,小红\n李明,20230502,明明\n赵刚,20230503,\n")
    dialog = open_anonymous(pupils, qtbot)
    names = open_who_is_who(dialog, qtbot)
    names.read_list(roster)
    qtbot.waitUntil(lambda: column(names, 2) == ["20230501", "20230502"], timeout=WRITING_TIMEOUT_MS)
    qtbot.waitUntil(lambda: "1 other student" in names.message.text(), timeout=WRITING_TIMEOUT_MS)
    accept(names, qtbot)
    assert dialog.names.pseudonyms.replaced("小红来了").startswith("Student 0")
    assert pupils.workspace.pseudonyms == dialog.names.pseudonyms
    dialog.reject()


def test_that_an_invalid_list_is_reported_in_the_dialog(
    pupils: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    empty = essay("class.csv", "姓名,学号\n")
    dialog = open_anonymous(pupils, qtbot)
    names = open_who_is_who(dialog, qtbot)
    names.read_list(empty)
    qtbot.waitUntil(
        lambda: "class.csv cannot be used as a list of students" in names.message.text(),
        timeout=WRITING_TIMEOUT_MS,
    )
    qtbot.keyClick(names, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    dialog.reject()


def test_that_a_correction_keeps_the_pseudonyms_of_other_students(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    files = [essay(f"{name}.txt", f"{LI}{name}") for name in ("王小红", "李明", "赵刚", "陈晨", "周洁")]
    window.workspace.documents.add(files)
    wait_for_comparison(window, qtbot)
    dialog = open_anonymous(window, qtbot)
    before = dialog.names.pseudonyms
    assert before is not None
    names = open_who_is_who(dialog, qtbot)
    names.table.item(0, 1).setText("王晓红")
    accept(names, qtbot)
    saved_names = dialog.names.pseudonyms
    assert saved_names is not None
    known = before.known_students(file for owner in before.owners for file in owner.files)
    changed = [
        student.path
        for student in known
        if saved_names.owner_of(student.path) != before.owner_of(student.path)
    ]
    assert len(changed) == 1
    assert [saved_names.path_of(student.path) for student in known] == [
        before.path_of(student.path) for student in known
    ]
    dialog.reject()


def test_that_a_name_of_two_students_needs_a_number(window: MainWindow, essay: Essay, qtbot: QtBot) -> None:
    window.workspace.documents.add([essay("王小红 河边.txt", WANG), essay("李明.txt", LI)])
    wait_for_comparison(window, qtbot)
    dialog = open_anonymous(window, qtbot)
    names = open_who_is_who(dialog, qtbot)
    names.read_list(essay("class.csv", "王小红,20230501\n王小红,20230502\n李明,20230503\n"))
    question = "Several students are called 王小红: give the student number for 王小红 河边.txt."
    qtbot.waitUntil(lambda: names.message.text() == question, timeout=WRITING_TIMEOUT_MS)
    assert column(names, 3)[0].startswith("Text 0")
    names.table.item(0, 2).setText("20230502")
    qtbot.waitUntil(lambda: "1 other student" in names.message.text(), timeout=WRITING_TIMEOUT_MS)
    assert column(names, 3)[0].startswith("Student 0")
    accept(names, qtbot)
    dialog.reject()


def test_that_a_correction_cancelled_while_it_is_processed_changes_nothing(
    pupils: MainWindow, qtbot: QtBot
) -> None:
    dialog = open_anonymous(pupils, qtbot)
    before, saved_names = dialog.names.pseudonyms, pupils.workspace.pseudonyms
    names = open_who_is_who(dialog, qtbot)
    names.table.item(0, 1).setText("王晓红")
    qtbot.keyClick(names, Qt.Key.Key_Escape)
    runner = pupils.export._name_search
    qtbot.waitUntil(lambda: runner._running is None, timeout=WRITING_TIMEOUT_MS)
    assert dialog.names.pseudonyms == before
    assert pupils.workspace.pseudonyms == saved_names
    again = open_who_is_who(dialog, qtbot)
    assert "王晓红" not in column(again, 1)
    again.reject()
    dialog.reject()


def test_that_a_failed_correction_cannot_be_confirmed(pupils: MainWindow, qtbot: QtBot) -> None:
    dialog = open_anonymous(pupils, qtbot)
    before = dialog.names.pseudonyms
    names = open_who_is_who(dialog, qtbot)
    names.table.item(0, 1).setText("王晓红")
    pupils.export._name_search.answered.emit(RuntimeError("no memory"))
    assert names.message.text() == "no memory"
    assert not names.ok_button.isEnabled()
    qtbot.keyClick(names.table, Qt.Key.Key_Return)
    assert names.isVisible()
    assert dialog.names.pseudonyms == before
    names.table.item(0, 1).setText("王小红")
    assert names.ok_button.isEnabled()
    accept(names, qtbot)
    dialog.reject()


def test_that_an_invalid_list_does_not_discard_corrections(
    pupils: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    empty = essay("class.csv", "姓名,学号\n")
    dialog = open_anonymous(pupils, qtbot)
    names = open_who_is_who(dialog, qtbot)
    row = column(names, 1).index("王小红")
    names.table.item(row, 1).setText("王晓红")
    names.read_list(empty)  # before the result arrives
    qtbot.waitUntil(lambda: "cannot be used as a list" in names.message.text(), timeout=WRITING_TIMEOUT_MS)
    accept(names, qtbot)
    assert "王晓红" in {owner.display_name for owner in dialog.names.pseudonyms.owners}
    dialog.reject()


# --- warnings of unknown students


@pytest.fixture
def nameless(window: MainWindow, essay: Essay, qtbot: QtBot) -> MainWindow:
    """Window with two essays, one of them without a student's name."""
    window.workspace.documents.add([essay("李明.txt", LI), essay("作文一.txt", UNKNOWN)])
    wait_for_comparison(window, qtbot)
    return window


def test_that_files_without_a_known_student_are_warned_of(nameless: MainWindow, qtbot: QtBot) -> None:
    dialog = open_export(nameless, qtbot)
    assert not dialog.names.warning.isVisible()
    dialog.reject()
    dialog = open_anonymous(nameless, qtbot)
    assert dialog.names.warning.isVisible()
    assert "作文一.txt" in dialog.names.warning.text
    assert "李明" not in dialog.names.warning.text
    assert "Name key" in dialog.names.warning.text
    # shown by an icon as well as by a colour
    assert not dialog.names.warning.icon.pixmap().isNull()
    dialog.reject()


def test_that_the_warning_disappears_after_the_student_is_entered(nameless: MainWindow, qtbot: QtBot) -> None:
    dialog = open_anonymous(nameless, qtbot)
    names = open_who_is_who(dialog, qtbot)
    row = column(names, 0).index("作文一.txt")
    assert names.table.currentRow() == row
    names.table.item(row, 1).setText("陈一")
    accept(names, qtbot)
    qtbot.waitUntil(lambda: not dialog.names.warning.isVisible())
    dialog.reject()


def test_that_a_student_number_without_a_name_keeps_the_warning(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    window.workspace.documents.add([essay("20190107.txt", UNKNOWN), essay("李明.txt", LI)])
    wait_for_comparison(window, qtbot)
    dialog = open_anonymous(window, qtbot)
    assert "20190107.txt" in dialog.names.warning.text
    dialog.reject()


def test_that_files_of_the_same_name_are_recognised_by_folders_and_first_lines(
    window: MainWindow, tmp_path: Path, out: Path, qtbot: QtBot
) -> None:
    files = []
    for folder, words in (("李小明", "三年级2班 李小明 学号20230107"), ("第二组", "姓名：王芳")):
        (tmp_path / folder).mkdir()
        files.append(write_docx(tmp_path / folder / "作文.docx", "河边的童年", [words, UNKNOWN]))
    window.workspace.documents.add(files)
    wait_for_comparison(window, qtbot)
    dialog = open_anonymous(window, qtbot)
    assert not dialog.names.warning.isVisible()
    names = open_who_is_who(dialog, qtbot)
    assert column(names, 1) == ["李小明", "王芳"]
    assert column(names, 2) == ["20230107", ""]
    qtbot.keyClick(names, Qt.Key.Key_Escape)
    type_into(dialog, qtbot, folder=out)
    write(window, dialog, qtbot)
    [path] = out.iterdir()
    page = path.read_text("utf-8")
    assert not any(exported in page + path.name for exported in ("李小明", "王芳", "20230107"))


def test_that_there_is_no_warning_of_files_that_are_not_exported(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    files = [essay("王小红.txt", WANG), essay("李明.txt", LI), essay("作文三.txt", ZHAO)]
    window.workspace.documents.add(files)
    wait_for_comparison(window, qtbot)
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=WRITING_TIMEOUT_MS)
    window.pairs_view.table.selectAll()
    window.pages.show_compare()
    dialog = open_anonymous(window, qtbot)
    choose_source(dialog, "selected pairs", qtbot)
    assert "作文三.txt" in dialog.names.warning.text
    choose_source(dialog, "王小红", qtbot)
    assert not dialog.names.warning.isVisible()
    dialog.reject()

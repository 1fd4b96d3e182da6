"""Anonymous exports and the dialog of students."""

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from simcompare.export.export_sources import ANNOTATED, ZIP
from simcompare.loading import load_document
from simcompare.session.session_reader import read_session
from simcompare.support.resources import resource_path
from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.export.names_dialog import NamesDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from tests.gui.conftest import wait_for_comparison
from tests.gui.exporting import (
    WRITING_TIMEOUT_MS,
    choose,
    choose_source,
    confirm,
    open_export,
    type_into,
    wait_for_preview,
    words_of_preview,
)
from tests.helpers.essay_files import write_docx

Essay = Callable[[str, str], Path]
UNKNOWN = "我家门前有一条小河。清晨的河面上飘着一层薄薄的雾。"
WANG = "河边的童年\n我叫王小红，我非常喜欢看爷爷补网。清晨的河面上飘着一层薄薄的雾。李明也在那里。"
LI = "家乡的小河\n清晨的河面上飘着一层薄薄的雾。王小红和李明都非常喜欢看爷爷补网。"
ZHAO = "操场\n体育课上大家都在练习跳绳。老师吹响了哨子，比赛马上开始。"


@pytest.fixture
def pupils(window: MainWindow, essay: Essay, qtbot: QtBot) -> MainWindow:
    """Window with the essays of two pupils, which mention each other."""
    window.workspace.documents.add([essay("王小红 河边的童年.txt", WANG), essay("李明 家乡的小河.txt", LI)])
    wait_for_comparison(window, qtbot)
    return window


def open_anonymous(window: MainWindow, qtbot: QtBot) -> ExportDialog:
    """Open the dialog and check the box by its key, unless it was checked the last time."""
    dialog = open_export(window, qtbot)
    if not dialog.names.box.isChecked():
        dialog.names.box.setFocus()
        qtbot.keyClick(dialog.names.box, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: dialog.names.is_ready, timeout=WRITING_TIMEOUT_MS)
    return dialog


def write(window: MainWindow, dialog: ExportDialog, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.export.ended, timeout=WRITING_TIMEOUT_MS):
        confirm(dialog, qtbot)


def open_who_is_who(dialog: ExportDialog, qtbot: QtBot) -> NamesDialog:
    qtbot.mouseClick(dialog.names.button, Qt.MouseButton.LeftButton)
    [names] = [each for each in dialog.findChildren(NamesDialog) if each.isVisible()]
    return names


def column(names: NamesDialog, number: int) -> list[str]:
    return [names.table.item(row, number).text() for row in range(names.table.rowCount())]


def accept(names: NamesDialog, qtbot: QtBot) -> None:
    with qtbot.waitSignal(names.accepted, timeout=WRITING_TIMEOUT_MS):
        qtbot.mouseClick(names.ok_button, Qt.MouseButton.LeftButton)


def test_that_an_anonymous_report_has_no_names_in_file_name_and_text(
    pupils: MainWindow, out: Path, qtbot: QtBot
) -> None:
    dialog = open_anonymous(pupils, qtbot)
    assert dialog.name.name in {"Student 01 – Student 02", "Student 02 – Student 01"}
    type_into(dialog, qtbot, folder=out)
    write(pupils, dialog, qtbot)
    [path] = out.iterdir()
    page = path.read_text("utf-8")
    assert "Student 0" in page
    assert all(name not in page + path.name for name in ("王小红", "李明"))
    assert "清晨的河面上飘着一层薄薄的雾" in page


def test_that_the_file_name_is_in_the_language_of_the_report(
    pupils: MainWindow, out: Path, qtbot: QtBot
) -> None:
    dialog = open_anonymous(pupils, qtbot)
    choose(dialog.language, "zh", qtbot)
    assert dialog.name.name in {"学生 01 – 学生 02", "学生 02 – 学生 01"}
    type_into(dialog, qtbot, folder=out)
    write(pupils, dialog, qtbot)
    [path] = out.iterdir()
    assert path.name.startswith("学生 0")
    assert "Student 0" not in path.read_text("utf-8")


def test_that_names_are_not_replaced_by_default(pupils: MainWindow, out: Path, qtbot: QtBot) -> None:
    dialog = open_export(pupils, qtbot)
    assert not dialog.names.button.isVisible()
    type_into(dialog, qtbot, folder=out)
    write(pupils, dialog, qtbot)
    [path] = out.iterdir()
    assert "王小红" in path.read_text("utf-8")
    assert pupils.workspace.pseudonyms is None


def test_that_pseudonyms_are_saved_in_the_session(
    pupils: MainWindow, out: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    dialog = open_anonymous(pupils, qtbot)
    type_into(dialog, qtbot, folder=out)
    write(pupils, dialog, qtbot)
    assert pupils.sessions.keeper.is_modified
    path = tmp_path / "class.simcompare"
    with qtbot.waitSignal(pupils.sessions.keeper.saved, timeout=WRITING_TIMEOUT_MS):
        pupils.sessions.keeper.save(path)
    saved_names = read_session(path).pseudonyms
    assert saved_names is not None
    assert {owner.display_name for owner in saved_names.owners} == {"王小红", "李明"}
    again = open_anonymous(pupils, qtbot)
    assert again.names.pseudonyms == saved_names
    again.reject()


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


def test_that_anonymous_copies_are_made_of_word_files_and_refused_for_text_files(
    window: MainWindow, tmp_path: Path, out: Path, essay: Essay, qtbot: QtBot
) -> None:
    word = write_docx(tmp_path / "王小红.docx", "河边的童年", WANG.splitlines()[1:])
    window.workspace.documents.add([word, essay("李明.txt", LI)])
    wait_for_comparison(window, qtbot)
    dialog = open_anonymous(window, qtbot)
    choose(dialog.form, ANNOTATED, qtbot)
    type_into(dialog, qtbot, folder=out)
    write(window, dialog, qtbot)
    [copy] = out.iterdir()
    assert copy.name.startswith("Student 0")
    assert "王小红" not in load_document(copy).text
    assert "王小红" not in "".join(one.text for one in docx.Document(str(copy)).paragraphs)
    assert "李明.txt cannot be annotated" in window.notice.label.text()


def copy_sample(name: str, path: Path) -> Path:
    return Path(shutil.copy(resource_path("samples", name), path))


def test_that_an_anonymous_annotated_pdf_is_refused_and_the_word_copy_is_written(
    window: MainWindow, tmp_path: Path, out: Path, qtbot: QtBot
) -> None:
    pdf = copy_sample("石桥记.pdf", tmp_path / "王小红.pdf")
    window.workspace.documents.add([pdf, copy_sample("家乡的石桥.docx", tmp_path / "李明.docx")])
    wait_for_comparison(window, qtbot)
    dialog = open_anonymous(window, qtbot)
    choose(dialog.form, ANNOTATED, qtbot)
    wait_for_preview(dialog, qtbot)
    refusal = "No anonymous copy of 王小红.pdf can be made: names cannot be removed from the pages of a PDF. "
    qtbot.waitUntil(lambda: refusal in words_of_preview(dialog), timeout=WRITING_TIMEOUT_MS)
    type_into(dialog, qtbot, folder=out)
    write(window, dialog, qtbot)
    (copy,) = out.iterdir()
    assert copy.suffix == ".docx"
    assert refusal in window.notice.label.text()


def test_that_pdfs_can_only_be_annotated_with_names(
    window: MainWindow, tmp_path: Path, out: Path, qtbot: QtBot
) -> None:
    pdfs = [copy_sample("石桥记.pdf", tmp_path / f"{name}.pdf") for name in ("王小红", "李明")]
    window.workspace.documents.add(pdfs)
    wait_for_comparison(window, qtbot)
    dialog = open_anonymous(window, qtbot)
    choose(dialog.form, ANNOTATED, qtbot)
    type_into(dialog, qtbot, folder=out)
    assert not dialog.export_button.isEnabled()
    assert "None of these files can be annotated" in dialog.message.text()
    wait_for_preview(dialog, qtbot)
    remedy = "Export the anonymous report of the pair, which holds both texts"
    qtbot.waitUntil(lambda: words_of_preview(dialog).count(remedy) == 2, timeout=WRITING_TIMEOUT_MS)
    qtbot.keyClick(dialog.names.box, Qt.Key.Key_Space)
    assert dialog.export_button.isEnabled()
    dialog.reject()


def test_that_an_anonymous_bundle_has_no_names(
    window: MainWindow, essay: Essay, out: Path, qtbot: QtBot
) -> None:
    texts = {"王小红": WANG, "李明": LI, "赵刚": ZHAO}
    window.workspace.documents.add([essay(f"{name}.txt", text) for name, text in texts.items()])
    qtbot.waitUntil(
        lambda: not window.workspace.is_busy and not window.workspace.pairs._change_delay.isActive(),
        timeout=WRITING_TIMEOUT_MS,
    )
    window.pairs_view.table.selectAll()
    dialog = open_anonymous(window, qtbot)
    choose_source(dialog, "chosen pairs", qtbot)
    choose(dialog.form, ".html", qtbot)
    choose(dialog.packing, ZIP, qtbot)
    choose(dialog.language, "zh", qtbot)
    type_into(dialog, qtbot, name="四班", folder=out)
    write(window, dialog, qtbot)
    with zipfile.ZipFile(out / "四班.zip") as archive:
        names = archive.namelist()
        exported = "".join(archive.read(name).decode("utf-8", "replace") for name in names)
    assert len([name for name in names if name.startswith("reports/")]) == 3
    assert all(name not in exported + "".join(names) for name in texts)
    assert 'lang="zh-Hans"' in exported


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
    changed = [one.path for one in known if saved_names.owner_of(one.path) != before.owner_of(one.path)]
    assert len(changed) == 1
    assert [saved_names.path_of(one.path) for one in known] == [before.path_of(one.path) for one in known]
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
    assert "Who is who" in dialog.names.warning.text
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
    dialog = open_anonymous(window, qtbot)
    choose_source(dialog, "chosen pairs", qtbot)
    assert "作文三.txt" in dialog.names.warning.text
    choose_source(dialog, "王小红.txt", qtbot)
    assert not dialog.names.warning.isVisible()
    dialog.reject()


def test_that_anonymous_exports_omit_notes_by_default(pupils: MainWindow, qtbot: QtBot) -> None:
    dialog = open_export(pupils, qtbot)
    assert dialog.with_notes.isChecked()
    dialog.reject()
    dialog = open_anonymous(pupils, qtbot)
    assert not dialog.with_notes.isChecked()
    qtbot.keyClick(dialog.with_notes, Qt.Key.Key_Space)
    assert dialog.plan.with_notes
    qtbot.keyClick(dialog.names.box, Qt.Key.Key_Space)
    assert dialog.with_notes.isChecked()
    qtbot.keyClick(dialog.with_notes, Qt.Key.Key_Space)
    qtbot.keyClick(dialog.names.box, Qt.Key.Key_Space)
    assert dialog.with_notes.isChecked()
    dialog.reject()


def test_that_the_choice_to_replace_names_is_remembered(pupils: MainWindow, out: Path, qtbot: QtBot) -> None:
    dialog = open_anonymous(pupils, qtbot)
    type_into(dialog, qtbot, folder=out)
    write(pupils, dialog, qtbot)
    again = open_export(pupils, qtbot)
    assert again.names.box.isChecked()
    assert not again.with_notes.isChecked()
    again.reject()
    assert Preferences().export_choices["names"] == "replaced"


def test_that_anonymous_tables_have_their_own_file_name(
    pupils: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    pupils.workspace.documents.add([essay("赵刚.txt", ZHAO)])
    qtbot.waitUntil(lambda: len(pupils.workspace.pairs.table) == 3, timeout=WRITING_TIMEOUT_MS)
    dialog = open_export(pupils, qtbot)
    choose_source(dialog, "table", qtbot)
    named = dialog.name.name
    qtbot.keyClick(dialog.names.box, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: dialog.names.is_ready, timeout=WRITING_TIMEOUT_MS)
    assert dialog.name.name == f"{named} – anonymous"
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

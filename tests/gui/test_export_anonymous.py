"""Anonymous exports."""

import shutil
import zipfile
from pathlib import Path

import docx
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.export.exports import ANNOTATED, ZIP
from simcompare.loading import load_document
from simcompare.session.session_file import read_session
from simcompare.support.resources import resource_path
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from tests.gui.anonymous_exports import (
    LI,
    WANG,
    ZHAO,
    open_anonymous,
)
from tests.gui.conftest import Essay, wait_for_comparison
from tests.gui.exporting import (
    WRITING_TIMEOUT_MS,
    choose,
    choose_source,
    open_export,
    type_into,
    wait_for_preview,
    words_of_preview,
    write,
)
from tests.gui.session_steps import unsaved_dialog
from tests.helpers.essay_files import write_docx


def test_that_an_anonymous_report_has_no_names_in_file_name_and_text(
    pupils: MainWindow, out: Path, qtbot: QtBot
) -> None:
    dialog = open_anonymous(pupils, qtbot)
    names = {
        f"Student {pair} – comparison report – anonymous" for pair in ("01 – Student 02", "02 – Student 01")
    }
    assert dialog.name.name in names
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
    assert dialog.name.name in {"学生 01 – 学生 02 – 比对报告 – 匿名", "学生 02 – 学生 01 – 比对报告 – 匿名"}
    type_into(dialog, qtbot, folder=out)
    write(pupils, dialog, qtbot)
    [path] = out.iterdir()
    assert path.name.startswith("学生 0")
    assert "Student 0" not in path.read_text("utf-8")


def test_that_names_are_not_replaced_by_default(pupils: MainWindow, out: Path, qtbot: QtBot) -> None:
    dialog = open_export(pupils, qtbot)
    assert not dialog.names.button.isVisible()
    choose(dialog.form, ".html", qtbot)
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
    assert not pupils.close()
    question = unsaved_dialog(pupils)
    assert question.explanation.text().startswith(
        "You will lose this if you don't save: the name key.\nWithout the name key"
    )
    question.reject()
    path = tmp_path / "class.simcompare"
    with qtbot.waitSignal(pupils.sessions.keeper.saved, timeout=WRITING_TIMEOUT_MS):
        pupils.sessions.keeper.save(path)
    saved_names = read_session(path).pseudonyms
    assert saved_names is not None
    assert {owner.display_name for owner in saved_names.owners} == {"王小红", "李明"}
    again = open_anonymous(pupils, qtbot)
    assert again.names.pseudonyms == saved_names
    again.reject()


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
    assert "王小红" not in "".join(paragraph.text for paragraph in docx.Document(str(copy)).paragraphs)
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
    choose_source(dialog, "selected pairs", qtbot)
    choose(dialog.form, ".html", qtbot)
    choose(dialog.packing, ZIP, qtbot)
    choose(dialog.language, "zh", qtbot)
    type_into(dialog, qtbot, name="四班", folder=out)
    write(window, dialog, qtbot)
    with zipfile.ZipFile(out / "四班.zip") as archive:
        names = archive.namelist()
        exported = "".join(archive.read(name).decode("utf-8", "replace") for name in names)
    assert len([name for name in names if name.startswith("报告/")]) == 3
    assert all(name not in exported + "".join(names) for name in texts)
    assert 'lang="zh-Hans"' in exported


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


def test_that_the_choice_to_replace_names_is_remembered_until_another_session(
    pupils: MainWindow, out: Path, qtbot: QtBot
) -> None:
    dialog = open_anonymous(pupils, qtbot)
    type_into(dialog, qtbot, folder=out)
    write(pupils, dialog, qtbot)
    again = open_export(pupils, qtbot)
    assert again.names.box.isChecked()
    assert not again.with_notes.isChecked()
    again.with_notes.setChecked(True)
    choose(again.language, "zh", qtbot)
    again.course.setText("作文")
    again.teacher.setText("秦老师")
    pupils.export.memory.remember(again.source.key, again.plan)
    again.reject()
    assert {"names", "course", "teacher"}.isdisjoint(Preferences().export_choices)
    paths = [entry.path for entry in pupils.workspace.documents.entries.values()]
    pupils.sessions.keeper.reset()
    pupils.workspace.documents.add(paths)
    qtbot.waitUntil(lambda: pupils.workspace.comparison is not None, timeout=WRITING_TIMEOUT_MS)
    other = open_export(pupils, qtbot)
    assert not other.names.box.isChecked()
    assert other.with_notes.isChecked()
    assert other.language.currentData() == "en"
    assert (other.course.text(), other.teacher.text()) == ("", "")
    qtbot.keyClick(other.names.box, Qt.Key.Key_Space)
    assert not other.with_notes.isChecked()
    other.reject()


def test_that_anonymous_tables_have_their_own_file_name(
    pupils: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    pupils.workspace.documents.add([essay("赵刚.txt", ZHAO)])
    qtbot.waitUntil(lambda: len(pupils.workspace.pairs.table) == 3, timeout=WRITING_TIMEOUT_MS)
    dialog = open_export(pupils, qtbot)
    choose_source(dialog, "table", qtbot)
    assert dialog.name.name != "Comparison – pairs"  # it has the name of the folder
    qtbot.keyClick(dialog.names.box, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: dialog.names.is_ready, timeout=WRITING_TIMEOUT_MS)
    assert dialog.name.name == "Comparison – pairs – anonymous"
    dialog.reject()

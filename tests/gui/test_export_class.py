"""Export of the class report and the grade sheet from the window."""

import zipfile
from pathlib import Path

import pytest
from lxml import html
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.export.export_tasks import redacted
from simcompare.export.exports import FOLDER, ZIP, ExportPlan
from simcompare.pseudonyms.pseudonyms import make_pseudonyms
from simcompare.report.report_forms import FORMS
from simcompare.session.decisions import Decision
from simcompare.session.school_class import DocumentRole
from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.export.workspace_sources import pair_source
from simcompare.ui.main_window import MainWindow
from tests.gui.class_samples import (
    ABSENT,
    ESSAYS,
    NAMES,
    class_text,
    key_of,
    settle_class,
    write_class,
    write_draft,
    write_roster,
)
from tests.gui.class_windows import document_key
from tests.gui.exporting import (
    WRITING_TIMEOUT_MS,
    choose,
    choose_source,
    open_export,
    pages_shown,
    rows_in,
    type_into,
    wait_for_preview,
    write,
)
from tests.report.words import WORDS, squeezed


@pytest.fixture
def a_class(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """Window with seven students, the last of whom copied the first, a draft and a class list."""
    folder = tmp_path / "class"
    folder.mkdir()
    paths = [*write_class(folder, 7), write_draft(folder), write_roster(folder, 7)]
    paths[6].write_text(class_text(ESSAYS[6] + "\n" + ESSAYS[0]), "utf-8")
    window.workspace.documents.add(paths)
    settle_class(window.workspace, qtbot)
    return window


def open_class_report(window: MainWindow, qtbot: QtBot, source: str = "Class report") -> ExportDialog:
    dialog = open_export(window, qtbot)
    choose_source(dialog, source, qtbot)
    return dialog


def decide_copied(window: MainWindow, folder: Path) -> None:
    """Mark the pair of the first and the last student as copied."""
    first, last = (key_of(window.workspace, folder / f"{2025000 + n}-{NAMES[n - 1]}.txt") for n in (1, 7))
    window.workspace.review.decide_pair(first, last, Decision.COPIED)


def test_that_the_class_report_and_the_grade_sheet_have_students_and_decisions(
    a_class: MainWindow, tmp_path: Path, out: Path, qtbot: QtBot
) -> None:
    # the class report has students pairs decisions and common text
    decide_copied(a_class, tmp_path / "class")
    dialog = open_class_report(a_class, qtbot)
    choose(dialog.form, ".html", qtbot)
    assert dialog.name.name == "class – class report"
    type_into(dialog, qtbot, folder=out)
    write(a_class, dialog, qtbot)
    page = html.fromstring((out / "class – class report.html").read_bytes())
    text = " ".join(page.text_content().split())
    assert "7 essays were compared with each other. 1 of 21 pairs is unusual" in text
    assert "Decisions on the pairs: copied 1." in text
    assert f"Not handed in 1 {ABSENT}" in text
    assert "2025001-王伟-初稿.txt (draft)" in text
    (common,) = page.find_class("common")
    assert "我承诺本文由本人独立完成" in common.text_content()

    # the grade sheet has a row for each student
    dialog = open_class_report(a_class, qtbot, "Mark sheet")
    choose(dialog.form, ".csv", qtbot)
    type_into(dialog, qtbot, name="grades", folder=out)
    write(a_class, dialog, qtbot)
    head, *rows = rows_in((out / "grades.csv").read_bytes())
    assert [row[1] for row in rows] == [*NAMES[:7], ABSENT]
    last = dict(zip(head, rows[6], strict=True))
    assert (last["Most similar"], last["Unusual"], last["Decisions"]) == (
        "王伟 2025001",
        "yes",
        "1 copied",
    )
    assert rows[7][-1] == "not handed in"

    # the report of a pair is called by the students
    dialog = open_class_report(a_class, qtbot, "The pair marked as copied")
    type_into(dialog, qtbot, folder=out)
    choose(dialog.form, ".html", qtbot)
    write(a_class, dialog, qtbot)
    report = out / "王伟 – 赵娜 – comparison report.html"
    assert "<h2><bdi>王伟</bdi></h2>" in report.read_text("utf-8")


def test_that_the_name_is_that_of_the_class_folder_or_of_the_saved_session(
    a_class: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    # the name is that of the class folder also with a template from elsewhere
    template = tmp_path / "forms" / "cover.txt"
    template.parent.mkdir()
    template.write_text("姓名：\n我承诺本文由本人独立完成，没有抄袭。", "utf-8")
    a_class.workspace.documents.add([template])
    settle_class(a_class.workspace, qtbot)
    a_class.workspace.class_state.set_role([key_of(a_class.workspace, template)], DocumentRole.TEMPLATE)
    settle_class(a_class.workspace, qtbot)
    dialog = open_class_report(a_class, qtbot, "Mark sheet")
    assert dialog.name.name == "class – mark sheet"
    dialog.reject()

    # the name is that of the saved session
    with qtbot.waitSignal(a_class.sessions.keeper.saved, timeout=WRITING_TIMEOUT_MS):
        a_class.sessions.keeper.save(tmp_path / "高一5班.simcompare")
    dialog = open_class_report(a_class, qtbot, "Mark sheet")
    assert dialog.name.name == "高一5班 – mark sheet"
    dialog.reject()


def test_that_the_menu_opens_the_class_report_and_the_grade_sheet_with_their_previews(
    a_class: MainWindow, qtbot: QtBot
) -> None:
    # the menu opens the class report and the grade sheet
    for name, key in (("class_report", "class"), ("grade_sheet", "grades")):
        action = a_class.commands.actions[name]
        assert action.isEnabled()
        action.trigger()
        [dialog] = [each for each in a_class.findChildren(ExportDialog) if each.isVisible()]
        assert dialog.source.key == key
        with qtbot.waitSignal(dialog.finished):
            qtbot.keyClick(dialog, Qt.Key.Key_Escape)

    # the preview is the first page
    dialog = open_class_report(a_class, qtbot)
    qtbot.waitUntil(lambda: len(pages_shown(dialog)) == 1, timeout=WRITING_TIMEOUT_MS)
    dialog.reject()

    # the preview of the grade sheet shows rows
    dialog = open_class_report(a_class, qtbot, "Mark sheet")
    wait_for_preview(dialog, qtbot)
    assert dialog.preview.currentWidget() is not dialog.preview.message
    dialog.reject()


def test_that_there_is_no_class_report_without_pairs(window: MainWindow) -> None:
    assert not window.commands.actions["class_report"].isEnabled()
    assert not window.commands.actions["grade_sheet"].isEnabled()


def test_that_a_folder_has_the_reports_of_the_listed_pairs_with_the_same_figures(
    a_class: MainWindow, out: Path, qtbot: QtBot
) -> None:
    dialog = open_class_report(a_class, qtbot)
    choose(dialog.form, ".html", qtbot)
    choose(dialog.packing, FOLDER, qtbot)
    assert dialog.packing.currentText() == "A folder, with 1 report of a pair"
    type_into(dialog, qtbot, name="report", folder=out)
    write(a_class, dialog, qtbot)
    folder = out / "report"
    page = html.fromstring((folder / "index.html").read_bytes())
    (row,) = page.xpath("//table[@class='pairs']/tbody/tr")
    (report,) = (folder / "reports").iterdir()
    shares = [each.text_content() for each in row.xpath(".//strong")]
    shown = html.fromstring(report.read_bytes()).xpath("//section[contains(@class, 'card')]/p/strong")
    texts = {each.text_content().replace(".0%", "%") for each in shown}
    assert set(shares) <= texts  # the common question does not count here either


def test_that_an_anonymous_class_report_has_no_names_and_is_written_as_zip(
    a_class: MainWindow, tmp_path: Path, out: Path, qtbot: QtBot
) -> None:
    decide_copied(a_class, tmp_path / "class")
    dialog = open_class_report(a_class, qtbot)
    choose(dialog.form, ".html", qtbot)
    qtbot.mouseClick(dialog.names.box, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.names.is_ready, timeout=WRITING_TIMEOUT_MS)
    choose(dialog.packing, ZIP, qtbot)
    type_into(dialog, qtbot, name="report", folder=out)
    write(a_class, dialog, qtbot)
    with zipfile.ZipFile(out / "report.zip") as archive:
        text = "\n".join(archive.namelist())
        for name in archive.namelist():
            text += archive.read(name).decode("utf-8", "replace")
    assert [word for word in (*NAMES, "2025001", ABSENT) if word in text] == []
    pseudonyms = a_class.workspace.pseudonyms
    assert pseudonyms is not None
    (absent,) = [owner for owner in pseudonyms.owners if ABSENT in owner.display_name]
    assert f"<bdi>{pseudonyms.label(absent)}</bdi>" in text  # among those who have not handed in


def test_that_a_template_and_an_unread_file_need_no_student(
    a_class: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    question, torn, essay = (tmp_path / "class" / name for name in ("作文题目.txt", "torn.docx", "无名.txt"))
    question.write_text("请写一件难忘的小事，不少于三百字。", "utf-8")
    torn.write_bytes(b"PK\x03\x04")
    essay.write_text(class_text(ESSAYS[8]), "utf-8")
    workspace = a_class.workspace
    workspace.documents.add([torn, essay])
    workspace.documents.add([question], DocumentRole.TEMPLATE)
    settle_class(workspace, qtbot)
    qtbot.waitUntil(lambda: a_class.class_page._student_count.text().startswith("9 students"))
    dialog = open_class_report(a_class, qtbot)
    qtbot.mouseClick(dialog.names.box, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.names.is_ready, timeout=WRITING_TIMEOUT_MS)
    assert dialog.names.warning.text.startswith("No student is known for 无名.txt.")
    dialog.reject()


def test_that_roles_and_the_limit_that_a_teacher_chose_are_used(
    a_class: MainWindow, tmp_path: Path, out: Path, qtbot: QtBot
) -> None:
    state, folder = a_class.workspace.class_state, tmp_path / "class"
    state.set_role([key_of(a_class.workspace, folder / f"2025002-{NAMES[1]}.txt")], DocumentRole.OLD)
    settle_class(a_class.workspace, qtbot)
    state.set_limit(0.99)
    dialog = open_class_report(a_class, qtbot)
    choose(dialog.form, ".html", qtbot)
    type_into(dialog, qtbot, name="r", folder=out)
    write(a_class, dialog, qtbot)
    text = " ".join(html.fromstring((out / "r.html").read_bytes()).text_content().split())
    assert "6 essays were compared with each other and with 1 earlier document." in text
    assert "The limit of 99% was set by hand." in text


FIRST, LAST = "2025001-王伟.txt", "2025007-赵娜.txt"
STUDENTS = "王伟", "赵娜"


def open_pair(window: MainWindow, qtbot: QtBot) -> None:
    """Compare the first and the last student."""
    window.workspace.documents.choose_pair(*(document_key(window, name) for name in (FIRST, LAST)))
    qtbot.waitUntil(lambda: window.workspace.comparison is not None, timeout=WRITING_TIMEOUT_MS)


def test_that_reports_of_a_pair_name_the_students_unless_they_are_anonymous(
    a_class: MainWindow, qtbot: QtBot
) -> None:
    # the report of a pair names the students then their files
    open_pair(a_class, qtbot)
    source = pair_source(a_class.workspace)
    assert source is not None
    assert source.names == "王伟 ↔ 赵娜"
    for suffix in (".html", ".docx", ".pdf"):
        plan = ExportPlan(suffix, "en", with_notes=False, folder=Path(), name="")
        assert source.name(plan) == "王伟 – 赵娜 – comparison report"
        report = FORMS[suffix].render(source.freeze(with_notes=True))
        text = squeezed(WORDS[suffix](report))
        assert squeezed("of the text of “王伟” is also in that of “赵娜”") in text
        for student, file in zip(STUDENTS, (FIRST, LAST), strict=True):
            assert squeezed(file) in text
            assert text.index(student) < text.index(squeezed(file))

    # a table of matches names the files
    table = FORMS[".csv"].render(source.freeze(with_notes=True)).decode()
    assert FIRST in table
    assert LAST in table

    # anonymous reports of a pair name no student
    anonymous = redacted(source.freeze(with_notes=True), make_pseudonyms(()).including_files(source.files))
    assert not set(STUDENTS) & set(anonymous.comparison.names)

"""Export of the report of the compared pair from the window."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from simcompare.loading import load_document
from simcompare.loading.archive_members import list_files
from simcompare.report.report_forms import CASE_SUFFIX
from simcompare.session.decisions import Decision
from simcompare.support.workers.worker_pool import WorkerDiedError
from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from simcompare.ui.window_assembly import whole_window
from tests.gui.conftest import LEFT_TEXT, RIGHT_TEXT, wait_for_comparison
from tests.gui.exporting import (
    WRITING_TIMEOUT_MS,
    choose,
    confirm,
    export,
    names_in,
    open_export,
    pages_shown,
    questions_to_replace,
    type_into,
    wait_for_preview,
    write,
)

FIRST_SENTENCE = "清晨的河面上飘着一层薄薄的雾"


# --- contents


def test_that_the_report_is_written_in_the_chosen_form(compared: MainWindow, out: Path, qtbot: QtBot) -> None:
    for form, beginning in ((".html", b"<!"), (".pdf", b"%PDF-"), (".docx", b"PK")):
        export(compared, qtbot, form, name="evidence", folder=out)
        path = out / f"evidence{form}"
        assert path.name in names_in(out)
        assert path.read_bytes().startswith(beginning)
        assert FIRST_SENTENCE in load_document(path).text
        assert compared.notice.label.text() == f"evidence{form} has been saved."
        assert not compared.export.bar.isVisible()
    assert len(names_in(out)) == 3


def test_that_export_works_with_the_keyboard(compared: MainWindow, out: Path, qtbot: QtBot) -> None:
    dialog = open_export(compared, qtbot)
    choose(dialog.form, ".json", qtbot)
    type_into(dialog, qtbot, folder=out)
    with qtbot.waitSignal(compared.export.ended, timeout=WRITING_TIMEOUT_MS):
        qtbot.keyClick(dialog.folder.line, Qt.Key.Key_Return)
    assert names_in(out) == ["left – right – comparison report.json"]


def test_that_a_name_may_have_a_folder_a_full_stop_or_the_suffix_of_a_form(
    compared: MainWindow, out: Path, qtbot: QtBot
) -> None:
    export(compared, qtbot, name=str(out / "evidence"))
    assert names_in(out) == ["evidence.html"]
    export(compared, qtbot, name="四班 2026.11.21", folder=out)
    export(compared, qtbot, name="evidence.pdf", folder=out)
    assert names_in(out) == ["evidence.html", "evidence.pdf", "四班 2026.11.21.html"]


def test_that_the_report_has_decisions_and_notes_unless_these_are_omitted(
    compared: MainWindow, out: Path, qtbot: QtBot
) -> None:
    # the report has decisions and notes
    review, match = compared.workspace.review, compared.workspace.comparison.matches[0]
    review.decide((match.left, match.right), Decision.COPIED)
    review.note((match.left, match.right), "到河边看过 <b>原稿</b>")
    export(compared, qtbot, name="with", folder=out)
    page = (out / "with.html").read_text("utf-8")
    assert "copied: a flag at the number of the passage" in page
    assert "到河边看过 &lt;b&gt;原稿&lt;/b&gt;" in page

    # notes can be omitted without the decisions
    review.note((match.left, match.right), "只给我自己看")
    dialog = open_export(compared, qtbot)
    choose(dialog.form, ".html", qtbot)
    qtbot.keyClick(dialog.with_notes, Qt.Key.Key_Space)
    type_into(dialog, qtbot, name="without", folder=out)
    with qtbot.waitSignal(compared.export.ended, timeout=WRITING_TIMEOUT_MS):
        confirm(dialog, qtbot)
    page = (out / "without.html").read_text("utf-8")
    assert "copied: a flag at the number of the passage" in page
    assert "只给我自己看" not in page


def test_that_the_report_may_be_in_another_language_than_the_window(
    compared: MainWindow, out: Path, qtbot: QtBot
) -> None:
    dialog = open_export(compared, qtbot)
    assert dialog.language.currentData() == "en"
    choose(dialog.form, ".html", qtbot)
    choose(dialog.language, "zh", qtbot)
    type_into(dialog, qtbot, name="中文", folder=out)
    with qtbot.waitSignal(compared.export.ended, timeout=WRITING_TIMEOUT_MS):
        confirm(dialog, qtbot)
    page = (out / "中文.html").read_text("utf-8")
    assert 'lang="zh-Hans"' in page
    assert "Comparison of two texts" not in page
    assert compared.notice.label.text().endswith("has been saved.")


# --- preview


def test_that_the_preview_shows_the_first_page_in_the_chosen_form_and_language(
    compared: MainWindow, qtbot: QtBot
) -> None:
    # the preview is shown in a dialog reopened at once
    open_export(compared, qtbot).reject()
    dialog = open_export(compared, qtbot)
    wait_for_preview(dialog, qtbot)
    dialog.reject()

    # the error for a failed preview names no file
    dialog = open_export(compared, qtbot)
    wait_for_preview(dialog, qtbot)
    compared.export._previews.answered.emit(WorkerDiedError())
    assert dialog.preview.message.text() == "There is no preview: making it broke off"
    dialog.reject()

    # the preview shows the first page
    dialog = open_export(compared, qtbot)
    choose(dialog.form, ".pdf", qtbot)
    wait_for_preview(dialog, qtbot)
    [page] = pages_shown(dialog)
    assert page.height() > page.width()
    assert not dialog.caption.isVisible()
    choose(dialog.form, ".html", qtbot)
    assert "as printed" in dialog.caption.text()
    assert dialog.caption.isVisible()
    dialog.reject()

    # the preview follows form and language
    dialog = open_export(compared, qtbot)
    choose(dialog.form, ".json", qtbot)
    text = dialog.preview.text
    qtbot.waitUntil(lambda: "left.txt" in text.toPlainText(), timeout=WRITING_TIMEOUT_MS)
    choose(dialog.form, ".pdf", qtbot)
    qtbot.waitUntil(lambda: len(pages_shown(dialog)) == 1, timeout=WRITING_TIMEOUT_MS)
    english = pages_shown(dialog)[0].grab().toImage()
    choose(dialog.language, "zh", qtbot)
    qtbot.waitUntil(
        lambda: any(page.grab().toImage() != english for page in pages_shown(dialog)),
        timeout=WRITING_TIMEOUT_MS,
    )


# --- destination


def test_that_the_dialog_suggests_a_name_and_explains_what_cannot_be_written(
    compared: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    # the suggested name has both texts
    dialog = open_export(compared, qtbot)
    assert dialog.name.name == "left – right – comparison report"
    assert dialog.name.line.cursorPosition() == 0, "its beginning is seen"
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not compared.findChildren(ExportDialog))

    # every field has an accessible name and a tab position
    dialog = open_export(compared, qtbot)
    fields = [dialog.form, dialog.language, dialog.with_notes, dialog.names.box, dialog.name.line]
    fields += [dialog.folder.line, dialog.folder.button, dialog.cancel_button, dialog.export_button]
    qtbot.waitUntil(lambda: QApplication.focusWidget() is dialog.form)
    seen = []
    for _field in fields:
        here = QApplication.focusWidget()
        seen.append(here)
        assert here.accessibleName() or here.text()
        qtbot.keyClick(here, Qt.Key.Key_Tab)
    assert seen == fields
    dialog.reject()

    # an invalid name disables export
    dialog = open_export(compared, qtbot)
    for name, why in (
        ("a/b", "without the characters"),
        ("CON", "Windows reserves this name."),
        ("n" * 300, "The name is too long for a file."),
        ("a\u202eb", "contains an invisible character"),
    ):
        type_into(dialog, qtbot, name=name)
        assert not dialog.export_button.isEnabled()
        assert why in dialog.message.text()
    type_into(dialog, qtbot, name="evidence")
    assert dialog.export_button.isEnabled()
    dialog.reject()

    # a missing folder is reported in the dialog
    dialog = open_export(compared, qtbot)
    type_into(dialog, qtbot, folder=tmp_path / "missing")
    confirm(dialog, qtbot)
    assert "There is no folder" in dialog.message.text()
    assert "missing" in dialog.message.text()
    type_into(dialog, qtbot, folder=tmp_path)
    assert not dialog.message.isVisible()
    dialog.reject()


def test_that_long_file_names_are_shortened(window: MainWindow, essay, out: Path, qtbot: QtBot) -> None:
    long = "关于家乡的那一座石桥以及桥下的河水和渔船的一篇很长很长的作文" * 2
    window.workspace.documents.add(
        [essay(f"{long}甲.txt", FIRST_SENTENCE), essay(f"{long}乙.txt", FIRST_SENTENCE)]
    )
    wait_for_comparison(window, qtbot)
    export(window, qtbot, folder=out)
    [name] = names_in(out)
    assert name.startswith("关于家乡的那一座石桥")


def test_that_choices_are_remembered_after_a_restart(
    compared: MainWindow, pair, out: Path, qtbot: QtBot
) -> None:
    export(compared, qtbot, ".docx", folder=out)
    compared.close()
    again = whole_window(Preferences())
    qtbot.addWidget(again)
    again.use_language("en")
    again.show()
    again.workspace.documents.add(pair)
    wait_for_comparison(again, qtbot)
    dialog = open_export(again, qtbot)
    assert dialog.form.currentData() == ".docx"
    assert dialog.folder.folder == pair[0].parent, "that of other essays may be elsewhere"
    dialog.reject()


def test_that_an_existing_file_is_replaced_only_after_a_question(
    compared: MainWindow, out: Path, qtbot: QtBot
) -> None:
    earlier = out / "evidence.html"
    earlier.write_text("earlier")
    dialog = open_export(compared, qtbot)
    choose(dialog.form, ".html", qtbot)
    type_into(dialog, qtbot, name="evidence", folder=out)
    confirm(dialog, qtbot)
    [asking] = questions_to_replace(dialog)
    assert asking.question.text() == "evidence.html already exists. Replace it?"
    qtbot.keyClick(asking, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not questions_to_replace(dialog))
    assert dialog.isVisible()
    assert earlier.read_text() == "earlier"
    confirm(dialog, qtbot)
    [asking] = questions_to_replace(dialog)
    with qtbot.waitSignal(compared.export.ended, timeout=WRITING_TIMEOUT_MS):
        qtbot.mouseClick(asking.replace_button, Qt.MouseButton.LeftButton)
    assert FIRST_SENTENCE in earlier.read_text("utf-8")


def test_that_compared_files_are_never_overwritten(
    window: MainWindow, essay, tmp_path: Path, qtbot: QtBot
) -> None:
    page = essay("left.html", f"<p>{FIRST_SENTENCE}。")
    window.workspace.documents.add([page, essay("right.txt", FIRST_SENTENCE)])
    wait_for_comparison(window, qtbot)
    before = page.read_bytes()
    dialog = open_export(window, qtbot)
    choose(dialog.form, ".html", qtbot)
    type_into(dialog, qtbot, name="left", folder=tmp_path)
    confirm(dialog, qtbot)
    assert "left.html is one of the files to compare" in dialog.message.text()
    assert dialog.isVisible()
    assert page.read_bytes() == before
    dialog.reject()


@pytest.mark.usefixtures("qtbot")
def test_that_export_is_disabled_without_a_comparison(window: MainWindow) -> None:
    assert not window.commands.actions["export"].isEnabled()


# --- accessibility


def test_that_a_report_is_named_after_both_and_offered_in_the_folder_of_the_essays_as_pdf(
    window: MainWindow, essay, out: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    window.workspace.documents.add([essay("张三.txt", LEFT_TEXT), essay("李四.txt", RIGHT_TEXT)])
    wait_for_comparison(window, qtbot)
    window.use_language("zh")
    dialog = open_export(window, qtbot)
    assert dialog.form.currentData() == ".pdf"
    assert dialog.form.itemData(0) == CASE_SUFFIX
    assert dialog.name.name == "张三 – 李四 – 比对报告"
    essays = next(iter(window.workspace.documents.entries.values())).path.parent
    assert dialog.folder.folder == essays
    write(window, dialog, qtbot)
    assert (essays / "张三 – 李四 – 比对报告.pdf").exists()

    # it is no essay when the folder is opened again
    assert [path.name for path in list_files([essays]).files] == ["张三.txt", "李四.txt"]

    # the folder chosen then is the one offered next
    export(window, qtbot, ".docx", folder=out)
    dialog = open_export(window, qtbot)
    assert dialog.folder.folder == out
    assert dialog.form.currentData() == ".docx"
    dialog.reject()


def test_that_the_name_of_an_anonymous_report_names_nobody(window: MainWindow, essay, qtbot: QtBot) -> None:
    window.workspace.documents.add([essay("张三.txt", LEFT_TEXT), essay("李四.txt", RIGHT_TEXT)])
    wait_for_comparison(window, qtbot)
    dialog = open_export(window, qtbot)
    dialog.names.box.click()
    qtbot.waitUntil(lambda: dialog.names.is_ready, timeout=WRITING_TIMEOUT_MS)
    assert "张三" not in dialog.name.name
    assert "李四" not in dialog.name.name
    assert dialog.name.name.endswith("comparison report – anonymous")
    dialog.reject()

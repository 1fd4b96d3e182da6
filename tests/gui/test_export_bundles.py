"""Export of the reports of several pairs as a folder or a zip, from the window."""

import itertools
import json
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.export import exports
from simcompare.export.export_context import ExportContext
from simcompare.export.exports import FOLDER, ZIP
from simcompare.report.case_zip import MANIFEST
from simcompare.report.report_forms import CASE_SUFFIX
from simcompare.session.decisions import Decision
from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.main_window import MainWindow
from tests.gui.exporting import (
    WRITING_TIMEOUT_MS,
    choose,
    choose_rows,
    choose_source,
    confirm,
    exports_waiting,
    open_export,
    pages_shown,
    questions_to_close,
    rows_in,
    type_into,
    write,
)
from tests.gui.session_steps import unsaved_dialog


def fill_bundle_dialog(
    window: MainWindow, qtbot: QtBot, count: int, form: str, packing: str, folder: Path
) -> ExportDialog:
    """Open the dialog for the first `count` pairs of the table, with "reports" as name of the bundle."""
    choose_rows(window, qtbot, count)
    dialog = open_export(window, qtbot)
    choose_source(dialog, f"The {count} selected pairs", qtbot)
    choose(dialog.form, form, qtbot)
    choose(dialog.packing, packing, qtbot)
    type_into(dialog, qtbot, name="reports", folder=folder)
    return dialog


def test_that_chosen_pairs_are_written_as_a_folder_with_an_index_page(
    four: MainWindow, out: Path, qtbot: QtBot
) -> None:
    dialog = fill_bundle_dialog(four, qtbot, 2, ".html", FOLDER, out)
    write(four, dialog, qtbot)
    bundle = out / "reports"
    index = (bundle / "index.html").read_text("utf-8")
    reports = sorted(path.name for path in (bundle / "reports").iterdir())
    assert reports[0] == "1 a – b.html"
    assert len(reports) == 2
    assert "a.txt" in index
    assert "d.txt" not in index or "d" in reports[1]
    assert "清晨的河面上飘着一层薄薄的雾" in (bundle / "reports" / reports[0]).read_text("utf-8")
    assert len(rows_in((bundle / "pairs.csv").read_bytes())) == 3
    assert four.notice.label.text() == "reports has been saved."


def test_that_the_preview_of_a_bundle_lists_its_reports_and_a_folder_is_never_overwritten(
    four: MainWindow, qtbot: QtBot, out: Path
) -> None:
    # the context menu exports the chosen pairs
    choose_rows(four, qtbot, 2)
    four.pairs_view.menu.export_action.trigger()
    [dialog] = [each for each in four.findChildren(ExportDialog) if each.isVisible()]
    assert dialog.source.key == "chosen"
    dialog.reject()

    # the preview of a bundle lists the reports and shows the first
    choose_rows(four, qtbot, 3)
    dialog = open_export(four, qtbot)
    choose_source(dialog, "The 3 selected pairs", qtbot)
    choose(dialog.form, ".pdf", qtbot)
    qtbot.waitUntil(lambda: len(pages_shown(dialog)) == 1, timeout=WRITING_TIMEOUT_MS)
    words = [label.text() for label in dialog.preview.pages.widget().children() if hasattr(label, "text")]
    assert words[0] == "3 reports and an index page"
    assert "1 a – b.pdf" in words[1]
    dialog.reject()

    # a folder with files is never overwritten
    (out / "reports").mkdir()
    (out / "reports" / "mine.txt").write_text("mine")
    dialog = fill_bundle_dialog(four, qtbot, 2, ".html", FOLDER, out)
    confirm(dialog, qtbot)
    assert "reports already exists and is not replaced" in dialog.message.text()
    assert dialog.isVisible()
    dialog.reject()

    # the caption counts pairs without figures
    choose_rows(four, qtbot, 6)
    four.workspace.pairs.table.mark_outdated()
    dialog = open_export(four, qtbot)
    assert "6 pairs are not compared yet." in dialog.caption.text()
    dialog.reject()


def test_that_copied_pairs_are_written_as_a_zip_in_another_language(
    four: MainWindow, out: Path, qtbot: QtBot
) -> None:
    for other in (2, 4):
        four.workspace.review.decide_pair(1, other, Decision.COPIED)
    four.workspace.review.decide_pair(1, 3, Decision.FINE)
    dialog = open_export(four, qtbot)
    choose_source(dialog, "All 2 pairs marked as copied", qtbot)
    choose(dialog.form, ".html", qtbot)
    choose(dialog.packing, ZIP, qtbot)
    choose(dialog.language, "zh", qtbot)
    type_into(dialog, qtbot, name="四班", folder=out)
    write(four, dialog, qtbot)
    with zipfile.ZipFile(out / "四班.zip") as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        page = archive.read("index.html").decode()
    reports = [name for name in names if name.startswith("报告/")]
    assert reports == ["报告/1 a – b.html", "报告/2 a – d.html"]
    assert 'lang="zh-Hans"' in page
    assert "c.txt" not in page


@pytest.mark.parametrize("source", ["d.txt", "The pair marked as copied"])
def test_that_one_pair_is_one_file_with_the_fields_of_the_page_of_the_pair(
    four: MainWindow, out: Path, qtbot: QtBot, source: str
) -> None:
    pair = four.workspace.pairs.table.pair_at(5)
    four.workspace.review.decide_pair(*pair, Decision.COPIED)
    if source == "d.txt":
        four.pairs_view.select(pair)
    dialog = open_export(four, qtbot)
    choose_source(dialog, source, qtbot)
    choose(dialog.form, CASE_SUFFIX, qtbot)
    assert dialog.packing.isHidden()
    assert dialog.course.isVisible()
    dialog.course.setText("Chinese 7")
    names = [four.workspace.documents.names[key].text.removesuffix(".txt") for key in pair]
    assert dialog.name.name == f"{names[0]} – {names[1]} – case file"
    type_into(dialog, qtbot, name="case", folder=out)
    write(four, dialog, qtbot)
    [written] = out.iterdir()
    with zipfile.ZipFile(written) as archive:
        assert json.loads(archive.read(MANIFEST))["course"] == "Chinese 7"


def test_that_the_case_files_of_several_pairs_name_course_and_teacher(
    four: MainWindow, out: Path, qtbot: QtBot
) -> None:
    for other in (2, 4):
        four.workspace.review.decide_pair(1, other, Decision.COPIED)
    dialog = open_export(four, qtbot)
    choose_source(dialog, "All 2 pairs marked as copied", qtbot)
    choose(dialog.form, CASE_SUFFIX, qtbot)
    assert dialog.course.isVisible()
    dialog.course.setText("Chinese 7")
    dialog.teacher.setText("Ms Hale")
    choose(dialog.packing, FOLDER, qtbot)
    type_into(dialog, qtbot, name="cases", folder=out)
    write(four, dialog, qtbot)
    written = list((out / "cases" / "reports").iterdir())
    assert len(written) == 2
    for case in written:
        with zipfile.ZipFile(case) as archive:
            manifest = json.loads(archive.read(MANIFEST))
        assert (manifest["course"], manifest["teacher"]) == ("Chinese 7", "Ms Hale")


def test_that_a_failed_report_is_named_and_the_others_are_written(
    four: MainWindow, out: Path, qtbot: QtBot
) -> None:
    four.workspace.pairs.table.fail((1, 3), "the process ended")
    dialog = fill_bundle_dialog(four, qtbot, 6, ".json", FOLDER, out)
    write(four, dialog, qtbot)
    assert len(list((out / "reports" / "reports").iterdir())) == 5
    assert "a.txt ↔ c.txt have no report: the process ended." in four.notice.label.text()
    assert "the process ended" in (out / "reports" / "index.html").read_text("utf-8")


@pytest.fixture
def endless_bundles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the first report of a bundle is made: bundles are written until they are cancelled."""
    start, numbers = exports.start_report, itertools.count()

    def start_first(context: ExportContext, *pair: object) -> Callable[[], bytes]:
        return start(context, *pair) if next(numbers) == 0 else context.start(time.sleep, 600)

    monkeypatch.setattr(exports, "start_report", start_first)


@pytest.mark.usefixtures("endless_bundles")
def test_that_a_cancelled_bundle_leaves_no_file(four: MainWindow, out: Path, qtbot: QtBot) -> None:
    dialog = fill_bundle_dialog(four, qtbot, 6, ".pdf", FOLDER, out)
    confirm(dialog, qtbot)
    bar = four.export.bar
    qtbot.waitUntil(lambda: any(out.rglob("*.pdf")), timeout=WRITING_TIMEOUT_MS)
    qtbot.waitUntil(lambda: "of 6" in bar.label.text(), timeout=WRITING_TIMEOUT_MS)
    with qtbot.waitSignal(four.export.ended, timeout=WRITING_TIMEOUT_MS):
        qtbot.mouseClick(bar.cancel_button, Qt.MouseButton.LeftButton)
    assert list(out.iterdir()) == []
    assert "cancelled" in four.notice.label.text()


def test_that_the_window_stays_responsive_while_a_bundle_is_written(
    four: MainWindow, out: Path, qtbot: QtBot
) -> None:
    dialog = fill_bundle_dialog(four, qtbot, 6, ".html", ZIP, out)
    with exports_waiting(four):
        confirm(dialog, qtbot)
        four.workspace.documents.remove([1])  # the export is written nevertheless
    qtbot.waitUntil(lambda: not four.export.queue.jobs, timeout=WRITING_TIMEOUT_MS)
    with zipfile.ZipFile(out / "reports.zip") as archive:
        assert len([name for name in archive.namelist() if name.startswith("reports/")]) == 6


def test_that_closing_asks_about_a_running_bundle(four: MainWindow, out: Path, qtbot: QtBot) -> None:
    dialog = fill_bundle_dialog(four, qtbot, 6, ".pdf", ZIP, out)
    with exports_waiting(four):
        confirm(dialog, qtbot)
        assert not four.close()
        [asking] = questions_to_close(four)
        assert asking.question.text() == "reports.zip is still being saved."
        qtbot.keyClick(asking, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not four.export.queue.jobs, timeout=WRITING_TIMEOUT_MS)
    assert four.isVisible()
    assert (out / "reports.zip").is_file()


def discard_the_class(window: MainWindow, qtbot: QtBot) -> None:
    """Answer the question about the comparison of the class, which follows that about the export."""
    qtbot.waitUntil(lambda: unsaved_dialog(window) is not None, timeout=WRITING_TIMEOUT_MS)
    dialog = unsaved_dialog(window)
    assert dialog is not None
    dialog.discard_button.click()


def test_that_the_window_closes_after_the_bundle_is_written(
    four: MainWindow, out: Path, qtbot: QtBot
) -> None:
    dialog = fill_bundle_dialog(four, qtbot, 6, ".pdf", ZIP, out)
    with exports_waiting(four):
        confirm(dialog, qtbot)
        four.close()
        [asking] = questions_to_close(four)
        qtbot.mouseClick(asking.wait_button, Qt.MouseButton.LeftButton)
        assert four.isVisible()
    discard_the_class(four, qtbot)
    qtbot.waitUntil(lambda: not four.isVisible(), timeout=WRITING_TIMEOUT_MS)
    assert zipfile.is_zipfile(out / "reports.zip")


@pytest.mark.usefixtures("endless_bundles")
def test_that_the_window_closes_after_a_stopped_bundle_without_files(
    four: MainWindow, out: Path, qtbot: QtBot
) -> None:
    confirm(fill_bundle_dialog(four, qtbot, 6, ".pdf", ZIP, out), qtbot)
    qtbot.waitUntil(lambda: any(out.iterdir()), timeout=WRITING_TIMEOUT_MS)
    four.close()
    [asking] = questions_to_close(four)
    qtbot.mouseClick(asking.stop_button, Qt.MouseButton.LeftButton)
    discard_the_class(four, qtbot)
    qtbot.waitUntil(lambda: not four.isVisible(), timeout=WRITING_TIMEOUT_MS)
    assert list(out.iterdir()) == []

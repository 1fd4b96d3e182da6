"""Export of many pairs from the window: the table, and bundles of reports."""

import csv
import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.export.export_sources import FOLDER, ZIP
from simcompare.report.cohort.report_bundle import safe_name
from simcompare.session.decisions import Decision
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.export.export_questions import ClosingDialog
from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, RIGHT_TEXT
from tests.gui.exporting import (
    WRITING_TIMEOUT_MS,
    choose,
    choose_source,
    confirm,
    open_export,
    pages_shown,
    type_into,
    wait_for_preview,
)

Essay = Callable[[str, str], Path]


@pytest.fixture
def four(window: MainWindow, essay: Essay, qtbot: QtBot) -> MainWindow:
    """Window with the table of six pairs: a and b have much in common, c and d nothing with any other."""
    texts = (LEFT_TEXT, RIGHT_TEXT, OTHER_TEXT, "The rain fell all night. Nobody went out for the boat.")
    window.workspace.documents.add(
        [essay(f"{name}.txt", text) for name, text in zip("abcd", texts, strict=True)]
    )
    qtbot.waitUntil(
        lambda: not window.workspace.is_busy and not window.workspace.pairs._change_delay.isActive(),
        timeout=WRITING_TIMEOUT_MS,
    )
    return window


def choose_rows(window: MainWindow, qtbot: QtBot, count: int) -> None:
    """Click on the first row, then on another with Shift."""
    table = window.pairs_view.table
    for row, modifier in (
        (0, Qt.KeyboardModifier.NoModifier),
        (count - 1, Qt.KeyboardModifier.ShiftModifier),
    ):
        place = table.visualRect(table.model().index(row, 1)).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, modifier, place)


def write(window: MainWindow, dialog: ExportDialog, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.export.ended, timeout=WRITING_TIMEOUT_MS):
        confirm(dialog, qtbot)


def rows_in(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))


# --- the table


def test_that_the_table_is_preselected_on_its_page(four: MainWindow, qtbot: QtBot) -> None:
    dialog = open_export(four, qtbot)
    assert dialog.source.key == "table"
    assert dialog.source.title == "The table of all 6 pairs"
    wait_for_preview(dialog, qtbot)
    table = dialog.preview.table
    assert [table.item(0, column).text() for column in (0, 1)] == ["a.txt", "b.txt"]
    assert table.rowCount() == 6
    dialog.reject()


@pytest.mark.parametrize("form", [".csv", ".xlsx"])
def test_that_the_table_is_written_with_all_pairs(
    four: MainWindow, out: Path, qtbot: QtBot, form: str
) -> None:
    dialog = open_export(four, qtbot)
    choose(dialog.form, form, qtbot)
    type_into(dialog, qtbot, name="pairs", folder=out)
    write(four, dialog, qtbot)
    data = (out / f"pairs{form}").read_bytes()
    if form == ".csv":
        _head, *rows = rows_in(data)
        assert len(rows) == 6
        shown = four.pairs_view.table.model().index(0, PairColumn.A_IN_B).data()
        assert float(rows[0][2]) == pytest.approx(int(shown.split()[0].rstrip("%")), abs=0.5)
    else:
        assert "xl/worksheets/sheet3.xml" in zipfile.ZipFile(io.BytesIO(data)).namelist()


def test_that_a_filtered_table_is_written_as_listed(four: MainWindow, out: Path, qtbot: QtBot) -> None:
    four.pairs_view.filter.text.setFocus()
    qtbot.keyClicks(four.pairs_view.filter.text, "c.txt")
    qtbot.waitUntil(lambda: four.pairs_view.table.model().rowCount() == 3)
    dialog = open_export(four, qtbot)
    assert dialog.source.title == "The table, 3 of 6 pairs as listed"
    choose(dialog.form, ".csv", qtbot)
    type_into(dialog, qtbot, name="pairs", folder=out)
    write(four, dialog, qtbot)
    _head, *rows = rows_in((out / "pairs.csv").read_bytes())
    assert len(rows) == 3
    assert all("c.txt" in row[:2] for row in rows)


@pytest.mark.parametrize("anonymous", [False, True])
def test_that_a_workbook_of_some_pairs_has_no_other_names(
    four: MainWindow, out: Path, qtbot: QtBot, anonymous: bool
) -> None:
    least = four.pairs_view.filter.least
    least.setCurrentIndex(least.findData(30))
    qtbot.waitUntil(lambda: four.pairs_view.table.model().rowCount() == 1)
    dialog = open_export(four, qtbot)
    if anonymous:
        qtbot.keyClick(dialog.names.box, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda: dialog.names.is_ready, timeout=WRITING_TIMEOUT_MS)
    choose(dialog.form, ".xlsx", qtbot)
    type_into(dialog, qtbot, name="pairs", folder=out)
    write(four, dialog, qtbot)
    strings = zipfile.ZipFile(out / "pairs.xlsx").read("xl/sharedStrings.xml").decode()
    digests = [entry.document.sha256 for entry in four.workspace.documents.entries.values()]
    assert [digest in strings for digest in digests] == (
        [False] * 4 if anonymous else [True, True, False, False]
    )
    assert not any(name in strings for name in ("c.txt", "d.txt"))
    assert len(set(re.findall(r"Text 0\d", strings))) == (2 if anonymous else 0)


def test_that_arrow_keys_choose_the_source(four: MainWindow, qtbot: QtBot) -> None:
    dialog = open_export(four, qtbot)
    chosen = dialog.source_field.buttons[-1]
    chosen.setFocus()
    qtbot.waitUntil(chosen.hasFocus)
    qtbot.keyClick(chosen, Qt.Key.Key_Up)
    assert dialog.source.key == "pair"
    assert dialog.form.findData(".pdf") >= 0
    qtbot.keyClick(dialog.source_field.buttons[0], Qt.Key.Key_Down)
    assert dialog.source.key == "table"
    assert dialog.form.findData(".xlsx") >= 0
    dialog.reject()


# --- bundles


def test_that_chosen_pairs_are_written_as_a_folder_with_an_index_page(
    four: MainWindow, out: Path, qtbot: QtBot
) -> None:
    choose_rows(four, qtbot, 2)
    dialog = open_export(four, qtbot)
    choose_source(dialog, "The 2 chosen pairs", qtbot)
    choose(dialog.form, ".html", qtbot)
    choose(dialog.packing, FOLDER, qtbot)
    type_into(dialog, qtbot, name="reports", folder=out)
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
    assert four.notice.label.text() == "reports is written."


def test_that_the_context_menu_exports_the_chosen_pairs(four: MainWindow, qtbot: QtBot) -> None:
    choose_rows(four, qtbot, 2)
    four.pairs_view.menu.export_action.trigger()
    [dialog] = [each for each in four.findChildren(ExportDialog) if each.isVisible()]
    assert dialog.source.key == "chosen"
    dialog.reject()


def test_that_copied_pairs_are_written_as_a_zip_in_another_language(
    four: MainWindow, out: Path, qtbot: QtBot
) -> None:
    four.workspace.review.decide_pair(1, 2, Decision.COPIED)
    four.workspace.review.decide_pair(1, 3, Decision.FINE)
    dialog = open_export(four, qtbot)
    choose_source(dialog, "The pair judged as copied", qtbot)
    choose(dialog.form, ".html", qtbot)
    choose(dialog.packing, ZIP, qtbot)
    choose(dialog.language, "zh", qtbot)
    type_into(dialog, qtbot, name="四班", folder=out)
    write(four, dialog, qtbot)
    with zipfile.ZipFile(out / "四班.zip") as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        page = archive.read("index.html").decode()
    assert [name for name in names if name.startswith("reports/")] == ["reports/1 a – b.html"]
    assert 'lang="zh-Hans"' in page
    assert "c.txt" not in page


def test_that_the_preview_of_a_bundle_lists_the_reports_and_shows_the_first(
    four: MainWindow, qtbot: QtBot
) -> None:
    choose_rows(four, qtbot, 3)
    dialog = open_export(four, qtbot)
    choose_source(dialog, "The 3 chosen pairs", qtbot)
    choose(dialog.form, ".pdf", qtbot)
    qtbot.waitUntil(lambda: len(pages_shown(dialog)) == 1, timeout=WRITING_TIMEOUT_MS)
    words = [label.text() for label in dialog.preview.pages.widget().children() if hasattr(label, "text")]
    assert words[0] == "3 reports and an index page"
    assert "1 a – b.pdf" in words[1]
    dialog.reject()


def test_that_a_failed_report_is_named_and_the_others_are_written(
    four: MainWindow, out: Path, qtbot: QtBot
) -> None:
    four.workspace.pairs.table.fail((1, 3), "the process ended")
    choose_rows(four, qtbot, 6)
    dialog = open_export(four, qtbot)
    choose_source(dialog, "The 6 chosen pairs", qtbot)
    choose(dialog.form, ".json", qtbot)
    choose(dialog.packing, FOLDER, qtbot)
    type_into(dialog, qtbot, name="reports", folder=out)
    write(four, dialog, qtbot)
    assert len(list((out / "reports" / "reports").iterdir())) == 5
    assert "a.txt ↔ c.txt have no report: the process ended." in four.notice.label.text()
    assert "the process ended" in (out / "reports" / "index.html").read_text("utf-8")


def test_that_the_caption_counts_pairs_without_figures(four: MainWindow, qtbot: QtBot) -> None:
    four.workspace.pairs.table.mark_outdated()
    dialog = open_export(four, qtbot)
    assert "6 pairs are not compared yet." in dialog.caption.text()
    dialog.reject()


def test_that_a_folder_with_files_is_never_overwritten(four: MainWindow, out: Path, qtbot: QtBot) -> None:
    (out / "reports").mkdir()
    (out / "reports" / "mine.txt").write_text("mine")
    choose_rows(four, qtbot, 2)
    dialog = open_export(four, qtbot)
    choose_source(dialog, "chosen pairs", qtbot)
    choose(dialog.packing, FOLDER, qtbot)
    type_into(dialog, qtbot, name="reports", folder=out)
    confirm(dialog, qtbot)
    assert "reports is there already, and nothing in it is replaced" in dialog.message.text()
    assert dialog.isVisible()
    dialog.reject()


def test_that_a_cancelled_bundle_leaves_no_file(four: MainWindow, out: Path, qtbot: QtBot) -> None:
    choose_rows(four, qtbot, 6)
    dialog = open_export(four, qtbot)
    choose_source(dialog, "The 6 chosen pairs", qtbot)
    choose(dialog.form, ".pdf", qtbot)
    choose(dialog.packing, FOLDER, qtbot)
    type_into(dialog, qtbot, name="reports", folder=out)
    confirm(dialog, qtbot)
    bar = four.export.bar
    qtbot.waitUntil(lambda: "of 6" in bar.label.text(), timeout=WRITING_TIMEOUT_MS)
    with qtbot.waitSignal(four.export.ended, timeout=WRITING_TIMEOUT_MS):
        qtbot.mouseClick(bar.cancel_button, Qt.MouseButton.LeftButton)
    assert list(out.iterdir()) == []
    assert "cancelled" in four.notice.label.text()


def test_that_the_window_stays_responsive_while_a_bundle_is_written(
    four: MainWindow, out: Path, qtbot: QtBot
) -> None:
    choose_rows(four, qtbot, 6)
    dialog = open_export(four, qtbot)
    choose_source(dialog, "The 6 chosen pairs", qtbot)
    choose(dialog.form, ".html", qtbot)
    choose(dialog.packing, ZIP, qtbot)
    type_into(dialog, qtbot, name="reports", folder=out)
    confirm(dialog, qtbot)
    four.workspace.documents.remove([1])  # the export is written nevertheless
    qtbot.waitUntil(lambda: not four.export.queue.jobs, timeout=WRITING_TIMEOUT_MS)
    with zipfile.ZipFile(out / "reports.zip") as archive:
        assert len([name for name in archive.namelist() if name.startswith("reports/")]) == 6


@pytest.fixture
def bundling(four: MainWindow, out: Path, qtbot: QtBot) -> MainWindow:
    """Window that is writing a bundle of six reports."""
    choose_rows(four, qtbot, 6)
    dialog = open_export(four, qtbot)
    choose_source(dialog, "The 6 chosen pairs", qtbot)
    choose(dialog.form, ".pdf", qtbot)
    choose(dialog.packing, ZIP, qtbot)
    type_into(dialog, qtbot, name="reports", folder=out)
    confirm(dialog, qtbot)
    return four


def closing(window: MainWindow) -> list[ClosingDialog]:
    return [each for each in window.findChildren(ClosingDialog) if each.isVisible()]


def test_that_closing_asks_about_a_running_bundle(bundling: MainWindow, out: Path, qtbot: QtBot) -> None:
    assert not bundling.close()
    [asking] = closing(bundling)
    assert asking.question.text() == "reports.zip is still being written."
    qtbot.keyClick(asking, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not bundling.export.queue.jobs, timeout=WRITING_TIMEOUT_MS)
    assert bundling.isVisible()
    assert (out / "reports.zip").is_file()


def test_that_the_window_closes_after_the_bundle_is_written(
    bundling: MainWindow, out: Path, qtbot: QtBot
) -> None:
    bundling.close()
    [asking] = closing(bundling)
    qtbot.mouseClick(asking.wait_button, Qt.MouseButton.LeftButton)
    assert bundling.isVisible()
    qtbot.waitUntil(lambda: not bundling.isVisible(), timeout=WRITING_TIMEOUT_MS)
    assert zipfile.is_zipfile(out / "reports.zip")


def test_that_the_window_closes_after_a_stopped_bundle_without_files(
    bundling: MainWindow, out: Path, qtbot: QtBot
) -> None:
    bundling.close()
    [asking] = closing(bundling)
    qtbot.mouseClick(asking.stop_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not bundling.isVisible(), timeout=WRITING_TIMEOUT_MS)
    assert list(out.iterdir()) == []


# --- essays of one name


def test_that_essays_of_the_same_name_are_labelled_with_their_folders(
    window: MainWindow, tmp_path: Path, out: Path, qtbot: QtBot
) -> None:
    files = []
    for folder, name, text in (
        ("李小明", "作文", LEFT_TEXT),
        ("王芳", "作文", RIGHT_TEXT),
        (".", "桥", LEFT_TEXT + OTHER_TEXT),
    ):
        (tmp_path / folder).mkdir(exist_ok=True)
        files.append(tmp_path / folder / f"{name}.txt")
        files[-1].write_text(text, "utf-8")
    window.workspace.documents.add(files[1:])
    qtbot.waitUntil(lambda: window.workspace.comparison is not None, timeout=WRITING_TIMEOUT_MS)
    window.workspace.documents.add(files[:1])
    qtbot.waitUntil(lambda: len(window.workspace.pairs.table) == 3, timeout=WRITING_TIMEOUT_MS)
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=WRITING_TIMEOUT_MS)
    window.pages.show_compare()
    dialog = open_export(window, qtbot)
    assert set(dialog.source.names.split(" ↔ ")) == {"王芳/作文.txt", "桥.txt"}
    assert set(dialog.name.name.split(" – ")) == {"王芳 作文", "桥"}
    choose(dialog.form, ".json", qtbot)
    type_into(dialog, qtbot, folder=out)
    write(window, dialog, qtbot)
    (report,) = out.iterdir()
    assert '"name": "王芳/作文.txt"' in report.read_text("utf-8")
    dialog = open_export(window, qtbot)
    choose_source(dialog, "table", qtbot)
    assert dialog.name.name == f"{safe_name(tmp_path.name)} – pairs", "that of the folder of their folders"
    dialog.reject()


# --- one pair


def test_that_a_single_chosen_pair_is_offered_once_with_its_names(four: MainWindow, qtbot: QtBot) -> None:
    choose_rows(four, qtbot, 1)
    [row] = four.pairs_view.chosen()
    pair = {int(four.workspace.pairs.table.rows[row][side]) for side in ("left", "right")}
    assert pair == set(four.workspace.documents.sides.values())
    dialog = open_export(four, qtbot)
    assert [button.text() for button in dialog.source_field.buttons if "↔" in button.text()] == [
        "a.txt ↔ b.txt"
    ]
    dialog.reject()
    table = four.pairs_view.table
    place = table.visualRect(table.model().index(3, 1)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    dialog = open_export(four, qtbot)
    offered = [button.text() for button in dialog.source_field.buttons if "↔" in button.text()]
    assert offered[0] == "a.txt ↔ b.txt"
    assert len(offered) == 2
    dialog.reject()


def test_that_the_pair_is_preselected_in_compare(four: MainWindow, out: Path, qtbot: QtBot) -> None:
    four.pages.show_compare()
    dialog = open_export(four, qtbot)
    assert dialog.source.key == "pair"
    choose_source(dialog, "table", qtbot)
    type_into(dialog, qtbot, name="pairs", folder=out)
    write(four, dialog, qtbot)
    again = open_export(four, qtbot)
    assert again.source.key == "pair"
    again.reject()

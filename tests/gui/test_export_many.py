"""Export from the window with several pairs to choose from: the table, and the source of one pair."""

import io
import re
import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.report.cohort.report_bundle import safe_name
from simcompare.session.decisions import Decision
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, RIGHT_TEXT
from tests.gui.exporting import (
    WRITING_TIMEOUT_MS,
    choose,
    choose_rows,
    choose_source,
    open_export,
    rows_in,
    type_into,
    wait_for_preview,
    write,
)

# --- the table


def open_table_export(window: MainWindow, qtbot: QtBot) -> ExportDialog:
    dialog = open_export(window, qtbot)
    choose_source(dialog, "table", qtbot)
    return dialog


def test_that_the_dialog_offers_the_class_its_table_and_a_chosen_pair(four: MainWindow, qtbot: QtBot) -> None:
    # the page of the class offers the class report and no pair that was not chosen
    assert four.workspace.comparison is not None, "that of the first two files"
    dialog = open_export(four, qtbot)
    assert dialog.source.key == "class"
    assert pairs_offered(dialog) == []
    dialog.reject()

    # the table is shown with all pairs
    dialog = open_table_export(four, qtbot)
    assert dialog.source.title == "The table of all 6 pairs"
    wait_for_preview(dialog, qtbot)
    table = dialog.preview.table
    assert [table.item(0, column).text() for column in (0, 1)] == ["a.txt", "b.txt"]
    assert table.rowCount() == 6
    dialog.reject()

    # a single chosen pair is offered once with its names
    choose_rows(four, qtbot, 1)
    [row] = four.pairs_view.chosen()
    pair = {int(four.workspace.pairs.table.rows[row][side]) for side in ("left", "right")}
    assert pair == set(four.workspace.documents.sides.values())
    dialog = open_export(four, qtbot)
    assert pairs_offered(dialog) == ["a.txt ↔ b.txt"]
    assert dialog.source.key == "class"
    dialog.reject()
    table = four.pairs_view.table
    place = table.visualRect(table.model().index(3, 1)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    dialog = open_export(four, qtbot)
    [offered] = pairs_offered(dialog)
    assert offered != "a.txt ↔ b.txt"
    assert dialog.source.key == "chosen"
    dialog.reject()

    # arrow keys choose the source
    choose_rows(four, qtbot, 1)
    dialog = open_table_export(four, qtbot)
    chosen = dialog.source_field.buttons[-1]
    chosen.setFocus()
    qtbot.waitUntil(chosen.hasFocus)
    found = []
    for place in (2, 1, 0):
        qtbot.keyClick(dialog.source_field.buttons[place + 1], Qt.Key.Key_Up)
        found.append((dialog.source.key, dialog.form.itemData(0)))
    assert found == [("table", ".xlsx"), ("grades", ".xlsx"), ("class", ".html")]
    qtbot.keyClick(dialog.source_field.buttons[0], Qt.Key.Key_Down)
    assert dialog.source.key == "grades"
    dialog.reject()


def test_that_the_table_is_written_with_all_pairs(four: MainWindow, out: Path, qtbot: QtBot) -> None:
    for form in (".csv", ".xlsx"):
        dialog = open_table_export(four, qtbot)
        choose(dialog.form, form, qtbot)
        type_into(dialog, qtbot, name="pairs", folder=out)
        write(four, dialog, qtbot)
        data = (out / f"pairs{form}").read_bytes()
        if form == ".csv":
            _head, *rows = rows_in(data)
            assert len(rows) == 6
            shown = four.pairs_view.table.model().index(0, PairColumn.SHARE_A).data()
            assert float(rows[0][2]) == pytest.approx(int(shown.split()[0].rstrip("%")), abs=0.5)
        else:
            assert "xl/worksheets/sheet3.xml" in zipfile.ZipFile(io.BytesIO(data)).namelist()


def test_that_a_filtered_table_is_written_as_listed(four: MainWindow, out: Path, qtbot: QtBot) -> None:
    four.pairs_view.filter.text.setFocus()
    qtbot.keyClicks(four.pairs_view.filter.text, "c.txt")
    qtbot.waitUntil(lambda: four.pairs_view.table.model().rowCount() == 3)
    dialog = open_table_export(four, qtbot)
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
    dialog = open_table_export(four, qtbot)
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
    assert set(dialog.source.names.split(" ↔ ")) == {"王芳", "桥.txt"}
    assert set(dialog.name.name.split(" – ")) == {"王芳", "桥", "comparison report"}
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


def pairs_offered(dialog: ExportDialog) -> list[str]:
    return [button.text() for button in dialog.source_field.buttons if "↔" in button.text()]


def test_that_on_the_page_of_the_class_selected_pairs_are_proposed_or_what_was_exported_last(
    four: MainWindow, out: Path, qtbot: QtBot
) -> None:
    dialog = open_table_export(four, qtbot)
    type_into(dialog, qtbot, name="pairs", folder=out)
    write(four, dialog, qtbot)
    again = open_export(four, qtbot)
    assert again.source.key == "table"
    again.reject()
    choose_rows(four, qtbot, 2)
    selected = open_export(four, qtbot)
    assert selected.source.key == "chosen"
    selected.reject()


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


def test_that_contents_have_one_order_on_all_pages(four: MainWindow, qtbot: QtBot) -> None:
    four.workspace.review.decide_pair(1, 2, Decision.COPIED)
    orders = []
    for show in (four.pages.show_pairs, four.pages.show_compare, four.pages.show_pairs):
        show()
        choose_rows(four, qtbot, 1) if show == four.pages.show_pairs else None
        dialog = open_export(four, qtbot)
        orders.append([source.key for source in dialog.source_field._sources])
        dialog.reject()
    assert orders == [["class", "grades", "table", "pair", "copied"]] * 3


def test_that_the_class_report_is_offered_first_on_the_page_of_the_class(
    four: MainWindow, qtbot: QtBot
) -> None:
    four.pages.show_compare()
    four.pages.show_pairs()
    choose_rows(four, qtbot, 1)  # the open pair, as after it was read
    dialog = open_export(four, qtbot)
    assert dialog.source.key == "class"
    assert dialog.source_field.buttons[0].isChecked()
    dialog.reject()

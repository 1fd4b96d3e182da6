"""Layout of the export dialog: nothing is cut off, moves or needs scrolling without reason."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from simcompare.export.export_tasks import RowsPreview
from simcompare.export.exports import ANNOTATED, FOLDER
from simcompare.session.decisions import Decision
from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.export.preview_view import PreviewView
from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, RIGHT_TEXT
from tests.gui.exclusion_samples import NO_POPUPS
from tests.gui.exporting import (
    WRITING_TIMEOUT_MS,
    choose,
    choose_source,
    confirm,
    open_export,
    type_into,
    wait_for_preview,
)


@pytest.fixture
def three(window: MainWindow, essay: Callable[[str, str], Path], qtbot: QtBot) -> MainWindow:
    """Window with three essays and a complete table of pairs."""
    texts = zip("abc", (LEFT_TEXT, RIGHT_TEXT, OTHER_TEXT), strict=True)
    window.workspace.documents.add([essay(f"{name}.txt", text) for name, text in texts])
    qtbot.waitUntil(
        lambda: not window.workspace.is_busy and not window.workspace.pairs._change_delay.isActive(),
        timeout=WRITING_TIMEOUT_MS,
    )
    return window


def top_of(widget: QWidget, dialog: ExportDialog) -> int:
    return widget.mapTo(dialog, QPoint()).y()


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_the_list_of_forms_needs_no_scroll_bar(compared: MainWindow, qtbot: QtBot) -> None:
    for language in ("en", "zh"):
        compared.use_language(language)
        dialog = open_export(compared, qtbot)
        dialog.form.setFocus()
        qtbot.waitUntil(dialog.form.hasFocus)
        dialog.form.showPopup()
        shown = dialog.form.view()
        qtbot.waitUntil(shown.isVisible)
        last = shown.visualRect(shown.model().index(dialog.form.count() - 1, 0))
        assert last.bottom() < shown.viewport().height()
        assert shown.verticalScrollBar().maximum() == 0
        dialog.form.hidePopup()
        dialog.reject()


@pytest.mark.parametrize("height_px", [800, 600])
def test_that_fields_do_not_move_when_the_source_changes(
    three: MainWindow, qtbot: QtBot, height_px: int
) -> None:
    three.resize(1060, height_px)
    three.workspace.review.decide_pair(1, 2, Decision.COPIED)
    three.workspace.review.decide_pair(1, 3, Decision.FINE)
    dialog = open_export(three, qtbot)
    fields = (dialog.form, dialog.language, dialog.with_notes, dialog.names.box, dialog.name, dialog.folder)
    places, heights = set(), set()
    for button in dialog.source_field.buttons:
        button.click()
        for form in range(dialog.form.count()):
            dialog.form.setCurrentIndex(form)
            dialog.layout().activate()
            places.add(tuple(top_of(field, dialog) for field in fields))
            heights.add(dialog.height())
    dialog.names.box.click()
    dialog.layout().activate()
    places.add(tuple(top_of(field, dialog) for field in fields))
    assert len(places) == 1
    assert len(heights) == 1
    dialog.reject()


def test_that_copies_have_the_names_of_their_files(compared: MainWindow, qtbot: QtBot) -> None:
    dialog = open_export(compared, qtbot)
    type_into(dialog, qtbot, name="mine")
    choose(dialog.form, ANNOTATED, qtbot)
    assert not dialog.name.isEnabled()
    assert dialog.name.line.text() == ""
    assert dialog.name.line.placeholderText() == "Named after the files"
    choose(dialog.form, ".pdf", qtbot)
    assert dialog.name.line.text() == "mine"
    dialog.reject()


def test_that_lines_of_a_preview_fit_its_width(compared: MainWindow, qtbot: QtBot) -> None:
    dialog = open_export(compared, qtbot)
    choose(dialog.form, ".json", qtbot)
    text = dialog.preview.text
    qtbot.waitUntil(lambda: "sha256" in text.toPlainText(), timeout=WRITING_TIMEOUT_MS)
    assert text.horizontalScrollBar().maximum() == 0
    dialog.reject()


def test_that_a_preview_begins_with_the_columns_that_have_contents(qtbot: QtBot) -> None:
    view = PreviewView()
    qtbot.addWidget(view)
    rows = ("Student number", "Student", "Drafts", "Share"), ("", "Ann", "", "12"), ("", "Bob", "", "")
    view.show_preview(RowsPreview(rows, is_all=True))
    headings = (view.table.horizontalHeaderItem(column) for column in range(4))
    assert [each and each.text() for each in headings] == ["Student", "Share", "Student number", "Drafts"]
    cell = view.table.item(0, 1)
    assert cell
    assert cell.text() == "12"


def test_that_the_preview_of_the_table_has_names_and_figures(three: MainWindow, qtbot: QtBot) -> None:
    dialog = open_export(three, qtbot)
    choose_source(dialog, "table", qtbot)
    wait_for_preview(dialog, qtbot)
    table = dialog.preview.table
    assert table.columnViewportPosition(3) + table.columnWidth(3) <= table.viewport().width()
    header = table.horizontalHeader()
    heading = table.horizontalHeaderItem(3)
    assert heading.text() == "Share of B (%)"
    assert header.height() >= 2 * header.fontMetrics().lineSpacing(), "it has several lines"
    dialog.reject()


# --- judged pairs


def test_that_judged_pairs_are_exported_together_and_marked(
    three: MainWindow, out: Path, qtbot: QtBot
) -> None:
    three.workspace.review.decide_pair(1, 2, Decision.COPIED)
    three.workspace.review.decide_pair(1, 3, Decision.FINE)
    dialog = open_export(three, qtbot)
    choose_source(dialog, "All 2 pairs with a decision or note", qtbot)
    assert "1 pair is marked as no concern." in dialog.caption.text()
    choose(dialog.form, ".json", qtbot)
    choose(dialog.packing, FOLDER, qtbot)
    type_into(dialog, qtbot, name="judged", folder=out)
    with qtbot.waitSignal(three.export.ended, timeout=WRITING_TIMEOUT_MS):
        confirm(dialog, qtbot)
    index = (out / "judged" / "index.html").read_text("utf-8")
    assert "copied" in index
    assert "no concern" in index
    assert len(list((out / "judged" / "reports").iterdir())) == 2


def test_that_a_pair_with_a_note_counts_as_judged(three: MainWindow, qtbot: QtBot) -> None:
    three.workspace.review.decide_pair(1, 2, Decision.COPIED)
    dialog = open_export(three, qtbot)
    assert [button for button in dialog.source_field.buttons if "note" in button.accessibleName()] == []
    dialog.reject()
    three.workspace.review.note_pair(2, 3, "问一问")
    dialog = open_export(three, qtbot)
    choose_source(dialog, "All 2 pairs with a decision or note", qtbot)
    dialog.reject()


def test_that_course_and_teacher_of_a_case_file_are_asked_for_and_remembered(
    compared: MainWindow, qtbot: QtBot
) -> None:
    dialog = open_export(compared, qtbot)
    choose(dialog.form, ".html", qtbot)
    assert not dialog.teacher.isVisible()
    choose(dialog.form, ".case.zip", qtbot)
    assert dialog.teacher.isVisible()
    dialog.course.setText("Academic writing 2")
    dialog.teacher.setText("Ms Hale")
    contents = dialog.source.named(dialog.source.freeze(with_notes=True), dialog.plan)
    assert (contents.course, contents.teacher) == ("Academic writing 2", "Ms Hale")
    dialog.names.box.click()
    assert not dialog.teacher.isVisible()
    dialog._memory.remember(dialog.source.key, dialog.plan)
    dialog.reject()
    assert open_export(compared, qtbot).teacher.text() == "Ms Hale"


def test_that_names_in_a_case_file_are_replaced_only_if_asked_for_there(
    compared: MainWindow, qtbot: QtBot
) -> None:
    """A case file for the committee came out anonymous, as the export before had been."""
    dialog = open_export(compared, qtbot)
    memory = dialog._memory
    memory.replaces_names = True
    dialog.reject()
    dialog = open_export(compared, qtbot)
    choose(dialog.form, ".html", qtbot)
    assert dialog.names.box.isChecked()
    choose(dialog.form, ".case.zip", qtbot)
    assert not dialog.names.box.isChecked()
    memory.remember(dialog.source.key, dialog.plan)
    assert memory.replaces_names
    choose(dialog.form, ".html", qtbot)
    assert dialog.names.box.isChecked()
    choose(dialog.form, ".case.zip", qtbot)
    dialog.names.box.click()
    assert dialog.names.box.isChecked()
    dialog.reject()

"""Annotated copies of PDFs in which nobody is named, exported from the window."""

import shutil
from pathlib import Path

import pikepdf
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.support.resources import resource_path
from simcompare.ui.export.export_sources import ANNOTATED
from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import READING_TIMEOUT_MS, wait_for_comparison
from tests.gui.exporting import (
    WRITING_TIMEOUT_MS,
    choose,
    confirm,
    open_export,
    pages_shown,
    type_into,
    wait_for_preview,
)
from tests.pseudonyms.leaks import leaks_in
from tests.pseudonyms.planted_pdf import planted_pdf


def test_that_an_annotated_pdf_names_nobody_and_that_the_window_says_it_is_pictures(
    window: MainWindow, tmp_path: Path, out: Path, qtbot: QtBot
) -> None:
    left = planted_pdf(tmp_path / "John Smith 20231235.pdf")
    right = Path(
        shutil.copy(resource_path("samples", "The last bus.docx"), tmp_path / "Mary-Ann O'Neil.docx")
    )
    window.workspace.documents.add([left, right])
    wait_for_comparison(window, qtbot)
    dialog = open_export(window, qtbot)
    choose(dialog.form, ANNOTATED, qtbot)
    dialog.names.box.setFocus()
    qtbot.keyClick(dialog.names.box, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: dialog.names.is_ready, timeout=WRITING_TIMEOUT_MS)
    wait_for_preview(dialog, qtbot)
    qtbot.waitUntil(lambda: len(pages_shown(dialog)) == 1, timeout=READING_TIMEOUT_MS)
    type_into(dialog, qtbot, folder=out)
    with qtbot.waitSignal(window.export.told, timeout=WRITING_TIMEOUT_MS):
        confirm(dialog, qtbot)
    copies = sorted(out.iterdir(), key=lambda path: path.suffix)
    assert [path.suffix for path in copies] == [".docx", ".pdf"]
    assert [leaks_in(path.read_bytes(), path.name) for path in copies] == [[], []]
    with pikepdf.open(copies[1]) as pdf:
        assert len(pdf.pages) == 2
    assert "are pictures" in window.notice.label.text()

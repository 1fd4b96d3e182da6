"""Export of annotated copies of the compared files from the window."""

import shutil
from pathlib import Path

import pikepdf
import pytest
from pytestqt.qtbot import QtBot

from simcompare.export.exports import ANNOTATED
from simcompare.loading.extraction import PastedText
from simcompare.support.resources import resource_path
from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import LEFT_TEXT, READING_TIMEOUT_MS, wait_for_comparison
from tests.gui.exporting import (
    choose,
    confirm,
    export,
    names_in,
    open_export,
    pages_shown,
    type_into,
    wait_for_preview,
    words_of_preview,
)
from tests.gui.loading_samples import PASSWORD, write_locked_files
from tests.helpers.essay_files import CHINESE_PARAGRAPHS, CHINESE_TITLE, write_docx


@pytest.fixture
def originals(tmp_path: Path) -> tuple[Path, Path]:
    """The same essay as a Word file and as a PDF."""
    names = ("家乡的石桥.docx", "石桥记.pdf")
    return tuple(Path(shutil.copy(resource_path("samples", name), tmp_path / name)) for name in names)


@pytest.fixture
def bridges(window: MainWindow, originals: tuple[Path, Path], qtbot: QtBot) -> MainWindow:
    window.workspace.documents.add(originals)
    wait_for_comparison(window, qtbot)
    return window


def test_that_both_copies_have_marks_and_the_originals_are_unchanged(
    bridges: MainWindow, originals: tuple[Path, Path], out: Path, qtbot: QtBot
) -> None:
    before = [path.read_bytes() for path in originals]
    export(bridges, qtbot, ANNOTATED, folder=out)
    assert names_in(out) == ["家乡的石桥 – annotated.docx", "石桥记 – annotated.pdf"]
    with pikepdf.open(out / "石桥记 – annotated.pdf") as pdf:
        assert any("/Annots" in page for page in pdf.pages)
    assert [path.read_bytes() for path in originals] == before
    assert "2 files saved" in bridges.notice.label.text()
    assert bridges.notice.show_button.text() == "Show in folder"


def test_that_the_preview_shows_the_marks_of_both(bridges: MainWindow, qtbot: QtBot) -> None:
    dialog = open_export(bridges, qtbot)
    choose(dialog.form, ANNOTATED, qtbot)
    wait_for_preview(dialog, qtbot)
    qtbot.waitUntil(lambda: "annotated.docx" in words_of_preview(dialog), timeout=READING_TIMEOUT_MS)
    words = words_of_preview(dialog)
    assert "石桥记 – annotated.pdf" in words
    assert "places marked" in words
    assert "Match 1 (" in words
    assert len(pages_shown(dialog)) == 1  # that of the PDF copy
    assert not dialog.name.isEnabled()
    dialog.reject()


def test_that_a_missing_original_is_reported_and_the_other_copy_written(
    bridges: MainWindow, originals: tuple[Path, Path], out: Path, qtbot: QtBot
) -> None:
    originals[0].unlink()
    export(bridges, qtbot, ANNOTATED, folder=out)
    assert names_in(out) == ["石桥记 – annotated.pdf"]
    assert "家乡的石桥.docx cannot be opened: it does not exist" in bridges.notice.label.text()


def test_that_a_changed_original_is_reported(
    bridges: MainWindow, originals: tuple[Path, Path], out: Path, qtbot: QtBot
) -> None:
    write_docx(originals[0], CHINESE_TITLE, CHINESE_PARAGRAPHS)
    export(bridges, qtbot, ANNOTATED, folder=out)
    assert names_in(out) == ["石桥记 – annotated.pdf"]
    assert "no longer the file that was compared" in bridges.notice.label.text()


def test_that_an_encrypted_file_is_opened_with_its_known_password(
    window: MainWindow, tmp_path: Path, out: Path, qtbot: QtBot
) -> None:
    documents = window.workspace.documents
    documents.add(write_locked_files(tmp_path))
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    documents.read_again(list(documents.entries), password=PASSWORD)
    wait_for_comparison(window, qtbot)
    export(window, qtbot, ANNOTATED, folder=out)
    with pikepdf.open(out / "locked – annotated.pdf", password=PASSWORD) as pdf:
        assert pdf.is_encrypted
    assert "locked – annotated.docx" in names_in(out)


def test_that_the_preview_reports_a_pasted_text_without_original(
    window: MainWindow, originals: tuple[Path, Path], out: Path, qtbot: QtBot
) -> None:
    window.workspace.documents.add([originals[1]])
    window.workspace.documents.add_pasted(PastedText(LEFT_TEXT))
    wait_for_comparison(window, qtbot)
    dialog = open_export(window, qtbot)
    choose(dialog.form, ANNOTATED, qtbot)
    wait_for_preview(dialog, qtbot)
    qtbot.waitUntil(
        lambda: "it was pasted and has no file" in words_of_preview(dialog), timeout=READING_TIMEOUT_MS
    )
    type_into(dialog, qtbot, folder=out)
    with qtbot.waitSignal(window.export.ended, timeout=READING_TIMEOUT_MS):
        confirm(dialog, qtbot)
    assert names_in(out) == ["石桥记 – annotated.pdf"]
    assert "it was pasted and has no file" in window.notice.label.text()


def test_that_other_formats_are_refused_in_the_preview(compared: MainWindow, out: Path, qtbot: QtBot) -> None:
    dialog = open_export(compared, qtbot)
    choose(dialog.form, ANNOTATED, qtbot)
    type_into(dialog, qtbot, folder=out)
    assert not dialog.export_button.isEnabled()
    assert "None of these files can be annotated" in dialog.message.text()
    wait_for_preview(dialog, qtbot)
    qtbot.waitUntil(lambda: "PDF and Word files" in words_of_preview(dialog), timeout=READING_TIMEOUT_MS)
    dialog.reject()
    assert names_in(out) == []

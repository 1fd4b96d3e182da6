"""The report of the pair on show, saved from the window."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog
from pytestqt.qtbot import QtBot

from simcompare.loading import load_document
from simcompare.session.review import Decision
from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import READING_TIMEOUT_MS


def save_as(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    """Press Ctrl+E, name a file and click on Save."""
    qtbot.keyClick(window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    [dialog] = window.findChildren(QFileDialog)
    dialog.selectFile(str(path))
    save = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Save)
    qtbot.mouseClick(save, Qt.MouseButton.LeftButton)


def test_that_the_report_of_the_pair_is_saved_where_a_person_says(
    compared: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "evidence.html"
    with qtbot.waitSignal(compared.export.saved, timeout=READING_TIMEOUT_MS):
        save_as(compared, path, qtbot)
    page = path.read_text("utf-8")
    assert "清晨的河面上飘着一层薄薄的雾" in page
    assert "left.txt" in page
    assert "evidence.html" in compared.notice.label.text()


@pytest.mark.parametrize(("suffix", "beginning"), [(".pdf", b"%PDF-"), (".docx", b"PK")])
def test_that_the_ending_of_the_name_chooses_the_form(
    compared: MainWindow, tmp_path: Path, qtbot: QtBot, suffix: str, beginning: bytes
) -> None:
    path = tmp_path / f"evidence{suffix}"
    with qtbot.waitSignal(compared.export.saved, timeout=READING_TIMEOUT_MS):
        save_as(compared, path, qtbot)
    assert path.read_bytes().startswith(beginning)
    assert "清晨的河面上飘着一层薄薄的雾" in load_document(path).text


def test_that_the_form_chosen_in_the_dialog_gives_the_ending(
    compared: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    qtbot.keyClick(compared, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    [dialog] = compared.findChildren(QFileDialog)
    dialog.selectNameFilter("PDF (*.pdf)")
    dialog.filterSelected.emit("PDF (*.pdf)")
    dialog.selectFile(str(tmp_path / "evidence"))
    save = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Save)
    with qtbot.waitSignal(compared.export.saved, timeout=READING_TIMEOUT_MS):
        qtbot.mouseClick(save, Qt.MouseButton.LeftButton)
    assert (tmp_path / "evidence.pdf").is_file()


def test_that_the_report_tells_what_the_teacher_decided_and_noted(
    compared: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    review, match = compared.workspace.review, compared.workspace.comparison.matches[0]
    review.judge((match.left, match.right), Decision.COPIED)
    review.note((match.left, match.right), "到河边看过 <b>原稿</b>")
    path = tmp_path / "evidence.html"
    with qtbot.waitSignal(compared.export.saved, timeout=READING_TIMEOUT_MS):
        save_as(compared, path, qtbot)
    page = path.read_text("utf-8")
    assert "judged as copied" in page
    assert "到河边看过 &lt;b&gt;原稿&lt;/b&gt;" in page


def test_that_a_name_with_a_dot_becomes_a_page_too(
    compared: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(compared.export.saved, timeout=READING_TIMEOUT_MS):
        save_as(compared, tmp_path / "四班 2026.11.21", qtbot)
    assert [path.name for path in tmp_path.glob("四班*")] == ["四班 2026.11.21.html"]


def test_that_the_suggested_name_tells_the_pair(compared: MainWindow, qtbot: QtBot) -> None:
    qtbot.keyClick(compared, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    [dialog] = compared.findChildren(QFileDialog)
    assert [Path(name).name for name in dialog.selectedFiles()] == ["left – right.html"]
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_that_a_place_that_cannot_be_written_is_told_with_its_cause(
    compared: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(compared.export.failed, timeout=READING_TIMEOUT_MS):
        save_as(compared, tmp_path / "missing" / "evidence.html", qtbot)
    assert "evidence.html cannot be saved: it is not there" in compared.notice.label.text()


@pytest.mark.usefixtures("qtbot")
def test_that_without_a_pair_there_is_nothing_to_export(window: MainWindow) -> None:
    assert not window.commands.actions["export"].isEnabled()


def test_that_closing_waits_for_a_report_that_is_being_written(
    compared: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "evidence.html"
    save_as(compared, path, qtbot)
    compared.close()
    assert path.read_text("utf-8").rstrip().endswith("</html>")

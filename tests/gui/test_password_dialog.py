"""Password dialog: asking, trying, asking again."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QListView
from pytestqt.qtbot import QtBot

from simcompare.support.resources import user_data_path
from simcompare.ui.documents.document_rows import ROW_ROLE, offer_rect
from simcompare.ui.documents.receipt_dialog import PasswordDialog
from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import READING_TIMEOUT_MS, wait_for_comparison
from tests.gui.loading_samples import LETTERS, PASSWORD, write_locked_files
from tests.helpers.essay_files import CHINESE_PARAGRAPHS
from tests.helpers.locked_files import write_locked_pdf


@pytest.fixture
def locked(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """Window with two files locked by a password."""
    window.workspace.documents.add(write_locked_files(tmp_path))
    wait_until_read(window, qtbot)
    return window


def wait_until_read(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)


def open_dialog(window: MainWindow, qtbot: QtBot, row: int = 0) -> PasswordDialog:
    """Click the action of the row."""
    view = window.sidebar.documents.findChild(QListView)
    index = view.model().index(row, 0)
    place = offer_rect(view.visualRect(index), index.data(ROW_ROLE), view.font()).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    (dialog,) = (d for d in window.findChildren(PasswordDialog) if d.isVisible())
    qtbot.waitUntil(dialog.field.hasFocus)
    return dialog


def enter(dialog: PasswordDialog, qtbot: QtBot, password: str) -> None:
    dialog.field.selectAll()
    qtbot.keyClicks(dialog.field, password)
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)


def text_of(window: MainWindow, key: int) -> str | None:
    prepared_document = window.workspace.documents.entries[key].prepared_document
    return prepared_document.document.text if prepared_document else None


def test_that_one_password_opens_all_locked_files(locked: MainWindow, qtbot: QtBot) -> None:
    assert all(entry.is_locked for entry in locked.workspace.documents.entries.values())
    dialog = open_dialog(locked, qtbot)
    assert dialog.for_all.isVisible()
    assert dialog.for_all.isChecked()
    with qtbot.waitSignal(dialog.accepted, timeout=READING_TIMEOUT_MS):
        enter(dialog, qtbot, PASSWORD)
    wait_for_comparison(locked, qtbot)
    assert CHINESE_PARAGRAPHS[0] in text_of(locked, 1)
    assert text_of(locked, 2) == LETTERS


def test_that_a_wrong_password_is_reported_in_the_dialog(locked: MainWindow, qtbot: QtBot) -> None:
    dialog = open_dialog(locked, qtbot)
    enter(dialog, qtbot, "wrong")
    assert not dialog.field.isEnabled(), "while it is tried"
    qtbot.waitUntil(dialog.field.isEnabled, timeout=READING_TIMEOUT_MS)
    assert dialog.message.text() == "It does not open locked.docx, locked.pdf. Enter another password."
    assert dialog.field.selectedText(), "the next one takes its place"
    wait_until_read(locked, qtbot)
    with qtbot.waitSignal(dialog.accepted, timeout=READING_TIMEOUT_MS):
        enter(dialog, qtbot, PASSWORD)
    assert text_of(locked, 1) is not None


def test_that_only_files_with_another_password_are_asked_for_again_by_name(
    locked: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    locked.workspace.documents.add([write_locked_pdf(tmp_path / "other.pdf", LETTERS, "second")])
    wait_until_read(locked, qtbot)
    dialog = open_dialog(locked, qtbot)
    assert dialog.for_all.text() == "Try it on all 3 locked files"
    enter(dialog, qtbot, PASSWORD)
    qtbot.waitUntil(dialog.field.isEnabled, timeout=READING_TIMEOUT_MS)
    assert dialog.message.text() == "2 files are open. It does not open other.pdf. Enter another password."
    assert dialog.name.text() == "other.pdf"
    assert not dialog.for_all.isVisible()
    with qtbot.waitSignal(dialog.accepted, timeout=READING_TIMEOUT_MS):
        enter(dialog, qtbot, "second")
    assert not any(entry.is_locked for entry in locked.workspace.documents.entries.values())


def test_that_a_password_can_be_tried_on_one_file_alone(locked: MainWindow, qtbot: QtBot) -> None:
    dialog = open_dialog(locked, qtbot, row=1)
    qtbot.mouseClick(dialog.for_all, Qt.MouseButton.LeftButton, pos=QPoint(8, dialog.for_all.height() // 2))
    with qtbot.waitSignal(dialog.accepted, timeout=READING_TIMEOUT_MS):
        enter(dialog, qtbot, PASSWORD)
    wait_until_read(locked, qtbot)
    assert text_of(locked, 2) == LETTERS
    assert text_of(locked, 1) is None


def test_that_a_single_locked_file_has_no_option_for_several(locked: MainWindow, qtbot: QtBot) -> None:
    locked.workspace.documents.remove([1])
    assert not open_dialog(locked, qtbot).for_all.isVisible()


def test_that_a_password_is_masked_unless_shown_on_request(locked: MainWindow, qtbot: QtBot) -> None:
    dialog = open_dialog(locked, qtbot)
    assert not dialog.open_button.isEnabled(), "nothing is entered"
    assert dialog.field.echoMode() is QLineEdit.EchoMode.Password
    qtbot.mouseClick(dialog.show_box, Qt.MouseButton.LeftButton, pos=QPoint(8, dialog.show_box.height() // 2))
    assert dialog.field.echoMode() is QLineEdit.EchoMode.Normal


def test_that_escape_closes_the_dialog(locked: MainWindow, qtbot: QtBot) -> None:
    dialog = open_dialog(locked, qtbot)
    with qtbot.waitSignal(dialog.rejected):
        qtbot.keyClick(dialog.field, Qt.Key.Key_Escape)
    assert all(entry.is_locked for entry in locked.workspace.documents.entries.values())


def test_that_the_dialog_closes_when_its_file_is_removed(locked: MainWindow, qtbot: QtBot) -> None:
    dialog = open_dialog(locked, qtbot)
    with qtbot.waitSignal(dialog.accepted):
        locked.workspace.documents.remove([1])


def test_that_a_password_is_written_nowhere(
    locked: MainWindow, qtbot: QtBot, capfd: pytest.CaptureFixture[str]
) -> None:
    dialog = open_dialog(locked, qtbot)
    with qtbot.waitSignal(dialog.accepted, timeout=READING_TIMEOUT_MS):
        enter(dialog, qtbot, PASSWORD)
    wait_until_read(locked, qtbot)
    options = locked.workspace.documents.entries[1].options
    locked.close()
    assert options.password == PASSWORD, "for reading it again in this session"
    assert PASSWORD not in repr(options)
    kept = user_data_path("window.ini")
    assert kept.is_file()
    assert PASSWORD.encode() not in kept.read_bytes()
    assert PASSWORD not in "".join(capfd.readouterr())

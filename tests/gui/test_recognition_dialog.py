"""Text recognition is installed from the receipt of a scan, after a question that says the size."""

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.loading.formats.ocr import ocr_engine
from simcompare.model.errors import RecognitionMissingError
from simcompare.ui.documents import recognition_dialog
from simcompare.ui.documents.recognition_dialog import RecognitionDialog
from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import READING_TIMEOUT_MS
from tests.helpers.patience import PATIENCE_MS

_PIP = """
import sys, time
print(sys.argv[1:], file=open({log!r}, "w"))
{body}
"""


@pytest.fixture
def installer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """A program that takes the place of Python with pip; returns the file of its arguments."""

    def use(body: str) -> Path:
        log, program = tmp_path / "log.txt", tmp_path / "pip.py"
        program.write_text(_PIP.format(log=str(log), body=body), "utf-8")
        start = recognition_dialog.QProcess.start
        monkeypatch.setattr(
            recognition_dialog.QProcess,
            "start",
            lambda process, name, args: start(process, name, [str(program), *args]),
        )
        monkeypatch.setattr(recognition_dialog, "why_not_installable", lambda: "")
        monkeypatch.setattr(ocr_engine, "available", lambda: True)
        return log

    return use


def open_dialog(window: MainWindow, qtbot: QtBot) -> RecognitionDialog:
    dialog = RecognitionDialog(window)
    dialog.open()
    return dialog


def test_that_only_what_the_program_states_is_installed() -> None:
    names = [each.replace("<", ">").split(">")[0] for each in recognition_dialog.requirements()]
    assert {"rapidocr", "onnxruntime"} <= set(names)
    assert all(each.isidentifier() for each in names)


def test_that_size_is_said_before_and_progress_while_it_is_installed(
    window: MainWindow, installer, qtbot: QtBot
) -> None:
    log = installer("print('Progress 30000000 of 30000000\\nProgress 31000000 of 62000000', flush=True)\n")
    dialog = open_dialog(window, qtbot)
    assert "120 MB" in dialog.message.text()
    assert "nothing is sent" in dialog.message.text()
    texts = []
    dialog._process.readyReadStandardOutput.connect(lambda: texts.append(dialog.message.text()))
    with qtbot.waitSignal(dialog.installed, timeout=PATIENCE_MS):
        qtbot.mouseClick(dialog.install_button, Qt.MouseButton.LeftButton)
    assert "Downloading: 61 of about 120 MB" in texts
    arguments = log.read_text("utf-8")
    assert "'-m', 'pip', 'install'" in arguments
    assert "rapidocr" in arguments


def test_that_without_a_network_a_sentence_says_so_and_it_can_be_tried_again(
    window: MainWindow, installer, qtbot: QtBot
) -> None:
    installer("print('WARNING: Retrying after connection broken by NewConnectionError'); sys.exit(1)")
    dialog = open_dialog(window, qtbot)
    qtbot.mouseClick(dialog.install_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.install_button.isEnabled, timeout=PATIENCE_MS)
    assert dialog.message.text().startswith("The files cannot be reached.")
    assert dialog.install_button.text() == "Try again"
    assert not dialog.bar.isVisible()


def test_that_escape_stops_it(window: MainWindow, installer, qtbot: QtBot) -> None:
    installer("print('Progress 1 of 2', flush=True); time.sleep(600)")
    dialog = open_dialog(window, qtbot)
    qtbot.mouseClick(dialog.install_button, Qt.MouseButton.LeftButton)
    process = dialog._process
    qtbot.waitUntil(lambda: process.state() is process.ProcessState.Running, timeout=PATIENCE_MS)
    states = []
    dialog.finished.connect(lambda: states.append(process.state()))
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert states == [process.ProcessState.NotRunning]


def test_that_a_bundled_program_says_what_to_do_instead(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    dialog = open_dialog(window, qtbot)
    assert "edition with text recognition" in dialog.message.text()
    assert not dialog.install_button.isVisible()
    assert dialog.cancel_button.text() == "Close"


def test_that_the_receipt_of_a_scan_offers_it_and_reads_the_scan_once_it_is_there(
    window: MainWindow, essay, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    documents = window.workspace.documents
    documents.add([essay("a.txt", "河边的雾。")])
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    window.receipt.show_receipt(1)
    assert not window.receipt.recognition_button.isVisible()
    entry = documents.entries[1]
    entry.error = RecognitionMissingError(entry.path, pages=1)
    window.receipt.show_receipt(1)
    assert window.receipt.recognition_button.isVisible()
    qtbot.mouseClick(window.receipt.recognition_button, Qt.MouseButton.LeftButton)
    [dialog] = window.receipt.findChildren(RecognitionDialog)
    assert dialog.isVisible()
    asked: list[int] = []
    monkeypatch.setattr(documents, "read_again", asked.extend)
    dialog.installed.emit()
    assert asked == [1]

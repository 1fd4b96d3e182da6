"""File metadata in the receipt dialog."""

from datetime import datetime
from pathlib import Path

import docx
from pytestqt.qtbot import QtBot

from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import READING_TIMEOUT_MS
from tests.helpers.essay_files import CHINESE_PARAGRAPHS, CHINESE_TITLE, write_docx


def test_that_the_receipt_of_a_word_file_says_who_made_it_and_who_saved_it_last(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    path = write_docx(tmp_path / "essay.docx", CHINESE_TITLE, CHINESE_PARAGRAPHS)
    document = docx.Document(str(path))
    document.core_properties.author = "李小明"
    document.core_properties.last_modified_by = "王芳 <b>"
    document.core_properties.created = datetime(2023, 1, 7, 10, 3)
    document.save(str(path))
    window.workspace.documents.add([path])
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    (key,) = window.workspace.documents.entries
    window.receipt.show_receipt(key)
    text = window.receipt.text.toPlainText()
    assert "Author\n李小明\nLast saved by\n王芳 <b>\nCreated\n7 January 2023, " in text

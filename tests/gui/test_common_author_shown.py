"""Common author of two files in the header of Compare."""

from pathlib import Path

import docx
import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import READING_TIMEOUT_MS, wait_for_comparison
from tests.helpers.essay_files import CHINESE_PARAGRAPHS, CHINESE_TITLE, ENGLISH_PARAGRAPHS, write_docx


def made_by(path: Path, author: str, paragraphs: list[str]) -> Path:
    write_docx(path, CHINESE_TITLE, paragraphs)
    document = docx.Document(str(path))
    document.core_properties.author = author
    document.save(str(path))
    return path


def author_labels(window: MainWindow) -> list[QLabel]:
    labels = window.compare_view.header.findChildren(QLabel)
    return [label for label in labels if label.isVisible() and label.text() == "same author"]


@pytest.mark.parametrize(("other", "says_so"), [("李小明", True), ("王芳", False)])
def test_that_the_header_names_the_common_author(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, other: str, says_so: bool
) -> None:
    window.workspace.documents.add(
        [
            made_by(tmp_path / "a.docx", "李小明", CHINESE_PARAGRAPHS),
            made_by(tmp_path / "b.docx", other, ENGLISH_PARAGRAPHS),
        ]
    )
    wait_for_comparison(window, qtbot)
    shown = author_labels(window)
    assert len(shown) == (1 if says_so else 0)
    assert all("李小明" in label.toolTip() for label in shown)
    window.workspace.documents.remove([2])
    assert author_labels(window) == []


def test_that_an_author_of_most_files_of_the_class_is_not_named(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    texts = (CHINESE_PARAGRAPHS, ENGLISH_PARAGRAPHS, CHINESE_PARAGRAPHS[:1])
    *pair, third = [made_by(tmp_path / f"{number}.docx", "张老师", text) for number, text in enumerate(texts)]
    window.workspace.documents.add(pair)
    wait_for_comparison(window, qtbot)
    assert len(author_labels(window)) == 1
    window.workspace.documents.add([third])
    window.pages.show_compare()
    qtbot.waitUntil(lambda: author_labels(window) == [], timeout=READING_TIMEOUT_MS)
    assert window.compare_view.header.isVisible()

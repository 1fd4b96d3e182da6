"""Status bar in a small window."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, READING_TIMEOUT_MS, RIGHT_TEXT, wait_for_comparison


def cut_texts(window: MainWindow) -> list[str]:
    """Texts that have less space than they need."""
    labels = [label for label in window.status_line.findChildren(QLabel) if label.isVisible()]
    return [label.text() for label in labels if label.width() < label.sizeHint().width()]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_that_no_text_is_cut_in_the_smallest_window_while_pairs_are_compared(
    window: MainWindow, essay: Callable[[str, str], Path], qtbot: QtBot, language: str
) -> None:
    window.use_language(language)
    window.resize(window.minimumSize())
    texts = [LEFT_TEXT, RIGHT_TEXT, OTHER_TEXT]
    window.workspace.documents.add([essay(f"{i:02}.txt", texts[i % 3] * 20) for i in range(12)])
    window.workspace.documents.add([essay("empty.txt", "")])
    pairs = window.workspace.pairs
    qtbot.waitUntil(lambda: pairs.is_comparing and len(pairs.table) == 66, timeout=2 * READING_TIMEOUT_MS)
    window.status_line._show_state()
    window.status_line.show_message("Saved: class.simcompare")
    qtbot.waitUntil(lambda: cut_texts(window) == [])
    window.workspace.cancel()
    window.status_line.show_message("")
    qtbot.waitUntil(window.status_line._thesaurus.isVisible)
    assert cut_texts(window) == []


def test_that_the_thesaurus_is_shown_if_it_fits(compared: MainWindow, qtbot: QtBot) -> None:
    wait_for_comparison(compared, qtbot)
    assert "offline" in compared.status_line._thesaurus.text()
    assert compared.status_line._thesaurus.isVisible()

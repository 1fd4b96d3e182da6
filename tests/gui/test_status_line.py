"""Status bar: its texts in a small window, its progress."""

from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from simcompare.cohort.common_text import CommonText, find_common_text
from simcompare.session.school_class import DocumentRole
from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, READING_TIMEOUT_MS, RIGHT_TEXT, wait_for_comparison
from tests.gui.pair_table import most_scores_held
from tests.gui.window_parts import wait_until_still
from tests.helpers.patience import PATIENCE_S


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
    pairs = window.workspace.pairs
    with most_scores_held():
        window.workspace.documents.add([essay(f"{i:02}.txt", texts[i % 3] * 20) for i in range(12)])
        window.workspace.documents.add([essay("empty.txt", "")])
        qtbot.waitUntil(lambda: pairs.is_comparing and len(pairs.table) == 66, timeout=2 * READING_TIMEOUT_MS)
        window.status_line._show_state()
        window.status_line.show_message("Saved: class.simcompare")
        qtbot.waitUntil(lambda: cut_texts(window) == [])
        window.workspace.cancel()
    window.status_line.show_message("")
    window.resize(1024, 600)
    qtbot.waitUntil(window.status_line._thesaurus.isVisible)
    qtbot.waitUntil(lambda: cut_texts(window) == [])


def test_that_the_thesaurus_is_shown_if_it_fits(compared: MainWindow, qtbot: QtBot) -> None:
    wait_for_comparison(compared, qtbot)
    assert "offline" in compared.status_line._thesaurus.text()
    assert compared.status_line._thesaurus.isVisible()


class PaintCounter(QObject):
    """Counts how often a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, _widget: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Paint
        return False


def test_that_progress_is_painted_with_the_next_frame_and_not_at_once(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    status = window.status_line
    status._bar.show()
    qtbot.waitUntil(status._bar.isVisible)
    wait_until_still(window, qtbot)
    QApplication.processEvents()
    page, bar = PaintCounter(window.start_page), PaintCounter(status._bar)
    documents = type(window.workspace.documents)
    monkeypatch.setattr(documents, "reading_count", property(lambda _documents: (70, 100)))
    window.start_page.update()
    status._show_progress()
    assert (page.count, bar.count) == (0, 0)
    qtbot.waitUntil(lambda: page.count == 1 and bar.count == 1)


def test_that_progress_is_hidden_when_the_search_for_common_text_ends_last(
    window: MainWindow, essay: Callable[[str, str], Path], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = [LEFT_TEXT, RIGHT_TEXT, OTHER_TEXT]
    window.workspace.documents.add([essay(f"{i}.txt", texts[i % 3] * (i + 1)) for i in range(4)])
    wait_for_comparison(window, qtbot)
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    can_end = Event()

    def search_until_stopped(*arguments: Any) -> CommonText:
        can_end.wait(PATIENCE_S)
        return find_common_text(*arguments)

    monkeypatch.setattr("simcompare.ui.state.cohort.class_common.find_common_text", search_until_stopped)
    key = next(iter(window.workspace.documents.entries))
    window.workspace.class_state.set_role([key], DocumentRole.DRAFT)
    pairs = window.workspace.pairs
    qtbot.waitUntil(lambda: len(pairs.table) == 3 and not pairs.is_busy, timeout=READING_TIMEOUT_MS)
    qtbot.waitUntil(window.status_line.cancel_button.isVisible)
    can_end.set()
    qtbot.waitUntil(window.status_line.cancel_button.isHidden)


def test_that_no_file_is_said_to_be_read_while_texts_are_prepared_again(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    documents, line, said = school_class.workspace.documents, school_class.status_line, set()

    def look() -> None:
        line._show_state()
        said.add(line._activity.text().partition(" · ")[0])

    documents.changed.connect(look)
    documents._reading.recipe = "traditional"
    documents.prepare_again()
    qtbot.waitUntil(lambda: not school_class.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    total = len(documents.entries)
    assert f"Preparing text 1 of {total}" in said
    assert not any("Reading" in text for text in said)


def test_that_the_time_left_is_told_while_files_are_read(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, now, line = [0], [0.0], window.status_line
    workspace = window.workspace
    monkeypatch.setattr(type(workspace.documents), "reading_count", property(lambda _self: (read[0], 40)))
    monkeypatch.setattr(type(workspace), "is_busy", property(lambda _self: read[0] < 40))
    monkeypatch.setattr("simcompare.model.progress.time.monotonic", lambda: now[0])
    line._show_state()
    assert line._activity.text() == "Reading file 1 of 40"
    read[0], now[0] = 10, 20.0
    line._show_state()
    assert line._activity.text() == "Reading file 11 of 40 · 60 seconds left"
    read[0] = 40
    line._show_state()
    read[0], now[0] = 30, 50.0  # other files
    line._show_state()
    assert line._activity.text() == "Reading file 31 of 40"

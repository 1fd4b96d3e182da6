"""Prompt file: read in the background, excluded on both sides, switched off and on."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import ExclusionReason
from simcompare.model.settings import ComparisonSettings
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from tests.gui.conftest import READING_TIMEOUT_MS, Essay, wait_for_comparison
from tests.gui.exclusion_samples import (
    PROMPT_LINE,
    QUOTING_LEFT,
    QUOTING_RIGHT,
    button_of,
    entries,
    greyed,
    listed,
)


def read_prompt(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    button_of(window).open_prompt.trigger()
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(path))
    dialog.close()
    prompt = window.workspace.prompt
    qtbot.waitUntil(lambda: prompt.pending is None, timeout=READING_TIMEOUT_MS)


def wait_for_prompt(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    read_prompt(window, path, qtbot)
    count = ExclusionReason.PROMPT
    qtbot.waitUntil(
        lambda: window.workspace.comparison.left_excluded.count(count).sentences > 0,
        timeout=READING_TIMEOUT_MS,
    )


def test_that_a_prompt_is_read_in_the_background_shown_and_excluded(
    excluding: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    before = excluding.workspace.comparison
    wait_for_prompt(excluding, essay("R&D prompt.txt", PROMPT_LINE), qtbot)
    assert entries(excluding)["R&&D prompt.txt"] == (True, "2")
    assert button_of(excluding).text() == "Excluded: 5 kinds"
    assert PROMPT_LINE in greyed(excluding, Side.RIGHT)
    assert listed(excluding) == ["村口的石桥站了一百多年，桥面被磨得发亮。"]
    assert excluding.workspace.comparison.matrix is before.matrix
    assert len(excluding.workspace.documents.entries) == 2


def test_that_excluding_a_prompt_can_be_switched_off_and_on_at_once(
    excluding: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    wait_for_prompt(excluding, essay("prompt.txt", PROMPT_LINE), qtbot)
    tick = button_of(excluding).ticks[ExclusionReason.PROMPT]
    tick.trigger()
    assert excluding.workspace.settings.prompt is None
    assert PROMPT_LINE in listed(excluding)
    assert entries(excluding)["prompt.txt"] == (False, "")
    tick.trigger()
    assert PROMPT_LINE not in listed(excluding)


def test_that_another_prompt_replaces_the_first(excluding: MainWindow, essay: Essay, qtbot: QtBot) -> None:
    wait_for_prompt(excluding, essay("prompt.txt", PROMPT_LINE), qtbot)
    read_prompt(excluding, essay("other.txt", "村口的石桥站了一百多年，桥面被磨得发亮。"), qtbot)
    qtbot.waitUntil(lambda: listed(excluding) == [PROMPT_LINE], timeout=READING_TIMEOUT_MS)
    assert entries(excluding)["other.txt"] == (True, "2")


def test_that_the_prompt_applies_to_the_next_pair_and_thesaurus(
    excluding: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    wait_for_prompt(excluding, essay("prompt.txt", PROMPT_LINE), qtbot)
    excluding.tool_bar.method.thesauri["none"].trigger()
    wait_for_comparison(excluding, qtbot)
    assert PROMPT_LINE in greyed(excluding, Side.LEFT)
    excluding.workspace.documents.swap()
    wait_for_comparison(excluding, qtbot)
    assert PROMPT_LINE in greyed(excluding, Side.LEFT)


def test_that_a_prompt_read_during_the_comparison_is_excluded(
    window: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    window.workspace.prompt.read(essay("prompt.txt", PROMPT_LINE))
    window.workspace.documents.add([essay("left.txt", QUOTING_LEFT), essay("right.txt", QUOTING_RIGHT)])
    wait_for_comparison(window, qtbot)
    qtbot.waitUntil(lambda: PROMPT_LINE in greyed(window, Side.LEFT), timeout=READING_TIMEOUT_MS)


@pytest.mark.parametrize(("name", "words"), [("gone.docx", "cannot be opened"), ("marks.txt", "no words")])
def test_that_an_unusable_prompt_gives_one_notice(
    excluding: MainWindow, tmp_path: Path, qtbot: QtBot, name: str, words: str
) -> None:
    (tmp_path / "marks.txt").write_text("……！？\n", encoding="utf-8")
    settings, before = excluding.workspace.settings, excluding.workspace.comparison
    read_prompt(excluding, tmp_path / name, qtbot)
    assert excluding.notice.isVisible()
    assert name in excluding.notice.label.text()
    assert words in excluding.notice.label.text()
    assert excluding.workspace.settings == settings == ComparisonSettings()
    assert excluding.workspace.comparison is before
    assert len(entries(excluding)) == 4

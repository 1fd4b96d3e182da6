"""Decisions made before a file was read again with another text are marked as outdated."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision
from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, READING_TIMEOUT_MS, wait_for_comparison

TOLD = "The text of left.txt has changed."


def read_again(window: MainWindow, qtbot: QtBot, path: Path, text: str) -> None:
    """Change the left file and read it again."""
    before = window.workspace.documents.entries[1].prepared_document
    path.write_text(text, encoding="utf-8")
    window.workspace.documents.read_again([1])
    qtbot.waitUntil(
        lambda: window.workspace.documents.entries[1].prepared_document is not before,
        timeout=READING_TIMEOUT_MS,
    )
    wait_for_comparison(window, qtbot)


def test_that_a_decision_on_an_earlier_text_is_marked(
    compared: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    compared.workspace.review.decide_pair(1, 2, Decision.COPIED)

    read_again(compared, qtbot, pair[0], OTHER_TEXT)

    assert compared.notice.isVisible()
    assert compared.notice.label.text().startswith(TOLD)
    assert compared.workspace.review.overall.decision is Decision.COPIED


@pytest.mark.parametrize(("text", "decided"), [(LEFT_TEXT, True), (OTHER_TEXT, False)])
def test_that_the_same_text_or_no_decision_gives_no_notice(
    compared: MainWindow, pair: tuple[Path, Path], qtbot: QtBot, text: str, decided: bool
) -> None:
    if decided:
        compared.workspace.review.decide_pair(1, 2, Decision.COPIED)

    read_again(compared, qtbot, pair[0], text)

    assert TOLD not in compared.notice.label.text()

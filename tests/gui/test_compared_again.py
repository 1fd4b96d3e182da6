"""Repeated, cancelled and interrupted comparisons."""

import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import MatchKind
from simcompare.model.settings import PRESETS
from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, READING_TIMEOUT_MS, Essay, wait_for_comparison
from tests.gui.session_steps import drop, unsaved_dialog
from tests.gui.window_parts import labels, match_view, texts


def test_that_a_moved_threshold_changes_list_percentages_and_highlights_at_once(
    compared: MainWindow,
) -> None:
    before = compared.workspace.comparison
    sliders = compared.tool_bar.strictness.sliders
    sliders.weights_changed.emit(0.98, 0.99)
    after = compared.workspace.comparison
    assert after.matrix is before.matrix
    assert len(after.matches) < len(before.matches)
    assert after.share.left_in_right.raw < before.share.left_in_right.raw
    assert match_view(compared).model().rowCount() == len(after.matches)


def test_that_a_preset_sets_both_thresholds(compared: MainWindow, qtbot: QtBot) -> None:
    compared.tool_bar.strictness.presets["paper"].trigger()
    assert compared.workspace.settings == PRESETS["paper"]


def test_that_swapping_sides_swaps_the_percentages(compared: MainWindow, qtbot: QtBot) -> None:
    before = compared.workspace.comparison.share
    qtbot.mouseClick(compared.tool_bar.swap_button, Qt.MouseButton.LeftButton)
    wait_for_comparison(compared, qtbot)
    after = compared.workspace.comparison.share
    assert texts(compared) == ["right.txt", "left.txt"]
    assert (after.left_in_right, after.right_in_left) == (before.right_in_left, before.left_in_right)


def test_that_a_third_document_can_be_chosen_for_a_side(
    compared: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    drop(compared, essay("third.txt", OTHER_TEXT))
    qtbot.waitUntil(lambda: not compared.workspace.is_busy, timeout=READING_TIMEOUT_MS)
    compared.sidebar.documents.side_chosen.emit(3, "right")
    wait_for_comparison(compared, qtbot)
    assert texts(compared) == ["left.txt", "third.txt"]


def test_that_removing_a_compared_document_clears_its_comparison(compared: MainWindow) -> None:
    compared.sidebar.documents.remove_requested.emit([2])
    assert compared.workspace.comparison is None
    assert match_view(compared).model().rowCount() == 0
    assert "%" not in labels(compared.compare_view.header)


def test_that_the_comparison_without_a_thesaurus_is_labelled(compared: MainWindow, qtbot: QtBot) -> None:
    compared.tool_bar.method.thesauri["none"].trigger()
    wait_for_comparison(compared, qtbot)
    kinds = compared.workspace.comparison.matches.kinds.tolist()
    assert MatchKind.SYNONYM not in kinds
    assert "Thesaurus: none" in labels(compared.status_line)


def test_that_a_broken_thesaurus_is_reported_and_the_comparison_completed(
    compared: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    broken = tmp_path / "broken.dat"
    broken.write_bytes(b"\x00\x01\x02")
    compared.tool_bar.method.use_thesaurus(str(broken))
    wait_for_comparison(compared, qtbot)
    assert "broken.dat" in compared.notice.label.text()


def test_that_cancelling_while_files_are_read_leaves_no_incomplete_file(
    window: MainWindow, pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    drop(window, *pair)
    assert window.status_line.cancel_button.isVisible()
    qtbot.mouseClick(window.status_line.cancel_button, Qt.MouseButton.LeftButton)
    assert not window.workspace.is_busy
    assert window.workspace.documents.entries == {}
    drop(window, *pair)
    wait_for_comparison(window, qtbot)


def test_that_a_cancelled_comparison_can_be_repeated(compared: MainWindow, qtbot: QtBot) -> None:
    before = compared.workspace.comparison
    compared.workspace.compare_again()
    compared.workspace.cancel()
    assert compared.workspace.comparison is None
    assert compared.notice.isVisible()
    compared.commands.actions["again"].trigger()
    wait_for_comparison(compared, qtbot)
    assert compared.workspace.comparison.share == before.share
    assert not compared.notice.isVisible(), "it was about the cancelled comparison"


def test_that_a_cancelled_comparison_stays_cancelled_when_files_change(
    compared: MainWindow, essay: Essay, qtbot: QtBot
) -> None:
    workspace = compared.workspace
    workspace.compare_again()
    workspace.documents.add([essay("unread.txt", OTHER_TEXT)])
    qtbot.mouseClick(compared.status_line.cancel_button, Qt.MouseButton.LeftButton)
    assert [entry.path.name for entry in workspace.documents.entries.values()] == ["left.txt", "right.txt"]
    assert not workspace.is_busy
    workspace.documents.add([essay("another.txt", OTHER_TEXT)])
    qtbot.waitUntil(lambda: not workspace.is_busy, timeout=READING_TIMEOUT_MS)
    assert workspace.comparison is None
    workspace.documents.choose_pair(1, 2)
    wait_for_comparison(compared, qtbot)


@pytest.mark.parametrize("delay_seconds", [0.0, 0.05, 0.3, 1.0])
def test_that_closing_the_window_during_work_raises_no_error(
    window: MainWindow, essay: Essay, qtbot: QtBot, delay_seconds: float
) -> None:
    many = [essay(f"{i}.txt", (LEFT_TEXT + str(i) + OTHER_TEXT) * 200) for i in range(6)]
    window.workspace.documents.add(many)
    end = time.monotonic() + delay_seconds
    while time.monotonic() < end:
        qtbot.wait(5)
    if not window.close():  # the class has been read, so that its comparison is asked about
        unsaved_dialog(window).discard_button.click()
    assert not window.isVisible()

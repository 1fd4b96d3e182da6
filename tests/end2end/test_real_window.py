"""Single features of the window on an X display, with input by xdotool."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.helpers.patience import PATIENCE_S

pytest.importorskip("PySide6", reason="the window needs PySide6")

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QApplication, QListView, QSlider, QTextEdit
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import ExclusionReason
from simcompare.ui.documents.document_rows import ROW_ROLE, offer_rect
from simcompare.ui.documents.receipt_dialog import PasswordDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.document_listing import Side
from tests.end2end.screen import NEEDS_SCREEN, SAMPLES, TIMEOUT_MS, click, click_cell, xdotool
from tests.gui.loading_samples import (
    PASSWORD,
    WHITE_WORDS,
    write_docx_with_white_text,
    write_locked_files,
)
from tests.helpers.programs import StartProgram

pytestmark = NEEDS_SCREEN


def wait_until_compared(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(
        lambda: window.workspace.comparison is not None and not window.workspace.is_busy, timeout=TIMEOUT_MS
    )


def test_that_samples_are_opened_and_a_match_is_selected_in_heatmap_text_and_by_key(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.use_language("zh")
    click(window.start_page.pair_row)
    wait_until_compared(window, qtbot)
    workspace = window.workspace
    assert len(workspace.documents.entries) == 2
    qtbot.waitUntil(window.compare_view.isVisible, timeout=TIMEOUT_MS)
    wait_until_compared(window, qtbot)

    # heatmap: click on the cell of a match
    match = workspace.comparison.matches[3]
    heatmap = window.compare_view.heatmap
    click_cell(heatmap, (match.left, match.right), qtbot)
    qtbot.waitUntil(lambda: workspace.selection.cell == (match.left, match.right), timeout=TIMEOUT_MS)

    # keys: next passage and back
    passage = workspace.selection.passage
    xdotool("key", "n")
    qtbot.waitUntil(lambda: workspace.selection.passage == passage + 1, timeout=TIMEOUT_MS)
    xdotool("key", "p")
    qtbot.waitUntil(lambda: workspace.selection.passage == passage, timeout=TIMEOUT_MS)

    # text: the second click on the first line of a matched sentence in the selected passage
    first, second, *_others = workspace.passages.matches_of(passage).tolist()
    assert workspace.selection.cell is None
    other = workspace.comparison.matches[second]
    assert other.left != workspace.comparison.matches[first].left
    view = window.compare_view.panes[Side.LEFT].findChild(QTextEdit)
    cursor = view.textCursor()
    cursor.setPosition(workspace.comparison.left_span(other).start + 1)
    click(view.viewport(), view.cursorRect(cursor).center() + QPoint(4, 0))
    qtbot.wait(2 * QApplication.doubleClickInterval())
    assert (workspace.selection.passage, workspace.selection.cell) == (passage, None)
    click(view.viewport(), view.cursorRect(cursor).center() + QPoint(4, 0))
    qtbot.waitUntil(lambda: workspace.selection.cell == (other.left, other.right), timeout=TIMEOUT_MS)

    # slider: dragging it to the right leaves fewer matches
    many = len(workspace.comparison.matches)
    window.tool_bar.strictness.advanced.trigger()
    slider = window.tool_bar.strictness.sliders.findChildren(QSlider)[1]
    qtbot.waitUntil(slider.isVisible, timeout=TIMEOUT_MS)
    share = (slider.value() - slider.minimum()) / (slider.maximum() - slider.minimum())
    middle = slider.rect().center().y()
    start = slider.mapToGlobal(QPoint(round(8 + share * (slider.width() - 16)), middle))
    stop = slider.mapToGlobal(QPoint(slider.width() - 2, middle))
    xdotool("mousemove", start.x(), start.y(), "mousedown", 1)
    xdotool("mousemove", stop.x(), stop.y(), "mouseup", 1)
    qtbot.waitUntil(lambda: workspace.settings.right_weight > 0.95, timeout=TIMEOUT_MS)
    assert len(workspace.comparison.matches) < many
    xdotool("key", "Escape")
    qtbot.waitUntil(lambda: not slider.isVisible(), timeout=TIMEOUT_MS)


def test_that_the_menu_stays_open_when_an_exclusion_is_unticked(window: MainWindow, qtbot: QtBot) -> None:
    button, settings = window.tool_bar.exclusions, window.workspace.settings
    menu, opened, stayed = button.menu(), QTimer(), []

    def tick_and_leave() -> None:
        if not menu.isVisible():
            return
        opened.stop()
        click(menu, menu.actionGeometry(button.ticks[ExclusionReason.QUOTATION]).center())
        QTimer.singleShot(500, leave)

    def leave() -> None:
        stayed.append(menu.isVisible())
        xdotool("key", "Escape")

    # the menu runs a nested event loop, in which the timer continues
    opened.timeout.connect(tick_and_leave)
    opened.start(100)
    click(button)
    qtbot.waitUntil(lambda: bool(stayed) and not menu.isVisible(), timeout=TIMEOUT_MS)
    assert stayed == [True]
    assert settings.exclude_quotations
    assert not window.workspace.settings.exclude_quotations
    assert button.text() == "Excluded: 3 kinds"


def test_that_the_program_started_with_files_ends_at_ctrl_q_without_output(
    start_program: StartProgram,
) -> None:
    files = [SAMPLES / "家乡的石桥.docx", SAMPLES / "心中的桥.html"]
    program = "from simcompare.__main__ import run_window; run_window()"
    command = [sys.executable, "-c", program, *map(str, files)]
    process = start_program(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = _wait_for_window("家乡的石桥.docx ↔ 心中的桥.html", seconds=PATIENCE_S)
    xdotool("windowfocus", "--sync", found, "key", "ctrl+q")
    output, _ = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, output) == (0, "")


def _wait_for_window(title: str, seconds: float) -> str:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = xdotool("search", "--name", title).splitlines()
        if found:
            return found[0]
        time.sleep(0.1)
    raise AssertionError(f"no window called {title} in {seconds} seconds")


def test_that_a_double_click_opens_a_receipt_and_a_password_opens_a_locked_file(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    white = write_docx_with_white_text(tmp_path / "white.docx")
    window.workspace.documents.add([white, *write_locked_files(tmp_path)])
    qtbot.waitUntil(lambda: not window.workspace.is_busy, timeout=TIMEOUT_MS)
    view = window.sidebar.documents.findChild(QListView)

    # a double-click opens the receipt, Escape closes it
    first = view.visualRect(view.model().index(0, 0)).topLeft() + QPoint(30, 14)
    click(view.viewport(), first, times=2)
    qtbot.waitUntil(window.receipt.isActiveWindow, timeout=TIMEOUT_MS)
    assert WHITE_WORDS in window.receipt.text.toPlainText()
    xdotool("key", "Escape")
    qtbot.waitUntil(lambda: not window.receipt.isVisible(), timeout=TIMEOUT_MS)

    # click on the link of the locked file and type its password
    index = view.model().index(1, 0)
    window.activateWindow()
    click(view.viewport(), offer_rect(view.visualRect(index), index.data(ROW_ROLE), view.font()).center())
    qtbot.waitUntil(lambda: window.findChild(PasswordDialog) is not None, timeout=TIMEOUT_MS)
    dialog = window.findChild(PasswordDialog)
    qtbot.waitUntil(dialog.field.hasFocus, timeout=TIMEOUT_MS)
    xdotool("type", PASSWORD)
    xdotool("key", "Return")
    qtbot.waitUntil(
        lambda: all(e.error is None for e in window.workspace.documents.entries.values()), timeout=TIMEOUT_MS
    )

"""Complete review in the window on an X display, from dropped files to a report, with xdotool."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QSlider, QTableView
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision
from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.main_window import MainWindow
from tests.end2end.screen import NEEDS_SCREEN, SAMPLES, TIMEOUT_MS, click, click_cell, xdotool

pytestmark = NEEDS_SCREEN
ESSAYS = ("家乡的石桥.docx", "心中的桥.html", "石桥记.pdf", "桥的故事.docx", "秋天的路.pdf")
SOURCE_AT = QPoint(1320, 100)


@contextmanager
def drag_source(files: list[Path]) -> Iterator[None]:
    """Run drag_source.py in a window next to ours."""
    command = [sys.executable, str(Path(__file__).with_name("drag_source.py"))]
    process = subprocess.Popen([*command, str(SOURCE_AT.x()), str(SOURCE_AT.y()), *map(str, files)])
    try:
        xdotool("search", "--sync", "--onlyvisible", "--name", "drag source")
        yield
    finally:
        process.kill()
        process.wait()


def drag_to(point: QPoint, qtbot: QtBot) -> None:
    """Drag the files of the source window to a point of the screen, in ten steps.

    The event loop must run meanwhile, as our window answers the drag events.
    """
    words: list[str | int] = ["mousemove", SOURCE_AT.x() + 60, SOURCE_AT.y() + 60, "mousedown", 1]
    for part in range(1, 11):
        position = SOURCE_AT + (point - SOURCE_AT) * part / 10
        words += ["mousemove", position.x(), position.y(), "sleep", "0.1"]
    with subprocess.Popen(["xdotool", *map(str, [*words, "mouseup", 1])]) as process:
        qtbot.waitUntil(lambda: process.poll() is not None, timeout=TIMEOUT_MS)


def double_click_row(table: QTableView, row: int) -> None:
    """Double-click a row of a table."""
    click(table.viewport(), table.visualRect(table.model().index(row, 0)).center())
    xdotool("click", 1)


def test_that_five_dropped_essays_are_compared_judged_and_reported(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    workspace = window.workspace

    def wait_until(holds: Callable[[], bool]) -> None:
        qtbot.waitUntil(holds, timeout=TIMEOUT_MS)

    # drop the essays into the empty window, which then shows the table of all pairs
    with drag_source([SAMPLES / name for name in ESSAYS]):
        drag_to(QPoint(640, 400), qtbot)
        wait_until(lambda: len(workspace.documents.entries) == len(ESSAYS))
    table = window.pairs_view.findChild(QTableView)
    wait_until(lambda: not workspace.is_busy and table.model().rowCount() == 10)
    assert table.isVisible()

    # open a pair by a double-click
    window.activateWindow()
    double_click_row(table, 0)
    wait_until(lambda: window.compare_view.isVisible() and workspace.comparison is not None)

    # click on a cell of the heatmap, go to the next match in the passage and back
    match = workspace.comparison.matches[2]
    click_cell(window.compare_view.heatmap, (match.left, match.right), qtbot)
    wait_until(lambda: workspace.selection.cell == (match.left, match.right))
    before = workspace.selection.selected
    xdotool("key", "alt+Down")
    wait_until(lambda: workspace.selection.selected == before + 1)
    xdotool("key", "alt+Up")
    wait_until(lambda: workspace.selection.selected == before)

    # decide on the match with a key, which leads to the next one
    xdotool("key", "c")
    decided = (match.left, match.right)
    wait_until(lambda: workspace.review.decision_of(decided).decision is Decision.COPIED)
    wait_until(lambda: workspace.selection.selected == before + 1)

    # move a slider with a key
    window.tool_bar.strictness.advanced.trigger()
    slider = window.tool_bar.strictness.sliders.findChildren(QSlider)[1]
    wait_until(slider.isVisible)
    slider.setFocus()
    right_weight = workspace.settings.right_weight
    xdotool("key", "Right")
    wait_until(lambda: workspace.settings.right_weight > right_weight)
    xdotool("key", "Escape")
    wait_until(lambda: not slider.isVisible())

    # export the report to a path that is typed
    path = tmp_path / "evidence.html"
    xdotool("key", "ctrl+e")
    wait_until(lambda: window.findChild(ExportDialog) is not None)
    dialog = window.findChild(ExportDialog)
    wait_until(dialog.isActiveWindow)
    line = dialog.name.line
    click(line, line.rect().center())
    wait_until(line.hasFocus)
    xdotool("key", "ctrl+a")
    xdotool("type", str(path))
    xdotool("key", "Return")
    wait_until(path.is_file)
    assert ">copied<" in path.read_text("utf-8")

"""A teacher's way through the whole window on a real X display, by the mouse and keys of xdotool."""

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
    """Show a window beside ours from which files can be dragged."""
    command = [sys.executable, str(Path(__file__).with_name("drag_source.py"))]
    process = subprocess.Popen([*command, str(SOURCE_AT.x()), str(SOURCE_AT.y()), *map(str, files)])
    try:
        xdotool("search", "--sync", "--onlyvisible", "--name", "drag source")
        yield
    finally:
        process.kill()
        process.wait()


def drag_to(point: QPoint, qtbot: QtBot) -> None:
    """Drag what the source holds to a place of the screen, as slowly as a hand does.

    Our window answers the source all the while, so its event loop must go on.
    """
    words: list[str | int] = ["mousemove", SOURCE_AT.x() + 60, SOURCE_AT.y() + 60, "mousedown", 1]
    for part in range(1, 11):
        way = SOURCE_AT + (point - SOURCE_AT) * part / 10
        words += ["mousemove", way.x(), way.y(), "sleep", "0.1"]
    with subprocess.Popen(["xdotool", *map(str, [*words, "mouseup", 1])]) as hand:
        qtbot.waitUntil(lambda: hand.poll() is not None, timeout=TIMEOUT_MS)


def pick_row(table: QTableView, row: int) -> None:
    """Double click on a row."""
    click(table.viewport(), table.visualRect(table.model().index(row, 0)).center())
    xdotool("click", 1)


def test_that_an_evening_with_five_essays_ends_in_a_report(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    workspace = window.workspace

    def wait_until(holds: Callable[[], bool]) -> None:
        qtbot.waitUntil(holds, timeout=TIMEOUT_MS)

    # the essays are dragged into the empty window; the table of all pairs comes up
    with drag_source([SAMPLES / name for name in ESSAYS]):
        drag_to(QPoint(640, 400), qtbot)
        wait_until(lambda: len(workspace.documents.entries) == len(ESSAYS))
    table = window.pairs_view.findChild(QTableView)
    wait_until(lambda: not workspace.is_busy and table.model().rowCount() == 10)
    assert table.isVisible()

    # a double click on a pair opens it
    window.activateWindow()
    pick_row(table, 0)
    wait_until(lambda: window.compare_view.isVisible() and workspace.comparison is not None)

    # a cell of the heatmap, the next match, the one before
    match = workspace.comparison.matches[2]
    click_cell(window.compare_view.heatmap, (match.left, match.right), qtbot)
    wait_until(lambda: workspace.selection.cell == (match.left, match.right))
    before = workspace.selection.selected
    xdotool("key", "n")
    wait_until(lambda: workspace.selection.selected == before + 1)
    xdotool("key", "p")
    wait_until(lambda: workspace.selection.selected == before)

    # the match is judged by a key
    xdotool("key", "c")
    wait_until(lambda: workspace.review.decision_of(workspace.selection.cell).decision is Decision.COPIED)

    # a slider, by its keys
    slider = window.tool_bar.settings_bar.sliders.findChildren(QSlider)[1]
    slider.setFocus()
    right_weight = workspace.settings.right_weight
    xdotool("key", "Right")
    wait_until(lambda: workspace.settings.right_weight > right_weight)

    # the report, at a place that is typed
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
    assert "judged as copied" in path.read_text("utf-8")

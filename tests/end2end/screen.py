"""Simulated mouse and keyboard input on an X display, by xdotool."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.helpers.patience import PATIENCE_MS

NEEDS_SCREEN = [
    pytest.mark.window,
    pytest.mark.skipif(not os.environ.get("DISPLAY"), reason="needs an X display"),
    pytest.mark.skipif(not shutil.which("xdotool"), reason="needs xdotool"),
]
SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
TIMEOUT_MS = PATIENCE_MS


def xdotool(*words: str | int) -> str:
    done = subprocess.run(["xdotool", *map(str, words)], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def click(widget: QWidget, place: QPoint | None = None, *, times: int = 1) -> None:
    """Click, also twice: two commands on a busy machine may be too far apart for a double click."""
    point = widget.mapToGlobal(place if place is not None else widget.rect().center())
    xdotool("mousemove", point.x(), point.y(), "click", "--repeat", times, "--delay", 20, 1)


def click_cell(heatmap: QWidget, cell: tuple[int, int], qtbot: QtBot) -> None:
    """Click on a cell of the heatmap once its position has not changed for 20 polls."""
    positions: list[QPoint | None] = []

    def is_still() -> bool:
        positions.append(_cell_centre(heatmap, cell))
        return len(positions) > 20 and positions[-1] is not None and len(set(map(str, positions[-20:]))) == 1

    qtbot.waitUntil(is_still, timeout=TIMEOUT_MS)
    click(heatmap, positions[-1])


def _cell_centre(heatmap: QWidget, cell: tuple[int, int]) -> QPoint | None:
    if heatmap._geometry is None:
        return None
    return heatmap._frame.origin + heatmap._geometry.cell_rect(*cell).center().toPoint()

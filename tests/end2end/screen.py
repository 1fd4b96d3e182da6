"""Mouse and keys on a real X display, by xdotool."""

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


def click(widget: QWidget, place: QPoint | None = None) -> None:
    point = widget.mapToGlobal(place if place is not None else widget.rect().center())
    xdotool("mousemove", point.x(), point.y(), "click", 1)


def click_cell(heatmap: QWidget, cell: tuple[int, int], qtbot: QtBot) -> None:
    """Click on a pair of sentences in the heatmap, once the map has come to rest."""
    seen: list[QPoint | None] = []

    def is_at_rest() -> bool:
        seen.append(_place_of(heatmap, cell))
        return len(seen) > 20 and seen[-1] is not None and len(set(map(str, seen[-20:]))) == 1

    qtbot.waitUntil(is_at_rest, timeout=TIMEOUT_MS)
    click(heatmap, seen[-1])


def _place_of(heatmap: QWidget, cell: tuple[int, int]) -> QPoint | None:
    if heatmap._geometry is None:
        return None
    return heatmap._frame.origin + heatmap._geometry.cell_rect(*cell).center().toPoint()

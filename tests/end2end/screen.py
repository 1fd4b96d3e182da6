"""Mouse and keys on a real X display, by xdotool."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

NEEDS_SCREEN = [
    pytest.mark.window,
    pytest.mark.skipif(not os.environ.get("DISPLAY"), reason="needs an X display"),
    pytest.mark.skipif(not shutil.which("xdotool"), reason="needs xdotool"),
]
SAMPLES = Path(__file__).parents[2] / "resources" / "samples"
TIMEOUT_MS = 30_000


def xdotool(*words: str | int) -> str:
    done = subprocess.run(["xdotool", *map(str, words)], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def click(widget: QWidget, place: QPoint | None = None) -> None:
    point = widget.mapToGlobal(place if place is not None else widget.rect().center())
    xdotool("mousemove", point.x(), point.y(), "click", 1)

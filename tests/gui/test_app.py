"""Files that macOS asks the program to open, and the time at which work begins."""

import gc
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from simcompare.ui import app
from tests.helpers.patience import PATIENCE_MS, PATIENCE_S

_DOUBLE_CLICK = """
import sys
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QFileOpenEvent
from simcompare.ui.app import Application
application, asked = Application([]), []
application.file_requested.connect(asked.append)
event = QFileOpenEvent(sys.argv[1])
assert event.type() == QEvent.Type.FileOpen
assert QCoreApplication.sendEvent(application, event)
QCoreApplication.sendEvent(application, QEvent(QEvent.Type.ApplicationStateChange))
sys.stdout.buffer.write(repr(asked).encode())
"""


def test_that_a_double_click_on_macos_asks_for_the_file(tmp_path: Path):
    session = str(tmp_path / "三班 作文.simcompare")
    ended = subprocess.run(
        [sys.executable, "-c", _DOUBLE_CLICK, session], capture_output=True, check=True, timeout=PATIENCE_S
    )
    assert ended.stdout.decode() == repr([session])


_CLOSED_AT_ONCE = """
import threading
from simcompare.ui.app import _load
threading.Thread(target=lambda: (threading.main_thread().join(), _load())).start()
"""


def test_that_a_window_closed_while_its_modules_load_ends_silently():
    command = [sys.executable, "-c", _CLOSED_AT_ONCE]
    ended = subprocess.run(command, capture_output=True, check=True, timeout=PATIENCE_S)
    assert ended.stderr == b""


def test_that_work_begins_when_the_window_is_on_the_screen(qtbot: QtBot):
    window, exposed = QWidget(), []
    qtbot.addWidget(window)
    window.show()
    app.run_when_painted(window, lambda: exposed.append(window.windowHandle().isExposed()))
    assert exposed == []
    qtbot.waitUntil(lambda: exposed == [True], timeout=PATIENCE_MS)


def test_that_work_begins_soon_if_the_window_is_not_on_the_screen(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(app, "_MAX_PAINTING_SECONDS", 0.05)
    window, exposed = QWidget(), []
    qtbot.addWidget(window)
    window.winId()  # makes the window, as of a minimised one, without showing it
    app.run_when_painted(window, lambda: exposed.append(window.windowHandle().isExposed()))
    qtbot.waitUntil(lambda: exposed == [False], timeout=PATIENCE_MS)


def test_that_what_a_long_collection_leaves_is_skipped_by_the_next(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "_MAX_COLLECTION_SECONDS", 0.0)
    monkeypatch.setattr(gc, "get_threshold", lambda: (700, 10, 10))  # that of tests is higher
    collector = app.GarbageCollector(qapp)
    before = gc.get_freeze_count()
    kept = [[place] for place in range(5000)]
    collector._collect()
    assert gc.get_freeze_count() >= before + len(kept)
    collector.deleteLater()
    gc.unfreeze()

"""Files that macOS asks the program to open, and the time at which work begins."""

import subprocess
import sys
from pathlib import Path

from tests.helpers.patience import PATIENCE_S

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

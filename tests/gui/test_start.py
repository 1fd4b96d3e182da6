"""The window appears, and is then made whole, before the modules of later steps are loaded."""

import os
import subprocess
import sys

from tests.helpers.patience import PATIENCE_S

_LATER = (
    "alembic",
    "asyncio",
    "docx",
    "jinja2",
    "numpy.ma",
    "pdfminer",
    "pebble",
    "pypdfium2",
    "pypinyin",
    "rjieba",
    "simcompare.report.class_report.class_forms",
    "simcompare.ui.export.export_dialog",
    "sqlalchemy",
    "trafilatura",
    "typst",
    "xlsxwriter",
)
_NOT_TO_PAINT = ("numpy", "simcompare.comparison", "simcompare.loading", "simcompare.ui.state.workspace")
_NAME_LINES = "simcompare.comparison.exclusions.name_lines"
_START = """
import sys
from PySide6.QtWidgets import QApplication
from simcompare.ui.app import assemble
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
application = QApplication([])
window = MainWindow(Preferences(), assemble)
window.show()
application.processEvents()
print(sorted(set({not_to_paint}) & set(sys.modules)))
window.complete()
application.processEvents()
print(sorted(set({later}) & set(sys.modules)), "compiled" in vars(sys.modules[{name_lines!r}]._ANY_CLASS))
window.close()
"""


def test_that_a_window_without_documents_loads_no_reader_report_or_dictionary(tmp_path):
    folders = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    ended = subprocess.run(
        [
            sys.executable,
            "-c",
            _START.format(later=_LATER, not_to_paint=_NOT_TO_PAINT, name_lines=_NAME_LINES),
        ],
        env={**os.environ, **folders},
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
    )
    assert ended.stdout.split("\n")[:2] == ["[]", "[] False"]

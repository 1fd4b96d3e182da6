"""`simcompare-gui` on a system that cannot show a window: it ends with a sentence, not with a crash."""

import os
import subprocess
import sys

import pytest

from tests.helpers.patience import PATIENCE_S
from tests.helpers.programs import StartProgram

RUN = "from simcompare.__main__ import run_window; run_window()"
# as on a system without Qt's libraries
WITHOUT_LIBRARY = f"""
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "PySide6.QtCore":
            raise ImportError("libsimcompare.so.1: cannot open shared object file: No such file or directory")
sys.meta_path.insert(0, Finder())
{RUN}
"""
WITHOUT_LIBRARIES_OF_SCREEN = f"""
from simcompare.support import missing_libraries
missing_libraries._missing_for = lambda library: library if library == "libxcb-cursor.so.0" else None
{RUN}
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="libraries and screens of Linux")


@pytest.fixture
def last_line(start_program: StartProgram):
    def run(program: str, language: str) -> str:
        surroundings = {"LC_ALL": language, "QT_QPA_PLATFORM": "xcb", "DISPLAY": ":simcompare-none"}
        process = start_program(
            [sys.executable, "-X", "utf8", "-c", program],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, **surroundings},
        )
        output, errors = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, output) == (1, "")
        assert "Traceback" not in errors
        return errors.splitlines()[-1]

    return run


@pytest.mark.parametrize(
    ("language", "beginning"),
    [
        ("en_GB.UTF-8", "The window cannot be opened, because this system lacks libsimcompare.so.1"),
        ("zh_CN.UTF-8", "无法打开窗口：系统缺少 libsimcompare.so.1"),
    ],
)
def test_that_a_library_that_qt_lacks_is_named(last_line, language: str, beginning: str):
    assert last_line(WITHOUT_LIBRARY, language).startswith(beginning)


def test_that_a_library_that_only_screens_need_is_named(last_line):
    line = last_line(WITHOUT_LIBRARIES_OF_SCREEN, "C.UTF-8")
    assert line.startswith(
        "The window cannot be opened, because this system lacks libxcb-cursor.so.0. Install"
    )


def test_that_a_missing_screen_is_named(last_line):
    line = last_line(RUN, "zh_CN.UTF-8")
    assert line == "无法打开窗口：没有可用的屏幕。没有屏幕时，请使用命令行程序 `simcompare`。"

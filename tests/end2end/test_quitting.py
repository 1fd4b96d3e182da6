"""The program started, quit at several moments, and ended by the system: it leaves nothing behind."""

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.helpers.patience import PATIENCE_S
from tests.helpers.programs import StartProgram

ROOT = Path(__file__).parents[2]
LINE = "清晨的河面上飘着一层薄薄的雾。渔船慢慢地从芦苇旁边划过去。"
# of every window that is shown offscreen; of one that is closed while it is painted for the first time
QT_SAYS = ("propagateSizeHints", "QBackingStore::flush")
NOT_ON_WINDOWS = pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no such signals")

PROGRAM = """
    import sys
    from PySide6.QtCore import QTimer
    from simcompare.session.decisions import Decision
    from simcompare.ui import app

    MOMENT = {moment!r}

    def is_now(window):
        workspace = window.workspace
        if MOMENT == "reading":
            return workspace.documents.reading_count[0] > 3
        if MOMENT == "comparing":
            return workspace.pairs.is_comparing and workspace.pairs.progress[0] > 0
        if MOMENT == "judged" and workspace.comparison is not None:
            match = workspace.comparison.matches[0]
            workspace.review.decide((match.left, match.right), Decision.COPIED)
            return True
        return MOMENT == "starting"

    def look(window, timer):
        if is_now(window):
            timer.stop()
            {end}

    def begin(window, files, begin=app._open_files):
        begin(window, files)
        timer = QTimer(window, interval=5)
        timer.timeout.connect(lambda: look(window, timer))
        timer.start()

    if __name__ == "__main__":
        app._open_files = begin
        app.main()
"""


@pytest.fixture
def run(tmp_path: Path, start_program: StartProgram) -> Callable[[str, str], tuple[int, str]]:
    """Start the program with forty essays, let it run to a moment, and return its code and what it said."""
    folder = tmp_path / "class"
    folder.mkdir()
    for number in range(40):
        (folder / f"{number:02}.txt").write_text(LINE * (5 + number) + f"第{number}篇。", "utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_DATA_HOME": str(tmp_path / "home"),
        "LC_ALL": "C.UTF-8",
    }

    def start(moment: str, end: str) -> tuple[int, str]:
        program = tmp_path / "program.py"
        program.write_text(textwrap.dedent(PROGRAM).format(moment=moment, end=end), encoding="utf-8")
        process = start_program(
            [sys.executable, program, folder], env=environment, stderr=subprocess.PIPE, encoding="utf-8"
        )
        _, errors = process.communicate(timeout=PATIENCE_S)
        said = [line for line in errors.splitlines() if not any(word in line for word in QT_SAYS)]
        return process.returncode, "\n".join(said)

    return start


@pytest.mark.parametrize("moment", ["starting", "reading", "comparing"])
def test_that_quitting_says_nothing_whatever_is_under_way(
    run: Callable[[str, str], tuple[int, str]], moment: str
) -> None:
    assert run(moment, "window.close()") == (0, "")


@NOT_ON_WINDOWS
@pytest.mark.parametrize("moment", ["starting", "comparing"])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_that_it_ends_cleanly_where_the_system_asks_for_it(
    run: Callable[[str, str], tuple[int, str]], moment: str, name: str
) -> None:
    # as a terminal does: to all processes; to end readers is theirs who started them
    group = "os.killpg(os.getpgrp(), signal.SIGINT)" if name == "SIGINT" else ""
    end = f"import os, signal; {group or f'os.kill(os.getpid(), signal.{name})'}"
    assert run(moment, end) == (0, "")


@NOT_ON_WINDOWS
def test_that_unsaved_work_is_kept_where_the_system_ends_the_program(
    run: Callable[[str, str], tuple[int, str]], tmp_path: Path
) -> None:
    assert run("judged", f"import os; os.kill(os.getpid(), {int(signal.SIGTERM)})") == (0, "")
    kept = list((tmp_path / "home").rglob("recovery/*.simcompare"))
    assert len(kept) == 1
    assert not list((tmp_path / "home").rglob("recovery/*.lock"))

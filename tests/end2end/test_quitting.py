"""Closing the window and ending the program by a signal, in several states."""

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
# Warnings of the offscreen platform for every window, and for one closed during its first paint event.
EXPECTED_QT_WARNINGS = ("propagateSizeHints", "QBackingStore::flush")
NOT_ON_WINDOWS = pytest.mark.skipif(sys.platform == "win32", reason="Windows does not have these signals")

PROGRAM = """
    import sys
    from PySide6.QtCore import QTimer
    from simcompare.session.decisions import Decision
    from simcompare.ui import app
    from simcompare.ui.session.session_commands import UnsavedDialog

    STATE = {state!r}

    def is_reached(window):
        workspace = window.workspace
        if STATE == "reading":
            return workspace.documents.reading_count[0] > 3
        if STATE == "comparing":
            # if all pairs are compared between two polls, the state after it must do
            has_begun = workspace.pairs.progress[0] > 0
            return has_begun and (workspace.pairs.is_comparing or not workspace.is_busy)
        if STATE == "judged" and workspace.comparison is not None:
            match = workspace.comparison.matches[0]
            workspace.review.decide((match.left, match.right), Decision.COPIED)
            return True
        return STATE == "starting"

    def poll(window, timer):
        if is_reached(window):
            timer.stop()
            {end}

    def begin(window, files, begin=app._open_files):
        begin(window, files)
        timer = QTimer(window, interval=5)
        timer.timeout.connect(lambda: poll(window, timer))
        timer.start()

    if __name__ == "__main__":
        app._open_files = begin
        app.main()
"""


@pytest.fixture
def run(tmp_path: Path, start_program: StartProgram) -> Callable[[str, str], tuple[int, str]]:
    """Run the program with forty essays until a state, then run `end`; return exit code and stderr."""
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

    def start(state: str, end: str) -> tuple[int, str]:
        program = tmp_path / "program.py"
        program.write_text(textwrap.dedent(PROGRAM).format(state=state, end=end), encoding="utf-8")
        process = start_program(
            [sys.executable, program, folder], env=environment, stderr=subprocess.PIPE, encoding="utf-8"
        )
        _, errors = process.communicate(timeout=PATIENCE_S)
        messages = [
            line for line in errors.splitlines() if not any(word in line for word in EXPECTED_QT_WARNINGS)
        ]
        return process.returncode, "\n".join(messages)

    return start


@pytest.mark.parametrize("state", ["starting", "reading", "comparing"])
def test_that_closing_the_window_writes_no_message_in_any_state(
    run: Callable[[str, str], tuple[int, str]], state: str
) -> None:
    # a class that has been read is asked about
    discard = "[each.discard_button.click() for each in window.findChildren(UnsavedDialog)]"
    assert run(state, f"window.close() or {discard}") == (0, "")


@NOT_ON_WINDOWS
@pytest.mark.parametrize(
    ("state", "name"),
    [("starting", "SIGTERM"), ("starting", "SIGINT"), ("comparing", "SIGINT"), ("comparing", "SIGHUP")],
)
def test_that_a_signal_ends_the_program_without_a_message(
    run: Callable[[str, str], tuple[int, str]], state: str, name: str
) -> None:
    # a terminal sends SIGINT to all processes of the group
    group = "os.killpg(os.getpgrp(), signal.SIGINT)" if name == "SIGINT" else ""
    end = f"import os, signal; {group or f'os.kill(os.getpid(), signal.{name})'}"
    assert run(state, end) == (0, "")


@NOT_ON_WINDOWS
def test_that_sigterm_saves_unsaved_work_for_recovery(
    run: Callable[[str, str], tuple[int, str]], tmp_path: Path
) -> None:
    assert run("judged", f"import os; os.kill(os.getpid(), {int(signal.SIGTERM)})") == (0, "")
    kept = list((tmp_path / "home").rglob("recovery/*.simcompare"))
    assert len(kept) == 1
    assert not list((tmp_path / "home").rglob("recovery/*.lock"))

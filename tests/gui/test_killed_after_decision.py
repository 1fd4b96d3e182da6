"""Decisions and notes are on disk within two seconds, whatever ends the program then."""

import os
import signal
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from simcompare.ui.main_window import MainWindow
from tests.gui.conftest import wait_for_comparison
from tests.helpers.patience import PATIENCE_S
from tests.helpers.programs import StartProgram

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no SIGKILL")
def test_that_decision_and_note_are_restored_if_the_program_is_killed_two_seconds_later(
    pair: tuple[Path, Path],
    tmp_path: Path,
    start_program: StartProgram,
    another_window: Callable[..., MainWindow],
    qtbot: QtBot,
) -> None:
    """The first decision is in the recovery copy, the second one and the note in its journal."""
    script = f"""
        import os, signal
        from pathlib import Path
        from PySide6.QtCore import QTimer
        from PySide6.QtWidgets import QApplication
        from simcompare.session.decisions import Decision
        from simcompare.ui.window_assembly import whole_window
        from simcompare.ui.preferences import Preferences

        if __name__ == "__main__":
            application = QApplication([])
            window = whole_window(Preferences())
            window.show()
            workspace = window.workspace
            workspace.documents.add([Path({str(pair[0])!r}), Path({str(pair[1])!r})])
            decided = []

            def decide():
                match = workspace.comparison.matches[len(decided)]
                decided.append((match.left, match.right))
                workspace.review.decide(decided[-1], Decision.COPIED)

            def begin():
                if workspace.comparison is not None and not decided:
                    decide()

            def go_on(_written):
                if len(decided) == 1:
                    decide()
                    workspace.review.note(decided[-1], "asked in class")
                    QTimer.singleShot(2_000, lambda: os.kill(os.getpid(), signal.SIGKILL))

            window.sessions.recovery._written.connect(go_on)
            timer = QTimer(interval=20)
            timer.timeout.connect(begin)
            timer.start()
            application.exec()
    """
    program = tmp_path / "killed.py"
    program.write_text(textwrap.dedent(script), encoding="utf-8")
    process = start_program([sys.executable, program], env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert process.wait(PATIENCE_S) == -signal.SIGKILL

    window = another_window()
    window.sessions.recovery_bar.restore_button.click()
    wait_for_comparison(window, qtbot)
    [review] = window.workspace.review.pairs().values()
    assert sorted(judged.note for judged in review.matches.values()) == ["", "asked in class"]

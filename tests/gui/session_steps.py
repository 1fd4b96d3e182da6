"""Actions of a teacher who works with sessions."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision
from simcompare.ui.main_window import MainWindow
from simcompare.ui.session.session_commands import UnsavedDialog
from tests.gui import dropping
from tests.gui.conftest import READING_TIMEOUT_MS


def choose_file(window: MainWindow, path: Path) -> None:
    """Choose a file in the open dialog."""
    dialog = window.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(path))
    dialog.done(QFileDialog.DialogCode.Accepted)


def trigger(window: MainWindow, name: str) -> None:
    window.commands.actions[name].trigger()


def save_to(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.sessions.keeper.saved, timeout=READING_TIMEOUT_MS):
        trigger(window, "save_as")
        choose_file(window, path)


def decide_first(window: MainWindow) -> tuple[int, int]:
    """Decide on the first match, and return its cell."""
    match = window.workspace.comparison.matches[0]
    cell = (match.left, match.right)
    window.workspace.selection.select_cell(*cell)
    window.workspace.review.decide(cell, Decision.COPIED)
    return cell


def drop(window: MainWindow, *paths: Path) -> None:
    dropping.drop(window, dropping.files(paths))


def unsaved_dialog(window: MainWindow) -> UnsavedDialog | None:
    return next((d for d in window.findChildren(UnsavedDialog) if d.isVisible()), None)


def names(window: MainWindow) -> list[str]:
    return [entry.path.name for entry in window.workspace.documents.entries.values()]

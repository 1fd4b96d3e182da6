"""What the window remembers between two starts and from session to session."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QSplitter
from pytestqt.qtbot import QtBot

from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.preferences import Preferences
from tests.gui.conftest import wait_for_comparison
from tests.gui.session_steps import save_to, trigger


def test_that_recent_sessions_are_listed_the_latest_first_and_the_missing_grey(
    judged: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    paths = [tmp_path / f"class & {number}.simcompare" for number in range(10)]
    for path in paths:
        save_to(judged, path, qtbot)
    paths[8].unlink()
    menu = judged.sessions.recent.menu
    menu.aboutToShow.emit()
    texts = [action.text() for action in menu.actions() if action.data()]
    assert texts == [f"class && {number}" for number in range(9, 1, -1)]
    qtbot.waitUntil(lambda: not menu.actions()[1].isEnabled())
    assert menu.actions()[0].isEnabled()
    trigger(judged, "new_session")
    menu.actions()[2].trigger()
    wait_for_comparison(judged, qtbot)
    assert judged.sessions.keeper.path == paths[7]
    menu.actions()[-1].trigger()
    menu.aboutToShow.emit()
    assert not [action for action in menu.actions() if action.data()]


def test_that_moved_borders_are_remembered(
    compared: MainWindow, another_window: Callable[..., MainWindow], pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    body = compared.findChild(QSplitter, "body")
    body.setSizes([400, 880])
    body.splitterMoved.emit(400, 1)
    sizes = body.sizes()
    assert sizes[0] == 400
    window = another_window(*map(str, pair))
    wait_for_comparison(window, qtbot)
    assert window.findChild(QSplitter, "body").sizes() == sizes


def test_that_the_borders_of_a_session_come_with_it(
    compared: MainWindow, session_path: Path, another_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    texts = compared.findChild(QSplitter, "texts")
    texts.setSizes([300, 500, 240])
    texts.splitterMoved.emit(300, 1)
    sizes = texts.sizes()
    save_to(compared, session_path, qtbot)
    Preferences().splitters = {}
    window = another_window(str(session_path))
    wait_for_comparison(window, qtbot)
    assert window.findChild(QSplitter, "texts").sizes() == sizes


def test_that_dialogs_begin_where_a_file_was_chosen_last(window: MainWindow, tmp_path: Path) -> None:
    trigger(window, "open_session")
    dialog = window.findChild(QFileDialog)
    dialog.setDirectory(str(tmp_path))
    dialog.accepted.emit()
    dialog.close()
    assert Preferences().last_folder == str(tmp_path)
    trigger(window, "add")
    opened = [d for d in window.findChildren(QFileDialog) if d.isVisible()]
    assert [d.directory().absolutePath() for d in opened] == [str(tmp_path)]
    opened[0].close()


def test_that_a_spoilt_memory_is_passed_over(window: MainWindow) -> None:
    preferences = Preferences()
    for spoilt in ("[", "7", '[7, [], [1], ["texts", "wide"]]'):
        for name in ("recent_files", "splitters"):
            preferences._store.setValue(name, spoilt)
        assert preferences.recent_files == []
        assert preferences.splitters in ({}, {"texts": ()})

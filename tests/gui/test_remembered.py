"""Preferences kept between starts, and layout kept in sessions."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QSplitter
from pytestqt.qtbot import QtBot

from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from tests.gui.conftest import wait_for_comparison
from tests.gui.exclusion_samples import NO_POPUPS
from tests.gui.session_steps import save_to, trigger
from tests.gui.test_documents_on_disk import open_session
from tests.gui.test_method import choose


def test_that_recent_sessions_are_listed_latest_first_and_missing_ones_disabled(
    decided: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    paths = [tmp_path / f"class & {number}.simcompare" for number in range(10)]
    for path in paths:
        save_to(decided, path, qtbot)
    paths[8].unlink()
    menu = decided.sessions.recent.menu
    menu.aboutToShow.emit()
    texts = [action.text() for action in menu.actions() if action.data()]
    assert texts == [f"class && {number}" for number in range(9, 1, -1)]
    qtbot.waitUntil(lambda: not menu.actions()[1].isEnabled())
    assert menu.actions()[0].isEnabled()
    trigger(decided, "new_session")
    menu.actions()[2].trigger()
    wait_for_comparison(decided, qtbot)
    assert decided.sessions.keeper.path == paths[7]
    menu.actions()[-1].trigger()
    menu.aboutToShow.emit()
    assert not [action for action in menu.actions() if action.data()]


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_where_rewritten_passages_are_searched_is_remembered_for_new_sessions(
    compared: MainWindow, session_path: Path, another_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    save_to(compared, session_path, qtbot)
    method = compared.tool_bar.method
    choose(method, method.meanings[True], qtbot)
    save_to(compared, session_path.with_name("searched.simcompare"), qtbot)
    trigger(compared, "new_session")
    assert method.meanings[True].isChecked()
    assert not compared.sessions.keeper.unsaved
    later = another_window()
    assert later.tool_bar.method.meanings[True].isChecked()
    assert not later.sessions.keeper.unsaved
    open_session(compared, session_path, qtbot)
    assert method.meanings[None].isChecked(), "a session has its own choice"
    trigger(compared, "new_session")
    assert method.meanings[True].isChecked()
    choose(method, method.meanings[False], qtbot)
    compared.workspace.history.undo()
    assert Preferences().meaning is True


def test_that_splitter_sizes_are_remembered(
    compared: MainWindow, another_window: Callable[..., MainWindow], pair: tuple[Path, Path], qtbot: QtBot
) -> None:
    body = compared.findChild(QSplitter, "body")
    compared.resize(1280, 800)
    body.setSizes([400, 880])
    body.splitterMoved.emit(400, 1)
    sizes = body.sizes()
    assert sizes[0] == 400
    window = another_window(*map(str, pair))
    wait_for_comparison(window, qtbot)
    assert window.findChild(QSplitter, "body").sizes() == sizes


def test_that_splitter_sizes_are_restored_from_a_session(
    compared: MainWindow, session_path: Path, another_window: Callable[..., MainWindow], qtbot: QtBot
) -> None:
    panes = compared.findChild(QSplitter, "panes")
    panes.setSizes([300, 500])
    panes.splitterMoved.emit(300, 1)
    sizes = panes.sizes()
    save_to(compared, session_path, qtbot)
    Preferences().splitters = {}
    window = another_window(str(session_path))
    wait_for_comparison(window, qtbot)
    assert window.findChild(QSplitter, "panes").sizes() == sizes


def test_that_dialogs_start_in_the_folder_used_last(window: MainWindow, tmp_path: Path) -> None:
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


def chosen_folder(window: MainWindow, command: str) -> str:
    trigger(window, command)
    dialog = next(d for d in window.findChildren(QFileDialog) if d.isVisible())
    dialog.close()
    return dialog.directory().absolutePath()


@pytest.mark.parametrize("command", ["save_as", "open_session"])
def test_that_dialogs_on_sessions_start_in_the_folder_of_the_documents_without_a_session(
    decided: MainWindow, pair: tuple[Path, Path], tmp_path: Path, command: str
) -> None:
    (tmp_path / "elsewhere").mkdir()
    Preferences().last_folder = str(tmp_path / "elsewhere")
    assert chosen_folder(decided, command) == str(pair[0].parent)


def test_that_save_as_starts_in_the_folder_of_the_session(
    decided: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    save_to(decided, elsewhere / "class.simcompare", qtbot)
    Preferences().last_folder = str(tmp_path)
    assert chosen_folder(decided, "save_as") == str(elsewhere)


def test_that_open_session_starts_in_the_folder_of_the_last_session_that_is_there(
    decided: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    elsewhere = tmp_path / "sessions"
    elsewhere.mkdir()
    save_to(decided, elsewhere / "class.simcompare", qtbot)
    decided._preferences.add_recent_file(tmp_path / "deleted" / "class.simcompare")
    trigger(decided, "new_session")
    Preferences().last_folder = str(tmp_path)
    assert chosen_folder(decided, "open_session") == str(elsewhere)


def test_that_an_export_starts_beside_the_essays_wherever_the_last_one_went(
    compared: MainWindow, pair: tuple[Path, Path], tmp_path: Path
) -> None:
    for last in ("", str(tmp_path), str(tmp_path / "deleted")):
        compared._preferences.export_choices = {"folder": last}
        assert open_export(compared).folder.folder == pair[0].parent


def open_export(window: MainWindow) -> ExportDialog:
    trigger(window, "export")
    dialog = next(d for d in window.findChildren(ExportDialog) if d.isVisible())
    dialog.reject()
    return dialog


def test_that_nothing_is_written_beside_the_samples(window: MainWindow) -> None:
    window.samples.open_pair()
    assert len(window.workspace.documents.entries) == 2
    assert window.sessions.folder == ""


def test_that_invalid_preferences_are_ignored(window: MainWindow) -> None:
    preferences = Preferences()
    for spoilt in ("[", "7", '[7, [], [1], ["texts", "wide"]]'):
        for name in ("recent_files", "splitters"):
            preferences._store.setValue(name, spoilt)
        assert preferences.recent_files == []
        assert preferences.splitters in ({}, {"texts": ()})

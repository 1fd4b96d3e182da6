"""Folders and large archives are listed in the background, in order, and can be cancelled."""

import random
import threading
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from simcompare.loading.archive_members import list_files
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state import file_reading
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, Essay
from tests.gui.session_steps import drop
from tests.helpers.archives import write_zip
from tests.helpers.patience import PATIENCE_S


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch):
    """Hold every listing until the event is set."""
    event = threading.Event()

    def list_later(paths):
        assert threading.current_thread() is not threading.main_thread()
        event.wait(PATIENCE_S)
        return list_files(paths)

    monkeypatch.setattr(file_reading, "list_files", list_later)
    yield event
    event.set()


def names(window: MainWindow) -> list[str]:
    return [entry.path.name for entry in window.workspace.documents.entries.values()]


@pytest.mark.parametrize("as_archive", [False, True])
def test_that_the_window_answers_while_files_are_listed(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, held: threading.Event, as_archive: bool
) -> None:
    members = {"a.txt": LEFT_TEXT.encode(), "b.txt": OTHER_TEXT.encode()}
    place = tmp_path / "class"
    if as_archive:
        by_product = random.Random(1).randbytes(1_100_000)
        place = write_zip(tmp_path / "class.zip", {**members, ".DS_Store": by_product})
    else:
        place.mkdir()
        for name, text in members.items():
            (place / name).write_bytes(text)
    drop(window, place)
    assert names(window) == []
    assert window.workspace.is_busy
    status = window.statusBar()
    qtbot.waitUntil(lambda: status._activity.text() == "Looking for the files…")
    held.set()
    qtbot.waitUntil(lambda: names(window) == ["a.txt", "b.txt"])


def test_that_files_are_in_the_order_in_which_they_were_added(
    window: MainWindow, essay: Essay, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "z.txt").write_text(OTHER_TEXT, encoding="utf-8")
    begin = threading.Event()

    def list_folders_later(paths):
        if paths == (folder,):
            begin.wait(PATIENCE_S)
        return list_files(paths)

    monkeypatch.setattr(file_reading, "list_files", list_folders_later)
    drop(window, folder)
    drop(window, essay("a.txt", LEFT_TEXT))
    begin.set()
    qtbot.waitUntil(lambda: names(window) == ["z.txt", "a.txt"])


def test_that_listing_is_cancelled_with_the_reading(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, held: threading.Event
) -> None:
    (tmp_path / "a.txt").write_text(OTHER_TEXT, encoding="utf-8")
    drop(window, tmp_path)
    qtbot.waitUntil(window.statusBar().cancel_button.isVisible)
    window.statusBar().cancel_button.click()
    qtbot.waitUntil(lambda: not window.workspace.is_busy)
    held.set()
    qtbot.wait(100)
    assert names(window) == []

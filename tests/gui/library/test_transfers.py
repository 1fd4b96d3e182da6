"""Export of the library to one file and import: in the background, cancelled, and every failure told."""

import errno
import itertools
import zipfile
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from simcompare.library import transfer
from simcompare.library.transfer import ExportFile
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.library.additions import AdditionTags
from tests.gui.dropping import drop, files
from tests.gui.exclusion_samples import NO_POPUPS
from tests.gui.library.library_steps import (
    add_folder,
    fill_and_show,
    groups,
    stored,
    wait_until_known,
    wait_until_listed,
    write_folder,
)
from tests.gui.pair_table import LEFT_BUTTON, TIMEOUT_MS
from tests.gui.session_steps import choose_file
from tests.helpers.patience import PATIENCE_S

NAMES = ("2024001-王伟.txt", "2024002-李芳.txt", "2024003-张敏.txt")


@pytest.fixture
def filled(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """Window that shows a library of three essays."""
    folder, tags = write_folder(tmp_path / "past", *NAMES), AdditionTags("3", "2024")
    fill_and_show(window, qtbot, "three essays", lambda: add_folder(window, qtbot, folder, tags))
    return window


def choose_entry(window: MainWindow, entry: QAction, qtbot: QtBot) -> None:
    """Open the menu by a click, and choose an entry by a click."""
    menu = window.library.transfers.menu

    def click_entry() -> None:
        qtbot.mouseClick(menu, LEFT_BUTTON, pos=menu.actionGeometry(entry).center())

    QTimer.singleShot(0, menu, lambda: qtbot.waitUntil(menu.isVisible) or click_entry())
    qtbot.mouseClick(window.library.page.transfer_button, LEFT_BUTTON)


def export_to(window: MainWindow, path: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.library.state.exported, timeout=TIMEOUT_MS):
        window.library.state.export_to(path)


def import_into(window: MainWindow, library: Path, path: Path, qtbot: QtBot) -> None:
    """Use another library, and import a file into it."""
    window.library.use_other(library)
    wait_until_known(window, qtbot)
    with qtbot.waitSignal(window.library.state.imported, timeout=TIMEOUT_MS):
        window.library.state.import_from(path)
    wait_until_listed(window, qtbot)


def told(window: MainWindow, qtbot: QtBot, words: str) -> None:
    label = window.notice.label
    qtbot.waitUntil(lambda: window.notice.isVisible() and words in label.text(), timeout=TIMEOUT_MS)


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_the_library_is_exported_and_imported_by_the_menu(
    filled: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "copy.zip"
    choose_entry(filled, filled.library.transfers.export_action, qtbot)
    choose_file(filled, path)
    told(filled, qtbot, "Library: 3 essays exported to copy.zip.")
    assert filled.notice.show_button.text() == "Show in folder"
    filled.library.use_other(tmp_path / "other.sqlite")
    wait_until_known(filled, qtbot)
    assert not filled.library.transfers.export_action.isEnabled(), "it is empty"
    choose_entry(filled, filled.library.transfers.import_action, qtbot)
    choose_file(filled, path)
    told(filled, qtbot, "Library: 3 essays imported.")
    wait_until_listed(filled, qtbot)
    assert groups(filled) == [("2024", "3", "")]
    assert sorted(entry.name for entry in stored(filled)) == sorted(NAMES)


def test_that_an_exported_library_dropped_on_another_is_imported_and_is_no_class(
    filled: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "copy.zip"
    export_to(filled, path, qtbot)
    filled.library.use_other(tmp_path / "other.sqlite")
    wait_until_known(filled, qtbot)
    drop(filled, files([path]))
    told(filled, qtbot, "Library: 3 essays imported.")
    wait_until_listed(filled, qtbot)
    assert sorted(entry.name for entry in stored(filled)) == sorted(NAMES)


def test_that_known_essays_are_skipped_and_counted(filled: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path, before = tmp_path / "copy.zip", filled.library.state.place
    export_to(filled, path, qtbot)
    import_into(filled, before, path, qtbot)
    told(filled, qtbot, "Library: 0 essays imported; 3 already in the library.")
    assert len(stored(filled)) == 3


def held_at(moment: int, work: Callable[..., object], begun: Event, go_on: Event) -> Callable[..., object]:
    """Return a function that waits in its call with this number."""
    calls = itertools.count(1)

    def held(*args: object) -> object:
        if next(calls) == moment:
            begun.set()
            go_on.wait(PATIENCE_S)
        return work(*args)

    return held


def test_that_an_export_can_be_cancelled_and_leaves_the_former_file(
    filled: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "copy.zip"
    path.write_bytes(b"the copy of last year")
    begun, go_on = Event(), Event()
    monkeypatch.setattr(transfer, "_exported_line", held_at(2, transfer._exported_line, begun, go_on))
    page = filled.library.page
    with qtbot.waitSignal(filled.library.state.exported, timeout=TIMEOUT_MS):
        filled.library.state.export_to(path)
        qtbot.waitUntil(begun.is_set, timeout=TIMEOUT_MS)
        assert "xporting" in page.activity.text() or "export" in page.activity.text()
        assert not page.other_button.isEnabled()
        assert not filled.library.transfers.import_action.isEnabled()
        qtbot.mouseClick(page.cancel_button, LEFT_BUTTON)
        go_on.set()
    told(filled, qtbot, "You stopped the export; copy.zip was not written.")
    assert path.read_bytes() == b"the copy of last year"
    assert sorted(item.name for item in tmp_path.iterdir()) == ["copy.zip", "past"]
    assert not page.cancel_button.isVisible()


def test_that_an_import_can_be_cancelled_and_continued(
    filled: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other = tmp_path / "copy.zip", tmp_path / "other.sqlite"
    export_to(filled, path, qtbot)
    filled.library.use_other(other)
    wait_until_known(filled, qtbot)
    begun, go_on = Event(), Event()
    monkeypatch.setattr(ExportFile, "lines", held_at(2, ExportFile.lines, begun, go_on))
    with qtbot.waitSignal(filled.library.state.imported, timeout=TIMEOUT_MS):
        filled.library.state.import_from(path)
        qtbot.waitUntil(begun.is_set, timeout=TIMEOUT_MS)
        qtbot.mouseClick(filled.library.page.cancel_button, LEFT_BUTTON)
        go_on.set()
    told(filled, qtbot, "You stopped the import; import copy.zip again to continue.")
    import_into(filled, other, path, qtbot)
    assert sorted(entry.name for entry in stored(filled)) == sorted(NAMES)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[:-40]), "bad.zip cannot be imported"),
        (lambda path: path.write_text("no archive", "utf-8"), "it is not an exported library"),
        (lambda path: path.unlink(), "it does not exist"),
    ],
)
def test_that_a_file_that_cannot_be_imported_is_told(
    filled: MainWindow, tmp_path: Path, qtbot: QtBot, spoil: Callable[[Path], object], words: str
) -> None:
    export_to(filled, tmp_path / "bad.zip", qtbot)
    spoil(tmp_path / "bad.zip")
    with qtbot.waitSignal(filled.library.state.refused, timeout=TIMEOUT_MS):
        filled.library.state.import_from(tmp_path / "bad.zip")
    told(filled, qtbot, words)
    assert len(stored(filled)) == 3


def test_that_an_export_of_a_newer_program_is_told(filled: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path, newer = tmp_path / "copy.zip", tmp_path / "newer.zip"
    export_to(filled, path, qtbot)
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(newer, "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b'"version":1', b'"version":9'))
    with qtbot.waitSignal(filled.library.state.refused, timeout=TIMEOUT_MS):
        filled.library.state.import_from(newer)
    told(filled, qtbot, "newer.zip was exported by a newer simcompare (version 9")


def test_that_a_full_disk_is_told_and_the_former_file_stays(
    filled: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "copy.zip"
    path.write_bytes(b"the copy of last year")

    def fail(*_arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(transfer, "_write_part", fail)
    with qtbot.waitSignal(filled.library.state.refused, timeout=TIMEOUT_MS):
        filled.library.state.export_to(path)
    told(
        filled,
        qtbot,
        f"The library cannot be exported to copy.zip in {tmp_path}: the disk is full.",
    )
    assert path.read_bytes() == b"the copy of last year"


def test_that_the_library_is_not_exported_over_itself(filled: MainWindow, qtbot: QtBot) -> None:
    path = filled.library.state.place
    with qtbot.waitSignal(filled.library.state.refused, timeout=TIMEOUT_MS):
        filled.library.state.export_to(path)
    told(filled, qtbot, "it is the library itself")
    assert len(stored(filled)) == 3


def test_that_closing_the_window_ends_an_export(
    filled: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = Event(), Event()
    monkeypatch.setattr(transfer, "_exported_line", held_at(1, transfer._exported_line, begun, go_on))
    filled.library.state.export_to(tmp_path / "copy.zip")
    qtbot.waitUntil(begun.is_set, timeout=TIMEOUT_MS)
    go_on.set()
    filled.close()
    assert [item.name for item in tmp_path.iterdir() if item.name.startswith(".")] == []

"""Steps of the tests of the library: show the page, fill in and confirm dialogs, wait for the work."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QPushButton
from pytestqt.qtbot import QtBot

from simcompare.library.entries import StoredEntry, list_entries
from simcompare.library.store.open_library import open_library
from simcompare.ui.access.rows_table import RowsTable
from simcompare.ui.library.library_dialogs import AdditionDialog
from simcompare.ui.library.stored_view import GroupRow
from simcompare.ui.main_window import MainWindow
from simcompare.ui.state.library.additions import AdditionTags
from tests.gui.pair_table import LEFT_BUTTON, TIMEOUT_MS

Dialog = TypeVar("Dialog", bound=QDialog)
CONTROL = Qt.KeyboardModifier.ControlModifier


def show_library(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window, Qt.Key.Key_3, CONTROL)
    wait_until_known(window, qtbot)


def wait_until_known(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the library was looked into and nothing is being done."""
    state = window.library.state
    qtbot.waitUntil(lambda: state.is_known and state.work is None, timeout=TIMEOUT_MS)


_filled: dict[str, bytes] = {}


def fill_and_show(window: MainWindow, qtbot: QtBot, name: str, add: Callable[[], object]) -> None:
    """Have `add` add files to the empty library, and show it; later on its copy is shown under this name."""
    path = window.library.state.place
    assert isinstance(path, Path)
    if name in _filled:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(0o600)
        path.write_bytes(_filled[name])
        show_library(window, qtbot)
    else:
        show_library(window, qtbot)
        add()
        copy = path.with_name("copy.sqlite")
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
        _filled[name] = copy.read_bytes()
        copy.unlink()
    wait_until_listed(window, qtbot)


def add_folder(window: MainWindow, qtbot: QtBot, folder: Path, tags: AdditionTags) -> None:
    with qtbot.waitSignal(window.library.state.added, timeout=TIMEOUT_MS):
        window.library.state.add_places([folder], tags)


def dialog_of(window: MainWindow, kind: type[Dialog], qtbot: QtBot) -> Dialog:
    def open_dialogs() -> list[Dialog]:
        return [dialog for dialog in window.findChildren(kind) if dialog.isVisible()]

    qtbot.waitUntil(lambda: len(open_dialogs()) == 1, timeout=TIMEOUT_MS)
    return open_dialogs()[0]


def click(button: QPushButton, qtbot: QtBot) -> None:
    qtbot.waitUntil(button.isEnabled)
    qtbot.mouseClick(button, LEFT_BUTTON)


def confirm_addition(
    window: MainWindow, qtbot: QtBot, fill_in: Callable[[AdditionDialog], object] = lambda _dialog: None
) -> None:
    """Confirm the tags and wait until everything is added and listed."""
    dialog = dialog_of(window, AdditionDialog, qtbot)
    fill_in(dialog)
    with qtbot.waitSignal(window.library.state.added, timeout=TIMEOUT_MS):
        qtbot.mouseClick(dialog.add_button, LEFT_BUTTON)
    wait_until_listed(window, qtbot)


def wait_until_listed(window: MainWindow, qtbot: QtBot) -> None:
    """Wait until the thread that reads has answered what it was asked, and what was asked upon an answer."""
    for _round in range(2):
        QApplication.processEvents()
        answers: list[None] = []
        window.library.state._ask(lambda _access: None, answers.append)
        qtbot.waitUntil(lambda answers=answers: bool(answers), timeout=TIMEOUT_MS)


def add_class(window: MainWindow, qtbot: QtBot, year: str = "2025", school_class: str = "3") -> None:
    """Add the class of the window by its command."""
    window.commands.actions["library_add_class"].trigger()

    def fill_in(dialog: AdditionDialog) -> None:
        dialog.year.setText(year)
        dialog.school_class.setText(school_class)

    confirm_addition(window, qtbot, fill_in)


def stored(window: MainWindow) -> list[StoredEntry]:
    """Entries in the file of the library, read by another connection."""
    with open_library(window.library.state.place) as library:
        return list_entries(library)


def texts(table: RowsTable, column: int) -> list[str]:
    model = table.model_of_rows
    return [model.index(row, column).data() for row in range(model.rowCount())]


def groups(window: MainWindow) -> list[tuple[str, ...]]:
    rows: list[GroupRow] = window.library.page.stored.groups.model_of_rows.rows
    return [row.key for row in rows if row.key is not None]


def click_row(table: RowsTable, row: int, qtbot: QtBot, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    place = table.visualRect(table.model_of_rows.index(row, 0)).center()
    qtbot.mouseClick(table.viewport(), LEFT_BUTTON, modifier, place)


def write_folder(folder: Path, *names: str) -> Path:
    """Write a folder of essays, each with its own text."""
    folder.mkdir()
    for number, name in enumerate(names):
        text = f"{name} 的第 {number} 篇文章，写的是别人没有写过的事情。" * 5
        (folder / name).write_text(text, "utf-8")
    return folder

"""Library on a school's server: opened by a dialog, remembered without password, lost and found again."""

import select
import socket
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot
from sqlalchemy import Engine, event

from simcompare.library import changes
from simcompare.library.store.library_place import LibraryServer
from simcompare.support.resources import user_data_path
from simcompare.ui.library.library_dialogs import ServerDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.library import additions
from simcompare.ui.state.library.additions import AdditionReceipt, AdditionTags, WorkKind
from simcompare.ui.style.dialogs import LinesDialog
from tests.gui.library.library_steps import (
    click,
    dialog_of,
    groups,
    show_library,
    stored,
    wait_until_known,
    wait_until_listed,
    write_folder,
)
from tests.gui.pair_table import TIMEOUT_MS
from tests.gui.test_access import nameless
from tests.helpers.postgresql_server import DATABASE, OWNER, PostgresqlServer

ESSAYS = 12


@pytest.fixture
def no_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the passwords of the user who runs the tests."""
    monkeypatch.setenv("PGPASSFILE", "/dev/null")
    monkeypatch.delenv("PGPASSWORD", raising=False)


@pytest.fixture
def on_server(
    window: MainWindow, emptied_server: PostgresqlServer, no_passwords: None, qtbot: QtBot
) -> MainWindow:
    """Window that shows an empty library on a server."""
    window.library.use_other(emptied_server.place())
    show_library(window, qtbot)
    return window


@pytest.fixture
def silent_server(no_passwords: None) -> Iterator[tuple[LibraryServer, socket.socket]]:
    """Place of a server that never answers, and its socket."""
    pytest.importorskip("psycopg", reason="the extra postgresql is not installed")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = str(listening.getsockname()[1])
        yield LibraryServer({"host": "127.0.0.1", "port": port, "dbname": DATABASE}), listening


def connecting(
    window: MainWindow, place: LibraryServer, listening: socket.socket, qtbot: QtBot
) -> socket.socket:
    """Let the window connect to a server, and return the server's end."""
    window.library.use_other(place)
    qtbot.waitUntil(lambda: bool(select.select([listening], [], [], 0)[0]), timeout=TIMEOUT_MS)
    return listening.accept()[0]


def test_that_closing_the_window_does_not_wait_for_a_server_that_never_answers(
    window: MainWindow, silent_server: tuple[LibraryServer, socket.socket], qtbot: QtBot
) -> None:
    with connecting(window, *silent_server, qtbot):
        started_s = time.monotonic()
        window.close()
        # it takes half a second; the limit of an attempt to connect is 15 s
        assert time.monotonic() - started_s < 10


def test_that_another_library_is_shown_while_a_server_never_answers(
    window: MainWindow, silent_server: tuple[LibraryServer, socket.socket], tmp_path: Path, qtbot: QtBot
) -> None:
    with connecting(window, *silent_server, qtbot):
        started_s = time.monotonic()
        window.library.use_other(tmp_path / "other.simlibrary")
        wait_until_known(window, qtbot)
        assert time.monotonic() - started_s < 10


@pytest.fixture
def stops_at(emptied_server: PostgresqlServer) -> Iterator[list[int]]:
    """Stop the server at the statement with the number that a test puts into the list."""
    moments: list[int] = []
    numbers = count(1)

    def at_statement(*_: object) -> None:
        if moments and next(numbers) == moments[0]:
            emptied_server.stop(at_once=True)

    event.listen(Engine, "before_cursor_execute", at_statement)
    yield moments
    event.remove(Engine, "before_cursor_execute", at_statement)
    emptied_server.stop()
    emptied_server.start()


def many(folder: Path) -> Path:
    return write_folder(folder, *(f"essay-{number}.txt" for number in range(ESSAYS)))


def add(window: MainWindow, folder: Path, qtbot: QtBot) -> AdditionReceipt:
    with qtbot.waitSignal(window.library.state.added, timeout=TIMEOUT_MS) as added:
        window.library.state.add_places([folder], AdditionTags("3", "2025"))
    wait_until_listed(window, qtbot)
    (receipt,) = added.args
    return receipt


def texts_of(window: MainWindow) -> str:
    """Everything that the window shows and its titles."""
    page = window.library.page
    shown = (page.place, page.start.text, page.trouble, page.summary, window.notice.label)
    return "\n".join([window.windowTitle(), *(label.text() + label.toolTip() for label in shown)])


def test_that_an_address_fills_in_the_fields_and_opens_the_library(
    window: MainWindow, emptied_server: PostgresqlServer, no_passwords: None, tmp_path: Path, qtbot: QtBot
) -> None:
    show_library(window, qtbot)
    window.library.ask_for_server()
    dialog = dialog_of(window, ServerDialog, qtbot)
    assert nameless(dialog) == []
    assert not dialog.open_button.isEnabled()
    dialog.host.insert(emptied_server.address(options="?sslmode=require&application_name=school"))  # pastes
    assert dialog.host.text() == "127.0.0.1"
    assert (dialog.database.text(), dialog.user.text()) == (DATABASE, OWNER)
    assert dialog.password.text() == emptied_server.password
    assert dialog.password.echoMode() is QLineEdit.EchoMode.Password
    click(dialog.open_button, qtbot)
    wait_until_known(window, qtbot)
    place = window.library.state.place
    assert isinstance(place, LibraryServer)
    assert place.parameters["application_name"] == "school"
    assert window.library.state.error is None
    assert "everybody who uses this server" in window.library.page.start.text.text()
    add(window, many(tmp_path / "class"), qtbot)
    assert groups(window) == [("2025", "3", "")]
    assert (
        window.library.page.place.text() == f"postgresql://{OWNER}@127.0.0.1:{emptied_server.port}/{DATABASE}"
    )
    assert emptied_server.password not in texts_of(window)
    assert "library on a server" in window.status_line._thesaurus.text()


def test_that_the_server_is_remembered_without_its_password(
    on_server: MainWindow, emptied_server: PostgresqlServer, qtbot: QtBot
) -> None:
    wait_until_known(on_server, qtbot)
    remembered = Preferences().library_place
    assert isinstance(remembered, LibraryServer)
    assert str(remembered) == str(emptied_server.place())
    assert emptied_server.password not in user_data_path("window.ini").read_text("utf-8")
    on_server.library.use_other(remembered)  # as after the next start
    start = on_server.library.page.start
    qtbot.waitUntil(lambda: on_server.library.state.error is not None, timeout=TIMEOUT_MS)
    assert "it asks for a password" in start.text.text()
    assert "PGPASSWORD" not in start.text.text()
    click(start.connection_button, qtbot)
    dialog = dialog_of(on_server, ServerDialog, qtbot)
    assert (dialog.database.text(), dialog.password.text()) == (DATABASE, "")
    assert dialog.focusWidget() is dialog.password
    qtbot.keyClicks(dialog.password, "wrong")
    qtbot.keyClick(dialog.password, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "the password is wrong" in start.text.text(), timeout=TIMEOUT_MS)
    click(start.connection_button, qtbot)
    dialog = dialog_of(on_server, ServerDialog, qtbot)
    dialog.password.selectAll()
    qtbot.keyClicks(dialog.password, emptied_server.password)
    qtbot.keyClick(dialog.password, Qt.Key.Key_Return)
    wait_until_known(on_server, qtbot)
    assert on_server.library.state.error is None
    assert emptied_server.password not in user_data_path("window.ini").read_text("utf-8")


def test_that_an_address_is_split_when_it_was_typed(window: MainWindow, qtbot: QtBot) -> None:
    pytest.importorskip("psycopg", reason="the extra postgresql is not installed")
    window.library.ask_for_server()
    dialog = dialog_of(window, ServerDialog, qtbot)
    dialog.activateWindow()
    qtbot.waitUntil(dialog.host.hasFocus)
    qtbot.keyClicks(dialog.host, "postgresql://teacher@school.example:5433/essays?sslmode=verify-full")
    assert dialog.database.text() == ""
    qtbot.keyClick(dialog.host, Qt.Key.Key_Tab)
    fields = (dialog.host, dialog.port, dialog.database, dialog.user, dialog.password)
    assert [field.text() for field in fields] == ["school.example", "5433", "essays", "teacher", ""]
    assert dialog.encryption.currentData() == "verify-full"
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_that_a_wrong_address_is_told_in_the_dialog(window: MainWindow, qtbot: QtBot) -> None:
    pytest.importorskip("psycopg", reason="the extra postgresql is not installed")
    for address, words in (
        ("postgresql://teacher@host", "The address cannot be used: it names no database."),
        ("mysql://host/essays", "it does not begin with postgresql://"),
    ):
        window.library.ask_for_server()
        dialog = dialog_of(window, ServerDialog, qtbot)
        qtbot.keyClicks(dialog.host, address)
        qtbot.keyClick(dialog.host, Qt.Key.Key_Tab)
        click(dialog.open_button, qtbot)
        assert words in dialog.explanation.text()
        assert dialog.isVisible()
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_that_a_connection_that_is_lost_is_told_and_found_again(
    on_server: MainWindow, emptied_server: PostgresqlServer, tmp_path: Path, qtbot: QtBot
) -> None:
    page = on_server.library.page
    add(on_server, many(tmp_path / "class"), qtbot)
    emptied_server.stop()
    try:
        on_server.library.search_sentence("校门口那棵老槐树下，从来没有人见过。")
        qtbot.waitUntil(page.trouble.isVisible, timeout=TIMEOUT_MS)
        assert "is not available: the server does not answer" in page.trouble.text()
        assert groups(on_server) == [("2025", "3", "")], "what was listed stays"
        click(page.retry_button, qtbot)
        wait_until_listed(on_server, qtbot)
        assert page.trouble.isVisible()
    finally:
        emptied_server.start()
    click(page.retry_button, qtbot)
    qtbot.waitUntil(lambda: not page.trouble.isVisible(), timeout=TIMEOUT_MS)
    assert on_server.library.state.error is None
    assert len(stored(on_server)) == ESSAYS


@pytest.mark.parametrize("moment", [8, 18, 26])
def test_that_adding_goes_on_when_the_server_runs_again(
    on_server: MainWindow,
    emptied_server: PostgresqlServer,
    stops_at: list[int],
    moment: int,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(changes, "_BATCH", 5)
    monkeypatch.setattr(additions, "_PAUSE_SECONDS", 0.1)
    wait_until_known(on_server, qtbot)
    state, page = on_server.library.state, on_server.library.page
    folder = many(tmp_path / "class")
    with qtbot.waitSignal(state.added, timeout=TIMEOUT_MS) as added:
        stops_at.append(moment)
        state.add_places([folder], AdditionTags("3", "2025"))
        qtbot.waitUntil(
            lambda: state.work is not None and state.work.kind is WorkKind.RECONNECTING, timeout=TIMEOUT_MS
        )
        assert page.activity.text() == "The connection was lost; trying again for a minute…"
        emptied_server.start()
    (receipt,) = added.args
    wait_until_listed(on_server, qtbot)
    assert receipt.failed == []
    assert receipt.added + receipt.known == ESSAYS
    names = Counter(entry.name for entry in stored(on_server))
    assert names == Counter(f"essay-{number}.txt" for number in range(ESSAYS))


def test_that_what_was_not_added_is_listed_if_the_server_does_not_come_back(
    on_server: MainWindow,
    emptied_server: PostgresqlServer,
    stops_at: list[int],
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(changes, "_BATCH", 5)
    monkeypatch.setattr(additions, "_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(additions, "_PATIENCE_SECONDS", 0.0)
    wait_until_known(on_server, qtbot)
    folder = many(tmp_path / "class")
    stops_at.append(20)
    receipt = add(on_server, folder, qtbot)
    assert receipt.added + len(receipt.failed) == ESSAYS
    assert len(receipt.failed) > 0
    click(on_server.notice.show_button, qtbot)
    lines = dialog_of(on_server, LinesDialog, qtbot)
    assert "essay-9.txt was not added, as the connection was lost." in lines.lines.toPlainText()
    qtbot.keyClick(lines, Qt.Key.Key_Escape)
    emptied_server.start()
    add(on_server, folder, qtbot)
    names = Counter(entry.name for entry in stored(on_server))
    assert names == Counter(f"essay-{number}.txt" for number in range(ESSAYS))


def test_that_the_window_closes_while_a_lost_connection_is_tried_again(
    on_server: MainWindow, emptied_server: PostgresqlServer, stops_at: list[int], tmp_path: Path, qtbot: QtBot
) -> None:
    wait_until_known(on_server, qtbot)
    state = on_server.library.state
    stops_at.append(20)
    state.add_places([many(tmp_path / "class")], AdditionTags())
    qtbot.waitUntil(
        lambda: state.work is not None and state.work.kind is WorkKind.RECONNECTING, timeout=TIMEOUT_MS
    )
    on_server.close()
    assert not on_server.isVisible()

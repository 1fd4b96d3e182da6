"""The window is painted before most of its parts are made; a user does not notice it."""

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from simcompare.loading import load_document
from simcompare.session.session_data import Session, SessionDocument
from simcompare.session.session_file import write_session
from simcompare.support.resources import user_data_path
from simcompare.ui.app import PartsInBackground, assemble
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from tests.gui.class_samples import write_class
from tests.gui.conftest import close_unsaved, keep_after_closing
from tests.helpers.patience import PATIENCE_MS

Started = tuple[MainWindow, PartsInBackground]


@pytest.fixture
def started(qtbot: QtBot, application_looks: None) -> Iterator[Started]:
    preferences = Preferences()
    preferences.language = "en"
    window = MainWindow(preferences, assemble)
    keep_after_closing(window)
    qtbot.addWidget(window)
    window.resize(1280, 800)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    yield window, PartsInBackground(window)
    close_unsaved(window)


def _complete(started: Started, qtbot: QtBot) -> None:
    window, parts = started
    parts.start()
    qtbot.waitUntil(lambda: window.is_whole, timeout=PATIENCE_MS)


def _places(window: MainWindow) -> list[tuple[QPoint, QPoint]]:
    start = window.start_page
    shown = (window.menus, window.tool_bar.add_button, start.add_button, start.class_row, start.pair_row)
    return [(widget.mapTo(window, QPoint()), widget.rect().bottomRight()) for widget in shown]


def test_that_nothing_moves_when_the_rest_of_the_window_is_made(started: Started, qtbot: QtBot) -> None:
    window = started[0]
    before, title, focused = _places(window), window.windowTitle(), QApplication.focusWidget()
    _complete(started, qtbot)
    qtbot.waitUntil(window.updatesEnabled)
    assert window.tool_bar.method.isVisible()
    assert (_places(window), QApplication.focusWidget()) == (before, focused)
    assert window.windowTitle().replace("[*]", "") == title


def test_that_what_waits_for_the_whole_window_is_called_once(started: Started, qtbot: QtBot) -> None:
    called = []
    started[1].call_when_made(lambda: called.append("early"))
    _complete(started, qtbot)
    qtbot.waitUntil(lambda: bool(called), timeout=PATIENCE_MS)
    started[1].call_when_made(lambda: called.append("late"))
    assert called == ["early", "late"]


@pytest.mark.parametrize(
    "button",
    [lambda window: window.start_page.pair_row, lambda window: window.start_page.class_row],
    ids=["two essays", "class"],
)
def test_that_a_click_at_once_has_its_effect(
    started: Started, qtbot: QtBot, button: Callable[[MainWindow], QWidget]
) -> None:
    window, parts = started
    parts.start()
    place = button(window).mapTo(window, button(window).rect().center())
    handle = window.windowHandle()
    QCursor.setPos(handle.mapToGlobal(place))  # where Qt 6.9 moves the event meanwhile
    qtbot.mouseClick(handle, Qt.MouseButton.LeftButton, pos=place)  # as the system sends it
    assert window.is_whole
    qtbot.waitUntil(lambda: len(window.workspace.documents.entries) >= 2, timeout=PATIENCE_MS)


@pytest.mark.parametrize("steps", [0, 1, 4, 6])
def test_that_a_window_with_some_of_its_parts_can_be_closed(started: Started, steps: int) -> None:
    window = started[0]
    window.resize(1100, 700)
    for _step in range(steps):
        window.make_next_parts()
    window.quit_without_asking()
    assert not window.isVisible()
    assert Preferences().geometry == window.saveGeometry()


def test_that_events_are_handled_while_the_rest_is_made(started: Started, qtbot: QtBot) -> None:
    window, parts = started
    turns = []
    parts.start()
    while not window.is_whole:
        QApplication.processEvents()
        turns.append(time.monotonic())
    assert len(turns) > 10


def test_that_the_last_sessions_are_shown_at_once(
    qtbot: QtBot, application_looks: None, tmp_path: Path
) -> None:
    path = tmp_path / "四班.simcompare"
    path.write_bytes(b"")
    preferences = Preferences()
    preferences.add_recent_file(path)
    window = MainWindow(preferences, assemble)
    keep_after_closing(window)
    qtbot.addWidget(window)
    window.show()
    assert window.start_page.session_rows[0].title.text() == "四班"


def test_that_unsaved_work_is_offered_by_name_with_the_first_painting(
    qtbot: QtBot, application_looks: None, tmp_path: Path
) -> None:
    paths = write_class(tmp_path)
    documents = tuple(SessionDocument(path, document=load_document(path)) for path in paths)
    write_session(Session(documents), user_data_path("recovery", "left.simcompare"))
    preferences = Preferences()
    preferences.language = "en"
    window = MainWindow(preferences, assemble)
    keep_after_closing(window)
    qtbot.addWidget(window)
    window.resize(1280, 800)
    window.recovery_bar.look()
    with qtbot.waitExposed(window):
        window.show()
    words = window.recovery_bar.label.text()
    assert re.fullmatch(r"Unsaved work from \d\d:\d\d on inbox \(6 files\)\.", words)
    assert not window.is_whole
    parts = PartsInBackground(window)
    parts.start()
    button = window.recovery_bar.restore_button
    place = button.mapTo(window, button.rect().center())
    QCursor.setPos(window.windowHandle().mapToGlobal(place))
    qtbot.mouseClick(window.windowHandle(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: len(window.workspace.documents.entries) == len(paths), timeout=PATIENCE_MS)
    assert not window.recovery_bar.isVisible()
    close_unsaved(window)


def test_that_the_offer_of_unsaved_work_stays_where_it_is_while_parts_are_made(
    started: Started, qtbot: QtBot
) -> None:
    window = started[0]
    user_data_path("recovery", "left.simcompare").write_bytes(b"damaged")
    window.recovery_bar.look()
    QApplication.processEvents()
    before = window.recovery_bar.geometry()
    _complete(started, qtbot)
    qtbot.waitUntil(window.updatesEnabled)
    assert (window.recovery_bar.isVisible(), window.recovery_bar.geometry()) == (True, before)

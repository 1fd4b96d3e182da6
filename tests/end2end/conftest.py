"""Fixtures: a visible window that is closed after the test, a browser; no server for workers of the tests."""

from collections.abc import Iterator

import pytest

pytest.importorskip("PySide6", reason="the window needs PySide6")

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from simcompare.ui.window_assembly import whole_window
from tests.end2end import browser
from tests.end2end.browser import Browser
from tests.helpers.patient_bot import patient_qtbot  # noqa: F401 - a fixture
from tests.helpers.qt_garbage import (  # noqa: F401 - fixtures
    garbage_collected_between_tests,
    no_garbage_collected_in_workers,
)


@pytest.fixture(scope="session", autouse=True)
def fork_server() -> None:
    """Start no server for workers: these tests start the program, which has its own."""


@pytest.fixture
def window(qtbot: QtBot, application_looks: None) -> Iterator[MainWindow]:
    preferences = Preferences()
    preferences.shows_heatmap = True  # the window is too narrow for it otherwise
    window = whole_window(preferences)
    window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)  # tests look at it afterwards
    qtbot.addWidget(window)
    window.use_language("en")
    window.setGeometry(0, 0, 1280, 800)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    yield window
    window.close()


@pytest.fixture(scope="session")
def running_chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser.running_browser(tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture
def chromium(running_chromium: Browser) -> Iterator[Browser]:
    """A browser without pages."""
    yield running_chromium
    running_chromium.close_pages()

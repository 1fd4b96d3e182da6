"""Fixtures of all tests: a user data folder for each test, English texts, programs to start."""

from __future__ import annotations

import gc
import itertools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import forkserver
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from simcompare.support.i18n import set_language
from simcompare.support.workers.worker_process import process_context
from tests.helpers.programs import StartProgram, program_starter
from tests.helpers.qt_garbage import collect_garbage

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from tests.helpers.postgresql_server import PostgresqlServer


# Wall-clock deadlines fail on a busy machine. Here all examples of a test may share function-scoped fixtures.
# A check must not fail by chance: it tries the same examples each time. Others, and more of them, are tried
# each week by the workflow `examples`, with the profile "random".
settings.register_profile(
    "random",
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile(
    "repeatable", settings.get_profile("random"), max_examples=50, derandomize=True, database=None
)
settings.load_profile("repeatable")


_OBJECTS_BETWEEN_COLLECTIONS = 20_000
# Collect cyclic garbage as rarely as workers do: every 700 objects, it takes a tenth of the time, and a third
# of that in which the tests are collected.
gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)


@pytest.fixture(scope="session", autouse=True)
def modules_never_garbage() -> None:
    """Collect only garbage of tests: a collection need not look at modules and collected tests."""
    gc.freeze()


@pytest.fixture(scope="session")
def user_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Paths of new folders; `mktemp` looks for a free number among the folders of all tests before."""
    parent = tmp_path_factory.mktemp("homes")
    return (parent / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def own_user_folders(user_folders: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    home = next(user_folders)
    home.mkdir()
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(home))


@pytest.fixture(autouse=True)
def no_other_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disable LibreOffice, so that tests give the same results whether it is installed or not."""
    monkeypatch.setenv("SIMCOMPARE_LIBREOFFICE", "")


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    set_language("en")
    yield
    set_language("en")


@pytest.fixture(scope="session", autouse=True)
def fork_server() -> None:
    """Start the server that worker processes are forked from, with all imports of workers.

    A test would otherwise wait for the imports of each worker it starts.
    """
    if sys.platform == "linux":
        process_context("tests.helpers.worker_imports")
        forkserver.ensure_running()


@pytest.fixture
def start_program() -> Iterator[StartProgram]:
    """Start programs that Ctrl+C can interrupt, and kill them and their children after the test."""
    with program_starter() as start:
        yield start


@pytest.fixture(scope="session")
def server() -> Iterator[PostgresqlServer]:
    """Run a server of PostgreSQL with an empty library in its database `essays`."""
    pytest.importorskip("psycopg", reason="the extra postgresql is not installed")
    from simcompare.library.store.open_library import open_library
    from tests.helpers.postgresql_server import DATABASE, running_server, server_programs

    programs = server_programs()
    if programs is None:
        pytest.skip("PostgreSQL 15 or newer is not installed: sudo apt-get install postgresql")
    with running_server(programs) as running:
        running.run(f"CREATE DATABASE {DATABASE}", "postgres")
        open_library(running.place(), create=True).close()
        yield running


@pytest.fixture
def emptied_server(server: PostgresqlServer) -> PostgresqlServer:
    """Remove all entries of the library on the server."""
    server.empty_library()
    return server


@pytest.fixture
def chinese_font(qapp: QApplication) -> None:
    """Skip a test that needs Chinese characters in their real width, or in a PDF that Qt writes."""
    from PySide6.QtGui import QFontDatabase

    if not QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese):
        pytest.skip("no Chinese font is installed")


@pytest.fixture
def application_looks(qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[None]:
    """Restore the style, palette and font of the application, which a window changes.

    First delete the closed windows, as each change is applied to all widgets.
    """
    with restored_looks(qapp):
        yield
        request.node.funcargs.clear()


@contextmanager
def restored_looks(qapp: QApplication) -> Iterator[None]:
    """Restore the looks of the application after a block, once the windows closed in it are deleted."""
    from PySide6.QtCore import QEvent

    font, palette, style = qapp.font(), qapp.palette(), qapp.style().name()
    yield
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # without an event loop nothing else does
    collect_garbage()
    qapp.setStyleSheet("")
    qapp.setStyle(style)
    qapp.setPalette(palette)
    qapp.setFont(font)

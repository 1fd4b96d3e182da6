"""Fixtures: a window with its own preferences, closed after the test, and files to drop into it."""

import gc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from simcompare.ui import app
from simcompare.ui.export.export_questions import ClosingDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from simcompare.ui.session.session_commands import UnsavedDialog
from simcompare.ui.state.review.found_decisions import DecisionFilter
from simcompare.ui.style.theme import APPEARANCE, LIGHT
from simcompare.ui.window_assembly import whole_window
from tests.conftest import restored_looks
from tests.gui.anonymous_exports import LI, WANG
from tests.gui.class_samples import write_class, write_draft
from tests.gui.class_windows import COPY, settle_class_page
from tests.gui.exclusion_samples import QUOTING_LEFT, QUOTING_RIGHT
from tests.gui.pair_table import settle
from tests.gui.window_parts import match_view
from tests.helpers.kept_workers import workers_kept_between_tests  # noqa: F401 - a fixture
from tests.helpers.patience import PATIENCE_MS
from tests.helpers.patient_bot import patient_qtbot  # noqa: F401 - a fixture
from tests.helpers.qt_garbage import (  # noqa: F401 - fixtures
    garbage_collected_between_tests,
    no_garbage_collected_in_workers,
)

Essay = Callable[[str, str], Path]
"""Writes a file with this name and text, and returns its path."""

READING_TIMEOUT_MS = PATIENCE_MS

_SIZE_PX = (1280, 800)
"""Larger than the screen of the offscreen platform."""

LEFT_TEXT = (
    "家乡的小河\n"
    "清晨的河面上飘着一层薄薄的雾。渔船慢慢地从芦苇旁边划过去。"
    "我非常喜欢看爷爷补网。他说河水养大了全村的孩子！"
)
RIGHT_TEXT = (
    "河边的童年\n"
    "我十分喜爱看祖父补网。城里的街道总是很吵。"
    "清晨的河面上飘着一层薄薄的雾。渔船慢慢从芦苇旁边划过。"
)
OTHER_TEXT = "操场\n体育课上大家都在练习跳绳。老师吹响了哨子，比赛马上开始。"


@pytest.fixture
def tmp_path(tmp_path: Path) -> Path:
    """A folder that is not named after the test: words such as "draft" count in names of folders."""
    folder = tmp_path / "inbox"
    folder.mkdir()
    return folder


@pytest.fixture(autouse=True)
def light_theme() -> Iterator[None]:
    yield
    APPEARANCE.theme = LIGHT
    APPEARANCE.has_small_window = False


@pytest.fixture
def window(request: pytest.FixtureRequest) -> Iterator[MainWindow]:
    if request.node.get_closest_marker("one_window"):
        (window,) = request.getfixturevalue("kept_window")
        yield window
        put_back(window)
        return
    request.getfixturevalue("application_looks")
    window = shown_window()
    request.getfixturevalue("qtbot").addWidget(window)
    yield window
    close_unsaved(window)


def shown_window() -> MainWindow:
    preferences = Preferences()
    preferences.shows_heatmap = True  # the window is too narrow for it otherwise
    preferences.language = "en"
    window = whole_window(preferences)
    keep_after_closing(window)
    window.resize(*_SIZE_PX)
    window.show()
    return window


@pytest.fixture(scope="module")
def kept_window(qapp: QApplication) -> Iterator[list[MainWindow]]:
    """One window, of all tests of a module that is marked with `one_window`.

    Each test gets it with the documents of the test before, if its fixture adds the same, and otherwise as
    it was: see `put_back`. Not for modules whose tests change or look at anything else.
    """
    with restored_looks(qapp):
        windows = [shown_window()]
        yield windows
        close_unsaved(windows[0])
        windows.pop().deleteLater()
        gc.unfreeze()  # as it was frozen when garbage was collected between its tests


def put_back(window: MainWindow) -> None:
    """Undo what a test has done in a window: in dialogs and menus, with filters, sizes and settings."""
    workspace = window.workspace
    for other in QApplication.topLevelWidgets():
        if other is not window and other.isVisible():
            other.close()
    if window._preferences.language != "en":
        window.use_language("en")
    if APPEARANCE.theme is not LIGHT:
        window.use_theme("light")
    if APPEARANCE.text_scale != 1.0:
        window.window_text.use("100")
    window.resize(*_SIZE_PX)
    while workspace.history.canUndo():
        workspace.history.undo()
    workspace.history.clear()
    window.compare_view.finder.close()
    workspace.class_filter.clear()
    window.pairs_view.filter.clear()
    workspace.selection.show(DecisionFilter.ALL)
    for passage in range(len(workspace.passages or ())):
        match_view(window).set_unfolded(passage, False)
    if len(workspace.documents.entries) > 2:
        window.pages.show_pairs()


def add_unless_there(window: MainWindow, paths: Sequence[Path]) -> None:
    """Add files, unless a test before has left them in the window of a module."""
    listed = [entry.path.name for entry in window.workspace.documents.entries.values()]
    if listed == [path.name for path in paths]:
        return
    if listed:
        window.sessions._reset()
    window.workspace.documents.add(paths)


def keep_after_closing(window: MainWindow) -> None:
    """Let a test look at a window that it has closed; otherwise Qt deletes it soon."""
    window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)


def close_unsaved(window: MainWindow) -> None:
    """Close a window and discard unsaved work and running exports."""
    while window.isVisible() and not window.close():
        for dialog in window.findChildren(UnsavedDialog):
            dialog.discard_button.click()
        for dialog in window.findChildren(ClosingDialog):
            dialog.stop_button.click()
        QApplication.processEvents()


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Empty folder for exports."""
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


@pytest.fixture
def essay(tmp_path: Path) -> Essay:
    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def pair(essay: Essay) -> tuple[Path, Path]:
    return essay("left.txt", LEFT_TEXT), essay("right.txt", RIGHT_TEXT)


@pytest.fixture
def compared(window: MainWindow, pair: tuple[Path, Path], qtbot: QtBot) -> MainWindow:
    """Window in which two files have been compared."""
    add_unless_there(window, pair)
    wait_for_comparison(window, qtbot)
    return window


def wait_for_comparison(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.workspace.comparison is not None, timeout=READING_TIMEOUT_MS)


def wait_until_read(window: MainWindow, qtbot: QtBot) -> None:
    def all_read() -> bool:
        done, total = window.workspace.documents.reading_count
        return done == total

    qtbot.waitUntil(all_read, timeout=2 * READING_TIMEOUT_MS)


@pytest.fixture
def four(window: MainWindow, essay: Essay, qtbot: QtBot) -> MainWindow:
    """Window with four compared essays: a and b share much, c and d share nothing with the others."""
    texts = (
        LEFT_TEXT,
        RIGHT_TEXT,
        OTHER_TEXT,
        "The rain fell all night. Nobody went out to look for the boat.",
    )
    add_unless_there(window, [essay(f"{name}.txt", text) for name, text in zip("abcd", texts, strict=True)])
    settle(window, qtbot)
    return window


@pytest.fixture
def excluding(window: MainWindow, essay: Essay, qtbot: QtBot) -> MainWindow:
    """Window with two essays that share text that is excluded by default settings."""
    window.use_theme("light")
    window.workspace.documents.add([essay("left.txt", QUOTING_LEFT), essay("right.txt", QUOTING_RIGHT)])
    wait_for_comparison(window, qtbot)
    return window


@pytest.fixture
def pupils(window: MainWindow, essay: Essay, qtbot: QtBot) -> MainWindow:
    """Window with the essays of two pupils, which mention each other."""
    window.workspace.documents.add([essay("王小红 河边的童年.txt", WANG), essay("李明 家乡的小河.txt", LI)])
    wait_for_comparison(window, qtbot)
    return window


@pytest.fixture
def another_window(qtbot: QtBot, application_looks: None) -> Iterator[Callable[[], MainWindow]]:
    """Start further windows like the program does; close them after the test without a question."""
    windows: list[MainWindow] = []

    def start(*names: str) -> MainWindow:
        window = whole_window(Preferences())
        windows.append(window)
        keep_after_closing(window)
        qtbot.addWidget(window)
        window.resize(1280, 800)
        window.recovery_bar.look()
        window.show()
        app._open_files(window, [Path(name) for name in names])
        return window

    yield start
    for window in windows:
        close_unsaved(window)


@pytest.fixture
def session_path(tmp_path: Path) -> Path:
    return tmp_path / "四班.simcompare"


@pytest.fixture
def decided(compared: MainWindow) -> MainWindow:
    """Window with an unsaved decision."""
    from tests.gui.session_steps import decide_first

    decide_first(compared)
    return compared


@pytest.fixture
def reviewing(compared: MainWindow) -> MainWindow:
    """Window with its first match selected and the focus in the heatmap."""
    compared.activateWindow()
    compared.compare_view.heatmap.setFocus()
    compared.workspace.selection.select(0)
    return compared


@pytest.fixture
def judging(window: MainWindow, essay: Essay, qtbot: QtBot) -> MainWindow:
    """Window with the three passages of `passage_samples`, the first one selected."""
    from tests.gui.passage_samples import COPY, LEFT_ESSAY, RIGHT_ESSAY

    add_unless_there(window, [essay("left 3.txt", LEFT_ESSAY), essay("right 3.txt", RIGHT_ESSAY)])
    wait_for_comparison(window, qtbot)
    window.activateWindow()
    window.compare_view.setFocus()
    window.workspace.selection.select_passage(COPY)
    return window


@pytest.fixture
def school_class(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> MainWindow:
    """Window with six students, one of whom has a draft, and a seventh who has copied from the first."""
    paths = write_class(tmp_path)
    copy = tmp_path / COPY
    copy.write_text(paths[0].read_text("utf-8"), "utf-8")
    add_unless_there(window, [*paths, write_draft(tmp_path), copy])
    settle_class_page(window, qtbot)
    return window

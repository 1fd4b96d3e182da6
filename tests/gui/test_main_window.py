"""Main window: empty state, language, theme and keyboard focus."""

import gc
import weakref
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtWidgets import (
    QApplication,
    QListView,
    QMenu,
)
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import Comparison
from simcompare.ui.compare.matches.decision_bar import NotePopup
from simcompare.ui.compare.matches.passage_rows import KindSwitch
from simcompare.ui.compare.text_pane.text_view import TextView
from simcompare.ui.main_window import MainWindow, first_size
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.window_assembly import whole_window
from tests.gui.conftest import LEFT_TEXT, OTHER_TEXT, Essay, wait_for_comparison, wait_until_read
from tests.gui.session_steps import decide_first, drop, unsaved_dialog
from tests.gui.window_parts import labels, match_view


def test_that_an_empty_window_offers_the_samples(window: MainWindow) -> None:
    assert window.pages.currentWidget() is window.start_page
    assert window.start_page.class_row.isVisible()
    assert not window.sidebar.isVisible()


def test_that_the_documents_menu_removes_the_selected_documents(compared: MainWindow, qtbot: QtBot) -> None:
    view = compared.sidebar.documents.findChild(QListView)
    action = compared.sidebar.documents.remove_action
    (menu,) = (m for m in compared.menus.findChildren(QMenu) if action in m.actions())
    assert menu.title() == "&Documents"
    assert not action.isEnabled()
    place = view.visualRect(view.model().index(1, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert len(compared.workspace.documents.entries) == 1
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    action.trigger()
    assert compared.workspace.documents.entries == {}


def test_that_every_focused_widget_is_framed(compared: MainWindow, qtbot: QtBot) -> None:
    compared.activateWindow()
    lists = {compared.sidebar.documents.findChild(QListView), match_view(compared)}
    switches = [switch for switch in compared.findChildren(KindSwitch) if switch.isVisible()]
    assert len(switches) == 3
    wanted = {compared.tool_bar.add_button, *lists, *switches}
    bare = {widget: widget.grab().toImage() for widget in wanted}
    met = set()
    for _ in range(30):
        qtbot.keyClick(QApplication.focusWidget() or compared, Qt.Key.Key_Tab)
        widget = QApplication.focusWidget()
        if widget in wanted:
            met.add(widget)
            assert widget.grab().toImage() != bare[widget]
    assert met == wanted


def test_that_the_language_changes_without_a_restart(compared: MainWindow) -> None:
    compared.commands.actions["language:zh"].trigger()
    assert compared.tool_bar.swap_button.text() == "左右互换"
    compared.commands.actions["language:en"].trigger()
    assert compared.tool_bar.swap_button.text() == "Swap"


def test_that_a_notice_disappears_when_the_language_changes(
    compared: MainWindow, pair: tuple[Path, Path]
) -> None:
    drop(compared, pair[0])
    assert compared.notice.isVisible()
    compared.commands.actions["language:zh"].trigger()
    assert not compared.notice.isVisible()


def test_that_the_dark_theme_darkens_the_window(compared: MainWindow, qtbot: QtBot) -> None:
    compared.use_theme("light")
    qtbot.waitUntil(compared.updatesEnabled)
    light = compared.grab().toImage().pixelColor(QPoint(4, 300)).lightness()
    compared.use_theme("dark")
    qtbot.waitUntil(compared.updatesEnabled)
    dark = compared.grab().toImage().pixelColor(QPoint(4, 300)).lightness()
    assert dark < 60
    assert light > 200


def test_that_the_panel_shows_that_nothing_matches(window: MainWindow, essay: Essay, qtbot: QtBot) -> None:
    window.workspace.documents.add([essay("left.txt", LEFT_TEXT), essay("other.txt", OTHER_TEXT)])
    wait_for_comparison(window, qtbot)
    assert "No two sentences are similar" in labels(window.compare_view.inspector)


@pytest.mark.parametrize("screen", [(1366, 728), (1920, 1040), (3840, 2100)])
def test_that_the_first_window_fits_its_screen_and_uses_it(screen: tuple[int, int]) -> None:
    size = first_size(QSize(*screen))
    assert size.width() < screen[0]
    assert size.height() < screen[1]
    assert size.width() >= min(screen[0], 1900) * 0.9


def _parts_of_windows() -> list[object]:
    kinds = (MainWindow, Workspace, Comparison, NotePopup, TextView)
    return [each for each in gc.get_objects() if isinstance(each, kinds)]


def test_that_nothing_of_a_closed_window_stays(
    pair: tuple[Path, Path], essay: Essay, qtbot: QtBot, application_looks: None
) -> None:
    before = set(map(id, _parts_of_windows()))  # other tests keep comparisons in their fixtures
    windows = [whole_window(Preferences())]
    windows[0].show()
    windows[0].workspace.documents.add([*pair, essay("unreadable.txt", "")])
    wait_for_comparison(windows[0], qtbot)
    wait_until_read(windows[0], qtbot)
    decide_first(windows[0])
    window = weakref.ref(windows[0])
    windows[0].close()
    unsaved_dialog(windows[0]).discard_button.click()
    windows.clear()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert window() is None
    assert not [type(part) for part in _parts_of_windows() if id(part) not in before]


def test_that_the_size_of_the_window_is_remembered(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(760, 640)  # fits the screen
    window.close()
    other = whole_window(Preferences())
    qtbot.addWidget(other)
    assert (other.width(), other.height()) == (760, 640)

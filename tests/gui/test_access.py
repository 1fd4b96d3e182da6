"""Accessibility: contrast, keyboard navigation and screen readers."""

from collections.abc import Callable, Iterator
from itertools import combinations, product
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import MatchKind
from simcompare.ui.actions import ShortcutsDialog
from simcompare.ui.compare.text_pane.text_painting import word_looks
from simcompare.ui.documents.receipt_dialog import PasswordDialog
from simcompare.ui.help.help_commands import AboutDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.start_page import StartRow
from simcompare.ui.state.document_listing import Side
from simcompare.ui.style.layouts import tab_stops
from simcompare.ui.style.theme import THEMES, Theme
from tests.gui.conftest import OTHER_TEXT
from tests.gui.contrast import DEUTERANOPIA, contrast, distance
from tests.gui.exclusion_samples import NO_POPUPS
from tests.gui.pixels import pixels_of

pytestmark = pytest.mark.qt_log_ignore(NO_POPUPS)

READABLE = 4.5  # WCAG 2.2, 1.4.3, for text of normal size
SEEN = 3.0  # 1.4.11, for lines and marks
DISTINCT = 25.0  # Delta E 1976: told apart without being side by side


# --- contrast


def text_pairs(theme: Theme) -> Iterator[tuple[str, str]]:
    """Every text colour with every background it is used on, except disabled texts."""
    grounds = (theme.background, theme.surface, theme.raised, theme.accent_tint)
    tints = (*(look.tint for look in theme.passages.values()), theme.found_tint)
    yield from product((theme.ink, theme.muted), (*grounds, *tints))
    yield from product((theme.danger, theme.caution, theme.accent), grounds)
    yield from ((look.ink, look.tint) for look in theme.passages.values())
    yield from product((look.ink for look in word_looks(theme)), (*grounds, *tints))
    yield theme.accent_ink, theme.accent


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_that_every_text_has_enough_contrast(theme: Theme):
    pale = {pair: round(contrast(*pair), 2) for pair in text_pairs(theme) if contrast(*pair) < READABLE}
    assert pale == {}


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_that_meaningful_lines_have_enough_contrast(theme: Theme):
    inks = (theme.accent, theme.found, *(look.ink for look in theme.passages.values()))
    tints = (*(look.tint for look in theme.passages.values()), theme.found_tint)
    grounds = (theme.background, theme.surface, *tints)
    pale = {pair for pair in product(inks, grounds) if contrast(*pair) < SEEN}
    assert pale == set()


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_that_kinds_selection_and_search_results_have_distinct_colours(theme: Theme):
    looks = {kind.name: (look.ink, look.tint) for kind, look in theme.passages.items()}
    looks["selected"], found = (theme.accent, theme.accent_tint), (theme.found, theme.found_tint)
    inks = combinations([found[0], *(ink for ink, _tint in looks.values())], 2)
    assert [pair for pair in inks if distance(*pair) <= DISTINCT] == []
    tints = [tint for _ink, tint in looks.values()]
    assert [tint for tint in tints if distance(tint, found[1]) <= DISTINCT] == []
    similar = [
        name
        for name, look in looks.items()
        if min(distance(a, b, DEUTERANOPIA) for a, b in zip(look, found, strict=True)) <= DISTINCT
    ]
    assert similar == [], "to a reader who does not see green"


# --- Tab


def walk(window: MainWindow, qtbot: QtBot, key: Qt.Key, first: QWidget) -> list[QWidget]:
    """Widgets reached by Tab or Backtab, from a widget on until it is reached again."""
    first.setFocus(Qt.FocusReason.TabFocusReason)
    seen = [first]
    for _ in range(100):
        before = QApplication.focusWidget()
        QTest.keyClick(before, key)
        here = QApplication.focusWidget()
        assert here is not before, f"{before} does not let go of the keyboard"
        if here is first:
            return seen
        seen.append(here)
    raise AssertionError("Tab goes around without coming back")


def can_have_focus(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled()


@pytest.fixture
def inspected(compared: MainWindow, qtbot: QtBot) -> MainWindow:
    """Window with a match in the inspector and the search bar open."""
    compared.workspace.selection.select(0)
    qtbot.keyClick(compared, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    compared.compare_view.finder.bar.field.setText("雾")
    return compared


def test_that_tab_follows_the_reading_order_and_is_never_trapped(inspected: MainWindow, qtbot: QtBot):
    view = inspected.compare_view
    first = inspected.tool_bar.add_button
    seen = walk(inspected, qtbot, Qt.Key.Key_Tab, first)
    parts = [
        inspected.tool_bar,
        inspected.sidebar.documents,
        inspected.sidebar.passages,
        view.header,
        view.finder.bar,
        view.panes[Side.LEFT],
        view.panes[Side.RIGHT],
        view.heatmap,
        *view.heatmap_tabs,
        view.inspector,
    ]
    visited = [next((p for p in parts if p is w or p.isAncestorOf(w)), None) for w in seen]
    assert list(dict.fromkeys(visited)) == parts
    assert visited == sorted(visited, key=parts.index)
    stops = {stop for stop in tab_stops(inspected) if can_have_focus(stop)}
    assert set(seen) == stops
    assert walk(inspected, qtbot, Qt.Key.Key_Backtab, first) == [seen[0], *seen[:0:-1]]


def test_that_tab_reaches_all_of_the_empty_window_and_of_the_table(
    window: MainWindow, pair: tuple[Path, Path], essay: Callable[[str, str], Path], qtbot: QtBot
):
    window.activateWindow()
    for ready in (lambda: None, lambda: add(window, [*pair, essay("other.txt", OTHER_TEXT)], qtbot)):
        ready()
        seen = walk(window, qtbot, Qt.Key.Key_Tab, window.tool_bar.add_button)
        assert set(seen) == {stop for stop in tab_stops(window) if can_have_focus(stop)}


def add(window: MainWindow, paths: list[Path], qtbot: QtBot) -> None:
    window.workspace.documents.add(paths)
    qtbot.waitUntil(lambda: window.workspace.documents.reading_count[0] == len(paths))
    qtbot.waitUntil(lambda: not window.workspace.is_busy)


def test_that_the_focus_is_visible(inspected: MainWindow, qtbot: QtBot):
    for theme in THEMES:
        inspected.use_theme(theme)
        qtbot.waitUntil(inspected.updatesEnabled)  # painted in a later turn of the event loop
        unseen = []
        for stop in filter(can_have_focus, list(tab_stops(inspected))):
            stop.setFocus(Qt.FocusReason.TabFocusReason)
            here = _around(stop, inspected)
            focused = inspected.grab(here).toImage()
            stop.clearFocus()
            if _differing_pixels(focused, inspected.grab(here).toImage()) < 2 * stop.height():
                unseen.append(stop)
        assert unseen == []


def _around(widget: QWidget, window: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size()).adjusted(-6, -6, 6, 6)


def _differing_pixels(first, second) -> int:
    return int((pixels_of(first) != pixels_of(second)).sum())


# --- names


def spoken_name(widget: QWidget) -> str:
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def nameless(root: QWidget) -> list[str]:
    stops = [stop for stop in tab_stops(root) if not (isinstance(stop, StartRow) and stop.isHidden())]
    return [f"{type(stop).__name__} {stop.objectName()}" for stop in stops if not spoken_name(stop).strip()]


def test_that_every_focusable_widget_has_a_name(inspected: MainWindow, qtbot: QtBot):
    for language in ("en", "zh"):
        inspected.use_language(language)
        assert nameless(inspected) == []
        assert nameless(inspected.receipt) == []
        key = next(iter(inspected.workspace.documents.entries))
        is_left_by_esc(qtbot, PasswordDialog(inspected.workspace, key, inspected))
        is_left_by_esc(qtbot, ShortcutsDialog(inspected, inspected.menus))
        inspected.commands.actions["about"].trigger()
        *_closed, about = inspected.findChildren(AboutDialog)
        is_left_by_esc(qtbot, about)


def is_left_by_esc(qtbot: QtBot, dialog: QDialog) -> None:
    assert nameless(dialog) == []
    assert dialog.windowTitle()
    dialog.open()
    qtbot.waitUntil(dialog.isActiveWindow)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


# --- announcements


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts announced to assistive programs, in order."""
    announcements: list[str] = []
    pass_on = QAccessible.updateAccessibility

    def listen(event) -> None:
        if isinstance(event, QAccessibleAnnouncementEvent):
            announcements.append(event.message())
        pass_on(event)

    monkeypatch.setattr(QAccessible, "updateAccessibility", listen)
    QAccessible.setActive(True)
    return announcements


def test_that_the_selected_cell_is_announced(compared: MainWindow, qtbot: QtBot, announced: list[str]):
    heatmap, selection = compared.compare_view.heatmap, compared.workspace.selection
    selection.select(0)
    spoken = QAccessible.queryAccessibleInterface(heatmap)
    assert spoken.text(QAccessible.Text.Description) == (
        "left sentence 2 and right sentence 4: identical, similarity 1.00 (P)"
    )
    heatmap.setFocus()
    qtbot.keyClick(heatmap, Qt.Key.Key_Left)
    assert "right sentence 3: not similar, similarity 0.0" in spoken.text(QAccessible.Text.Description)
    assert announced == [
        "left sentence 2 and right sentence 4: identical, similarity 1.00 (P)",
        announced[-1],
    ]
    assert announced[-1] == spoken.text(QAccessible.Text.Description)


def test_that_stepping_through_the_list_is_announced(
    compared: MainWindow, qtbot: QtBot, announced: list[str]
):
    compared.workspace.selection.select(0)
    qtbot.keyClick(compared, Qt.Key.Key_N)
    match = compared.workspace.comparison.matches[compared.workspace.selection.selected]
    assert len(announced) == 2
    assert announced[1].startswith(f"left sentence {match.left + 1} and right sentence {match.right + 1}: ")


def test_that_the_search_announces_its_results(inspected: MainWindow, qtbot: QtBot, announced: list[str]):
    qtbot.keyClick(inspected.compare_view.finder.bar.field, Qt.Key.Key_Return)
    assert announced == ["2 of 2: left 1 · right 1"]


def test_that_a_changed_classification_of_the_selected_cell_is_announced(
    compared: MainWindow, announced: list[str], qtbot: QtBot
):
    compared.workspace.selection.select(0)
    sliders = compared.tool_bar.strictness.sliders
    edited = [
        m
        for m in range(len(compared.workspace.comparison.matches))
        if compared.workspace.comparison.matches[m].kind is MatchKind.EDITED
    ]
    compared.workspace.selection.select(edited[0])
    before = announced[-1]
    sliders.weights_changed.emit(0.95, 0.99)
    assert announced[-1] != before
    assert "not similar" in announced[-1]

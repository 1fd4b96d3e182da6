"""Hints: beside the controls they explain, one after the other, never modal, dismissed for ever."""

from itertools import product

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from simcompare.session.decisions import Decision
from simcompare.ui.cohort.pair_order import unusual_pairs
from simcompare.ui.help.help_commands import Hints, bubble_place
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.document_listing import Side
from tests.gui.conftest import wait_for_comparison
from tests.gui.exclusion_samples import NO_POPUPS

pytestmark = pytest.mark.qt_log_ignore(NO_POPUPS)
AREA = QRect(0, 0, 1024, 600)
BUBBLE = QSize(360, 130)


def wait_for_hint(window: MainWindow, name: str, qtbot: QtBot) -> None:
    hints = window.help.hints
    qtbot.waitUntil(lambda: hints.current == name and not hints._delay.isActive())


def shown_beside(hints: Hints) -> bool:
    """Return whether the bubble is inside the window and does not cover what it explains."""
    window, shown = hints.bubble.window(), hints._shown
    assert shown is not None
    anchor = QRect(shown.anchor.mapTo(window, QPoint(0, 0)), shown.anchor.size())
    place = hints.bubble.geometry()
    return hints.bubble.isVisible() and window.rect().contains(place) and not place.intersects(anchor)


def decide_on_unusual_pairs(window: MainWindow, qtbot: QtBot) -> None:
    """Decide on the pairs that the class offers to read."""
    qtbot.waitUntil(lambda: not window.class_page.is_read())
    pairs, limit = window.workspace.pairs, window.workspace.class_state.limit
    unusual = [pairs.table.pair_at(int(place)) for place in unusual_pairs(pairs, limit)]
    window.workspace.review.decide_pairs(unusual, Decision.COPIED)
    qtbot.waitUntil(window.class_page.is_read)


def show_export_hint(window: MainWindow, qtbot: QtBot) -> None:
    hints = window.help.hints
    hints.bubble.next_button.click()
    wait_for_hint(window, "", qtbot)
    decide_on_unusual_pairs(window, qtbot)
    wait_for_hint(window, "export", qtbot)


def test_that_the_hint_on_reports_comes_once_all_is_read_and_does_not_cover_the_library(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    window, hints = school_class, school_class.help.hints
    hints.start()
    wait_for_hint(window, "limit", qtbot)
    show_export_hint(window, qtbot)
    window.pages.show_library()
    wait_for_hint(window, "", qtbot)
    assert not hints.bubble.isVisible()
    window.pages.show_pairs()
    wait_for_hint(window, "", qtbot)
    assert "export" in Preferences().dismissed_hints, "its page was left"


def test_that_who_exports_needs_the_hint_on_it_no_more_and_each_hint_has_its_own_number(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    window, hints = school_class, school_class.help.hints
    hints.start()
    wait_for_hint(window, "limit", qtbot)
    assert hints.bubble._count.text() == "Hint 1 of 4"
    show_export_hint(window, qtbot)
    assert hints.bubble._count.text() == "Hint 4 of 4", "whichever hints were not needed"
    qtbot.mouseClick(window.tool_bar.export_button, Qt.MouseButton.LeftButton)
    wait_for_hint(window, "", qtbot)
    assert "export" in Preferences().dismissed_hints


@pytest.mark.parametrize(("left", "top"), [*product((0, 300, 900), (0, 250, 560))])
def test_that_a_bubble_is_beside_its_anchor_wherever_that_is(left: int, top: int) -> None:
    anchor = QRect(left, top, 120, 36)
    found = bubble_place(anchor, BUBBLE, AREA)
    assert found is not None
    assert AREA.contains(found[1])
    assert not found[1].intersects(anchor)
    gap = found[1].adjusted(-1, -1, 1, 1)
    assert gap.intersects(anchor), "it touches what it explains"


def test_that_no_bubble_covers_an_anchor_as_large_as_the_window() -> None:
    assert bubble_place(AREA, BUBBLE, AREA) is None


def test_that_a_window_shows_no_hints_before_they_are_started(school_class: MainWindow, qtbot: QtBot) -> None:
    school_class.help.hints.follow()
    assert not school_class.help.hints._delay.isActive()
    assert not school_class.help.hints.bubble.isVisible()


def test_that_hints_follow_the_work_and_leave_the_keyboard_alone(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    window, hints = school_class, school_class.help.hints
    window.activateWindow()
    window.pairs_view.table.setFocus()
    hints.start()
    wait_for_hint(window, "limit", qtbot)
    assert shown_beside(hints)
    assert QApplication.focusWidget() is window.pairs_view.table
    height = hints.bubble.height()
    hints.bubble.next_button.click()
    wait_for_hint(window, "", qtbot)
    window.pair_steps.open_first()
    window.pages.show_compare()
    for name in ("passages", "decisions"):
        wait_for_hint(window, name, qtbot)
        assert shown_beside(hints)
        hints.bubble.next_button.click()
    window.pages.show_pairs()
    decide_on_unusual_pairs(window, qtbot)
    wait_for_hint(window, "export", qtbot)
    assert shown_beside(hints)
    assert hints.bubble.height() < height, "a shorter text has a lower bubble"
    hints.bubble.next_button.click()
    qtbot.waitUntil(lambda: not hints.bubble.isVisible())
    assert Preferences().dismissed_hints == {"limit", "passages", "decisions", "export"}


@pytest.mark.parametrize(
    ("language", "size"),
    [("zh", (1060, 600)), ("zh", (1257, 707)), ("en", (1366, 768)), ("en", (1920, 1080))],
)
def test_that_the_first_hint_covers_neither_a_table_nor_a_heading_nor_the_map(
    school_class: MainWindow, language: str, size: tuple[int, int], qtbot: QtBot
) -> None:
    window, hints = school_class, school_class.help.hints
    window.use_language(language)
    window.resize(*size)
    hints.start()
    wait_for_hint(window, "limit", qtbot)
    page = window.class_page
    for part in (page.students, page.pairs, page.maps, page.histogram):
        assert not hints.bubble.geometry().intersects(QRect(part.mapTo(window, QPoint(0, 0)), part.size()))
    assert shown_beside(hints)
    bubble, buttons = hints.bubble, hints.bubble.findChildren(QAbstractButton)
    assert all(bubble.rect().contains(button.geometry()) for button in buttons)


def test_that_the_hint_on_passages_covers_no_selected_one_and_goes_once_another_is_selected(
    judging: MainWindow, qtbot: QtBot
) -> None:
    hints = judging.help.hints
    hints.start()
    wait_for_hint(judging, "passages", qtbot)
    view = judging.compare_view
    selected = view.selected_rect()
    assert selected.height() > view.fontMetrics().height()
    assert not hints.bubble.geometry().intersects(selected.translated(view.mapTo(judging, QPoint(0, 0))))
    qtbot.keyClick(view, Qt.Key.Key_N)
    wait_for_hint(judging, "decisions", qtbot)
    assert "passages" in Preferences().dismissed_hints


def test_that_the_hint_on_the_limit_goes_once_it_is_moved_or_a_bar_clicked(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    hints = school_class.help.hints
    hints.start()
    wait_for_hint(school_class, "limit", qtbot)
    school_class.workspace.class_state.set_limit(0.5)
    wait_for_hint(school_class, "", qtbot)
    assert "limit" in Preferences().dismissed_hints


def test_that_the_hint_on_decisions_goes_with_the_first_decision(reviewing: MainWindow, qtbot: QtBot) -> None:
    hints, review = reviewing.help.hints, reviewing.workspace.review
    hints.start()
    wait_for_hint(reviewing, "passages", qtbot)
    hints.bubble.next_button.click()
    wait_for_hint(reviewing, "decisions", qtbot)
    review.decide_passages([0], Decision.COPIED)
    wait_for_hint(reviewing, "export", qtbot)


def test_that_the_hint_on_decisions_goes_once_another_pair_is_opened(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    hints, workspace = school_class.help.hints, school_class.workspace
    Preferences().dismissed_hints = frozenset({"limit", "passages"})
    qtbot.waitUntil(lambda: not school_class.class_page.is_read())
    first = int(unusual_pairs(workspace.pairs, workspace.class_state.limit)[0])
    workspace.documents.choose_pair(*workspace.pairs.table.pair_at(first))
    school_class.pages.show_compare()
    wait_for_comparison(school_class, qtbot)
    hints.start()
    wait_for_hint(school_class, "decisions", qtbot)
    workspace.documents.choose_pair(*workspace.pairs.table.pair_at(int(first == 0)))
    wait_for_hint(school_class, "", qtbot)
    assert "decisions" in Preferences().dismissed_hints


def test_that_a_hint_moves_with_the_window(reviewing: MainWindow, qtbot: QtBot) -> None:
    hints = reviewing.help.hints
    hints.start()
    wait_for_hint(reviewing, "passages", qtbot)
    hints.bubble.next_button.click()
    wait_for_hint(reviewing, "decisions", qtbot)
    for size in ((1024, 600), (1920, 1080)):
        reviewing.resize(*size)
        qtbot.waitUntil(hints._delay.isActive)
        wait_for_hint(reviewing, "decisions", qtbot)
        assert shown_beside(hints)


def test_that_hints_are_reached_by_tab_and_dismissed_by_esc(reviewing: MainWindow, qtbot: QtBot) -> None:
    hints = reviewing.help.hints
    hints.start()
    wait_for_hint(reviewing, "passages", qtbot)
    reviewing.tool_bar.method.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is hints.bubble.end_button
    qtbot.keyClick(hints.bubble.end_button, Qt.Key.Key_Escape)
    wait_for_hint(reviewing, "decisions", qtbot)
    assert QApplication.focusWidget() is hints.bubble.next_button
    assert "F marks" in hints.bubble.next_button.accessibleDescription()
    qtbot.keyClick(hints.bubble.next_button, Qt.Key.Key_Escape)
    wait_for_hint(reviewing, "", qtbot)
    assert isinstance(QApplication.focusWidget(), QAbstractButton)
    assert reviewing.compare_view.inspector.line.decisions.isAncestorOf(QApplication.focusWidget())


def test_that_a_click_on_a_hint_leaves_the_focus_where_it_is(reviewing: MainWindow, qtbot: QtBot) -> None:
    hints, text = reviewing.help.hints, reviewing.compare_view.panes[Side.LEFT]
    text.setFocus()
    focused = QApplication.focusWidget()
    hints.start()
    for name in ("passages", "decisions"):
        wait_for_hint(reviewing, name, qtbot)
        qtbot.mouseClick(hints.bubble.next_button, Qt.MouseButton.LeftButton)
    wait_for_hint(reviewing, "", qtbot)
    assert QApplication.focusWidget() is focused


def test_that_esc_dismisses_the_hint_from_anywhere_in_the_window(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    window, hints = school_class, school_class.help.hints
    hints.start()
    wait_for_hint(window, "limit", qtbot)
    window.pairs_view.table.setFocus()
    window.workspace.class_filter.show_documents([next(iter(window.workspace.documents.entries))])
    qtbot.keyClick(window.pairs_view.table, Qt.Key.Key_Escape)
    assert window.workspace.class_filter.is_empty, "the part with the focus comes first"
    wait_for_hint(window, "limit", qtbot)
    decide_on_unusual_pairs(window, qtbot)
    qtbot.keyClick(window.pairs_view.table, Qt.Key.Key_Escape)
    wait_for_hint(window, "export", qtbot)
    assert QApplication.focusWidget() is window.pairs_view.table
    for focused in (window.pairs_view.table, hints.bubble.next_button):
        hold_escape(focused)
        assert hints.current == "export"
    qtbot.keyClick(window.pairs_view.table, Qt.Key.Key_Escape)
    wait_for_hint(window, "", qtbot)
    assert not hints.bubble.isVisible()


def hold_escape(focused: QWidget) -> None:
    """Send the key press that Qt repeats while Esc is held."""
    press, no_modifier = QEvent.Type.KeyPress, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(focused, QKeyEvent(press, Qt.Key.Key_Escape, no_modifier, "", True))


def test_that_no_hint_is_shown_again_once_they_are_not_wanted(reviewing: MainWindow, qtbot: QtBot) -> None:
    hints = reviewing.help.hints
    hints.start()
    wait_for_hint(reviewing, "passages", qtbot)
    hints.bubble.end_button.click()
    assert not hints.bubble.isVisible()
    assert not Preferences().shows_hints
    reviewing.commands.actions["hints"].trigger()
    assert hints.current == "passages"
    assert Preferences().shows_hints


def test_that_an_empty_window_says_when_hints_appear(window: MainWindow) -> None:
    window.commands.actions["hints"].trigger()
    assert not window.help.hints.bubble.isVisible()
    assert window.status_line.message.text().startswith("Hints appear")


def test_that_a_hint_follows_the_language(reviewing: MainWindow, qtbot: QtBot) -> None:
    reviewing.help.hints.start()
    wait_for_hint(reviewing, "passages", qtbot)
    reviewing.use_language("zh")
    assert reviewing.help.hints.bubble.label.text().startswith("两篇作文的相似片段")

"""Keyboard focus: visible at every stop of every page and dialog, in reading order, and never trapped."""

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

from simcompare.ui.main_window import MainWindow
from simcompare.ui.style.layouts import tab_stops
from tests.gui.access.pages import dialogs, pages, settle
from tests.gui.access.test_everywhere import described
from tests.gui.contrast import relative_luminance
from tests.gui.exclusion_samples import NO_POPUPS

pytestmark = [pytest.mark.one_window, pytest.mark.qt_log_ignore(NO_POPUPS)]

SEEN = 3.0  # WCAG 2.2, 1.4.11 and 2.4.13
_AROUND_PX = 6
_MOST_LINKS = 30


def stops_of(root: QWidget) -> list[QWidget]:
    return [stop for stop in tab_stops(root) if stop.isVisible() and stop.isEnabled()]


def unseen_stops(root: QWidget) -> Iterator[str]:
    """Stops whose picture does not change by 3:1 in at least as many pixels as the widget is high."""
    for stop in stops_of(root):
        stop.setFocus(Qt.FocusReason.TabFocusReason)
        place = QRect(stop.mapTo(root, QPoint(0, 0)), stop.size())
        place = place.adjusted(-_AROUND_PX, -_AROUND_PX, _AROUND_PX, _AROUND_PX) & root.rect()
        focused = _luminances(root.grab(place).toImage())
        stop.clearFocus()
        without = _luminances(root.grab(place).toImage())
        lighter, darker = np.maximum(focused, without), np.minimum(focused, without)
        changed = np.count_nonzero((lighter + 0.05) / (darker + 0.05) >= SEEN)
        if changed < min(stop.height(), 24):
            yield f"{described(stop)}: {changed} pixels"


def _luminances(image: QImage) -> NDArray[np.float64]:
    pixels = image.convertToFormat(QImage.Format.Format_RGBA8888)
    values = np.frombuffer(pixels.constBits(), np.uint8).reshape(pixels.height(), -1, 4)[:, :, :3]
    return relative_luminance(values / 255)


def test_that_the_focus_is_seen_at_every_stop(school_class: MainWindow, qtbot: QtBot) -> None:
    for theme in ("light", "dark"):
        school_class.activateWindow()
        school_class.use_theme(theme)
        qtbot.waitUntil(school_class.updatesEnabled)
        unseen: list[str] = []
        for name, page in pages(school_class, qtbot):
            unseen += [f"{name}: {each}" for each in unseen_stops(page)]
        for name, dialog in dialogs(school_class, qtbot):
            unseen += [f"{name}: {each}" for each in unseen_stops(dialog)]
            dialog.reject()
        assert not unseen, "\n".join(unseen)


def test_that_the_focus_is_seen_in_the_windows_beside_the_main_one(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    school_class.common_sentences.open_view()
    school_class.receipt.show_receipt(1)
    school_class.commands.actions["manual"].trigger()
    manual = school_class.manual.window
    assert manual is not None
    for shown in (school_class.common_sentences, school_class.receipt, manual):
        qtbot.waitUntil(shown.isVisible)
        shown.activateWindow()
        settle(qtbot)
        assert [*unseen_stops(shown)] == []
        shown.close()


def walked(root: QWidget) -> list[QWidget]:
    """Stops in the order of Tab, from the first one until it is reached again."""
    first = stops_of(root)[0]
    first.setFocus(Qt.FocusReason.TabFocusReason)
    seen = [first]
    for _stop in range(150):
        before = QApplication.focusWidget()
        for _link in range(_MOST_LINKS):  # Tab goes through the links of a text, too
            QTest.keyClick(before, Qt.Key.Key_Tab)
            here = QApplication.focusWidget()
            if here is not before or not isinstance(before, QTextBrowser):
                break
        assert here is not None
        if here is first:
            return seen
        assert here is not before, f"{described(here)} does not let go of the keyboard"
        seen.append(here)
    raise AssertionError(f"Tab does not come back in {described(root)}")


def test_that_tab_goes_through_all_pages_and_dialogs_and_comes_back(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    school_class.activateWindow()
    qtbot.waitUntil(school_class.isActiveWindow)
    for _name, page in pages(school_class, qtbot):
        assert set(walked(page)) == set(stops_of(page))
    for _name, dialog in dialogs(school_class, qtbot):
        qtbot.waitUntil(dialog.isActiveWindow)
        assert set(walked(dialog)) == set(stops_of(dialog))
        dialog.reject()


def test_that_tab_follows_the_reading_order_of_the_class(school_class: MainWindow, qtbot: QtBot) -> None:
    school_class.activateWindow()
    qtbot.waitUntil(school_class.isActiveWindow)
    settle(qtbot)
    page = school_class.class_page
    parts = [
        *(school_class.tool_bar, school_class.page_switch, school_class.sidebar.documents),
        *(school_class.common_bar, page.histogram, page.maps, page.students, page.pairs.filter, page.pairs),
    ]
    visited = [
        next((part for part in parts if part is stop or part.isAncestorOf(stop)), stop)
        for stop in walked(school_class)
    ]
    assert [part for part in dict.fromkeys(visited) if part in parts] == parts

"""Text size of the whole window: takes effect at once, is remembered, and leaves everything reachable."""

from collections.abc import Iterator
from functools import partial

import pytest
from PySide6.QtWidgets import QAbstractButton, QDialog, QLabel, QLineEdit, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from simcompare.ui.access.window_text_size import ScrolledWhenLarge, WindowContents
from simcompare.ui.main_window import MainWindow
from simcompare.ui.preferences import Preferences
from simcompare.ui.style.layouts import column_of
from simcompare.ui.style.theme import scaled
from tests.gui.access.pages import dialogs, pages, settle
from tests.gui.exclusion_samples import NO_POPUPS

pytestmark = pytest.mark.qt_log_ignore(NO_POPUPS)
SMALL_SCREEN_PX = (1366, 740)


@pytest.fixture(autouse=True)
def usual_text(window: MainWindow) -> Iterator[None]:
    """Go back to the usual size, which the next test begins with."""
    yield
    window.window_text.use("100")


def fonts_of(widgets: list[QWidget]) -> list[float]:
    return [widget.font().pointSizeF() for widget in widgets]


def test_that_a_text_size_takes_effect_at_once_in_all_parts(school_class: MainWindow, qtbot: QtBot) -> None:
    page = school_class.class_page
    parts = [
        *(school_class.menus, school_class.tool_bar.add_button, page.pairs.table, page.students),
        *(
            page.students.horizontalHeader(),
            page.histogram.histogram,
            page.maps.map,
            school_class.status_line.message,
        ),
    ]
    before, row_px = fonts_of(parts), page.pairs.table.rowHeight(0)
    icon_px = school_class.tool_bar.add_button.iconSize().width()
    school_class.commands.actions["window_text:200"].trigger()
    assert fonts_of(parts) == [pytest.approx(2 * points) for points in before]
    assert page.pairs.table.rowHeight(0) == 2 * row_px
    assert school_class.tool_bar.add_button.iconSize().width() == 2 * icon_px
    assert scaled(10) == 20
    school_class.commands.actions["window_text:100"].trigger()
    assert fonts_of(parts) == before
    assert page.pairs.table.rowHeight(0) == row_px
    assert school_class.tool_bar.add_button.iconSize().width() == icon_px


def test_that_the_text_size_is_remembered_and_invalid_ones_become_the_usual(window: MainWindow) -> None:
    window.window_text.use("150")
    assert Preferences().window_percent == 150
    preferences = Preferences()
    for stored in ("huge", "-5", "1000000", "140", ""):
        preferences._store.setValue("window_percent", stored)
        assert preferences.window_percent == 100


def test_that_the_usual_size_scrolls_nothing(school_class: MainWindow, qtbot: QtBot) -> None:
    school_class.resize(1024, 600)
    for _name, _page in pages(school_class, qtbot):
        contents = school_class.centralWidget()
        assert isinstance(contents, WindowContents)
        assert contents.widget().size() == contents.viewport().size()


def is_reachable(widget: QWidget) -> bool:
    """Return whether a widget lies in its window, or in a part of it that can be scrolled."""
    place, host = widget.rect(), widget
    while not host.isWindow():
        place.translate(host.pos())
        host = host.parentWidget()
        if isinstance(host, QScrollArea):
            return True
    return host.rect().contains(place)


def test_that_everything_can_be_reached_with_the_largest_text(school_class: MainWindow, qtbot: QtBot) -> None:
    for language in ("en", "zh"):
        school_class.use_language(language)
        school_class.window_text.use("250")
        school_class.resize(*SMALL_SCREEN_PX)
        settle(qtbot)
        for _name, page in pages(school_class, qtbot):
            assert page.width() == SMALL_SCREEN_PX[0], "the text makes the window larger than the screen"
            qtbot.waitUntil(partial(_is_whole, page))
        for name, dialog in dialogs(school_class, qtbot):
            available = dialog.screen().availableSize()
            assert dialog.width() <= available.width(), name
            assert dialog.height() <= available.height(), name
            qtbot.waitUntil(partial(_is_whole, dialog))
            dialog.reject()


def _is_whole(root: QWidget) -> bool:
    """Check that no button is cut off, once the layout has come to rest."""
    cut = _cut_off(root)
    assert not cut, "\n".join(cut)
    return True


def _cut_off(root: QWidget) -> list[str]:
    """Buttons that are outside, or narrower than their text."""
    found = []
    for button in root.findChildren(QAbstractButton):
        if not button.isVisible() or button.window() is not root or not button.text():
            continue
        needed_px = button.minimumSizeHint().width()
        if not is_reachable(button):
            found.append(f"{button.text()} is outside")
        elif button.width() < needed_px:
            found.append(f"{button.text()} has {button.width()} of {needed_px} px")
    return found


def test_that_a_dialog_larger_than_the_screen_is_scrolled(window: MainWindow, qtbot: QtBot) -> None:
    window.window_text.use("250")
    dialog, field = QDialog(window), QLineEdit()
    column_of(dialog, QLabel("\n".join(["line"] * 80)), field)
    field.setFocus()
    dialog.open()
    settle(qtbot)
    [area] = dialog.findChildren(ScrolledWhenLarge)
    assert dialog.height() <= dialog.screen().availableSize().height()
    assert area.verticalScrollBar().maximum() > 0
    assert dialog.focusWidget() is field
    dialog.reject()

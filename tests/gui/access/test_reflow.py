"""Large text, or a small window: everything reflows, nothing is cut off without a way to read all of it."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from simcompare.ui.access import window_text_size
from simcompare.ui.cohort.pair_order import PairColumn
from simcompare.ui.export.export_dialog import ExportDialog
from simcompare.ui.main_window import MainWindow
from simcompare.ui.style.text_labels import ElidedLabel
from simcompare.ui.style.theme import scaled
from tests.gui.access.pages import dialogs, pages, settle
from tests.gui.exclusion_samples import NO_POPUPS

pytestmark = pytest.mark.qt_log_ignore(NO_POPUPS)
SMALL_SCREEN_PX = (1366, 740)
SIZES = ("150", "200", "250")
SCALED_SCREENS_PX = ((911, 472), (683, 344))
"""A laptop's 1366 x 768 without the task bar, when the system enlarges everything to 150 or 200%."""


@pytest.fixture(autouse=True)
def usual_text(window: MainWindow) -> Iterator[None]:
    """Go back to the usual size, which the next test begins with."""
    yield
    window.window_text.use("100")
    window.resize(1280, 800)


def enlarge(window: MainWindow, percent: str, qtbot: QtBot) -> None:
    window.window_text.use(percent)
    window.resize(*SMALL_SCREEN_PX)
    settle(qtbot)


def cut_texts(root: QWidget) -> Iterator[str]:
    """Labels and controls that are narrower than their text and do not shorten it with a tool tip."""
    for widget in root.findChildren(QWidget):
        if not widget.isVisible() or widget.window() is not root.window():
            continue
        if isinstance(widget, ElidedLabel) or isinstance(widget.parentWidget(), QLineEdit):
            continue  # has a tool tip while it is shortened, see below; an icon inside a field
        if isinstance(widget, QLabel):
            is_one_line = bool(widget.text()) and not widget.wordWrap()
            needed_px = widget.sizeHint().width() if is_one_line else 0
        elif isinstance(widget, (QAbstractButton, QComboBox)):
            needed_px = widget.minimumSizeHint().width()
        else:
            continue
        if widget.width() < needed_px:
            yield f"{type(widget).__name__} {spoken(widget)!r} has {widget.width()} of {needed_px} px"


def spoken(widget: QWidget) -> str:
    return widget.text() if isinstance(widget, (QLabel, QAbstractButton)) else widget.accessibleName()


def sideways_px(window: MainWindow) -> int:
    """Distance that the window has to be scrolled sideways."""
    contents = window.centralWidget()
    assert isinstance(contents, QScrollArea)
    return contents.horizontalScrollBar().maximum()


def assert_nothing_is_cut(window: MainWindow, qtbot: QtBot) -> None:
    for name, page in pages(window, qtbot):
        qtbot.waitUntil(lambda: sideways_px(window) == 0)
        cut = list(cut_texts(page))
        assert not cut, f"{name}: " + "\n".join(cut)


def test_that_no_page_scrolls_sideways_or_cuts_texts(school_class: MainWindow, qtbot: QtBot) -> None:
    for language in ("en", "zh"):
        school_class.use_language(language)
        for percent in SIZES:
            enlarge(school_class, percent, qtbot)
            assert_nothing_is_cut(school_class, qtbot)


def test_that_the_window_fits_the_screen_of_a_laptop_that_enlarges_everything(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    for language in ("en", "zh"):
        school_class.use_language(language)
        for size in SCALED_SCREENS_PX:
            school_class.resize(*size)
            settle(qtbot)
            assert school_class.size().toTuple() == size
            assert_nothing_is_cut(school_class, qtbot)
            for name, dialog in dialogs(school_class, qtbot):
                assert not list(cut_texts(dialog)), name
                dialog.reject()


def test_that_the_buttons_of_a_dialog_stay_in_sight_on_a_small_screen(
    school_class: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window_text_size, "_MOST_OF_SCREEN", 0.3)
    school_class.resize(*SCALED_SCREENS_PX[1])
    for percent in ("100", "200"):
        school_class.window_text.use(percent)
        for name, dialog in dialogs(school_class, qtbot):
            scrolled = dialog.findChild(window_text_size.ScrolledWhenLarge)
            buttons = [each for each in dialog.findChildren(QPushButton) if each.isVisible()]
            below = [each for each in buttons if scrolled is None or not scrolled.isAncestorOf(each)]
            assert below, name
            for button in below:
                assert button.visibleRegion().boundingRect().size() == button.size(), name
            dialog.reject()


def test_that_contents_that_grow_are_scrolled_and_not_the_buttons(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    school_class.commands.actions["export"].trigger()
    qtbot.waitUntil(lambda: bool(school_class.findChildren(ExportDialog)))
    [dialog] = school_class.findChildren(ExportDialog)
    settle(qtbot)
    screen_px = dialog.screen().availableSize().height()
    dialog.source_field.setMinimumHeight(2 * screen_px)
    qtbot.waitUntil(lambda: dialog.height() <= screen_px)
    settle(qtbot)
    assert dialog.export_button.visibleRegion().boundingRect().size() == dialog.export_button.size()
    assert dialog.export_button.mapTo(dialog, QPoint(0, 0)).y() < dialog.height()
    dialog.reject()


def test_that_the_start_page_does_not_scroll_sideways_in_a_small_window(
    window: MainWindow, qtbot: QtBot
) -> None:
    for size in SCALED_SCREENS_PX:
        window.resize(*size)
        settle(qtbot)
        qtbot.waitUntil(lambda: sideways_px(window) == 0)
        assert not list(cut_texts(window))


def test_that_the_histogram_keeps_its_heading_in_a_small_window(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    panel = school_class.class_page.histogram
    for language in ("en", "zh"):
        school_class.use_language(language)
        for size in SCALED_SCREENS_PX:
            school_class.resize(*size)
            settle(qtbot)
            qtbot.waitUntil(lambda: bool(panel.title._shortened()))


def test_that_the_pages_keep_their_texts_whole_on_a_large_screen(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    school_class.resize(1920, 1040)
    for percent in ("100", *SIZES):
        school_class.window_text.use(percent)
        assert_nothing_is_cut(school_class, qtbot)


def test_that_the_table_of_pairs_hides_figures_before_it_cuts_names(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    table = school_class.class_page.pairs.table
    for percent in SIZES:
        enlarge(school_class, "100", qtbot)
        school_class.resize(1600, 768)  # enough for wide fonts
        qtbot.waitUntil(lambda: not table.isColumnHidden(PairColumn.LONGEST))
        enlarge(school_class, percent, qtbot)
        qtbot.waitUntil(
            lambda: (
                min(table.columnWidth(name) for name in (PairColumn.A, PairColumn.B)) >= table.least_name_px
            )
        )
        for column in (PairColumn.SHARE_A, PairColumn.SHARE_B, PairColumn.DECISION):
            assert not table.isColumnHidden(column)
    name = table.model().index(0, PairColumn.A)
    assert name.data() in name.data(Qt.ItemDataRole.ToolTipRole)
    assert name.data() in name.data(Qt.ItemDataRole.AccessibleTextRole)


def test_that_the_parts_of_a_class_are_below_each_other_and_scrolled_to_with_the_focus(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    page = school_class.class_page
    parts = (page.histogram, page.maps, page.students, page.pairs)
    enlarge(school_class, "200", qtbot)
    tops = [part.mapTo(page, QPoint(0, 0)).y() for part in parts]
    assert tops == sorted(set(tops))
    assert all(part.width() > scaled(500) for part in parts)
    for part in (page.pairs.filter.text, page.histogram.histogram, page.students):
        part.setFocus(Qt.FocusReason.ShortcutFocusReason)
        qtbot.waitUntil(lambda part=part: seen_height_px(part, page) >= min(part.height(), scaled(40)))
    school_class.window_text.use("100")
    settle(qtbot)
    assert page.pairs.mapTo(page, QPoint(0, 0)).x() > 0


def seen_height_px(part: QWidget, page: QWidget) -> int:
    place = QRect(part.mapTo(page, QPoint(0, 0)), part.size())
    return (place & page.rect()).height()


def test_that_the_documents_are_behind_a_button_in_a_narrow_window(
    school_class: MainWindow, qtbot: QtBot
) -> None:
    button, sidebar = school_class.folded_sidebar.button, school_class.sidebar
    assert sidebar.isVisible()
    assert not button.isVisible()
    enlarge(school_class, "200", qtbot)
    assert not sidebar.isVisible()
    assert school_class.tool_bar.isAncestorOf(school_class.page_switch)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert sidebar.isVisible()
    school_class.page_switch.compare_button.click()
    assert school_class.pages.shows_compare
    school_class.window_text.use("100")
    settle(qtbot)
    assert sidebar.isVisible()
    assert sidebar.isAncestorOf(school_class.page_switch)
    assert not button.isVisible()


def test_that_a_shortened_label_has_its_whole_text_as_a_tool_tip(qtbot: QtBot) -> None:
    label = ElidedLabel("A long name of an essay that does not fit & more")
    qtbot.addWidget(label)
    label.resize(100, 30)
    label.show()
    place = QPoint(5, 5)
    QApplication.sendEvent(label, QHelpEvent(QHelpEvent.Type.ToolTip, place, label.mapToGlobal(place)))
    assert "that does not fit &amp; more" in QToolTip.text()
    label.setText("short")
    assert not label.is_shortened

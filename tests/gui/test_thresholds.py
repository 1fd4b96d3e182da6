"""Threshold sliders by mouse and keyboard, their pop-up, and icons."""

from itertools import product

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QSlider

from simcompare.model.settings import LOWEST_SIMILAR_WEIGHT
from simcompare.support.resources import resource_path
from simcompare.ui.compare.bars.settings_menus import ThresholdSliders
from simcompare.ui.style.theme import DARK, LIGHT, icon
from tests.gui.exclusion_samples import NO_POPUPS
from tests.gui.pixels import is_colour, pixels_of
from tests.gui.widgets import show_widget

# warning of the offscreen platform whenever a widget of fixed height is a window
pytestmark = pytest.mark.qt_log_ignore("does not support propagateSizeHints")
# that of the program has colours of its own
ICONS = sorted({path.stem for path in resource_path("icons").glob("*.svg")} - {"simcompare"})


@pytest.fixture
def sliders(qtbot):
    sliders = ThresholdSliders()
    show_widget(sliders, qtbot, 320, 220)
    return sliders


@pytest.fixture
def heard(sliders):
    heard = []
    sliders.weights_changed.connect(lambda similar, right: heard.append((similar, right)))
    return heard


def similar_and_right(sliders):
    return sliders.findChildren(QSlider)


def shown_values(sliders):
    return [label.text() for label in sliders.findChildren(QLabel, "value")]


def test_that_weights_are_shown_without_a_signal(sliders, heard):
    sliders.set_weights(0.45, 0.72)
    assert sliders.weights == (0.45, 0.72)
    assert shown_values(sliders) == ["0.45", "0.72"]
    assert heard == []


def test_that_every_key_step_is_emitted_at_once(sliders, heard):
    similar, right = similar_and_right(sliders)
    sliders.set_weights(0.50, 0.75)
    QTest.keyClick(similar, Qt.Key.Key_Right)
    QTest.keyClick(right, Qt.Key.Key_PageUp)
    assert heard == [(0.51, 0.75), (0.51, 0.80)]
    assert shown_values(sliders) == ["0.51", "0.80"]


def test_that_a_drag_emits_the_weights_at_every_step(sliders, heard):
    similar, _right = similar_and_right(sliders)
    sliders.set_weights(0.30, 0.99)
    y = similar.height() // 2
    QTest.mousePress(similar, Qt.MouseButton.LeftButton, pos=QPoint(7, y))
    for x in range(12, 252, 10):
        QTest.mouseMove(similar, QPoint(x, y))
    QTest.mouseRelease(similar, Qt.MouseButton.LeftButton, pos=QPoint(252, y))
    assert len(heard) > 10
    assert heard == sorted(heard)


def test_that_right_pushes_similar_down(sliders, heard):
    _similar, right = similar_and_right(sliders)
    sliders.set_weights(0.60, 0.62)
    for _step in range(3):
        QTest.keyClick(right, Qt.Key.Key_Left)
    assert heard == [(0.60, 0.61), (0.59, 0.60), (0.58, 0.59)]


def test_that_similar_pushes_right_up_to_its_end(sliders, heard):
    similar, _right = similar_and_right(sliders)
    sliders.set_weights(0.97, 0.98)
    for _step in range(4):
        QTest.keyClick(similar, Qt.Key.Key_Right)
    assert heard == [(0.98, 0.99), (0.99, 1.0)]


def test_that_the_lowest_thresholds_are_the_lowest_that_can_be_classified(sliders, heard):
    similar, right = similar_and_right(sliders)
    QTest.keyClick(similar, Qt.Key.Key_Home)
    QTest.keyClick(right, Qt.Key.Key_Home)
    assert sliders.weights == (LOWEST_SIMILAR_WEIGHT, 0.31)
    assert all(similar_weight < right_weight for similar_weight, right_weight in heard)


def test_that_each_slider_has_a_name_and_an_explanation(sliders):
    names = [slider.accessibleName() for slider in similar_and_right(sliders)]
    assert names == ["Threshold for possible matches", "Threshold for sure matches"]
    for slider in similar_and_right(sliders):
        [explanation] = slider.parentWidget().findChildren(QLabel, "muted")
        assert slider.accessibleDescription() == explanation.text()
        assert len(slider.accessibleDescription()) > 40


def test_that_tab_goes_from_similar_to_right(sliders, qtbot):
    similar, right = similar_and_right(sliders)
    sliders.activateWindow()
    similar.setFocus()
    qtbot.waitUntil(similar.hasFocus)
    QTest.keyClick(similar, Qt.Key.Key_Tab)
    assert right.hasFocus()


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_the_theme_changes_the_sliders(window):
    button = window.tool_bar.strictness
    button.open_sliders()
    light = button.sliders.grab().toImage()
    window.use_theme("dark")
    assert is_colour(light, LIGHT.accent).any()
    assert is_colour(button.sliders.grab().toImage(), DARK.accent).any()
    button.popup.close()


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("name", ICONS)
@pytest.mark.parametrize("ratio", [1, 2])
def test_that_an_icon_is_drawn_in_its_colour_at_the_density_of_the_screen(name, ratio):
    pixmap = icon(name, "#c8384a").pixmap(QSize(24, 24), ratio)
    assert pixmap.size() == QSize(24 * ratio, 24 * ratio)
    image = pixmap.toImage()
    colours = pixels_of(image)
    assert set(colours[colours >= 0xFF000000].tolist()) == {0xFFC8384A}
    assert image.pixelColor(0, 0).alpha() == 0


@pytest.mark.usefixtures("qapp")
def test_that_an_unknown_icon_is_an_error():
    with pytest.raises(FileNotFoundError):
        icon("no-such-icon", "#000000")


@pytest.fixture
def opened(compared, qtbot):
    """Button in the tool bar whose pop-up is opened with the keyboard."""
    compared.activateWindow()
    button = compared.tool_bar.strictness
    with qtbot.waitExposed(button.popup):
        button.advanced.trigger()
    return button


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_the_sliders_stay_open_while_they_are_dragged_and_matches_follow(compared, opened, qtbot):
    similar, _right = similar_and_right(opened.sliders)
    before = len(compared.workspace.comparison.matches)
    share = (similar.value() - similar.minimum()) / (similar.maximum() - similar.minimum())
    start, y = round(8 + share * (similar.width() - 16)), similar.height() // 2
    QTest.mousePress(similar, Qt.MouseButton.LeftButton, pos=QPoint(start, y))
    counts = []
    for x in range(start, similar.width(), 8):
        QTest.mouseMove(similar, QPoint(x, y))
        counts.append(len(compared.workspace.comparison.matches))
    QTest.mouseRelease(similar, Qt.MouseButton.LeftButton, pos=QPoint(similar.width() - 1, y))
    assert counts[-1] < before
    assert opened.popup.isVisible()
    assert opened.text() == "Strictness: Custom"
    assert compared.workspace.history.count() == 1


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_the_pop_up_takes_the_focus_and_closes_on_esc(opened, qtbot):
    assert opened.popup.isAncestorOf(opened.popup.focusWidget())
    QTest.keyClick(opened.popup.focusWidget(), Qt.Key.Key_Escape)
    assert not opened.popup.isVisible()


@pytest.mark.qt_log_ignore(NO_POPUPS)
def test_that_the_pop_up_lies_inside_the_window_and_shows_all_its_text(compared, qtbot):
    button = compared.tool_bar.strictness
    for language, size in product(["en", "zh"], [(1060, 600), (1920, 1080)]):
        compared.use_language(language)
        compared.resize(*size)
        button.advanced.trigger()
        frame = compared.frameGeometry()
        assert frame.contains(button.popup.geometry())
        for label in button.popup.findChildren(QLabel):
            assert label.height() >= label.heightForWidth(label.width())
        button.popup.close()

"""The fingerprint strip: painting, tool tips, keyboard and accessibility."""

import itertools

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from simcompare.ui.compare.bars.pair_details import FingerprintStrip
from simcompare.ui.style.theme import APPEARANCE, DARK, LIGHT
from tests.gui.pixels import is_colour
from tests.gui.widgets import looks_different_with_focus, show_widget

BITS = format(0x9F3A5C21D0EE71B4, "064b")
MARK = LIGHT.accent

# warning of the offscreen platform whenever a tool tip appears
tool_tips = pytest.mark.qt_log_ignore("does not support raise")


@pytest.fixture
def strip(qtbot):
    strip = FingerprintStrip()
    show_widget(strip, qtbot, 476, 20)
    strip.clearFocus()
    return strip


def colour_at(strip, position, theme_colour):
    return strip.grab().toImage().pixelColor(position) == QColor(theme_colour)


def count_of(strip, colour):
    return int(is_colour(strip.grab().toImage(), colour).sum())


def tool_tip_at(strip, position):
    event = QHelpEvent(QEvent.Type.ToolTip, position, strip.mapToGlobal(position))
    QApplication.sendEvent(strip, event)
    return QToolTip.text()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("width", [240, 333, 476, 801])
def test_that_every_bit_has_a_cell_in_its_colour(strip, theme, width):
    strip.resize(width, 20)
    APPEARANCE.use(theme)
    strip.set_bits(BITS)
    image = strip.grab().toImage()
    seen = [image.pixelColor(strip.cell_rect(place).center()) for place in range(64)]
    assert seen == [QColor(theme.bit_on if bit == "1" else theme.bit_off) for bit in BITS]


@pytest.mark.parametrize("width", [240, 333, 476, 801])
def test_that_cells_are_ordered_separate_and_inside_the_strip(strip, width):
    strip.resize(width, 20)
    strip.set_bits(BITS)
    cells = [strip.cell_rect(place) for place in range(64)]
    assert all(cell.width() >= 1 for cell in cells)
    assert all(left.right() < right.left() for left, right in itertools.pairwise(cells))
    assert cells[0].left() >= 0
    assert cells[-1].right() < width
    gaps = [right.left() - left.right() for left, right in itertools.pairwise(cells)]
    assert min(gaps[7::8]) > max(gap for index, gap in enumerate(gaps) if index % 8 != 7)


def test_that_only_the_differing_bits_are_underlined(strip):
    strip.set_bits(BITS, frozenset())
    assert count_of(strip, MARK) == 0
    strip.set_bits(BITS, frozenset({20}))
    assert count_of(strip, MARK) > 0
    ys, xs = np.nonzero(is_colour(strip.grab().toImage(), MARK))
    around = strip.cell_rect(20).adjusted(0, 0, 0, 4)
    assert all(around.contains(QPoint(x, y)) for x, y in zip(xs.tolist(), ys.tolist(), strict=True))


def test_that_a_differing_bit_keeps_its_colour(strip):
    strip.set_bits("10" * 32, frozenset({2, 3}))
    assert colour_at(strip, strip.cell_rect(2).center(), LIGHT.bit_on)
    assert colour_at(strip, strip.cell_rect(3).center(), LIGHT.bit_off)


@tool_tips
@pytest.mark.parametrize(
    ("differing", "words"),
    [
        (None, "bit 12: 1"),
        (frozenset({3}), "bit 12: 1, in both texts"),
        (frozenset({11}), "bit 12: 1, the other text has 0"),
    ],
)
def test_that_the_tool_tip_shows_the_bit_and_the_whole_fingerprint(strip, differing, words):
    assert BITS[11] == "1"
    strip.set_bits(BITS, differing)
    lines = tool_tip_at(strip, strip.cell_rect(11).center()).splitlines()
    assert lines == [words, "Fingerprint of 64 bits: 9f3a5c21d0ee71b4"]
    QToolTip.hideText()


def test_that_assistive_programs_read_the_fingerprint(strip):
    strip.set_bits(BITS)
    assert "9f3a5c21d0ee71b4" in strip.accessibleDescription()
    strip.set_bits("0" * 32)
    assert strip.accessibleDescription() == "Fingerprint of 32 bits: 00000000"


@tool_tips
def test_that_arrow_keys_describe_one_bit_after_another(strip):
    strip.set_bits(BITS, frozenset({1}))
    descriptions = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_End, Qt.Key.Key_Right):
        QTest.keyClick(strip, key)
        descriptions.append(strip.accessibleDescription().splitlines()[0])
    assert descriptions == [
        "bit 2: 0, the other text has 1",
        "bit 1: 1, in both texts",
        "bit 1: 1, in both texts",
        "bit 64: 0, in both texts",
        "bit 64: 0, in both texts",
    ]
    QToolTip.hideText()


def test_that_without_a_fingerprint_the_strip_is_a_muted_line(strip):
    strip.set_bits(BITS)
    strip.set_bits(None)
    assert count_of(strip, LIGHT.bit_on) == 0
    assert count_of(strip, LIGHT.bit_off) > 0
    assert strip.accessibleDescription() == "No fingerprint yet"
    QTest.keyClick(strip, Qt.Key.Key_Right)


def test_that_keyboard_focus_is_visible(strip, qtbot):
    strip.set_bits(BITS)
    assert looks_different_with_focus(strip, qtbot)


def test_that_the_strip_fills_the_width_and_keeps_its_height(strip):
    assert strip.sizeHint().height() == strip.minimumSizeHint().height() == 12
    assert strip.minimumSizeHint().width() < strip.sizeHint().width() < 400

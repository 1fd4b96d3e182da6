"""A heatmap on its own, and mouse actions on it, for tests."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from simcompare.ui.compare.heatmap.heatmap_view import HeatmapView
from tests.gui.pixels import is_colour
from tests.gui.widgets import show_widget

NO_MATCHES = (np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int8))


def make_heatmap(qtbot):
    view = HeatmapView()
    show_widget(view, qtbot, 400, 440)
    return view


# warning of the offscreen platform whenever a tool tip appears
tool_tips = pytest.mark.qt_log_ignore("does not support raise")


def fill(view, cells, matches=NO_MATCHES):
    view.begin(*cells.shape)
    view.put_block(0, cells)
    view.set_matches(*matches)


def cold(rows, columns):
    return np.zeros((rows, columns), dtype=np.uint8)


def matches(*cells):
    rows, columns, kinds = zip(*cells, strict=True)
    return np.array(rows, np.int32), np.array(columns, np.int32), np.array(kinds, np.int8)


def pixels_of(view, colour):
    """List the pixels of a colour, outside the colour bar and its labels."""
    ys, xs = np.nonzero(is_colour(view.grab().toImage(), colour)[:, :-60])
    return list(zip(xs.tolist(), ys.tolist(), strict=True))


def middle(pixels):
    xs, ys = zip(*pixels, strict=True)
    return QPoint((min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2)


def click(view, position):
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=position)


def wheel(view, position, notches):
    event = QWheelEvent(
        QPointF(position),
        QPointF(view.mapToGlobal(position)),
        QPoint(),
        QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)


def hover(view, position):
    """Move the pointer and return the cell that the view draws as hovered."""
    QTest.mouseMove(view, QPoint(1, 1))
    QTest.mouseMove(view, position)
    return view._hovered


def choices_of(view):
    heard = []
    view.cell_chosen.connect(lambda *cell: heard.append(cell))
    return heard


def tool_tip_at(view, position):
    help_event = QHelpEvent(QEvent.Type.ToolTip, position, view.mapToGlobal(position))
    QApplication.sendEvent(view, help_event)
    return QToolTip.text()

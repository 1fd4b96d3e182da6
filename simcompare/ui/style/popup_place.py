"""Place of a pop-up beside the button that opens it, inside the window."""

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QWidget

from simcompare.ui.style.theme import GRID_PX


def place_below(widget: QWidget, place: QRect, size: QSize, *, is_centred: bool = True) -> QPoint:
    """Global position of a pop-up below a rectangle of a widget, or above it at the bottom of the window.

    The pop-up has a margin to the edges of the window; if it does not fit into the window, to those of the
    screen. Not centred, its left edge is that of the rectangle.
    """
    anchor = QRect(widget.mapToGlobal(place.topLeft()), place.size())
    window = widget.window()
    area = _without_margin(QRect(window.mapToGlobal(window.rect().topLeft()), window.size()))
    if area.width() < size.width() or area.height() < size.height():
        area = _without_margin(widget.screen().availableGeometry())
    left = anchor.center().x() - size.width() // 2 if is_centred else anchor.left()
    top = anchor.bottom() + GRID_PX
    if top + size.height() > area.bottom() + 1:
        top = anchor.top() - size.height() - GRID_PX
    return QPoint(
        max(area.left(), min(left, area.right() + 1 - size.width())),
        max(area.top(), min(top, area.bottom() + 1 - size.height())),
    )


def _without_margin(area: QRect) -> QRect:
    return area.adjusted(GRID_PX, GRID_PX, -GRID_PX, -GRID_PX)

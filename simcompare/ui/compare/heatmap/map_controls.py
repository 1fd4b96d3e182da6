"""Keys, wheel and drags that zoom and move a heatmap."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

_ZOOM_STEP = 1.25
_WHEEL_NOTCH = 120
STEPS = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}
"""Rows and columns to move by."""
ZOOM_KEYS = {
    Qt.Key.Key_Plus: _ZOOM_STEP,
    Qt.Key.Key_Equal: _ZOOM_STEP,
    Qt.Key.Key_Minus: 1 / _ZOOM_STEP,
    Qt.Key.Key_Underscore: 1 / _ZOOM_STEP,
    Qt.Key.Key_0: 0.0,
    Qt.Key.Key_Home: 0.0,
}
"""Zoom factors; 0 shows the whole map."""
ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def wheel_factor(event: QWheelEvent) -> float:
    """Return the zoom factor of a turn of the wheel."""
    return float(_ZOOM_STEP ** (event.angleDelta().y() / _WHEEL_NOTCH))


class MapDrag:
    """Press of the left button: a click, or a drag once the pointer has moved far enough."""

    def __init__(self) -> None:
        self._pressed_at: QPointF | None = None
        self._dragged_to: QPointF | None = None

    @property
    def is_pressed(self) -> bool:
        return self._pressed_at is not None

    def press(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed_at = event.position()

    def distance_to(self, place: QPointF) -> QPointF | None:
        """Return the distance by which the pointer dragged the map since the last call; None for a click."""
        if self._pressed_at is None:
            return None
        is_drag = (place - self._pressed_at).manhattanLength() >= QApplication.startDragDistance()
        if self._dragged_to is None and not is_drag:
            return None
        distance = place - (self._pressed_at if self._dragged_to is None else self._dragged_to)
        self._dragged_to = place
        return distance

    def release(self) -> QPointF | None:
        """End the click or drag; return the place of a click."""
        clicked_at = self._pressed_at if self._dragged_to is None else None
        self._pressed_at = self._dragged_to = None
        return clicked_at

"""Heatmap of all essays of a class: zoom, pan, and choose pairs by mouse or keyboard."""

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from simcompare.support.i18n import _
from simcompare.ui.cohort.overview.class_words import shares_in_words
from simcompare.ui.cohort.overview.essay_map_canvas import Cell, EssayMapCanvas
from simcompare.ui.labels import as_tooltip
from simcompare.ui.state.cohort.class_picture import ClassPicture
from simcompare.ui.state.language import follow_language

# ruff: noqa: N802 - Qt names the methods it calls

_ZOOM_STEP = 1.25
_WHEEL_NOTCH = 120
_STEPS = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}
_ZOOM_KEYS = {
    Qt.Key.Key_Plus: _ZOOM_STEP,
    Qt.Key.Key_Equal: _ZOOM_STEP,
    Qt.Key.Key_Minus: 1 / _ZOOM_STEP,
    Qt.Key.Key_Underscore: 1 / _ZOOM_STEP,
    Qt.Key.Key_0: 0.0,
    Qt.Key.Key_Home: 0.0,
}
_ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class EssayMap(EssayMapCanvas):
    """Interactive heatmap. The signals give indices of documents in the picture of the class.

    pair_chosen: a cell was clicked, twice the same essay on the diagonal; pair_opened: a cell was clicked
    twice, or opened with Enter.
    """

    pair_chosen = Signal(int, int)
    pair_opened = Signal(int, int)
    hovered = Signal(str)
    """Names and shares of the cell under the pointer or the cursor, or ""."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pressed_at: QPointF | None = None
        self._dragged_to: QPointF | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        follow_language(self._retranslate)

    def show_class(self, picture: ClassPicture) -> None:
        """Show the shares of a class, and say those of the cursor."""
        super().show_class(picture)
        self._describe()

    # mouse

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer."""
        self._zoom_by(_ZOOM_STEP ** (event.angleDelta().y() / _WHEEL_NOTCH), event.position())
        self._hover(self._cell_at(event.position()))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a drag."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed_at = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move a zoomed map, or show which cell is under the pointer."""
        place, pressed_at = event.position(), self._pressed_at
        if pressed_at is None:
            self._hover(self._cell_at(place))
        elif self._dragged_to is not None or (
            (place - pressed_at).manhattanLength() >= QApplication.startDragDistance()
        ):
            distance = place - (self._dragged_to or pressed_at)
            self._dragged_to = place
            if self._geometry is not None:
                self._show(self._geometry.panned(distance.x(), distance.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose the pair of the clicked cell, unless the map was moved."""
        if event.button() != Qt.MouseButton.LeftButton or self._pressed_at is None:
            return
        cell = None if self._dragged_to is not None else self._cell_at(self._pressed_at)
        self._pressed_at = self._dragged_to = None
        if cell is not None:
            self._move_cursor(cell)
            self.pair_chosen.emit(*self._documents_at(cell) or ())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the pair of the cell."""
        cell = self._cell_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and cell is not None:
            self._open(cell)

    def leaveEvent(self, event: QEvent) -> None:
        """Mark no cell."""
        super().leaveEvent(event)
        self._hover(None)

    def _hover(self, cell: Cell | None) -> None:
        if cell != self._hovered:
            self._hovered = cell
            self.update()
            self.hovered.emit(self._words_of(cell or self._cursor))

    # keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the cursor, zoom, choose the pair with the space bar, open it with Enter."""
        key = Qt.Key(event.key())
        if key in _STEPS:
            self._step(*_STEPS[key])
        elif key in _ZOOM_KEYS:
            self._zoom_by(_ZOOM_KEYS[key], self._zoom_centre())
            if self._cursor is not None and self._geometry is not None:
                self._show(self._geometry.revealing(*self._cursor))
        elif self._cursor is not None and key == Qt.Key.Key_Space:
            self.pair_chosen.emit(*self._documents_at(self._cursor) or ())
        elif self._cursor is not None and key in _ENTER_KEYS:
            self._open(self._cursor)
        else:
            super().keyPressEvent(event)

    def _step(self, down: int, right: int) -> None:
        count = len(self._cells)
        row, column = (0, 1) if self._cursor is None else (self._cursor[0] + down, self._cursor[1] + right)
        if 0 <= row < count and 0 <= column < count:
            self._move_cursor((row, column))

    def _move_cursor(self, cell: Cell) -> None:
        self._cursor = cell
        if self._geometry is not None:
            self._show(self._geometry.revealing(*cell))
        words = self._words_of(cell)
        self.hovered.emit(words)
        self._describe()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))

    def _open(self, cell: Cell) -> None:
        first, second = self._documents_at(cell) or (0, 0)
        if first != second:
            self.pair_opened.emit(first, second)

    # words

    def event(self, event: QEvent) -> bool:
        """Name both essays of the cell under the pointer, with their shares."""
        if event.type() != QEvent.Type.ToolTip:
            return super().event(event)
        assert isinstance(event, QHelpEvent)
        cell = self._cell_at(QPointF(event.pos()))
        under_pointer = QRect(event.pos() - QPoint(1, 1), QSize(3, 3))
        QToolTip.showText(event.globalPos(), as_tooltip(self._words_of(cell)), self, under_pointer)
        return True

    def _words_of(self, cell: Cell | None) -> str:
        documents = self._documents_at(cell)
        if documents is None or self._picture is None:
            return ""
        return shares_in_words(self._picture, *documents)

    def _retranslate(self) -> None:
        self.setAccessibleName(_("Heatmap of all essays"))
        self._describe()

    def _describe(self) -> None:
        help_text = _(
            "Rows and columns are the essays, ordered by group; the table of pairs has the same shares. "
            "Arrow keys move the cursor, the space bar lists the pair, Enter opens it; plus and minus zoom, "
            "0 shows all."
        )
        self.setAccessibleDescription(self._words_of(self._cursor) or help_text)

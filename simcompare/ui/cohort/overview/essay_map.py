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
from PySide6.QtWidgets import QToolTip, QWidget

from simcompare.support.i18n import _
from simcompare.ui.access.picture_table import PictureTable, TableAction
from simcompare.ui.actions import key_of
from simcompare.ui.cohort.overview.class_words import shares_in_words
from simcompare.ui.cohort.overview.essay_map_canvas import Cell, EssayMapCanvas
from simcompare.ui.cohort.overview.picture_tables import table_of_shares
from simcompare.ui.compare.heatmap.map_controls import ENTER_KEYS, STEPS, ZOOM_KEYS, MapDrag, wheel_factor
from simcompare.ui.state.cohort.class_picture import ClassPicture
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.tool_tips import as_tooltip

# ruff: noqa: N802 - Qt names the methods it calls


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
        self._drag = MapDrag()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        TableAction(self, self._as_table)
        follow_language(self._retranslate)

    def show_class(self, picture: ClassPicture) -> None:
        """Show the shares of a class, and describe those of the cursor."""
        super().show_class(picture)
        self._describe()

    # mouse

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer."""
        self._zoom_by(wheel_factor(event), event.position())
        self._hover(self._cell_at(event.position()))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a drag."""
        self._drag.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move a zoomed map, or show which cell is under the pointer."""
        if not self._drag.is_pressed:
            self._hover(self._cell_at(event.position()))
        elif (
            distance := self._drag.distance_to(event.position())
        ) is not None and self._geometry is not None:
            self._show(self._geometry.panned(distance.x(), distance.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Choose the pair of the clicked cell, unless the map was moved."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        clicked_at = self._drag.release()
        if clicked_at is not None and (cell := self._cell_at(clicked_at)) is not None:
            self._choose(cell)

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
        key = key_of(event)
        if key in STEPS:
            self._step(*STEPS[key])
        elif key in ZOOM_KEYS:
            self._zoom_by(ZOOM_KEYS[key], self._zoom_centre())
            if self._cursor is not None and self._geometry is not None:
                self._show(self._geometry.revealing(*self._cursor))
        elif self._cursor is not None and key == Qt.Key.Key_Space:
            self._choose(self._cursor)
        elif self._cursor is not None and key in ENTER_KEYS:
            self._open(self._cursor)
        else:
            super().keyPressEvent(event)

    def _step(self, down: int, right: int) -> None:
        count = len(self._cells)
        row, column = (0, 1) if self._cursor is None else (self._cursor[0] + down, self._cursor[1] + right)
        if 0 <= row < count and 0 <= column < count:
            self._move_cursor((row, column))

    def _choose(self, cell: Cell) -> None:
        if cell != self._cursor:
            self._move_cursor(cell)
        self.pair_chosen.emit(*self._documents_at(cell) or ())

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

    def _as_table(self) -> PictureTable | None:
        if self._picture is None:
            return None
        return table_of_shares(self._picture, self._choose, self._cursor or (0, 0))

    def _retranslate(self) -> None:
        self.setAccessibleName(_("Heatmap of all essays"))
        self._describe()

    def _describe(self) -> None:
        help_text = _(
            "Rows and columns are the essays, ordered by group; the table of pairs has the same shares. "
            "Arrow keys move the cursor, the space bar lists the pair, Enter opens it; plus and minus zoom, "
            "0 shows all, T shows a table."
        )
        self.setAccessibleDescription(self._words_of(self._cursor) or help_text)

"""Overview beside a text, in place of its scroll bar."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from simcompare.comparison.comparison_result import MatchKind
from simcompare.support.i18n import _
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import current_theme
from simcompare.ui.style.theme import GRID_PX

# ruff: noqa: N802 - Qt names the methods it calls


WIDTH_PX = 14
_TRACK_PX = 10
_MARK_PX = 4
_NOTCH_PX = 4
_NOTCH_HEIGHT_PX = 2
_GRASP_PX = 4
"""A press up to this far from a mark counts as a press on it."""

Shares = NDArray[np.float64]


class TextOverview(QWidget):
    """Overview of a text: positions of highlights, and the visible part.

    Positions are shares of the page's height in [0, 1]. Wheel events are left to the parent.
    """

    mark_clicked = Signal(int)
    """Index of a mark."""
    scroll_requested = Signal(float)
    """Share of the page to be scrolled to the middle of the view."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._places: Shares = np.zeros(0)
        self._kinds: NDArray[np.int64] = np.zeros(0, np.int64)
        self._found: Shares = np.zeros(0)
        self._current_found: int | None = None
        self._selected: float | None = None
        self._view = (0.0, 1.0)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        follow_language(self._retranslate)

    def set_marks(self, places: Shares, kinds: NDArray[np.int64]) -> None:
        """Show a mark for each place, in the colour of its MatchKind."""
        self._places, self._kinds = places, kinds
        self.update()

    def set_hits(self, places: Shares, current: int | None) -> None:
        """Show a notch for each hit of a search, a longer one at index `current`."""
        self._found, self._current_found = places, current
        self.update()

    def set_selected(self, place: float | None) -> None:
        """Highlight one place."""
        self._selected = place
        self.update()

    def set_view(self, top: float, bottom: float) -> None:
        """Show which part of the page is visible."""
        self._view = (max(top, 0.0), min(bottom, 1.0))
        self.update()

    def _retranslate(self) -> None:
        self.setAccessibleName(_("Overview of the matches"))
        self.setToolTip(_("Click a mark to choose its match, drag to scroll"))

    def sizeHint(self) -> QSize:
        """Width of a scroll bar."""
        return QSize(WIDTH_PX, 0)

    def _track(self) -> QRectF:
        left = (self.width() - _TRACK_PX) / 2
        return QRectF(left, GRID_PX, _TRACK_PX, max(self.height() - 2 * GRID_PX, 1))

    def _y_of(self, place: float) -> float:
        return self._track().top() + place * self._track().height()

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the track, the visible part, the marks, and the selected one over them."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(current_theme().line))
        painter.drawRoundedRect(self._track(), _TRACK_PX / 2, _TRACK_PX / 2)
        self._paint_view(painter)
        self._paint_marks(painter)
        self._paint_found(painter)
        self._paint_selected(painter)

    def _paint_view(self, painter: QPainter) -> None:
        top, bottom = self._view
        if (top, bottom) == (0.0, 1.0):
            return
        shade = QColor(current_theme().muted)
        shade.setAlpha(70)
        painter.setBrush(shade)
        track = self._track()
        height = max(self._y_of(bottom) - self._y_of(top), 2.0 * _TRACK_PX)
        y = min(self._y_of(top), track.bottom() - height)
        painter.drawRoundedRect(QRectF(track.left(), y, _TRACK_PX, height), _TRACK_PX / 2, _TRACK_PX / 2)

    def _paint_marks(self, painter: QPainter) -> None:
        """Paint overlapping marks as one, the strongest kind last, as there may be thousands."""
        rows = self._rows_of(self._places)
        left, top = self._track().left(), self._track().top()
        for kind in MatchKind:
            painter.setBrush(QColor(current_theme().kinds[kind].ink))
            for first, last in _runs(np.unique(rows[self._kinds == kind])):
                painter.drawRoundedRect(QRectF(left, top + first, _TRACK_PX, last - first + _MARK_PX), 2, 2)

    def _paint_found(self, painter: QPainter) -> None:
        """Paint notches at the inner edge, beside the marks, as matches contain hits, too."""
        painter.setBrush(QColor(current_theme().found))
        for top in np.unique(self._rows_of(self._found)).tolist():
            painter.drawRect(QRectF(0, self._track().top() + top, _NOTCH_PX, _NOTCH_HEIGHT_PX))
        if self._current_found is not None:
            (row,) = self._rows_of(self._found[[self._current_found]])
            painter.drawRect(QRectF(0, self._track().top() + row, self.width(), _NOTCH_HEIGHT_PX))

    def _rows_of(self, places: Shares) -> NDArray[np.int64]:
        return np.rint(places * (self._track().height() - _MARK_PX)).astype(np.int64)

    def _paint_selected(self, painter: QPainter) -> None:
        if self._selected is None:
            return
        y = self._track().top() + self._selected * (self._track().height() - _MARK_PX)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(current_theme().accent), 2))
        painter.drawRoundedRect(QRectF(1, y - 2, self.width() - 2, _MARK_PX + 4), 4, 4)

    # --- the mouse

    def _mark_at(self, point: QPointF) -> int | None:
        if not len(self._places):
            return None
        middles = self._track().top() + _MARK_PX / 2 + self._places * (self._track().height() - _MARK_PX)
        distances = np.abs(middles - point.y())
        nearest = int(np.argmin(distances))
        return nearest if distances[nearest] <= _GRASP_PX else None

    def _request_scroll(self, point: QPointF) -> None:
        share = (point.y() - self._track().top()) / self._track().height()
        self.scroll_requested.emit(min(max(share, 0.0), 1.0))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the mark under the mouse, or scroll."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        mark = self._mark_at(event.position())
        if mark is None:
            self._request_scroll(event.position())
        else:
            self.mark_clicked.emit(mark)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Scroll while dragging; show a pointing hand over marks."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._request_scroll(event.position())
        over_mark = self._mark_at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over_mark else Qt.CursorShape.ArrowCursor)


def _runs(rows: NDArray[np.int64]) -> list[list[int]]:
    """First and last row of each run of sorted rows whose marks overlap."""
    apart = np.diff(rows) >= _MARK_PX
    edges = np.ones(min(len(rows), 1), np.bool_)
    firsts, lasts = rows[np.concatenate([edges, apart])], rows[np.concatenate([apart, edges])]
    runs: list[list[int]] = np.stack([firsts, lasts], axis=1).tolist()
    return runs

"""Overview beside a text, in place of its scroll bar."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS
from simcompare.support.i18n import _
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import current_theme, follow_theme
from simcompare.ui.style.theme import GRID_PX

# ruff: noqa: N802 - Qt names the methods it calls


WIDTH_PX = 14
_TRACK_PX = 10
_MARK_PX = 4
_MARK_WIDTH_PX = 6
_NOTCH_PX = 4
_NOTCH_HEIGHT_PX = 2
_GRASP_PX = 4
"""A press up to this far from a mark counts as a press on it."""

Shares = NDArray[np.float64]


class TextOverview(QWidget):
    """Overview of a text: its passages, and the visible part.

    Positions are shares of the page's height in [0, 1]. Wheel events are left to the parent.
    """

    mark_clicked = Signal(int, float)
    """Index of a mark, and the share of the page that was clicked."""
    scroll_requested = Signal(float)
    """Share of the page to be scrolled to the middle of the view."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._starts: Shares = np.zeros(0)
        self._ends: Shares = np.zeros(0)
        self._kinds: NDArray[np.integer] = np.zeros(0, np.int8)
        self._found: Shares = np.zeros(0)
        self._current_found: int | None = None
        self._selected: tuple[float, float] | None = None
        self._view = (0.0, 1.0)
        self._marks: QPixmap | None = None
        """Painted marks, kept while the text scrolls."""
        self._painted_runs: list[tuple[int, int, int]] = []
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        follow_theme(self._repaint_marks)
        follow_language(self._retranslate)

    def set_marks(self, starts: Shares, ends: Shares, kinds: NDArray[np.integer]) -> None:
        """Show a mark from each start to its end, in the colour of its kind (an index into PASSAGE_KINDS)."""
        shown, marks = (self._starts, self._ends, self._kinds), (starts, ends, kinds)
        if not all(map(np.array_equal, shown, marks)):
            self._starts, self._ends, self._kinds = marks
            if self._mark_runs() != self._painted_runs:  # thousands of marks often cover the same rows
                self._repaint_marks()

    def _repaint_marks(self) -> None:
        self._marks = None
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._repaint_marks()

    def set_hits(self, places: Shares, current: int | None) -> None:
        """Show a notch for each hit of a search, a longer one at index `current`."""
        self._found, self._current_found = places, current
        self.update()

    def set_selected(self, part: tuple[float, float] | None) -> None:
        """Outline the part of the page between two places."""
        self._selected = part
        self.update()

    def set_view(self, top: float, bottom: float) -> None:
        """Show which part of the page is visible."""
        self._view = (max(top, 0.0), min(bottom, 1.0))
        self.update()

    def _retranslate(self) -> None:
        self.setAccessibleName(_("Overview of the passages"))
        self.setToolTip(_("Click a mark to choose its passage, drag to scroll"))

    def sizeHint(self) -> QSize:
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
        if self._marks is None:
            self._marks = self._painted_marks()
        painter.drawPixmap(0, 0, self._marks)
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

    def _painted_marks(self) -> QPixmap:
        """Paint overlapping marks of a kind as one, as there may be thousands; identical passages last."""
        ratio = self.devicePixelRatioF()
        marks = QPixmap(self.size() * ratio)
        marks.setDevicePixelRatio(ratio)
        marks.fill(Qt.GlobalColor.transparent)
        self._painted_runs = self._mark_runs()
        left, top = (self.width() - _MARK_WIDTH_PX) / 2, self._track().top()
        with QPainter(marks) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            for kind, first, end in self._painted_runs:
                painter.setBrush(QColor(current_theme().passages[PASSAGE_KINDS[kind]].ink))
                painter.drawRoundedRect(QRectF(left, top + first, _MARK_WIDTH_PX, end - first), 2, 2)
        return marks

    def _mark_runs(self) -> list[tuple[int, int, int]]:
        """Kind, first row and end of the marks in the order of painting; overlaps of a kind are one."""
        tops, bottoms = self._mark_rows()
        return [
            (kind, first, end)
            for kind in reversed(range(len(PASSAGE_KINDS)))
            for first, end in _runs(tops[self._kinds == kind], bottoms[self._kinds == kind])
        ]

    def _mark_rows(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """First row of each mark and the one after its last, with a gap to a mark that follows."""
        tops = self._rows_of(self._starts)
        bottoms = np.rint(self._ends * (self._track().height() - _MARK_PX)).astype(np.int64) + _MARK_PX - 1
        return tops, np.maximum(bottoms, tops + _MARK_PX)

    def _paint_found(self, painter: QPainter) -> None:
        """Paint notches at the inner edge, beside the marks, as passages contain hits, too."""
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
        first, last = (place * (self._track().height() - _MARK_PX) for place in self._selected)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(current_theme().accent), 2))
        outline = QRectF(1, self._track().top() + first - 2, self.width() - 2, last - first + _MARK_PX + 4)
        painter.drawRoundedRect(outline, 4, 4)

    # --- the mouse

    def _mark_at(self, point: QPointF) -> int | None:
        """Index of the shortest mark at a point, or else of the nearest one."""
        if not len(self._starts):
            return None
        tops, bottoms = self._mark_rows()
        y = point.y() - self._track().top()
        distances = np.maximum(np.maximum(tops - y, y - bottoms), 0)
        nearest = np.flatnonzero(distances == distances.min())
        index = int(nearest[(bottoms - tops)[nearest].argmin()])
        return index if distances[index] <= _GRASP_PX else None

    def _share_at(self, point: QPointF) -> float:
        share = (point.y() - self._track().top()) / self._track().height()
        return min(max(share, 0.0), 1.0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the mark under the mouse, or scroll."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        mark = self._mark_at(event.position())
        if mark is None:
            self.scroll_requested.emit(self._share_at(event.position()))
        else:
            self.mark_clicked.emit(mark, self._share_at(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Scroll while dragging; show a pointing hand over marks."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.scroll_requested.emit(self._share_at(event.position()))
        over_mark = self._mark_at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over_mark else Qt.CursorShape.ArrowCursor)


def _runs(tops: NDArray[np.int64], bottoms: NDArray[np.int64]) -> list[list[int]]:
    """First row, and the one after the last, of each run of rows that marks cover."""
    if not len(tops):
        return []
    steps = np.zeros(int(bottoms.max()) + 1, np.int64)
    np.add.at(steps, tops, 1)
    np.add.at(steps, bottoms, -1)
    edges = np.diff(np.cumsum(steps) > 0, prepend=False)
    runs: list[list[int]] = np.flatnonzero(edges).reshape(-1, 2).tolist()
    return runs

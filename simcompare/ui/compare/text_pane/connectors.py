"""Connectors between both texts: a band from each passage on the left to the same passage on the right."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QApplication, QSplitterHandle, QVBoxLayout

from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.support.i18n import N_
from simcompare.ui.access.picture_table import PictureWithTips
from simcompare.ui.compare.text_pane.highlights import underline_pen
from simcompare.ui.compare.text_pane.text_painting import FAINT_OPACITY, passage_ground
from simcompare.ui.compare.text_pane.text_pane import TextPane
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.language import translated
from simcompare.ui.style.theme import current_theme

_LEAST_BAND_PX = 3
_GRASP_PX = 3
_EDGE_PX = 1
_SELECTED_EDGE_PX = 2
_LEVEL_PX = 8
_OUT_OF_SIGHT_PX = 60
"""Bands to text further out of sight than this end here, so that they are neither steep nor numerous."""


@dataclass(frozen=True, slots=True)
class _Band:
    """Top and bottom of a passage on the left and on the right, in pixels of the viewports."""

    kind: PassageKind
    is_faint: bool
    is_selected: bool
    left: tuple[int, int]
    right: tuple[int, int]


class Connectors(PictureWithTips):
    """Bands in the border between both texts; the border can still be dragged."""

    clicked = Signal(int)
    """Index of the passage whose band was clicked."""

    def __init__(
        self, handle: QSplitterHandle, panes: Mapping[Side, TextPane], words_of: Callable[[int], str]
    ) -> None:
        """Fill a handle between the panes; `words_of` describes a passage for its tool tip."""
        super().__init__(handle)
        self._panes = panes
        self._words_of = words_of
        self._pressed_at: QPointF | None = None
        self._painted: list[_Band] | None = None
        """Bands that were painted last, None if in part only."""
        # once for all changes in a turn of the event loop
        self._changed = QTimer(self, singleShot=True, interval=0)
        self._changed.timeout.connect(self._update_changed)
        column = QVBoxLayout(handle)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self)
        self.setMouseTracking(True)
        translated(self, accessibleName=N_("Passages joined across both texts"))
        for pane in panes.values():
            pane.scrolled.connect(self.update)
            pane.passages_changed.connect(self._changed.start)

    # --- bands

    def _bands(self) -> dict[_Band, int]:
        """Index of the passage of each band in the order of painting: long ones first, the selected one last.

        Bands that look the same are one: hundreds of passages may start in the same sentence.
        """
        left, right = (self._panes[side].shown_passages for side in Side)
        if len(left.passages) != len(right.passages):  # while one of the texts is replaced
            return {}
        passages, selected = left.passages, left.selected
        ranges = left.visible_range(), right.visible_range()
        visible = {*left.passages.touching(*ranges[0]), *right.passages.touching(*ranges[1])}
        lengths = passages.ends - passages.starts
        indices = sorted(visible, key=lambda index: (index == selected, -lengths[index], index))
        extents = left.extents(indices, ranges[0]), right.extents(indices, ranges[1])
        height, bands = self.height(), dict[_Band, int]()
        for index, *extent in zip(indices, *extents, strict=True):
            ends = (_limited(side, height) for side in extent)
            band = _Band(passages.kind_of(index), bool(passages.fine[index]), index == selected, *ends)
            bands.setdefault(band, index)
        return bands

    def _shape(self, band: _Band) -> QPainterPath:
        shape = self._edge(band.left[0], band.right[0])
        shape.lineTo(self.width(), band.right[1])
        shape.connectPath(self._edge(band.left[1], band.right[1]).toReversed())
        shape.closeSubpath()
        return shape

    def _edge(self, left: int, right: int) -> QPainterPath:
        """Curve that leaves both texts horizontally."""
        edge, width = QPainterPath(QPointF(0, left)), self.width()
        edge.cubicTo(QPointF(width / 2, left), QPointF(width / 2, right), QPointF(width, right))
        return edge

    # --- painting

    def _update_changed(self) -> None:
        if list(self._bands()) != self._painted:
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bands, then their edges, as one band may cover another."""
        theme = current_theme()
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(theme.surface))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bands = list(self._bands())
        self._painted = bands if event.rect().contains(self.rect()) else None
        for band in bands:
            ground = passage_ground(theme, band.kind, fine=band.is_faint, selected=band.is_selected)
            painter.fillPath(self._shape(band), ground)
        for band in bands:
            painter.setOpacity(FAINT_OPACITY if band.is_faint else 1.0)
            width = _SELECTED_EDGE_PX if band.is_selected else _EDGE_PX
            painter.setPen(underline_pen(theme.passages[band.kind], width))
            edges = list(zip(band.left, band.right, strict=True))
            if any(abs(left - right) > _LEVEL_PX for left, right in edges):  # or the tint joins both sides
                for edge in edges:
                    painter.drawPath(self._edge(*edge))

    # --- the mouse

    def _passage_at(self, point: QPointF) -> int | None:
        near = QRectF(point.x() - _GRASP_PX, point.y() - _GRASP_PX, 2 * _GRASP_PX, 2 * _GRASP_PX)
        found = {band: index for band, index in self._bands().items() if self._shape(band).intersects(near)}
        smallest = min(found, key=lambda band: np.ptp(band.left) + np.ptp(band.right), default=None)
        return None if smallest is None else found[smallest]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Store the position of a press; the border may be dragged from here."""
        self._pressed_at = event.globalPosition()
        event.ignore()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed_at, self._pressed_at = self._pressed_at, None
        event.ignore()
        if pressed_at is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        way = (event.globalPosition() - pressed_at).manhattanLength()
        passage = self._passage_at(event.position())
        if way < QApplication.startDragDistance() and passage is not None:
            self.clicked.emit(passage)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        event.ignore()
        over_band = not event.buttons() and self._passage_at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over_band else Qt.CursorShape.SplitHCursor)

    def tip_at(self, place: QPointF) -> tuple[str, QRect]:
        passage = self._passage_at(place)
        return "" if passage is None else self._words_of(passage), QRect()


def _limited(extent: tuple[float, float], height: int) -> tuple[int, int]:
    """Pixels of an extent, high enough to be seen, and not far out of sight."""
    top, bottom = (min(max(y, -_OUT_OF_SIGHT_PX), height + _OUT_OF_SIGHT_PX) for y in extent)
    return round(top), max(round(bottom), round(top) + _LEAST_BAND_PX)

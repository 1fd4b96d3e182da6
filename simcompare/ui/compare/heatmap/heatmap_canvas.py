"""Contents and painting of the heatmap."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from simcompare.comparison.comparison_result import BoolArray, HeatArray, Int32Array
from simcompare.model.settings import ComparisonSettings
from simcompare.support.i18n import _
from simcompare.ui.compare.heatmap.heatmap_frame import MARGIN_PX, FramePainter, HeatmapFrame, plan_frame
from simcompare.ui.compare.heatmap.heatmap_geometry import MapGeometry, fitted_geometry
from simcompare.ui.compare.heatmap.heatmap_passages import PassageBoxes
from simcompare.ui.compare.heatmap.heatmap_picture import MapMarks, MapPainter, MarkPyramid, heat_palette
from simcompare.ui.compare.heatmap.heatmap_pyramid import HeatPyramid
from simcompare.ui.compare.heatmap.matched_cells import MatchedCells
from simcompare.ui.style.appearance import current_theme, follow_theme
from simcompare.ui.style.theme import GRID_PX

Cell = tuple[int, int]

LEAST_WIDTH_PX = 120
_AT_REST_MS = 30
"""Longer than the interval between two events of a drag."""


class HeatmapCanvas(QWidget):
    """Shows the matrix, its matches and one selected cell; rows and columns count from 0."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty canvas."""
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._similar_weight = ComparisonSettings().similar_weight
        self._pyramid: HeatPyramid | None = None
        self._matched = MatchedCells.none()
        self._passages = PassageBoxes.none()
        self._excluded: tuple[BoolArray, BoolArray] | None = None
        self._selected: Cell | None = None
        self._hovered: Cell | None = None
        self._frame: HeatmapFrame | None = None
        self._geometry: MapGeometry | None = None
        self._map_painter = MapPainter()
        self._mark_pyramid = MarkPyramid(self._repaint_matrix, self)
        self._picture: QImage | None = None
        self._stretched = QTimer(self, singleShot=True, interval=_AT_REST_MS)
        self._stretched.timeout.connect(self._repaint_matrix)
        self._repainting = QTimer(self, singleShot=True, interval=0)
        self._repainting.timeout.connect(self.update)
        follow_theme(self._recolour)

    def clear(self) -> None:
        """Remove the matrix."""
        self._pyramid = None
        self._forget()

    def begin(self, rows: int, columns: int) -> None:
        """Show an empty matrix of this many left and right sentences."""
        self._pyramid = HeatPyramid(rows, columns) if rows and columns else None
        self._forget()

    def put_block(self, first_row: int, heat: HeatArray) -> None:
        """Show the heat of consecutive rows; blocks may arrive in any order."""
        if self._pyramid is not None:
            self._pyramid.put(first_row, heat)
            self._map_painter.forget_heat()
            self._repaint_matrix()

    def set_matches(self, rows: Int32Array, columns: Int32Array, kinds: NDArray[np.int8]) -> None:
        """Mark the matched cells, given by columns of equal length in row order; kinds: MatchKind values."""
        self._matched = MatchedCells(rows, columns, kinds)
        self._mark_pyramid.show(self._matched, self._pyramid)
        self._repaint_matrix_next()

    def set_passages(self, passages: PassageBoxes) -> None:
        """Replace the outlined passages."""
        self._passages = passages
        self._repaint_matrix_next()

    def set_excluded(self, rows: BoolArray, columns: BoolArray) -> None:
        """Show the cells of these left and right sentences, given as masks, in quiet colours."""
        self._excluded = (rows, columns)
        self._repaint_matrix_next()

    def set_similar_weight(self, value: float) -> None:
        """Show cells below a threshold, a share in (0, 1], in pale colours."""
        if value != self._similar_weight:
            self._similar_weight = value
            self._palette = heat_palette(current_theme(), value)
            self._repaint_matrix_next()

    def set_selected(self, row: int | None, column: int | None) -> None:
        """Select a cell and scroll to it, or select none."""
        pyramid = self._pyramid
        if row is None or column is None or pyramid is None:
            self._selected = None
        elif not (0 <= row < pyramid.rows and 0 <= column < pyramid.columns):
            raise IndexError(f"no cell {row}, {column} in a matrix of {pyramid.rows} by {pyramid.columns}")
        elif self._selected != (row, column):
            self._selected = (row, column)
            self._reveal(self._selected)
        self._repaint_matrix_next()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Size at which one or two pages of sentences are readable."""
        return QSize(400, 440)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Least size at which the map shows where passages are."""
        return QSize(LEAST_WIDTH_PX, 180)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Fit the map to the new size."""
        super().resizeEvent(event)
        self._refit()

    def event(self, event: QEvent) -> bool:
        """Fit the map to another font or screen density."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.DevicePixelRatioChange):
            self._refit()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the map, or a hint without one."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(current_theme().surface))
        if self._frame is None or self._geometry is None:
            self._paint_empty(painter)
        else:
            self._paint_map(painter, self._frame, self._geometry)
        if self.hasFocus():
            self._paint_focus(painter)

    def _paint_empty(self, painter: QPainter) -> None:
        painter.setPen(QColor(current_theme().muted))
        box = self.rect().adjusted(MARGIN_PX, MARGIN_PX, -MARGIN_PX, -MARGIN_PX)
        flags = Qt.AlignmentFlag.AlignCenter.value | Qt.TextFlag.TextWordWrap.value
        painter.drawText(box, flags, _("The comparison matrix appears here."))

    def _paint_map(self, painter: QPainter, frame: HeatmapFrame, geometry: MapGeometry) -> None:
        row, column = self._selected or (None, None)
        if self._picture is not None and self._stretched.isActive():
            painter.drawImage(frame.map_rect(geometry), self._picture)
        else:
            painter.drawImage(frame.map_rect(geometry).topLeft(), self._matrix_picture(geometry))
        parts = FramePainter(painter, frame, geometry, current_theme())
        parts.axes(row, column)
        if not frame.is_narrow:
            parts.colour_bar(self._palette.colours, self._similar_weight)
            parts.caption()
        if self._hovered is not None:
            parts.guides(*self._hovered)
        if self._selected is not None:
            parts.crosshair(*self._selected)

    def _matrix_picture(self, geometry: MapGeometry) -> QImage:
        assert self._pyramid is not None
        if self._picture is None:
            chosen = self._passages.containing(*self._selected) if self._selected else None
            marks = MapMarks(self._matched, self._passages, self._excluded, chosen, self._mark_pyramid.kinds)
            self._picture = self._map_painter.paint(
                geometry, self._pyramid, marks, current_theme(), self._palette
            )
        return self._picture

    def _paint_focus(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(current_theme().accent), 2))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), GRID_PX, GRID_PX)

    def _forget(self) -> None:
        self._matched = MatchedCells.none()
        self._mark_pyramid.show(self._matched, None)
        self._passages = PassageBoxes.none()
        self._excluded = None
        self._hovered = self._geometry = None
        self._map_painter.forget_heat()
        self.set_selected(None, None)
        self._refit()

    def _refit(self) -> None:
        """Compute the layout for a new size, keeping zoom and position."""
        pyramid, geometry = self._pyramid, self._geometry
        if pyramid is None:
            self._frame = None
            self._show(None)
            return
        self._frame = plan_frame(self.size(), self.font(), pyramid.rows, pyramid.columns)
        width, height, ratio = (
            self._frame.map_area.width(),
            self._frame.map_area.height(),
            self.devicePixelRatioF(),
        )
        if geometry is None:
            self._show(fitted_geometry(pyramid.rows, pyramid.columns, width, height, ratio))
        else:
            self._stretch(self._picture, geometry.refitted(width, height, ratio))

    def _show(self, geometry: MapGeometry | None) -> None:
        self._geometry = geometry
        self._repaint_matrix()

    def _stretch(self, picture: QImage | None, geometry: MapGeometry) -> None:
        """Show the map in another geometry, as a scaled old image until resizing stops.

        Drawing the map takes long, and while a window is resized all its other parts are laid out and
        painted as well.
        """
        self._show(geometry)
        if picture is not None:
            self._picture = picture
            self._stretched.start()

    def _reveal(self, cell: Cell) -> None:
        if self._geometry is not None:
            self._geometry = self._geometry.revealing(*cell)

    def _recolour(self) -> None:
        self._palette = heat_palette(current_theme(), self._similar_weight)
        self._repaint_matrix()

    def _repaint_matrix(self) -> None:
        self._repaint_matrix_next()
        self._repainting.stop()
        self.update()

    def _repaint_matrix_next(self) -> None:
        """Paint again in the next turn of the event loop, once for all changes and after the texts."""
        self._stretched.stop()
        self._picture = None
        self._repainting.start()

"""The picture of the matrix: heat to colours, and the marks of the matches over it."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QMarginsF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen

from simcompare.comparison.values import HEAT_SCALE, HeatArray, Int32Array, MatchKind
from simcompare.ui.heatmap.geometry import Axis, IndexArray, MapGeometry
from simcompare.ui.heatmap.passages import PassageBoxes, paint_passages
from simcompare.ui.heatmap.pyramid import HeatPyramid
from simcompare.ui.looks.theme import Theme

ColourArray = NDArray[np.uint32]
"""Colours as 0xAARRGGBB."""
MARKER_PX = 4
_PALER_SHARE = 0.55
_GREY_SHARE = 0.3
_COMMON_SHARE = 0.05
"""Where more of the map than this is hot, no hot cell is a lone one."""


@dataclass(frozen=True, slots=True, eq=False)
class MatchedCells:
    """The matched cells, in columns of equal length; kinds holds MatchKind values."""

    rows: Int32Array
    columns: Int32Array
    kinds: NDArray[np.int8]

    @staticmethod
    def none() -> "MatchedCells":
        """Return no cells."""
        return MatchedCells(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int8))

    def first(self) -> tuple[int, int] | None:
        """Return the first matched cell, None where there is none."""
        return (int(self.rows[0]), int(self.columns[0])) if len(self.rows) else None

    def nearest(
        self, rows: Axis, columns: Axis, x_px: float, y_px: float, reach_px: float
    ) -> tuple[int, int] | None:
        """Return the matched cell nearest to a position, None where none is within reach."""
        across = (self.columns + 0.5 - columns.first) * columns.cell_px + columns.start_px - x_px
        down = (self.rows + 0.5 - rows.first) * rows.cell_px + rows.start_px - y_px
        distance = np.maximum(np.abs(across), np.abs(down))
        if not len(distance) or distance.min() > reach_px:
            return None
        index = int(distance.argmin())
        return int(self.rows[index]), int(self.columns[index])

    def next_from(self, row: int, column: int, step: tuple[int, int]) -> tuple[int, int] | None:
        """Return the matched cell reached first by going (rows, columns) at a time, None where none is.

        Cells farther along are later; of those equally far the one least aside comes first.
        """
        down, across = self.rows - row, self.columns - column
        along, aside = (down * step[0], across) if step[0] else (across * step[1], down)
        ahead = np.flatnonzero(along > 0)
        if not len(ahead):
            return None
        index = int(ahead[np.lexsort((np.abs(aside[ahead]), along[ahead]))[0]])
        return int(self.rows[index]), int(self.columns[index])

    def seen_in(self, rows: range, columns: range) -> "MatchedCells":
        """Return the cells that lie in the rows and the columns."""
        seen = (self.rows >= rows.start) & (self.rows < rows.stop)
        seen &= (self.columns >= columns.start) & (self.columns < columns.stop)
        return MatchedCells(self.rows[seen], self.columns[seen], self.kinds[seen])


@dataclass(frozen=True, slots=True, eq=False)
class HeatLook:
    """The colour of every heat, and the least heat that counts as similar."""

    colours: ColourArray
    least_hot: int


def heat_look(theme: Theme, similar_weight: float) -> HeatLook:
    """Return how heat looks in a theme under a threshold, a share in (0, 1]."""
    return HeatLook(heat_colours(theme, similar_weight), int(similar_weight * HEAT_SCALE))


def heat_colours(theme: Theme, similar_weight: float) -> ColourArray:
    """Return the colour of every heat; below the threshold they are pale and greyish."""
    inks = [QColor(stop) for stop in theme.heat]
    stops = np.array([(ink.red(), ink.green(), ink.blue()) for ink in inks], dtype=np.float64)
    places = np.linspace(0, HEAT_SCALE, len(stops))
    heats = np.arange(HEAT_SCALE + 1)
    colours = np.stack([np.interp(heats, places, stops[:, channel]) for channel in range(3)], axis=1)
    below = heats < int(similar_weight * HEAT_SCALE)
    grey = colours @ np.array([0.299, 0.587, 0.114])
    dull = colours + _GREY_SHARE * (grey[:, None] - colours)
    colours[below] = (dull + _PALER_SHARE * (stops[0] - dull))[below]
    red, green, blue = colours.round().astype(np.uint32).T
    packed: ColourArray = np.uint32(0xFF000000) | red << 16 | green << 8 | blue
    return packed


def pixel_image(pixels: ColourArray, form: QImage.Format = QImage.Format.Format_RGB32) -> QImage:
    """Return a picture of its own memory from the colour of every pixel."""
    height, width = pixels.shape
    # the picture reads this memory until it is copied
    memory = np.ascontiguousarray(pixels)
    return QImage(memory.data, width, height, 4 * width, form).copy()


@dataclass(frozen=True, slots=True, eq=False)
class MapMarks:
    """What is marked on the map: matched cells, passages, and the passage that holds the selection."""

    matched: MatchedCells
    passages: PassageBoxes
    chosen_passage: int | None = None


def paint_matrix(
    geometry: MapGeometry, pyramid: HeatPyramid, marks: MapMarks, theme: Theme, look: HeatLook
) -> QImage:
    """Return the map as it is seen: every device pixel shows the hottest of the cells it stands for."""
    heat = _pixel_heat(geometry, pyramid)
    picture = pixel_image(look.colours.take(heat))
    ratio = geometry.rows.pixel_ratio
    picture.setDevicePixelRatio(ratio)
    painter = QPainter(picture)
    # from here on in the positions of the axes, which begin at the start of their room
    painter.translate(-geometry.columns.start_px, -geometry.rows.start_px)
    _hatch(painter, geometry, pyramid.missing_rows(), theme)
    paint_passages(painter, geometry, marks.passages, marks.chosen_passage, theme)
    seen = marks.matched.seen_in(geometry.rows.visible, geometry.columns.visible)
    if geometry.smallest_cell_px < MARKER_PX:
        # an outline would cover cells smaller than itself
        dots = _lone_hot_pixels(heat, look)
        if len(seen.rows):
            _stamp(dots, geometry, seen, theme)
        stamped = pixel_image(dots, QImage.Format.Format_ARGB32)
        stamped.setDevicePixelRatio(ratio)
        painter.drawImage(QPointF(geometry.columns.start_px, geometry.rows.start_px), stamped)
    else:
        for kind in MatchKind:
            _outline(painter, _cell_rects(geometry, seen, kind), geometry.smallest_cell_px, kind, theme)
    painter.end()
    return picture


def _lone_hot_pixels(heat: HeatArray, look: HeatLook) -> ColourArray:
    """Return the colours of what must not be covered, and nothing elsewhere."""
    hot = heat >= look.least_hot
    if hot.mean() > _COMMON_SHARE:
        return np.zeros(heat.shape, np.uint32)
    return np.where(hot, look.colours.take(heat), np.uint32(0))


def _pixel_heat(geometry: MapGeometry, pyramid: HeatPyramid) -> HeatArray:
    rows, columns = geometry.rows, geometry.columns
    heat, side = pyramid.level_for(1 / (max(rows.cell_px, columns.cell_px) * rows.pixel_ratio))
    first, last = columns.pixel_cells(side)
    left = int(first[0])
    in_sight = heat[:, left : int(last[-1]) + 1]
    by_rows = _hottest(in_sight, *rows.pixel_cells(side), axis=0)
    return _hottest(by_rows, first - left, last - left, axis=1)


def _hottest(cells: HeatArray, first: IndexArray, last: IndexArray, axis: int) -> HeatArray:
    """Return the hottest of the cells from `first` to `last`, for every pixel along an axis."""
    hottest = cells.take(first, axis)
    for step in range(1, int((last - first).max()) + 1):
        np.maximum(hottest, cells.take(np.minimum(first + step, last), axis), out=hottest)
    return hottest


def _hatch(painter: QPainter, geometry: MapGeometry, missing: Iterable[range], theme: Theme) -> None:
    rows, columns = geometry.rows, geometry.columns
    for run in missing:
        top, bottom = rows.edge_px(run.start), rows.edge_px(run.stop)
        area = QRectF(columns.start_px, top, columns.shown_px, bottom - top)
        painter.fillRect(area, QColor(theme.raised))
        painter.fillRect(area, QBrush(QColor(theme.line), Qt.BrushStyle.BDiagPattern))


def _cell_rects(geometry: MapGeometry, matched: MatchedCells, kind: MatchKind) -> list[QRectF]:
    chosen = matched.kinds == kind
    tops, heights = geometry.rows.spans_px(matched.rows[chosen])
    lefts, widths = geometry.columns.spans_px(matched.columns[chosen])
    return list(map(QRectF, lefts, tops, widths, heights))


def _outline(painter: QPainter, cells: list[QRectF], side_px: float, kind: MatchKind, theme: Theme) -> None:
    """Draw a thin line inside the cells, in the colour of the kind and where there is room in its style.

    Where there is room a gap sets the line off from the heat, whatever the colours of both.
    """
    width = 1 if side_px < 12 else 2
    if side_px >= 6:
        _draw_inside(painter, cells, QPen(QColor(theme.surface), width + 1))
    style = theme.kinds[kind].underline if side_px >= 20 else Qt.PenStyle.SolidLine
    _draw_inside(painter, cells, QPen(QColor(theme.kinds[kind].ink), width, style))


def _draw_inside(painter: QPainter, cells: list[QRectF], pen: QPen) -> None:
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    inset = pen.widthF() / 2
    inside = QMarginsF(inset, inset, inset, inset)
    painter.drawRects([cell - inside for cell in cells])


def _stamp(pixels: ColourArray, geometry: MapGeometry, matched: MatchedCells, theme: Theme) -> None:
    """Put a marker on every matched cell, each of the same size however small the cells are."""
    size = round(MARKER_PX * geometry.rows.pixel_ratio)
    down = _marker_starts(geometry.rows, matched.rows, size, pixels.shape[0])
    across = _marker_starts(geometry.columns, matched.columns, size, pixels.shape[1])
    marks = np.zeros(pixels.shape, dtype=np.uint8)
    for kind in sorted(MatchKind):
        chosen = matched.kinds == kind
        marks[down[chosen], across[chosen]] = kind + 1
    _grow(marks, size)
    _grow(marks.T, size)
    inks = np.array([0, *(QColor(theme.kinds[kind].ink).rgb() for kind in sorted(MatchKind))], np.uint32)
    np.copyto(pixels, inks.take(marks), where=marks > 0)


def _marker_starts(axis: Axis, cells: Int32Array, size: int, end: int) -> IndexArray:
    middles = (cells + 0.5 - axis.first) * (axis.cell_px * axis.pixel_ratio)
    starts: IndexArray = np.clip(middles - size / 2, 0, max(0, end - size)).astype(np.intp)
    return starts


def _grow(marks: NDArray[np.uint8], size: int) -> None:
    """Draw out the marks downwards to a size, the higher over the lower."""
    grown = 1
    while grown < min(size, len(marks)):
        step = min(grown, size - grown)
        np.maximum(marks[step:], marks[:-step].copy(order="K"), out=marks[step:])
        grown += step

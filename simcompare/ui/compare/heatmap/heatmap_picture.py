"""Image of the comparison matrix: colours for scores, and marks for matches and passages over them."""

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QMarginsF, QObject, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPen

from simcompare.comparison.comparison_result import HEAT_SCALE, HeatArray, MatchKind
from simcompare.support.arrays import BoolArray, IndexArray, Int32Array
from simcompare.ui.compare.heatmap.heatmap_geometry import (
    Axis,
    MapGeometry,
    PassageBoxes,
    paint_chosen_passage,
    paint_passages,
)
from simcompare.ui.style.theme import Theme


@dataclass(frozen=True, slots=True, eq=False)
class MatchedCells:
    """Matched cells in row order, as columns of equal length; kinds holds MatchKind values.

    There may be millions of them. Queries made while the pointer moves touch only a few rows.
    """

    rows: Int32Array
    columns: Int32Array
    kinds: NDArray[np.int8]

    @staticmethod
    def none() -> "MatchedCells":
        return MatchedCells(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int8))

    def first(self) -> tuple[int, int] | None:
        return (int(self.rows[0]), int(self.columns[0])) if len(self.rows) else None

    def nearest(
        self, rows: Axis, columns: Axis, x_px: float, y_px: float, reach_px: float
    ) -> tuple[int, int] | None:
        reach = reach_px / rows.cell_px + 1
        row = (y_px - rows.start_px) / rows.cell_px + rows.first
        near = self.in_rows(math.floor(row - reach), math.ceil(row + reach))
        across = (near.columns + 0.5 - columns.first) * columns.cell_px + columns.start_px - x_px
        down = (near.rows + 0.5 - rows.first) * rows.cell_px + rows.start_px - y_px
        distance = np.maximum(np.abs(across), np.abs(down))
        if not len(distance) or distance.min() > reach_px:
            return None
        index = int(distance.argmin())
        return int(near.rows[index]), int(near.columns[index])

    def next_from(self, row: int, column: int, step: tuple[int, int]) -> tuple[int, int] | None:
        """Find the nearest matched cell in the direction of `step` (rows, columns), or None.

        Nearest along the direction comes first; among equally near cells the one least to the side.
        """
        found = (
            self._first_along_rows(row, step[0]) if step[0] else self._first_along_columns(column, step[1])
        )
        if not len(found):
            return None
        aside = self.columns[found] - column if step[0] else self.rows[found] - row
        index = int(found[np.abs(aside).argmin()])
        return int(self.rows[index]), int(self.columns[index])

    def _first_along_rows(self, row: int, step: int) -> IndexArray:
        """Find the matched cells in the next row, up or down, that has any; return their indices."""
        key = np.array(row, self.rows.dtype)
        behind, first = (int(np.searchsorted(self.rows, key, side=side)) for side in ("right", "left"))
        ahead = behind if step > 0 else first - 1
        if not 0 <= ahead < len(self.rows):
            return np.empty(0, np.intp)
        start, stop = (
            int(np.searchsorted(self.rows, self.rows[ahead], side=side)) for side in ("left", "right")
        )
        return np.arange(start, stop)

    def _first_along_columns(self, column: int, step: int) -> IndexArray:
        """Find the matched cells in the next column, left or right, that has any; return their indices."""
        ahead = self.columns[self.columns > column] if step > 0 else self.columns[self.columns < column]
        if not len(ahead):
            return np.empty(0, np.intp)
        return np.flatnonzero(self.columns == (ahead.min() if step > 0 else ahead.max()))

    def visible_in(self, rows: range, columns: range) -> "MatchedCells":
        near = self.in_rows(rows.start, rows.stop)
        if not len(near.rows) or (columns.start == 0 and near.columns.max() < columns.stop):
            return near
        seen = (near.columns >= columns.start) & (near.columns < columns.stop)
        return MatchedCells(near.rows[seen], near.columns[seen], near.kinds[seen])

    def in_rows(self, start: int, stop: int) -> "MatchedCells":
        # keys of another type would make numpy convert the whole column first
        bounds = np.array([max(start, 0), max(stop, 0)], self.rows.dtype)
        first, last = np.searchsorted(self.rows, bounds).tolist()
        return MatchedCells(self.rows[first:last], self.columns[first:last], self.kinds[first:last])


class HeatPyramid:
    """A matrix of heat and its halved copies; each coarser cell is the maximum of the four below it.

    The matrix is filled block by block, in any order; missing rows are 0. A cell of level k is 2**k by
    2**k cells of the matrix. All levels together take a third more memory than the matrix itself.
    """

    def __init__(self, rows: int, columns: int) -> None:
        """Make an empty pyramid; rows and columns are at least 1."""
        self.rows = rows
        self.columns = columns
        self._levels = [_even_zeros(rows, columns)]
        self._is_stored = np.zeros(rows, dtype=np.bool_)
        while max(self._levels[-1].shape) > 2:
            height, width = self._levels[-1].shape
            self._levels.append(_even_zeros(height // 2, width // 2))

    def put(self, first_row: int, block: HeatArray) -> None:
        """Store the heat of consecutive rows, shape (rows, columns), and update the coarser levels."""
        first, last = first_row, first_row + len(block)
        self._levels[0][first:last, : self.columns] = block
        self._is_stored[first:last] = True
        for finer, coarser in zip(self._levels, self._levels[1:], strict=False):
            first, last = first // 2, (last + 1) // 2
            coarser[first:last, : finer.shape[1] // 2] = _halved(finer[2 * first : 2 * last])

    def level_for(self, cells_per_pixel: float) -> tuple[HeatArray, int]:
        """Coarsest level whose cells are no larger than a pixel, and the side of its cells in matrix cells.

        A level may have one further row and column of zeros beyond the matrix.
        """
        index = 0
        while index + 1 < len(self._levels) and 2 ** (index + 1) <= cells_per_pixel:
            index += 1
        return self._levels[index], 2**index

    def missing_rows(self) -> list[range]:
        if self._is_stored.all():
            return []
        edges = np.flatnonzero(np.diff(self._is_stored, prepend=True, append=True))
        return [range(int(first), int(last)) for first, last in edges.reshape(-1, 2)]


def _even_zeros(rows: int, columns: int) -> HeatArray:
    """Make a zero matrix with an even number of rows and columns, so that it can be halved."""
    return np.zeros((rows + rows % 2, columns + columns % 2), dtype=np.uint8)


def _halved(cells: HeatArray) -> HeatArray:
    pairs = np.maximum(cells[0::2], cells[1::2])
    return np.maximum(pairs[:, 0::2], pairs[:, 1::2])


ColourArray = NDArray[np.uint32]
"""Colours as 0xAARRGGBB."""
MARKER_PX = 4
_PALER_SHARE = 0.55
_GREY_SHARE = 0.3
_EXCLUDED_PALER_SHARE = 0.8
_ABOVE_ALL = 2.0
"""A threshold that no cell reaches."""
_COMMON_SHARE = 0.05
"""If more of the map than this is hot, hot cells need no protection from marks: none of them is isolated."""


@dataclass(frozen=True, slots=True, eq=False)
class HeatPalette:
    """Colour of each heat value, the same in excluded cells, and the lowest heat that counts as similar."""

    colours: ColourArray
    excluded: ColourArray
    least_hot: int


def heat_palette(theme: Theme, similar_weight: float) -> HeatPalette:
    """Colours of heat for a theme and a threshold, a share in (0, 1]."""
    excluded = heat_colours(theme, _ABOVE_ALL, _EXCLUDED_PALER_SHARE)
    return HeatPalette(heat_colours(theme, similar_weight), excluded, int(similar_weight * HEAT_SCALE))


def heat_colours(theme: Theme, similar_weight: float, paler_share: float = _PALER_SHARE) -> ColourArray:
    """Colour of each heat value 0..HEAT_SCALE; below the threshold colours are paler and greyer."""
    inks = [QColor(stop) for stop in theme.heat]
    stops = np.array([(ink.red(), ink.green(), ink.blue()) for ink in inks], dtype=np.float64)
    places = np.linspace(0, HEAT_SCALE, len(stops))
    heats = np.arange(HEAT_SCALE + 1)
    colours = np.stack([np.interp(heats, places, stops[:, channel]) for channel in range(3)], axis=1)
    below = heats < int(similar_weight * HEAT_SCALE)
    grey = colours @ np.array([0.299, 0.587, 0.114])
    dull = colours + _GREY_SHARE * (grey[:, None] - colours)
    colours[below] = (dull + paler_share * (stops[0] - dull))[below]
    red, green, blue = colours.round().astype(np.uint32).T
    packed: ColourArray = np.uint32(0xFF000000) | red << 16 | green << 8 | blue
    return packed


def pixel_image(pixels: ColourArray, form: QImage.Format = QImage.Format.Format_RGB32) -> QImage:
    """Convert an array of colours, shape (height, width), to an image with its own memory."""
    height, width = pixels.shape
    # the image reads this memory until it is copied
    memory = np.ascontiguousarray(pixels)
    return QImage(memory.data, width, height, 4 * width, form).copy()


@dataclass(frozen=True, slots=True, eq=False)
class MapMarks:
    """Marks on the map: matched cells, passages, and the passage that contains the selection.

    excluded: masks of the sentences of both axes that do not count, or None while they are not known.
    `kinds` replaces the matched cells if they are too many and too small to be drawn one by one: 1 + the
    MatchKind of each cell.
    """

    matched: MatchedCells
    passages: PassageBoxes
    excluded: tuple[BoolArray, BoolArray] | None = None
    chosen_passage: int | None = None
    kinds: HeatPyramid | None = None


class MapPainter:
    """Paints the map; caches the parts of the image that do not depend on threshold or selection."""

    def __init__(self) -> None:
        self._heat_of: MapGeometry | None = None
        self._heat: HeatArray = np.empty((0, 0), np.uint8)
        self._outlines_of: tuple[MapGeometry, PassageBoxes, Theme] | None = None
        self._outlines = QImage()

    def forget_heat(self) -> None:
        """Discard the cached heat, because the matrix has changed."""
        self._heat_of = None

    def paint(
        self, geometry: MapGeometry, pyramid: HeatPyramid, marks: MapMarks, theme: Theme, look: HeatPalette
    ) -> QImage:
        """Paint the visible map: each device pixel shows the hottest of the cells it covers."""
        if self._heat_of != geometry:
            self._heat, self._heat_of = _pixel_heat(geometry, pyramid), geometry
        heat = self._heat
        pixels = look.colours.take(heat)
        if marks.excluded is not None:
            heat = _quieten(pixels, heat, geometry, marks.excluded, look)
        picture = pixel_image(pixels)
        picture.setDevicePixelRatio(geometry.rows.pixel_ratio)
        painter = QPainter(picture)
        # from here on in axis coordinates, which start at the available area, not at the map
        corner = QPointF(geometry.columns.start_px, geometry.rows.start_px)
        painter.translate(-corner)
        _hatch(painter, geometry, pyramid.missing_rows(), theme)
        painter.drawImage(corner, self._passages(geometry, marks.passages, theme))
        paint_chosen_passage(painter, geometry, marks.passages, marks.chosen_passage, theme)
        if geometry.smallest_cell_px < MARKER_PX:
            # an outline would be larger than the cell
            painter.drawImage(corner, _dots(heat, geometry, marks, theme, look))
        else:
            seen = marks.matched.visible_in(geometry.rows.visible, geometry.columns.visible)
            for kind in MatchKind:
                _outline(painter, _cell_rects(geometry, seen, kind), geometry.smallest_cell_px, kind, theme)
        painter.end()
        return picture

    def _passages(self, geometry: MapGeometry, passages: PassageBoxes, theme: Theme) -> QImage:
        cache_key = (geometry, passages, theme)
        if self._outlines_of != cache_key:
            self._outlines, self._outlines_of = _passage_layer(*cache_key), cache_key
        return self._outlines


def _quieten(
    pixels: ColourArray,
    heat: HeatArray,
    geometry: MapGeometry,
    excluded: tuple[BoolArray, BoolArray],
    look: HeatPalette,
) -> HeatArray:
    """Recolour the pixels that show only excluded sentences; return the heat of those that count."""
    rows, columns = geometry.rows.pixels_within(excluded[0]), geometry.columns.pixels_within(excluded[1])
    counted = heat.copy()
    for pixels_part in (np.s_[rows], np.s_[:, columns]):
        pixels[pixels_part] = look.excluded.take(heat[pixels_part])
        counted[pixels_part] = 0
    return counted


def _passage_layer(geometry: MapGeometry, passages: PassageBoxes, theme: Theme) -> QImage:
    ratio = geometry.rows.pixel_ratio
    width, height = (round(axis.used_px * ratio) for axis in (geometry.columns, geometry.rows))
    layer = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    layer.fill(Qt.GlobalColor.transparent)
    layer.setDevicePixelRatio(ratio)
    with QPainter(layer) as painter:
        painter.translate(-geometry.columns.start_px, -geometry.rows.start_px)
        paint_passages(painter, geometry, passages, theme)
    return layer


def _dots(heat: HeatArray, geometry: MapGeometry, marks: MapMarks, theme: Theme, look: HeatPalette) -> QImage:
    """Draw the marks of matched cells, and the hot pixels they must not cover, on a transparent image."""
    dots = _lone_hot_pixels(heat, look)
    if marks.kinds is not None:
        _ink(dots, _pixel_heat(geometry, marks.kinds), geometry, theme)
    else:
        _stamp(
            dots, geometry, marks.matched.visible_in(geometry.rows.visible, geometry.columns.visible), theme
        )
    stamped = pixel_image(dots, QImage.Format.Format_ARGB32)
    stamped.setDevicePixelRatio(geometry.rows.pixel_ratio)
    return stamped


def _lone_hot_pixels(heat: HeatArray, look: HeatPalette) -> ColourArray:
    """Colours of isolated hot pixels, which marks must not cover; 0 (transparent) elsewhere."""
    hot = heat >= look.least_hot
    if hot.mean() > _COMMON_SHARE:
        return np.zeros(heat.shape, np.uint32)
    return np.where(hot, look.colours.take(heat), np.uint32(0))


def _pixel_heat(geometry: MapGeometry, pyramid: HeatPyramid) -> HeatArray:
    rows, columns = geometry.rows, geometry.columns
    heat, side = pyramid.level_for(1 / (max(rows.cell_px, columns.cell_px) * rows.pixel_ratio))
    (highest, lowest), (first, last) = rows.pixel_cells(side), columns.pixel_cells(side)
    top, left = int(highest[0]), int(first[0])
    # `take` copies all of a part of a matrix, whatever it takes from it
    visible_cells = heat[top : int(lowest[-1]) + 1, left : int(last[-1]) + 1]
    by_rows = _hottest(visible_cells, highest - top, lowest - top, axis=0)
    return _hottest(by_rows, first - left, last - left, axis=1)


def _hottest(cells: HeatArray, first: IndexArray, last: IndexArray, axis: int) -> HeatArray:
    """Maximum of the cells from `first` to `last`, for each pixel along an axis."""
    hottest = cells.take(first, axis)
    for step in range(1, int((last - first).max()) + 1):
        np.maximum(hottest, cells.take(np.minimum(first + step, last), axis), out=hottest)
    return hottest


def _hatch(painter: QPainter, geometry: MapGeometry, missing: Iterable[range], theme: Theme) -> None:
    rows, columns = geometry.rows, geometry.columns
    for run in missing:
        top, bottom = rows.edge_px(run.start), rows.edge_px(run.stop)
        area = QRectF(columns.start_px, top, columns.used_px, bottom - top)
        painter.fillRect(area, QColor(theme.raised))
        painter.fillRect(area, QBrush(QColor(theme.line), Qt.BrushStyle.BDiagPattern))


def _cell_rects(geometry: MapGeometry, matched: MatchedCells, kind: MatchKind) -> list[QRectF]:
    chosen = matched.kinds == kind
    tops, heights = geometry.rows.spans_px(matched.rows[chosen])
    lefts, widths = geometry.columns.spans_px(matched.columns[chosen])
    return list(map(QRectF, lefts, tops, widths, heights))


def _outline(painter: QPainter, cells: list[QRectF], side_px: float, kind: MatchKind, theme: Theme) -> None:
    """Draw a thin line inside the cells in the colour of the kind; in large cells also in its style.

    A gap separates the line from the heat, if there is space, so that it is visible on any colour.
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
    """Put a marker on every matched cell; all markers have the same size however small the cells are."""
    size = _marker_size(geometry)
    down = _marker_starts(geometry.rows, matched.rows, size, pixels.shape[0])
    across = _marker_starts(geometry.columns, matched.columns, size, pixels.shape[1])
    marks = np.zeros(pixels.shape, dtype=np.uint8)
    for kind in sorted(MatchKind):
        chosen = matched.kinds == kind
        marks[down[chosen], across[chosen]] = kind + 1
    _ink(pixels, marks, geometry, theme)


def _ink(pixels: ColourArray, marks: NDArray[np.uint8], geometry: MapGeometry, theme: Theme) -> None:
    """Grow marks, 1 + the MatchKind at their upper left corner, to markers and colour the covered pixels."""
    size = _marker_size(geometry)
    _grow(marks, size)
    _grow(marks.T, size)
    inks = np.array([0, *(QColor(theme.kinds[kind].ink).rgb() for kind in sorted(MatchKind))], np.uint32)
    np.copyto(pixels, inks.take(marks), where=marks > 0)


def _marker_size(geometry: MapGeometry) -> int:
    return round(MARKER_PX * geometry.rows.pixel_ratio)


def _marker_starts(axis: Axis, cells: Int32Array, size: int, end: int) -> IndexArray:
    middles = (cells + 0.5 - axis.first) * (axis.cell_px * axis.pixel_ratio)
    starts: IndexArray = np.clip(middles - size / 2, 0, max(0, end - size)).astype(np.intp)
    return starts


def _grow(marks: NDArray[np.uint8], size: int) -> None:
    """Extend marks downwards to `size` pixels; where they overlap, the higher value wins."""
    grown = 1
    while grown < min(size, len(marks)):
        step = min(grown, size - grown)
        np.maximum(marks[step:], marks[:-step].copy(order="K"), out=marks[step:])
        grown += step


MAX_SINGLE_MARKS = 300_000
"""Up to this many marks are drawn one by one at each repaint, which takes about 10 ms."""
_STEP_SECONDS = 0.006
_CELLS_AT_ONCE = 300_000


class MarkPyramid(QObject):
    """Pyramid of 1 + the MatchKind of each cell, kept while there are too many matches to mark one by one.

    While matches change with a moving threshold, the old pyramid is shown until the new one is complete.
    """

    def __init__(self, ready: Callable[[], None], parent: QObject | None = None) -> None:
        """`ready` is called when a new pyramid is complete."""
        super().__init__(parent)
        self.kinds: HeatPyramid | None = None
        self._ready = ready
        self._next: HeatPyramid | None = None
        self._row = 0
        self._cells = MatchedCells.none()
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._step)

    def show(self, cells: MatchedCells, matrix: HeatPyramid | None) -> None:
        """Start a pyramid of these cells of a matrix; few cells, or none, need no pyramid."""
        if matrix is None or len(cells.rows) <= MAX_SINGLE_MARKS:
            self.kinds = self._next = None
            self._timer.stop()
            return
        self._cells, self._row = cells, 0
        self._next = HeatPyramid(matrix.rows, matrix.columns)
        self.kinds = self.kinds or self._next  # the new one is shown while incomplete, if there is no old one
        self._timer.start()

    def _step(self) -> None:
        end = time.perf_counter() + _STEP_SECONDS
        while self._next is not None and time.perf_counter() < end:
            self._draw_rows(self._next)
        if self._next is None:
            self._timer.stop()
            self._ready()

    def _draw_rows(self, pyramid: HeatPyramid) -> None:
        first, count = self._row, max(2, _CELLS_AT_ONCE // pyramid.columns // 2 * 2)
        self._row = min(pyramid.rows, first + count)
        cells = self._cells.in_rows(first, self._row)
        block = np.zeros((self._row - first, pyramid.columns), np.uint8)
        block[cells.rows - first, cells.columns] = cells.kinds + 1
        pyramid.put(first, block)
        if self._row == pyramid.rows:
            self.kinds, self._next = pyramid, None

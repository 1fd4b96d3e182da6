"""Geometry of the heatmap: two axes of sentences that zoom and pan together; passages as boxes."""

import itertools
import math
import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from simcompare.comparison.comparison_result import Comparison
from simcompare.support.arrays import BoolArray, IndexArray, Int32Array
from simcompare.support.i18n import ngettext
from simcompare.text.prepared_text import PreparedText
from simcompare.ui.style.theme import Theme

FITTED_CELL_PX = 40
LARGEST_CELL_PX = 56
NARROWEST_MAP_PX = 96
LARGEST_ASPECT = 8
_ROUNDING_SLACK = 1e-6


@dataclass(frozen=True, slots=True)
class Axis:
    """Sentences along one direction of the map; positions are in pixels from the start of the available area.

    count: sentences; available_px: length of the available area; cell_px: length of one cell; first:
    index of the sentence at the start, with its fraction; alignment: 0 puts a short axis at the start of
    the area, 0.5 in the middle; pixel_ratio: device pixels per pixel.
    """

    count: int
    available_px: int
    cell_px: float
    alignment: float
    pixel_ratio: float
    first: float = 0.0

    @property
    def used_px(self) -> int:
        return min(self.available_px, math.ceil(self.count * self.cell_px - _ROUNDING_SLACK))

    @property
    def start_px(self) -> int:
        return int((self.available_px - self.used_px) * self.alignment)

    @property
    def visible(self) -> range:
        """Indices of the sentences that are at least partly visible."""
        last = math.ceil(self.first + self.used_px / self.cell_px - _ROUNDING_SLACK)
        return range(int(self.first), min(self.count, last))

    @property
    def whole(self) -> range:
        """Indices of the sentences that are wholly visible."""
        last = math.floor(self.first + self.used_px / self.cell_px + _ROUNDING_SLACK)
        return range(math.ceil(self.first - _ROUNDING_SLACK), min(self.count, last))

    def edge_px(self, index: int) -> float:
        """Start of a sentence, on a whole device pixel."""
        device_px = (index - self.first) * self.cell_px * self.pixel_ratio
        return self.start_px + math.floor(device_px + _ROUNDING_SLACK) / self.pixel_ratio

    def spans_px(self, indices: NDArray[np.integer]) -> tuple[list[float], list[float]]:
        """Return the starts and lengths of sentences, rounded as by `edge_px`."""
        device_px = (np.stack((indices, indices + 1)) - self.first) * (self.cell_px * self.pixel_ratio)
        first, last = self.start_px + np.floor(device_px + _ROUNDING_SLACK) / self.pixel_ratio
        return first.tolist(), (last - first).tolist()

    def centre_px(self, index: int) -> float:
        return (self.edge_px(index) + self.edge_px(index + 1)) / 2

    def index_at(self, position_px: float) -> int | None:
        inside_px = position_px - self.start_px
        if not 0 <= inside_px < self.used_px:
            return None
        device_px = math.floor(inside_px * self.pixel_ratio) + 1
        after = self.first + device_px / (self.cell_px * self.pixel_ratio)
        return min(self.count, math.ceil(after - _ROUNDING_SLACK)) - 1

    def starting_at(self, first: float) -> "Axis":
        """Move the axis so that it starts at a sentence, limited by its ends."""
        most = max(0.0, self.count - self.used_px / self.cell_px)
        return replace(self, first=min(max(0.0, first), most))

    def scaled(self, cell_px: float, position_px: float) -> "Axis":
        """Change the cell size; the sentence at the given position stays there."""
        kept = self.first + (position_px - self.start_px) / self.cell_px
        scaled = replace(self, cell_px=cell_px, first=0.0)
        return scaled.starting_at(kept - (position_px - scaled.start_px) / cell_px)

    def revealing(self, index: int) -> "Axis":
        """Move the axis to show a whole sentence: a little if it is near, otherwise to the middle."""
        visible_cells = self.used_px / self.cell_px
        before, after = self.first - index, index + 1 - self.first - visible_cells
        if max(before, after) > 2:
            return self.starting_at(index + 0.5 - visible_cells / 2)
        return self.starting_at(self.first - max(0.0, before) + max(0.0, after))

    def pixel_cells(self, side: int) -> tuple[IndexArray, IndexArray]:
        """First and last cell that each device pixel of the map shows; a cell is `side` sentences long.

        Every visible cell is shown by at least one pixel.
        """
        device_cell_px = self.cell_px * self.pixel_ratio
        sentences = self.visible
        cells = np.arange(sentences.start // side, (sentences.stop - 1) // side + 1)
        pixels = np.arange(round(self.used_px * self.pixel_ratio))
        edges = np.floor((cells * side - self.first) * device_cell_px + _ROUNDING_SLACK)
        # cells that are cut off at the ends count as visible
        edges = edges.clip(0, pixels[-1])
        last = np.searchsorted(edges, pixels, side="right") - 1
        first = np.minimum(np.searchsorted(edges, pixels, side="left"), last)
        return cells[first], cells[last]

    def pixels_within(self, sentences: BoolArray) -> BoolArray:
        """Device pixels of the map that show only sentences of a set, given as a mask of shape (count,)."""
        first, last = self.pixel_cells(1)
        before = np.concatenate([[0], np.cumsum(sentences)])
        within: BoolArray = before[last + 1] - before[first] == last + 1 - first
        return within

    def ticks(self, least_gap_px: float) -> Iterator[int]:
        """Yield the sentences to number: all if there is space, otherwise the first and round numbers."""
        step = 1 if self.cell_px >= least_gap_px else _round_step(2 * least_gap_px / self.cell_px)
        sentences = self.visible
        if sentences.start == 0:
            yield 0
        first = max(2, -(-(sentences.start + 1) // step) * step)
        yield from (number - 1 for number in range(first, sentences.stop + 1, step))


@dataclass(frozen=True, slots=True)
class MapGeometry:
    """Both axes of the map; at zoom 1 the map is as large as fits.

    fitted_px: height and width of a cell at zoom 1.
    """

    rows: Axis
    columns: Axis
    zoom: float
    fitted_px: tuple[float, float]

    @property
    def largest_zoom(self) -> float:
        """Zoom at which cells reach their largest useful size, at most that of the area."""
        height, width = self.fitted_px
        fills = min(self.rows.available_px / height, self.columns.available_px / width)
        return max(1.0, min(LARGEST_CELL_PX / max(height, width), fills))

    @property
    def smallest_cell_px(self) -> float:
        return min(self.rows.cell_px, self.columns.cell_px)

    def cell_rect(self, row: int, column: int) -> QRectF:
        left, top = self.columns.edge_px(column), self.rows.edge_px(row)
        right, bottom = self.columns.edge_px(column + 1), self.rows.edge_px(row + 1)
        return QRectF(left, top, right - left, bottom - top)

    def zoomed(self, factor: float, x_px: float, y_px: float) -> "MapGeometry":
        zoom = min(max(1.0, self.zoom * factor), self.largest_zoom)
        height, width = (side * zoom for side in self.fitted_px)
        return replace(
            self,
            zoom=zoom,
            rows=self.rows.scaled(max(height, _least_cell_px(self.rows)), y_px),
            columns=self.columns.scaled(max(width, _least_cell_px(self.columns)), x_px),
        )

    def panned(self, x_px: float, y_px: float) -> "MapGeometry":
        rows, columns = self.rows, self.columns
        return replace(
            self,
            rows=rows.starting_at(rows.first - y_px / rows.cell_px),
            columns=columns.starting_at(columns.first - x_px / columns.cell_px),
        )

    def revealing(self, row: int, column: int) -> "MapGeometry":
        return replace(self, rows=self.rows.revealing(row), columns=self.columns.revealing(column))

    def refitted(self, width_px: int, height_px: int, pixel_ratio: float) -> "MapGeometry":
        """Fit the map to another area, keeping the zoom and the first cell."""
        fitted = fitted_geometry(self.rows.count, self.columns.count, width_px, height_px, pixel_ratio)
        zoomed = fitted.zoomed(self.zoom, 0, 0)
        return replace(
            zoomed,
            rows=zoomed.rows.starting_at(self.rows.first),
            columns=zoomed.columns.starting_at(self.columns.first),
        )


def fitted_geometry(
    rows: int, columns: int, width_px: int, height_px: int, pixel_ratio: float
) -> MapGeometry:
    """Fill the area; the longer side of a cell is at most LARGEST_ASPECT times the other.

    A map of very many by very few sentences would be a mere line, so it is at least NARROWEST_MAP_PX wide.
    """
    height = min(FITTED_CELL_PX, height_px / rows)
    width = min(FITTED_CELL_PX, width_px / columns)
    height, width = min(height, LARGEST_ASPECT * width), min(width, LARGEST_ASPECT * height)
    down = Axis(rows, height_px, height, 0.0, pixel_ratio)
    across = Axis(columns, width_px, width, 0.5, pixel_ratio)
    return MapGeometry(down, across, 1.0, (height, width)).zoomed(1.0, 0, 0)


def _least_cell_px(axis: Axis) -> float:
    return min(FITTED_CELL_PX, min(axis.available_px, NARROWEST_MAP_PX) / axis.count)


def _round_step(least: float) -> int:
    """Smallest of 5, 10, 20, 50, 100, ... that is at least `least`."""
    tens = itertools.accumulate(itertools.repeat(10), operator.mul, initial=1)
    return next(step * ten for ten in tens for step in (5, 10, 20) if step * ten >= least)


LEAST_OUTLINE_PX = 7
_LEAST_ROUNDED_PX = 10
_RADIUS_PX = 2.0
_HALO_PX = 2
Edges = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PassageBoxes:
    """Passages as half-open ranges of sentences; each array has shape (n, 2)."""

    rows: IndexArray
    columns: IndexArray

    @staticmethod
    def none() -> "PassageBoxes":
        return PassageBoxes(np.empty((0, 2), np.intp), np.empty((0, 2), np.intp))

    @staticmethod
    def of(comparison: Comparison) -> "PassageBoxes":
        left, right = comparison.left.prepared, comparison.right.prepared
        passages = comparison.passages
        return PassageBoxes(
            _sentences(left, passages.left_spans),
            _sentences(right, passages.right_spans),
        )

    def containing(self, row: int, column: int) -> int | None:
        """Find the passage that contains a cell, the smallest one if there are several."""
        inside = (self.rows[:, 0] <= row) & (row < self.rows[:, 1])
        inside &= (self.columns[:, 0] <= column) & (column < self.columns[:, 1])
        found = np.flatnonzero(inside)
        if not len(found):
            return None
        areas = np.ptp(self.rows[found], axis=1) * np.ptp(self.columns[found], axis=1)
        return int(found[areas.argmin()])

    def name_of(self, index: int) -> str:
        (first, last), columns = self.rows[index], self.columns[index]
        return ngettext(
            "Passage {number}: sentence {left} on the left, {right} on the right",
            "Passage {number}: sentences {left} on the left, {right} on the right",
            int(last - first),
            number=index + 1,
            left=_numbers(first, last),
            right=_numbers(*columns),
        )

    def visible_in(self, rows: range, columns: range) -> IndexArray:
        seen = (self.rows[:, 0] < rows.stop) & (self.rows[:, 1] > rows.start)
        seen &= (self.columns[:, 0] < columns.stop) & (self.columns[:, 1] > columns.start)
        seen &= (self.rows[:, 0] < self.rows[:, 1]) & (self.columns[:, 0] < self.columns[:, 1])
        return np.flatnonzero(seen)


def _sentences(text: PreparedText, spans: Int32Array) -> IndexArray:
    """Half-open ranges of the sentences that spans of code points touch, shape (n, 2)."""
    first, end = text.sentences_in(spans).T
    return np.stack([first, np.maximum(first, end)], axis=1)


def _numbers(first: int, end: int) -> str:
    return f"{first + 1}" if end - first == 1 else f"{first + 1}–{end}"


def paint_passages(painter: QPainter, geometry: MapGeometry, passages: PassageBoxes, theme: Theme) -> None:
    """Draw a thin outline around every visible passage."""
    seen = passages.visible_in(geometry.rows.visible, geometry.columns.visible)
    # a halo in the background colour keeps the line visible over both hot and cold cells
    _draw(painter, _outlines(geometry, passages, seen), ((theme.surface, 1 + _HALO_PX), (theme.muted, 1)))


def paint_chosen_passage(
    painter: QPainter, geometry: MapGeometry, passages: PassageBoxes, chosen: int | None, theme: Theme
) -> None:
    """Draw a thicker outline around one passage; it covers the thin one."""
    seen = passages.visible_in(geometry.rows.visible, geometry.columns.visible)
    if chosen is not None and chosen in seen:
        outline = _outlines(geometry, passages, np.array([chosen]))
        _draw(painter, outline, ((theme.surface, 2 + _HALO_PX), (theme.accent, 2)))


def _draw(painter: QPainter, outlines: Edges, lines: Iterable[tuple[str, int]]) -> None:
    """Draw outlines in each colour and width, with rounded corners if they are large enough to show them.

    Thousands of tiny ones are drawn in one call, identical ones once.
    """
    is_tiny = outlines[:, 2:].min(axis=1, initial=np.inf) < _LEAST_ROUNDED_PX
    tiny = _rectangles(np.unique(outlines[is_tiny], axis=0))
    rounded = _rectangles(outlines[~is_tiny])
    painter.save()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in lines:
        painter.setPen(QPen(QColor(colour), width))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if tiny:
            painter.drawRects(tiny)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for outline in rounded:
            painter.drawRoundedRect(outline, _RADIUS_PX, _RADIUS_PX)
    painter.restore()


def _rectangles(outlines: Edges) -> list[QRectF]:
    return list(map(QRectF, *outlines.T.tolist()))


def _outlines(geometry: MapGeometry, passages: PassageBoxes, indices: IndexArray) -> Edges:
    """Centre lines of the outlines: just outside the cells of each passage, and inside the map.

    Shape (n, 4): left, top, width, height.
    """
    top, bottom = _edges(geometry.rows, passages.rows[indices])
    left, right = _edges(geometry.columns, passages.columns[indices])
    return np.stack([left, top, right - left, bottom - top], axis=1)


def _edges(axis: Axis, ranges: IndexArray) -> tuple[Edges, Edges]:
    lowest, highest = axis.edge_px(0) + 0.5, axis.edge_px(axis.count) - 0.5
    starts, _lengths = axis.spans_px(ranges)
    first, end = np.array(starts).T + np.array([[-0.5], [0.5]])
    missing = np.maximum(0.0, LEAST_OUTLINE_PX - 1 - (end - first)) / 2
    first, end = first - missing, end + missing
    # a tiny outline at the border is moved inside, not clipped
    outside = np.maximum(0.0, lowest - first) - np.maximum(0.0, end - highest)
    shift = np.where(missing > 0, outside, 0.0)
    return _on_pixel(np.maximum(first + shift, lowest)), _on_pixel(np.minimum(end + shift, highest))


def _on_pixel(positions_px: Edges) -> Edges:
    """Round to the centres of pixels, so that a thin line is not blurred over two."""
    return np.floor(positions_px) + 0.5

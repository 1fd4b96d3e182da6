"""Geometry of the heatmap: two axes of sentences that zoom and pan together."""

import itertools
import math
import operator
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF

from simcompare.support.arrays import BoolArray, IndexArray

FITTED_CELL_PX = 28
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

"""Outlines of passages on the heatmap, and the sentences that each passage spans."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from simcompare.comparison.comparison_result import Comparison
from simcompare.support.arrays import IndexArray, Int32Array
from simcompare.support.i18n import ngettext
from simcompare.text.prepared_text import PreparedText
from simcompare.ui.compare.heatmap.heatmap_geometry import Axis, MapGeometry
from simcompare.ui.style.theme import Theme

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

"""Matched cells of the comparison matrix, with queries by row, direction and position."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.comparison_result import Int32Array
from simcompare.ui.compare.heatmap.heatmap_geometry import Axis, IndexArray


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
        """Make an empty set of cells."""
        return MatchedCells(np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.int8))

    def first(self) -> tuple[int, int] | None:
        """First matched cell in row order, or None."""
        return (int(self.rows[0]), int(self.columns[0])) if len(self.rows) else None

    def nearest(
        self, rows: Axis, columns: Axis, x_px: float, y_px: float, reach_px: float
    ) -> tuple[int, int] | None:
        """Find the matched cell nearest to a position, or None if there is none within reach."""
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
        """Select the cells in these rows and columns."""
        near = self.in_rows(rows.start, rows.stop)
        if not len(near.rows) or (columns.start == 0 and near.columns.max() < columns.stop):
            return near
        seen = (near.columns >= columns.start) & (near.columns < columns.stop)
        return MatchedCells(near.rows[seen], near.columns[seen], near.kinds[seen])

    def in_rows(self, start: int, stop: int) -> "MatchedCells":
        """Select the cells of consecutive rows."""
        # keys of another type would make numpy convert the whole column first
        bounds = np.array([max(start, 0), max(stop, 0)], self.rows.dtype)
        first, last = np.searchsorted(self.rows, bounds).tolist()
        return MatchedCells(self.rows[first:last], self.columns[first:last], self.kinds[first:last])

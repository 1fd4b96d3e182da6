"""Multi-resolution pyramid of the comparison matrix, in which no hot cell is lost."""

import numpy as np

from simcompare.comparison.comparison_result import HeatArray


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

    def value(self, row: int, column: int) -> int:
        """Heat of a cell; 0 if its row is missing."""
        return int(self._levels[0][row, column])

    def has_row(self, row: int) -> bool:
        """Check whether the heat of a row is stored."""
        return bool(self._is_stored[row])

    def missing_rows(self) -> list[range]:
        """List the runs of rows that are not stored yet, from the top."""
        if self._is_stored.all():
            return []
        edges = np.flatnonzero(np.diff(self._is_stored, prepend=True, append=True))
        return [range(int(first), int(last)) for first, last in edges.reshape(-1, 2)]


def _even_zeros(rows: int, columns: int) -> HeatArray:
    """Make a zero matrix with an even number of rows and columns, so that it can be halved."""
    return np.zeros((rows + rows % 2, columns + columns % 2), dtype=np.uint8)


def _halved(cells: HeatArray) -> HeatArray:
    """Maximum of each block of two by two cells."""
    pairs = np.maximum(cells[0::2], cells[1::2])
    return np.maximum(pairs[:, 0::2], pairs[:, 1::2])

"""Ever coarser views of the comparison matrix, in which no hot cell is ever lost."""

import numpy as np

from simcompare.comparison.comparison_result import HeatArray


class HeatPyramid:
    """A matrix of heat and its halved copies, each cell the hottest of the four below it.

    The matrix is filled block by block, in any order; rows not yet given are 0. Level k stands for 2**k
    cells a side. All levels together take a third more memory than the matrix itself.
    """

    def __init__(self, rows: int, columns: int) -> None:
        """Make an empty pyramid; rows and columns are at least 1."""
        self.rows = rows
        self.columns = columns
        self._levels = [_even_zeros(rows, columns)]
        self._given = np.zeros(rows, dtype=np.bool_)
        while max(self._levels[-1].shape) > 2:
            height, width = self._levels[-1].shape
            self._levels.append(_even_zeros(height // 2, width // 2))

    def put(self, first_row: int, block: HeatArray) -> None:
        """Take the heat of some consecutive rows, of shape (rows, columns), and renew what lies above."""
        first, last = first_row, first_row + len(block)
        self._levels[0][first:last, : self.columns] = block
        self._given[first:last] = True
        for finer, coarser in zip(self._levels, self._levels[1:], strict=False):
            first, last = first // 2, (last + 1) // 2
            coarser[first:last, : finer.shape[1] // 2] = _halved(finer[2 * first : 2 * last])

    def level_for(self, cells_per_pixel: float) -> tuple[HeatArray, int]:
        """Return the coarsest level whose cells are no larger than a pixel, and its cells a side.

        Beyond the matrix a level may hold a further row and column of zeros.
        """
        index = 0
        while index + 1 < len(self._levels) and 2 ** (index + 1) <= cells_per_pixel:
            index += 1
        return self._levels[index], 2**index

    def value(self, row: int, column: int) -> int:
        """Return the heat of a cell, 0 where its row is not given yet."""
        return int(self._levels[0][row, column])

    def has_row(self, row: int) -> bool:
        """Whether the heat of a row has been given."""
        return bool(self._given[row])

    def missing_rows(self) -> list[range]:
        """Return the runs of rows that are not given yet, from the top."""
        if self._given.all():
            return []
        edges = np.flatnonzero(np.diff(self._given, prepend=True, append=True))
        return [range(int(first), int(last)) for first, last in edges.reshape(-1, 2)]


def _even_zeros(rows: int, columns: int) -> HeatArray:
    """Make room for the cells, with an even number a side so that all of them pair off."""
    return np.zeros((rows + rows % 2, columns + columns % 2), dtype=np.uint8)


def _halved(cells: HeatArray) -> HeatArray:
    """Return the hottest of every two by two cells."""
    pairs = np.maximum(cells[0::2], cells[1::2])
    return np.maximum(pairs[:, 0::2], pairs[:, 1::2])

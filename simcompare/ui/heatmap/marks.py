"""The kinds of millions of matched cells as a picture of the matrix, drawn a little at a time."""

import time
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QObject, QTimer

from simcompare.ui.heatmap.picture import MatchedCells
from simcompare.ui.heatmap.pyramid import HeatPyramid

MOST_SINGLE_MARKS = 300_000
"""So many are put on the map one by one at each painting, in some 10 ms."""
_STEP_SECONDS = 0.006
_CELLS_AT_ONCE = 300_000


class ManyMarks(QObject):
    """Keeps a pyramid of 1 + the MatchKind of each cell while there are too many to mark one by one.

    While cells change, as a threshold moves, the pyramid of before stands until the next one is whole.
    """

    def __init__(self, ready: Callable[[], None], parent: QObject | None = None) -> None:
        """`ready` is called when there is another pyramid."""
        super().__init__(parent)
        self.kinds: HeatPyramid | None = None
        self._ready = ready
        self._next: HeatPyramid | None = None
        self._row = 0
        self._cells = MatchedCells.none()
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._step)

    def show(self, cells: MatchedCells, matrix: HeatPyramid | None) -> None:
        """Draw these cells of a matrix; few cells, or none, need no pyramid."""
        if matrix is None or len(cells.rows) <= MOST_SINGLE_MARKS:
            self.kinds = self._next = None
            self._timer.stop()
            return
        self._cells, self._row = cells, 0
        self._next = HeatPyramid(matrix.rows, matrix.columns)
        self.kinds = self.kinds or self._next  # as far as it is drawn
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

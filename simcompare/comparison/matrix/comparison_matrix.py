"""The comparison matrix: P of every sentence pair, computed in row blocks (Lv et al., section 3.2(2))."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.comparison_result import HEAT_SCALE, Cells, ComparisonMatrix, HeatArray, RowBlock
from simcompare.comparison.matrix.lcs_lengths import NumberedSentences, lcs_counts
from simcompare.comparison.matrix.text_numbering import NumberedText, TextNumbering
from simcompare.comparison.matrix.thesaurus_stage import WordStage
from simcompare.model.errors import TooManySentencesError
from simcompare.model.settings import LOWEST_SIMILAR_WEIGHT
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus

# Large enough for a small overhead, small enough to cancel without delay.
_CELLS_PER_BLOCK = 200_000
_MOST_ROWS_PER_BLOCK = 100
_MOST_CELLS = 1_000_000_000  # a byte of memory each, some minutes together


@dataclass(frozen=True, slots=True, eq=False)
class MatrixInput:
    """Two texts prepared for scoring, their units in a common numbering.

    Shared by all row blocks, which may run in parallel.
    """

    left: NumberedSentences
    right: NumberedSentences
    words: WordStage

    @property
    def shape(self) -> tuple[int, int]:
        """(left sentences, right sentences)."""
        return len(self.left), len(self.right)


def make_matrix_input(left: PreparedText, right: PreparedText, thesaurus: Thesaurus | None) -> MatrixInput:
    """Give the units and words of two texts common numbers."""
    numbering = TextNumbering(thesaurus)
    return numbered_matrix_input(NumberedText(left, numbering), NumberedText(right, numbering))


def numbered_matrix_input(left: NumberedText, right: NumberedText) -> MatrixInput:
    """Return the input of two texts of one numbering. Raises TooManySentencesError."""
    if len(left.units) * len(right.units) > _MOST_CELLS:
        raise TooManySentencesError
    return MatrixInput(left.units, right.units, WordStage(left, right))


def row_blocks(matrix_input: MatrixInput) -> list[range]:
    """Split the rows into blocks of 1 to 100, in order."""
    rows, columns = matrix_input.shape
    size = max(1, min(_MOST_ROWS_PER_BLOCK, _CELLS_PER_BLOCK // max(columns, 1)))
    return [range(start, min(start + size, rows)) for start in range(0, rows, size)]


def score_rows(matrix_input: MatrixInput, rows: range) -> RowBlock:
    """Score some rows: P[n, m] = LCS / max(Num), 1.0 = identical (formula 7).

    Cells with P of at least LOWEST_SIMILAR_WEIGHT have their exact ratio and their w (formula 9).
    """
    lcs = lcs_counts(matrix_input.left, matrix_input.right, rows)
    p = lcs / np.maximum.outer(matrix_input.left.lengths[rows.start : rows.stop], matrix_input.right.lengths)
    # flatnonzero is many times faster than nonzero in two dimensions
    near = np.divmod(np.flatnonzero(p >= LOWEST_SIMILAR_WEIGHT), len(matrix_input.right))
    left, right = (near[0] + rows.start).astype(np.int32), near[1].astype(np.int32)
    cells = Cells(left, right, lcs[near].astype(np.int32), p[near], matrix_input.words.weigh(left, right))
    return RowBlock(rows, heat_of(p), cells)


def heat_of(p: NDArray[np.float64]) -> HeatArray:
    """Scale P to a byte, for display."""
    return np.rint(p * HEAT_SCALE).astype(np.uint8)


class MatrixBuilder:
    """Assembles scored row blocks in any order; together they must cover every row once."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self._heat = np.zeros(shape, dtype=np.uint8)
        self._cells: dict[int, Cells] = {}

    def add(self, block: RowBlock) -> None:
        """Add a block; its heat is copied, so that the block can be freed."""
        self._heat[block.rows.start : block.rows.stop] = block.heat
        self._cells[block.rows.start] = block.cells

    def matrix(self) -> ComparisonMatrix:
        """Return the finished matrix."""
        ordered = [self._cells[start] for start in sorted(self._cells)]
        columns = [
            np.concatenate([getattr(cells, name) for cells in ordered] or [np.zeros(0, dtype=kind)])
            for name, kind in (("rows", "i4"), ("columns", "i4"), ("lcs", "i4"), ("p", "f8"), ("w", "f8"))
        ]
        return ComparisonMatrix(self._heat, Cells(*columns))


def assemble(shape: tuple[int, int], blocks: Iterable[RowBlock]) -> ComparisonMatrix:
    """Assemble scored row blocks; they are consumed one by one and not kept."""
    builder = MatrixBuilder(shape)
    for block in blocks:
        builder.add(block)
    return builder.matrix()

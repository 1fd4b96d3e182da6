"""The comparison matrix: P of every sentence pair, in row blocks (Lv et al., section 3.2(2))."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cdist

from simcompare.comparison.renumbering import as_strings, joint_ids
from simcompare.comparison.values import (
    HEAT_SCALE,
    Cells,
    ComparisonMatrix,
    HeatArray,
    RowBlock,
)
from simcompare.comparison.word_stage import WordStage
from simcompare.settings import LOWEST_SIMILAR_WEIGHT
from simcompare.text.prepared import PreparedText
from simcompare.text.thesaurus import Thesaurus

# A block is large enough to make its overhead small and small enough to be cancelled at once.
_CELLS_PER_BLOCK = 200_000
_MOST_ROWS_PER_BLOCK = 100
_LONGEST_SENTENCE_IN_16_BITS = np.iinfo(np.uint16).max


@dataclass(frozen=True, slots=True, eq=False)
class MatrixProblem:
    """Two texts ready to be scored; shared by all row blocks, which may run side by side.

    left_strings, right_strings: one string a sentence in a common numbering; lengths in units.
    """

    left_strings: list[str]
    right_strings: list[str]
    left_lengths: NDArray[np.int32]
    right_lengths: NDArray[np.int32]
    words: WordStage

    @property
    def shape(self) -> tuple[int, int]:
        """(left sentences, right sentences)."""
        return len(self.left_strings), len(self.right_strings)


def pose_problem(left: PreparedText, right: PreparedText, thesaurus: Thesaurus | None) -> MatrixProblem:
    """Bring two texts into a common numbering."""
    left_ids, right_ids, _ = joint_ids(
        left.unit_vocabulary, left.unit_ids, right.unit_vocabulary, right.unit_ids
    )
    return MatrixProblem(
        as_strings(left_ids, left.sentence_units),
        as_strings(right_ids, right.sentence_units),
        left.sentence_lengths,
        right.sentence_lengths,
        WordStage(left, right, thesaurus),
    )


def row_blocks(problem: MatrixProblem) -> list[range]:
    """Cut the rows into blocks of 1 to 100, in order."""
    rows, columns = problem.shape
    size = max(1, min(_MOST_ROWS_PER_BLOCK, _CELLS_PER_BLOCK // max(columns, 1)))
    return [range(start, min(start + size, rows)) for start in range(0, rows, size)]


def score_rows(problem: MatrixProblem, rows: range) -> RowBlock:
    """Score some rows: P[n, m] = LCS / max(Num), 1.0 = identical (formula 7).

    Cells with P of at least LOWEST_SIMILAR_WEIGHT come with their exact ratio and their w (formula 9).
    """
    lengths = problem.left_lengths[rows.start : rows.stop]
    longest = int(max(lengths.max(initial=0), problem.right_lengths.max(initial=0)))
    lcs = cdist(
        problem.left_strings[rows.start : rows.stop],
        problem.right_strings,
        scorer=LCSseq.similarity,
        dtype=np.uint16 if longest <= _LONGEST_SENTENCE_IN_16_BITS else np.uint32,
    )
    p = lcs / np.maximum.outer(lengths, problem.right_lengths)
    near = np.nonzero(p >= LOWEST_SIMILAR_WEIGHT)
    left, right = (near[0] + rows.start).astype(np.int32), near[1].astype(np.int32)
    cells = Cells(left, right, lcs[near].astype(np.int32), p[near], problem.words.weigh(left, right))
    return RowBlock(rows, heat_of(p), cells)


def heat_of(p: NDArray[np.float64]) -> HeatArray:
    """Scale P to a byte, for the eye."""
    return np.rint(p * HEAT_SCALE).astype(np.uint8)


def assemble(shape: tuple[int, int], blocks: Iterable[RowBlock]) -> ComparisonMatrix:
    """Put scored row blocks together, in whatever order they come; they must cover every row once."""
    heat = np.zeros(shape, dtype=np.uint8)
    ordered = sorted(blocks, key=lambda block: block.rows.start)
    for block in ordered:
        heat[block.rows.start : block.rows.stop] = block.heat
    columns = [
        np.concatenate([getattr(block.cells, name) for block in ordered] or [np.zeros(0, dtype=kind)])
        for name, kind in (("rows", "i4"), ("columns", "i4"), ("lcs", "i4"), ("p", "f8"), ("w", "f8"))
    ]
    return ComparisonMatrix(heat, Cells(*columns))

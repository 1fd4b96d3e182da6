"""Two subjects -> Comparison: the whole way, and the short way back when a threshold moves."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from simcompare.comparison.judgement import find_matches, similarity
from simcompare.comparison.matrix import MatrixProblem, assemble, pose_problem, row_blocks, score_rows
from simcompare.comparison.subject import Subject
from simcompare.comparison.values import Comparison, ComparisonMatrix, RowBlock
from simcompare.progress import Tick, no_tick
from simcompare.settings import ComparisonSettings
from simcompare.text.thesaurus import Thesaurus

MapBlocks = Callable[[Callable[[range], RowBlock], Iterable[range]], Iterator[RowBlock]]
"""How row blocks are run: the built-in map, or the map of any `concurrent.futures.Executor`."""


def compare(
    left: Subject,
    right: Subject,
    settings: ComparisonSettings,
    thesaurus: Thesaurus | None,
    *,
    tick: Tick = no_tick,
    map_blocks: MapBlocks = map,
) -> Comparison:
    """Compare two subjects sentence by sentence.

    `tick` is called after each row block with (rows done, rows); what it raises ends the comparison.
    """
    problem = pose_problem(left.prepared, right.prepared, thesaurus)
    matrix = _score(problem, tick, map_blocks)
    return conclude(left, right, settings, matrix)


def _score(problem: MatrixProblem, tick: Tick, map_blocks: MapBlocks) -> ComparisonMatrix:
    blocks: list[RowBlock] = []
    rows = problem.shape[0]
    for block in map_blocks(partial(score_rows, problem), row_blocks(problem)):
        blocks.append(block)
        tick(block.rows.stop, rows)
    return assemble(problem.shape, blocks)


def conclude(
    left: Subject, right: Subject, settings: ComparisonSettings, matrix: ComparisonMatrix
) -> Comparison:
    """Judge a finished matrix."""
    matches = find_matches(matrix.cells, matrix.shape, settings)
    shares = similarity(matches, left.prepared, right.prepared)
    return Comparison(left, right, settings, matrix, matches, shares)


def judge_again(comparison: Comparison, settings: ComparisonSettings) -> Comparison:
    """Return the comparison under other thresholds, from the scores it already has."""
    return conclude(comparison.left, comparison.right, settings, comparison.matrix)

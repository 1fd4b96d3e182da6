"""Marks of very many matches, which are drawn into a pyramid in steps."""

import numpy as np
from pytestqt.qtbot import QtBot

from simcompare.comparison.comparison_result import MatchKind
from simcompare.ui.compare.heatmap.heatmap_picture import (
    MAX_SINGLE_MARKS,
    HeatPyramid,
    MarkPyramid,
    MatchedCells,
)

SIDE = 601


def cells_of(kinds: np.ndarray) -> MatchedCells:
    """Make a matched cell of every entry of a matrix of kinds; negative entries are no matches."""
    rows, columns = np.nonzero(kinds >= 0)
    return MatchedCells(rows.astype(np.int32), columns.astype(np.int32), kinds[rows, columns].astype(np.int8))


def striped(shift: int) -> np.ndarray:
    kinds = np.add.outer(np.arange(SIDE), np.arange(SIDE) + shift) % 3
    kinds[::97] = -1
    return kinds


def drawn(marks: MarkPyramid) -> np.ndarray:
    assert marks.kinds is not None
    return marks.kinds.level_for(1)[0][:SIDE:7, :SIDE:7].astype(int)


def test_that_every_match_is_drawn_by_its_kind(qtbot: QtBot) -> None:
    ready: list[bool] = []
    marks, kinds = MarkPyramid(lambda: ready.append(True)), striped(0)
    assert (kinds >= 0).sum() > MAX_SINGLE_MARKS
    marks.show(cells_of(kinds), HeatPyramid(SIDE, SIDE))
    qtbot.waitUntil(lambda: bool(ready))
    assert (drawn(marks) == kinds[::7, ::7] + 1).all()


def test_that_the_old_marks_stay_until_the_new_ones_are_complete(qtbot: QtBot) -> None:
    ready: list[bool] = []
    marks = MarkPyramid(lambda: ready.append(True))
    marks.show(cells_of(striped(0)), HeatPyramid(SIDE, SIDE))
    qtbot.waitUntil(lambda: len(ready) == 1)
    before = marks.kinds
    marks.show(cells_of(striped(1)), HeatPyramid(SIDE, SIDE))
    assert marks.kinds is before
    qtbot.waitUntil(lambda: len(ready) == 2)
    assert (drawn(marks) == striped(1)[::7, ::7] + 1).all()


def test_that_few_matches_are_marked_one_by_one(qtbot: QtBot) -> None:
    marks = MarkPyramid(lambda: None)
    marks.show(cells_of(striped(0)), HeatPyramid(SIDE, SIDE))
    few = MatchedCells(np.array([3], np.int32), np.array([4], np.int32), np.array([MatchKind.EXACT], np.int8))
    marks.show(few, HeatPyramid(SIDE, SIDE))
    assert marks.kinds is None

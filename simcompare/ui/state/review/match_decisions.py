"""Teacher's decisions on the matches of a comparison, as arrays in match order, and the listed passages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.comparison_result import BoolArray, Comparison
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.session.decisions import Decision, NotedDecision
from simcompare.session.passage_decisions import Decided, PassageDecisions
from simcompare.text.prepared_text import IndexArray

Cell = tuple[int, int]
"""Sentence index in the left text and in the right text."""


class DecisionFilter(Enum):
    """Filter of the passage list by decision or note."""

    ALL = "all"
    UNDECIDED = "undecided"
    COPIED = "copied"
    FINE = "fine"
    NOTED = "noted"


@dataclass(frozen=True, slots=True, eq=False)
class MatchDecisions(Decided):
    """Decisions and notes on the matches of a comparison; columns in match order, notes by match index."""

    notes: Mapping[int, str]

    def with_decision(self, index: int, noted_decision: NotedDecision) -> "MatchDecisions":
        """Copy with another decision or note for one match."""
        copied, fine, notes = self.copied.copy(), self.fine.copy(), dict(self.notes)
        copied[index] = noted_decision.decision is Decision.COPIED
        fine[index] = noted_decision.decision is Decision.FINE
        notes.pop(index, None)
        if noted_decision.note.strip():
            notes[index] = noted_decision.note
        return MatchDecisions(copied, fine, notes)


def decision_mask(decisions: PassageDecisions, decision_filter: DecisionFilter) -> BoolArray:
    """Mask of the passages that pass the filter."""
    if decision_filter is DecisionFilter.UNDECIDED:
        return decisions.undecided
    if decision_filter in (DecisionFilter.COPIED, DecisionFilter.FINE):
        return decisions.copied if decision_filter is DecisionFilter.COPIED else decisions.fine
    chosen = np.full(len(decisions.copied), decision_filter is DecisionFilter.ALL)
    if decision_filter is DecisionFilter.NOTED:
        chosen[list(decisions.notes)] = True
    return chosen


def listed_passages(
    passages: NumberedPassages,
    decisions: PassageDecisions,
    shown_kinds: frozenset[PassageKind],
    decision_filter: DecisionFilter,
) -> IndexArray:
    """List the indices of the passages that pass both filters, ascending."""
    is_shown = np.array([kind in shown_kinds for kind in PASSAGE_KINDS])
    return np.flatnonzero(is_shown[passages.kinds] & decision_mask(decisions, decision_filter))


def no_decisions(count: int) -> MatchDecisions:
    """Empty decisions for `count` matches."""
    return MatchDecisions(np.zeros(count, np.bool_), np.zeros(count, np.bool_), {})


def arrange_decisions(comparison: Comparison | None, cells: Mapping[Cell, NotedDecision]) -> MatchDecisions:
    """Arrange decisions given by cell in match order."""
    columns = no_decisions(len(comparison.matches) if comparison is not None else 0)
    if comparison is None or not len(columns.copied) or not cells:
        return columns
    places = _match_indices(comparison, list(cells))
    found, held = places >= 0, list(cells.values())
    for column, decision in ((columns.copied, Decision.COPIED), (columns.fine, Decision.FINE)):
        column[places[found]] = np.array([with_decision.decision is decision for with_decision in held])[
            found
        ]
    notes = {
        place: with_decision.note
        for place, with_decision in zip(places.tolist(), held, strict=True)
        if with_decision.note
    }
    return MatchDecisions(columns.copied, columns.fine, {n: note for n, note in notes.items() if n >= 0})


def _match_indices(comparison: Comparison, cells: Sequence[Cell]) -> NDArray[np.intp]:
    """Match index of each cell, -1 without a match; matches are sorted by row, then column."""
    width = comparison.matrix.shape[1]
    found = comparison.matches.cells
    matches = found.rows.astype(np.int64) * width + found.columns
    wanted = np.array(cells, np.int64) @ np.array([width, 1])
    places = np.minimum(np.searchsorted(matches, wanted), len(matches) - 1)
    return np.where(matches[places] == wanted, places, -1)

"""Teacher's decisions on the matches of a comparison, as arrays in match order, and the listed passages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.comparison_result import BoolArray, Comparison, MatchKind
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.session.decisions import Decision, NotedDecision
from simcompare.session.passage_decisions import Decided, PassageDecisions
from simcompare.text.prepared_text import IndexArray

_CHUNK_SIZE = 100_000
Cell = tuple[int, int]
"""Sentence index in the left text and in the right text."""
Kinds = NDArray[np.int8]
"""MatchKind values in match order."""
MatchIndices = NDArray[np.intp] | NDArray[np.int32]
"""Match indices in ascending order."""


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
    _listed: dict[tuple[frozenset[MatchKind], DecisionFilter], tuple[Kinds, MatchIndices]] = field(
        default_factory=dict, init=False, repr=False
    )
    """Last result of `listed`: the list and the steps through it ask for the same among millions of matches.
    """

    def with_decision(self, index: int, noted_decision: NotedDecision) -> "MatchDecisions":
        """Copy with another decision or note for one match."""
        copied, fine, notes = self.copied.copy(), self.fine.copy(), dict(self.notes)
        copied[index] = noted_decision.decision is Decision.COPIED
        fine[index] = noted_decision.decision is Decision.FINE
        notes.pop(index, None)
        if noted_decision.note.strip():
            notes[index] = noted_decision.note
        return MatchDecisions(copied, fine, notes)

    def decision_mask(self, decision_filter: DecisionFilter) -> NDArray[np.bool_]:
        """Mask of the matches that pass the filter."""
        if decision_filter is DecisionFilter.UNDECIDED:
            return self.undecided
        if decision_filter in (DecisionFilter.COPIED, DecisionFilter.FINE):
            return self.copied if decision_filter is DecisionFilter.COPIED else self.fine
        chosen = np.full(len(self.copied), decision_filter is DecisionFilter.ALL)
        if decision_filter is DecisionFilter.NOTED:
            chosen[list(self.notes)] = True
        return chosen

    def count(self, decision_filter: DecisionFilter) -> int:
        """Count the matches that pass the filter."""
        if decision_filter is DecisionFilter.ALL:
            return len(self.copied)
        if decision_filter is DecisionFilter.NOTED:
            return len(self.notes)
        copied, fine = int(np.count_nonzero(self.copied)), int(np.count_nonzero(self.fine))
        return {DecisionFilter.COPIED: copied, DecisionFilter.FINE: fine}.get(
            decision_filter, len(self.copied) - copied - fine
        )

    def listed(
        self, kinds: Kinds, shown_kinds: frozenset[MatchKind], decision_filter: DecisionFilter
    ) -> MatchIndices:
        """List the indices of matches that pass both filters; `kinds` has the kinds of all matches.

        The array is shared: do not write to it.
        """
        held = self._listed.get((shown_kinds, decision_filter))
        if held is None or held[0] is not kinds:
            self._listed.clear()
            held = self._listed[shown_kinds, decision_filter] = (
                kinds,
                self._filtered(kinds, shown_kinds, decision_filter),
            )
        return held[1]

    def _filtered(
        self, kinds: Kinds, shown_kinds: frozenset[MatchKind], decision_filter: DecisionFilter
    ) -> MatchIndices:
        chosen = None if decision_filter is DecisionFilter.ALL else self.decision_mask(decision_filter)
        for kind in MatchKind:
            if kind not in shown_kinds:
                chosen = kinds != kind if chosen is None else chosen & (kinds != kind)
        return _all_indices(len(kinds)) if chosen is None or chosen.all() else np.flatnonzero(chosen)

    def next_undecided(
        self, kinds: NDArray[np.int8], shown_kinds: frozenset[MatchKind], start: int
    ) -> int | None:
        """Find the first undecided match of the shown kinds from `start` on, else from the first match on."""
        hidden = [kind for kind in MatchKind if kind not in shown_kinds]
        count, step = len(kinds), _CHUNK_SIZE
        for first in chain(range(start, count, step), range(0, start, step)):
            part = slice(first, first + step)
            sought: NDArray[np.bool_] = ~(self.copied[part] | self.fine[part])
            for kind in hidden:
                sought &= kinds[part] != kind
            if sought.any():
                place: int = first + int(sought.argmax())
                return place
        return None


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


def list_position(listed: MatchIndices, index: int) -> int:
    """Position of a match index in a sorted array, or where it would be inserted."""
    # with a key of another type numpy would convert the whole array first
    return int(np.searchsorted(listed, listed.dtype.type(index)))


def count_kinds(kinds: Kinds) -> dict[MatchKind, int]:
    """Count the matches of each kind."""
    parts = [kinds[first : first + _CHUNK_SIZE] for first in range(0, len(kinds), _CHUNK_SIZE)]
    return {kind: sum(int(np.count_nonzero(part == kind)) for part in parts) for kind in MatchKind}


@lru_cache(maxsize=1)
def _all_indices(count: int) -> MatchIndices:
    """Return the indices 0 to count - 1, shared and read-only: there may be millions.

    int32 takes a tenth of the time of int64: allocating new memory dominates.
    """
    indices = np.arange(count, dtype=np.int32)
    indices.setflags(write=False)
    return indices


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

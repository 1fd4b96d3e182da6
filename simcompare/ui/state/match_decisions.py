"""What was judged of the matches of a comparison, in columns along them, and which of them are listed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.comparison_result import Comparison, MatchKind
from simcompare.session.decisions import Decision, NotedDecision

_SOUGHT_AT_ONCE = 100_000
Cell = tuple[int, int]
"""A sentence of the left text and one of the right."""
Kinds = NDArray[np.int8]
"""The MatchKind values of matches, in their order."""
Places = NDArray[np.intp] | NDArray[np.int32]
"""Indices of matches, rising."""


class Shown(Enum):
    """Which matches are listed, by what was made of them."""

    ALL = "all"
    UNDECIDED = "undecided"
    COPIED = "copied"
    FINE = "fine"
    NOTED = "noted"


@dataclass(frozen=True, slots=True, eq=False)
class MatchJudgements:
    """What was judged of the matches of a comparison.

    copied, fine: in the order of the matches, whether that was decided, never both; notes: by match index.
    """

    copied: NDArray[np.bool_]
    fine: NDArray[np.bool_]
    notes: Mapping[int, str]
    _listed: dict[tuple[frozenset[MatchKind], Shown], tuple[Kinds, Places]] = field(
        default_factory=dict, init=False, repr=False
    )
    """What was last asked for: the list and the steps through it ask for the same, of millions of matches."""

    @property
    def undecided(self) -> NDArray[np.bool_]:
        """Whether nothing was decided, with or without a note."""
        undecided: NDArray[np.bool_] = ~(self.copied | self.fine)
        return undecided

    def decision(self, index: int) -> Decision | None:
        """Return what was decided about a match."""
        if self.copied[index]:
            return Decision.COPIED
        return Decision.FINE if self.fine[index] else None

    def with_decision(self, index: int, noted_decision: NotedDecision) -> "MatchJudgements":
        """Return a copy in which one match is judged so."""
        copied, fine, notes = self.copied.copy(), self.fine.copy(), dict(self.notes)
        copied[index] = noted_decision.decision is Decision.COPIED
        fine[index] = noted_decision.decision is Decision.FINE
        notes.pop(index, None)
        if noted_decision.note.strip():
            notes[index] = noted_decision.note
        return MatchJudgements(copied, fine, notes)

    def shown(self, shown: Shown) -> NDArray[np.bool_]:
        """Whether each match is among those shown."""
        if shown is Shown.UNDECIDED:
            return self.undecided
        if shown in (Shown.COPIED, Shown.FINE):
            return self.copied if shown is Shown.COPIED else self.fine
        chosen = np.full(len(self.copied), shown is Shown.ALL)
        if shown is Shown.NOTED:
            chosen[list(self.notes)] = True
        return chosen

    def count(self, shown: Shown) -> int:
        """Return how many matches are among those shown."""
        if shown is Shown.ALL:
            return len(self.copied)
        if shown is Shown.NOTED:
            return len(self.notes)
        copied, fine = int(np.count_nonzero(self.copied)), int(np.count_nonzero(self.fine))
        return {Shown.COPIED: copied, Shown.FINE: fine}.get(shown, len(self.copied) - copied - fine)

    def listed(self, kinds: Kinds, shown_kinds: frozenset[MatchKind], shown: Shown) -> Places:
        """Return the indices of the matches of some kinds that are among those shown; all kinds are given.

        They are to be read only.
        """
        held = self._listed.get((shown_kinds, shown))
        if held is None or held[0] is not kinds:
            self._listed.clear()
            held = self._listed[shown_kinds, shown] = kinds, self._places_of(kinds, shown_kinds, shown)
        return held[1]

    def _places_of(self, kinds: Kinds, shown_kinds: frozenset[MatchKind], shown: Shown) -> Places:
        chosen = None if shown is Shown.ALL else self.shown(shown)
        for kind in MatchKind:
            if kind not in shown_kinds:
                chosen = kinds != kind if chosen is None else chosen & (kinds != kind)
        return _all_of(len(kinds)) if chosen is None or chosen.all() else np.flatnonzero(chosen)

    def next_undecided(
        self, kinds: NDArray[np.int8], shown_kinds: frozenset[MatchKind], start: int
    ) -> int | None:
        """Return the first undecided match of some kinds from an index on, else from the first match on."""
        hidden = [kind for kind in MatchKind if kind not in shown_kinds]
        count, step = len(kinds), _SOUGHT_AT_ONCE
        for first in chain(range(start, count, step), range(0, start, step)):
            part = slice(first, first + step)
            sought: NDArray[np.bool_] = ~(self.copied[part] | self.fine[part])
            for kind in hidden:
                sought &= kinds[part] != kind
            if sought.any():
                place: int = first + int(sought.argmax())
                return place
        return None


def place_among(listed: Places, index: int) -> int:
    """Return at which place among those listed a match is, or would be."""
    # the key must be of their type, or numpy would convert all of them first
    return int(np.searchsorted(listed, listed.dtype.type(index)))


def count_kinds(kinds: Kinds) -> dict[MatchKind, int]:
    """Return how many matches are of each kind."""
    parts = [kinds[first : first + _SOUGHT_AT_ONCE] for first in range(0, len(kinds), _SOUGHT_AT_ONCE)]
    return {kind: sum(int(np.count_nonzero(part == kind)) for part in parts) for kind in MatchKind}


@lru_cache(maxsize=1)
def _all_of(count: int) -> Places:
    """Return the indices of so many matches, to be read only: there may be millions, and two ask for them.

    In half the bytes they are there in a tenth of the time: what is new in memory costs most.
    """
    indices = np.arange(count, dtype=np.int32)
    indices.setflags(write=False)
    return indices


def no_judgements(count: int) -> MatchJudgements:
    """Return what stands for `count` matches of which nothing was judged."""
    return MatchJudgements(np.zeros(count, np.bool_), np.zeros(count, np.bool_), {})


def judgements_of(comparison: Comparison | None, cells: Mapping[Cell, NotedDecision]) -> MatchJudgements:
    """Lay judgements out along the matches of a comparison."""
    columns = no_judgements(len(comparison.matches) if comparison is not None else 0)
    if comparison is None or not len(columns.copied) or not cells:
        return columns
    places = _places(comparison, list(cells))
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
    return MatchJudgements(columns.copied, columns.fine, {n: note for n, note in notes.items() if n >= 0})


def _places(comparison: Comparison, cells: Sequence[Cell]) -> NDArray[np.intp]:
    """Return the index of the match in each cell, -1 where there is none; matches stand in reading order."""
    width = comparison.matrix.shape[1]
    found = comparison.matches.cells
    matches = found.rows.astype(np.int64) * width + found.columns
    wanted = np.array(cells, np.int64) @ np.array([width, 1])
    places = np.minimum(np.searchsorted(matches, wanted), len(matches) - 1)
    return np.where(matches[places] == wanted, places, -1)

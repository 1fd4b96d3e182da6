"""Decisions on the matches and passages of a comparison as columns, each with those that follow for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from simcompare.comparison.comparison_result import BoolArray, Comparison
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.session.decisions import Decision, MatchKey, NotedDecision, SentenceIndex
from simcompare.session.passage_keys import KeyedDecisions
from simcompare.text.prepared_text import IndexArray

Cell = tuple[int, int]
"""Sentence index in the left text and in the right text."""


@dataclass(frozen=True, slots=True, eq=False)
class Decided:
    """Decisions on the items of a list: two boolean columns of shape (n,), never both true."""

    copied: BoolArray
    fine: BoolArray

    def decision(self, index: int) -> Decision | None:
        """Decision on one item."""
        if self.copied[index]:
            return Decision.COPIED
        return Decision.FINE if self.fine[index] else None

    @property
    def undecided(self) -> BoolArray:
        """Mask of the items without a decision."""
        undecided: BoolArray = ~(self.copied | self.fine)
        return undecided


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


@dataclass(frozen=True, slots=True, eq=False)
class PassageDecisions(Decided):
    """Decisions on the passages of a list.

    A passage is decided as a whole by itself, unless decisions on its matches themselves differ, or because
    all its matches are decided alike.
    partly: some of it is decided, and it is not decided as a whole, shape (n,); closed: it is fine,
    or was decided to be fine and only some of its matches were not, shape (n,); notes: by index
    """

    partly: BoolArray
    closed: BoolArray
    notes: Mapping[int, str]

    @property
    def is_complete(self) -> bool:
        """True if there are passages, and all are decided as a whole."""
        return len(self.copied) > 0 and not self.undecided.any()

    def noted_decision(self, index: int) -> NotedDecision:
        """Decision and note on one passage."""
        return NotedDecision(self.decision(index), self.notes.get(index, ""))


_NOTHING = np.zeros(0, np.bool_)
NO_MATCH_DECISIONS = MatchDecisions(_NOTHING, _NOTHING, {})
NO_PASSAGE_DECISIONS = PassageDecisions(_NOTHING, _NOTHING, _NOTHING, _NOTHING, {})


def decided_cells(
    decisions: Mapping[MatchKey, NotedDecision], left: SentenceIndex, right: SentenceIndex
) -> dict[Cell, NotedDecision]:
    """Return the decisions on sentences that the texts have, matched or not, by cell."""
    cells = {}
    for key, noted in decisions.items():
        row, column = left.sentence_of(key.left), right.sentence_of(key.right)
        if row is not None and column is not None:
            cells[row, column] = noted
    return cells


def decisions_on_matches(comparison: Comparison, cells: Mapping[Cell, NotedDecision]) -> MatchDecisions:
    """Arrange decisions given by cell in match order; those on other sentences are left out."""
    count = len(comparison.matches)
    found: dict[int, NotedDecision] = {}
    if count and cells:
        places = zip(_match_indices(comparison, list(cells)).tolist(), cells.values(), strict=True)
        found = {place: noted for place, noted in places if place >= 0}
    notes = {place: noted.note for place, noted in found.items() if noted.note.strip()}
    copied, fine = (_mask(count, _indices(found, decision)) for decision in (Decision.COPIED, Decision.FINE))
    return MatchDecisions(copied, fine, notes)


def _match_indices(comparison: Comparison, cells: Sequence[Cell]) -> IndexArray:
    """Match index of each cell, -1 without a match; matches are sorted by row, then column."""
    width = comparison.matrix.shape[1]
    found = comparison.matches.cells
    matches = found.rows.astype(np.int64) * width + found.columns
    wanted = np.array(cells, np.int64) @ np.array([width, 1])
    places = np.minimum(np.searchsorted(matches, wanted), len(matches) - 1)
    return np.where(matches[places] == wanted, places, -1)


def effective_on_matches(
    passages: NumberedPassages, own: MatchDecisions, decided: Mapping[int, NotedDecision]
) -> MatchDecisions:
    """Decide each match that has no decision of its own by the passages that hold it.

    Copied if one of them is copied, fine if all of them are fine. own: decisions on matches themselves.
    """
    if not decided:
        return own
    copied_passages = _mask(len(passages), _indices(decided, Decision.COPIED))
    fine_passages = _mask(len(passages), _indices(decided, Decision.FINE))
    owners = _owners(passages)
    matches = passages.match_indices
    in_copied = _mask(len(own.copied), matches[copied_passages[owners]])
    in_fine = _mask(len(own.copied), matches[fine_passages[owners]])
    in_other = _mask(len(own.copied), matches[~fine_passages[owners]])
    undecided = own.undecided
    return replace(
        own,
        copied=own.copied | (undecided & in_copied),
        fine=own.fine | (undecided & in_fine & ~in_other),
    )


def decisions_on_passages(
    passages: NumberedPassages,
    own: MatchDecisions,
    effective: MatchDecisions,
    keyed: KeyedDecisions,
) -> PassageDecisions:
    """Summarise the decisions and notes on passages.

    own: decisions on matches themselves; effective: with those on their passages (`effective_on_matches`);
    keyed: decisions on passages themselves. A passage of one match also has the note of its match.
    """
    decided = keyed.decided
    sizes = np.diff(passages.match_bounds)
    owners = _owners(passages)
    own_copied, own_fine, all_copied, all_fine = (
        np.bincount(owners[column[passages.match_indices]], minlength=len(passages))
        for column in (own.copied, own.fine, effective.copied, effective.fine)
    )
    copied_itself = _mask(len(passages), _indices(decided, Decision.COPIED))
    fine_itself = _mask(len(passages), _indices(decided, Decision.FINE))
    # in a passage with a decision, overlapping passages do not count against it
    alike_copied = (sizes > 0) & (np.where(fine_itself, own_copied, all_copied) == sizes)
    alike_fine = (sizes > 0) & (np.where(copied_itself, own_fine, all_fine) == sizes)
    is_copied = alike_copied | (copied_itself & (own_fine == 0))
    is_fine = alike_fine | (fine_itself & (own_copied == 0))
    return PassageDecisions(
        is_copied,
        is_fine,
        partly=((all_copied + all_fine > 0) | _mask(len(passages), list(keyed.partly)))
        & ~is_copied
        & ~is_fine,
        closed=is_fine | (fine_itself & ~is_copied),
        notes=_notes_on_passages(passages, own.notes, decided),
    )


def _notes_on_passages(
    passages: NumberedPassages, match_notes: Mapping[int, str], decided: Mapping[int, NotedDecision]
) -> Mapping[int, str]:
    notes = {index: noted.note for index, noted in decided.items() if noted.note.strip()}
    if match_notes:
        single = np.flatnonzero(np.diff(passages.match_bounds) == 1)
        only_match = passages.match_indices[passages.match_bounds[single]]
        for index, match in zip(single.tolist(), only_match.tolist(), strict=True):
            if match in match_notes:
                both = match_notes[match], notes.get(index, "")
                notes[index] = "\n".join(dict.fromkeys(filter(None, both)))
    return notes


def _indices(decided: Mapping[int, NotedDecision], decision: Decision) -> list[int]:
    return [index for index, noted in decided.items() if noted.decision is decision]


def _owners(passages: NumberedPassages) -> IndexArray:
    """Return the passage of each entry of `match_indices`."""
    return np.repeat(np.arange(len(passages)), np.diff(passages.match_bounds))


def _mask(size: int, indices: list[int] | IndexArray) -> BoolArray:
    mask = np.zeros(size, np.bool_)
    mask[indices] = True
    return mask

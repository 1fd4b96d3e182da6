"""Decisions on what a comparison found: its matches and passages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.decided_shares import DecidedShares, shares_after_decisions
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.session.decisions import (
    NO_DECISION,
    Decision,
    DecisionKey,
    MatchKey,
    NotedDecision,
    PairReview,
    PassageKey,
    SentenceIndex,
)
from simcompare.session.passage_decisions import (
    PassageDecisions,
    PassageKeys,
    decided_by_key,
    decisions_on_passages,
    effective_on_matches,
)
from simcompare.ui.state.review.match_decisions import Cell, MatchDecisions, arrange_decisions

DecisionsByKey = dict[DecisionKey, NotedDecision]


class FoundDecisions:
    """Decisions on the matches and passages of one comparison, and changes of them by key.

    indexes: returns the sentence indexes of the two texts; called only once decisions are read or made
    """

    def __init__(
        self,
        comparison: Comparison,
        passages: NumberedPassages,
        indexes: Callable[[], tuple[SentenceIndex, SentenceIndex]],
    ) -> None:
        self._comparison = comparison
        self._passages = passages
        self._indexes = indexes
        self._cells: dict[Cell, NotedDecision] = {}
        """Decisions on pairs of sentences themselves, not through a passage."""
        self._by_passage: Mapping[int, NotedDecision] = {}
        """Decisions on passages themselves, not through their matches."""
        self._matches: MatchDecisions | None = None
        self._on_passages: PassageDecisions | None = None
        self._shares: DecidedShares | None = None

    # following

    def read(self, review: PairReview) -> None:
        """Find the matches and passages that a review decides."""
        self._forget_columns()
        found = ((self.cell_of(key), noted) for key, noted in review.matches.items())
        self._cells = {cell: noted for cell, noted in found if cell is not None}
        self._find_passages(review)

    def reclassify(self, comparison: Comparison, passages: NumberedPassages, review: PairReview) -> None:
        """Use another classification of the same sentences."""
        self._comparison, self._passages = comparison, passages
        self._forget_columns()
        self._find_passages(review)

    def put(self, changed: Sequence[tuple[DecisionKey, NotedDecision]], review: PairReview) -> None:
        """Follow changed decisions; `review` has them already."""
        columns = self._matches
        self._forget_columns()
        for key, noted in changed:
            cell = self.cell_of(key) if isinstance(key, MatchKey) else None
            if cell is None:
                continue
            self._cells.pop(cell, None)
            if not noted.is_empty:
                self._cells[cell] = noted
            index = self.match_index(cell)
            if columns is not None and index is not None:
                columns = columns.with_decision(index, noted)
        if any(isinstance(key, PassageKey) for key, _noted in changed):
            self._find_passages(review)
        elif not self._by_passage:
            self._matches = columns  # quick, as each letter of a note that is typed arrives here

    def _find_passages(self, review: PairReview) -> None:
        self._by_passage = decided_by_key(self._keys(), review.passages) if review.passages else {}

    def _forget_columns(self) -> None:
        self._matches = self._on_passages = self._shares = None

    # reading

    def decision_of(self, cell: Cell) -> NotedDecision:
        """Decision on two sentences, or that on their passage."""
        own, index = self._own(cell), self.match_index(cell)
        return own if index is None else replace(own, decision=self.matches.decision(index))

    @property
    def matches(self) -> MatchDecisions:
        """Decisions in match order, their own or those on their passages."""
        if self._matches is None:
            own = arrange_decisions(self._comparison, self._cells)
            effective = effective_on_matches(self._passages, own, self._by_passage)
            self._matches = MatchDecisions(effective.copied, effective.fine, own.notes)
        return self._matches

    @property
    def passages(self) -> PassageDecisions:
        """Decisions in the order of the passages."""
        if self._on_passages is None:
            self._on_passages = decisions_on_passages(
                self._passages, self.matches, self._by_passage, self.matches.notes
            )
        return self._on_passages

    @property
    def shares(self) -> DecidedShares:
        """Shares after decisions."""
        if self._shares is None:
            self._shares = shares_after_decisions(
                self._comparison, self._passages, self.matches.fine, self.passages.fine
            )
        return self._shares

    def match_index(self, cell: Cell) -> int | None:
        """Index of the match between two sentences."""
        return self._comparison.matches.index_of(*cell)

    def cell_of(self, key: MatchKey) -> Cell | None:
        """Sentences with these keys."""
        left, right = self._indexes()
        row, column = left.sentence_of(key.left), right.sentence_of(key.right)
        return None if row is None or column is None else (row, column)

    def passage_of(self, key: PassageKey) -> int | None:
        """Index of the first passage with this key."""
        return next(iter(self._keys().indices(key)), None)

    # changes by key

    def decide(self, cell: Cell, decision: Decision | None) -> DecisionsByKey:
        """Decide on a match; to withdraw from it what its passage has leaves that to the other matches."""
        index = self.match_index(cell)
        if index is None:
            return {}
        after: DecisionsByKey = {}
        if decision is None:
            for passage, noted in self._by_passage.items():
                if noted.decision is not None and index in self._passages.matches_of(passage):
                    after |= self._split(passage, noted)
        after[self._match_key(cell)] = replace(self._own(cell), decision=decision)
        return after

    def decide_passages(self, indices: Sequence[int], decision: Decision | None) -> DecisionsByKey:
        """Decide on passages, and so on all their matches; a passage of one match is decided by it."""
        after: DecisionsByKey = {}
        keys = self._keys()
        for index in indices:
            cells, noted = self._cells_of(index), self._by_passage.get(index, NO_DECISION)
            for cell in cells:
                if self._own(cell).decision is not None:
                    after[self._match_key(cell)] = replace(self._own(cell), decision=None)
            if len(cells) == 1:
                after[self._match_key(cells[0])] = replace(self._own(cells[0]), decision=decision)
                after[keys.key(index)] = replace(noted, decision=None)
            else:
                after[keys.key(index)] = replace(noted, decision=decision)
        return after

    def note(self, cell: Cell, note: str) -> DecisionsByKey:
        """Set the note on a match."""
        is_match = self.match_index(cell) is not None
        return {self._match_key(cell): replace(self._own(cell), note=note)} if is_match else {}

    def note_passage(self, index: int, note: str) -> DecisionsByKey:
        """Set the note on a passage, for a passage of one match on that match."""
        cells = self._cells_of(index)
        if len(cells) == 1:
            return self.note(cells[0], note)
        return {self._keys().key(index): replace(self._by_passage.get(index, NO_DECISION), note=note)}

    def _split(self, passage: int, noted: NotedDecision) -> DecisionsByKey:
        """Turn the decision on a passage into decisions on its matches."""
        after: DecisionsByKey = {self._keys().key(passage): replace(noted, decision=None)}
        for cell in self._cells_of(passage):
            own = self._own(cell)
            after[self._match_key(cell)] = replace(own, decision=own.decision or noted.decision)
        return after

    def _own(self, cell: Cell) -> NotedDecision:
        return self._cells.get(cell, NO_DECISION)

    def _cells_of(self, passage: int) -> list[Cell]:
        matches, cells = self._passages.matches_of(passage), self._comparison.matches.cells
        return list(zip(cells.rows[matches].tolist(), cells.columns[matches].tolist(), strict=True))

    def _match_key(self, cell: Cell) -> MatchKey:
        left, right = self._indexes()
        return MatchKey(left.keys[cell[0]], right.keys[cell[1]])

    def _keys(self) -> PassageKeys:
        return PassageKeys(self._comparison, self._passages, *self._indexes())

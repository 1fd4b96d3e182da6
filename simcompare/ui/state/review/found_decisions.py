"""Decisions on what a comparison found: its matches and passages."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import cache, cached_property
from itertools import chain

import numpy as np

from simcompare.comparison.citations.citation import CitationGroup
from simcompare.comparison.comparison_result import BothShares, Comparison
from simcompare.comparison.decided_shares import shares_after_decisions
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.document import BlockKind
from simcompare.session.decisions import (
    NO_DECISION,
    NO_KEYED_DECISIONS,
    Cell,
    Decision,
    DecisionKey,
    KeyedDecisions,
    MatchDecisions,
    MatchKey,
    NotedDecision,
    PairReview,
    PassageDecisions,
    PassageKey,
    PassageKeys,
    SentenceIndex,
    decided_by_key,
    decided_cells,
    decisions_on_matches,
    decisions_on_passages,
    effective_on_matches,
    put_decision,
)
from simcompare.support.arrays import BoolArray, IndexArray, Int32Array
from simcompare.support.lazy import weak_cache

_HEADINGS = (BlockKind.TITLE, BlockKind.HEADING)


class DecisionFilter(Enum):
    ALL = "all"
    UNDECIDED = "undecided"
    COPIED = "copied"
    FINE = "fine"
    NOTED = "noted"
    QUOTED_AND_CITED = CitationGroup.QUOTED_AND_CITED
    CITED = CitationGroup.CITED
    QUOTED = CitationGroup.QUOTED
    NEITHER = CitationGroup.NEITHER

    @property
    def is_of_citations(self) -> bool:
        return isinstance(self.value, CitationGroup)


class PassageOrder(Enum):
    PLACE = "place"
    LENGTH = "length"
    WORDS = "words"
    """Share of the words in common."""


_MOST_OF_HEADING = 40
"""Most characters of a heading that no style marks."""
_NUMBERED = re.compile(
    r"\s*(?:第[一二三四五六七八九十百\d]+[章节回部篇]|[(（]?(?:[一二三四五六七八九十]+|\d+)[)）、．]"
    r"|\d+(?:\.\d+)*\.?\s|[IVX]+\.\s|(?:chapter|section|part)\s+\w+)\s*",
    re.IGNORECASE,
)
_SENTENCE_END = tuple("。！？；，.!?;,…")


def headings_in_both(comparison: Comparison, passages: NumberedPassages) -> BoolArray:
    """Return which passages are only a heading, by style or number, that is equal in both texts."""
    spans = passages.left_spans, passages.right_spans
    most = np.maximum(*(each[:, 1] - each[:, 0] for each in spans))
    short = np.flatnonzero(most <= _MOST_OF_HEADING)
    sides = zip((comparison.left, comparison.right), spans, strict=True)
    headings = zip(*(_headings_at(side, each[short]) for side, each in sides), strict=True)
    found = np.zeros(len(passages), np.bool_)
    found[short] = [own == other != "" for own, other in headings]
    return found


def _headings_at(text: PreparedDocument, spans: Int32Array) -> list[str]:
    """Return the heading that holds each span, without its number; "" if it is none."""
    blocks, heading = _blocks(text)
    places = np.searchsorted(blocks[:, 0], spans[:, 0], side="right") - 1
    is_held = blocks[places, 1] >= spans[:, 1]
    return [heading(place) if held else "" for place, held in zip(places.tolist(), is_held, strict=True)]


@weak_cache(weak=1, most=2)  # for each step of a slider
def _blocks(text: PreparedDocument) -> tuple[IndexArray, Callable[[int], str]]:
    """Return the spans of the blocks of a text, and what finds the heading that a block is."""
    blocks, whole = text.document.blocks, text.document.text

    @cache
    def heading(place: int) -> str:
        line = blocks[place].span.of(whole).strip()
        number = _NUMBERED.match(line)
        is_short = len(line) <= _MOST_OF_HEADING and not line.endswith(_SENTENCE_END)
        if blocks[place].kind not in _HEADINGS and not (number is not None and is_short):
            return ""
        return line[number.end() if number is not None else 0 :].casefold()

    return np.array([(block.span.start, block.span.end) for block in blocks], np.intp), heading


def in_order(
    passages: NumberedPassages, chosen: IndexArray, order: PassageOrder, least_units: int
) -> IndexArray:
    """Return those of the chosen passages that are long enough on their shorter side, in an order."""
    units = passages.units[chosen]
    if order is not PassageOrder.PLACE:
        weights = units if order is PassageOrder.LENGTH else passages.in_common[chosen]
        heaviest_first = np.argsort(-weights, kind="stable")
        chosen, units = chosen[heaviest_first], units[heaviest_first]
    return chosen[units >= least_units]


def decision_mask(decisions: PassageDecisions, decision_filter: DecisionFilter) -> BoolArray:
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
    citations: Sequence[CitationGroup | None] = (),
) -> IndexArray:
    """List the indices of the passages that pass both filters, ascending; citations: for filters of these."""
    is_shown = np.array([kind in shown_kinds for kind in PASSAGE_KINDS])
    if decision_filter.is_of_citations:
        chosen = np.array([group is decision_filter.value for group in citations], np.bool_)
    else:
        chosen = decision_mask(decisions, decision_filter)
    return np.flatnonzero(is_shown[passages.kinds] & chosen)


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
        self._by_key: dict[PassageKey, NotedDecision] = {}
        """Decisions on passages themselves, also on those that are not in the list."""
        self._keyed: KeyedDecisions = NO_KEYED_DECISIONS
        """Decisions on passages of the list themselves, not through their matches."""

    # following

    def read(self, review: PairReview) -> None:
        self._cells = decided_cells(review.matches, *self._indexes()) if review.matches else {}
        self._by_key = dict(review.passages)
        self._forget("_own")
        self._find_passages()

    def reclassify(self, comparison: Comparison, passages: NumberedPassages) -> None:
        self._comparison, self._passages = comparison, passages
        self._forget("_keys", "_own")
        self._find_passages()

    def put(self, changed: Mapping[DecisionKey, NotedDecision]) -> None:
        for key, noted in changed.items():
            if isinstance(key, PassageKey):
                put_decision(self._by_key, key, noted)
            elif key is not None and (cell := self.cell_of(key)) is not None:
                put_decision(self._cells, cell, noted)
                self._put_own(cell, noted, is_only=len(changed) == 1)
        if any(isinstance(key, PassageKey) for key in changed):
            self._find_passages()
        else:
            self._forget_effective()

    def _put_own(self, cell: Cell, noted: NotedDecision, *, is_only: bool) -> None:
        """Follow the change of a match in the column; several changes make a new column later."""
        index = self.match_index(cell)
        if not is_only:
            self._forget("_own")
        elif "_own" in vars(self) and index is not None:
            self._own = self._own.with_decision(index, noted)

    def _find_passages(self) -> None:
        self._forget_effective()
        self._keyed = decided_by_key(self._keys, self._by_key) if self._by_key else NO_KEYED_DECISIONS

    def _forget_effective(self) -> None:
        self._forget("matches", "passages", "shares")

    def _forget(self, *computed: str) -> None:
        for name in computed:
            vars(self).pop(name, None)

    # reading

    def decision_of(self, cell: Cell) -> NotedDecision:
        own, index = self._own_decision(cell), self.match_index(cell)
        return own if index is None else replace(own, decision=self.matches.decision(index))

    @cached_property
    def _own(self) -> MatchDecisions:
        return decisions_on_matches(self._comparison, self._cells)

    @cached_property
    def matches(self) -> MatchDecisions:
        return effective_on_matches(self._passages, self._own, self._keyed.decided)

    @cached_property
    def passages(self) -> PassageDecisions:
        return decisions_on_passages(self._passages, self._own, self.matches, self._keyed)

    @cached_property
    def shares(self) -> BothShares:
        fine, closed = self.matches.fine, self.passages.closed
        return shares_after_decisions(self._comparison, self._passages, fine, closed)

    def match_index(self, cell: Cell) -> int | None:
        return self._comparison.matches.index_of(*cell)

    def is_beside_others(self, cell: Cell) -> bool:
        index = self.match_index(cell)
        passage = None if index is None else self._passages.of_match(index)
        return passage is not None and len(self._passages.matches_of(passage)) > 1

    def cell_of(self, key: MatchKey) -> Cell | None:
        left, right = self._indexes()
        row, column = left.sentence_of(key.left), right.sentence_of(key.right)
        return None if row is None or column is None else (row, column)

    def passage_of(self, key: PassageKey) -> int | None:
        """Index of the first passage with this key, or of one that a decision by it applies to."""
        return next(iter(self._keys.indices(key) or self._keys.indices_sharing(key)), None)

    # changes by key

    def decide(
        self, cells: Sequence[Cell], indices: Sequence[int], decision: Decision | None
    ) -> DecisionsByKey:
        """Decide on matches, and on passages and so on all their matches.

        A passage of one match is decided by it. To withdraw from a match what its passage has leaves that to
        the passage's other matches; so does withdrawing the decision on a passage inside another one, which
        would have the other's decision otherwise.
        """
        decided = [cell for cell in cells if self.match_index(cell) is not None]
        cells_of = {index: self._cells_of(index) for index in indices}
        if decision is None:
            decided += self._cells_decided_by_others(cells_of)
        after = self._split_passages_of(decided, frozenset(indices), decision)
        for cell in chain.from_iterable(cells_of.values()):
            if self._own_decision(cell).decision is not None:
                after[self._match_key(cell)] = replace(self._own_decision(cell), decision=None)
        # after all others, as a passage of one match may overlap a larger one with that match
        for index, inside in cells_of.items():
            noted, is_single = self._keyed.decided.get(index, NO_DECISION), len(inside) == 1
            decided += inside if is_single else []
            after[self._keys.key(index)] = replace(noted, decision=None if is_single else decision)
        for cell in decided:
            after[self._match_key(cell)] = replace(self._own_decision(cell), decision=decision)
        return after

    def _cells_decided_by_others(self, cells_of: Mapping[int, Sequence[Cell]]) -> list[Cell]:
        """List the cells of those passages whose matches all lie in other passages with a decision.

        cells_of: cells of each passage, by its index
        """
        others = (
            self._cells_of(index)
            for index, noted in self._keyed.decided.items()
            if noted.decision is not None and index not in cells_of
        )
        elsewhere = set(chain.from_iterable(others))
        return [cell for cells in cells_of.values() if elsewhere.issuperset(cells) for cell in cells]

    def _split_passages_of(
        self, cells: Sequence[Cell], kept: Collection[int], decision: Decision | None
    ) -> DecisionsByKey:
        """Turn decisions on passages that would contradict those on matches in them into ones on matches.

        These are passages of one match, and to withdraw a decision all with the match. kept: indices of
        passages not turned, whose decisions by keys of other passages are removed
        """
        split: dict[int, NotedDecision] = {}
        matches = {self.match_index(cell) for cell in cells}
        for passage, noted in self._keyed.decided.items() if matches else ():
            inside = self._passages.matches_of(passage).tolist()
            is_split = (decision is None or len(inside) == 1) and not matches.isdisjoint(inside)
            if is_split and noted.decision is not None and passage not in kept:
                split[passage] = noted
        after = self._rekeyed({*split, *kept})
        for passage, noted in split.items():
            after |= self._split(passage, noted)
        return after

    def note(self, cell: Cell, note: str) -> DecisionsByKey:
        is_match = self.match_index(cell) is not None
        return {self._match_key(cell): replace(self._own_decision(cell), note=note)} if is_match else {}

    def note_passage(self, index: int, note: str) -> DecisionsByKey:
        """Set the note on a passage, for a passage of one match on that match."""
        cells, noted = self._cells_of(index), self._keyed.decided.get(index, NO_DECISION)
        on_passage = self._rekeyed([index])
        if len(cells) == 1:
            return self.note(cells[0], note) | {self._keys.key(index): replace(noted, note="")} | on_passage
        return {self._keys.key(index): replace(noted, note=note)} | on_passage

    def _split(self, passage: int, noted: NotedDecision) -> DecisionsByKey:
        """Turn the decision on a passage into decisions on its matches."""
        after: DecisionsByKey = {self._keys.key(passage): replace(noted, decision=None)}
        for cell in self._cells_of(passage):
            own = self._own_decision(cell)
            after[self._match_key(cell)] = replace(own, decision=own.decision or noted.decision)
        return after

    def _rekeyed(self, indices: Collection[int]) -> DecisionsByKey:
        """Replace the keys of decisions that also apply to passages changed now.

        Their other passages keep the decision under keys of their own. indices: passages changed now
        """
        replaced = {key for index in indices for key in self._keyed.sources.get(index, ())}
        after: DecisionsByKey = dict.fromkeys(replaced, NO_DECISION)
        for index, keys in self._keyed.sources.items() if replaced else ():
            if index not in indices and not replaced.isdisjoint(keys):
                after[self._keys.key(index)] = self._keyed.decided[index]
        return after

    def _own_decision(self, cell: Cell) -> NotedDecision:
        return self._cells.get(cell, NO_DECISION)

    def _cells_of(self, passage: int) -> list[Cell]:
        matches, cells = self._passages.matches_of(passage), self._comparison.matches.cells
        return list(zip(cells.rows[matches].tolist(), cells.columns[matches].tolist(), strict=True))

    def _match_key(self, cell: Cell) -> MatchKey:
        left, right = self._indexes()
        return MatchKey(left.keys[cell[0]], right.keys[cell[1]])

    @cached_property
    def _keys(self) -> PassageKeys:
        return PassageKeys(self._comparison, self._passages, *self._indexes())

"""Selection shared by all views: a passage or a pair of sentences, and the filter of the passage list."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, Signal

from simcompare.comparison.citations.citation import CitationGroup, passage_citation
from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.comparison.passages.rewriting import counterparts
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.session.decisions import Cell
from simcompare.support.arrays import BoolArray, IndexArray
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.review.found_decisions import (
    DecisionFilter,
    PassageOrder,
    headings_in_both,
    in_order,
    listed_passages,
)
from simcompare.ui.state.review.review_history import ReviewHistory

Unmatched = tuple[Side, int]
"""Side and number of a sentence that no passage and no match holds."""
_Spans = tuple[int, int, int, int]
"""Start and end of a passage in the left text, then in the right text."""


@dataclass(frozen=True, slots=True, eq=False)
class _KeptSelection:
    """Selection in a comparison of two documents: a cell, or the spans of a whole passage."""

    left: PreparedDocument
    right: PreparedDocument
    cell: Cell | None
    spans: _Spans | None
    place: tuple[Side, int] | None = None
    """A code point of a text, where a passage is to be selected."""


class Selection(QObject):
    """Selected passage or pair of sentences of the current comparison, and the listed passages.

    passage: index of the selected passage, or of the one that holds the selected sentences; None otherwise
    cell: selected sentences (left, right); None while a whole passage of several matches is selected
    """

    changed = Signal()
    listed_changed = Signal()
    """The list of passages changed: its filters, or its order."""

    def __init__(self, review: ReviewHistory, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.passage: int | None = None
        self.cell: Cell | None = None
        self.shown_kinds = frozenset(PassageKind)
        self.decision_filter = DecisionFilter.ALL
        self.order = PassageOrder.PLACE
        self.least_units = 0
        self.hides_headings = True
        self._headings: BoolArray | None = None
        self._unmatched: Unmatched | None = None
        self._review = review
        self._comparison: Comparison | None = None
        self._passages: NumberedPassages | None = None
        self._listed: tuple[object, IndexArray] | None = None
        self._citations: list[CitationGroup | None] | None = None
        self._counterparts: dict[int, list[Cell]] = {}
        self._kept: _KeptSelection | None = None
        self._must_select_longest = self._is_clicked = False
        self._decided: tuple[int | None, Cell | None] | None = None
        """Passage and cell that `advance` left; None after any other selection."""
        self._next: tuple[int | None, Cell | None] | None = None
        """Passage and cell that `return_to_decided` left."""
        review.changed.connect(self._follow_review)
        review.revisited.connect(self.select_cell)
        review.passage_revisited.connect(self.select_passage)

    @property
    def is_empty(self) -> bool:
        return self.passage is None and self.cell is None

    @property
    def unmatched(self) -> Unmatched | None:
        """The clicked sentence if it has no match; then nothing is selected."""
        return self._unmatched if self.is_empty else None

    @property
    def selected(self) -> int | None:
        """Index of the selected match; None for a whole passage and for sentences that do not match."""
        if self._comparison is None or self.cell is None:
            return None
        return self._comparison.matches.index_of(*self.cell)

    @property
    def sentences(self) -> Cell | None:
        """The selected sentences, or the first sentences of the selected passage."""
        if self.cell is not None or self.passage is None:
            return self.cell
        if self._comparison is None or self._passages is None:
            return None
        left, right = self._comparison.left.prepared, self._comparison.right.prepared
        passage = slice(self.passage, self.passage + 1)
        rows = left.sentences_in(self._passages.left_spans[passage])
        columns = right.sentences_in(self._passages.right_spans[passage])
        return int(rows[0, 0]), int(columns[0, 0])

    @property
    def is_inside_passage(self) -> bool:
        """True if a match of a passage with several matches is selected, not the whole passage."""
        return self.selected is not None and len(self._matches_of_passage()) > 1

    @property
    def are_counterparts(self) -> bool:
        """True if two sentences of a rewritten passage are shown together; decisions are on the passage."""
        return self.cell is not None and self.cell in self._counterparts_of(self.passage)

    @property
    def are_rewritten(self) -> bool:
        """True if the selected passage was found by meaning alone, and sentences in it belong together."""
        return bool(self._counterparts_of(self.passage))

    def _counterparts_of(self, passage: int | None) -> list[Cell]:
        """Return the sentences that belong together in a passage found by meaning alone; empty for others."""
        comparison, passages = self._comparison, self._passages
        if comparison is None or passages is None or passage is None or not passages.evidence[passage]:
            return []
        if passage not in self._counterparts:
            texts = comparison.left.prepared, comparison.right.prepared
            spans = passages.left_spans[passage], passages.right_spans[passage]
            self._counterparts[passage] = counterparts(*texts, *spans)
        return self._counterparts[passage]

    # following the comparison

    def follow(self, comparison: Comparison | None, passages: NumberedPassages | None) -> None:
        """Use another comparison; keep the selection if only the classification changed.

        The caller emits `changed`, once all state that views read is up to date.
        """
        before, spans = self._comparison, self._selected_spans()
        self._comparison, self._passages, self._listed = comparison, passages, None
        self._citations = None
        self._counterparts = {}
        self._headings = None
        self._unmatched = self._decided = self._next = None
        if before is None or comparison is None or before.matrix is not comparison.matrix:
            self.passage = self.cell = None
        elif self.cell is not None:
            self.passage = self._passage_of(self.cell)
        elif spans is not None:
            self._use_passage(self._passage_at(spans))

    def keep(self) -> None:
        """Keep what is selected for the next comparison of the same two documents."""
        comparison = self._comparison
        if comparison is not None:
            self._kept = _KeptSelection(comparison.left, comparison.right, self.cell, self._selected_spans())

    def keep_for_swapped(self) -> None:
        """Keep what is selected for the next comparison with the sides swapped."""
        comparison, spans = self._comparison, self._selected_spans()
        if comparison is not None:
            cell = None if self.cell is None else (self.cell[1], self.cell[0])
            spans = None if spans is None else (*spans[2:], *spans[:2])
            self._kept = _KeptSelection(comparison.right, comparison.left, cell, spans)

    def request_place(self, left: PreparedDocument, right: PreparedDocument, side: Side, offset: int) -> None:
        """Make the next `settle` select what is at a code point, once these two are compared."""
        self._kept = _KeptSelection(left, right, None, None, (side, offset))

    def forget_kept(self) -> None:
        self._kept = None

    def request_longest(self) -> None:
        """Make the next `settle` select the longest listed passage if nothing is selected."""
        self._must_select_longest = True

    def settle(self) -> None:
        """Restore the kept selection and select a requested longest passage, if there is a comparison."""
        if self._comparison is None:
            return
        kept, self._kept = self._kept, None
        left, right = self._comparison.left, self._comparison.right
        # both may have been prepared again
        if kept and kept.left.document is left.document and kept.right.document is right.document:
            if kept.spans is not None and (passage := self._passage_at(kept.spans)) is not None:
                self.select_passage(passage)
            if kept.cell is not None:
                self.select_cell(*kept.cell)
            if kept.place is not None:
                self.select_at(*kept.place)
        if self._must_select_longest:
            self._must_select_longest = False
            if self.is_empty and self._passages is not None and len(self.listed):
                self.select_passage(int(in_order(self._passages, self.listed, PassageOrder.LENGTH, 0)[0]))

    # selecting

    def select_passage(self, index: int) -> None:
        """Select a whole passage; one with a single match selects that match too."""
        before = self.passage, self.cell
        self._use_passage(index)
        self._emit_unless(before)

    def select_cell(self, left: int, right: int) -> None:
        if self._comparison is not None:
            before, here = (self.passage, self.cell), (left, right)
            if self.cell != here:
                self.passage, self.cell = self._passage_of(here), here
            self._emit_unless(before)

    def select(self, index: int) -> None:
        if self._comparison is not None:
            match = self._comparison.matches[index]
            self.select_cell(match.left, match.right)

    def select_passage_with(self, left: int, right: int) -> None:
        """Select the passage that holds two sentences, or these if there is none."""
        passage = self._passage_of((left, right))
        if passage is None:
            self.select_cell(left, right)
        else:
            self.select_passage(passage)

    def select_at(self, side: Side, offset: int) -> None:
        """Select the passage at a code point of a text; on further clicks, what is there below and beside.

        That is the matches of the sentence there in the selected passage one after the other, then the next
        passage that holds the sentence. A sentence without any is `unmatched`. In a rewritten passage it is
        selected with its counterparts at once.
        """
        comparison, passages = self._comparison, self._passages
        if comparison is None or passages is None:
            return
        matches = comparison.matches
        prepared = (comparison.left if side is Side.LEFT else comparison.right).prepared
        sentence = prepared.sentence_at(offset)
        of_sentence = (
            []
            if sentence is None
            else (matches.of_left(sentence) if side is Side.LEFT else matches.of_right(sentence))
        )
        stops: list[tuple[int | None, Cell | None]] = []
        cells = [(found.left, found.right) for found in map(matches.__getitem__, of_sentence)]
        for passage in self._passages_at(side, offset, of_sentence):
            inside = passages.matches_of(passage)
            pairs = [cell for cell in self._counterparts_of(passage) if sentence == cell[side is Side.RIGHT]]
            if len(inside) != 1 and not pairs:
                stops.append((passage, None))
            held = np.isin(of_sentence, inside).tolist()
            stops.extend(
                (passage, cell) for cell in [*pairs, *(c for c, h in zip(cells, held, strict=True) if h)]
            )
        in_passages = {cell for _passage, cell in stops}
        stops.extend((None, cell) for cell in cells if cell not in in_passages)
        if not stops:
            if sentence is not None:
                self._unmatched = side, sentence
                self.passage = self.cell = self._decided = self._next = None
                self.changed.emit()
            return
        here = (self.passage, self.cell) if self._is_clicked else None
        target, cell = stops[(stops.index(here) + 1) % len(stops)] if here in stops else stops[0]
        if cell is not None:
            self._select_in(target, cell)
        elif target is not None:
            self.select_passage(target)
        self._is_clicked = True

    def _passages_at(self, side: Side, offset: int, matches: list[int]) -> list[int]:
        """Passages around an offset or with one of these matches of its sentence; those of matches first."""
        passages = self._passages
        assert passages is not None, "passages are of a comparison"
        spans = passages.left_spans if side is Side.LEFT else passages.right_spans
        around = np.flatnonzero((spans[:, 0] <= offset) & (offset < spans[:, 1]))
        places = np.flatnonzero(np.isin(passages.match_indices, matches))
        # of the passages with a match the first one
        _matches, first = np.unique(passages.match_indices[places], return_index=True)
        found = np.searchsorted(passages.match_bounds, places[np.sort(first)], side="right") - 1
        return list(dict.fromkeys([*found.tolist(), *around.tolist()]))

    def select_match_in(self, passage: int | None, match: int) -> None:
        """Select a match, by its index, in one of the passages that hold it, or in none."""
        assert self._comparison is not None, "matches are of a comparison"
        found = self._comparison.matches[match]
        self._select_in(passage, (found.left, found.right))

    def _select_in(self, passage: int | None, cell: Cell) -> None:
        before = self.passage, self.cell
        self.passage, self.cell = passage, cell
        self._emit_unless(before)

    def _emit_unless(self, before: tuple[int | None, Cell | None]) -> None:
        """Emit `changed` unless the selection is as before, which is chosen by it all the same."""
        self._decided = self._next = None
        self._is_clicked = False
        if before != (self.passage, self.cell):
            self.changed.emit()

    def _use_passage(self, index: int | None) -> None:
        self.passage, self.cell = index, None
        matches = self._matches_of_passage()
        if len(matches) == 1 and self._comparison is not None:
            match = self._comparison.matches[int(matches[0])]
            self.cell = match.left, match.right

    def _matches_of_passage(self) -> IndexArray:
        if self._passages is None or self.passage is None or self.passage >= len(self._passages):
            return np.zeros(0, np.intp)
        return self._passages.matches_of(self.passage)

    def _selected_spans(self) -> _Spans | None:
        if self._passages is None or self.passage is None:
            return None
        left, right = self._passages.left_spans[self.passage], self._passages.right_spans[self.passage]
        return int(left[0]), int(left[1]), int(right[0]), int(right[1])

    def _passage_at(self, spans: _Spans) -> int | None:
        """Return the passage with these spans, or the one that has most in common with them on the left."""
        if self._passages is None or not len(self._passages):
            return None
        left, right = self._passages.left_spans, self._passages.right_spans
        common = np.minimum(left[:, 1], spans[1]) - np.maximum(left[:, 0], spans[0])
        common[(right[:, 1] <= spans[2]) | (right[:, 0] >= spans[3])] = 0
        best = int(common.argmax())
        return best if common[best] > 0 else None

    def _passage_of(self, cell: Cell) -> int | None:
        """Return the passage of a match, or the one around two sentences; the selected one if it fits."""
        if self._comparison is None or self._passages is None:
            return None
        match = self._comparison.matches.index_of(*cell)
        if match is not None:
            is_held = self.passage is not None and match in self._matches_of_passage()
            return self.passage if is_held else self._passages.of_match(match)
        left = self._comparison.left.prepared.sentence_spans[cell[0]]
        right = self._comparison.right.prepared.sentence_spans[cell[1]]
        spans = self._passages.left_spans, self._passages.right_spans
        is_around = (spans[0][:, 0] < left[1]) & (left[0] < spans[0][:, 1])
        is_around &= (spans[1][:, 0] < right[1]) & (right[0] < spans[1][:, 1])
        return int(is_around.argmax()) if is_around.any() else None

    # the list

    @property
    def listed(self) -> IndexArray:
        """Indices of the listed passages, those that pass all filters, in their order."""
        if self._passages is None:
            return np.zeros(0, np.intp)
        filters = (self._passages, self._review.passages, self.shown_kinds, self.decision_filter)
        of = (*filters, self.order, self.least_units, self.hides_headings)
        if self._listed is None or self._listed[0] != of:  # read several times per step
            self._listed = (of, self._in_order(self._of(self.decision_filter)))
        return self._listed[1]

    def _of(self, decision_filter: DecisionFilter) -> IndexArray:
        assert self._passages is not None, "passages are of a comparison"
        citations = self.citations if decision_filter.is_of_citations else ()
        filters = self._passages, self._review.passages, self.shown_kinds, decision_filter
        return listed_passages(*filters, citations)

    @property
    def has_short_ones(self) -> bool:
        """Whether any passage passes the other filters, however short it is."""
        return self._passages is not None and len(self._of(self.decision_filter)) > 0

    @property
    def has_other_decisions(self) -> bool:
        """Whether there is any passage of the shown kinds, whatever was decided on it or cites it."""
        return self._passages is not None and len(self._of(DecisionFilter.ALL)) > 0

    def _in_order(self, chosen: IndexArray) -> IndexArray:
        assert self._passages is not None, "passages are of a comparison"
        shown = chosen[~self.hidden_headings[chosen]]
        return in_order(self._passages, shown, self.order, self.least_units)

    @property
    def headings(self) -> BoolArray:
        """Which passages are only a heading that is equal in both texts."""
        if self._headings is None:
            if self._comparison is None or self._passages is None:
                return np.zeros(0, np.bool_)
            self._headings = headings_in_both(self._comparison, self._passages)
        return self._headings

    @property
    def hidden_headings(self) -> BoolArray:
        return self.headings if self.hides_headings else np.zeros_like(self.headings)

    @property
    def citations(self) -> list[CitationGroup | None]:
        """How each passage is marked as taken from a source; found when it is first asked for."""
        if self._citations is None and self._comparison is not None and self._passages is not None:
            found = (passage_citation(self._comparison, passage) for passage in self._passages)
            self._citations = [None if each is None else each.group for each in found]
        return self._citations or []

    def show_kinds(self, kinds: frozenset[PassageKind]) -> None:
        if kinds != self.shown_kinds:
            self.shown_kinds = kinds
            self.listed_changed.emit()

    def show(self, decision_filter: DecisionFilter) -> None:
        if decision_filter is not self.decision_filter:
            self.decision_filter = decision_filter
            self.listed_changed.emit()

    def arrange(self, order: PassageOrder, least_units: int, hides_headings: bool) -> None:
        """List passages of at least so many units on their shorter side, in an order."""
        wanted = order, least_units, hides_headings
        if wanted != (self.order, self.least_units, self.hides_headings):
            self.order, self.least_units, self.hides_headings = wanted
            self.listed_changed.emit()

    def _follow_review(self) -> None:
        if self.decision_filter is not DecisionFilter.ALL:
            self.listed_changed.emit()

    # steps

    def step_passage(self, step: int) -> None:
        """Select the listed passage `step` positions further; stop at the first and the last."""
        target = self._passage_target(step)
        if target is not None:
            self.select_passage(target)

    def can_step_passage(self, step: int) -> bool:
        return self._passage_target(step) not in (None, self.passage)

    def _passage_target(self, step: int) -> int | None:
        listed = self.listed
        if not len(listed):
            return None
        before, is_listed = self._position_in(listed)
        target = before + step - (step > 0 and not is_listed)
        return int(listed[min(max(target, 0), len(listed) - 1)])

    def _position_in(self, listed: IndexArray) -> tuple[int, bool]:
        """Return where the selected passage is in a list, and whether it is; otherwise where it would be."""
        if self.passage is not None and len(found := np.flatnonzero(listed == self.passage)):
            return int(found[0]), True
        # a list in another order begins with what matters most
        return int(np.searchsorted(listed, self._place())) if self.order is PassageOrder.PLACE else 0, False

    def _place(self) -> int:
        """Index of the selected passage, or of the first one after the selected sentences.

        After a sentence of the left text without a match, too.
        """
        if self.passage is not None:
            return self.passage
        left = self.cell[0] if self.cell is not None else None
        if self.unmatched is not None and self.unmatched[0] is Side.LEFT:
            left = self.unmatched[1]
        if self._passages is None or self._comparison is None or left is None:
            return 0
        start = self._comparison.left.prepared.sentence_spans[left, 0]
        return int(np.searchsorted(self._passages.left_spans[:, 0], start))

    def step_match(self, step: int) -> None:
        """Select the next or previous sentences in the passage; before the first ones is the whole passage.

        They are its matches, or the counterparts of a rewritten one.
        """
        if not self.can_step_match(step):
            return
        target = self._step_target(step)
        if target is not None:
            self._select_in(self.passage, target)
        elif self.passage is not None:
            self.select_passage(self.passage)

    def can_step_match(self, step: int) -> bool:
        count = len(self._counterparts_of(self.passage)) or len(self._matches_of_passage())
        return count > 1 and self._step_target(step) != self.cell

    def _step_target(self, step: int) -> Cell | None:
        """Return the sentences `step` positions further in the passage, None for the whole passage."""
        pairs, matches = self._counterparts_of(self.passage), self._matches_of_passage()
        if self._comparison is None or pairs:
            here = pairs.index(self.cell) if self.cell in pairs else -1
            target = min(here + step, len(pairs) - 1)
            return pairs[target] if target >= 0 else None
        selected = self.selected
        here = -1 if selected is None else int(np.searchsorted(matches, selected))
        target = min(here + step, len(matches) - 1)
        if target < 0:
            return None
        found = self._comparison.matches[int(matches[target])]
        return found.left, found.right

    def select_undecided(self) -> None:
        """Select the next undecided passage of the listed kinds; after the last one, the first."""
        target = self._next_undecided()
        if target is not None:
            self.select_passage(target)

    def advance(self) -> None:
        """Select what is to be decided next: the next undecided match of the passage, else passage."""
        decided, matches = (self.passage, self.cell), self._matches_of_passage()
        undecided = matches[self._review.matches.undecided[matches]]
        if self.is_inside_passage and len(undecided):
            after = undecided[undecided > (self.selected or 0)]
            self.select_match_in(self.passage, int(after[0] if len(after) else undecided[0]))
        else:
            self.select_undecided()
        self._decided = decided

    def return_to_decided(self) -> None:
        """Select again what `advance` has just left, until `go_on`."""
        if self._decided is not None:
            before = self.passage, self.cell
            self.passage, self.cell = self._decided
            self._emit_unless(before)
            self._next = before

    def go_on(self) -> None:
        """Select what `return_to_decided` left, unless something else was selected since."""
        if self._next is not None:
            before = self.passage, self.cell
            self.passage, self.cell = self._next
            self._emit_unless(before)

    def _next_undecided(self) -> int | None:
        if self._passages is None:
            return None
        decisions = self._review.passages
        undecided = listed_passages(self._passages, decisions, self.shown_kinds, DecisionFilter.UNDECIDED)
        listed = self._in_order(undecided)
        if not len(listed):
            return None
        before, is_listed = self._position_in(listed)
        return int(listed[(before + is_listed) % len(listed)])

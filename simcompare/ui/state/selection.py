"""Selection shared by all views: a pair of sentences, and the filter of the match list."""

import numpy as np
from PySide6.QtCore import QObject, Signal

from simcompare.comparison.comparison_result import Comparison, MatchKind
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.match_decisions import DecisionFilter, MatchIndices, list_position
from simcompare.ui.state.review_history import ReviewHistory


class Selection(QObject):
    """Selected cell (left sentence, right sentence) of the current comparison, and the listed matches."""

    changed = Signal()
    listed_changed = Signal()
    """The list of matches changed: its filter by kind or by decision."""

    def __init__(self, review: ReviewHistory, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.cell: tuple[int, int] | None = None
        self.shown_kinds = frozenset(MatchKind)
        self.decision_filter = DecisionFilter.ALL
        self._review = review
        self._comparison: Comparison | None = None
        self._listed: tuple[object, MatchIndices] | None = None
        self._kept: tuple[PreparedDocument, PreparedDocument, tuple[int, int]] | None = None
        self._must_select_first = False
        review.changed.connect(self._follow_review)
        review.revisited.connect(self.select_cell)

    def follow(self, comparison: Comparison | None) -> None:
        """Use another comparison; keep the selection if only the classification changed.

        The caller emits `changed`, once all state that views read is up to date.
        """
        before, self._comparison, self._listed = self._comparison, comparison, None
        if before is None or comparison is None or before.matrix is not comparison.matrix:
            self.cell = None

    def keep(self) -> None:
        """Keep the selected cell for the next comparison of the same two documents."""
        if self._comparison is not None and self.cell is not None:
            self._kept = self._comparison.left, self._comparison.right, self.cell

    def keep_for_swapped(self) -> None:
        """Keep the selected cell for the next comparison with the sides swapped."""
        if self._comparison is not None and self.cell is not None:
            self._kept = self._comparison.right, self._comparison.left, self.cell[::-1]

    def forget_kept(self) -> None:
        """Discard the kept cell."""
        self._kept = None

    def request_first(self) -> None:
        """Make the next `settle` select the first match if no cell is selected."""
        self._must_select_first = True

    def settle(self) -> None:
        """Restore the kept cell and select a requested first match, if there is a comparison."""
        if self._comparison is None:
            return
        kept, self._kept = self._kept, None
        if kept is not None and kept[:2] == (self._comparison.left, self._comparison.right):
            self.select_cell(*kept[2])
        if self._must_select_first:
            self._must_select_first = False
            if self.cell is None:
                self.select_step(1)

    @property
    def selected(self) -> int | None:
        """Index of the selected match; None if the selected sentences do not match."""
        if self._comparison is None or self.cell is None:
            return None
        return self._comparison.matches.index_of(*self.cell)

    def select_cell(self, left: int, right: int) -> None:
        """Select two sentences, matching or not."""
        if self._comparison is not None and self.cell != (left, right):
            self.cell = (left, right)
            self.changed.emit()

    def select(self, index: int) -> None:
        """Select a match by index."""
        if self._comparison is not None:
            match = self._comparison.matches[index]
            self.select_cell(match.left, match.right)

    @property
    def listed(self) -> MatchIndices:
        """Indices of the listed matches: those that pass both filters."""
        if self._comparison is None:
            return np.zeros(0, np.intp)
        decisions = self._review.matches
        of = (self._comparison, decisions, self.shown_kinds, self.decision_filter)
        if self._listed is None or self._listed[0] != of:  # read several times per step
            self._listed = (
                of,
                decisions.listed(self._comparison.matches.kinds, self.shown_kinds, self.decision_filter),
            )
        return self._listed[1]

    def show_kinds(self, kinds: frozenset[MatchKind]) -> None:
        """List only matches of these kinds; steps skip the others."""
        if kinds != self.shown_kinds:
            self.shown_kinds = kinds
            self.listed_changed.emit()

    def show(self, decision_filter: DecisionFilter) -> None:
        """List only matches with these decisions or notes; steps skip the others."""
        if decision_filter is not self.decision_filter:
            self.decision_filter = decision_filter
            self.listed_changed.emit()

    def _follow_review(self) -> None:
        if self.decision_filter is not DecisionFilter.ALL:
            self.listed_changed.emit()

    def select_undecided(self) -> None:
        """Select the next undecided match of the listed kinds; after the last one, the first."""
        target = self._next_undecided()
        if target is not None:
            self.select(target)

    @property
    def has_undecided(self) -> bool:
        """True if an undecided match other than the selected one exists."""
        return self._next_undecided() not in (None, self.selected)

    def _next_undecided(self) -> int | None:
        if self._comparison is None or (self.decision_filter is DecisionFilter.ALL and not len(self.listed)):
            return None
        decisions, kinds = self._review.matches, self._comparison.matches.kinds
        row, column = self.cell or (0, -1)
        start = self._comparison.matches.count_before(row, column + 1)
        return decisions.next_undecided(kinds, self.shown_kinds, start)

    def select_step(self, step: int) -> None:
        """Select the listed match `step` positions further; stop at the first and the last."""
        target = self._step_target(step)
        if target is not None:
            self.select(target)

    def can_step(self, step: int) -> bool:
        """Return whether a step would change the selection."""
        return self._step_target(step) not in (None, self.selected)

    def _step_target(self, step: int) -> int | None:
        listed, selected = self.listed, self.selected
        if self._comparison is None or not len(listed):
            return None
        here = self._comparison.matches.count_before(*(self.cell or (0, 0))) if selected is None else selected
        before = list_position(listed, here)
        is_listed = selected is not None and before < len(listed) and listed[before] == selected
        target = before + step - (step > 0 and not is_listed)
        return int(listed[min(max(target, 0), len(listed) - 1)])

    def select_at(self, side: Side, offset: int) -> None:
        """Select the best match of the sentence at a code point; on repetition, its next match."""
        comparison = self._comparison
        if comparison is None:
            return
        prepared_document = comparison.left if side is Side.LEFT else comparison.right
        sentence = prepared_document.prepared.sentence_at(offset)
        if sentence is None:
            return
        matches = comparison.matches
        found = matches.of_left(sentence) if side is Side.LEFT else matches.of_right(sentence)
        best = matches.best_of_left if side is Side.LEFT else matches.best_of_right
        selected = self.selected
        if selected in found:
            self.select(found[(found.index(selected) + 1) % len(found)])
        elif found:
            self.select(int(best[sentence]))

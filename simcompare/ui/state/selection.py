"""The one selection that all views share: a pair of sentences, and which kinds of matches are listed."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from simcompare.comparison.values import Comparison, MatchKind
from simcompare.ui.state.side import Side


class Selection(QObject):
    """A pair of sentences of the comparison it follows, chosen in any view."""

    changed = Signal()
    shown_kinds_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.cell: tuple[int, int] | None = None
        self.shown_kinds = frozenset(MatchKind)
        self._comparison: Comparison | None = None

    def follow(self, comparison: Comparison | None) -> None:
        """Select within this comparison from now on; judged anew, it keeps what is selected.

        Who calls it tells of the change, once all that views read is in place.
        """
        before, self._comparison = self._comparison, comparison
        if before is None or comparison is None or before.matrix is not comparison.matrix:
            self.cell = None

    @property
    def selected(self) -> int | None:
        """The index of the selected match; None where the selected sentences do not match."""
        if self._comparison is None or self.cell is None:
            return None
        return self._comparison.matches.index_of(*self.cell)

    def select_cell(self, left: int, right: int) -> None:
        """Select two sentences, whether they match or not."""
        if self._comparison is not None and self.cell != (left, right):
            self.cell = (left, right)
            self.changed.emit()

    def select(self, index: int) -> None:
        """Select a match by its index."""
        if self._comparison is not None:
            match = self._comparison.matches[index]
            self.select_cell(match.left, match.right)

    @property
    def listed(self) -> NDArray[np.intp]:
        """The indices of the matches of the kinds that are shown."""
        if self._comparison is None:
            return np.zeros(0, np.intp)
        return np.flatnonzero(np.isin(self._comparison.matches.kinds, list(self.shown_kinds)))

    def show_kinds(self, kinds: frozenset[MatchKind]) -> None:
        """List only matches of these kinds, and step through no others."""
        if kinds != self.shown_kinds:
            self.shown_kinds = kinds
            self.shown_kinds_changed.emit()

    def select_step(self, step: int) -> None:
        """Select the match `step` places on among those listed; it rests at the first and the last."""
        target = self._step_target(step)
        if target is not None:
            self.select(target)

    def can_step(self, step: int) -> bool:
        """Whether a step leads to another match than the one selected."""
        return self._step_target(step) not in (None, self.selected)

    def _step_target(self, step: int) -> int | None:
        listed, selected = self.listed, self.selected
        if self._comparison is None or not len(listed):
            return None
        here = self._comparison.matches.count_before(*(self.cell or (0, 0))) if selected is None else selected
        before = int(np.searchsorted(listed, here))
        stands_on_one = selected is not None and selected in listed
        target = before + step - (step > 0 and not stands_on_one)
        return int(listed[min(max(target, 0), len(listed) - 1)])

    def select_at(self, side: Side, offset: int) -> None:
        """Select the best match of the sentence at a code point; once more, its next match."""
        comparison = self._comparison
        if comparison is None:
            return
        subject = comparison.left if side is Side.LEFT else comparison.right
        sentence = subject.prepared.sentence_at(offset)
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

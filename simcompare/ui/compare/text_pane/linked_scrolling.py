"""Synchronous scrolling of both texts, aligned by their matches."""

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.passages.passage_detection import longest_match_chain
from simcompare.model.document import Span
from simcompare.support.i18n import _
from simcompare.ui.compare.text_pane.highlights import IntArray
from simcompare.ui.compare.text_pane.text_pane import TextPane
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.language import follow_language

_READING_HEIGHT = 0.33
"""Share of the pane's height at which the texts are aligned."""


class LinkedScrolling(QObject):
    """Scrolls the other text when one is scrolled by hand.

    Matches in the same order in both texts are aligned when they pass the reading height; between two of
    them the other text is interpolated linearly.
    """

    def __init__(self, panes: Mapping[Side, TextPane], parent: QObject) -> None:
        super().__init__(parent)
        self._panes = panes
        self._comparison: Comparison | None = None
        self._starts: dict[Side, IntArray] | None = None
        self.action = QAction(self, checkable=True, checked=True)
        self.action.setShortcut("Ctrl+J")
        for side, pane in panes.items():
            pane.scrolled_by_user.connect(lambda side=side: self._follow(side))
        follow_language(self._retranslate)

    def show_comparison(self, comparison: Comparison | None) -> None:
        """Align the texts by the matches of a comparison."""
        self._comparison, self._starts = comparison, None

    def _retranslate(self) -> None:
        self.action.setText(_("Scroll both texts together"))

    def _follow(self, side: Side) -> None:
        if not self.action.isChecked() or self._comparison is None:
            return
        own, other = self._panes[side], self._panes[side.other]
        height = own.height() * _READING_HEIGHT
        here = own.scrolled_px + height
        (own_before, other_before), (own_after, other_after) = self._neighbours(side, here)
        share = (here - own_before) / max(own_after - own_before, 1)
        other.scroll_page_to(round(other_before + share * (other_after - other_before) - height))

    def _neighbours(self, side: Side, here: float) -> tuple[tuple[int, int], tuple[int, int]]:
        """Page heights of the matches before and after a height: (own, other), in pixels."""
        own, other = self._panes[side], self._panes[side.other]
        starts = self._anchors()
        place = int(np.searchsorted(own.page_ys_of(starts[side]), here))
        before, after = (0, 0), (own.page_px, other.page_px)
        if place > 0:
            before = self._place_of(side, place - 1)
        if place < len(starts[side]):
            after = self._place_of(side, place)
        return before, after

    def _place_of(self, side: Side, anchor: int) -> tuple[int, int]:
        starts = self._anchors()
        places = []
        for each in (side, side.other):
            start = int(starts[each][anchor])
            places.append(self._panes[each].page_y_of(Span(start, start + 1)))
        return places[0], places[1]

    def _anchors(self) -> dict[Side, IntArray]:
        """Find where the sentences of the in-order matches start, in code points, per side."""
        if self._starts is None:
            assert self._comparison is not None, "nothing follows without one"
            comparison = self._comparison
            cells = comparison.matches.cells.select(longest_match_chain(comparison.matches))
            self._starts = {
                Side.LEFT: comparison.left.prepared.sentence_spans[cells.rows, 0].astype(np.int64),
                Side.RIGHT: comparison.right.prepared.sentence_spans[cells.columns, 0].astype(np.int64),
            }
        return self._starts

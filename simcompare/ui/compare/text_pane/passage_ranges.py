"""Passages of one text in Qt's positions, and their heights in the visible part of the text."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.session.decisions import Decided
from simcompare.support.arrays import Int64Array
from simcompare.ui.compare.text_pane.highlights import NO_RANGES, Utf16Map
from simcompare.ui.compare.text_pane.page_layout import ScrolledPage
from simcompare.ui.compare.text_pane.typography import line_boxes, reading_y

LANES = 2
"""Bars that are drawn beside each other where passages overlap; further ones share the last lane."""


class PassageRanges:
    """Passages of one text as arrays of UTF-16 positions, in the order of their numbers; they may overlap.

    starts, ends, kinds (indices into PASSAGE_KINDS), lanes and what is decided have the same length.
    """

    def __init__(self, spans: NDArray[np.integer], kinds: NDArray[np.integer], utf16: Utf16Map) -> None:
        """Convert code points, shape (n, 2)."""
        places = utf16.all_to_utf16(spans.astype(np.int64))
        self.starts, self.ends = places[:, 0], places[:, 1]
        self.kinds = kinds
        self.lanes = _lanes(self.starts, self.ends)
        self.decide(Decided(np.zeros(len(kinds), np.int8)))

    def decide(self, decided: Decided) -> None:
        self.decision_on, self.fine, self.copied = decided.decision, decided.fine, decided.copied

    @classmethod
    def none(cls) -> "PassageRanges":
        return cls(NO_RANGES, np.zeros(0, np.int8), Utf16Map(""))

    def __len__(self) -> int:
        return len(self.kinds)

    @property
    def columns(self) -> tuple[NDArray[np.generic], ...]:
        return self.starts, self.ends, self.kinds, self.lanes, self.fine, self.copied

    def range_of(self, index: int) -> tuple[int, int]:
        return int(self.starts[index]), int(self.ends[index])

    def kind_of(self, index: int) -> PassageKind:
        return PASSAGE_KINDS[int(self.kinds[index])]

    def touching(self, start: int, end: int) -> list[int]:
        """Find the passages that reach into [start, end), the longest first, so that it is painted first."""
        # called for each sentence that is painted, most of which are in one passage or in none
        (found,) = ((self.starts < end) & (self.ends > start)).nonzero()
        if len(found) < 2:
            return [int(index) for index in found]
        longest_first = np.argsort(self.starts[found] - self.ends[found], kind="stable")
        indices: list[int] = found[longest_first].tolist()
        return indices

    def at(self, position: int) -> int | None:
        """Index of the shortest passage that contains a position, or None."""
        found = self.touching(position, position + 1)
        return found[-1] if found else None


def _lanes(starts: Int64Array, ends: Int64Array) -> NDArray[np.int8]:
    """Assign a lane to each passage: 0, or 1 beside a passage that it overlaps."""
    lanes = np.zeros(len(starts), np.int8)
    order = np.argsort(starts, kind="stable")
    reached = np.maximum.accumulate(ends[order]) if len(order) else ends
    overlapping = order[1:][starts[order[1:]] < reached[:-1]]
    # only overlapping passages are visited one by one, as there may be thousands of others
    ends_of_lane = dict.fromkeys(range(LANES), -1)
    before = dict(zip(order[1:].tolist(), order[:-1].tolist(), strict=True))
    for index in overlapping.tolist():
        previous = before[index]
        ends_of_lane[int(lanes[previous])] = max(ends_of_lane[int(lanes[previous])], int(ends[previous]))
        free = (lane for lane in range(LANES) if ends_of_lane[lane] <= starts[index])
        lanes[index] = next(free, LANES - 1)
    return lanes


class ShownPassages:
    """Passages of a page, the selected one, and their heights in the viewport in pixels."""

    def __init__(self, page: ScrolledPage) -> None:
        self.passages = PassageRanges.none()
        self.selected: int | None = None
        self._page = page

    def visible_range(self) -> tuple[int, int]:
        """First visible position, and one after the last."""
        page, viewport = self._page, self._page.viewport()
        top = page.verticalScrollBar().value()
        page.lines.lay_out_between(top, top + viewport.height())
        return page.first_visible(), page.position_at(viewport.width(), viewport.height()) + 1

    def between(self, start: int, end: int) -> list[int]:
        """Passages that reach into [start, end) in the order of painting: the selected one last."""
        return sorted(self.passages.touching(start, end), key=lambda index: index == self.selected)

    def extents(self, indices: Sequence[int], visible: tuple[int, int]) -> list[tuple[float, float]]:
        """Top and bottom of passages; out of sight they are estimated. `visible`: the visible range."""
        positions = np.stack([self.passages.starts[indices], self.passages.ends[indices]], axis=1)
        scrolled = self._page.verticalScrollBar().value()
        estimated = (self._page.estimated_ys(positions) - scrolled).tolist()
        return [self._extent(index, visible, *ys) for index, ys in zip(indices, estimated, strict=True)]

    def _extent(self, index: int, visible: tuple[int, int], top: float, bottom: float) -> tuple[float, float]:
        """Exact heights where a passage begins and ends in the visible part; otherwise they are outside."""
        (start, end), (first, last) = self.passages.range_of(index), visible
        page, height = self._page.document(), self._page.viewport().height()
        scrolled = self._page.verticalScrollBar().value()
        if first <= start < last:
            top = reading_y(page, start) - scrolled
        elif start < first:
            top = min(top, 0.0)
        else:
            top = max(top, height)
        if first < end <= last:
            bottom = reading_y(page, end, is_end=True) - scrolled
        elif end > last:
            bottom = max(bottom, height)
        else:
            bottom = min(bottom, 0.0)
        return top, bottom

    def line_middle(self, position: int) -> float:
        box = next(line_boxes(self._page.document(), position, position + 1), None)
        return box.center().y() - self._page.verticalScrollBar().value() if box else 0.0

"""Passages of one text in Qt's positions: which are visible, and which bars stand beside each other."""

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.ui.compare.text_pane.highlights import IntArray, Utf16Map

LANES = 2
"""Bars that are drawn beside each other where passages overlap; further ones share the last lane."""

BoolArray = NDArray[np.bool_]


class PassageRanges:
    """Passages of one text as arrays of UTF-16 positions, in the order of their numbers; they may overlap.

    starts, ends, kinds (indices into PASSAGE_KINDS), lanes, fine and copied have the same length.
    """

    def __init__(self, spans: NDArray[np.integer], kinds: NDArray[np.integer], utf16: Utf16Map) -> None:
        """Convert code points, shape (n, 2)."""
        places = utf16.all_to_utf16(spans.astype(np.int64))
        self.starts, self.ends = places[:, 0], places[:, 1]
        self.kinds = kinds
        self.lanes = _lanes(self.starts, self.ends)
        self.fine: BoolArray = np.zeros(len(kinds), np.bool_)
        self.copied: BoolArray = np.zeros(len(kinds), np.bool_)

    @classmethod
    def none(cls) -> "PassageRanges":
        """Make an empty list of passages."""
        return cls(np.zeros((0, 2), np.int64), np.zeros(0, np.int8), Utf16Map(""))

    def __len__(self) -> int:
        return len(self.kinds)

    def kind_of(self, index: int) -> PassageKind:
        """Kind of a passage."""
        return PASSAGE_KINDS[self.kinds[index]]

    def touching(self, start: int, end: int) -> list[int]:
        """Find the passages that reach into [start, end), the longest first, so that it is painted first."""
        found = np.flatnonzero((self.starts < end) & (self.ends > start))
        longest_first = np.argsort(self.starts[found] - self.ends[found], kind="stable")
        indices: list[int] = found[longest_first].tolist()
        return indices

    def at(self, position: int) -> int | None:
        """Index of the shortest passage that contains a position, or None."""
        found = self.touching(position, position + 1)
        return found[-1] if found else None


def _lanes(starts: IntArray, ends: IntArray) -> NDArray[np.int8]:
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

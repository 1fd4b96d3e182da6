"""Passages: sections of the left text that recur in the right text, as columns."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from simcompare.model.document import Span
from simcompare.support.arrays import BoolArray, Int32Array

SummarySide = Literal["left", "right"]
SUMMARY_SIDES: tuple[SummarySide | None, ...] = (None, "left", "right")


@dataclass(frozen=True, slots=True)
class Passage:
    """A section of the left text that recurs in the right text, as spans of both.

    summary: the side whose section summarises sentences scattered over that of the other side, or None.
    """

    left: Span
    right: Span
    summary: SummarySide | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Passages:
    """Passages of two texts; equal ones have equal columns.

    spans     (n, 4) start and end left, start and end right, in code points
    summaries (n,)   index of `Passage.summary` in SUMMARY_SIDES
    """

    spans: Int32Array
    summaries: NDArray[np.int8]

    @classmethod
    def of(cls, passages: Iterable[Passage]) -> "Passages":
        """Make columns of single passages."""
        rows = [
            (p.left.start, p.left.end, p.right.start, p.right.end, SUMMARY_SIDES.index(p.summary))
            for p in passages
        ]
        table = np.array(rows, np.int32).reshape(-1, 5)
        return cls(table[:, :4].copy(), table[:, 4].astype(np.int8)) if rows else NO_PASSAGES

    @property
    def left_spans(self) -> Int32Array:
        """Spans in the left text, shape (n, 2)."""
        return self.spans[:, :2]

    @property
    def right_spans(self) -> Int32Array:
        """Spans in the right text, shape (n, 2)."""
        return self.spans[:, 2:]

    @property
    def covers(self) -> BoolArray:
        """Mask of the passages whose sections count for the shares as a whole: all but summaries."""
        covers: BoolArray = self.summaries == 0
        return covers

    def select(self, chosen: BoolArray) -> "Passages":
        """Select passages by a mask, shape (n,); returns the object itself if all are selected."""
        return self if chosen.all() else Passages(self.spans[chosen], self.summaries[chosen])

    def __len__(self) -> int:
        return len(self.spans)

    def __iter__(self) -> Iterator[Passage]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, index: int) -> Passage:
        start, end, first, last = self.spans[index].tolist()
        return Passage(Span(start, end), Span(first, last), SUMMARY_SIDES[self.summaries[index]])

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Passages):
            return NotImplemented
        return np.array_equal(self.spans, other.spans) and np.array_equal(self.summaries, other.summaries)

    def __hash__(self) -> int:
        return hash(self.spans.tobytes())


NO_PASSAGES = Passages(np.zeros((0, 4), np.int32), np.zeros(0, np.int8))
"""Shared by all pairs without a passage, which most pairs of a class are."""

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
    evidence: that it was rewritten, as a multiple of the least (`rewriting.py`); 0 if it was found by words.
    """

    left: Span
    right: Span
    summary: SummarySide | None = None
    evidence: float = 0.0

    @property
    def is_rewritten(self) -> bool:
        return self.evidence > 0


@dataclass(frozen=True, slots=True, eq=False)
class Passages:
    """Passages of two texts; equal ones have equal columns.

    spans     (n, 4) start and end left, start and end right, in code points
    summaries (n,)   index of `Passage.summary` in SUMMARY_SIDES
    evidence  (n,)   as of `Passage`
    """

    spans: Int32Array
    summaries: NDArray[np.int8]
    evidence: NDArray[np.float32]

    @classmethod
    def of(cls, passages: Iterable[Passage]) -> "Passages":
        """Make columns of single passages."""
        rows = [
            (
                *(p.left.start, p.left.end, p.right.start, p.right.end),
                *(SUMMARY_SIDES.index(p.summary), p.evidence),
            )
            for p in passages
        ]
        table = np.array(rows, np.float64).reshape(-1, 6)
        if not rows:
            return NO_PASSAGES
        return cls(table[:, :4].astype(np.int32), table[:, 4].astype(np.int8), table[:, 5].astype(np.float32))

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
        """Mask of the passages whose sections count for the shares as a whole: those found by words."""
        covers: BoolArray = (self.summaries == 0) & ~self.is_rewritten
        return covers

    @property
    def is_rewritten(self) -> BoolArray:
        """Mask of the passages that were possibly rewritten."""
        rewritten: BoolArray = self.evidence > 0
        return rewritten

    def with_others(self, others: "Passages") -> "Passages":
        """Return these and other passages in reading order of the left text."""
        if not len(others):
            return self
        spans = np.concatenate([self.spans, others.spans])
        order = np.lexsort(spans.T[::-1])
        return Passages(
            spans[order],
            np.append(self.summaries, others.summaries)[order],
            np.append(self.evidence, others.evidence)[order],
        )

    def select(self, chosen: BoolArray) -> "Passages":
        """Select passages by a mask, shape (n,); returns the object itself if all are selected."""
        if chosen.all():
            return self
        return Passages(self.spans[chosen], self.summaries[chosen], self.evidence[chosen])

    def __len__(self) -> int:
        return len(self.spans)

    def __iter__(self) -> Iterator[Passage]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, index: int) -> Passage:
        start, end, first, last = self.spans[index].tolist()
        summary = SUMMARY_SIDES[self.summaries[index]]
        return Passage(Span(start, end), Span(first, last), summary, float(self.evidence[index]))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Passages):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, name), getattr(other, name))
            for name in ("spans", "summaries", "evidence")
        )

    def __hash__(self) -> int:
        return hash(self.spans.tobytes())


NO_PASSAGES = Passages(np.zeros((0, 4), np.int32), np.zeros(0, np.int8), np.zeros(0, np.float32))
"""Shared by all pairs without a passage, which most pairs of a class are."""

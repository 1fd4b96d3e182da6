"""Shares of two texts: their units in matched sentences or passages, before and after exclusions."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simcompare.comparison.comparison_result import (
    BoolArray,
    Cells,
    ExcludedSentences,
    Int32Array,
    PairShares,
    Passage,
    Share,
)
from simcompare.model.document import Span
from simcompare.text.prepared_text import IndexArray, PreparedText

_NO_PASSAGES = np.zeros((0, 2), np.int32)
_NOTHING_COMMON = Share(0.0, 0.0)


@dataclass(frozen=True, eq=False)
class CountedText:
    """A text and which of its sentences count."""

    text: PreparedText
    excluded: ExcludedSentences

    @cached_property
    def counting_units(self) -> BoolArray:
        """Mask of the units in sentences that count, shape (u,)."""
        counting: BoolArray = np.repeat(self.excluded.kept, self.excluded.lengths)
        return counting

    @cached_property
    def counting_unit_count(self) -> int:
        """Number of units in sentences that count."""
        return int(self.excluded.lengths[self.excluded.kept].sum())

    def counting_units_in(self, spans: Int32Array) -> Int32Array:
        """Count the units that count in each span, shape (n, 2), of the text; shape (n,)."""
        counted_before = np.append(0, np.cumsum(self.counting_units))
        bounds = self.text.units_in(spans)
        units: Int32Array = np.diff(counted_before[bounds], axis=1)[:, 0].astype(np.int32)
        return units


def left_spans(passages: Sequence[Passage]) -> Int32Array:
    """Spans of passages in the left text, shape (n, 2)."""
    return _span_array([passage.left for passage in passages])


def right_spans(passages: Sequence[Passage]) -> Int32Array:
    """Spans of passages in the right text, shape (n, 2)."""
    return _span_array([passage.right for passage in passages])


def _span_array(spans: Sequence[Span]) -> Int32Array:
    return np.array([(span.start, span.end) for span in spans], np.int32).reshape(-1, 2)


def pair_shares(
    similar: Cells,
    kept: Cells,
    passages: Sequence[Passage],
    counted_passages: Sequence[Passage],
    left: CountedText,
    right: CountedText,
) -> PairShares:
    """Compute the share of each text that is in matched sentences or passages, in units.

    `similar` and `passages` are all that was found, `kept` and `counted_passages` what exclusions leave.
    Exclusions leave both sides of the fraction. Without passages this is Similar(D1 (x) D2) in both
    directions, formula 4 of Lv et al.

    A summary counts in the text that summarises; the section that it draws on is not copied as a whole.
    """
    if not len(similar) and not passages:
        return PairShares(_share_of_nothing(left), _share_of_nothing(right))
    return PairShares(
        _share(
            left,
            (similar.rows, left_spans([p for p in passages if p.summary != "right"])),
            (kept.rows, left_spans([p for p in counted_passages if p.summary != "right"])),
        ),
        _share(
            right,
            (similar.columns, right_spans([p for p in passages if p.summary != "left"])),
            (kept.columns, right_spans([p for p in counted_passages if p.summary != "left"])),
        ),
    )


def _share_of_nothing(counted: CountedText) -> Share:
    return _NOTHING_COMMON if counted.excluded.kept.any() else Share(0.0, None)


def _share(
    counted: CountedText, found: tuple[Int32Array, Int32Array], counted_found: tuple[Int32Array, Int32Array]
) -> Share:
    """Compute the share of a text; found: matched sentences, and spans of passages, shape (n, 2)."""
    if not len(found[1]):
        return _sentence_share(counted, found[0], counted_found[0])
    covered = _covered_by(counted.text, *found)
    is_all = all(np.array_equal(some, every) for some, every in zip(counted_found, found, strict=True))
    covered_and_counted = covered if is_all else _covered_by(counted.text, *counted_found)
    return Share(float(covered.mean()), share_of_counting(covered_and_counted, counted))


def _sentence_share(counted: CountedText, found: Int32Array, counted_found: Int32Array) -> Share:
    """Compute the share of matched sentences alone, by their lengths."""
    text = counted.text
    matched, kept = text.marked_sentences(found), text.marked_sentences(counted_found)
    lengths, total = text.sentence_lengths, counted.counting_unit_count
    counting = int(lengths[kept & counted.excluded.kept].sum())
    return Share(int(lengths[matched].sum()) / text.unit_count, counting / total if total else None)


def share_of_counting(covered: BoolArray, counted: CountedText) -> float | None:
    """Return covered units that count / units that count, or None if no unit counts."""
    total = counted.counting_unit_count
    return int((covered & counted.counting_units).sum()) / total if total else None


def _covered_by(text: PreparedText, sentences: Int32Array, spans: Int32Array) -> BoolArray:
    return covered_units(text, text.marked_sentences(sentences), spans)


def covered_units(text: PreparedText, is_matched: BoolArray, spans: Int32Array = _NO_PASSAGES) -> BoolArray:
    """Mark the units of matched sentences, and those that begin in one of the spans, shape (n, 2)."""
    covered: BoolArray = np.repeat(is_matched, text.sentence_lengths)
    if len(spans):
        covered |= in_ranges(text.units_in(spans), text.unit_count)
    return covered


def in_ranges(bounds: IndexArray, size: int) -> BoolArray:
    """Mark the indices below `size` that are in one of the ranges, shape (n, 2)."""
    changes = np.bincount(bounds[:, 0], minlength=size + 1) - np.bincount(bounds[:, 1], minlength=size + 1)
    covered: BoolArray = np.cumsum(changes)[:size] > 0
    return covered

"""Shares of two texts: their units in matched sentences or passages, before and after exclusions."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simcompare.comparison.comparison_result import BothShares, Cells, ExcludedSentences, PairShares, Share
from simcompare.comparison.passages.passage_columns import Passages
from simcompare.support.arrays import BoolArray, IndexArray, Int32Array
from simcompare.support.lazy import weak_cache
from simcompare.text.prepared_text import PreparedText

# Of 110 single sentences of tests/data/rewordings that match outside passages, 100 have as much; of those in
# letters on one question (tests/data/letters), 3 of 25 in Chinese, but all 6 in English.
_LEAST_CHARACTERS, _LEAST_WORDS = 8.0, 6.0
_NO_SPANS = np.zeros((0, 2), np.int32)
_FEW = 8
_NOTHING_COMMON = Share(0.0, 0.0)


@dataclass(frozen=True, eq=False)
class CountedText:
    text: PreparedText
    excluded: ExcludedSentences

    def reusing(self, before: ExcludedSentences) -> "CountedText":
        """Return the text with exclusions of before, and what is known of them, if they are equal."""
        return CountedText(self.text, before) if np.array_equal(before.codes, self.excluded.codes) else self

    @cached_property
    def counting_unit_count(self) -> int:
        return int(self.excluded.lengths[self.excluded.kept].sum())

    def counting_units_in(self, spans: Int32Array) -> Int32Array:
        """Count the units that count in each span, shape (n, 2), of the text; shape (n,)."""
        bounds, starts = self.text.units_in(spans), self.text.sentence_units
        counts, before = self._counting
        sentences = starts.searchsorted(bounds, side="right") - 1
        counted_before = before[sentences] + counts[sentences] * (bounds - starts[sentences])
        units: Int32Array = (counted_before[:, 1] - counted_before[:, 0]).astype(np.int32)
        return units

    @cached_property
    def _counting(self) -> tuple[BoolArray, IndexArray]:
        """Whether each sentence counts, and the units before it that do; one more for the end."""
        kept = self.excluded.kept
        return np.append(kept, False), np.append(0, np.cumsum(self.excluded.lengths * kept))


def fewer_units(left: Int32Array, right: Int32Array) -> Int32Array:
    """Return the units on the side where fewer count, or if none do, as of a quotation, on the other."""
    fewer: Int32Array = np.minimum(left, right)
    return np.where(fewer > 0, fewer, np.maximum(left, right))


def counting_matches(cells: Cells, passages: Passages, left: PreparedText, right: PreparedText) -> BoolArray:
    """Mark the matched sentences that count for a share: those in or next to a passage, and longer ones.

    A single sentence proves little: essays on one question have sentences of its words in common. P times the
    units in the same order is at least 8 characters, or 6 words, unless a passage is beside it in both.
    """
    if not len(cells):
        return np.zeros(0, np.bool_)
    is_chinese = left.is_mostly_chinese and right.is_mostly_chinese
    is_enough = cells.p * cells.lcs >= (_LEAST_CHARACTERS if is_chinese else _LEAST_WORDS)
    rows = left.sentences_in(passages.left_spans[passages.covers])
    columns = right.sentences_in(passages.right_spans[passages.covers])
    is_enough |= in_ranges(rows, left.sentence_count)[cells.rows]
    is_enough |= in_ranges(columns, right.sentence_count)[cells.columns]
    for (top, bottom), (first, last) in zip(rows.tolist(), columns.tolist(), strict=True):
        is_enough |= (cells.rows == top - 1) & (cells.columns == first - 1)
        is_enough |= (cells.rows == bottom) & (cells.columns == last)
    return is_enough


def pair_shares(
    similar: Cells,
    kept: Cells,
    passages: Passages,
    counted_passages: Passages,
    left: CountedText,
    right: CountedText,
) -> PairShares:
    """Compute the share of each text that is in matched sentences or passages, in units.

    `similar` and `passages` are all that was found, `kept` and `counted_passages` what exclusions leave.
    Exclusions leave both sides of the fraction.

    A summary does not count, because two texts on one topic may look like one; what matches inside it does.
    """
    if not len(similar) and not len(passages):
        return PairShares(_share_of_nothing(left), _share_of_nothing(right))
    spans, counted_spans = passages.spans[passages.covers], counted_passages.spans[counted_passages.covers]
    own = _share(left, similar.rows, spans[:, :2], kept.rows, counted_spans[:, :2])
    other = _share(right, similar.columns, spans[:, 2:], kept.columns, counted_spans[:, 2:])
    counting = shares_that_count(own.after_exclusions, other.after_exclusions, left.text, right.text)
    return PairShares(Share(own.raw, counting[0]), Share(other.raw, counting[1]))


def shares_that_count(
    left: float | None, right: float | None, left_text: PreparedText, right_text: PreparedText
) -> BothShares:
    """Return shares after exclusions; nothing of a named source counts if nothing of the other text does.

    What an essay quotes is excluded in it, but not in the earlier work that it names: by the share of that
    work, who quotes properly would stand among the unusual pairs of a class.
    """
    sources = left_text.is_source, right_text.is_source
    if sources == (True, False) and left and not right:
        return 0.0, right
    if sources == (False, True) and right and not left:
        return left, 0.0
    return left, right


def _share_of_nothing(counted: CountedText) -> Share:
    return _NOTHING_COMMON if counted.excluded.kept.any() else Share(0.0, None)


def _share(counted: CountedText, *found: Int32Array) -> Share:
    """Compute the share of a text.

    found: matched sentences and spans of passages, shape (n, 2), all and those that count.
    """
    of = _kept_share if len(found[0]) + len(found[1]) <= _MOST_KEPT else _kept_share.function
    return of(counted, *(each.astype(np.int32, copy=False).tobytes() for each in found))


# the same in many pairs of a class, whose essays have a cover
_MOST_KEPT = 16


@weak_cache(weak=1, most=8192)
def _kept_share(counted: CountedText, *columns: bytes) -> Share:
    of_all, spans, of_counting, counting_spans = (np.frombuffer(column, np.int32) for column in columns)
    found = of_all, spans.reshape(-1, 2)
    counted_found = of_counting, counting_spans.reshape(-1, 2)
    covered = _covered_by(counted.text, *found)
    raw = int(covered.sum()) / counted.text.unit_count
    if not any(map(len, counted_found)):
        return Share(raw, 0.0 if counted.counting_unit_count else None)
    pairs = zip(counted_found, found, strict=True)
    is_all = all(some.shape == every.shape and (some == every).all() for some, every in pairs)
    covered_and_counted = covered if is_all else _covered_by(counted.text, *counted_found)
    return Share(raw, share_of_counting(covered_and_counted, counted))


def share_of_counting(covered: Int32Array, counted: CountedText) -> float | None:
    """Return covered units that count / units that count, or None if no unit counts.

    covered: units of each sentence, shape (s,).
    """
    total = counted.counting_unit_count
    return int(covered[counted.excluded.kept].sum()) / total if total else None


def _covered_by(text: PreparedText, sentences: Int32Array, spans: Int32Array) -> Int32Array:
    return covered_units(text, text.marked_sentences(sentences), spans)


def covered_units(text: PreparedText, is_matched: BoolArray, spans: Int32Array = _NO_SPANS) -> Int32Array:
    """Count the covered units of each sentence, shape (s,).

    That is all units of a matched sentence, and those that begin in one of the spans, shape (n, 2).
    """
    lengths = text.sentence_lengths
    if not len(spans):
        return lengths * is_matched
    covered: Int32Array = np.where(
        is_matched, lengths, _covered_between(text.units_in(spans), text.sentence_units)
    ).astype(np.int32)
    return covered


def _covered_between(ranges: IndexArray, bounds: Int32Array) -> IndexArray:
    """Count the indices between consecutive bounds that are in one of the ranges, shape (n, 2), n > 0."""
    if len(ranges) == 1:
        before: IndexArray = bounds.clip(*ranges[0]).astype(ranges.dtype)
        return np.diff(before)
    order = np.argsort(ranges[:, 0], kind="stable")
    ends = np.maximum.accumulate(ranges[order, 1])
    # where the part of each range begins that no range before it covers
    starts = np.maximum(ranges[order, 0], np.append(0, ends[:-1]))
    covered_before = np.append(0, np.cumsum(np.maximum(ends - starts, 0)))
    begun = np.searchsorted(starts, bounds.astype(starts.dtype), side="right")
    beyond = np.where(begun > 0, np.maximum(ends[begun - 1] - bounds, 0), 0)
    return np.diff(covered_before[begun] - beyond)


def in_ranges(bounds: IndexArray, size: int) -> BoolArray:
    """Mark the indices below `size` that are in one of the ranges, shape (n, 2)."""
    if len(bounds) <= _FEW:
        marked = np.zeros(size, np.bool_)
        for first, stop in bounds.tolist():
            marked[first:stop] = True
        return marked
    changes = np.bincount(bounds[:, 0], minlength=size + 1) - np.bincount(bounds[:, 1], minlength=size + 1)
    covered: BoolArray = np.cumsum(changes)[:size] > 0
    return covered

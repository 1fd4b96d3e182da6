"""Shares of two texts after the teacher's decisions."""

from dataclasses import dataclass

from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.comparison.shares import (
    CountedText,
    counting_matches,
    covered_units,
    in_ranges,
    share_of_counting,
)
from simcompare.support.arrays import BoolArray, IndexArray, Int32Array


@dataclass(frozen=True, slots=True)
class DecidedShares:
    """Share of each text that is in the other, without passages and matches decided to be fine.

    In [0, 1], of the units that count; None if no unit counts.
    """

    left_in_right: float | None
    right_in_left: float | None

    @property
    def mirrored(self) -> "DecidedShares":
        """The same shares with the sides swapped."""
        return DecidedShares(self.right_in_left, self.left_in_right)


@dataclass(frozen=True, slots=True, eq=False)
class _DecidedSide:
    """One side: sentences of the matches, spans of the passages, and which of them count as a whole."""

    counted: CountedText
    sentences: Int32Array
    spans: Int32Array
    covers: BoolArray


def shares_after_decisions(
    comparison: Comparison, passages: NumberedPassages, is_fine: BoolArray, is_closed: BoolArray
) -> DecidedShares:
    """Compute the shares after exclusions, without passages and matches decided to be fine.

    is_fine: matches, shape (matches,); is_closed: passages of the comparison, shape (n,). A closed passage
    leaves the share except for its matches that are not fine, and so does a sentence all of whose matches in
    passages are fine. The units that count stay the same.
    """
    share = comparison.share
    if not is_fine.any() and not is_closed.any():
        return DecidedShares(share.left_in_right.after_exclusions, share.right_in_left.after_exclusions)
    cells = comparison.matches.cells
    if comparison.detected_passages is not None:
        texts = comparison.left.prepared, comparison.right.prepared
        is_fine = is_fine | ~counting_matches(cells, comparison.passages, *texts)
    sides = zip(
        (comparison.left, comparison.right),
        comparison.excluded,
        (cells.rows, cells.columns),
        (passages.left_spans, passages.right_spans),
        strict=True,
    )
    left, right = (
        _decided_share(
            _DecidedSide(CountedText(side.prepared, excluded), sentences, spans, passages.covers),
            passages.match_indices,
            is_fine,
            is_closed,
        )
        for side, excluded, sentences, spans in sides
    )
    return DecidedShares(left, right)


def _decided_share(
    side: _DecidedSide, listed: IndexArray, is_fine: BoolArray, is_closed: BoolArray
) -> float | None:
    """Compute the share of one side; listed: indices of the matches in passages."""
    text = side.counted.text
    is_matched = text.marked_sentences(side.sentences)
    in_passage = text.marked_sentences(side.sentences[listed])
    is_open = text.marked_sentences(side.sentences[listed[~is_fine[listed]]])
    # the matches of the other sentences lead from one passage to another one
    bounds = text.sentences_in(side.spans)
    only_closed = in_ranges(bounds[is_closed], text.sentence_count)
    only_closed &= ~in_ranges(bounds[~is_closed], text.sentence_count)
    counts = is_open | (is_matched & ~in_passage & ~only_closed)
    covered = covered_units(text, counts, side.spans[side.covers & ~is_closed])
    covered[in_passage & ~is_open] = 0
    return share_of_counting(covered, side.counted)

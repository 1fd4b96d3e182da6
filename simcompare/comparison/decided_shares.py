"""Shares of two texts after the teacher's decisions."""

from dataclasses import dataclass

from simcompare.comparison.comparison_result import BothShares, Comparison
from simcompare.comparison.passages.numbered_passages import NumberedPassages
from simcompare.comparison.shares import CountedText, counting_matches, in_ranges, shares_that_count
from simcompare.support.arrays import BoolArray, IndexArray, Int32Array


@dataclass(frozen=True, slots=True, eq=False)
class _DecidedSide:
    """One side: sentences of the matches, spans of the passages, and which of them count as a whole."""

    counted: CountedText
    sentences: Int32Array
    spans: Int32Array
    covers: BoolArray


def shares_after_decisions(
    comparison: Comparison, passages: NumberedPassages, is_fine: BoolArray, is_closed: BoolArray
) -> BothShares:
    """Compute the shares after exclusions, without passages and matches decided to be fine.

    Parameters as of `counted_units`. The units that count stay the same.
    """
    share = comparison.share
    if not is_fine.any() and not is_closed.any():
        return share.left_in_right.after_exclusions, share.right_in_left.after_exclusions
    texts = zip((comparison.left, comparison.right), comparison.excluded, strict=True)
    totals = [CountedText(side.prepared, excluded).counting_unit_count for side, excluded in texts]
    found = counted_units(comparison, passages, is_fine, is_closed)
    left, right = (
        int(units.sum()) / total if total else None for units, total in zip(found, totals, strict=True)
    )
    return shares_that_count(left, right, comparison.left.prepared, comparison.right.prepared)


def counted_units(
    comparison: Comparison, passages: NumberedPassages, is_fine: BoolArray, is_closed: BoolArray
) -> tuple[BoolArray, BoolArray]:
    """Mark the units of each text that are in its share after exclusions and decisions, shape (u,).

    is_fine: matches, shape (matches,); is_closed: passages of the comparison, shape (n,). A closed passage
    leaves the share except for its matches that are not fine, and so does a sentence all of whose matches in
    passages are fine.
    """
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
        _counted_units(
            _DecidedSide(CountedText(side.prepared, excluded), sentences, spans, passages.covers),
            passages.match_indices,
            is_fine,
            is_closed,
        )
        for side, excluded, sentences, spans in sides
    )
    return left, right


def _counted_units(
    side: _DecidedSide, listed: IndexArray, is_fine: BoolArray, is_closed: BoolArray
) -> BoolArray:
    """Mark the units of one side; listed: indices of the matches in passages."""
    text = side.counted.text
    is_matched = text.marked_sentences(side.sentences)
    in_passage = text.marked_sentences(side.sentences[listed])
    is_open = text.marked_sentences(side.sentences[listed[~is_fine[listed]]])
    # the matches of the other sentences lead from one passage to another one
    bounds = text.sentences_in(side.spans)
    only_closed = in_ranges(bounds[is_closed], text.sentence_count)
    only_closed &= ~in_ranges(bounds[~is_closed], text.sentence_count)
    counts = is_open | (is_matched & ~in_passage & ~only_closed)
    never = (in_passage & ~is_open) | ~side.counted.excluded.kept
    covered = in_ranges(text.units_in(side.spans[side.covers & ~is_closed]), text.unit_count)
    units: BoolArray = (covered | text.by_unit(counts)) & ~text.by_unit(never)
    return units

"""Quotations that are copied together with the text around them, as dialogue is, and therefore count."""

import numpy as np

from simcompare.comparison.comparison_result import BoolArray, Cells, Int32Array
from simcompare.comparison.passages.passage_detection import stretches_of_matches
from simcompare.comparison.shares import CountedText
from simcompare.text.prepared_text import IndexArray

_LEAST_OWN_SENTENCES = 2
"""One sentence that leads to a well-known quotation is alike in many texts."""
_MOST_QUOTED_OF_OWN = 0.3
"""Quoted share of a sentence from which it is not the writer's own, but leads to the quotation in it."""
_LEAST_OWN_PER_QUOTED = 0.25
"""Units of the writers' own text in a stretch, as a share of the quoted units in it."""


def with_copied_quotations(
    similar: Cells, left: CountedText, right: CountedText
) -> tuple[CountedText, CountedText]:
    """Count quotations that are in both texts amid the same text of the writers' own.

    Two texts that quote one source have the quotation in common, and around it each writer's own words. So a
    quotation counts in a stretch of matched sentences that has enough matched text besides quotations.
    `similar` are all matched cells. Texts in which nothing changes are returned as they are.
    """
    quoted = left.excluded.quoted[similar.rows] & right.excluded.quoted[similar.columns]
    if not quoted.any():
        return left, right
    own = _own(left)[similar.rows] & _own(right)[similar.columns]
    cells, is_quoted = similar.select(np.flatnonzero(quoted | own)), quoted[quoted | own]
    _spans, stretches = stretches_of_matches(cells, left.text, right.text)
    copied = _copied(left, cells.rows, stretches, is_quoted) & _copied(
        right, cells.columns, stretches, is_quoted
    )
    taken = is_quoted & copied[stretches]
    return _counting(left, cells.rows[taken]), _counting(right, cells.columns[taken])


def _own(text: CountedText) -> BoolArray:
    """Mark the sentences that count and have hardly any quotation in them, shape (s,)."""
    own = text.excluded.kept
    if text.excluded.quotations is not None:
        own = own & (text.excluded.quotations.quoted_shares < _MOST_QUOTED_OF_OWN)
    return own


def _copied(
    text: CountedText, sentences: Int32Array, stretches: IndexArray, is_quoted: BoolArray
) -> BoolArray:
    """Mark the stretches with enough matched text of the writer's own; columns: a row for each match."""
    (own_sentences, own_units), (_quotations, quoted_units) = (
        _size(text, sentences[mask], stretches[mask], int(stretches.max()) + 1)
        for mask in (~is_quoted, is_quoted)
    )
    copied: BoolArray = (own_sentences >= _LEAST_OWN_SENTENCES) & (
        own_units >= _LEAST_OWN_PER_QUOTED * quoted_units
    )
    return copied


def _size(
    text: CountedText, sentences: Int32Array, stretches: IndexArray, count: int
) -> tuple[Int32Array, Int32Array]:
    """Count the different sentences of each stretch, and their units."""
    pairs = np.unique(np.stack([stretches, sentences], axis=1), axis=0)
    lengths = text.excluded.lengths[pairs[:, 1]]
    units = np.bincount(pairs[:, 0], lengths, minlength=count).astype(np.int32)
    return np.bincount(pairs[:, 0], minlength=count).astype(np.int32), units


def _counting(text: CountedText, quotations: Int32Array) -> CountedText:
    """Count quotations of a text unless they are excluded for another reason too."""
    if not len(quotations):
        return text
    marked = text.text.marked_sentences(quotations)
    return CountedText(text.text, text.excluded.without_quotations(marked))

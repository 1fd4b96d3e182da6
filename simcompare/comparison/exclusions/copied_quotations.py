"""Quotations that are copied together with the text around them, as dialogue is, and therefore count."""

import numpy as np

from simcompare.comparison.comparison_result import BoolArray, Cells, Float64Array, Int32Array
from simcompare.comparison.passages.passage_detection import groups_of_matches
from simcompare.comparison.shares import CountedText
from simcompare.text.prepared_text import IndexArray

_MOST_QUOTED_OF_OWN = 0.3
"""Quoted share of a sentence from which it is not the writer's own, but leads to the quotation in it."""
_LEAST_OWN_PER_QUOTED = 0.25
"""Units of the writers' own text in a stretch, as a share of the quoted units in it."""


def with_copied_quotations(
    similar: Cells, left: CountedText, right: CountedText
) -> tuple[CountedText, CountedText]:
    """Count quotations that are in both texts amid the same text of the writers' own.

    Two texts that quote one source have the quotation in common, and perhaps the words that lead to it, but
    not the text on both sides of it. So a quotation counts between matched sentences of the writers' own in a
    stretch of matches.

    `similar` are all matched cells. Texts in which nothing changes are returned as they are.
    """
    quoted = left.excluded.quoted[similar.rows] & right.excluded.quoted[similar.columns]
    if not quoted.any():
        return left, right
    own = _own(left)[similar.rows] & _own(right)[similar.columns]
    cells, is_quoted = similar.select(np.flatnonzero(quoted | own)), quoted[quoted | own]
    stretches = groups_of_matches(cells)
    with_quotations = np.flatnonzero(np.isin(stretches, stretches[is_quoted]))  # few stretches have any
    cells, is_quoted, stretches = (
        cells.select(with_quotations),
        is_quoted[with_quotations],
        stretches[with_quotations],
    )
    is_copied = is_quoted & _is_amid_own(left, cells.rows, stretches, is_quoted)
    is_copied &= _is_amid_own(right, cells.columns, stretches, is_quoted)
    return _counting(left, cells.rows[is_copied]), _counting(right, cells.columns[is_copied])


def _own(text: CountedText) -> BoolArray:
    """Mark the sentences that count and have hardly any quotation in them, shape (s,)."""
    own = text.excluded.kept
    if text.excluded.quotations is not None:
        own = own & (text.excluded.quotations.quoted_shares < _MOST_QUOTED_OF_OWN)
    return own


def _is_amid_own(
    text: CountedText, sentences: Int32Array, stretches: IndexArray, is_quoted: BoolArray
) -> BoolArray:
    """Mark the matches between matches of the writer's own text in their stretch, if these have enough units.

    sentences, stretches, is_quoted: of each match, shape (m,).
    """
    count, own = int(stretches.max()) + 1, ~is_quoted
    first, last = np.full(count, text.text.sentence_count), np.full(count, -1)
    np.minimum.at(first, stretches[own], sentences[own])
    np.maximum.at(last, stretches[own], sentences[own])
    own_units, quoted_units = (
        _units(text, sentences[mask], stretches[mask], count) for mask in (own, is_quoted)
    )
    is_enough = own_units >= _LEAST_OWN_PER_QUOTED * quoted_units
    amid: BoolArray = (first[stretches] < sentences) & (sentences < last[stretches]) & is_enough[stretches]
    return amid


def _units(text: CountedText, sentences: Int32Array, stretches: IndexArray, count: int) -> Float64Array:
    """Count the units of the different sentences of each stretch."""
    pairs = np.unique(np.stack([stretches, sentences], axis=1), axis=0)
    lengths = text.excluded.lengths[pairs[:, 1]]
    units: Float64Array = np.bincount(pairs[:, 0], lengths, minlength=count).astype(np.float64)
    return units


def _counting(text: CountedText, quotations: Int32Array) -> CountedText:
    """Count quotations of a text unless they are excluded for another reason too."""
    if not len(quotations):
        return text
    marked = text.text.marked_sentences(quotations)
    return CountedText(text.text, text.excluded.without_quotations(marked))

"""Passages that count: those with text of both writers."""

import numpy as np

from simcompare.comparison.exclusions.excluded_sentences import are_quotations
from simcompare.comparison.passages.passage_columns import Passages
from simcompare.comparison.passages.passage_detection import find_passages
from simcompare.comparison.passages.passage_kinds import expand_ranges
from simcompare.comparison.passages.term_cosine import SentenceTerms, sentence_terms
from simcompare.comparison.shares import CountedText
from simcompare.model.settings import PassageSettings
from simcompare.support.arrays import BoolArray, Int32Array
from simcompare.support.weak_cache import weak_cache
from simcompare.text.prepared_text import PreparedText


def passages_after_exclusions(
    detected: Passages, left: CountedText, right: CountedText, settings: PassageSettings | None
) -> Passages:
    """Select the passages that count, out of the passages detected in two whole texts.

    A passage that begins in a prompt, or in other text that both have from somewhere else, may go on into
    their own text, which is not similar itself. Such texts are searched again without the text from
    elsewhere, under `settings`.
    """
    counted = counted_passages(detected, left, right)
    by_words = counted.select(~counted.is_rewritten)
    if settings is None or not (
        _any_in(left, by_words.left_spans, left.excluded.shared_text).any()
        or _any_in(right, by_words.right_spans, right.excluded.shared_text).any()
    ):
        return counted
    left_terms, right_terms = (
        _own_terms(text.text, text.excluded.shared_text.tobytes()) for text in (left, right)
    )
    found = _find_passages(left_terms, right_terms, settings)
    return counted_passages(found, left, right).with_others(counted.select(counted.is_rewritten))


# Thresholds are dragged, and all pairs of a class classified again each time, while these stay the same.
@weak_cache(weak=1, most=512)
def _own_terms(text: PreparedText, shared_text: bytes) -> SentenceTerms:
    """Return the terms of a text without the sentences marked by the bytes of a mask."""
    return sentence_terms(text.with_sentences(~np.frombuffer(shared_text, np.bool_)))


_find_passages = weak_cache(weak=2, most=4096)(find_passages)


def counted_passages(passages: Passages, left: CountedText, right: CountedText) -> Passages:
    """Select the passages that contain a sentence that counts on each side.

    A passage also counts if it is quoted as a whole on one side and not marked as a quotation on the other.
    """
    if not len(passages):
        return passages
    (left_kept, left_quoted), (right_kept, right_quoted) = (
        [_any_in(text, spans, mask) for mask in (text.excluded.kept, text.excluded.quoted)]
        for text, spans in ((left, passages.left_spans), (right, passages.right_spans))
    )
    unmarked = (left_kept & ~left_quoted & right_quoted) | (right_kept & ~right_quoted & left_quoted)
    both_quoted = _are_quoted(left, passages.left_spans) & _are_quoted(right, passages.right_spans)
    return passages.select((left_kept & right_kept & ~both_quoted) | unmarked)


def _are_quoted(text: CountedText, spans: Int32Array) -> BoolArray:
    """Mark the spans, shape (n, 2), that the quoted parts of their sentences can hold for the most part.

    A quoted sentence that counts, as it is copied amid own text, is as good as own text.
    """
    if text.excluded.quotations is None:
        return np.zeros(len(spans), np.bool_)
    shares, starts = text.excluded.quotations.quoted_shares, text.text.sentence_units
    quoted = np.where(text.excluded.kept & are_quotations(shares), 0, shares * text.excluded.lengths)
    bounds = text.text.units_in(spans)
    passages, sentences = expand_ranges(text.text.sentences_in(spans))
    inside = np.minimum(starts[sentences + 1], bounds[passages, 1]) - np.maximum(
        starts[sentences], bounds[passages, 0]
    )
    units = np.bincount(passages, np.minimum(inside, quoted[sentences]), len(spans))
    return are_quotations(units / (bounds[:, 1] - bounds[:, 0]))


def _any_in(text: CountedText, spans: Int32Array, marked: BoolArray) -> BoolArray:
    """Mark the spans, shape (n, 2), that overlap a marked sentence."""
    first, stop = text.text.sentences_in(spans).T
    marked_before = np.append(0, np.cumsum(marked))
    found: BoolArray = marked_before[stop] > marked_before[first]
    return found

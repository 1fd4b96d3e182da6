"""Passages that count: those with text of both writers' own."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress

import numpy as np

from simcompare.comparison.comparison_result import BoolArray, Int32Array, Passage
from simcompare.comparison.passages.passage_detection import find_passages
from simcompare.comparison.passages.sentence_terms import SentenceTerms, sentence_terms
from simcompare.comparison.shares import CountedText, left_spans, right_spans
from simcompare.model.settings import PassageSettings
from simcompare.text.prepared_text import PreparedText


def passages_after_exclusions(
    detected: Sequence[Passage], left: CountedText, right: CountedText, settings: PassageSettings | None
) -> tuple[Passage, ...]:
    """Select the passages that count, out of the passages detected in two whole texts.

    A passage that begins in a prompt, or in other text that both have from somewhere else, may go on into
    their own text, which is not similar itself. Such texts are searched again without the text from
    elsewhere, under `settings`.
    """
    counted = counted_passages(detected, left, right)
    if settings is None or not any(
        _any_in(text, spans(counted), text.excluded.shared_text).any()
        for text, spans in ((left, left_spans), (right, right_spans))
    ):
        return counted
    terms = (_own_terms(text.text, text.excluded.shared_text.tobytes()) for text in (left, right))
    return counted_passages(_find_passages(*terms, settings), left, right)


# Thresholds are dragged, and all pairs of a class classified again each time, while these stay the same.
@lru_cache(maxsize=512)
def _own_terms(text: PreparedText, shared_text: bytes) -> SentenceTerms:
    """Return the terms of a text without the sentences marked by the bytes of a mask."""
    return sentence_terms(text.with_sentences(~np.frombuffer(shared_text, np.bool_)))


_find_passages = lru_cache(maxsize=4096)(find_passages)


def counted_passages(
    passages: Sequence[Passage], left: CountedText, right: CountedText
) -> tuple[Passage, ...]:
    """Select the passages that contain a sentence that counts on each side."""
    if not passages:
        return ()
    counts = _any_in(left, left_spans(passages), left.excluded.kept) & _any_in(
        right, right_spans(passages), right.excluded.kept
    )
    return tuple(compress(passages, counts.tolist()))


def _any_in(text: CountedText, spans: Int32Array, marked: BoolArray) -> BoolArray:
    """Mark the spans, shape (n, 2), that overlap a marked sentence."""
    first, stop = text.text.sentences_in(spans).T
    marked_before = np.append(0, np.cumsum(marked))
    found: BoolArray = marked_before[stop] > marked_before[first]
    return found

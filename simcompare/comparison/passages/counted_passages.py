"""Passages that count: those with text of both writers' own."""

from collections.abc import Sequence
from itertools import compress

import numpy as np

from simcompare.comparison.comparison_result import BoolArray, Int32Array, Passage
from simcompare.comparison.passages.passage_detection import find_passages
from simcompare.comparison.shares import CountedText, left_spans, right_spans
from simcompare.model.settings import PassageSettings


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
    return counted_passages(find_passages(left.own_terms, right.own_terms, settings), left, right)


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

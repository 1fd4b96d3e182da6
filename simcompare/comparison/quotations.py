"""Which sentences of a text are quotations, by their blocks and by their marks."""

import re
from collections.abc import Iterator

import numpy as np

from simcompare.comparison.speech import is_speech
from simcompare.comparison.values import BoolArray
from simcompare.document import BlockKind, Document, Span
from simcompare.text.prepared import PreparedText

_QUOTED_SHARE = 0.8
"""A sentence is a quotation from this share of its units on; a text of which as much is quoted is none."""
_LONGEST_QUOTATION_UNITS = 300
"""The longest of 1,232 quotations in Chinese news and English essays has 172 units, 99 in 100 below 95."""
_LONGEST_SPEECH_UNITS = 60
"""Nobody in a story says more in one breath."""
_CLOSING_MARKS = {"“": "”", "「": "」", "『": "』", "«": "»"}
_STRAIGHT_MARKS = '"＂'
_MARK = re.compile(f"[{''.join([*_CLOSING_MARKS, *_CLOSING_MARKS.values(), _STRAIGHT_MARKS])}]")


def quoted_sentences(document: Document, prepared: PreparedText) -> BoolArray:
    """Tell which sentences are quotations: by their block, or for the most part in quotation marks.

    Marks pair off within a paragraph. Neither long stretches in marks count nor what somebody says in a
    story, which is the writer's own, nor a text that is in marks as a whole: nobody puts most of an essay of
    their own in quotation marks.
    """
    lengths = prepared.sentence_lengths
    inside = np.concatenate([[0], np.cumsum(_units_in_marks(document, prepared))])
    in_marks = np.diff(inside[prepared.sentence_units])
    quoted = of_kind(document, prepared, BlockKind.QUOTATION)
    if inside[-1] < _QUOTED_SHARE * prepared.unit_count:
        quoted |= in_marks / lengths >= _QUOTED_SHARE
    return quoted


def of_kind(document: Document, prepared: PreparedText, kind: BlockKind) -> BoolArray:
    """Tell which sentences stand in blocks of a kind, shape (s,)."""
    kinds = np.array([block.kind is kind for block in document.blocks], np.bool_)
    found: BoolArray = kinds[prepared.sentence_blocks]
    return found


def _units_in_marks(document: Document, prepared: PreparedText) -> BoolArray:
    """Tell which units stand in quotation marks, shape (u,)."""
    spans = [
        (span, block.span) for block in document.blocks for span in _quotations(document.text, block.span)
    ]
    bounds = np.array([(span.start, span.end) for span, _paragraph in spans], np.int32).reshape(-1, 2)
    inside = np.zeros(prepared.unit_count, np.bool_)
    places = np.searchsorted(prepared.unit_spans[:, 0], bounds).tolist()
    for (span, paragraph), (first, end) in zip(spans, places, strict=True):
        may_be_said = end - first <= _LONGEST_SPEECH_UNITS
        if end - first <= _LONGEST_QUOTATION_UNITS and not (
            may_be_said and is_speech(document.text, span, paragraph)
        ):
            inside[first:end] = True
    return inside


def _quotations(text: str, paragraph: Span) -> Iterator[Span]:
    """Yield what stands between paired marks; a mark without a partner quotes nothing."""
    opened: dict[str, list[int]] = {mark: [] for mark in _CLOSING_MARKS.values()}
    straight: list[int] = []
    for match in _MARK.finditer(text, paragraph.start, paragraph.end):
        mark, place = match.group(), match.start()
        if mark in _STRAIGHT_MARKS:
            straight.append(place)
        elif mark in _CLOSING_MARKS:
            opened[_CLOSING_MARKS[mark]].append(place)
        elif opened[mark]:
            yield Span(opened[mark].pop(), place)
    # of an odd number of marks nobody can tell which is the one too many
    if len(straight) % 2 == 0:
        yield from map(Span, straight[::2], straight[1::2])

"""Which sentences are left out: quotations, references, the prompt, name lines, short fragments."""

import re
from collections.abc import Iterator, Sequence
from itertools import compress

import numpy as np

from simcompare.comparison.judgement import similar_cells
from simcompare.comparison.matrix import assemble, pose_problem, row_blocks, score_rows
from simcompare.comparison.name_lines import name_line_sentences
from simcompare.comparison.subject import Subject
from simcompare.comparison.values import (
    BoolArray,
    Cells,
    ExcludedSentences,
    ExclusionGrounds,
    ExclusionReason,
    Int32Array,
    Passage,
)
from simcompare.document import BlockKind, Document, Span
from simcompare.settings import ComparisonSettings
from simcompare.text.prepared import PreparedText
from simcompare.text.thesaurus import Thesaurus

_QUOTED_SHARE = 0.8
"""A sentence is a quotation from this share of its units on; a text of which as much is quoted is none."""
_LONGEST_QUOTATION_UNITS = 300
"""The longest of 1,232 quotations in Chinese news and English essays has 172 units, 99 in 100 below 95."""
_CLOSING_MARKS = {"“": "”", "「": "」", "『": "』", "«": "»"}
_STRAIGHT_MARKS = '"＂'
_MARK = re.compile(f"[{''.join([*_CLOSING_MARKS, *_CLOSING_MARKS.values(), _STRAIGHT_MARKS])}]")


def find_grounds(
    subject: Subject, prompt: PreparedText | None = None, thesaurus: Thesaurus | None = None
) -> ExclusionGrounds:
    """Return all that may speak for excluding sentences of a text.

    It does not depend on the settings, so that they can change without reading or scoring anything again.
    """
    return ExclusionGrounds(
        quoted_sentences(subject.document, subject.prepared),
        referenced_sentences(subject.document, subject.prepared),
        name_line_sentences(subject.document, subject.prepared),
        None if prompt is None else _score(subject.prepared, prompt, thesaurus),
    )


def _score(text: PreparedText, prompt: PreparedText, thesaurus: Thesaurus | None) -> Cells:
    problem = pose_problem(text, prompt, thesaurus)
    return assemble(problem.shape, (score_rows(problem, rows) for rows in row_blocks(problem))).cells


def find_exclusions(
    prepared: PreparedText, grounds: ExclusionGrounds, settings: ComparisonSettings
) -> ExcludedSentences:
    """Judge which sentences are excluded; one reason each."""
    lengths = prepared.sentence_lengths
    holds = {
        ExclusionReason.QUOTATION: grounds.quoted & settings.exclude_quotations,
        ExclusionReason.REFERENCE: grounds.referenced & settings.exclude_references,
        ExclusionReason.PROMPT: _prompted(len(lengths), grounds.prompt, settings),
        ExclusionReason.NAME_LINE: grounds.naming & settings.exclude_name_lines,
        ExclusionReason.SHORT: lengths < settings.minimum_units,
    }
    codes = np.select([holds[reason] for reason in ExclusionReason], range(1, len(holds) + 1))
    return ExcludedSentences(codes.astype(np.int8), lengths)


def _prompted(sentences: int, cells: Cells | None, settings: ComparisonSettings) -> BoolArray:
    """Tell which sentences match one of the prompt, by the judgement of any other pair."""
    found = np.zeros(sentences, np.bool_)
    if cells is not None and settings.prompt is not None:
        found[similar_cells(cells, settings).rows] = True
    return found


# --- quotations


def quoted_sentences(document: Document, prepared: PreparedText) -> BoolArray:
    """Tell which sentences are quotations: by their block, or for the most part in quotation marks.

    Marks pair off within a paragraph. Neither long stretches in marks count nor a text that is in marks
    as a whole: nobody puts most of an essay of their own in quotation marks.
    """
    lengths = prepared.sentence_lengths
    inside = np.concatenate([[0], np.cumsum(_units_in_marks(document, prepared))])
    in_marks = np.diff(inside[prepared.sentence_units])
    quoted = _of_kind(document, prepared, BlockKind.QUOTATION)
    if inside[-1] < _QUOTED_SHARE * prepared.unit_count:
        quoted |= in_marks / lengths >= _QUOTED_SHARE
    return quoted


def _of_kind(document: Document, prepared: PreparedText, kind: BlockKind) -> BoolArray:
    kinds = np.array([block.kind is kind for block in document.blocks], np.bool_)
    found: BoolArray = kinds[prepared.sentence_blocks]
    return found


def _units_in_marks(document: Document, prepared: PreparedText) -> BoolArray:
    """Tell which units stand in quotation marks, shape (u,)."""
    spans = [span for block in document.blocks for span in _quotations(document.text, block.span)]
    bounds = np.array([(span.start, span.end) for span in spans], np.int32).reshape(-1, 2)
    inside = np.zeros(prepared.unit_count, np.bool_)
    for first, end in np.searchsorted(prepared.unit_spans[:, 0], bounds).tolist():
        if end - first <= _LONGEST_QUOTATION_UNITS:
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


# --- reference lists


def referenced_sentences(document: Document, prepared: PreparedText) -> BoolArray:
    """Tell which sentences stand in a reference list; loading marks its blocks."""
    return _of_kind(document, prepared, BlockKind.REFERENCE)


def counting_passages(
    passages: Sequence[Passage],
    left: tuple[PreparedText, ExcludedSentences],
    right: tuple[PreparedText, ExcludedSentences],
) -> tuple[Passage, ...]:
    """Return the passages that hold a sentence that counts on either side."""
    bounds = np.array([(p.left.start, p.left.end, p.right.start, p.right.end) for p in passages], np.int32)
    bounds = bounds.reshape(-1, 4)
    counts = _count(bounds[:, :2], *left) & _count(bounds[:, 2:], *right)
    return tuple(compress(passages, counts.tolist()))


def _count(spans: Int32Array, text: PreparedText, excluded: ExcludedSentences) -> BoolArray:
    """Tell which spans, shape (n, 2), hold a sentence that counts."""
    first = np.searchsorted(text.sentence_spans[:, 1], spans[:, 0], side="right")
    stop = np.searchsorted(text.sentence_spans[:, 0], spans[:, 1], side="left")
    kept_before = np.append(0, np.cumsum(excluded.kept))
    found: BoolArray = kept_before[stop] > kept_before[first]
    return found

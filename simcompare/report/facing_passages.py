"""Passages of a comparison with both texts side by side."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from simcompare.comparison.comparison_result import Comparison
from simcompare.comparison.passage_explanation import explain_passage
from simcompare.comparison.passages.numbered_passages import NumberedPassage, NumberedPassages
from simcompare.model.document import Document, Span
from simcompare.report.evidence import Evidence
from simcompare.report.html_sections import PageView
from simcompare.report.text_pieces import BlockPieces, TextPiece
from simcompare.report.wording import decision_name, enumerated, first_of, note_in_words, passage_kind_name
from simcompare.support.i18n import _
from simcompare.text.thesaurus import Thesaurus

_MOST_NUMBERED = 20
_NEARLY_ALL = 0.9
"""Share of a text from which a passage counts as the whole: only a title or a line is left. Chosen, not
tuned.
"""


@dataclass(frozen=True, slots=True)
class FacingPassage:
    """A passage, numbered from 1, with the part of each text that it covers.

    title: as by `decided_title`; empty if it is a single pair of sentences
    is_noted: it has a decision or a note
    is_single: it is one pair of sentences, which the list of matches shows anyway
    is_whole: it covers nearly all of both texts, which a report shows in full anyway
    """

    number: int
    title: str
    left: Sequence[BlockPieces]
    right: Sequence[BlockPieces]
    is_noted: bool
    is_single: bool
    is_whole: bool


def facing_passages(evidence: Evidence, page: PageView) -> Iterator[FacingPassage]:
    """Yield the passages, cut from the blocks of the page."""
    comparison = evidence.comparison
    documents = comparison.left.document, comparison.right.document
    for passage in evidence.passages:
        left, right = (
            list(_within(side.blocks, document, span))
            for side, document, span in zip(page.sides, documents, (passage.left, passage.right), strict=True)
        )
        is_whole = all(map(_is_nearly_all, (passage.left, passage.right), documents))
        is_single = not is_whole and _is_single(comparison, passage)
        title = "" if is_single else decided_title(evidence, passage)
        is_noted = not evidence.decision_on(passage).is_empty
        yield FacingPassage(passage.number, title, left, right, is_noted, is_single, is_whole)


def decided_title(evidence: Evidence, passage: NumberedPassage) -> str:
    """Return the title of a passage (`passage_title`) with the decision and the note on it, if any."""
    title = passage_title(evidence.comparison, evidence.passages, passage, evidence.thesaurus)
    noted = evidence.decision_on(passage)
    decided = decision_name(noted.decision), note_in_words(noted.note)
    return " · ".join([title, *filter(None, decided)])


def passage_title(
    comparison: Comparison,
    passages: NumberedPassages,
    passage: NumberedPassage,
    thesaurus: Thesaurus | None,
) -> str:
    """Return "Passage 2 · reworded · 61 % of the words in common, 1 pair of synonyms: big ~ large"."""
    number = _("Passage {number}").format(number=f"{passage.number:,}")
    explanation = explain_passage(comparison, passages, passage.number - 1, thesaurus)
    return " · ".join([number, passage_kind_name(passage.kind), explanation.summary])


def _is_single(comparison: Comparison, passage: NumberedPassage) -> bool:
    if len(passage.matches) != 1:
        return False
    match = comparison.matches[passage.matches[0]]
    return (passage.left, passage.right) == (comparison.left_span(match), comparison.right_span(match))


def remarks_on_passages(passages: Iterable[FacingPassage]) -> list[str]:
    """Say which passages are shown elsewhere in the report rather than side by side."""
    every = list(passages)
    remarks = [whole_in_words(passage) for passage in every if passage.is_whole]
    singles = [f"{passage.number:,}" for passage in every if passage.is_single]
    if singles:
        words = _("Single sentences, which are listed with the matches: {numbers}.")
        remarks.append(words.format(numbers=enumerated(first_of(singles, _MOST_NUMBERED))))
    return remarks


def whole_in_words(passage: FacingPassage) -> str:
    """Return the sentence shown in place of a passage that covers nearly all of both texts."""
    words = _("{passage}. It covers nearly all of both texts, which this report shows in full.")
    return words.format(passage=passage.title)


def _is_nearly_all(span: Span, document: Document) -> bool:
    return len(span) >= _NEARLY_ALL * len(document.text.strip())


def _within(blocks: Sequence[BlockPieces], document: Document, span: Span) -> Iterator[BlockPieces]:
    """Yield the parts of the blocks within a span."""
    first = bisect_right(document.blocks, span.start, key=lambda block: block.span.end)
    for block, view in zip(document.blocks[first:], blocks[first:], strict=True):
        if block.span.start >= span.end:
            return
        pieces = list(_cut(view.pieces, block.span.start, span))
        if pieces:
            yield BlockPieces(view.kind, pieces)


def _cut(pieces: Sequence[TextPiece], start: int, span: Span) -> Iterator[TextPiece]:
    for piece in pieces:
        text = piece.text[max(span.start - start, 0) : max(span.end - start, 0)]
        if text:
            yield replace(piece, text=text)
        start += len(piece.text)

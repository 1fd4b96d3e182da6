"""Passages of a comparison with both texts side by side."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from simcompare.model.document import Document, Span
from simcompare.report.evidence import Evidence
from simcompare.report.html_sections import PageView
from simcompare.report.text_pieces import BlockPieces, TextPiece
from simcompare.support.i18n import _

_NEARLY_ALL = 0.9
"""Share of a text from which a passage counts as the whole: only a title or a line is left. Chosen, not
tuned.
"""


@dataclass(frozen=True, slots=True)
class FacingPassage:
    """A passage, numbered from 1, with the part of each text that it covers.

    is_whole: it covers nearly all of both texts, which a report shows in full anyway.
    """

    number: int
    left: Sequence[BlockPieces]
    right: Sequence[BlockPieces]
    is_whole: bool


def facing_passages(evidence: Evidence, page: PageView) -> Iterator[FacingPassage]:
    """Yield the passages, cut from the blocks of the page."""
    comparison = evidence.comparison
    documents = comparison.left.document, comparison.right.document
    for number, passage in enumerate(comparison.passages, start=1):
        left, right = (
            list(_within(side.blocks, document, span))
            for side, document, span in zip(page.sides, documents, (passage.left, passage.right), strict=True)
        )
        is_whole = all(map(_is_nearly_all, (passage.left, passage.right), documents))
        yield FacingPassage(number, left, right, is_whole)


def whole_in_words(passage: FacingPassage) -> str:
    """Return the sentence shown in place of a passage that covers nearly all of both texts."""
    words = _("Passage {number} covers nearly all of both texts, which this report shows in full.")
    return words.format(number=passage.number)


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

"""Texts cut into the pieces a page shows: matched sentences, and what two sentences share."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.document import BlockKind, Span
from simcompare.session.decisions import Decision

_COMMON, _SYNONYM = 1, 2


@dataclass(frozen=True, slots=True)
class Link:
    """The way from a sentence to a match of it: the number of the match, the partner's number."""

    match: int
    partner: int


@dataclass(frozen=True, slots=True)
class SentenceLook:
    """A matched sentence: its number, the word for the kind of its best match, its matches, best first.

    decision: what a teacher made of it, as decided.py tells, in words `decided`.
    """

    number: int
    kind: str
    links: Sequence[Link]
    decision: Decision | None = None
    decided: str = ""


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A stretch of text: a matched sentence, an excluded one with its reason in words, or neither."""

    text: str
    sentence: SentenceLook | None = None
    excluded: str = ""


@dataclass(frozen=True, slots=True)
class BlockPieces:
    """A block in the pieces it is shown in."""

    kind: BlockKind
    pieces: Sequence[TextPiece]


def blocks_in_pieces(
    prepared_document: PreparedDocument, looks: Mapping[int, SentenceLook], excluded: Mapping[int, str]
) -> list[BlockPieces]:
    """Cut every block of a document at its matched and its excluded sentences, both by sentence index."""
    document, prepared = prepared_document.document, prepared_document.prepared
    bounds = np.searchsorted(prepared.sentence_blocks, np.arange(len(document.blocks) + 1)).tolist()
    return [
        BlockPieces(
            block.kind, list(_pieces(prepared_document, block.span, range(first, end), looks, excluded))
        )
        for block, first, end in zip(document.blocks, bounds[:-1], bounds[1:], strict=True)
    ]


def _pieces(
    prepared_document: PreparedDocument,
    block: Span,
    sentences: range,
    looks: Mapping[int, SentenceLook],
    excluded: Mapping[int, str],
) -> Iterator[TextPiece]:
    text, start = prepared_document.document.text, block.start
    for sentence in sentences:
        if sentence not in looks and sentence not in excluded:
            continue
        span = prepared_document.prepared.sentence_span(sentence)
        if start < span.start:
            yield TextPiece(text[start : span.start])
        yield TextPiece(span.of(text), looks.get(sentence), excluded.get(sentence, ""))
        start = span.end
    if start < block.end:
        yield TextPiece(text[start : block.end])


@dataclass(frozen=True, slots=True)
class SharedPiece:
    """A stretch of a sentence: whether its partner has it too, in order, or a synonym of it."""

    text: str
    is_common: bool
    is_synonym: bool


def shared_pieces(
    text: str, sentence: Span, common: Sequence[Span], synonyms: Sequence[Span]
) -> list[SharedPiece]:
    """Cut a sentence of `text` where what it shares with its partner begins and ends."""
    marks = np.zeros(len(sentence), dtype=np.uint8)
    for spans, mark in ((common, _COMMON), (synonyms, _SYNONYM)):
        for span in spans:
            marks[span.start - sentence.start : span.end - sentence.start] |= mark
    pieces, start = [], sentence.start
    for mark, run in groupby(marks.tolist()):
        end = start + sum(1 for _ in run)
        pieces.append(SharedPiece(text[start:end], bool(mark & _COMMON), bool(mark & _SYNONYM)))
        start = end
    return pieces

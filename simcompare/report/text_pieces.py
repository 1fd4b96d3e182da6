"""Text cut into pieces with their marks, and the colours and underlines of marks in Word and PDF."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

import numpy as np

from simcompare.comparison.comparison_result import Alignment, Comparison, Match, MatchKind, NearMiss
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.document import BlockKind, Span
from simcompare.session.decisions import Decision


@dataclass(frozen=True, slots=True)
class MatchedSentence:
    """A matched sentence: its number, kind and number of its best match.

    decision: as in `decided_sentences`; `decided` is its name; has_sign: no passage around it has the same.
    """

    number: int
    kind: str
    match: int
    decision: Decision | None = None
    decided: str = ""
    has_sign: bool = True


@dataclass(frozen=True, slots=True)
class SharedPiece:
    """A part of a sentence: whether the partner has neither it, in this order, nor a synonym of it.

    pair: number of the pair of synonyms, from 1, if they are numbered
    """

    text: str
    is_changed: bool
    is_synonym: bool
    pair: int = 0


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A part of a text: a matched sentence, an excluded one with its reason in words, or other text.

    words: parts of a changed sentence, in a passage side by side.
    """

    text: str
    sentence: MatchedSentence | None = None
    excluded: str = ""
    words: Sequence[SharedPiece] = ()

    def within(self, decision: Decision | None) -> "TextPiece":
        """Return it as a part of a passage with a decision, whose sign its sentence does not repeat.

        What is excluded or of no concern has no marked words.
        """
        own = self.sentence.decision if self.sentence else decision
        piece = replace(self, words=()) if self.excluded or own is Decision.FINE else self
        if self.sentence is None or own is not decision:
            return piece
        return replace(piece, sentence=replace(self.sentence, has_sign=False))


@dataclass(frozen=True, slots=True)
class BlockPieces:
    kind: BlockKind
    pieces: Sequence[TextPiece]


def blocks_in_pieces(
    prepared_document: PreparedDocument, matched: Mapping[int, MatchedSentence], excluded: Mapping[int, str]
) -> list[BlockPieces]:
    """Cut every block of a document at its matched and its excluded sentences, given by index."""
    document, prepared = prepared_document.document, prepared_document.prepared
    sentences = prepared.block_sentences(len(document.blocks))
    return [
        BlockPieces(block.kind, list(_pieces(prepared_document, block.span, own, matched, excluded)))
        for block, own in zip(document.blocks, sentences, strict=True)
    ]


def _pieces(
    prepared_document: PreparedDocument,
    block: Span,
    sentences: range,
    matched: Mapping[int, MatchedSentence],
    excluded: Mapping[int, str],
) -> Iterator[TextPiece]:
    text, start = prepared_document.document.text, block.start
    for sentence in sentences:
        if sentence not in matched and sentence not in excluded:
            continue
        span = prepared_document.prepared.sentence_span(sentence)
        if start < span.start:
            yield TextPiece(text[start : span.start])
        yield TextPiece(span.of(text), matched.get(sentence), excluded.get(sentence, ""))
        start = span.end
    if start < block.end:
        yield TextPiece(text[start : block.end])


def pieces_of_pair(
    comparison: Comparison, pair: Match | NearMiss, alignment: Alignment, *, numbered: bool = False
) -> tuple[list[SharedPiece], list[SharedPiece]]:
    """Cut the two sentences of a pair at the boundaries of what they share.

    numbered: adjacent synonyms are pieces of their own.
    """
    texts = comparison.left.document.text, comparison.right.document.text
    spans = comparison.left_span(pair), comparison.right_span(pair)
    shared = zip(*alignment.common, strict=True), zip(*alignment.synonyms, strict=True)
    (common, synonyms) = (tuple(sides) or ((), ()) for sides in shared)
    left, right = map(partial(shared_pieces, numbered=numbered), texts, spans, common, synonyms)
    return left, right


def shared_pieces(
    text: str, sentence: Span, common: Sequence[Span], synonyms: Sequence[Span], *, numbered: bool = False
) -> list[SharedPiece]:
    """Cut a sentence of `text` at the boundaries of what it shares with its partner."""
    is_common, pairs = np.zeros(len(sentence), np.bool_), np.zeros(len(sentence), np.int32)
    for spans, marks in ((common, is_common), (synonyms, pairs)):
        for number, span in enumerate(spans, start=1):
            inside = slice(max(span.start - sentence.start, 0), max(span.end - sentence.start, 0))
            marks[inside] = number if numbered else 1
    pieces, start = [], sentence.start
    for (shared, pair), run in groupby(zip(is_common.tolist(), pairs.tolist(), strict=True)):
        end = start + sum(1 for _ in run)
        if shared or pair:
            pieces.append(SharedPiece(text[start:end], False, pair > 0, pair))
        else:
            parts = _WITHIN_PUNCTUATION.findall(text, start, end)[0]
            pieces += [SharedPiece(part, at == 1, False) for at, part in enumerate(parts) if part]
        start = end
    return pieces


_WITHIN_PUNCTUATION = re.compile(r"([\W_]*)(.*?)([\W_]*)$", re.DOTALL)

INK, MUTED, RULE, DOUBT, UNSEEN_INK = "#1d2129", "#5d6678", "#d5d5ce", "#b42335", "#8a5a00"
BIT_ON, BIT_OFF, BIT_DIFFERS = "#44546f", "#d9dde6", "#c8384a"


@dataclass(frozen=True, slots=True)
class PrintedKindStyle:
    """Ink of words, tint behind text, and the underline: colour and pattern."""

    ink: str
    tint: str
    line: str
    pattern: str


KINDS = {
    MatchKind.EXACT.word: PrintedKindStyle("#a02233", "#fbe1e3", "#c8384a", "solid"),
    MatchKind.EDITED.word: PrintedKindStyle("#7a5000", "#fdeec8", "#b77900", "dashed"),
    MatchKind.SYNONYM.word: PrintedKindStyle("#0c6065", "#d6f0ef", "#11777c", "dotted"),
}
"""Keys: `MatchKind.word`."""

PASSAGE_LOOKS = {
    PassageKind.IDENTICAL: KINDS[MatchKind.EXACT.word],
    PassageKind.EDITED: KINDS[MatchKind.EDITED.word],
    PassageKind.REWORDED: KINDS[MatchKind.SYNONYM.word],
    PassageKind.REORDERED: PrintedKindStyle("#7a3d9e", "#f0e2f7", "#7a3d9e", "dash-dotted"),
    PassageKind.SUMMARY: PrintedKindStyle("#47691c", "#e3efd3", "#47691c", "dotted"),
    PassageKind.MEANING: PrintedKindStyle("#3a3ad0", "#e4e4fa", "#3a3ad0", "wavy"),
}

CHANGED = "#b3122c"
"""Ink and underline of words that the other sentence does not have, as in the window."""

DECISIONS = {Decision.COPIED: ("⚑ ", "#b42335"), Decision.FINE: ("✓ ", "#0c6065")}
"""Sign before a decision, and its ink."""


def ends_excluded(pieces: Sequence[TextPiece], at: int) -> bool:
    """Return whether the reason follows this piece: the next one in the block has another reason."""
    following = next((piece.excluded for piece in pieces[at + 1 :] if piece.text.strip()), "")
    return following != pieces[at].excluded

"""The terms of a document, of each of its paragraphs or of each of its sentences, counted in columns."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from simcompare.document import Document
from simcompare.text.prepared import PreparedText
from simcompare.text.words import cut_mixed_text

_BEGINS_WITH_HAN = re.compile("[\u4e00-\u9fa5]")


class Level(StrEnum):
    """The pieces of a document that have fingerprints of their own (Lv et al., section 2)."""

    DOCUMENT = "document"
    PARAGRAPH = "paragraph"
    SENTENCE = "sentence"


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """The distinct terms of each piece of a document and how often they occur in it.

    With r rows, one for every distinct term of every piece, in the order of the pieces:

    vocabulary   the distinct terms of the document
    tags         part of speech of each, as jieba names it; empty where nobody asks for it
    piece_count  how many pieces there are, those without terms among them
    pieces (r,)  the piece of each row
    ids    (r,)  index into vocabulary
    counts (r,)  occurrences in the piece
    """

    vocabulary: Sequence[str]
    tags: Sequence[str]
    piece_count: int
    pieces: NDArray[np.int64]
    ids: NDArray[np.int64]
    counts: NDArray[np.int64]


def word_terms(document: Document, prepared: PreparedText, level: Level) -> Terms:
    """Count the words of each piece, as they were prepared."""
    sentences = np.repeat(np.arange(prepared.sentence_count), np.diff(prepared.sentence_words))
    pieces = {
        Level.DOCUMENT: np.zeros_like(sentences),
        Level.PARAGRAPH: prepared.sentence_blocks[sentences].astype(np.int64),
        Level.SENTENCE: sentences,
    }[level]
    piece_count = {
        Level.DOCUMENT: 1,
        Level.PARAGRAPH: len(document.blocks),
        Level.SENTENCE: prepared.sentence_count,
    }[level]
    size = max(len(prepared.word_vocabulary), 1)
    rows, counts = np.unique(pieces * size + prepared.word_ids, return_counts=True)
    return Terms(prepared.word_vocabulary, prepared.word_tags, piece_count, rows // size, rows % size, counts)


def han_token_terms(document: Document, prepared: PreparedText, level: Level) -> Terms:
    """Count the tokens of each piece that begin with a Chinese character, as the jieba article does."""
    texts = _texts(document, prepared, level)
    numbers: dict[str, int] = {}
    rows: list[tuple[int, int, int]] = []
    for piece, text in enumerate(texts):
        counted = Counter(token for token in cut_mixed_text(text) if _BEGINS_WITH_HAN.match(token))
        rows += [(piece, numbers.setdefault(term, len(numbers)), n) for term, n in counted.items()]
    pieces, ids, counts = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return Terms(tuple(numbers), (), len(texts), pieces, ids, counts)


def _texts(document: Document, prepared: PreparedText, level: Level) -> list[str]:
    if level is Level.DOCUMENT:
        return [document.text]
    if level is Level.PARAGRAPH:
        return [block.span.of(document.text) for block in document.blocks]
    return [document.text[start:end] for start, end in prepared.sentence_spans.tolist()]

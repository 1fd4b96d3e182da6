"""Terms of each sentence, from which the similarity of content of two sentences is computed."""

import hashlib
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from simcompare.text.comparable import any_han, is_han
from simcompare.text.prepared_text import PreparedText
from simcompare.text.words import inverse_document_frequency, stem

Int64Array = NDArray[np.int64]
Float64Array = NDArray[np.float64]
TermArray = NDArray[np.uint64]
# A third occurrence in a sentence adds hardly any evidence.
_MOST_COUNTED = 2
_LONGEST_SENTENCE_WORDS = 60
_PIECE_WORDS = 30
_BIGRAM_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class SentenceTerms:
    """The terms of one text by sentence, and its words in order.

    A term is the 64-bit hash of a stemmed word, or of two neighbouring Han characters. Very long sentences
    (lists, tables, text without punctuation) are cut into pieces, which count as sentences here.
    With s such sentences, t distinct terms, e (sentence, term) entries and w words:

    prepared               the text
    bounds          (s+1,) sentence i has the words bounds[i] .. bounds[i+1]
    spans           (s, 2) code points of each in the document's text
    vocabulary      (t,)   the distinct terms, sorted
    sentences       (e,)   sentence of each entry, ascending
    ids             (e,)   index into vocabulary
    counts          (e,)   occurrences of the term in the sentence, at most 2
    sentence_counts (t,)   number of sentences with each term
    kind_counts     (t,)   the same, but sentences with an equal set of terms count once
    kind_count             number of sentences with distinct sets of terms
    words           (w,)   hash of the stemmed word at each place
    word_weights    (w,)   its IDF in the background
    """

    prepared: PreparedText
    bounds: Int64Array
    spans: Int64Array
    vocabulary: TermArray
    sentences: Int64Array
    ids: Int64Array
    counts: Float64Array
    sentence_counts: Int64Array
    kind_counts: Int64Array
    kind_count: int
    words: TermArray
    word_weights: Float64Array

    @property
    def sentence_count(self) -> int:
        """Number of sentences."""
        return len(self.spans)

    @property
    def words_per_sentence(self) -> Int64Array:
        """Number of words of each sentence, shape (s,)."""
        lengths: Int64Array = np.diff(self.bounds)
        return lengths


def sentence_terms(prepared: PreparedText) -> SentenceTerms:
    """Collect the terms of each sentence of a text."""
    known = list(map(_word_term, prepared.word_vocabulary))
    word_terms = np.array([term for term, _ in known], dtype=np.uint64)
    weights = np.array([weight for _, weight in known], dtype=np.float64)
    bounds = _word_bounds(prepared)
    word_sentences = _sentence_of_each(bounds)
    pair_sentences, pairs = _han_pairs(prepared, prepared.word_units[bounds])
    sentences = np.concatenate([word_sentences, pair_sentences])
    vocabulary, places = np.unique(np.concatenate([word_terms, pairs]), return_inverse=True)
    ids = np.concatenate([places[: len(known)][prepared.word_ids], places[len(known) :]])
    entries, counts = np.unique(sentences * max(len(vocabulary), 1) + ids, return_counts=True)
    entry_sentences, entry_ids = np.divmod(entries, max(len(vocabulary), 1))
    kinds = _first_of_each_kind(entry_sentences, vocabulary[entry_ids])
    first_of_kind = np.zeros(len(bounds) - 1, dtype=np.bool_)
    first_of_kind[kinds] = True
    return SentenceTerms(
        prepared=prepared,
        bounds=bounds,
        spans=_spans(prepared, bounds),
        vocabulary=vocabulary,
        sentences=entry_sentences,
        ids=entry_ids,
        counts=np.minimum(counts, _MOST_COUNTED).astype(np.float64),
        sentence_counts=np.bincount(entry_ids, minlength=len(vocabulary)),
        kind_counts=np.bincount(entry_ids[first_of_kind[entry_sentences]], minlength=len(vocabulary)),
        kind_count=len(kinds),
        words=word_terms[prepared.word_ids],
        word_weights=weights[prepared.word_ids],
    )


def _first_of_each_kind(sentences: Int64Array, terms: TermArray) -> Int64Array:
    """Return one sentence for each distinct set of terms, given the (sentence, term) entries."""
    starts = np.flatnonzero(np.diff(sentences, prepend=-1))
    # squares, because a bigram's term is a sum itself: plain sums of whole sentences might be equal
    sets = np.add.reduceat(terms * terms, starts) if len(starts) else terms
    first: Int64Array = np.unique(sets, return_index=True)[1]
    return first


def _word_bounds(prepared: PreparedText) -> Int64Array:
    """Return sentence boundaries as word indices; long sentences are cut into about equal pieces."""
    starts, lengths = prepared.sentence_words[:-1].tolist(), np.diff(prepared.sentence_words).tolist()
    bounds = [
        start + length * piece // pieces
        for start, length in zip(starts, lengths, strict=True)
        for pieces in (_pieces(length),)
        for piece in range(pieces)
    ]
    return np.array([*bounds, prepared.sentence_words[-1]], dtype=np.int64)


def _pieces(length: int) -> int:
    return 1 if length <= _LONGEST_SENTENCE_WORDS else -(-length // _PIECE_WORDS)


def _spans(prepared: PreparedText, bounds: Int64Array) -> Int64Array:
    """Return the span of each sentence; the pieces of a long sentence begin and end at its words."""
    units = prepared.word_units[bounds]
    spans = np.stack([prepared.unit_spans[units[:-1], 0], prepared.unit_spans[units[1:] - 1, 1]], axis=1)
    begins = np.searchsorted(bounds[:-1], prepared.sentence_words[:-1])
    ends = np.searchsorted(bounds[1:], prepared.sentence_words[1:])
    spans[begins, 0], spans[ends, 1] = prepared.sentence_spans[:, 0], prepared.sentence_spans[:, 1]
    return spans.astype(np.int64)


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


@cache
def _word_term(word: str) -> tuple[int, float]:
    """Return the term of a word, and its IDF in the background."""
    return _hash(stem(word)), inverse_document_frequency(word)


@cache
def _unit_term(unit: str) -> int:
    return _hash(unit)


def _sentence_of_each(bounds: NDArray[np.integer]) -> Int64Array:
    lengths = np.diff(bounds)
    return np.repeat(np.arange(len(lengths), dtype=np.int64), lengths)


def _han_pairs(prepared: PreparedText, unit_bounds: NDArray[np.int32]) -> tuple[Int64Array, TermArray]:
    """Return the sentence and the term of each pair of neighbouring Han characters."""
    if not any_han(prepared.unit_vocabulary):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.uint64)
    ids, sentences = prepared.unit_ids, _sentence_of_each(unit_bounds)
    han = np.array(list(map(is_han, prepared.unit_vocabulary)), dtype=np.bool_)[ids]
    first = np.flatnonzero(han[:-1] & han[1:] & (sentences[:-1] == sentences[1:]))
    hashes = np.array(list(map(_unit_term, prepared.unit_vocabulary)), dtype=np.uint64)[ids]
    with np.errstate(over="ignore"):  # a hash may wrap around
        pairs = hashes[first] * _BIGRAM_MULTIPLIER + hashes[first + 1]
    return sentences[first], pairs

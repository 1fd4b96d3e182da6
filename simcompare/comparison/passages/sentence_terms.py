"""The terms of each sentence, for measuring how much two sentences are about the same."""

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
# Once said, a word is hardly more telling the third time.
_MOST_COUNTED = 2
_LONGEST_SENTENCE_WORDS = 60
_PIECE_WORDS = 30
_BIGRAM_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True, eq=False)
class SentenceTerms:
    """The terms of one text by sentence, and its words in order.

    A term is the 64-bit hash of a stemmed word, or of two neighbouring Han characters. Sentences that never
    seem to end (lists, tables, text without marks) are cut into pieces, which count as sentences here.
    With s such sentences, t distinct terms, e (sentence, term) entries and w words:

    prepared               the text
    bounds          (s+1,) sentence i has the words bounds[i] .. bounds[i+1]
    spans           (s, 2) code points of each in the document's text
    vocabulary      (t,)   the distinct terms, sorted
    sentences       (e,)   sentence of each entry, ascending
    ids             (e,)   index into vocabulary
    counts          (e,)   how often the term stands in the sentence, at most 2
    sentence_counts (t,)   in how many sentences each term stands
    kind_counts     (t,)   in how many kinds of sentences: those with the same terms are of one kind
    kind_count             number of kinds of sentences
    words           (w,)   the stemmed word at each place, hashed
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
    """Gather the terms of each sentence of a text."""
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
    """Return a sentence for each different set of terms, given by the (sentence, term) entries."""
    starts = np.flatnonzero(np.diff(sentences, prepend=-1))
    # squares, as the terms of two characters are sums, and whole sentences of them might add up to the same
    sets = np.add.reduceat(terms * terms, starts) if len(starts) else terms
    first: Int64Array = np.unique(sets, return_index=True)[1]
    return first


def _word_bounds(prepared: PreparedText) -> Int64Array:
    """Return where sentences begin and end, in words; longer ones in pieces of about equal length."""
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
    """Return the place of each sentence; its own pieces begin and end at words inside it."""
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
    """Return the term of a word, and the word's IDF in the background."""
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
    with np.errstate(over="ignore"):  # wrapping round is what a hash does
        pairs = hashes[first] * _BIGRAM_MULTIPLIER + hashes[first + 1]
    return sentences[first], pairs

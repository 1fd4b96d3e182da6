"""Prepared text of a document: sentences, units and words with their spans, and digests of sentences."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise, starmap

import numpy as np
from numpy.typing import NDArray

from simcompare.model.document import Span
from simcompare.model.settings import UserWords
from simcompare.support.arrays import Float64Array, IndexArray, Int32Array
from simcompare.text.comparable import is_han
from simcompare.text.sentence_meaning import mean_of_next
from simcompare.text.words import is_listed_chinese

_DIGEST_BYTES = 8
# Measured: at least 0.59 in 480 articles and 8 essays; at most 0.32 if 60% of the words are homophones, 0.23
# if the characters are shuffled in eights.
_LEAST_IN_KNOWN_WORDS = 0.45
_FEWEST_UNITS_OF_BROKEN = 100
# Measured: 4 find the same, 5 fewer restructured passages.
_NEAREST = 3
_ROWS_AT_ONCE = 500


@dataclass(frozen=True, eq=False)
class PreparedText:
    """Sentences, comparable units and words of one text, in columns.

    Columns of numbers are sent between processes and renumbered for the matrix without a Python loop
    over the text. With s sentences, u units and w words:

    sentence_spans   (s, 2) code points in the document's text, as the reader sees the sentence
    sentence_blocks  (s,)   index of the block each sentence belongs to
    sentence_units   (s+1,) sentence i has the units sentence_units[i] .. sentence_units[i+1]
    sentence_words   (s+1,) the same for words
    unit_vocabulary         the distinct units, in their comparable form
    unit_ids         (u,)   index into unit_vocabulary
    unit_spans       (u, 2) code points in the document's text that each unit came from
    word_vocabulary         the distinct words
    word_tags               part of speech of each distinct word, as jieba names it
    word_ids         (w,)   index into word_vocabulary
    word_units       (w+1,) word j consists of the units word_units[j] .. word_units[j+1]
    is_mostly_chinese       whether more than half of the units are Han characters
    user_words              what the user added to the dictionary
    meanings         (s, n) unit vectors of the meaning of each sentence; None unless they were asked for
    is_source               whether it is a named source, as earlier work or an entry of a library
    """

    sentence_spans: Int32Array
    sentence_blocks: Int32Array
    sentence_units: Int32Array
    sentence_words: Int32Array
    unit_vocabulary: tuple[str, ...]
    unit_ids: Int32Array
    unit_spans: Int32Array
    word_vocabulary: tuple[str, ...]
    word_tags: tuple[str, ...]
    word_ids: Int32Array
    word_units: Int32Array
    is_mostly_chinese: bool
    user_words: UserWords | None = None
    meanings: NDArray[np.float16] | None = None
    is_source: bool = False

    @property
    def sentence_count(self) -> int:
        """Number of sentences; each has at least one unit."""
        return len(self.sentence_spans)

    @property
    def unit_count(self) -> int:
        """Number of units, displayed to Chinese readers as 字数."""
        return len(self.unit_ids)

    @cached_property
    def sentence_lengths(self) -> Int32Array:
        """Units of each sentence, shape (s,): Num(d) of Lv et al."""
        lengths: Int32Array = np.diff(self.sentence_units)
        return lengths

    @cached_property
    def has_broken_words(self) -> bool:
        """Whether hardly any characters of a Chinese text form words, as in one written with homophones."""
        if not self.is_mostly_chinese or self.unit_count < _FEWEST_UNITS_OF_BROKEN:
            return False
        known = [len(word) > 1 and is_listed_chinese(word) for word in self.word_vocabulary]
        characters = np.diff(self.word_units)[np.array(known, np.bool_)[self.word_ids]].sum()
        return bool(characters < _LEAST_IN_KNOWN_WORDS * self._han_before[-1])

    @cached_property
    def _han_before(self) -> IndexArray:
        """Han characters among the units before each unit, and in all, shape (u+1,)."""
        are_han = np.fromiter(map(is_han, self.unit_vocabulary), np.bool_, len(self.unit_vocabulary))
        return np.concatenate([[0], np.cumsum(are_han[self.unit_ids])])

    def han_shares(self, spans: Int32Array) -> Float64Array:
        """Return the share of Han characters among the units in spans of the text, shape (n,)."""
        bounds = self.units_in(spans)
        characters, units = np.diff(self._han_before[bounds]), np.diff(bounds)
        shares: Float64Array = (characters / np.maximum(units, 1))[:, 0]
        return shares

    @cached_property
    def meaning_hubs(self) -> NDArray[np.float32]:
        """Mean cosine of the meaning of each sentence with the nearest others, shape (s,)."""
        assert self.meanings is not None
        vectors = self.meanings.astype(np.float32)
        # in parts, as a book has thousands; the best partner of a sentence is itself
        parts = np.split(vectors, range(_ROWS_AT_ONCE, len(vectors), _ROWS_AT_ONCE))
        return np.concatenate([mean_of_next(part @ vectors.T, _NEAREST) for part in parts])

    def block_sentences(self, block_count: int) -> list[range]:
        bounds = np.searchsorted(self.sentence_blocks, np.arange(block_count + 1)).tolist()
        return list(starmap(range, pairwise(bounds)))

    def sentence_span(self, sentence: int) -> Span:
        start, end = self.sentence_spans[sentence]
        return Span(int(start), int(end))

    def words_of(self, sentence: int) -> list[str]:
        """Return the words of a sentence, in order."""
        ids = self.word_ids[self.sentence_words[sentence] : self.sentence_words[sentence + 1]]
        return [self.word_vocabulary[i] for i in ids]

    def units_of(self, sentence: int) -> list[str]:
        """Return the comparable units of a sentence, in order."""
        ids = self.unit_ids[self.sentence_units[sentence] : self.sentence_units[sentence + 1]]
        return [self.unit_vocabulary[i] for i in ids]

    def with_sentences(self, chosen: NDArray[np.bool_]) -> "PreparedText":
        """Return the text with the chosen sentences, shape (s,), only; spans and vocabularies stay."""
        unit_counts, word_counts = self.sentence_lengths, np.diff(self.sentence_words)
        units, words = np.repeat(chosen, unit_counts), np.repeat(chosen, word_counts)
        return replace(
            self,
            sentence_spans=self.sentence_spans[chosen],
            sentence_blocks=self.sentence_blocks[chosen],
            sentence_units=_bounds(unit_counts[chosen]),
            sentence_words=_bounds(word_counts[chosen]),
            unit_ids=self.unit_ids[units],
            unit_spans=self.unit_spans[units],
            word_ids=self.word_ids[words],
            word_units=_bounds(np.diff(self.word_units)[words]),
            meanings=None if self.meanings is None else self.meanings[chosen],
        )

    def units_in(self, spans: Int32Array) -> IndexArray:
        """Find the units that begin in spans of the text, shape (n, 2): first, and one after the last."""
        before = self._units_before
        return before[np.minimum(spans, len(before) - 1)].astype(np.intp)

    def sentences_in(self, spans: Int32Array) -> IndexArray:
        """Find the sentences that overlap spans, shape (n, 2): first, and one after the last."""
        starts, ends = self._sentence_edges
        first = np.searchsorted(ends, spans[:, 0], side="right")
        stop = np.searchsorted(starts, spans[:, 1], side="left")
        return np.stack([first, stop], axis=1)

    @cached_property
    def _units_before(self) -> Int32Array:
        """Number of units that begin before each code point, up to the one after the last begin."""
        return np.append(0, np.cumsum(np.bincount(self.unit_spans[:, 0]))).astype(np.int32)

    @cached_property
    def _sentence_edges(self) -> tuple[Int32Array, Int32Array]:
        """Starts and ends of the sentences; numpy would copy columns of the spans at each search."""
        starts, ends = np.ascontiguousarray(self.sentence_spans.T)
        return starts, ends

    def marked_sentences(self, sentences: Int32Array) -> NDArray[np.bool_]:
        """Return a mask of these sentences, shape (s,)."""
        marked = np.zeros(self.sentence_count, np.bool_)
        marked[sentences] = True
        return marked

    def by_unit(self, sentences: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the mark of the sentence of each unit, shape (u,); sentences: shape (s,)."""
        return np.repeat(sentences, self.sentence_lengths)

    def sentence_at(self, offset: int) -> int | None:
        """Return the sentence that contains a code point of the text, or None between sentences."""
        candidate = int(np.searchsorted(self.sentence_spans[:, 0], offset, side="right")) - 1
        if candidate < 0 or offset >= self.sentence_spans[candidate, 1]:
            return None
        return candidate


def is_compared_by_meaning(left: PreparedText, right: PreparedText, meaning: bool | None) -> bool:
    """Return whether two texts are compared by meaning, given the setting: unasked, with a named source."""
    if left.meanings is None or right.meanings is None:
        return False
    return (left.is_source or right.is_source) if meaning is None else meaning


def _bounds(lengths: Int32Array) -> Int32Array:
    """Return the beginnings of sections of these lengths, and the end of the last one."""
    return np.append(0, np.cumsum(lengths)).astype(np.int32)


def sentence_digests(prepared: PreparedText) -> Iterator[str]:
    """Yield the digest of each sentence, equal for sentences with the same comparable text.

    The comparable form has no case, spacing or punctuation, and one Chinese script. So a digest stays the
    same if the file is saved again, or read by another reader or with other options.
    """
    vocabulary, units = prepared.unit_vocabulary, prepared.unit_ids.tolist()
    for first, end in pairwise(prepared.sentence_units.tolist()):
        yield digest_of_units([vocabulary[number] for number in units[first:end]])


def digest_of_units(units: Iterable[str]) -> str:
    """Return 16 hex digits of the comparable units of a sentence."""
    return blake2b(" ".join(units).encode(errors="surrogatepass"), digest_size=_DIGEST_BYTES).hexdigest()

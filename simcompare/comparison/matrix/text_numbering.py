"""Common numbers of the units and words of texts that are compared with each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from simcompare.comparison.matrix.lcs_lengths import NumberedSentences, as_strings, numbered_sentences
from simcompare.support.arrays import Int32Array
from simcompare.text.prepared_text import PreparedText
from simcompare.text.thesaurus import Thesaurus


class TextNumbering:
    """Numbers units and words of any number of texts, the same ones equally in all of them. Thread-safe.

    What is frequent in the first text gets the lowest numbers: characters below 256 are compared faster.
    """

    def __init__(self, thesaurus: Thesaurus | None) -> None:
        self._thesaurus = thesaurus
        self._units: dict[str, int] = {}
        self._words: dict[str, int] = {}
        self._synonym_groups: dict[str, frozenset[int]] = {}
        self._lock = Lock()

    @property
    def thesaurus(self) -> Thesaurus | None:
        """The thesaurus whose groups the words have."""
        return self._thesaurus

    @property
    def synonym_groups(self) -> Mapping[str, frozenset[int]]:
        """The groups of each known word in the thesaurus, by the character that represents the word."""
        return self._synonym_groups

    def units_of(self, text: PreparedText) -> NumberedSentences:
        """Return the sentences of a text as numbers of units."""
        with self._lock:
            known = _numbers_of(text.unit_vocabulary, text.unit_ids, self._units)
        return numbered_sentences(known[text.unit_ids], text.sentence_units)

    def words_of(self, text: PreparedText) -> "SentenceWords":
        """Return the sentences of a text as numbers of words."""
        with self._lock:
            known_before = len(self._words)
            known = _numbers_of(text.word_vocabulary, text.word_ids, self._words)
            if self._thesaurus is not None and len(self._words) > known_before:
                codes = as_strings(known, np.arange(len(known) + 1, dtype=np.int32))
                for code, word in zip(codes, text.word_vocabulary, strict=True):
                    if groups := self._thesaurus.groups(word):
                        self._synonym_groups[code] = groups
        return _sentence_words(known[text.word_ids], text.sentence_words)


class NumberedText:
    """A text in the numbers of a `TextNumbering`. Words are numbered when a pair of sentences needs them."""

    def __init__(self, text: PreparedText, numbering: TextNumbering) -> None:
        self._text, self._numbering = text, numbering

    @property
    def synonym_groups(self) -> Mapping[str, frozenset[int]]:
        """Those of all words numbered so far, as in `TextNumbering`."""
        return self._numbering.synonym_groups

    @cached_property
    def units(self) -> NumberedSentences:
        """The units of each sentence."""
        return self._numbering.units_of(self._text)

    @cached_property
    def words(self) -> "SentenceWords":
        """The words of each sentence."""
        return self._numbering.words_of(self._text)


@dataclass(frozen=True, slots=True, eq=False)
class SentenceWords:
    """The words of the s sentences of a text without their order, a character for each word.

    distinct: sorted words of each distinct sentence; numbers (s,): place of each sentence among them;
    counts (s,): words of each.
    """

    distinct: list[str]
    numbers: NDArray[np.int64]
    counts: Int32Array


def _numbers_of(vocabulary: Sequence[str], ids: Int32Array, numbers: dict[str, int]) -> Int32Array:
    """Return the number of each entry; new ones get the next numbers, the most frequent first."""
    order = np.argsort(-np.bincount(ids, minlength=len(vocabulary)), kind="stable")
    for place in order.tolist():
        numbers.setdefault(vocabulary[place], len(numbers))
    return np.array([numbers[entry] for entry in vocabulary], dtype=np.int32)


def _sentence_words(ids: Int32Array, bounds: Int32Array) -> SentenceWords:
    numbers: dict[str, int] = {}
    sentences = ("".join(sorted(sentence)) for sentence in as_strings(ids, bounds))
    each = [numbers.setdefault(sentence, len(numbers)) for sentence in sentences]
    return SentenceWords(list(numbers), np.array(each, dtype=np.int64), np.diff(bounds))

"""Document -> PreparedText: its sentences, comparable units and words, with their spans."""

from collections import defaultdict
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from simcompare.model.document import Document
from simcompare.text.comparable import Units, comparable_units, is_han
from simcompare.text.prepared_text import PreparedText
from simcompare.text.sentences import split_sentences
from simcompare.text.words import segment

Int32Array = NDArray[np.int32]
# tags of words that jieba does not segment: runs of letters, runs of digits, kana and hangul
_LETTERS, _NUMBER, _OTHER = "eng", "m", "x"


@dataclass(frozen=True, slots=True, eq=False)
class _NumberedUnits:
    """The distinct units; at each place the index of its unit, and whether it is a Han character."""

    vocabulary: tuple[str, ...]
    ids: Int32Array
    is_han: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _NumberedWords:
    """The distinct words with their tags, the index of each word, and its bounds in units."""

    vocabulary: tuple[str, ...]
    tags: tuple[str, ...]
    ids: Int32Array
    units: Int32Array


def _numbered(units: Units) -> _NumberedUnits:
    numbers = _new_numbers()
    ids = np.fromiter(map(numbers.__getitem__, units.texts), dtype=np.int32, count=len(units))
    han = np.fromiter(map(is_han, numbers), dtype=np.bool_, count=len(numbers))
    return _NumberedUnits(tuple(numbers), ids, han[ids])


def _new_numbers() -> defaultdict[str, int]:
    """Return a dictionary that assigns consecutive numbers to new keys."""
    return defaultdict(count().__next__)


def prepare(document: Document) -> PreparedText:
    """Split a document into sentences, units and words.

    Sentences without a unit (a line of dashes) are left out. An empty document gives empty columns.
    """
    units = comparable_units(document.text)
    sentences = split_sentences(document)
    spans, blocks = sentences[:, :2], sentences[:, 2]
    bounds = _unit_bounds(units, spans)
    has_units = np.diff(bounds) > 0
    spans, blocks = spans[has_units], blocks[has_units]
    bounds = np.concatenate([bounds[:-1][has_units], bounds[-1:]]).astype(np.int32)
    numbered = _numbered(units)
    words = _words(document.text, units, numbered, bounds)
    return PreparedText(
        sentence_spans=spans,
        sentence_blocks=blocks,
        sentence_units=bounds,
        sentence_words=np.searchsorted(words.units, bounds).astype(np.int32),
        unit_vocabulary=numbered.vocabulary,
        unit_ids=numbered.ids,
        unit_spans=units.spans,
        word_vocabulary=words.vocabulary,
        word_tags=words.tags,
        word_ids=words.ids,
        word_units=words.units,
        is_mostly_chinese=int(np.count_nonzero(numbered.is_han)) * 2 > len(units),
    )


def _unit_bounds(units: Units, spans: Int32Array) -> Int32Array:
    """Return the index of the first unit of each sentence, and the number of units at the end.

    Every unit lies in a sentence: only blanks are between sentences.
    """
    starts = np.searchsorted(units.spans[:, 0], spans[:, 0])
    return np.concatenate([starts, [len(units)]]).astype(np.int32)


def _words(text: str, units: Units, numbered: _NumberedUnits, sentence_units: Int32Array) -> _NumberedWords:
    """Segment the units into words: Han runs as jieba does, any other unit is one word."""
    if numbered.is_han.any():
        return _cut_words(units, _runs(text, units, numbered.is_han, sentence_units))
    places = np.arange(len(units) + 1, dtype=np.int32)
    return _NumberedWords(numbered.vocabulary, tuple(map(_tag_of, numbered.vocabulary)), numbered.ids, places)


def _cut_words(units: Units, runs: list[tuple[int, int, bool]]) -> _NumberedWords:
    segmented = iter(segment("".join(units.texts[a:b]) for a, b, han in runs if han))
    numbers, tags, ids, lengths = _new_numbers(), list[str](), list[int](), list[int]()
    for a, _, han in runs:
        pairs = next(segmented) if han else [(units.texts[a], _tag_of(units.texts[a]))]
        lengths += [len(word) for word, _ in pairs] if han else [1]
        for word, tag in pairs:
            if word not in numbers:
                tags.append(tag)
            ids.append(numbers[word])
    bounds = np.cumsum([0, *lengths], dtype=np.int32)
    return _NumberedWords(tuple(numbers), tuple(tags), np.array(ids, dtype=np.int32), bounds)


def _runs(
    text: str, units: Units, han: NDArray[np.bool_], sentence_units: Int32Array
) -> list[tuple[int, int, bool]]:
    """Return (first unit, end, is Han): runs of Han units separated by blanks at most, other units singly."""
    begins = np.ones(len(units), dtype=np.bool_)
    begins[1:] = ~(han[1:] & han[:-1])
    begins[sentence_units[:-1]] = True
    for i in np.flatnonzero(~begins[1:] & (units.spans[1:, 0] != units.spans[:-1, 1])) + 1:
        begins[i] = not _only_blanks(text, int(units.spans[i - 1, 1]), int(units.spans[i, 0]))
    firsts = np.flatnonzero(begins)
    ends = np.append(firsts[1:], len(units)).tolist()
    return list(zip(firsts.tolist(), ends, han[firsts].tolist(), strict=True))


def _only_blanks(text: str, start: int, end: int) -> bool:
    return not any(c.isprintable() and not c.isspace() for c in text[start:end])


def _tag_of(unit: str) -> str:
    if unit.isdigit():
        return _NUMBER
    return _LETTERS if len(unit) > 1 or unit.isascii() else _OTHER


def words_of_text(text: str) -> list[str]:
    """Return the words of a short text, such as a title, in comparable form."""
    units = comparable_units(text)
    whole = np.array([0, len(units)], dtype=np.int32) if len(units) else np.zeros(1, dtype=np.int32)
    words = _words(text, units, _numbered(units), whole)
    return [words.vocabulary[i] for i in words.ids]

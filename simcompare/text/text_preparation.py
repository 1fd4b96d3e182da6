"""Document -> PreparedText: its sentences, comparable units and words, with their spans."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

import numpy as np
from numpy.typing import NDArray

from simcompare.model.document import Block, BlockKind, Document
from simcompare.model.settings import UserWords
from simcompare.support.arrays import Int32Array
from simcompare.text.comparable import Units, comparable_units, is_han
from simcompare.text.prepared_text import PreparedText
from simcompare.text.sentence_meaning import packed_meanings, sentence_meanings
from simcompare.text.words import segment

_CLOSERS = "\"'”’」』）)】》〉]}＂＇｣﹂﹄〕〗"
_STRONG_MARKS = "。！？；!?;…⋯｡‼⁇⁈⁉"
# A run of marks that end a sentence, with the closing quotes and brackets after it. For a single dot
# the text around it decides.
# It begins with one character set, because a set is searched several times as fast as alternatives.
_END = re.compile(
    rf"[{_STRONG_MARKS}.．](?:(?<=[{_STRONG_MARKS}])[{_STRONG_MARKS}]*[.。！？!?…⋯]*|[.．]+[!?]*|(?P<dot>))"
    rf"[{re.escape(_CLOSERS)}]*"
)
# English continues after "Really?" he asked. A Chinese sentence may begin in lower case: 对吗？python很好。
_CHINESE_ENDS = frozenset("。！？；｡")
_CJK = re.compile("[\u2e80-\u9fff\U00020000-\U0003ffff]")
_NEXT_LETTER = re.compile(r"\s*[\"'“‘(\[]?(\w)")
# Characters with their mark: 三字经 has 8, quick dialogue is longer and has fewer sentences in a paragraph.
_LONGEST_SCRAP, _FEWEST_SCRAPS = 6, 8
# a usual Chinese sentence with such marks in it
_JOINED_SCRAPS = 50
# limits the search backwards at every dot in a text without blanks
_LONGEST_ABBREVIATION = 24
# the text after the last blank, opening bracket or quote
_LAST_TOKEN = re.compile(r"(?:.*[\s(（\[“‘\"'])?(.*)", re.DOTALL)
# Longer words are neither abbreviations below nor list numbers.
_LONGEST_SHORT_WORD = 6
_INITIALS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_LIST_NUMBER = re.compile(r"\s*\(?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxIVX]{1,5})")
# Abbreviations after which the sentence continues; for those that may also end one (etc., Inc., a.m.)
# the following letter decides.
_ABBREVIATIONS = frozenset(
    re.split(
        r"\s+",
        "mr mrs ms dr prof st mt vs fig figs eq eqs ref refs vol vols pp ch chap sec sect ed eds cf al ca "
        "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun "
        "approx dept gen gov hon lt col sgt capt cmdr rev sen rep messrs mme mlle e.g i.e viz",
    )
)


def split_sentences(document: Document) -> Int32Array:
    """Split a document into sentences (Lv et al., section 3.2(1)); blanks between them belong to none.

    A sentence never crosses a block; the cells of a table row are separate sentences. Returns shape (s, 3):
    start and end as code points of `Document.text`, and the index of the block, in text order.
    """
    bounds = [
        (start, end, index)
        for index, block in enumerate(document.blocks)
        for piece_start, piece_end in _pieces(document.text, block)
        for start, end in _uncut(document.text, list(_sentences_of(document.text, piece_start, piece_end)))
    ]
    return np.array(bounds, dtype=np.int32).reshape(-1, 3)


def _pieces(text: str, block: Block) -> Iterator[tuple[int, int]]:
    start, end = block.span.start, block.span.end
    if block.kind is not BlockKind.TABLE_ROW:
        yield start, end
        return
    for cell in text[start:end].split("\t"):
        yield start, start + len(cell)
        start += len(cell) + 1


def _sentences_of(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    begin = start
    for match in _END.finditer(text, start, end):
        if not _sentence_continues(text, match, begin, end):
            yield from _trimmed(text, begin, match.end())
            begin = match.end()
    yield from _trimmed(text, begin, end)


def _uncut(text: str, sentences: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join the sentences of a Chinese paragraph that end marks after every few characters cut into scraps."""
    lengths = sorted(end - start for start, end in sentences)
    if len(sentences) < _FEWEST_SCRAPS or lengths[len(lengths) // 2] > _LONGEST_SCRAP:
        return sentences
    if not _CJK.search(text, *sentences[len(sentences) // 2]):
        return sentences
    joined = [sentences[0]]
    for start, end in sentences[1:]:
        first = joined[-1][0]
        if end - first <= _JOINED_SCRAPS:
            joined[-1] = first, end
        else:
            joined.append((start, end))
    return joined


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end


def _sentence_continues(text: str, match: re.Match[str], start: int, end: int) -> bool:
    """Return whether the sentence continues after what looks like its end."""
    following = _NEXT_LETTER.match(text, match.end(), end)
    letter = following.group(1) if following else ""
    chinese = text[match.start()] in _CHINESE_ENDS or _CJK.match(text, max(match.start() - 1, start))
    if letter.islower() and letter.isascii() and text[match.start()] != ";" and not chinese:
        return True
    return match.group("dot") is not None and _dot_is_inside(text, match, start, "" if chinese else letter)


def _token_before(text: str, start: int, end: int) -> str:
    """Return the token before `end`, from the last blank, opening bracket or quote, or its last part."""
    match = _LAST_TOKEN.match(text, max(start, end - _LONGEST_ABBREVIATION), end)
    return match.group(1) if match else ""


def _dot_is_inside(text: str, match: re.Match[str], start: int, letter: str) -> bool:
    """Return whether a dot belongs to a number, an abbreviation, an address or a list number."""
    touches = match.end() < len(text) and not text[match.end()].isspace()
    if touches and letter and letter.isascii() and match.end() == match.start() + 1:
        return True
    long_word = match.start() - _LONGEST_SHORT_WORD - 1
    if long_word >= start and text[long_word : match.start()].isalpha():
        return False
    token = _token_before(text, start, match.start())
    if token.lower() in _ABBREVIATIONS or _INITIALS.fullmatch(token):
        return True
    if token.lower() == "no" and letter.isdigit():
        return True
    return _LIST_NUMBER.fullmatch(text, start, match.start()) is not None


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


def prepare(
    document: Document, own: UserWords | None = None, *, meaning: bool = False, kept: bytes = b""
) -> PreparedText:
    """Split a document into sentences, units and words; `meaning` encodes the sentences.

    kept: what `kept_meanings` returned, so that the same sentences are not encoded again.

    Sentences without a unit (a line of dashes) are left out. An empty document gives empty columns.
    Raises MeaningModelMissingError.
    """
    units = comparable_units(document.text)
    sentences = split_sentences(document)
    spans, blocks = sentences[:, :2], sentences[:, 2]
    bounds = _unit_bounds(units, spans)
    has_units = np.diff(bounds) > 0
    spans, blocks = spans[has_units], blocks[has_units]
    bounds = np.concatenate([bounds[:-1][has_units], bounds[-1:]]).astype(np.int32)
    numbered = _numbered(units)
    words = _words(document.text, units, numbered, bounds, own)
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
        user_words=own,
        meanings=sentence_meanings(_sentences(document, spans), kept) if meaning else None,
    )


def kept_meanings(document: Document, prepared: PreparedText) -> bytes:
    """Return the vectors of a text as bytes to be kept, none without vectors."""
    if prepared.meanings is None:
        return b""
    return packed_meanings(_sentences(document, prepared.sentence_spans), prepared.meanings)


def with_meanings(document: Document, prepared: PreparedText, wanted: bool) -> PreparedText:
    """Return a text with the vectors of its sentences, or without. Raises MeaningModelMissingError."""
    if (prepared.meanings is not None) == wanted:
        return prepared
    sentences = _sentences(document, prepared.sentence_spans)
    return replace(prepared, meanings=sentence_meanings(sentences) if wanted else None)


def _sentences(document: Document, spans: Int32Array) -> list[str]:
    return [document.text[start:end] for start, end in spans.tolist()]


def _unit_bounds(units: Units, spans: Int32Array) -> Int32Array:
    """Return the index of the first unit of each sentence, and the number of units at the end.

    Every unit lies in a sentence: only blanks are between sentences.
    """
    starts = np.searchsorted(units.spans[:, 0], spans[:, 0])
    return np.concatenate([starts, [len(units)]]).astype(np.int32)


def _words(
    text: str, units: Units, numbered: _NumberedUnits, sentence_units: Int32Array, own: UserWords | None
) -> _NumberedWords:
    """Segment the units into words: Han runs as jieba does, any other unit is one word."""
    if numbered.is_han.any():
        return _cut_words(units, _runs(text, units, numbered.is_han, sentence_units), own)
    places = np.arange(len(units) + 1, dtype=np.int32)
    return _NumberedWords(numbered.vocabulary, tuple(map(_tag_of, numbered.vocabulary)), numbered.ids, places)


def _cut_words(units: Units, runs: list[tuple[int, int, bool]], own: UserWords | None) -> _NumberedWords:
    segmented = iter(segment(("".join(units.texts[a:b]) for a, b, han in runs if han), own))
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


def words_of_text(text: str, own: UserWords | None = None) -> list[str]:
    """Return the words of a short text, such as a title, in comparable form."""
    units = comparable_units(text)
    whole = np.array([0, len(units)], dtype=np.int32) if len(units) else np.zeros(1, dtype=np.int32)
    words = _words(text, units, _numbered(units), whole, own)
    return [words.vocabulary[i] for i in words.ids]

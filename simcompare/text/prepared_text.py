"""Document -> PreparedText: its sentences, comparable units and words, with their spans."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from itertools import count, pairwise, starmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcompare.model.document import Block, BlockKind, Document, Span
from simcompare.model.settings import UserWords
from simcompare.support.arrays import Float64Array, IndexArray, Int32Array
from simcompare.text.comparable import Units, comparable_units, is_han
from simcompare.text.sentence_meaning import mean_of_next, packed_meanings, sentence_meanings
from simcompare.text.words import is_listed_chinese, segment

_DIGEST_BYTES = 8
_LONGEST_LINE, _LONGEST_CHINESE_LINE, _MOST_LINES_ABOVE = 15, 30, 4
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
    unit_vocabulary: Sequence[str]
    unit_ids: Int32Array
    unit_spans: Int32Array
    word_vocabulary: Sequence[str]
    word_tags: Sequence[str]
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
    def lines_above(self) -> int:
        """Number of short lines at the beginning, such as title, name and class.

        They are similar in all essays on one question, and no evidence.
        """
        blocks = np.concatenate([[-1], self.sentence_blocks, [-1]])
        is_line = (blocks[1:-1] != blocks[:-2]) & (blocks[1:-1] != blocks[2:])
        is_line &= self.sentence_lengths < (
            _LONGEST_CHINESE_LINE if self.is_mostly_chinese else _LONGEST_LINE
        )
        return int(np.append(is_line[:_MOST_LINES_ABOVE], False).argmin())

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
        first = ends.searchsorted(spans[:, 0], side="right")
        return np.array((first, starts.searchsorted(spans[:, 1]))).T

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


_MOST_SEPARATE = 100_000


@dataclass(frozen=True, slots=True, eq=False)
class _WordsInOneText(Sequence[str]):
    """Very many words in one text, with the end of each: as separate strings they take six times the room."""

    text: str
    ends: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, place: Any) -> Any:
        return self.text[self.ends[place] : self.ends[place + 1]]

    def __iter__(self) -> Iterator[str]:
        return map(self.text.__getitem__, map(slice, self.ends.data, self.ends.data[1:]))


def _joined_if_many(words: tuple[str, ...]) -> Sequence[str]:
    if len(words) <= _MOST_SEPARATE:
        return words
    ends = np.cumsum([0, *map(len, words)], dtype=np.uint32)
    return _WordsInOneText("".join(words), ends)


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
    vocabulary = _joined_if_many(numbered.vocabulary)
    are_units = words.vocabulary is numbered.vocabulary
    return PreparedText(
        sentence_spans=spans,
        sentence_blocks=blocks,
        sentence_units=bounds,
        sentence_words=np.searchsorted(words.units, bounds).astype(np.int32),
        unit_vocabulary=vocabulary,
        unit_ids=numbered.ids,
        unit_spans=units.spans,
        word_vocabulary=vocabulary if are_units else _joined_if_many(words.vocabulary),
        word_tags=_joined_if_many(words.tags),
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

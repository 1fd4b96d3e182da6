"""Where in a Word file each character of its text comes from.

The reader alone knows what it reads: revisions, fields, text boxes, what is hidden, in which order. So it
reads a copy in which every text begins with signs that name it, and they are looked for in what it found.
"""

import unicodedata
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from lxml import etree

from simcompare.loading.extraction import DEFAULT_OPTIONS, UNPRINTABLE, Source
from simcompare.loading.formats.docx.docx_reader import read_docx
from simcompare.loading.formats.reader_registry import reader_of
from simcompare.loading.shared.xml_elements import local_name
from simcompare.model.document import Document, Span
from simcompare.report.annotated.word.word_package import WordPackage

# The planes for private use, of which no font and no essay makes use. A sign is one of either, then the end.
_HIGH, _LOW, _END = 0xF0000, 0x100000, "\U000ffff0"
_SIGNS = 0x8000
_PARTS_WITH_TEXT = frozenset({"document", "footnotes", "endnotes"})
_LONGEST_CLUSTER = 8


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a text element: characters [start, end) of what it holds."""

    element: etree._Element
    start: int
    end: int


def _with_blanks(one: Stretch, goes_before: bool, goes_on: bool) -> Stretch:
    """Return a stretch with the blanks towards those of the same sentence before and behind it."""
    text = one.element.text or ""
    begin, end = text[: one.start], text[one.end :]
    start = 0 if goes_before and not begin.strip() else one.start
    return Stretch(one.element, start, len(text) if goes_on and not end.strip() else one.end)


class Provenance:
    """Where the characters of a document stand in the texts of its file.

    texts and places have a number for each code point of the document: which of the elements its text is in,
    -1 for none, and where in it.
    """

    def __init__(self, elements: Sequence[etree._Element], texts: "array[int]", places: "array[int]") -> None:
        self._elements = elements
        self._texts = texts
        self._places = places

    def stretches(self, span: Span) -> list[Stretch]:
        """Return the parts of texts that a span of the document comes from, in order."""
        offsets = (offset for offset in range(span.start, span.end) if self._texts[offset] >= 0)
        found = []
        for text, group in groupby(offsets, self._texts.__getitem__):
            places = [self._places[offset] for offset in group]
            found.append(Stretch(self._elements[text], min(places), max(places) + 1))
        last = len(found) - 1
        return [_with_blanks(one, n > 0, n < last) for n, one in enumerate(found)]


def provenance_of(path: Path, package: WordPackage, document: Document) -> Provenance:
    """Return where the characters of a document come from.

    Raises what the reader raises of a file that it did not read before.
    """
    texts = list(_texts(package))
    plain = [text.text or "" for text in texts]
    for number, (element, text) in enumerate(zip(texts, plain, strict=True)):
        element.text = _name(number) + _without_signs(text) + _END
    try:
        pieces = read_docx(Source(path, package.for_reading()), DEFAULT_OPTIONS, reader_of).pieces
    finally:
        for element, text in zip(texts, plain, strict=True):
            element.text = text
    return _placed(document, texts, _Reading([piece.text for piece in pieces], plain))


def _texts(package: WordPackage) -> Iterator[etree._Element]:
    """Yield the elements with text in those parts that are read; those of blanks alone are not looked for."""
    for name in package.names():
        if name.endswith(".xml") and package.holds(name, b":t"):
            root = package.part(name)
            if root is None or local_name(root) not in _PARTS_WITH_TEXT:
                continue
            word = etree.QName(root).namespace
            yield from (one for one in root.iter(f"{{{word}}}t") if (one.text or "").strip())


def _name(number: int) -> str:
    return chr(_HIGH + number // _SIGNS) + chr(_LOW + number % _SIGNS)


def _without_signs(text: str) -> str:
    return text if max(map(ord, text)) < _HIGH else "".join(char for char in text if ord(char) < _HIGH)


class _Reading:
    """What the reader found, with the signs followed and taken away.

    pieces are without blanks; texts and places have a number for each of their characters, as Provenance has.
    """

    def __init__(self, pieces: Iterable[str], plain: Sequence[str]) -> None:
        self.texts, self.places = array("l"), array("l")
        self._plain = plain
        self._number = -1
        self._high = 0
        self._place = 0
        # a text may begin in one piece and end in another
        self.pieces = ["".join(self._letters(piece)) for piece in pieces]

    def _letters(self, piece: str) -> Iterator[str]:
        for char in piece:
            code = ord(char)
            if code < _HIGH:
                if not char.isspace():
                    self._take(char)
                    yield char
            elif char == _END:
                self._number = -1
            elif code < _LOW:
                self._high = code - _HIGH
            else:
                self._number, self._place = self._high * _SIGNS + code - _LOW, 0

    def _take(self, char: str) -> None:
        plain = self._plain[self._number] if self._number >= 0 else ""
        place = self._place
        while place < len(plain) and plain[place] != char and _is_passed_over(plain[place]):
            place += 1
        is_found = place < len(plain)
        self.texts.append(self._number if is_found else -1)
        self.places.append(place)
        self._place = place + _length(plain, place, char) if is_found else place


def _is_passed_over(char: str) -> bool:
    return char.isspace() or ord(char) >= _HIGH or UNPRINTABLE.match(char) is not None


def _length(plain: str, place: int, char: str) -> int:
    """Return how many characters of a text became one; a sign of a symbol font becomes another sign."""
    if plain[place : place + 1] == char:
        return 1
    composed = (
        n
        for n in range(1, _LONGEST_CLUSTER)
        if unicodedata.normalize("NFC", plain[place : place + n]) == char
    )
    return next(composed, 1)


def _placed(document: Document, elements: Sequence[etree._Element], reading: _Reading) -> Provenance:
    texts, places = (array("l", [-1]) * len(document.text) for _ in range(2))
    finder = _Finder(reading.pieces)
    for block in document.blocks:
        line = block.span.of(document.text)
        offsets = [block.span.start + n for n, char in enumerate(line) if not _is_left_out(char)]
        begin = finder.find("".join(document.text[offset] for offset in offsets))
        for found, offset in enumerate(offsets if begin is not None else (), start=begin or 0):
            texts[offset], places[offset] = reading.texts[found], reading.places[found]
    return Provenance(elements, texts, places)


def _is_left_out(char: str) -> bool:
    return char.isspace() or ord(char) >= _HIGH


class _Finder:
    """Finds the blocks of a document, in their order, among the pieces that the reader found."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._whole = "".join(pieces)
        self._begins: defaultdict[str, list[int]] = defaultdict(list)
        begin = 0
        for piece in pieces:
            self._begins[piece].append(begin)
            begin += len(piece)
        self._end = 0

    def find(self, text: str) -> int | None:
        """Return where a block begins, None where it does not stand behind those before.

        Mostly it is the next piece; behind what is left out, as a table of contents, it is a later one. Where
        pieces were joined into a block it stands across them.
        """
        begin = self._end if self._whole.startswith(text, self._end) else self._later_piece(text)
        if begin is None:
            begin = self._whole.find(text, self._end)
        if begin < 0:
            return None
        self._end = begin + len(text)
        return begin

    def _later_piece(self, text: str) -> int | None:
        begins = self._begins.get(text, [])
        place = bisect_left(begins, self._end)
        return begins[place] if place < len(begins) else None

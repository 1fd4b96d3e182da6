"""Map each character of a document to the text element of the Word file that it comes from.

Revisions, fields, text boxes, hidden text and their order are handled by the reader. It therefore reads a
copy in which each text element starts with private-use characters that encode its number, and these are
located in its output.
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

# Private-use planes, which no essay uses. A code is one character of each plane, and _END ends a text.
_HIGH, _LOW, _END = 0xF0000, 0x100000, "\U000ffff0"
_CODES_PER_PLANE = 0x8000
_PARTS_WITH_TEXT = frozenset({"document", "footnotes", "endnotes"})
_LONGEST_CLUSTER = 8


@dataclass(frozen=True, slots=True)
class TextElementRange:
    """Characters [start, end) of a text element."""

    element: etree._Element
    start: int
    end: int


def _with_blanks(source: TextElementRange, goes_before: bool, goes_on: bool) -> TextElementRange:
    """Extend a range over the blanks towards other ranges of the same sentence before and after it."""
    text = source.element.text or ""
    begin, end = text[: source.start], text[source.end :]
    start = 0 if goes_before and not begin.strip() else source.start
    return TextElementRange(source.element, start, len(text) if goes_on and not end.strip() else source.end)


class Provenance:
    """Map from the code points of a document to the text elements of its file.

    texts and places have an entry for each code point: the index of its element, -1 for none, and the offset
    in it.
    """

    def __init__(self, elements: Sequence[etree._Element], texts: "array[int]", places: "array[int]") -> None:
        self._elements = elements
        self._texts = texts
        self._places = places

    def element_ranges(self, span: Span) -> list[TextElementRange]:
        """Return the ranges of text elements that a span of the document comes from, in order."""
        offsets = (offset for offset in range(span.start, span.end) if self._texts[offset] >= 0)
        found = []
        for text, group in groupby(offsets, self._texts.__getitem__):
            places = [self._places[offset] for offset in group]
            found.append(TextElementRange(self._elements[text], min(places), max(places) + 1))
        last = len(found) - 1
        return [_with_blanks(source, n > 0, n < last) for n, source in enumerate(found)]


def provenance_of(path: Path, package: WordPackage, document: Document) -> Provenance:
    """Locate the characters of a document in its file.

    Raises the errors of the reader.
    """
    texts = list(_texts(package))
    plain = [text.text or "" for text in texts]
    for number, (element, text) in enumerate(zip(texts, plain, strict=True)):
        element.text = _code(number) + _without_codes(text) + _END
    try:
        pieces = read_docx(Source(path, package.for_reading()), DEFAULT_OPTIONS, reader_of).pieces
    finally:
        for element, text in zip(texts, plain, strict=True):
            element.text = text
    return _placed(document, texts, _ReaderOutput([piece.text for piece in pieces], plain))


def _texts(package: WordPackage) -> Iterator[etree._Element]:
    """Yield the text elements of the parts that are read, except those with only blanks."""
    for name in package.names():
        if name.endswith(".xml") and package.contains(name, b":t"):
            root = package.part(name)
            if root is None or local_name(root) not in _PARTS_WITH_TEXT:
                continue
            word = etree.QName(root).namespace
            yield from (element for element in root.iter(f"{{{word}}}t") if (element.text or "").strip())


def _code(number: int) -> str:
    return chr(_HIGH + number // _CODES_PER_PLANE) + chr(_LOW + number % _CODES_PER_PLANE)


def _without_codes(text: str) -> str:
    return text if max(map(ord, text)) < _HIGH else "".join(char for char in text if ord(char) < _HIGH)


class _ReaderOutput:
    """Output of the reader, with the codes decoded and removed.

    pieces: without blanks; texts and places: an entry for each of their characters, as in Provenance.
    """

    def __init__(self, pieces: Iterable[str], plain: Sequence[str]) -> None:
        self.texts, self.places = array("l"), array("l")
        self._plain = plain
        self._number = -1
        self._high = 0
        self._place = 0
        # a text element may extend over several pieces
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
                self._number, self._place = self._high * _CODES_PER_PLANE + code - _LOW, 0

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
    """Return how many characters of a text the reader composed into one; 1 if it was replaced."""
    if plain[place : place + 1] == char:
        return 1
    composed = (
        n
        for n in range(1, _LONGEST_CLUSTER)
        if unicodedata.normalize("NFC", plain[place : place + n]) == char
    )
    return next(composed, 1)


def _placed(document: Document, elements: Sequence[etree._Element], reading: _ReaderOutput) -> Provenance:
    texts, places = (array("l", [-1]) * len(document.text) for _ in range(2))
    finder = _BlockLocator(reading.pieces)
    for block in document.blocks:
        line = block.span.of(document.text)
        offsets = [block.span.start + n for n, char in enumerate(line) if not _is_left_out(char)]
        begin = finder.find("".join(document.text[offset] for offset in offsets))
        for found, offset in enumerate(offsets if begin is not None else (), start=begin or 0):
            texts[offset], places[offset] = reading.texts[found], reading.places[found]
    return Provenance(elements, texts, places)


def _is_left_out(char: str) -> bool:
    return char.isspace() or ord(char) >= _HIGH


class _BlockLocator:
    """Locate the blocks of a document, in order, among the pieces of the reader output."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._whole = "".join(pieces)
        self._begins: defaultdict[str, list[int]] = defaultdict(list)
        begin = 0
        for piece in pieces:
            self._begins[piece].append(begin)
            begin += len(piece)
        self._end = 0

    def find(self, text: str) -> int | None:
        """Return the offset of a block, None if it is not found after the blocks before.

        Usually the block is the next piece, after omitted text such as a table of contents a later one, and
        it extends over several pieces if they were joined.
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

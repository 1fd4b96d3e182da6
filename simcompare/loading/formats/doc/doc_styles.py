"""Styles ([MS-DOC] 2.9.271, STSH), and the formatting pages of characters and paragraphs."""

import struct
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from simcompare.loading.formats.doc.doc_properties import (
    CharacterFormat,
    DocParagraphFormat,
    changed_characters,
    changed_paragraph,
)
from simcompare.loading.shared.style_names import is_contents_style, kind_by_names, style_chain
from simcompare.model.document import BlockKind

# Identifiers of Word's built-in styles.
_HEADINGS, _TITLE, _CONTENTS, _QUOTATIONS = range(1, 10), 62, range(19, 28), {180, 181}
_OF_PARAGRAPHS, _OF_CHARACTERS = 1, 2


@dataclass(frozen=True, slots=True)
class DocStyle:
    """A paragraph or character style as stored."""

    number: int
    kind: int
    base: int
    name: str
    paragraph: bytes = b""
    character: bytes = b""


class DocStyles:
    """Styles of a document, with inheritance."""

    def __init__(self, sheet: bytes, data: bytes) -> None:
        self._styles = _read(sheet)
        self._data = data
        self.characters = lru_cache(maxsize=None)(self._characters)
        self.paragraph = lru_cache(maxsize=None)(self._paragraph)
        self.kind = lru_cache(maxsize=None)(self._kind)
        self.is_contents = lru_cache(maxsize=None)(self._is_contents)

    def with_style(self, index: int, base: CharacterFormat) -> CharacterFormat:
        """Return the character format with a character style applied to `base`."""
        for style in self._chain(index):
            if style.kind == _OF_CHARACTERS:
                base = changed_characters(
                    base, style.character, lambda _index, character_format: character_format
                )
        return base

    def _characters(self, index: int) -> CharacterFormat:
        character_format = CharacterFormat()
        for style in self._chain(index):
            character_format = changed_characters(
                character_format, style.character, lambda _index, base: base
            )
        return character_format

    def _paragraph(self, index: int) -> DocParagraphFormat:
        paragraph_format = DocParagraphFormat()
        for style in self._chain(index):
            paragraph_format = changed_paragraph(paragraph_format, style.paragraph, self._data)
        return paragraph_format

    def _kind(self, index: int) -> BlockKind | None:
        """Return the block kind of a paragraph style, or None if it does not determine one."""
        chain = self._chain(index)
        numbers = {style.number for style in chain}
        if _TITLE in numbers:
            return BlockKind.TITLE
        named = kind_by_names([style.name.strip().lower() for style in chain])
        if named is None and not numbers.isdisjoint(_HEADINGS):
            return BlockKind.HEADING
        return named or (None if numbers.isdisjoint(_QUOTATIONS) else BlockKind.QUOTATION)

    def _is_contents(self, index: int) -> bool:
        return any(
            style.number in _CONTENTS or is_contents_style(style.name.strip().lower())
            for style in self._chain(index)[-1:]
        )

    def _chain(self, index: int) -> list[DocStyle]:
        """Return a style and its ancestors, the oldest first; a style may be its own ancestor."""
        return style_chain(self._styles.get(index), lambda style: self._styles.get(style.base))[::-1]


def _read(sheet: bytes) -> dict[int, DocStyle]:
    """Return the styles by index; those after a broken record are missing."""
    styles: dict[int, DocStyle] = {}
    try:
        head, count, base_size = struct.unpack_from("<3H", sheet)
        place = 2 + head
        for index in range(count):
            (length,) = struct.unpack_from("<H", sheet, place)
            if length:
                styles[index] = _style(sheet[place + 2 : place + 2 + length], base_size)
            place += 2 + length
    except (struct.error, IndexError):
        return styles
    return styles


def _style(description: bytes, base_size: int) -> DocStyle:
    first, second, third = struct.unpack_from("<3H", description)
    kind, base = second & 0xF, second >> 4
    (characters_in_name,) = struct.unpack_from("<H", description, base_size)
    start = base_size + 2
    name = description[start : start + 2 * characters_in_name].decode("utf-16-le", "ignore")
    lists = _lists(description, start + 2 * characters_in_name + 2, third & 0xF)
    paragraph, character = b"", b""
    if kind == _OF_PARAGRAPHS and lists:
        paragraph, character = lists[0][2:], lists[1] if len(lists) > 1 else b""
    elif kind == _OF_CHARACTERS and lists:
        character = lists[0]
    # Aliases follow the name after commas.
    return DocStyle(first & 0xFFF, kind, base, name.partition(",")[0], paragraph, character)


def _lists(description: bytes, place: int, count: int) -> list[bytes]:
    """Return the property lists; each begins at an even offset."""
    lists = []
    for _number in range(count):
        place += place % 2
        if place + 2 > len(description):
            break
        (length,) = struct.unpack_from("<H", description, place)
        lists.append(description[place + 2 : place + 2 + length])
        place += 2 + length
    return lists


_PAGE_BYTES = 512
_PARAGRAPH_ENTRY_BYTES = 13
_PAGE_NUMBER = 0x3FFFFF


@dataclass(frozen=True, slots=True)
class FormattedRange:
    """Bytes [start, end) of the stream with a common property list; paragraphs also have a style."""

    start: int
    end: int
    properties: bytes
    style: int = 0


class FormattedRanges:
    """Formatted ranges in stream order; bytes outside of them have no properties."""

    def __init__(self, stretches: list[FormattedRange]) -> None:
        self._ranges = sorted(stretches, key=lambda formatted: formatted.start)
        self._starts = [formatted.start for formatted in self._ranges]

    def at(self, offset: int) -> FormattedRange:
        number = bisect_right(self._starts, offset) - 1
        if number >= 0 and offset < self._ranges[number].end:
            return self._ranges[number]
        return FormattedRange(offset, offset + 1, b"")

    def within(self, start: int, end: int) -> Iterator[tuple[int, int, bytes]]:
        """Yield the parts of [start, end) with their property lists."""
        number = max(bisect_right(self._starts, start) - 1, 0)
        while start < end:
            while number < len(self._ranges) and self._ranges[number].end <= start:
                number += 1
            if number >= len(self._ranges):
                yield start, end, b""
                return
            formatted = self._ranges[number]
            if formatted.start > start:
                yield start, min(end, formatted.start), b""
            else:
                yield start, min(end, formatted.end), formatted.properties
            start = min(end, formatted.start if formatted.start > start else formatted.end)


def read_characters(plc: bytes, stream: bytes) -> FormattedRanges:
    """Read the pages with character properties."""

    def of_characters(page: bytes, offset: int) -> tuple[bytes, int]:
        return page[offset + 1 : offset + 1 + page[offset]], 0

    return FormattedRanges(list(_ranges(plc, stream, 1, of_characters)))


def read_paragraphs(plc: bytes, stream: bytes) -> FormattedRanges:
    """Read the pages with paragraph properties."""
    return FormattedRanges(list(_ranges(plc, stream, _PARAGRAPH_ENTRY_BYTES, _of_paragraph)))


def _ranges(
    plc: bytes, stream: bytes, entry_bytes: int, properties_at: Callable[[bytes, int], tuple[bytes, int]]
) -> Iterator[FormattedRange]:
    count = max((len(plc) - 4) // 8, 0)
    numbers = struct.unpack_from(f"<{count}I", plc, 4 * (count + 1)) if count else ()
    # A page may be referenced more than once.
    for place in dict.fromkeys((number & _PAGE_NUMBER) * _PAGE_BYTES for number in numbers):
        page = stream[place : place + _PAGE_BYTES]
        if len(page) == _PAGE_BYTES:
            yield from _on_page(page, entry_bytes, properties_at)


def _on_page(
    page: bytes, entry_bytes: int, properties_at: Callable[[bytes, int], tuple[bytes, int]]
) -> Iterator[FormattedRange]:
    count = page[-1]
    plc_entries = 4 * (count + 1)
    if plc_entries + entry_bytes * count >= _PAGE_BYTES:
        return
    places = struct.unpack_from(f"<{count + 1}I", page)
    for number, (start, end) in enumerate(pairwise(places)):
        if start < end:
            offset = page[plc_entries + entry_bytes * number] * 2
            yield FormattedRange(start, end, *(properties_at(page, offset) if offset else (b"", 0)))


def _of_paragraph(page: bytes, offset: int) -> tuple[bytes, int]:
    length = 2 * page[offset] - 1
    if length < 0:
        offset += 1
        length = 2 * page[min(offset, _PAGE_BYTES - 1)]
    found = page[offset + 1 : offset + 1 + length]
    return found[2:], int.from_bytes(found[:2], "little")

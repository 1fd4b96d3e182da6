"""Styles ([MS-DOC] 2.9.271, STSH), their properties, and the formatting of characters and paragraphs."""

import struct
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from simcompare.loading.shared.text_flow import TextFormat
from simcompare.loading.shared.visibility import is_contents_style, kind_by_names, style_chain
from simcompare.model.document import BlockKind

# Operand sizes by the highest three bits of a property's number; 6 is variable.
_OPERAND_BYTES = (1, 1, 2, 4, 2, 2, 0, 3)
_VARIABLE = 6
TABLE_DEFINITION, _TABS = 0xD608, 0xC615
WHITE_INDEX = 8
_WHITE_NEAR = 0xF0
SHADING_BYTES, OLD_SHADING_BYTES = 10, 2
_CLEAR, _NO_PATTERN, _NO_OLD_SHADING = 0, 0xFFFF, 0xFFFF


def properties(grpprl: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield number and operand of each property change; a truncated list ends early."""
    place = 0
    while place + 2 < len(grpprl):
        number = grpprl[place] | grpprl[place + 1] << 8
        length, prefix = _OPERAND_BYTES[number >> 13], 0
        if number >> 13 == _VARIABLE:
            length, prefix = _variable_length(number, grpprl, place + 2)
        start = place + 2 + prefix
        yield number, grpprl[start : start + length]
        place = start + length


def _variable_length(number: int, grpprl: bytes, place: int) -> tuple[int, int]:
    """Return the length of a variable operand, and the size of its length field."""
    if number == TABLE_DEFINITION:
        return max(int.from_bytes(grpprl[place : place + 2], "little") - 1, 0), 2
    if number == _TABS and grpprl[place] == 0xFF and len(grpprl) > place + 1:
        deleted = grpprl[place + 1] * 4
        added = grpprl[place + 2 + deleted] if len(grpprl) > place + 2 + deleted else 0
        return 2 + deleted + added * 3, 1
    return grpprl[place], 1


def number_in(operand: bytes) -> int:
    """Return an operand as a number; of a long operand the first four bytes."""
    return int.from_bytes(operand[:4], "little")


def is_white(colour: int) -> bool:
    """Return whether a COLORREF, 0 in the highest byte, is white or nearly white."""
    return not colour >> 24 and all(colour >> shift & 0xFF >= _WHITE_NEAR for shift in (0, 8, 16))


def is_shaded(operand: bytes) -> bool:
    """Return whether a SHD (pattern colour, background colour, pattern) is a dark background."""
    if len(operand) < SHADING_BYTES:
        return False
    front, back, pattern = struct.unpack_from("<IIH", operand)
    if pattern == _NO_PATTERN:
        return False
    return (pattern != _CLEAR and not is_white(front)) or not (back >> 24 or is_white(back))


def is_shaded_by_index(operand: bytes) -> bool:
    """Return whether a SHD80 (colour, background and pattern in 5, 5 and 6 bits) is a dark background."""
    value = number_in(operand[:OLD_SHADING_BYTES])
    if value == _NO_OLD_SHADING:
        return False
    front, back, pattern = value & 31, value >> 5 & 31, value >> 10
    return back not in {0, WHITE_INDEX} or (pattern != _CLEAR and front != WHITE_INDEX)


_STYLE, _PLAIN = 0x4A30, 0x2A33
_NOT_DARK = frozenset({0, WHITE_INDEX})


@dataclass(frozen=True, slots=True)
class CharacterFormat:
    """Format of characters.

    `shaded` is their own dark background, `symbol` a character of a symbol font, `picture` the offset of
    a picture in the data stream.
    """

    half_points: float = 20
    bold: bool = False
    white: bool = False
    hidden: bool = False
    deleted: bool = False
    shaded: bool = False
    symbol: int | None = None
    picture: int | None = None

    def text_format(self) -> TextFormat:
        return TextFormat(
            self.half_points, self.bold, self.white and not self.shaded, self.hidden, self.deleted
        )


def _toggled(value: int, of_style: bool) -> bool:
    """Return a toggle: 0 and 1 are off and on, 0x80 is as in the style, 0x81 the opposite."""
    return of_style != bool(value & 1) if value & 0x80 else bool(value & 1)


_CharacterChange = Callable[[CharacterFormat, CharacterFormat, bytes], CharacterFormat]
_CHARACTER_CHANGES: dict[int, _CharacterChange] = {
    0x0800: lambda current, _base, operand: replace(current, deleted=bool(number_in(operand) & 1)),
    0x083C: lambda current, base, operand: replace(current, hidden=_toggled(number_in(operand), base.hidden)),
    0x0835: lambda current, base, operand: replace(current, bold=_toggled(number_in(operand), base.bold)),
    0x4A43: lambda current, _base, operand: replace(current, half_points=number_in(operand)),
    0x2A42: lambda current, _base, operand: replace(current, white=number_in(operand) == WHITE_INDEX),
    0x6870: lambda current, _base, operand: replace(current, white=is_white(number_in(operand))),
    0x2A0C: lambda current, _base, operand: replace(current, shaded=number_in(operand) not in _NOT_DARK),
    0x4866: lambda current, _base, operand: replace(current, shaded=is_shaded_by_index(operand)),
    0xCA71: lambda current, _base, operand: replace(current, shaded=is_shaded(operand)),
    0x6A03: lambda current, _base, operand: replace(current, picture=number_in(operand)),
    0x6A09: lambda current, _base, operand: replace(current, symbol=number_in(operand) >> 16),
}


def changed_characters(
    base: CharacterFormat, grpprl: bytes, styles: Callable[[int, CharacterFormat], CharacterFormat]
) -> CharacterFormat:
    """Return `base`, the format of the paragraph style, with changes; `styles` applies a character style."""
    current = base
    for number, operand in properties(grpprl):
        if number == _STYLE:
            current = base = styles(number_in(operand), base)
        elif number == _PLAIN:
            current = base
        elif number in _CHARACTER_CHANGES:
            current = _CHARACTER_CHANGES[number](current, base, operand)
    return current


# Long property lists, stored in the data stream.
_EXTERNAL_LISTS = frozenset({0x6645, 0x6646, 0x646B})
_CENTRED = 1
_NO_LISTS = frozenset({0, 0xF801})
_BODY_LEVEL = 9
_DROP_CAP = 0b111
_CELL_BYTES, _CELL_MERGED = 20, 0x0002


@dataclass(frozen=True, slots=True)
class DocParagraphFormat:
    """Format of a paragraph. `level` 0 to 8 is a heading level, `depth` counts the enclosing tables.

    `list` counts from 1; 0 is none. A drop cap is the large initial of the next paragraph.
    """

    centred: bool = False
    shaded: bool = False
    depth: int = 0
    ends_cell: bool = False
    ends_row: bool = False
    list: int = 0
    list_level: int = 0
    level: int = _BODY_LEVEL
    is_drop_cap: bool = False
    cells_shaded: tuple[bool, ...] = ()
    cells_merged: tuple[bool, ...] = ()


def _each(operand: bytes, size: int, predicate: Callable[[bytes], bool]) -> tuple[bool, ...]:
    return tuple(predicate(operand[place : place + size]) for place in range(0, len(operand), size))


def _merged(operand: bytes) -> tuple[bool, ...]:
    """Return which cells of a table definition continue the one before."""
    count = operand[0] if operand else 0
    cells = operand[1 + 2 * (count + 1) :]
    flags = [number_in(cells[_CELL_BYTES * n : _CELL_BYTES * n + 2]) for n in range(count)]
    return tuple(bool(flag & _CELL_MERGED) for flag in flags)


def _cells_from(first: int) -> Callable[[DocParagraphFormat, bytes], DocParagraphFormat]:
    def add(current: DocParagraphFormat, operand: bytes) -> DocParagraphFormat:
        before = [*current.cells_shaded, *[False] * first][:first]
        return replace(current, cells_shaded=(*before, *_each(operand, SHADING_BYTES, is_shaded)))

    return add


_PARAGRAPH_CHANGES: dict[int, Callable[[DocParagraphFormat, bytes], DocParagraphFormat]] = {
    0x2403: lambda current, operand: replace(current, centred=number_in(operand) == _CENTRED),
    0x2461: lambda current, operand: replace(current, centred=number_in(operand) == _CENTRED),
    0x442D: lambda current, operand: replace(current, shaded=is_shaded_by_index(operand)),
    0xC64D: lambda current, operand: replace(current, shaded=is_shaded(operand)),
    0x2416: lambda current, operand: replace(
        current, depth=max(current.depth, 1) if number_in(operand) else 0
    ),
    0x6649: lambda current, operand: replace(current, depth=number_in(operand)),
    0x244B: lambda current, operand: replace(current, ends_cell=bool(number_in(operand))),
    0x2417: lambda current, operand: replace(current, ends_row=bool(number_in(operand))),
    0x244C: lambda current, operand: replace(current, ends_row=bool(number_in(operand))),
    0x442C: lambda current, operand: replace(current, is_drop_cap=bool(number_in(operand) & _DROP_CAP)),
    0x460B: lambda current, operand: replace(
        current, list=0 if number_in(operand) in _NO_LISTS else number_in(operand)
    ),
    0x260A: lambda current, operand: replace(current, list_level=number_in(operand)),
    0x2640: lambda current, operand: replace(current, level=number_in(operand)),
    TABLE_DEFINITION: lambda current, operand: replace(current, cells_merged=_merged(operand)),
    0xD609: lambda current, operand: replace(
        current, cells_shaded=current.cells_shaded or _each(operand, OLD_SHADING_BYTES, is_shaded_by_index)
    ),
    0xD612: _cells_from(0),
    0xD616: _cells_from(22),
    0xD60C: _cells_from(44),
}


def changed_paragraph(base: DocParagraphFormat, grpprl: bytes, data: bytes) -> DocParagraphFormat:
    """Return `base`, the format of a style, with changes; `data` is the stream of the long lists."""
    current = base
    for number, operand in properties(grpprl):
        changes = [(number, operand)]
        if number in _EXTERNAL_LISTS:
            place = number_in(operand)
            length = number_in(data[place : place + 2])
            changes = list(properties(data[place + 2 : place + 2 + length]))
        for inner, inner_operand in changes:
            if inner in _PARAGRAPH_CHANGES:
                current = _PARAGRAPH_CHANGES[inner](current, inner_operand)
    return current


# Identifiers of Word's built-in styles.
_HEADINGS, _TITLE, _CONTENTS, _QUOTATIONS = range(1, 10), 62, range(19, 28), {180, 181}
_OF_PARAGRAPHS, _OF_CHARACTERS = 1, 2


@dataclass(frozen=True, slots=True)
class DocStyle:
    number: int
    kind: int
    base: int
    name: str
    paragraph: bytes = b""
    character: bytes = b""


class DocStyles:
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
    def of_characters(page: bytes, offset: int) -> tuple[bytes, int]:
        return page[offset + 1 : offset + 1 + page[offset]], 0

    return FormattedRanges(list(_ranges(plc, stream, 1, of_characters)))


def read_paragraphs(plc: bytes, stream: bytes) -> FormattedRanges:
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

"""Property lists (grpprl) of characters, paragraphs and table rows ([MS-DOC] 2.2.5, 2.6, 2.9)."""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from simcompare.loading.shared.text_flow import TextFormat

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

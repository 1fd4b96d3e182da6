"""Paragraph and table row properties ([MS-DOC] 2.6.2 and 2.6.3)."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from simcompare.loading.formats.doc.doc_properties import (
    OLD_SHADING_BYTES,
    SHADING_BYTES,
    TABLE_DEFINITION,
    is_shaded,
    is_shaded_by_index,
    number_in,
    properties,
)

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


def _shaded_by_index(current: DocParagraphFormat, operand: bytes) -> DocParagraphFormat:
    shaded = current.cells_shaded or _each(operand, OLD_SHADING_BYTES, is_shaded_by_index)
    return replace(current, cells_shaded=shaded)


_CHANGES: dict[int, Callable[[DocParagraphFormat, bytes], DocParagraphFormat]] = {
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
    0xD609: _shaded_by_index,
    0xD612: _cells_from(0),
    0xD616: _cells_from(22),
    0xD60C: _cells_from(44),
}


def changed(base: DocParagraphFormat, grpprl: bytes, data: bytes) -> DocParagraphFormat:
    """Return `base`, the format of a style, with changes; `data` is the stream of the long lists."""
    current = base
    for number, operand in properties(grpprl):
        if number in _EXTERNAL_LISTS:
            for inner, inner_operand in properties(_external_list(number_in(operand), data)):
                current = _with_change(current, inner, inner_operand)
        else:
            current = _with_change(current, number, operand)
    return current


def _with_change(current: DocParagraphFormat, number: int, operand: bytes) -> DocParagraphFormat:
    change = _CHANGES.get(number)
    return change(current, operand) if change else current


def _external_list(place: int, data: bytes) -> bytes:
    length = number_in(data[place : place + 2])
    return data[place + 2 : place + 2 + length]

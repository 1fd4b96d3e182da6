"""What a list of properties makes of a paragraph or a table row ([MS-DOC] 2.6.2 and 2.6.3)."""

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

# These lists are long and stand in another stream.
_ELSEWHERE = frozenset({0x6645, 0x6646, 0x646B})
_CENTRED = 1
_NO_LISTS = frozenset({0, 0xF801})
_BODY_LEVEL = 9
_DROP_CAP = 0b111
_CELL_BYTES, _CELL_MERGED = 20, 0x0002


@dataclass(frozen=True, slots=True)
class ParagraphLook:
    """What a paragraph is. `level` 0 to 8 is a heading's, `depth` counts the tables around it.

    `list` counts from 1; 0 is none. A drop cap is the large letter that the next paragraph begins with.
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


def _each(operand: bytes, size: int, judge: Callable[[bytes], bool]) -> tuple[bool, ...]:
    return tuple(judge(operand[place : place + size]) for place in range(0, len(operand), size))


def _merged(operand: bytes) -> tuple[bool, ...]:
    """Return which cells of a table definition are only the rest of the one before."""
    count = operand[0] if operand else 0
    cells = operand[1 + 2 * (count + 1) :]
    flags = [number_in(cells[_CELL_BYTES * n : _CELL_BYTES * n + 2]) for n in range(count)]
    return tuple(bool(flag & _CELL_MERGED) for flag in flags)


def _cells_from(first: int) -> Callable[[ParagraphLook, bytes], ParagraphLook]:
    def add(now: ParagraphLook, by: bytes) -> ParagraphLook:
        before = [*now.cells_shaded, *[False] * first][:first]
        return replace(now, cells_shaded=(*before, *_each(by, SHADING_BYTES, is_shaded)))

    return add


def _shaded_by_index(now: ParagraphLook, by: bytes) -> ParagraphLook:
    shaded = now.cells_shaded or _each(by, OLD_SHADING_BYTES, is_shaded_by_index)
    return replace(now, cells_shaded=shaded)


_CHANGES: dict[int, Callable[[ParagraphLook, bytes], ParagraphLook]] = {
    0x2403: lambda now, by: replace(now, centred=number_in(by) == _CENTRED),
    0x2461: lambda now, by: replace(now, centred=number_in(by) == _CENTRED),
    0x442D: lambda now, by: replace(now, shaded=is_shaded_by_index(by)),
    0xC64D: lambda now, by: replace(now, shaded=is_shaded(by)),
    0x2416: lambda now, by: replace(now, depth=max(now.depth, 1) if number_in(by) else 0),
    0x6649: lambda now, by: replace(now, depth=number_in(by)),
    0x244B: lambda now, by: replace(now, ends_cell=bool(number_in(by))),
    0x2417: lambda now, by: replace(now, ends_row=bool(number_in(by))),
    0x244C: lambda now, by: replace(now, ends_row=bool(number_in(by))),
    0x442C: lambda now, by: replace(now, is_drop_cap=bool(number_in(by) & _DROP_CAP)),
    0x460B: lambda now, by: replace(now, list=0 if number_in(by) in _NO_LISTS else number_in(by)),
    0x260A: lambda now, by: replace(now, list_level=number_in(by)),
    0x2640: lambda now, by: replace(now, level=number_in(by)),
    TABLE_DEFINITION: lambda now, by: replace(now, cells_merged=_merged(by)),
    0xD609: _shaded_by_index,
    0xD612: _cells_from(0),
    0xD616: _cells_from(22),
    0xD60C: _cells_from(44),
}


def changed(base: ParagraphLook, grpprl: bytes, data: bytes) -> ParagraphLook:
    """Return `base`, which a style gives, changed; `data` is the stream of the long lists."""
    now = base
    for number, operand in properties(grpprl):
        if number in _ELSEWHERE:
            for inner, inner_operand in properties(_elsewhere(number_in(operand), data)):
                now = _one_changed(now, inner, inner_operand)
        else:
            now = _one_changed(now, number, operand)
    return now


def _one_changed(now: ParagraphLook, number: int, operand: bytes) -> ParagraphLook:
    change = _CHANGES.get(number)
    return change(now, operand) if change else now


def _elsewhere(place: int, data: bytes) -> bytes:
    length = number_in(data[place : place + 2])
    return data[place + 2 : place + 2 + length]

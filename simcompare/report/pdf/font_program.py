"""Outlines of glyphs as a font that a PDF can hold: CFF with Type 2 charstrings (Adobe notes 5176, 5177)."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

_CID_STRINGS = (b"Adobe", b"Identity")
_FIRST_OWN_STRING = 391
_WIDTH_OF_MOST = 1000
_RMOVETO, _RLINETO, _RRCURVETO, _ENDCHAR = 21, 5, 8, 14
_DEFAULT_WIDTH, _NOMINAL_WIDTH, _CHARSET, _CHAR_STRINGS, _PRIVATE = 20, 21, 15, 17, 18
_ROS, _CID_COUNT, _FD_ARRAY, _FD_SELECT = (12, 30), (12, 34), (12, 36), (12, 37)

Point = tuple[float, float]
Contour = tuple[Point, Sequence[Sequence[Point]]]
"""A start and the strokes from there: one point for a line, three for a cubic curve."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A glyph in thousandths of an em, y upwards: its width, and its contours."""

    width: int
    contours: Sequence[Contour] = ()


def font_program(name: str, outlines: Sequence[Outline]) -> bytes:
    """Return a CID-keyed font in which glyph number and character identifier are the same."""
    count = len(outlines)
    glyphs = _index([_charstring(outline) for outline in outlines])
    # every offset takes five bytes, so that the dictionary is as long before they are known as after
    start = len(_head(name, [0, 0, 0, 0], count))
    charset = struct.pack(">BHH", 2, 1, max(count - 2, 0))
    select = struct.pack(">BHHBH", 3, 1, 0, 0, count)
    private = _entry([_WIDTH_OF_MOST], _DEFAULT_WIDTH) + _entry([0], _NOMINAL_WIDTH)
    at_select = start + len(charset)
    at_glyphs = at_select + len(select)
    at_private = at_glyphs + len(glyphs)
    at_fonts = at_private + len(private)
    fonts = _index([_offset(len(private)) + _offset(at_private) + bytes([_PRIVATE])])
    head = _head(name, [start, at_glyphs, at_fonts, at_select], count)
    return head + charset + select + glyphs + private + fonts


def _head(name: str, places: Sequence[int], count: int) -> bytes:
    charset, glyphs, fonts, select = places
    top = (
        _entry([_FIRST_OWN_STRING, _FIRST_OWN_STRING + 1, 0], *_ROS)
        + _entry([count], *_CID_COUNT)
        + _offset(charset)
        + bytes([_CHARSET])
        + _offset(glyphs)
        + bytes([_CHAR_STRINGS])
        + _offset(fonts)
        + bytes(_FD_ARRAY)
        + _offset(select)
        + bytes(_FD_SELECT)
    )
    return b"\x01\x00\x04\x04" + _index([name.encode()]) + _index([top]) + _index(_CID_STRINGS) + _index([])


def _index(items: Sequence[bytes]) -> bytes:
    if not items:
        return b"\x00\x00"
    places, end = [1], 1
    for item in items:
        end += len(item)
        places.append(end)
    return struct.pack(f">HB{len(places)}I", len(items), 4, *places) + b"".join(items)


def _entry(values: Sequence[int], *operator: int) -> bytes:
    return b"".join(map(_number, values)) + bytes(operator)


def _offset(value: int) -> bytes:
    return struct.pack(">BI", 29, value)


def _number(value: int) -> bytes:
    if -107 <= value <= 107:
        return bytes([value + 139])
    if 108 <= value <= 1131:
        return struct.pack(">H", value - 108 + (247 << 8))
    if -1131 <= value <= -108:
        return struct.pack(">H", -value - 108 + (251 << 8))
    return struct.pack(">Bh", 28, value)


def _charstring(outline: Outline) -> bytes:
    """Return the glyph as moves from point to point; the width stands before the first of them."""
    parts = [] if outline.width == _WIDTH_OF_MOST else [_number(outline.width)]
    x = y = 0
    for start, strokes in outline.contours:
        for points, operator in (
            ((start,), _RMOVETO),
            *((s, _RLINETO if len(s) == 1 else _RRCURVETO) for s in strokes),
        ):
            for to_x, to_y in points:
                parts += (_number(round(to_x) - x), _number(round(to_y) - y))
                x, y = round(to_x), round(to_y)
            parts.append(bytes([operator]))
    return b"".join([*parts, bytes([_ENDCHAR])])

"""Property lists (grpprl), and the colours and shadings in them ([MS-DOC] 2.2.5, 2.6, 2.9)."""

import struct
from collections.abc import Iterator

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

"""Structures that tell something of ranges of characters ([MS-DOC] 2.2.2, PLC)."""

import struct
from collections.abc import Iterator
from itertools import pairwise


def entries(plc: bytes, size: int) -> Iterator[tuple[int, int, bytes]]:
    """Yield the ranges [start, end), each behind the one before it, with what is told of it."""
    count = max((len(plc) - 4) // (4 + size), 0)
    positions = struct.unpack_from(f"<{count + 1}I", plc) if count else ()
    behind = 0
    for number, (start, end) in enumerate(pairwise(positions)):
        if behind <= start <= end:
            place = 4 * (count + 1) + size * number
            yield start, end, plc[place : place + size]
            behind = end

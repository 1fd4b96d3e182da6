"""Text of a document, stored in pieces ([MS-DOC] 2.4.1 and 2.8.35)."""

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from simcompare.loading.formats.doc.doc_storage import FileInformationBlock

_PROPERTIES, _TABLE = 1, 2
_COMPRESSED = 0x40000000
_MAX_CHARACTERS = 20_000_000
_LAST_BYTE = 0xFF
_UNKNOWN = "\ufffd"
# Of the ideographs in Unicode, less than half are codes of another encoding too.
_CODE_PAGE_SHARE = 0.95


class TruncatedTextError(ValueError):
    """The pieces refer to text beyond the end of the file."""


class TooMuchTextError(ValueError):
    """The pieces refer to more text than a person writes."""


@dataclass(frozen=True, slots=True)
class DocPiece:
    """Characters [start, end) of the document, at `offset` of the stream, `width` bytes each."""

    start: int
    end: int
    offset: int
    width: int
    properties: bytes = b""


class DocText:
    """All characters of a document, one per UTF-16 unit, with their offsets in the stream."""

    def __init__(self, stream: bytes, pieces: list[DocPiece], encoding: str) -> None:
        self._pieces = pieces
        self._starts = [piece.start for piece in pieces]
        if pieces and pieces[-1].end > _MAX_CHARACTERS:
            raise TooMuchTextError
        self.characters = "".join(_decoded(stream, piece, encoding) for piece in pieces)

    def stretches(self, start: int, end: int) -> Iterator[DocPiece]:
        """Yield characters [start, end) in parts that are contiguous in the file."""
        number = max(bisect_right(self._starts, start) - 1, 0)
        while number < len(self._pieces) and self._pieces[number].start < end:
            piece = self._pieces[number]
            first, last = max(start, piece.start), min(end, piece.end)
            if first < last:
                offset = piece.offset + (first - piece.start) * piece.width
                yield DocPiece(first, last, offset, piece.width, piece.properties)
            number += 1

    def offset(self, position: int) -> int:
        return next((part.offset for part in self.stretches(position, position + 1)), -1)


def whole_text(fib: FileInformationBlock) -> list[DocPiece]:
    """Return the only piece of a Word 6 or 95 file without a piece table."""
    count = sum(fib.counts.values())
    width = 2 if fib.is_wide and fib.text_end - fib.text_start >= 2 * count else 1
    return [DocPiece(0, count, fib.text_start, width)]


def read_pieces(fib: FileInformationBlock, table: bytes) -> list[DocPiece]:
    """Read the piece table; raises struct.error if it is broken."""
    start, length = fib.places["pieces"]
    properties, plc = _parts(table[start : start + length])
    count = (len(plc) - 4) // 12
    positions = struct.unpack_from(f"<{count + 1}I", plc)
    pieces = []
    for number in range(count):
        _flags, place, modifier = struct.unpack_from("<HIH", plc, 4 * (count + 1) + 8 * number)
        offset, width = (place & ~_COMPRESSED) // 2, 1
        if not fib.is_word_97:
            offset = place
        elif not place & _COMPRESSED:
            offset, width = place, 2
        # An odd modifier is the index of a property list, an even one is a single old property.
        added = properties[modifier >> 1] if modifier & 1 and modifier >> 1 < len(properties) else b""
        if positions[number] < positions[number + 1]:
            pieces.append(DocPiece(positions[number], positions[number + 1], offset, width, added))
    if fib.is_wide and _have_room(pieces):
        pieces = [replace(piece, width=2) for piece in pieces]
    return _joined(pieces)


def _have_room(pieces: list[DocPiece]) -> bool:
    """Return whether two bytes a character of each piece fit before the next one in the file."""
    ordered = sorted(pieces, key=lambda piece: piece.offset)
    return all(
        piece.offset + 2 * (piece.end - piece.start) <= following.offset
        for piece, following in pairwise(ordered)
    )


def _joined(pieces: list[DocPiece]) -> list[DocPiece]:
    """Check that the pieces are contiguous from the first character."""
    ends = [0, *(piece.end for piece in pieces)]
    if any(piece.start != end for piece, end in zip(pieces, ends, strict=False)):
        raise TruncatedTextError
    return pieces


def _parts(clx: bytes) -> tuple[list[bytes], bytes]:
    properties: list[bytes] = []
    place = 0
    while clx[place] == _PROPERTIES:
        (length,) = struct.unpack_from("<H", clx, place + 1)
        properties.append(clx[place + 3 : place + 3 + length])
        place += 3 + length
    if clx[place] != _TABLE:
        raise TruncatedTextError
    (length,) = struct.unpack_from("<I", clx, place + 1)
    plc = clx[place + 5 : place + 5 + length]
    if len(plc) < length or length < 16:
        raise TruncatedTextError
    return properties, plc


def _decoded(stream: bytes, piece: DocPiece, encoding: str) -> str:
    """Return one character per unit, so that a character outside the BMP is two surrogates."""
    count = piece.end - piece.start
    data = stream[piece.offset : piece.offset + count * piece.width]
    if len(data) < count * piece.width:
        raise TruncatedTextError
    if piece.width == 1:
        return _single_bytes(data, encoding)
    units = np.frombuffer(data, "<u2")
    if _are_of_code_page(units, encoding):
        return "".join(_of_code_page(unit, encoding) for unit in units.tolist())
    return units.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")


def _are_of_code_page(units: NDArray[np.uint16], encoding: str) -> bool:
    """Return whether wide characters are codes of an East Asian encoding, as in Word 95, not Unicode."""
    wide = np.unique(units[units > _LAST_BYTE]).tolist()
    valid = sum(_of_code_page(unit, encoding) not in {"", _UNKNOWN} for unit in wide)
    return valid > _CODE_PAGE_SHARE * len(wide)


@lru_cache(maxsize=65_536)
def _of_code_page(unit: int, encoding: str) -> str:
    """Return the character of a code; "" if its two bytes are not one character."""
    text = (unit.to_bytes(2, "big") if unit > _LAST_BYTE else bytes([unit])).decode(encoding, "replace")
    return text if len(text) == 1 else ""


def _single_bytes(data: bytes, encoding: str) -> str:
    """Decode bytes to as many characters; a Chinese character is followed by NUL, which is dropped later."""
    text = data.decode(encoding, "replace")
    if len(text) == len(data):
        return text
    return "".join(char.ljust(len(char.encode(encoding, "replace")), "\0") for char in text)

"""Binary structures of a .doc file: compound file, metadata, information block, shapes, pieces of text."""

import io
import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import olefile
from numpy.typing import NDArray

from simcompare.loading.formats.doc.doc_styles import is_white
from simcompare.loading.formats.plain.encodings import encoding_of_code_page
from simcompare.loading.shared.file_origin import origin_from
from simcompare.model.document import UNKNOWN_ORIGIN, Origin
from simcompare.model.errors import DamagedFileError
from simcompare.support.i18n import N_

_SUMMARY = "\x05SummaryInformation"
_FIRST_SET_AT, _MAX_PROPERTIES = 44, 100
_CODE_PAGE, _TITLE, _AUTHOR, _LAST_AUTHOR, _CREATED, _LAST_SAVED, _PROGRAM = 1, 2, 4, 8, 12, 13, 18
_STRING, _WIDE_STRING, _FILE_TIME, _UTF16_CODE_PAGE = 30, 31, 64, 1200
_FIRST_MOMENT = datetime(1601, 1, 1, tzinfo=UTC)
# in the year 9999
_LAST_FILE_TIME = 2_650_467_743_990_000_000


@dataclass(frozen=True, slots=True)
class SummaryProperties:
    title: str
    origin: Origin


class CompoundFile:
    """The streams of a compound file, by their names in lower case."""

    def __init__(self, path: Path, data: bytes) -> None:
        try:
            self._file = olefile.OleFileIO(io.BytesIO(data))
        except (OSError, ValueError, IndexError) as error:
            raise DamagedFileError(path, cause=N_("it is cut short or broken")) from error
        self._path = path
        self._size = len(data)

    def stream(self, name: str) -> bytes:
        try:
            # in a broken directory a folder may have the name of a stream
            if self._file.get_type(name) != olefile.STGTY_STREAM:
                return b""
            # Small streams are stored in the root's: with a size that is too large the read would loop.
            if max(self._file.get_size(name), self._file.root.size) > self._size:
                raise DamagedFileError(self._path, cause=N_("it is cut short or broken"))
            with self._file.openstream(name) as stream:
                return bytes(stream.read())
        except (OSError, ValueError, IndexError) as error:
            raise DamagedFileError(self._path, cause=N_("it is cut short or broken")) from error

    def summary(self) -> SummaryProperties:
        """Return the summary properties; empty ones if they are broken."""
        try:
            properties = _properties(self.stream(_SUMMARY))
            return SummaryProperties(_text_of(properties, _TITLE), _origin(properties))
        except struct.error:
            return SummaryProperties("", UNKNOWN_ORIGIN)


def _origin(properties: dict[int, bytes]) -> Origin:
    return origin_from(
        author=_text_of(properties, _AUTHOR),
        last_saved_by=_text_of(properties, _LAST_AUTHOR),
        created=_iso_time(properties.get(_CREATED, b"")),
        last_saved=_iso_time(properties.get(_LAST_SAVED, b"")),
        program=_text_of(properties, _PROGRAM),
    )


def _properties(summary: bytes) -> dict[int, bytes]:
    """Return the bytes of each property of the first set, from its type on ([MS-OLEPS] 2.20)."""
    if not summary:
        return {}
    (start,) = struct.unpack_from("<I", summary, _FIRST_SET_AT)
    (count,) = struct.unpack_from("<I", summary, start + 4)
    count = min(count, _MAX_PROPERTIES)
    places = struct.unpack_from(f"<{2 * count}I", summary, start + 8)
    return {number: summary[start + place :] for number, place in zip(places[::2], places[1::2], strict=True)}


def _iso_time(value: bytes) -> str:
    """Return a time as ISO 8601; stored in tenths of microseconds since 1601 ([MS-DTYP] 2.3.3)."""
    if not value:
        return ""
    kind, ticks = struct.unpack_from("<IQ", value)
    if kind != _FILE_TIME or ticks > _LAST_FILE_TIME:
        return ""
    return (_FIRST_MOMENT + timedelta(microseconds=ticks // 10)).isoformat()


def _text_of(properties: dict[int, bytes], number: int) -> str:
    value = properties.get(number, b"")
    if not value:
        return ""
    kind, length = struct.unpack_from("<2I", value)
    if kind == _WIDE_STRING:
        return value[8 : 8 + 2 * length].decode("utf-16-le", "ignore").rstrip("\0")
    stored = properties.get(_CODE_PAGE, b"")
    code_page = int.from_bytes(stored[4:6], "little") if len(stored) >= 6 else 0
    encoding = "utf-16-le" if code_page == _UTF16_CODE_PAGE else encoding_of_code_page(code_page)
    return value[8 : 8 + length].decode(encoding, "ignore").rstrip("\0") if kind == _STRING else ""


_WORD_97, _WORD_95, _WORD_2 = 0xA5EC, 0xA5DC, 0xA5DB
_FIRST_WORD_97_VERSION = 105
_COUNTS_97, _COUNTS_95 = 0x4C, 0x34
_PLACES_97 = 0x9A
_CLX_95 = 0x160
_PARTS = ("body", "footnotes", "headers", "macros", "comments", "endnotes", "boxes", "header_boxes")
# Indexes of the (offset, length) pairs used here.
_PAIRS = {
    "styles": 1,
    "footnote_marks": 2,
    "footnotes": 3,
    "comments": 5,
    "headers": 11,
    "characters": 12,
    "paragraphs": 13,
    "pieces": 33,
    "shapes": 40,
    "endnote_marks": 46,
    "endnotes": 47,
    "drawings": 50,
    "boxes": 56,
    "lists": 73,
    "list_instances": 74,
}


@dataclass(frozen=True, slots=True)
class FileInformationBlock:
    """File information block ([MS-DOC] 2.5.1); `counts` are the characters of each text part, in order.

    `is_wide` is the mark of East Asian versions of Word 95, which store two bytes a character.
    """

    is_word_97: bool
    is_known: bool
    is_complex: bool
    is_encrypted: bool
    is_obfuscated: bool
    is_wide: bool
    table_stream: str
    language: int
    text_start: int
    text_end: int
    counts: dict[str, int]
    places: dict[str, tuple[int, int]]

    def part(self, name: str) -> tuple[int, int]:
        """Return the first and the end position of a text part, in characters."""
        start = 0
        for other, count in self.counts.items():
            if other == name:
                return start, start + count
            start += count
        raise KeyError(name)


def read_fib(stream: bytes) -> FileInformationBlock:
    """Read the file information block; raises struct.error if it is incomplete."""
    magic, version, _unused, language, _next, flags = struct.unpack_from("<6H", stream)
    is_word_97 = version >= _FIRST_WORD_97_VERSION
    text_start, text_end = struct.unpack_from("<2I", stream, 0x18)
    counts = struct.unpack_from(f"<{len(_PARTS)}i", stream, _COUNTS_97 if is_word_97 else _COUNTS_95)
    places = (
        {name: struct.unpack_from("<2I", stream, _PLACES_97 + 8 * pair) for name, pair in _PAIRS.items()}
        if is_word_97
        else {"pieces": struct.unpack_from("<2I", stream, _CLX_95)}
    )
    return FileInformationBlock(
        is_word_97,
        is_known=magic != _WORD_2 and (is_word_97 or magic & 0xFF00 in {0xA500, 0xA600}),
        is_complex=bool(flags & 0x0004),
        is_encrypted=bool(flags & 0x0100),
        is_obfuscated=bool(flags & 0x8000),
        is_wide=bool(flags & 0x1000) and not is_word_97,
        table_stream="1table" if flags & 0x0200 else "0table",
        language=language,
        text_start=text_start,
        text_end=text_end,
        counts={name: max(number, 0) for name, number in zip(_PARTS, counts, strict=True)},
        places=places,
    )


def plc_entries(plc: bytes, size: int) -> Iterator[tuple[int, int, bytes]]:
    """Yield (start, end, data) of the entries of a PLC; ranges that overlap an earlier one are skipped."""
    count = max((len(plc) - 4) // (4 + size), 0)
    positions = struct.unpack_from(f"<{count + 1}I", plc) if count else ()
    previous_end = 0
    for number, (start, end) in enumerate(pairwise(positions)):
        if previous_end <= start <= end:
            place = 4 * (count + 1) + size * number
            yield start, end, plc[place : place + size]
            previous_end = end


_HEAD_BYTES, _LABEL_BYTES, _PROPERTY_BYTES = 8, 1, 6
_GROUP, _SHAPE, _IDENTITY, _OPTIONS = 0xF003, 0xF004, 0xF00A, 0xF00B
_PROPERTY_NUMBER = 0x3FFF
_PICTURE, _FILL_KIND, _FILL_COLOUR, _FILL_SWITCHES = 0x0104, 0x0180, 0x0181, 0x01BF
_IS_FILLED, _SAYS_WHETHER_FILLED = 0x10, 0x100000
_IS_PAGE = 0x400
_SOLID, _WHITE = 0, 0xFFFFFF


@dataclass(slots=True)
class _DocShape:
    """A shape; `group` is the number of its outermost group, or its own."""

    group: int
    is_page: bool = False
    is_picture: bool = False
    is_dark: bool = False


class DocShapes:
    """Shapes by number; broken records are ignored."""

    def __init__(self, drawings: bytes) -> None:
        self._shapes: dict[int, _DocShape] = {}
        for drawing in _drawings(drawings):
            self._read(drawing)
        self.page_is_dark = any(shape.is_page and shape.is_dark for shape in self._shapes.values())
        # LibreOffice separates a shape from its text: any dark shape may be behind any text box.
        self.boxes_may_be_dark = any(shape.is_dark for shape in self._shapes.values())

    def group(self, number: int) -> int:
        """Return the outermost group of a shape, or the shape itself."""
        return self._shapes.get(number, _DocShape(number)).group

    def is_picture(self, number: int) -> bool:
        return number in self._shapes and self._shapes[number].is_picture

    def _read(self, drawing: bytes) -> None:
        shape, heads = _DocShape(0), dict[int, int]()
        for kind, content, group in _records(drawing):
            if kind == _IDENTITY and len(content) >= _HEAD_BYTES:
                number, flags = struct.unpack_from("<2I", content)
                head = heads.setdefault(group, number) if group else number
                shape = self._shapes[number] = _DocShape(head, bool(flags & _IS_PAGE))
            elif kind == _OPTIONS:
                values = _property_values(content)
                shape.is_picture = _PICTURE in values
                shape.is_dark = shape.is_picture or _is_dark(values)


def _drawings(data: bytes) -> Iterator[bytes]:
    """Yield the drawings of the body and of the headers, which follow after their shared data."""
    place = _end(data, 0)
    while place + _LABEL_BYTES + _HEAD_BYTES <= len(data):
        end = _end(data, place + _LABEL_BYTES)
        yield data[place + _LABEL_BYTES + _HEAD_BYTES : end]
        place = end


def _end(data: bytes, place: int) -> int:
    if place + _HEAD_BYTES > len(data):
        return len(data)
    return place + _HEAD_BYTES + int.from_bytes(data[place + 4 : place + 8], "little")


def _records(drawing: bytes) -> Iterator[tuple[int, bytes, int]]:
    """Yield type, content and group of each shape record; the group is an offset, 0 if there is none.

    Only groups that a user made count: the format also puts all shapes of a drawing into one group.
    """
    place, groups = 0, [(len(drawing), 0)]
    while place + _HEAD_BYTES <= len(drawing):
        instance, kind = struct.unpack_from("<2H", drawing, place)
        end = _end(drawing, place)
        groups = [group for group in groups[:3] if place < group[0]]
        if kind == _GROUP:
            groups.append((end, place))
        if kind in {_GROUP, _SHAPE}:
            place += _HEAD_BYTES
            continue
        # The variable-length values follow after the fixed-size properties.
        end_of_properties = place + _HEAD_BYTES + (instance >> 4) * _PROPERTY_BYTES
        content = drawing[place + _HEAD_BYTES : end_of_properties if kind == _OPTIONS else end]
        yield kind, content, groups[2][1] if len(groups) > 2 else 0
        place = end


def _property_values(options: bytes) -> dict[int, int]:
    whole = options[: len(options) // _PROPERTY_BYTES * _PROPERTY_BYTES]
    return {number & _PROPERTY_NUMBER: value for number, value in struct.iter_unpack("<HI", whole)}


def _is_dark(values: dict[int, int]) -> bool:
    """Return whether a shape is filled with anything but white; unspecified means white."""
    switches = values.get(_FILL_SWITCHES, 0)
    is_filled = bool(switches & _IS_FILLED) or not switches & _SAYS_WHETHER_FILLED
    coloured = values.get(_FILL_KIND, _SOLID) != _SOLID or not is_white(values.get(_FILL_COLOUR, _WHITE))
    return is_filled and coloured


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

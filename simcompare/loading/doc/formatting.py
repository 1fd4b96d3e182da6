"""Which list of properties the file gives to which characters ([MS-DOC] 2.4.6, 2.9.55, 2.9.175)."""

import struct
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

_PAGE_BYTES = 512
_PARAGRAPH_ENTRY_BYTES = 13
_PAGE_NUMBER = 0x3FFFFF


@dataclass(frozen=True, slots=True)
class Stretch:
    """Bytes [start, end) of the stream that share a list of properties; paragraphs have a style too."""

    start: int
    end: int
    properties: bytes
    style: int = 0


class Formatting:
    """The stretches of a kind, in the order of the stream. What is broken says nothing of its characters."""

    def __init__(self, stretches: list[Stretch]) -> None:
        self._stretches = sorted(stretches, key=lambda stretch: stretch.start)
        self._starts = [stretch.start for stretch in self._stretches]

    def at(self, offset: int) -> Stretch:
        """Return the stretch that a byte belongs to."""
        number = bisect_right(self._starts, offset) - 1
        if number >= 0 and offset < self._stretches[number].end:
            return self._stretches[number]
        return Stretch(offset, offset + 1, b"")

    def within(self, start: int, end: int) -> Iterator[tuple[int, int, bytes]]:
        """Yield the parts of [start, end) with their lists of properties."""
        number = max(bisect_right(self._starts, start) - 1, 0)
        while start < end:
            while number < len(self._stretches) and self._stretches[number].end <= start:
                number += 1
            if number >= len(self._stretches):
                yield start, end, b""
                return
            stretch = self._stretches[number]
            if stretch.start > start:
                yield start, min(end, stretch.start), b""
            else:
                yield start, min(end, stretch.end), stretch.properties
            start = min(end, stretch.start if stretch.start > start else stretch.end)


def read_characters(plc: bytes, stream: bytes) -> Formatting:
    """Read the pages that tell how characters look."""
    return Formatting(list(_stretches(plc, stream, 1, _of_characters)))


def read_paragraphs(plc: bytes, stream: bytes) -> Formatting:
    """Read the pages that tell what paragraphs are."""
    return Formatting(list(_stretches(plc, stream, _PARAGRAPH_ENTRY_BYTES, _of_paragraph)))


def _stretches(
    plc: bytes, stream: bytes, entry_bytes: int, properties_at: Callable[[bytes, int], tuple[bytes, int]]
) -> Iterator[Stretch]:
    count = max((len(plc) - 4) // 8, 0)
    numbers = struct.unpack_from(f"<{count}I", plc, 4 * (count + 1)) if count else ()
    # A page that is named again says the same again.
    for place in dict.fromkeys((number & _PAGE_NUMBER) * _PAGE_BYTES for number in numbers):
        page = stream[place : place + _PAGE_BYTES]
        if len(page) == _PAGE_BYTES:
            yield from _on_page(page, entry_bytes, properties_at)


def _on_page(
    page: bytes, entry_bytes: int, properties_at: Callable[[bytes, int], tuple[bytes, int]]
) -> Iterator[Stretch]:
    count = page[-1]
    entries = 4 * (count + 1)
    if entries + entry_bytes * count >= _PAGE_BYTES:
        return
    places = struct.unpack_from(f"<{count + 1}I", page)
    for number, (start, end) in enumerate(pairwise(places)):
        if start < end:
            offset = page[entries + entry_bytes * number] * 2
            yield Stretch(start, end, *(properties_at(page, offset) if offset else (b"", 0)))


def _of_characters(page: bytes, offset: int) -> tuple[bytes, int]:
    return page[offset + 1 : offset + 1 + page[offset]], 0


def _of_paragraph(page: bytes, offset: int) -> tuple[bytes, int]:
    length = 2 * page[offset] - 1
    if length < 0:
        offset += 1
        length = 2 * page[min(offset, _PAGE_BYTES - 1)]
    found = page[offset + 1 : offset + 1 + length]
    return found[2:], int.from_bytes(found[:2], "little")

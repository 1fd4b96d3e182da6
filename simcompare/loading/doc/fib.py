"""The head of a WordDocument stream, which says where everything stands ([MS-DOC] 2.5, FIB)."""

import struct
from dataclasses import dataclass

_WORD_97, _WORD_95, _WORD_2 = 0xA5EC, 0xA5DC, 0xA5DB
_FIRST_WORD_97_VERSION = 105
_COUNTS_97, _COUNTS_95 = 0x4C, 0x34
_PLACES_97 = 0x9A
_CLX_95 = 0x160
# Numbers of the pairs of place and length that are used here.
_PAIRS = {
    "styles": 1,
    "footnotes": 3,
    "comments": 5,
    "headers": 11,
    "characters": 12,
    "paragraphs": 13,
    "pieces": 33,
    "shapes": 40,
    "endnotes": 47,
    "drawings": 50,
    "boxes": 56,
    "lists": 73,
    "list_instances": 74,
}


@dataclass(frozen=True, slots=True)
class Fib:
    """What the head says. `counts` are the characters of each part of the text, in their order."""

    is_word_97: bool
    is_known: bool
    is_complex: bool
    is_encrypted: bool
    is_obfuscated: bool
    table_stream: str
    language: int
    text_start: int
    counts: dict[str, int]
    places: dict[str, tuple[int, int]]

    def part(self, name: str) -> tuple[int, int]:
        """Return where a part of the text begins and ends, in characters."""
        start = 0
        for other, count in self.counts.items():
            if other == name:
                return start, start + count
            start += count
        raise KeyError(name)


def read_fib(stream: bytes) -> Fib:
    """Read the head; struct.error where there is none."""
    magic, version, _unused, language, _next, flags = struct.unpack_from("<6H", stream)
    is_word_97 = version >= _FIRST_WORD_97_VERSION
    (text_start,) = struct.unpack_from("<I", stream, 0x18)
    return Fib(
        is_word_97,
        is_known=magic != _WORD_2 and (is_word_97 or magic & 0xFF00 in {0xA500, 0xA600}),
        is_complex=bool(flags & 0x0004),
        is_encrypted=bool(flags & 0x0100),
        is_obfuscated=bool(flags & 0x8000),
        table_stream="1table" if flags & 0x0200 else "0table",
        language=language,
        text_start=text_start,
        counts=_counts(stream, _COUNTS_97 if is_word_97 else _COUNTS_95),
        places=_places(stream) if is_word_97 else {"pieces": struct.unpack_from("<2I", stream, _CLX_95)},
    )


def _counts(stream: bytes, start: int) -> dict[str, int]:
    names = ("body", "footnotes", "headers", "macros", "comments", "endnotes", "boxes", "header_boxes")
    numbers = struct.unpack_from(f"<{len(names)}i", stream, start)
    return {name: max(number, 0) for name, number in zip(names, numbers, strict=True)}


def _places(stream: bytes) -> dict[str, tuple[int, int]]:
    return {name: struct.unpack_from("<2I", stream, _PLACES_97 + 8 * pair) for name, pair in _PAIRS.items()}

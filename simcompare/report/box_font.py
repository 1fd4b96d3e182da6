"""A TrueType font with a box for each of some characters (OpenType specification 1.9)."""

from itertools import pairwise
from struct import pack

_EM, _ASCENT, _DESCENT = 1000, 800, -200
_OUTER = ((100, -80), (100, 780), (900, 780), (900, -80))
_INNER = ((150, -30), (850, -30), (850, 730), (150, 730))
_BOUNDS = (*_OUTER[0], *_OUTER[2])
_SIDE = _BOUNDS[0]
_MOST_GLYPHS = 0xFFFF


def box_font(family: str, characters: str) -> bytes:
    """Return a font with a glyph for each character; with a shared one, all would be copied as the same."""
    codes = sorted(set(map(ord, characters)))[: _MOST_GLYPHS - 1]
    count, glyph = len(codes) + 1, _glyph()  # one more for characters that the font has not
    head = pack(">4I2H2q", 0x10000, 0x10000, 0, 0x5F0F3CF5, 3, _EM, 0, 0)
    measures = pack(">3hH3h", _ASCENT, _DESCENT, 0, _EM, _SIDE, _EM - _BOUNDS[2], _BOUNDS[2])
    tables = {
        b"OS/2": _usage(codes),
        b"cmap": _character_map(codes),
        b"glyf": glyph * count,
        b"head": head + pack(">4h2H3h", *_BOUNDS, 0, 3, 2, 1, 0),
        b"hhea": pack(">I", 0x10000) + measures + pack(">8hH", 1, 0, 0, 0, 0, 0, 0, 0, 1),
        b"hmtx": pack(">H", _EM) + pack(">h", _SIDE) * count,
        b"loca": pack(f">{count + 1}I", *range(0, len(glyph) * (count + 1), len(glyph))),
        b"maxp": pack(">I14H", 0x10000, count, 8, 2, 0, 0, 1, *[0] * 8),
        b"name": _names({1: family, 2: "Regular", 6: family.replace(" ", "")}),
        b"post": pack(">2I2h5I", 0x30000, 0, 0, 0, 0, 0, 0, 0, 0),
    }
    return _file(tables)


def _glyph() -> bytes:
    corners = (*_OUTER, *_INNER)
    lines = zip((0, 0), *corners, strict=True)
    steps = ([end - start for start, end in pairwise(line)] for line in lines)
    outline = b"".join(pack(">8h", *each) for each in steps)
    return pack(">h4h3H", 2, *_BOUNDS, 3, 7, 0) + b"\x01" * len(corners) + outline


def _character_map(codes: list[int]) -> bytes:
    """Map the characters to the glyphs from 1 (format 12)."""
    groups = b"".join(pack(">3I", code, code, glyph) for glyph, code in enumerate(codes, 1))
    return pack(">4HI2H3I", 0, 1, 3, 10, 12, 12, 0, 16 + len(groups), 0, len(codes)) + groups


def _usage(codes: list[int]) -> bytes:
    """Return a regular weight and width, and that the font may be embedded."""
    ends = [min(code, 0xFFFF) for code in codes[:1] + codes[-1:]] or [0, 0]
    return pack(">HhHHH", 4, 0, 400, 5, 0) + bytes(52) + pack(">3H", 0x40, *ends) + bytes(28)


def _names(names: dict[int, str]) -> bytes:
    texts = {number: text.encode("utf-16-be") for number, text in names.items()}
    records, at = b"", 0
    for number, text in texts.items():
        records += pack(">6H", 3, 1, 0x409, number, len(text), at)
        at += len(text)
    return pack(">3H", 0, len(texts), 6 + len(records)) + records + b"".join(texts.values())


def _file(tables: dict[bytes, bytes]) -> bytes:
    number, power = len(tables), 1 << len(tables).bit_length() - 1
    header = pack(">I4H", 0x10000, number, power * 16, power.bit_length() - 1, (number - power) * 16)
    entries, contents = b"", b""
    for tag, table in tables.items():
        padded = table + bytes(-len(table) % 4)
        total = sum(int.from_bytes(padded[at : at + 4]) for at in range(0, len(padded), 4)) % 2**32
        entries += pack(">4s3I", tag, total, len(header) + 16 * number + len(contents), len(table))
        contents += padded
    return header + entries + contents

"""Fonts with various embedding permissions, derived from an installed font."""

import struct

_TABLES = (
    "OS/2",
    "CFF ",
    "cmap",
    "cvt ",
    "fpgm",
    "gasp",
    "glyf",
    "head",
    "hhea",
    "hmtx",
    "loca",
    "maxp",
    "post",
    "prep",
)


def font_file(raw, family, fs_type):
    """Return a font with the glyphs of `raw`, another name, and the given permission (OS/2, fsType)."""
    tables = {tag: bytes(raw.fontTable(tag).data()) for tag in _TABLES}
    tables = {tag: data for tag, data in tables.items() if data}
    tables["OS/2"] = tables["OS/2"][:8] + struct.pack(">H", fs_type) + tables["OS/2"][10:]
    tables["name"] = _names(family)
    kind = b"OTTO" if "CFF " in tables else b"\x00\x01\x00\x00"
    head, body = kind + struct.pack(">HHHH", len(tables), 0, 0, 0), b""
    start = len(head) + 16 * len(tables)
    for tag in sorted(tables):
        data = tables[tag]
        head += tag.encode() + struct.pack(">III", 0, start + len(body), len(data))
        body += data + b"\0" * (-len(data) % 4)
    return head + body


def _names(family):
    said = {1: family, 2: "Regular", 4: family, 6: family.replace(" ", "")}
    texts = {number: text.encode("utf-16-be") for number, text in said.items()}
    records, storage = b"", b""
    for number, text in texts.items():
        # Windows, Unicode, English
        records += struct.pack(">HHHHHH", 3, 1, 0x409, number, len(text), len(storage))
        storage += text
    return struct.pack(">HHH", 0, len(texts), 6 + len(records)) + records + storage

"""Write Word 97-2003 files byte by byte, with structures that LibreOffice does not write."""

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_SECTOR = 512
# Smaller streams would have to be stored in the mini stream.
_SMALLEST_STREAM = 4096
_FREE, _END_OF_CHAIN, _OF_TABLE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_TEXT_AT = 0x800
_OPEN_HEAD_BYTES = 0x44
_PARTS = ("body", "footnotes", "headers", "macros", "comments", "endnotes", "boxes", "header_boxes")
_PAIRS = {
    "styles": 1, "footnote_marks": 2, "footnotes": 3, "headers": 11, "characters": 12, "paragraphs": 13,
    "pieces": 33, "shapes": 40, "endnote_marks": 46, "endnotes": 47, "drawings": 50, "boxes": 56, "lists": 73,
    "list_instances": 74,
}  # fmt: skip
_RUNS_ON_A_PAGE = 8


def sprm(number: int, operand: int | bytes) -> bytes:
    """Encode a property change; its number determines the length of its operand."""
    if isinstance(operand, bytes):
        return struct.pack("<HB", number, len(operand)) + operand
    size = (1, 1, 2, 4, 2, 2, 1, 3)[number >> 13]
    return struct.pack("<H", number) + operand.to_bytes(size, "little")


@dataclass(frozen=True)
class Style:
    """A paragraph style; `number` is Word's built-in number."""

    number: int
    name: str
    base: int = 0xFFF
    paragraph: bytes = b""
    character: bytes = b""


@dataclass
class DocFile:
    """Builder of a document: runs with their properties, paragraph marks with theirs."""

    styles: Sequence[Style] = (Style(0, "Normal"),)
    structures: dict[str, bytes] = field(default_factory=dict)
    compressed: bool = False
    flags: int = 0x0200
    data: bytes = b""
    summary: bytes = b""
    # Encryption header of a locked file, before the structures, and the XOR that encrypts its streams.
    table_head: bytes = b""
    lock: Callable[[bytes], bytes] | None = None
    stream_names: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    part: str = "body"
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_PARTS, 0))
    runs: list[tuple[int, bytes]] = field(default_factory=list)
    paragraphs: list[tuple[int, bytes]] = field(default_factory=list)

    def run(self, text: str, *changes: bytes) -> "DocFile":
        """Add characters with one formatting; the parts of a document follow each other."""
        units = len(text.encode("utf-16-le", "surrogatepass")) // 2
        self.text += text
        self.counts[self.part] += units
        self.runs.append((sum(self.counts.values()), b"".join(changes)))
        return self

    def end(self, *changes: bytes, mark: str = "\r", style: int = 0, look: bytes = b"") -> "DocFile":
        """Add the mark that ends a paragraph, a cell or a row."""
        self.run(mark, look)
        self.paragraphs.append((sum(self.counts.values()), struct.pack("<H", style) + b"".join(changes)))
        return self

    def paragraph(self, text: str, *changes: bytes, style: int = 0) -> "DocFile":
        """Add a paragraph of one run."""
        return self.run(text).end(*changes, style=style)

    def row(self, *cells: str, shading: bytes = b"") -> "DocFile":
        """Add a table row."""
        for cell in cells:
            self.run(cell).end(sprm(0x2416, 1), mark="\x07")
        return self.end(sprm(0x2416, 1), sprm(0x2417, 1), shading, mark="\x07")

    def write(self, path: Path) -> Path:
        """Write the file."""
        streams = self._streams()
        if self.lock is not None:
            streams["WordDocument"] = self._locked(streams["WordDocument"], _OPEN_HEAD_BYTES)
            streams["1Table"] = self._locked(streams["1Table"], len(self.table_head))
        path.write_bytes(compound_file(streams))
        return path

    def _locked(self, stream: bytes, open_bytes: int) -> bytes:
        assert self.lock is not None
        stream = stream.ljust(_SMALLEST_STREAM, b"\0")
        return stream[:open_bytes] + self.lock(stream)[open_bytes:]

    def _streams(self) -> dict[str, bytes]:
        width = 1 if self.compressed else 2
        text = self.text.encode("cp1252" if self.compressed else "utf-16-le", "surrogatepass")
        body = _padded(text, _SECTOR)
        pages = (_TEXT_AT + len(body)) // _SECTOR
        character_pages, characters = _pages(self.runs, width, pages, 1)
        paragraph_pages, paragraphs = _pages(self.paragraphs, width, pages + len(character_pages), 13)
        place = _TEXT_AT * 2 | 0x40000000 if self.compressed else _TEXT_AT
        pieces = struct.pack("<2I", 0, sum(self.counts.values())) + struct.pack("<HIH", 0, place, 0)
        structures = {
            "styles": _style_sheet(self.styles),
            "characters": characters,
            "paragraphs": paragraphs,
            "pieces": b"\2" + struct.pack("<I", len(pieces)) + pieces,
        } | self.structures
        head, table = self._head(structures)
        names = {"WordDocument": "WordDocument", "1Table": "1Table"} | dict(self.stream_names)
        document = head + body + b"".join(character_pages + paragraph_pages)
        return {names["WordDocument"]: document, names["1Table"]: table, "Data": self.data} | (
            {"\x05SummaryInformation": self.summary} if self.summary else {}
        )

    def _head(self, structures: Mapping[str, bytes]) -> tuple[bytes, bytes]:
        head = bytearray(_TEXT_AT)
        struct.pack_into("<6H", head, 0, 0xA5EC, 0x00C1, 0, 0x0804, 0, self.flags)
        struct.pack_into("<I", head, 0x0E, len(self.table_head))
        struct.pack_into("<I", head, 0x18, _TEXT_AT)
        struct.pack_into("<8i", head, 0x4C, *(self.counts[part] for part in _PARTS))
        table = bytearray(self.table_head)
        for name, data in structures.items():
            struct.pack_into("<2I", head, 0x9A + 8 * _PAIRS[name], len(table), len(data))
            table += data
        return bytes(head), bytes(table)


def _padded(data: bytes, size: int) -> bytes:
    return data + bytes(-len(data) % size)


def _pages(
    runs: Sequence[tuple[int, bytes]], width: int, first_page: int, entry_bytes: int
) -> tuple[list[bytes], bytes]:
    """Return the pages that store the properties of runs, and the structure that lists them."""
    pages, starts, start = [], [], 0
    for number in range(0, len(runs), _RUNS_ON_A_PAGE):
        some = runs[number : number + _RUNS_ON_A_PAGE]
        ends = [start, *(end for end, _changes in some)]
        page = bytearray(_SECTOR)
        struct.pack_into(f"<{len(ends)}I", page, 0, *(_TEXT_AT + end * width for end in ends))
        place = _SECTOR - 2
        for index, (_end, changes) in enumerate(some):
            listed = _listed(changes, of_paragraph=entry_bytes > 1)
            place = (place - len(listed)) // 2 * 2
            page[place : place + len(listed)] = listed
            page[4 * len(ends) + entry_bytes * index] = place // 2
        page[-1] = len(some)
        pages.append(bytes(page))
        starts.append(_TEXT_AT + start * width)
        start = ends[-1]
    listing = struct.pack(f"<{len(starts) + 1}I", *starts, _TEXT_AT + start * width)
    return pages, listing + struct.pack(f"<{len(pages)}I", *range(first_page, first_page + len(pages)))


def _listed(changes: bytes, *, of_paragraph: bool) -> bytes:
    if not of_paragraph:
        return bytes([len(changes)]) + changes
    return b"\0" + bytes([(len(changes) + 1) // 2]) + _padded(changes, 2)


def _style_sheet(styles: Sequence[Style]) -> bytes:
    head = struct.pack("<9H", len(styles), 10, 1, 91, 15, 0, 0, 0, 0)
    return struct.pack("<H", len(head)) + head + b"".join(_style(index, s) for index, s in enumerate(styles))


def _style(index: int, style: Style) -> bytes:
    description = struct.pack("<5H", style.number, style.base << 4 | 1, 2, 0, 0)
    description += struct.pack("<H", len(style.name)) + style.name.encode("utf-16-le") + bytes(2)
    for changes in (struct.pack("<H", index) + style.paragraph, style.character):
        description = _padded(description, 2) + struct.pack("<H", len(changes)) + changes
    description = _padded(description, 2)
    return struct.pack("<H", len(description)) + description


def compound_file(streams: Mapping[str, bytes]) -> bytes:
    """Return a compound file with these streams."""
    chains, data = [], b""
    entries = [_entry("Root Entry", 5, _END_OF_CHAIN, 0, child=1)]
    for number, (name, content) in enumerate(streams.items(), 1):
        stream = _padded(content.ljust(_SMALLEST_STREAM, b"\0"), _SECTOR)
        first = len(data) // _SECTOR
        chains += [*range(first + 1, first + len(stream) // _SECTOR), _END_OF_CHAIN]
        right = number + 1 if number < len(streams) else _FREE
        entries.append(_entry(name, 2, first, len(stream), right=right))
        data += stream
    directory_at = len(chains)
    directory = _padded(b"".join(entries), _SECTOR)
    sectors = len(directory) // _SECTOR
    chains += [*range(directory_at + 1, directory_at + sectors), _END_OF_CHAIN]
    # the sector allocation table has entries for its own sectors too
    tables = -(-(len(chains) + 8) // 128)
    table_at = len(chains)
    chains += [_OF_TABLE] * tables
    table = struct.pack(f"<{len(chains)}I", *chains).ljust(tables * _SECTOR, b"\xff")
    head = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16) + struct.pack("<5H", 0x3E, 3, 0xFFFE, 9, 6)
    head += bytes(6) + struct.pack("<5I", 0, tables, directory_at, 0, _SMALLEST_STREAM)
    head += struct.pack("<4I", _END_OF_CHAIN, 0, _END_OF_CHAIN, 0)
    head += struct.pack(f"<{tables}I", *range(table_at, table_at + tables))
    return head.ljust(_SECTOR, b"\xff") + data + directory + table


def _entry(name: str, kind: int, start: int, size: int, *, child: int = _FREE, right: int = _FREE) -> bytes:
    title = name.encode("utf-16-le") + bytes(2)
    return (
        title.ljust(64, b"\0")
        + struct.pack("<H2B3I", len(title), kind, 1, _FREE, right, child)
        + bytes(36)
        + struct.pack("<3I", start, size, 0)
    )

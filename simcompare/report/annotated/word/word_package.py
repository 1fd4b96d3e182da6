"""Parts of a Word file, unchanged ones the same to the byte, and where in them a text comes from."""

import io
import posixpath
import unicodedata
import zipfile
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from lxml import etree

from simcompare.loading.archive import parsed_xml
from simcompare.loading.extraction import DEFAULT_OPTIONS, UNPRINTABLE, Source
from simcompare.loading.formats.docx.docx_reader import read_docx
from simcompare.loading.formats.reader_registry import reader_of
from simcompare.loading.shared.xml_elements import local_name
from simcompare.model.document import Document, Span

XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_MAIN = "/officeDocument"
_TYPES = "[Content_Types].xml"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_CONTENT_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"


@dataclass(frozen=True, slots=True)
class PackageRelation:
    """Relationship of a part; `target` is the name of another part."""

    kind: str
    target: str


class WordPackage:
    """Word file opened for changes; unchanged parts stay the same to the byte."""

    def __init__(self, path: Path, data: bytes) -> None:
        self._path = path
        self._zip = zipfile.ZipFile(io.BytesIO(data))
        self._infos = {part_key(info.filename): info for info in self._zip.infolist()}
        self._roots: dict[str, etree._Element] = {}
        self._changed: set[str] = set()
        self._added: list[str] = []
        self.main_name = next(
            (relation.target for relation in self._relations_of("") if relation.kind.endswith(_MAIN)),
            "word/document.xml",
        )

    @property
    def is_signed(self) -> bool:
        """True if the file has a digital signature."""
        return any(name.startswith("_xmlsignatures/") for name in self._infos)

    def names(self) -> Iterator[str]:
        yield from self._infos

    def part(self, name: str) -> etree._Element | None:
        """Return the root element of a part for reading or changing, None if there is no such part."""
        key = part_key(name)
        if key not in self._roots:
            if key not in self._infos:
                return None
            self._roots[key] = parsed_xml(self._path, self._zip.read(self._infos[key]))
        return self._roots[key]

    def mark_changed(self, element: etree._Element) -> None:
        """Mark the part of an element as changed, so that it is serialised again."""
        root = element.getroottree().getroot()
        self._changed |= {key for key, known in self._roots.items() if known is root}

    def contains(self, name: str, data: bytes) -> bool:
        return data in self._zip.read(self._infos[part_key(name)])

    def related(self, kind: str) -> str | None:
        """Return the name of the part of a kind ("comments", "styles") related to the document."""
        relations = self._relations_of(self.main_name)
        names = (relation.target for relation in relations if relation.kind.endswith(f"/{kind}"))
        return next((name for name in names if part_key(name) in self._infos), None)

    def add_related(self, kind: str, content_type: str, root: etree._Element) -> None:
        """Add a part related to the document, in the same folder."""
        folder = posixpath.dirname(self.main_name)
        name = next(name for name in _free_names(folder, kind) if part_key(name) not in self._infos)
        self._add(name, root)
        self._add_relationship(kind, posixpath.basename(name))
        types = self.part(_TYPES)
        if types is not None:
            override = etree.SubElement(types, f"{{{_CONTENT_TYPES}}}Override")
            override.set("PartName", f"/{name}")
            override.set("ContentType", content_type)
            self.mark_changed(types)

    def _add(self, name: str, root: etree._Element) -> None:
        self._roots[part_key(name)] = root
        self._added.append(name)

    def _add_relationship(self, kind: str, target: str) -> None:
        name = _relations_name(self.main_name)
        root = self.part(name)
        if root is None:
            root = etree.fromstring(f'<Relationships xmlns="{_RELATIONS}"/>')
            self._add(name, root)
        taken = {relation.get("Id") for relation in root}
        relation = etree.SubElement(root, f"{{{_RELATIONS}}}Relationship")
        relation.set(
            "Id", next(f"rIdSimcompare{n}" for n in range(1, 10_000) if f"rIdSimcompare{n}" not in taken)
        )
        relation.set("Type", self._edition() + f"/{kind}")
        relation.set("Target", target)
        self.mark_changed(root)

    def _edition(self) -> str:
        """Return the prefix of relationship types in this file: transitional or strict Office Open XML."""
        kinds = (relation.kind for relation in self._relations_of(""))
        return next((kind.removesuffix(_MAIN) for kind in kinds if kind.endswith(_MAIN)), _USUAL_EDITION)

    def _relations_of(self, part: str) -> list[PackageRelation]:
        name = _relations_name(part)
        if part_key(name) not in self._infos:
            return []
        root = parsed_xml(self._path, self._zip.read(self._infos[part_key(name)]))
        folder = posixpath.dirname(part)
        return [
            PackageRelation(relation.get("Type") or "", _part_name(folder, relation.get("Target") or ""))
            for relation in root
            if local_name(relation) == "Relationship" and relation.get("TargetMode") != "External"
        ]

    def saved(self) -> bytes:
        """Return the changed file; the same changes give the same bytes."""
        return self._packed(self._infos, self._changed)

    def for_reading(self) -> bytes:
        """Return the file with all parts as they are now, without media files."""
        return self._packed([name for name in self._infos if "/media/" not in name], self._roots)

    def _packed(self, kept: Container[str], serialised: Container[str]) -> bytes:
        saved = io.BytesIO()
        with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as copy:
            for info in self._zip.infolist():
                key = part_key(info.filename)
                if key in kept:
                    data = _serialised(self._roots[key]) if key in serialised else self._zip.read(info)
                    copy.writestr(_entry(info), data)
            for name in self._added:
                copy.writestr(zipfile.ZipInfo(name), _serialised(self._roots[part_key(name)]))
        return saved.getvalue()


_USUAL_EDITION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def _free_names(folder: str, kind: str) -> Iterator[str]:
    yield posixpath.join(folder, f"{kind}.xml")
    yield from (posixpath.join(folder, f"{kind}{number}.xml") for number in range(2, 10_000))


def _relations_name(part: str) -> str:
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels")


def _part_name(folder: str, target: str) -> str:
    return posixpath.normpath(posixpath.join("/", folder, target.replace("\\", "/"))).lstrip("/")


def _entry(info: zipfile.ZipInfo) -> zipfile.ZipInfo:
    """Copy the ZIP entry header: name, time, compression, attributes."""
    entry = zipfile.ZipInfo(info.filename, info.date_time)
    entry.compress_type = (
        info.compress_type if info.compress_type == zipfile.ZIP_STORED else zipfile.ZIP_DEFLATED
    )
    entry.external_attr, entry.create_system = info.external_attr, info.create_system
    return entry


def _serialised(root: etree._Element) -> bytes:
    data = etree.tostring(root.getroottree(), xml_declaration=True, encoding="UTF-8", standalone=True)
    return bytes(data)


def part_key(name: str) -> str:
    """Normalise the name of a part for comparison."""
    return name.replace("\\", "/").lstrip("/").lower()


# Private-use planes, which no essay uses. A code is one character of each plane, and _END ends a text.
_HIGH, _LOW, _END = 0xF0000, 0x100000, "\U000ffff0"
_CODES_PER_PLANE = 0x8000
_PARTS_WITH_TEXT = frozenset({"document", "footnotes", "endnotes"})
_LONGEST_CLUSTER = 8


@dataclass(frozen=True, slots=True)
class TextElementRange:
    """Characters [start, end) of a text element."""

    element: etree._Element
    start: int
    end: int


def _with_blanks(source: TextElementRange, goes_before: bool, goes_on: bool) -> TextElementRange:
    """Extend a range over the blanks towards other ranges of the same sentence before and after it."""
    text = source.element.text or ""
    begin, end = text[: source.start], text[source.end :]
    start = 0 if goes_before and not begin.strip() else source.start
    return TextElementRange(source.element, start, len(text) if goes_on and not end.strip() else source.end)


class Provenance:
    """Map from the code points of a document to the text elements of its file.

    texts and places have an entry for each code point: the index of its element, -1 for none, and the offset
    in it.
    """

    def __init__(self, elements: Sequence[etree._Element], texts: "array[int]", places: "array[int]") -> None:
        self._elements = elements
        self._texts = texts
        self._places = places

    def element_ranges(self, span: Span) -> list[TextElementRange]:
        """Return the ranges of text elements that a span of the document comes from, in order."""
        offsets = (offset for offset in range(span.start, span.end) if self._texts[offset] >= 0)
        found = []
        for text, group in groupby(offsets, self._texts.__getitem__):
            places = [self._places[offset] for offset in group]
            found.append(TextElementRange(self._elements[text], min(places), max(places) + 1))
        last = len(found) - 1
        return [_with_blanks(source, n > 0, n < last) for n, source in enumerate(found)]


def provenance_of(path: Path, package: WordPackage, document: Document) -> Provenance:
    """Locate the characters of a document in its file.

    Revisions, fields, text boxes, hidden text and their order are handled by the reader. It therefore reads a
    copy in which each text element starts with private-use characters that encode its number, and these are
    located in its output. Raises the errors of the reader.
    """
    texts = list(_texts(package))
    plain = [text.text or "" for text in texts]
    for number, (element, text) in enumerate(zip(texts, plain, strict=True)):
        element.text = _code(number) + _without_codes(text) + _END
    try:
        pieces = read_docx(Source(path, package.for_reading()), DEFAULT_OPTIONS, reader_of).pieces
    finally:
        for element, text in zip(texts, plain, strict=True):
            element.text = text
    return _placed(document, texts, _ReaderOutput([piece.text for piece in pieces], plain))


def _texts(package: WordPackage) -> Iterator[etree._Element]:
    """Yield the text elements of the parts that are read, except those with only blanks."""
    for name in package.names():
        if name.endswith(".xml") and package.contains(name, b":t"):
            root = package.part(name)
            if root is None or local_name(root) not in _PARTS_WITH_TEXT:
                continue
            word = etree.QName(root).namespace
            yield from (element for element in root.iter(f"{{{word}}}t") if (element.text or "").strip())


def _code(number: int) -> str:
    return chr(_HIGH + number // _CODES_PER_PLANE) + chr(_LOW + number % _CODES_PER_PLANE)


def _without_codes(text: str) -> str:
    return text if max(map(ord, text)) < _HIGH else "".join(char for char in text if ord(char) < _HIGH)


class _ReaderOutput:
    """Output of the reader, with the codes decoded and removed.

    pieces: without blanks; texts and places: an entry for each of their characters, as in Provenance.
    """

    def __init__(self, pieces: Iterable[str], plain: Sequence[str]) -> None:
        self.texts, self.places = array("l"), array("l")
        self._plain = plain
        self._number = -1
        self._high = 0
        self._place = 0
        # a text element may extend over several pieces
        self.pieces = ["".join(self._letters(piece)) for piece in pieces]

    def _letters(self, piece: str) -> Iterator[str]:
        for char in piece:
            code = ord(char)
            if code < _HIGH:
                if not char.isspace():
                    self._take(char)
                    yield char
            elif char == _END:
                self._number = -1
            elif code < _LOW:
                self._high = code - _HIGH
            else:
                self._number, self._place = self._high * _CODES_PER_PLANE + code - _LOW, 0

    def _take(self, char: str) -> None:
        plain = self._plain[self._number] if self._number >= 0 else ""
        place = self._place
        while place < len(plain) and plain[place] != char and _is_passed_over(plain[place]):
            place += 1
        is_found = place < len(plain)
        self.texts.append(self._number if is_found else -1)
        self.places.append(place)
        self._place = place + _length(plain, place, char) if is_found else place


def _is_passed_over(char: str) -> bool:
    return char.isspace() or ord(char) >= _HIGH or UNPRINTABLE.match(char) is not None


def _length(plain: str, place: int, char: str) -> int:
    """Return how many characters of a text the reader composed into one; 1 if it was replaced."""
    if plain[place : place + 1] == char:
        return 1
    composed = (
        n
        for n in range(1, _LONGEST_CLUSTER)
        if unicodedata.normalize("NFC", plain[place : place + n]) == char
    )
    return next(composed, 1)


def _placed(document: Document, elements: Sequence[etree._Element], reading: _ReaderOutput) -> Provenance:
    texts, places = (array("l", [-1]) * len(document.text) for _ in range(2))
    finder = _BlockLocator(reading.pieces)
    for block in document.blocks:
        line = block.span.of(document.text)
        offsets = [block.span.start + n for n, char in enumerate(line) if not _is_left_out(char)]
        begin = finder.find("".join(document.text[offset] for offset in offsets))
        for found, offset in enumerate(offsets if begin is not None else (), start=begin or 0):
            texts[offset], places[offset] = reading.texts[found], reading.places[found]
    return Provenance(elements, texts, places)


def _is_left_out(char: str) -> bool:
    return char.isspace() or ord(char) >= _HIGH


class _BlockLocator:
    """Locate the blocks of a document, in order, among the pieces of the reader output."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._whole = "".join(pieces)
        self._begins: defaultdict[str, list[int]] = defaultdict(list)
        begin = 0
        for piece in pieces:
            self._begins[piece].append(begin)
            begin += len(piece)
        self._end = 0

    def find(self, text: str) -> int | None:
        """Return the offset of a block, None if it is not found after the blocks before.

        Usually the block is the next piece, after omitted text such as a table of contents a later one, and
        it extends over several pieces if they were joined.
        """
        begin = self._end if self._whole.startswith(text, self._end) else self._later_piece(text)
        if begin is None:
            begin = self._whole.find(text, self._end)
        if begin < 0:
            return None
        self._end = begin + len(text)
        return begin

    def _later_piece(self, text: str) -> int | None:
        begins = self._begins.get(text, [])
        place = bisect_left(begins, self._end)
        return begins[place] if place < len(begins) else None

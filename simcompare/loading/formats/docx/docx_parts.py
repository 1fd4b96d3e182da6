"""Parts of a Word document by relationship, and documents embedded in it."""

import base64
import binascii
import posixpath
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from lxml import etree

from simcompare.loading.archive import TEXT_MISSING, Archive, parsed_xml
from simcompare.loading.extraction import Piece, ReaderOf, ReadingOptions, Source
from simcompare.loading.shared.file_origin import origin_from
from simcompare.loading.shared.xml_elements import attribute, child, local_name, number_of
from simcompare.loading.sniffing import sniff
from simcompare.model.document import BlockKind
from simcompare.model.errors import DamagedFileError, FileError
from simcompare.model.receipt import Dropped, Flag, FlagName, Origin
from simcompare.support.i18n import N_

_MAIN = "officeDocument"
_CORE, _EXTENDED = "core-properties", "extended-properties"
_USUAL_MAIN = "word/document.xml"

# Below this size the elements of a part fit into the memory of a file, whatever they are.
_LARGE_PART_BYTES = 20_000_000
_REVISION = rb"""(?:\s+(?:\w+:)?rsid\w*=(?:"\w*"|'\w*'))*\s*"""
_EMPTY_RUN = re.compile(rb"<(\w+:)?r" + _REVISION + rb"(?:/>|></(?(1)\1)r\s*>)")


class FlatParts:
    """Parts of a package in one XML file (flat OPC)."""

    def __init__(self, path: Path, root: etree._Element) -> None:
        self._path = path
        part_data = ((attribute(part, "name") or "", part) for part in root if local_name(part) == "part")
        self._parts = {_flat_name(name): part for name, part in part_data}

    def __contains__(self, name: str) -> bool:
        return _flat_name(name) in self._parts

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a part, or None if there is no such part."""
        part = self._parts.get(_flat_name(name))
        data = child(part, "binaryData")
        if data is None:
            root = self.parsed(name)
            return None if root is None else etree.tostring(root)
        try:
            return base64.b64decode(data.text or "")
        except binascii.Error as error:
            raise DamagedFileError(self._path, cause=N_("a part of it is broken")) from error

    def parsed(self, name: str) -> etree._Element | None:
        """Return the root of an XML part, or None if there is no such part."""
        content = child(self._parts.get(_flat_name(name)), "xmlData")
        root = next((inner for inner in content if local_name(inner)), None) if content is not None else None
        # Parsed again, because a part must be the root of its tree.
        return None if root is None else parsed_xml(self._path, etree.tostring(root, with_tail=False))


class DocxPackage:
    """Parts of a Word file by relationship type."""

    def __init__(self, path: Path, parts: Archive | FlatParts) -> None:
        self._path = path
        self._parts = parts
        self.unread_parts: set[str] = set()
        self._package_relations = list(self._relations(""))
        self._main_name = next((name for name in self._main_names() if name in parts), "")
        if not self._main_name:
            raise DamagedFileError(path, cause=TEXT_MISSING)
        self._main_relations = list(self._relations(self._main_name))

    def main(self) -> etree._Element:
        """Return the root of the main document part."""
        data = self._parts.read(self._main_name)
        if data is None:
            raise DamagedFileError(self._path, cause=TEXT_MISSING)
        return parsed_xml(self._path, _without_empty_runs(data))

    def related(self, kind: str) -> list[etree._Element]:
        """Return the readable parts of a type ("footnotes", "header" ...) related to the document."""
        roots = {}
        for name in (target for _, ending, target in self._main_relations if ending == kind):
            try:
                roots[name] = self._parts.parsed(name)
            except DamagedFileError:
                self.unread_parts.add(name)
        return [root for root in roots.values() if root is not None]

    def part_data(self, identifier: str | None) -> bytes | None:
        """Return the bytes of the part with a relationship id, or None if there is none."""
        target = next((target for name, _, target in self._main_relations if name == identifier), None)
        return None if target is None else self._parts.read(target)

    def core_title(self) -> str | None:
        """Return the title in the core properties."""
        return self._property(_CORE, "title")

    def origin(self) -> Origin:
        """Return the unverified metadata of the file."""
        return origin_from(
            author=self._property(_CORE, "creator"),
            last_saved_by=self._property(_CORE, "lastModifiedBy"),
            created=self._property(_CORE, "created"),
            last_saved=self._property(_CORE, "modified"),
            program=self._property(_EXTENDED, "Application"),
        )

    def _property(self, part: str, name: str) -> str | None:
        """Return a file property; broken property parts are ignored."""
        try:
            roots = (
                self._parts.parsed(target) for _, kind, target in self._package_relations if kind == part
            )
            found = [element for root in roots if (element := child(root, name)) is not None]
        except DamagedFileError:
            return None
        return found[0].text if found else None

    def _main_names(self) -> Iterator[str]:
        yield from (target for _, kind, target in self._package_relations if kind == _MAIN)
        yield _USUAL_MAIN

    def _relations(self, part: str) -> Iterator[tuple[str | None, str, str]]:
        """Yield id, type and target part of the internal relationships of `part`.

        The last word of the type is the same in every edition of the format.
        """
        folder, name = posixpath.split(part)
        relations = self._parts.parsed(posixpath.join(folder, "_rels", f"{name}.rels"))
        for relation in [] if relations is None else relations:
            target = (relation.get("Target") or "").replace("\\", "/")
            if relation.get("TargetMode") != "External" and target:
                kind = (relation.get("Type") or "").rpartition("/")[2]
                yield (
                    relation.get("Id"),
                    kind,
                    posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/"),
                )


def _without_empty_runs(data: bytes) -> bytes:
    """Remove runs without content from a large part: each takes 300 bytes once it is parsed."""
    if len(data) <= _LARGE_PART_BYTES or b"<![CDATA[" in data:
        return data
    return _EMPTY_RUN.sub(b"", data)


def _flat_name(name: str) -> str:
    return name.lstrip("/").lower()


# Limit for hostile files: each part is read quickly, but may be referenced many times.
_MAX_PARTS = 100
_NODES = frozenset({None, "node", "asst"})


class EmbeddedDocuments:
    """Reads embedded documents and diagrams; keeps the dropped text and flags of their readers.

    `part_data` returns the bytes of the part with a relationship id; `reader_of` returns None for a
    format that is not read here.
    """

    def __init__(
        self,
        path: Path,
        part_data: Callable[[str | None], bytes | None],
        options: ReadingOptions,
        reader_of: ReaderOf,
    ) -> None:
        self.dropped: list[Dropped] = []
        self.flags: list[Flag] = []
        self._path = path
        self._part_data = part_data
        self._options = options
        self._reader_of = reader_of
        self._part_count = 0
        self._documents: dict[str | None, list[Piece]] = {}
        self._unread_count = 0

    def pieces(self, element: etree._Element) -> list[Piece]:
        """Return the pieces of the part that an element refers to; none if it is missing."""
        self._part_count += 1
        if self._part_count > _MAX_PARTS:
            self._unread_count += 1
            return []
        if local_name(element) == "relIds":
            data = self._part_data(attribute(element, "dm"))
            return [] if data is None else list(_diagram_pieces(parsed_xml(self._path, data)))
        name = attribute(element, "id")
        if name not in self._documents:
            data = self._part_data(name)
            self._documents[name] = self._document(data) if data else []
        return self._documents[name]

    def unread_flags(self, others: int) -> list[Flag]:
        """Return a flag if parts, or `others`, could not be read."""
        count = self._unread_count + others
        return [Flag(FlagName.UNREAD_PART, count)] if count else []

    def _document(self, data: bytes) -> list[Piece]:
        reader = self._reader_of(sniff(data))
        try:
            extraction = reader(Source(self._path, data), self._options) if reader else None
        except FileError:
            extraction = None
        if extraction is None:
            self._unread_count += 1
            return []
        self.dropped += extraction.dropped
        self.flags += extraction.flags
        return [Piece(piece.kind, piece.text) for piece in extraction.pieces]


def _diagram_pieces(root: etree._Element) -> Iterator[Piece]:
    """Yield the texts of a diagram in outline order."""
    points = {attribute(point, "modelId") or "": point for point in root.iter("{*}pt")}
    for name in _outline(root, points):
        point = points[name]
        text = child(point, "t")
        if text is not None and attribute(point, "type") in _NODES:
            for paragraph in text.iter("{*}p"):
                yield Piece(BlockKind.PARAGRAPH, "".join(run.text or "" for run in paragraph.iter("{*}t")))


def _outline(root: etree._Element, points: dict[str, etree._Element]) -> Iterator[str]:
    """Yield the ids of points, each before its children, then unconnected ones."""
    below: dict[str, list[tuple[int, str]]] = {}
    for line in root.iter("{*}cxn"):
        if attribute(line, "type") in {None, "parOf"}:
            order = number_of(attribute(line, "srcOrd"), 0)
            below.setdefault(attribute(line, "srcId") or "", []).append(
                (order, attribute(line, "destId") or "")
            )
    pending = [*reversed(points), *(n for n, point in points.items() if attribute(point, "type") == "doc")]
    seen: set[str] = set()
    while pending:
        name = pending.pop()
        if name in points and name not in seen:
            seen.add(name)
            yield name
            pending += [lower for _, lower in sorted(below.get(name, ()), reverse=True)]


_PARTS = {"styles": "styles", "numbering": "lists"}
_WITHIN_SECTIONS = {"header": "hdr", "footer": "ftr"}


class Word2003Document:
    """Parts of a Word 2003 XML file, with the interface of `DocxPackage`."""

    unread_parts: frozenset[str] = frozenset()

    def __init__(self, root: etree._Element) -> None:
        self._root = root

    def main(self) -> etree._Element:
        """Return the body."""
        body = child(self._root, "body")
        return self._root if body is None else body

    def related(self, kind: str) -> list[etree._Element]:
        """Return the parts of a type ("styles", "header" ...); notes and comments are inline."""
        if kind in _WITHIN_SECTIONS:
            return list(self._root.iter(f"{{*}}{_WITHIN_SECTIONS[kind]}"))
        part = child(self._root, _PARTS.get(kind, ""))
        return [] if part is None else [part]

    def part_data(self, _identifier: str | None) -> bytes | None:
        """Return None: there are no separate parts."""
        return None

    def core_title(self) -> str | None:
        """Return the title in the document properties."""
        return self._property("Title")

    def origin(self) -> Origin:
        """Return the unverified metadata of the file."""
        return origin_from(
            author=self._property("Author"),
            last_saved_by=self._property("LastAuthor"),
            created=self._property("Created"),
            last_saved=self._property("LastSaved"),
        )

    def _property(self, name: str) -> str | None:
        found = child(child(self._root, "DocumentProperties"), name)
        return None if found is None else found.text

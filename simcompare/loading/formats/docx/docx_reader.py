"""Reader of Word documents: .docx, .docm and .dotx, transitional and strict, and single-file XML."""

import base64
import binascii
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import cache, partial
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import cast

from lxml import etree

from simcompare.loading.archive import TEXT_MISSING, Archive, parsed_xml
from simcompare.loading.extraction import (
    DroppedText,
    Extraction,
    Piece,
    Reader,
    ReaderOf,
    ReadingOptions,
    Source,
    clean,
    clean_pieces,
    is_visible,
    note_mark,
    title_of,
    visible_length,
)
from simcompare.loading.formats.docx.docx_drawings import has_drawings, page_background, page_width_twips
from simcompare.loading.formats.docx.docx_styles import DocxNumbering, DocxStyles
from simcompare.loading.formats.docx.docx_walker import (
    DocxDroppedText,
    DocxPiece,
    DocxState,
    DocxWalker,
    written_text,
)
from simcompare.loading.shared.file_origin import flags_of_pictures, origin_from
from simcompare.loading.shared.pictures import PictureCollector, pictures_named
from simcompare.loading.shared.visibility import UNKNOWN
from simcompare.loading.shared.xml_elements import attribute, child, local_name, number_of
from simcompare.loading.sniffing import sniff
from simcompare.model.document import BlockKind, Dropped, DropReason, Flag, FlagName, Origin, Place
from simcompare.model.errors import DamagedFileError, FileError
from simcompare.support.i18n import N_

_MAIN = "officeDocument"
_CORE, _EXTENDED = "core-properties", "extended-properties"
_USUAL_MAIN = "word/document.xml"

# Below this size the elements of a part fit into the memory of a file, whatever they are.
_LARGE_PART_BYTES = 20_000_000
_REVISION = rb"""(?:\s+(?:\w+:)?rsid\w*=(?:"\w*"|'\w*'))*\s*"""
_EMPTY_RUN = re.compile(rb"<(\w+:)?r" + _REVISION + rb"(?:/>|></(?(1)\1)r\s*>)")

_IDS_OF_SETTINGS = etree.XPath("//*[local-name()='rsids']/*/@*[local-name()='val']", smart_strings=False)
_IDS_OF_TEXT = etree.XPath("//@*[starts-with(local-name(), 'rsid')]", smart_strings=False)


def _editing_ids(settings: Iterable[etree._Element], main: etree._Element) -> list[str]:
    """Return the ids that the settings list, otherwise those in the text."""
    listed = [cast("list[str]", _IDS_OF_SETTINGS(part)) for part in settings]
    return list(chain.from_iterable(listed)) or cast("list[str]", _IDS_OF_TEXT(main))


def _picture_names(main: etree._Element) -> Iterator[str]:
    """Yield the names and descriptions of pictures: either may be the name of the file that was inserted."""
    for properties in main.iter("{*}cNvPr", "{*}docPr"):
        yield from (attribute(properties, name) or "" for name in ("name", "descr"))


class FlatParts:
    """Parts of a package in one XML file (flat OPC)."""

    def __init__(self, path: Path, root: etree._Element) -> None:
        self._path = path
        part_data = ((attribute(part, "name") or "", part) for part in root if local_name(part) == "part")
        self._parts = {_flat_name(name): part for name, part in part_data}

    def __contains__(self, name: str) -> bool:
        return _flat_name(name) in self._parts

    def read(self, name: str) -> bytes | None:
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
        content = child(self._parts.get(_flat_name(name)), "xmlData")
        root = next((inner for inner in content if local_name(inner)), None) if content is not None else None
        # Parsed again, because a part must be the root of its tree.
        return None if root is None else parsed_xml(self._path, etree.tostring(root, with_tail=False))


class DocxPackage:
    """Parts of a Word file by relationship type."""

    def __init__(self, path: Path, parts: Archive | FlatParts) -> None:
        self._path = path
        self._parts = parts
        self._parsed = cache(parts.parsed)
        self.unread_parts: set[str] = set()
        self._package_relations = list(self._relations(""))
        main_names = [target for _, kind, target in self._package_relations if kind == _MAIN]
        self._main_name = next((name for name in (*main_names, _USUAL_MAIN) if name in parts), "")
        if not self._main_name:
            raise DamagedFileError(path, cause=TEXT_MISSING)
        self._main_relations = list(self._relations(self._main_name))

    def main(self) -> etree._Element:
        data = self._parts.read(self._main_name)
        if data is None:
            raise DamagedFileError(self._path, cause=TEXT_MISSING)
        if len(data) > _LARGE_PART_BYTES and b"<![CDATA[" not in data:
            # Runs without content take 300 bytes each once they are parsed.
            data = _EMPTY_RUN.sub(b"", data)
        return parsed_xml(self._path, data)

    def related(self, kind: str) -> list[etree._Element]:
        """Return the readable parts of a type ("footnotes", "header" ...) related to the document."""
        roots = {}
        for name in (target for _, ending, target in self._main_relations if ending == kind):
            try:
                roots[name] = self._parsed(name)
            except DamagedFileError:
                self.unread_parts.add(name)
        return [root for root in roots.values() if root is not None]

    def part_data(self, identifier: str | None) -> bytes | None:
        target = next((target for name, _, target in self._main_relations if name == identifier), None)
        return None if target is None else self._parts.read(target)

    def pictures(self, main: etree._Element) -> PictureCollector:
        """Describe the pictures of the text; those of page headers belong to a template."""
        shown = main.iter("{*}blip", "{*}imagedata")
        names = (attribute(each, "embed") or attribute(each, "id") for each in shown)
        return pictures_named(names, self.part_data)

    def core_title(self) -> str | None:
        return self._property(_CORE, "title")

    def origin(self, main: etree._Element) -> Origin:
        return origin_from(
            author=self._property(_CORE, "creator"),
            last_saved_by=self._property(_CORE, "lastModifiedBy"),
            created=self._property(_CORE, "created"),
            last_saved=self._property(_CORE, "modified"),
            program=self._property(_EXTENDED, "Application"),
            template=self._property(_EXTENDED, "Template"),
            revision=self._property(_CORE, "revision"),
            edit_minutes=self._property(_EXTENDED, "TotalTime"),
            pictures=_picture_names(main),
            editing_ids=_editing_ids(self.related("settings"), main),
        )

    def _property(self, part: str, name: str) -> str | None:
        """Return a file property; broken property parts are ignored."""
        try:
            roots = (self._parsed(target) for _, kind, target in self._package_relations if kind == part)
            found = [element for root in roots if (element := child(root, name)) is not None]
        except DamagedFileError:
            return None
        return found[0].text if found else None

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

    def pictures(self, _main: etree._Element) -> PictureCollector:
        """Return none: these files are rare."""
        return PictureCollector()

    def core_title(self) -> str | None:
        return self._property("Title")

    def origin(self, main: etree._Element) -> Origin:
        return origin_from(
            author=self._property("Author"),
            last_saved_by=self._property("LastAuthor"),
            created=self._property("Created"),
            last_saved=self._property("LastSaved"),
            template=self._property("Template"),
            revision=self._property("Revision"),
            edit_minutes=self._property("TotalTime"),
            editing_ids=_editing_ids([self._root], main),
        )

    def _property(self, name: str) -> str | None:
        found = child(child(self._root, "DocumentProperties"), name)
        return None if found is None else found.text


# A longer text is a paragraph, whatever its style.
_MAX_ENTRY_LENGTH = 150
_PAGE_NUMBER = re.compile(r"(?:^|.*[^\d])(?:\d{1,4}|[ivxlc]{1,6})\)?", re.DOTALL | re.IGNORECASE)
_HEADING = re.compile(
    r"目\s*[录錄次]|(?:table of )?contents|list of (?:figures|tables)|[图圖表]\s*目[录錄]", re.IGNORECASE
)
# A table of contents is shorter than the text.
_MAX_CONTENTS_SHARE = 0.5


def contents_of(found: Sequence[DocxPiece]) -> frozenset[int]:
    """Return the indexes of the pieces of tables of contents; none if they are most of the text."""
    if not any(docx_piece.styled_as_contents or docx_piece.part_of_contents for docx_piece in found):
        return frozenset()
    texts = [clean(docx_piece.piece.text) for docx_piece in found]
    entries = {
        n
        for n, (docx_piece, text) in enumerate(zip(found, texts, strict=True))
        if _is_entry(docx_piece, text)
    }
    visible_pieces = [number for number, text in enumerate(texts) if is_visible(text)]
    for number, following in pairwise(visible_pieces):
        if following in entries and _HEADING.fullmatch(texts[number]):
            entries.add(number)
    within = sum(visible_length(texts[number]) for number in entries)
    if within > _MAX_CONTENTS_SHARE * sum(map(visible_length, texts)):
        return frozenset()
    return frozenset(entries)


def _is_entry(found: DocxPiece, text: str) -> bool:
    if not text or len(text) > _MAX_ENTRY_LENGTH:
        return False
    if found.part_of_contents and (found.field is None or found.field.is_closed):
        return True
    return found.styled_as_contents and (
        _PAGE_NUMBER.fullmatch(text) is not None or _HEADING.fullmatch(text) is not None
    )


_DROPPED_PARTS = {
    "header": DropReason.PAGE_HEADER,
    "footer": DropReason.PAGE_FOOTER,
    "comments": DropReason.COMMENT,
}
_NOTES = ("footnote", "endnote")
_MAX_DOCUMENT_DEPTH = 3
_EMBEDDED_FORMATS = frozenset({"html", "mhtml", "rtf", "text"})


def read_docx(source: Source, options: ReadingOptions, reader_of: ReaderOf, *, depth: int = 1) -> Extraction:
    """Read the body with its tables and text boxes, then footnotes and endnotes.

    `reader_of` finds the readers of embedded documents; `depth` is 1 for a document that is not embedded.
    """
    with closing(Archive(source.path, source.data)) as archive:
        return _read(source, DocxPackage(source.path, archive), options, _embedded_readers(reader_of, depth))


def read_wordml(
    source: Source, options: ReadingOptions, reader_of: ReaderOf, *, depth: int = 1
) -> Extraction:
    """Read a single-file Word document: Word 2003 XML, or a package in one XML file."""
    root = parsed_xml(source.path, source.data, long_texts=True)
    is_package = local_name(root) == "package"
    file = DocxPackage(source.path, FlatParts(source.path, root)) if is_package else Word2003Document(root)
    return _read(source, file, options, _embedded_readers(reader_of, depth))


def _embedded_readers(reader_of: ReaderOf, depth: int) -> ReaderOf:
    """Return the lookup of readers for embedded documents, down to the greatest depth."""
    word_readers: dict[str, Reader] = {}
    if depth < _MAX_DOCUMENT_DEPTH:
        word_readers = {
            "docx": partial(read_docx, reader_of=reader_of, depth=depth + 1),
            "wordml": partial(read_wordml, reader_of=reader_of, depth=depth + 1),
        }
    return lambda kind: reader_of(kind) if kind in _EMBEDDED_FORMATS else word_readers.get(kind)


def _read(
    source: Source,
    file: DocxPackage | Word2003Document,
    options: ReadingOptions,
    embedded_reader_of: ReaderOf,
) -> Extraction:
    embedded = EmbeddedDocuments(source.path, file.part_data, options, embedded_reader_of)
    try:
        return _DocxReader(file, embedded).extraction(source)
    except RecursionError as error:
        raise DamagedFileError(source.path, cause=N_("its parts are nested too deeply")) from error


class _DocxReader:
    def __init__(self, file: DocxPackage | Word2003Document, embedded: EmbeddedDocuments) -> None:
        self._file = file
        self._embedded = embedded
        self._dropped_text = DroppedText()
        self._main = file.main()
        self._styles = DocxStyles(file.related("styles"))
        self._margin_roots = {kind: file.related(kind) for kind in _DROPPED_PARTS}
        background = page_background(self._main, self._margin_roots["header"], file.related("settings"))
        self._state = DocxState(
            self._styles,
            DocxNumbering(file.related("numbering"), self._styles.list_of_style),
            embedded.pieces,
            page_width_twips(self._main),
            background,
            UNKNOWN if has_drawings(self._main) else background,
        )

    def extraction(self, source: Source) -> Extraction:
        body = DocxWalker(self._state).over(self._main)
        pieces = self._body_pieces(body)
        pieces += self._note_pieces(len(pieces))
        for kind, reason in _DROPPED_PARTS.items():
            for part in self._margin_roots[kind]:
                self._dropped_text.add(reason, written_text(part))
        core_title, pictures = clean(self._file.core_title() or ""), self._file.pictures(self._main)
        return Extraction(
            "docx",
            pieces,
            title_of(pieces, body.first_lines, self._styles.body_half_points(), core_title),
            dropped=[*self._dropped_text.dropped(), *self._embedded.dropped],
            flags=[
                *self._dropped_text.flags(),
                *self._embedded.flags,
                *self._embedded.unread_flags(len(self._file.unread_parts)),
                *flags_of_pictures(source.path, self._state.large_pictures, pieces),
                *pictures.flags(),
            ],
            origin=self._file.origin(self._main),
            pictures=pictures.found,
        )

    def _body_pieces(self, body: DocxWalker) -> list[Piece]:
        contents = contents_of(body.found)
        for number in sorted(contents):
            self._dropped_text.add(DropReason.TABLE_OF_CONTENTS, body.found[number].piece.text)
        kept = [docx_piece.piece for number, docx_piece in enumerate(body.found) if number not in contents]
        is_kept = [
            number not in contents and is_visible(docx_piece.piece.text)
            for number, docx_piece in enumerate(body.found)
        ]
        self._add_dropped(body.hidden_reason, is_kept, 0)
        return clean_pieces(kept)

    def _note_pieces(self, paragraphs_before: int) -> list[Piece]:
        """Return the notes that the text refers to, in its order; the marks of the others were deleted."""
        notes = dict(_notes(self._file))
        ordered = [item for kind in _NOTES for item in self._state.notes.items() if item[0][0] == kind]
        walkers = [
            (number, DocxWalker(self._state).over(notes.pop(name)))
            for name, number in ordered
            if name in notes
        ]
        walkers += [
            (2 * place + 1, DocxWalker(self._state).over(note))
            for place, note in enumerate(self._state.notes_within)
        ]
        pieces: list[Piece] = []
        for number, walker in walkers:
            self._add_dropped(
                walker.hidden_reason,
                [is_visible(docx_piece.piece.text) for docx_piece in walker.found],
                paragraphs_before + len(pieces),
            )
            texts = [
                docx_piece.piece.text for docx_piece in walker.found if is_visible(docx_piece.piece.text)
            ]
            texts[:1] = [note_mark(number) + text for text in texts[:1]]
            pieces += clean_pieces(Piece(BlockKind.FOOTNOTE, text) for text in texts)
        for note in notes.values():
            self._dropped_text.add(DropReason.DELETED_REVISION, written_text(note))
        return pieces

    def _add_dropped(
        self, hidden_reason: Sequence[DocxDroppedText], is_kept: Sequence[bool], paragraphs_before: int
    ) -> None:
        """Add dropped text, placed at the paragraph that contained it or that follows it."""
        counts = list(accumulate(is_kept, initial=0))
        for docx_piece in hidden_reason:
            paragraph = min(counts[docx_piece.pieces_before] + 1, max(counts[-1], 1))
            self._dropped_text.add(
                docx_piece.reason, docx_piece.text, Place(paragraph=paragraphs_before + paragraph)
            )


def _notes(file: DocxPackage | Word2003Document) -> Iterator[tuple[tuple[str, str], etree._Element]]:
    """Yield the notes by kind and id; notes with a type are separator lines."""
    for kind in _NOTES:
        for root in file.related(f"{kind}s"):
            for note in root:
                if local_name(note) == kind and attribute(note, "type") in {None, "normal"}:
                    yield (kind, attribute(note, "id") or ""), note

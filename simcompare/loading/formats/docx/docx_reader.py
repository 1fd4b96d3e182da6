"""Reader of Word documents: .docx, .docm and .dotx, transitional and strict, and single-file XML."""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import accumulate, pairwise

from lxml import etree

from simcompare.loading.archive import Archive, parsed_xml
from simcompare.loading.dropped_text import DroppedText
from simcompare.loading.extraction import (
    Extraction,
    Piece,
    Reader,
    ReaderOf,
    ReadingOptions,
    Source,
    clean,
    clean_pieces,
    is_visible,
    title_of,
    visible_length,
)
from simcompare.loading.formats.docx.docx_drawings import has_drawings, page_background, page_width_twips
from simcompare.loading.formats.docx.docx_numbering import DocxNumbering
from simcompare.loading.formats.docx.docx_parts import (
    DocxPackage,
    EmbeddedDocuments,
    FlatParts,
    Word2003Document,
)
from simcompare.loading.formats.docx.docx_styles import DocxStyles
from simcompare.loading.formats.docx.docx_walk_state import DocxDroppedText, DocxPiece, DocxState
from simcompare.loading.formats.docx.docx_walker import DocxWalker, written_text
from simcompare.loading.shared.file_origin import flags_of_pictures
from simcompare.loading.shared.visibility import UNKNOWN
from simcompare.loading.shared.xml_elements import attribute, local_name
from simcompare.model.document import BlockKind
from simcompare.model.errors import DamagedFileError
from simcompare.model.receipt import DropReason, Place
from simcompare.support.i18n import N_

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
        raise DamagedFileError(source.path, cause=N_("its elements are nested too deeply")) from error


class _DocxReader:
    """State while a document is read."""

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
        core_title = clean(self._file.core_title() or "")
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
            ],
            origin=self._file.origin(),
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
        walkers = [
            DocxWalker(self._state).over(notes.pop(name))
            for name in self._referenced_notes()
            if name in notes
        ]
        walkers += [DocxWalker(self._state).over(note) for note in self._state.notes_within]
        pieces: list[Piece] = []
        for walker in walkers:
            self._add_dropped(
                walker.hidden_reason,
                [is_visible(docx_piece.piece.text) for docx_piece in walker.found],
                paragraphs_before + len(pieces),
            )
            pieces += clean_pieces(
                Piece(BlockKind.FOOTNOTE, docx_piece.piece.text) for docx_piece in walker.found
            )
        for note in notes.values():
            self._dropped_text.add(DropReason.DELETED_REVISION, written_text(note))
        return pieces

    def _referenced_notes(self) -> list[tuple[str, str]]:
        return [name for kind in _NOTES for name in self._state.notes if name[0] == kind]

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

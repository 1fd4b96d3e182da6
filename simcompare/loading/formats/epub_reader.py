"""E-books (EPUB 2 and 3): the pages of the reading order, read as HTML documents."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from lxml import etree

from simcompare.loading.archive import Archive, with_prefixes
from simcompare.loading.extraction import (
    DroppedText,
    Extraction,
    Piece,
    ReadingOptions,
    Source,
    clean,
    is_visible,
    merged,
    opening_title,
    visible_length,
)
from simcompare.loading.formats.plain.encodings import Decoded, decode
from simcompare.loading.formats.web.html_page import read_page
from simcompare.loading.shared.file_origin import origin_from
from simcompare.loading.shared.xml_elements import without_doctype
from simcompare.model.document import BlockKind, DropReason, Flag, FlagName, Origin
from simcompare.model.errors import DamagedFileError, FileTooLargeError, NoTextError, UnsupportedFormatError
from simcompare.support.i18n import N_

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
# Obfuscated fonts are harmless; anything else that is encrypted is copy-protected.
_FONT_ALGORITHMS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_PAGE_TYPES = frozenset(
    {"application/xhtml+xml", "text/html", "application/xml", "text/xml", "text/x-oeb1-document", ""}
)
_PAGE_NAMES = (".xhtml", ".html", ".htm", ".xml")
# About half of the markup is text.
_MAX_MARKUP_BYTES = 20_000_000
_MAX_SHEET_BYTES = 500_000
_LINK = re.compile(r"<link\b[^<>]*>", re.IGNORECASE)
_ADDRESS = re.compile(r"\bhref\s*=\s*[\"']([^\"'<>]+)[\"']", re.IGNORECASE)
# Placeholders of programs for books without a title.
_PLACEHOLDER_TITLES = frozenset(
    {"", "unknown", "unknown title", "untitled", "untitled document", "未知", "无标题"}
)


def read_epub(source: Source, _options: ReadingOptions) -> Extraction:
    """Read all pages of the reading order except the table of contents.

    Raises UnsupportedFormatError for a copy-protected book, NoTextError if its pages are pictures,
    FileTooLargeError or DamagedFileError.
    """
    with closing(_EpubBook(source)) as book:
        book.check_lock()
        pages = list(book.pages())
        decoded = [decode(data, markup=True) for _name, data in pages]
        markups = [book.with_sheets(name, text.text) for (name, _d), text in zip(pages, decoded, strict=True)]
        # one document: the first page, with the others as its frames
        page = read_page(source.path, markups[0], whole=True, frames=markups[1:])
        if not any(is_visible(piece.text) for piece in page.pieces):
            raise NoTextError(source.path, pages=len(book.order))
        dropped_text = DroppedText()
        dropped_text.add(DropReason.TABLE_OF_CONTENTS, book.contents_text())
        return Extraction(
            reader="epub",
            pieces=page.pieces,
            title=_title(book.title, page.pieces),
            encoding=decoded[0].encoding,
            dropped=merged([*page.dropped, *dropped_text.dropped()]),
            flags=[*_page_flags(decoded, len(book.order) - len(pages)), *page.flags],
            origin=book.origin,
        )


def _page_flags(decoded: Iterable[Decoded], missing: int) -> Iterator[Flag]:
    if missing:
        yield Flag(FlagName.PAGE_WITHOUT_TEXT, missing)
    if undecodable := sum(text.undecodable for text in decoded):
        yield Flag(FlagName.UNDECODABLE_CHARACTERS, undecodable)


def _title(named: str, pieces: Sequence[Piece]) -> str | None:
    """Return the title in the metadata, else the first title or heading, else a short first line."""
    if named.lower() not in _PLACEHOLDER_TITLES:
        return named
    marked = (p.text for p in pieces if p.kind in {BlockKind.TITLE, BlockKind.HEADING})
    return next(marked, None) or opening_title(pieces)


@dataclass(frozen=True, slots=True)
class _ManifestItem:
    """A file of a book as listed in its manifest."""

    name: str
    media_type: str
    properties: frozenset[str] = field(default_factory=frozenset)

    def is_page(self) -> bool:
        """Return whether the item is a page, by its name if the media type is another."""
        return self.media_type in _PAGE_TYPES or self.name.lower().endswith(_PAGE_NAMES)


class _EpubBook:
    """The archive of a book with its manifest and its reading order."""

    def __init__(self, source: Source) -> None:
        self._path = source.path
        self._archive = Archive(source.path, source.data)
        self._sheets: dict[str, str | None] = {}
        name = self._package_name()
        package = self._root(name) if name else None
        if package is None:
            raise DamagedFileError(self._path, cause=N_("the list of its chapters is missing"))
        self._package = package
        self._folder = posixpath.dirname(name or "")
        self._items = {item.get("id") or "": self._item(item) for item in package.iter("{*}item")}
        guides = (entry.get("href") or "" for entry in package.findall(".//{*}reference[@type='toc']"))
        # wholly the table of contents, not only from an anchor on
        self._guide_contents = {self._part_name(href) for href in guides if "#" not in href}
        self.order = self._order()

    def close(self) -> None:
        self._archive.close()

    @property
    def title(self) -> str:
        titles = (clean("".join(map(str, t.itertext()))) for t in self._package.iter("{*}title", "{*}Title"))
        return next((title for title in titles if title), "")

    @property
    def origin(self) -> Origin:
        metas = list(self._package.iter("{*}meta"))
        return origin_from(
            author=next((c.text for c in self._package.iter("{*}creator", "{*}Creator")), None),
            last_saved=next((m.text for m in metas if m.get("property") == "dcterms:modified"), None),
            program=next((m.get("content") for m in metas if m.get("name") == "generator"), None),
        )

    def check_lock(self) -> None:
        """Raise UnsupportedFormatError if pages are encrypted."""
        root = self._root(_ENCRYPTION)
        for entry in root.iter("{*}EncryptedData") if root is not None else ():
            method = entry.find("{*}EncryptionMethod")
            if method is not None and method.get("Algorithm") in _FONT_ALGORITHMS:
                continue
            names = {unquote(target.get("URI") or "") for target in entry.iter("{*}CipherReference")}
            if any(item.name in names or item.name in map(unquote, names) for item in self.order):
                raise UnsupportedFormatError(self._path, format=N_("e-book with copy protection"))

    def pages(self) -> Iterator[tuple[str, bytes]]:
        """Yield name and bytes of the pages in reading order; raises DamagedFileError if there is none."""
        size, found = 0, False
        for item in self.order:
            data = self._archive.read(item.name)
            if data is None:
                continue
            found, size = True, size + len(data)
            if size > _MAX_MARKUP_BYTES:
                raise FileTooLargeError(self._path, cause=N_("more than 10 MB of text"))
            yield item.name, data
        if not found:
            raise DamagedFileError(self._path, cause=N_("its chapters are missing"))

    def with_sheets(self, name: str, markup: str) -> str:
        """Return a page with its style sheets embedded; they may hide text.

        A link to a sheet that is not in the book is removed: no program fetches it, so it cannot change
        anything.
        """
        folder = posixpath.dirname(name)

        def embed(link: re.Match[str]) -> str:
            address = _ADDRESS.search(link[0])
            if address is None:
                return link[0]
            sheet = self._sheet(_resolved(folder, address[1]))
            return link[0] if sheet is None else f"<style>{sheet}</style>"

        return _LINK.sub(embed, markup)

    def contents_text(self) -> str:
        """Return the table of contents from its pages, or else from the NCX, which reading programs show."""
        pages = [item.name for item in self._items.values() if self._is_contents(item)]
        if pages:
            return " ".join(map(self._text_within, pages))
        maps = (item for item in self._items.values() if item.media_type == "application/x-dtbncx+xml")
        return " ".join(self._text_within(item.name, "{*}text") for item in maps)

    def _is_contents(self, item: _ManifestItem) -> bool:
        """Return whether a page is little else than the table of contents."""
        if "nav" not in item.properties:
            return item.name in self._guide_contents
        within = visible_length(self._text_within(item.name, "{*}nav"))
        return 2 * within >= visible_length(self._text_within(item.name))

    def _text_within(self, name: str, tag: str = "{*}body") -> str:
        root = self._root(name)
        found = root.iter(tag) if root is not None else iter(())
        return " ".join("".join(map(str, element.itertext("*"))) for element in found)

    def _sheet(self, name: str) -> str | None:
        """Return a style sheet, "" if it is missing, None if the part is not usable as a sheet."""
        if name not in self._archive:
            return ""
        if name not in self._sheets:
            data = self._archive.read(name) if name.lower().endswith(".css") else None
            is_read = data is not None and len(data) <= _MAX_SHEET_BYTES
            # A sheet must not close the style element into which it is embedded.
            self._sheets[name] = decode(data).text.replace("</", "< /") if data and is_read else None
        return self._sheets[name]

    def _package_name(self) -> str | None:
        """Return the name of the package document, which the container names."""
        container = self._root(_CONTAINER)
        named = container.iter("{*}rootfile") if container is not None else iter(())
        names = [unquote(entry.get("full-path") or "") for entry in named]
        found = next((name for name in names if name in self._archive), None)
        return found or next((name for name in self._archive if name.lower().endswith(".opf")), None)

    def _root(self, name: str) -> etree._Element | None:
        """Return the root of a part, parsed with recovery; None if there is none."""
        data = self._archive.read(name)
        if data is None:
            return None
        parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, load_dtd=False)
        try:
            return with_prefixes(etree.fromstring(without_doctype(data), parser))
        except (etree.XMLSyntaxError, ValueError, AttributeError):  # the root may be None
            return None

    def _item(self, item: etree._Element) -> _ManifestItem:
        name = self._part_name(item.get("href") or "")
        properties = frozenset((item.get("properties") or "").split())
        return _ManifestItem(name, (item.get("media-type") or "").lower(), properties)

    def _part_name(self, href: str) -> str:
        """Return the name of a part; some archives store it percent-encoded."""
        literal = posixpath.normpath(posixpath.join(self._folder, href))
        return literal if literal in self._archive else _resolved(self._folder, href)

    def _order(self) -> list[_ManifestItem]:
        """Return the pages in reading order, without those that are a table of contents."""
        named = [self._items.get(entry.get("idref") or "") for entry in self._package.iter("{*}itemref")]
        order = [item for item in named if item is not None and item.is_page()]
        found = dict.fromkeys(order or [item for item in self._items.values() if item.is_page()])
        return [item for item in found if not self._is_contents(item)] or list(found)


def _resolved(folder: str, href: str) -> str:
    """Return the part name for an address relative to a folder."""
    try:
        path = urlsplit(href).path
    except ValueError:
        path = href
    return posixpath.normpath(posixpath.join("/", folder, unquote(path))).lstrip("/")

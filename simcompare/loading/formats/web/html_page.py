"""Read an HTML page, or a web archive (.mht): all of a document, but only the article of a web page."""

import base64
import email
import html as entities
import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from email.message import Message
from email.policy import compat32
from functools import partial
from html import unescape
from pathlib import Path
from types import MappingProxyType
from typing import cast
from urllib.parse import unquote

from lxml import etree, html

from simcompare.loading.extraction import (
    Extraction,
    Piece,
    ReadingOptions,
    Source,
    clean,
    clean_pieces,
    opening_title,
    visible_length,
)
from simcompare.loading.formats.plain.encodings import Decoded, decode
from simcompare.loading.formats.web.html_parsing import TooDeepError, parsed, tag_of
from simcompare.loading.formats.web.html_walker import HtmlWalker
from simcompare.loading.shared.file_origin import origin_from
from simcompare.loading.shared.pictures import PictureCollector, pictures_named
from simcompare.model.document import BlockKind, Dropped, DropReason, Flag, FlagName, Origin
from simcompare.model.errors import DamagedFileError, FileTooLargeError, NoTextError, TextNotInFileError
from simcompare.support.i18n import N_

_NAVIGATION_TAGS = ("nav", "aside", "footer", "form", "iframe", "button", "input")
_NAVIGATION_NAME = re.compile(
    r"nav|menu|sidebar|footer|header|breadcrumb|banner|share|social|comment|related|copyright|toolbar|login",
    re.IGNORECASE,
)
# Without a handler they print a message for every broken page.
for _library in ("readability", "trafilatura", "htmldate", "justext"):
    logging.getLogger(_library).addHandler(logging.NullHandler())

# Measured on 181 pages with articles and 174 documents: 176 and 174 are classified correctly.
_LEAST_NAVIGATION_NAMES = 2
_LEAST_SCRIPTS = 3
_LEAST_EXTERNAL_LINKS = 5
# If trafilatura returns less than this share of readability's text, it stopped too early.
_TRUSTED_SHARE = 0.6
# Identifiers and classes of the article on pages of WeChat, Discuz (a post), CSDN, 博客园 and 知乎.
_KNOWN_ARTICLE = re.compile(
    r"js_content|postmessage_\d+|content_views|cnblogs_post_body|Post-RichText|RichContent-inner"
)
_LEAST_KNOWN_CHARACTERS = 100
# The time of trafilatura's own second extractor, justext, grows by the square: 2 s for 5,000 paragraphs.
_MANY_TAGS = 15_000
_BLANK_LINES, _BLANKS = re.compile(r"\n\s+"), re.compile(r"[^\S\n]{2,}")
# Output of office programs is a document, however many links it contains.
_MADE_BY_OFFICE = re.compile(
    r"word\.document|microsoft word|libreoffice|openoffice|wps|kingsoft|pandoc", re.IGNORECASE
)


def has_navigation(root: etree._Element) -> bool:
    """Return whether a page belongs to a web site, with links and menus around its article."""
    if is_office_document(root):
        return False
    linked = _external_links(root) >= _LEAST_EXTERNAL_LINKS and has_site_marks(root)
    return linked or _known_article(root) is not None


def has_site_marks(root: etree._Element) -> bool:
    """Return whether a page has elements typical of web sites: navigation or many scripts."""
    return (
        next(root.iter(*_NAVIGATION_TAGS), None) is not None
        or _navigation_names(root) >= _LEAST_NAVIGATION_NAMES
        or sum(1 for _script in root.iter("script")) >= _LEAST_SCRIPTS
    )


def is_office_document(root: etree._Element) -> bool:
    """Return whether an office program or a document converter wrote the page."""
    metas = (
        meta for meta in root.iter("meta") if (meta.get("name") or "").lower() in {"generator", "progid"}
    )
    return any(_MADE_BY_OFFICE.search(meta.get("content") or "") for meta in metas)


def _external_links(root: etree._Element) -> int:
    addresses = [link.get("href") or "" for link in root.iter("a")]
    # the address of a page of a site; its links may be relative to it
    named = [link.get("href") or "" for link in root.iter("link") if link.get("rel") == "canonical"]
    addresses += named * _LEAST_EXTERNAL_LINKS
    return sum(address.startswith(("http://", "https://", "//")) for address in addresses)


def _navigation_names(root: etree._Element) -> int:
    names = (
        f"{element.get('class') or ''} {element.get('id') or ''}" for element in root.iter(etree.Element)
    )
    return sum(bool(_NAVIGATION_NAME.search(name)) for name in names)


def article_of(root: etree._Element) -> etree._Element | None:
    """Return the article, as a separate tree or an element of the page; None if no article is found."""
    known = _known_article(root)
    if known is not None:
        return known
    # The regular expressions of both libraries take minutes on 100,000 consecutive spaces.
    markup = _BLANK_LINES.sub("\n", html.tostring(root, encoding="unicode"))
    markup = _BLANKS.sub(lambda blanks: blanks[0][0], markup)
    chosen = _by_trafilatura(markup)
    characters = _characters(chosen)
    if characters < _TRUSTED_SHARE * _most_characters(root):
        by_score = _by_readability(markup)
        if characters < _TRUSTED_SHARE * _characters(by_score):
            chosen = by_score
    return parsed(chosen) if chosen.strip() else None


def _most_characters(root: etree._Element) -> int:
    """Return the number of characters outside scripts: no article has more."""
    return visible_length("".join(cast("list[str]", _TEXTS(root))))


def _known_article(root: etree._Element) -> etree._Element | None:
    names = ((e, [e.get("id") or "", *(e.get("class") or "").split()]) for e in root.iter("div", "td"))
    first = next((element for element, each in names if any(map(_KNOWN_ARTICLE.fullmatch, each))), None)
    enough = (
        first is not None and visible_length("".join(map(str, first.itertext()))) >= _LEAST_KNOWN_CHARACTERS
    )
    return first if enough else None


_TEXTS = etree.XPath("//text()[not(parent::script or parent::style)]", smart_strings=False)

# lxml.html calls a function in Python for each element to choose between its classes of form controls.
_ELEMENT_CLASSES = etree.ElementDefaultClassLookup(element=html.HtmlElement)


def _tree(markup: str) -> html.HtmlElement:
    """Parse a page for the two libraries, which otherwise spend a tenth of their time on such calls."""
    parser = html.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    parser.set_element_class_lookup(_ELEMENT_CLASSES)
    return html.document_fromstring(markup.encode("utf-8", "replace"), parser=parser)


def _by_trafilatura(markup: str) -> str:
    import trafilatura  # noqa: PLC0415 - half a second to load, for web pages alone

    try:
        found = trafilatura.extract(
            _tree(markup), fast=markup.count("<") > _MANY_TAGS, output_format="html", include_comments=False
        )
    except (
        etree.LxmlError,
        ArithmeticError,
        AttributeError,
        LookupError,
        RecursionError,
        TypeError,
        ValueError,
    ):
        # Broken pages raise many kinds of errors here; the other library can still read them.
        return ""
    return found or ""


def _by_readability(markup: str) -> str:
    import readability  # noqa: PLC0415 - for web pages alone

    try:
        tree = _tree(markup)
        # Links to other pages take a third of readability's time and do not show in the text.
        for link in tree.iter("a"):
            if "#" not in (link.get("href") or "#"):
                link.set("href", "x")
        return str(readability.Document(tree).summary(html_partial=True))
    except (readability.readability.Unparseable, etree.LxmlError, RecursionError, ValueError):
        return ""


def _characters(markup: str) -> int:
    if not markup.strip():
        return 0
    return visible_length("".join(str(text) for text in html.fromstring(markup).itertext()))


_NAMES = {
    "author": "author",
    "dc.creator": "author",
    "dcterms.creator": "author",
    "changedby": "last_saved_by",
    "created": "created",
    "dcterms.created": "created",
    "article:published_time": "created",
    "changed": "last_saved",
    "dcterms.modified": "last_saved",
    "article:modified_time": "last_saved",
    "generator": "program",
}
_OFFICE_NAMES = {
    "Author": "author",
    "LastAuthor": "last_saved_by",
    "Created": "created",
    "LastSaved": "last_saved",
}
_OFFICE = re.compile(rf"<o:({'|'.join(_OFFICE_NAMES)})>([^<]{{1,200}})</o:\1>")


def origin_of(root: etree._Element, markup: str) -> Origin:
    """Return the metadata of a page; of repeated values the first counts."""
    values: dict[str, str] = {}
    for meta in root.iter("meta"):
        name = _NAMES.get((meta.get("name") or meta.get("property") or "").lower())
        if name is not None and (value := meta.get("content")):
            values.setdefault(name, value)
    # Word writes them into a comment, which the parsed tree does not contain.
    for match in _OFFICE.finditer(markup):
        values.setdefault(_OFFICE_NAMES[match[1]], unescape(match[2]))
    return origin_from(**values)


# An article shorter than this was detected wrongly.
_LEAST_ARTICLE_CHARACTERS = 40
_SHOWN_BY_SCRIPT = frozenset({FlagName.HIDDEN_TEXT, FlagName.OUTSIDE_PAGE})
_SPACE = re.compile(r"\s+")
# A page that a script fills has at most a loading notice of this length.
_MOST_NOTICE_CHARACTERS = 120
_FILLED_BY_SCRIPT = re.compile(r"root|app|__next|__nuxt|main-?app|app-?root|container", re.IGNORECASE)
_BY_SCRIPT = N_("a script puts its text in")
_IN_FRAMES = N_("the texts of its frames are files of their own")
_ON_OTHER_PAGE = N_("it only leads on to another page")


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """Result of reading a page. `text_elsewhere` is the reason why it has no text of its own, or None."""

    pieces: Sequence[Piece] = field(repr=False)
    title: str | None
    dropped: Sequence[Dropped]
    flags: Sequence[Flag]
    pictures: int
    text_elsewhere: str | None
    origin: Origin
    described: PictureCollector


def read_page(
    path: Path,
    markup: str,
    *,
    whole: bool = False,
    sheets: Iterable[str] = (),
    frames: Sequence[str] = (),
    stored: Mapping[str, bytes] = MappingProxyType({}),
) -> HtmlPage:
    """Read a page; with `whole`, all of it instead of its article.

    `sheets` and `frames` are the style sheets and frame pages stored with it, `stored` its pictures by their
    addresses. Those around an article are not described, and none is fetched. Hidden text is common on web
    pages, so only in documents it is flagged. Frames around an article are advertisements; frames of a
    document are part of it. Raises DamagedFileError.
    """
    try:
        root = parsed(markup)
        on_site = has_navigation(root)
        walk = HtmlWalker.over(root, sheets, frames, on_site=on_site)
    except TooDeepError as error:
        raise DamagedFileError(path, cause=N_("its parts are nested too deeply")) from error
    page, origin = clean_pieces(walk.pieces), origin_of(root, markup)
    addresses = () if on_site else (picture.get("src") for picture in root.iter("img"))
    article = _article(root, walk, page) if on_site and not whole else []
    pieces = article or page
    if article:
        _leave_out_others(walk, page, article)
    return HtmlPage(
        pieces=pieces,
        title=_title(root, walk, pieces),
        dropped=walk.dropped_text.dropped(),
        flags=[] if on_site else _flags(root, walk),
        pictures=sum(1 for _picture in root.iter("img")),
        text_elsewhere=None if article else _text_elsewhere(root, page),
        origin=origin,
        described=pictures_named(addresses, partial(_picture_data, stored)),
    )


def _picture_data(stored: Mapping[str, bytes], address: str) -> bytes | None:
    """Return a picture that the address itself holds, or that is stored with the page."""
    head, _comma, data = address.partition(",")
    if not (head.startswith("data:image/") and head.endswith(";base64")):
        return stored.get(address.removeprefix("cid:"))
    with suppress(ValueError):
        return base64.b64decode(unquote(data))
    return None


def _flags(root: etree._Element, walk: HtmlWalker) -> list[Flag]:
    """Return the flags for hidden text; text that the scripts of a web page may show is not doubtful."""
    flags = walk.dropped_text.flags()
    if next(root.iter("script"), None) is None or not has_site_marks(root):
        return flags
    return [replace(flag, doubtful=flag.name not in _SHOWN_BY_SCRIPT) for flag in flags]


def _article(root: etree._Element, walk: HtmlWalker, page: Sequence[Piece]) -> list[Piece]:
    """Return the pieces of the article below its title, or none if no article is found."""
    article = article_of(_visible_part(root, walk))
    pieces = clean_pieces(HtmlWalker.over(article, on_site=True).pieces) if article is not None else []
    if sum(visible_length(piece.text) for piece in pieces) < _LEAST_ARTICLE_CHARACTERS:
        return []
    title = _named_line(root, walk, page)
    if title is None or any(piece.text == title for piece in pieces):
        return pieces
    # the extractors leave out the title above an article
    return [Piece(BlockKind.TITLE, title), *pieces]


def _visible_part(root: etree._Element, walk: HtmlWalker) -> etree._Element:
    """Remove hidden content, and all style attributes so that the extractors do not evaluate them again."""
    for element, place in walk.hidden_texts:
        setattr(element, place, None)
    for element in walk.hidden_elements:
        _drop(element)
    etree.strip_attributes(root, "style")
    return root


def _drop(element: etree._Element) -> None:
    """Remove an element from its tree but keep the text after it."""
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    if before is not None:
        before.tail = (before.tail or "") + (element.tail or "")
    else:
        parent.text = (parent.text or "") + (element.tail or "")
    parent.remove(element)


def _leave_out_others(walk: HtmlWalker, page: Sequence[Piece], article: Sequence[Piece]) -> None:
    """Add the text around the article to the dropped text."""
    kept = _SPACE.sub("", "".join(piece.text for piece in article))
    for piece in page:
        if _SPACE.sub("", piece.text) not in kept:
            walk.dropped_text.add(DropReason.NAVIGATION, piece.text)


def _title(root: etree._Element, walk: HtmlWalker, pieces: Sequence[Piece]) -> str | None:
    """Return the line that <title> names, else a marked title, first h1, <title> or a short first line."""
    opening = [piece.text for piece in pieces[:5]]
    marked = next((piece.text for piece in pieces[:5] if piece.kind is BlockKind.TITLE), None)
    heading = next((text for text in walk.first_headings if text in opening), None)
    # The <title> that an office program writes names the template or the first author.
    name = "" if is_office_document(root) else _name(root)
    return _named_line(root, walk, pieces) or marked or heading or name or opening_title(pieces)


def _name(root: etree._Element) -> str:
    """Return the page's own name: <title>, else og:title."""
    named = clean(root.findtext(".//title") or "")
    if named:
        return named
    metas = (meta for meta in root.iter("meta") if meta.get("property") == "og:title")
    return next((clean(meta.get("content") or "") for meta in metas), "")


def _named_line(root: etree._Element, walk: HtmlWalker, pieces: Sequence[Piece]) -> str | None:
    """Return the line that <title> begins with; often the name of the site follows it there."""
    texts = {piece.text for piece in pieces}
    lines = (*(text for text in walk.first_headings if text in texts), *(p.text for p in pieces[:5]))
    name = _name(root)
    return next((text for text in lines if len(text) > 1 and name.startswith(text)), None)


def _text_elsewhere(root: etree._Element, pieces: Sequence[Piece]) -> str | None:
    """Return the reason why a page has no text of its own, or None if it has text."""
    characters = sum(visible_length(piece.text) for piece in pieces)
    if not characters and next(root.iter("frame", "iframe"), None) is not None:
        return _IN_FRAMES
    if characters <= _MOST_NOTICE_CHARACTERS and _leads_on(root):
        return _ON_OTHER_PAGE
    scripts = next(root.iter("script"), None) is not None
    if scripts and (not characters or (characters <= _MOST_NOTICE_CHARACTERS and _has_empty_root(root))):
        return _BY_SCRIPT
    return None


def _leads_on(root: etree._Element) -> bool:
    refreshes = (meta for meta in root.iter("meta") if (meta.get("http-equiv") or "").lower() == "refresh")
    return any("url" in (meta.get("content") or "").lower() for meta in refreshes)


def _has_empty_root(root: etree._Element) -> bool:
    """Return whether the page has an empty element that a script is meant to fill."""
    return any(
        _FILLED_BY_SCRIPT.fullmatch(element.get("id") or "")
        and not any(str(text).strip() for text in element.itertext())
        for element in root.iter("div", "main", "section")
        if tag_of(element)
    )


def read_html(source: Source, options: ReadingOptions) -> Extraction:
    """Read all text of a document, but only the article of a web page with navigation.

    Raises TextNotInFileError if the text of a page is in a script, a frame or another page, NoTextError if
    the page contains only pictures.
    """
    decoded = decode(source.data, markup=True)
    page = read_page(source.path, decoded.text, whole=options.whole_page)
    return extraction_of(source, page, [decoded], reader="html")


def extraction_of(source: Source, page: HtmlPage, decoded: Sequence[Decoded], *, reader: str) -> Extraction:
    """Return the extraction of a page; `decoded` has its parts, the page itself first.

    Raises TextNotInFileError, or NoTextError if the page contains only pictures.
    """
    if page.text_elsewhere is not None:
        raise TextNotInFileError(source.path, cause=page.text_elsewhere)
    if page.pictures and not page.pieces:
        raise NoTextError(source.path, pages=page.pictures)
    undecodable = sum(text.undecodable for text in decoded)
    flags = [Flag(FlagName.UNDECODABLE_CHARACTERS, undecodable)] if undecodable else []
    return Extraction(
        reader=reader,
        pieces=page.pieces,
        title=page.title,
        encoding=decoded[0].encoding,
        dropped=page.dropped,
        flags=[*flags, *page.flags, *page.described.flags()],
        origin=page.origin,
        pictures=page.described.found,
    )


_MOST_TEXT_BYTES = 10_000_000
_MOST_PARTS = 10_000
_PAGE_TYPES = ("text/html", "application/xhtml+xml")


def read_mhtml(source: Source, options: ReadingOptions) -> Extraction:
    """Read the main page of an archive, then the pages of its frames.

    Frames around an article are advertisements and count as navigation. Raises DamagedFileError,
    FileTooLargeError, or TextNotInFileError if no part contains text.
    """
    parts = _parts(source)
    pages = _texts(parts, _PAGE_TYPES) or _texts(parts, ("text/plain",))
    if not pages:
        raise DamagedFileError(source.path, cause=N_("no page is in the archive"))
    if sum(len(_bytes(part)) for part in pages) > _MOST_TEXT_BYTES:
        raise FileTooLargeError(source.path, cause=N_("more than 10 MB of text"))
    decoded = [_decoded(part) for part in pages]
    main, *frames = (_markup(part, text) for part, text in zip(pages, decoded, strict=True))
    sheets = [_decoded(part).text for part in _texts(parts, ("text/css",))]
    stored = {
        address.strip("<> "): _bytes(part)
        for part in parts
        if part.get_content_maintype() == "image"
        for address in (part.get("Content-ID"), part.get("Content-Location"))
        if address
    }
    page = read_page(source.path, main, whole=options.whole_page, sheets=sheets, frames=frames, stored=stored)
    return extraction_of(source, page, decoded, reader="mhtml")


def _parts(source: Source) -> list[Message]:
    """Return the parts that are not multipart themselves, the start part of the archive first."""
    try:
        root = email.message_from_bytes(source.data.lstrip(), policy=compat32)
        parts = list(_leaves(root))
    except RecursionError as error:
        raise DamagedFileError(source.path, cause=N_("its parts are nested too deeply")) from error
    start = root.get_param("start")
    if isinstance(start, str):
        parts.sort(key=lambda part: (part.get("Content-ID") or "").strip() != start.strip())
    return parts


def _leaves(root: Message) -> Iterator[Message]:
    waiting = [root]
    for _count in range(_MOST_PARTS):
        if not waiting:
            return
        part = waiting.pop()
        payload = part.get_payload()
        if isinstance(payload, list):
            waiting += [inner for inner in reversed(payload) if isinstance(inner, Message)]
        else:
            yield part


def _texts(parts: Sequence[Message], types: Sequence[str]) -> list[Message]:
    return [part for part in parts if part.get_content_type() in types]


def _bytes(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _decoded(part: Message) -> Decoded:
    return decode(_bytes(part), markup=True, charset=part.get_content_charset())


def _markup(part: Message, decoded: Decoded) -> str:
    if part.get_content_type() in _PAGE_TYPES:
        return decoded.text
    return f"<pre>{entities.escape(decoded.text)}</pre>"

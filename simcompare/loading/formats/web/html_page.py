"""A page as pieces of text: the whole of a document, and of a page of a web site the article alone."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from pathlib import Path

from lxml import etree, html

from simcompare.loading.extraction import Piece, clean, clean_pieces, opening_title, visible_length
from simcompare.loading.formats.web.article_extraction import (
    article_of,
    has_navigation,
    has_site_marks,
    is_office_document,
)
from simcompare.loading.formats.web.html_parsing import TooDeepError, parsed
from simcompare.loading.formats.web.html_tags import tag_of
from simcompare.loading.formats.web.html_walker import HtmlWalker
from simcompare.loading.shared.file_origin import origin_from
from simcompare.model.document import BlockKind
from simcompare.model.errors import DamagedFileError
from simcompare.model.receipt import Dropped, DropReason, Flag, FlagName, Origin
from simcompare.support.i18n import N_

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


def origin_of(root: html.HtmlElement, markup: str) -> Origin:
    """Return what a page says; where it says a thing twice, the first counts."""
    told: dict[str, str] = {}
    for name, value in (*_in_metas(root), *_by_office(markup)):
        told.setdefault(name, value)
    return origin_from(**told)


def _in_metas(root: html.HtmlElement) -> Iterator[tuple[str, str]]:
    for meta in root.iter("meta"):
        name = _NAMES.get((meta.get("name") or meta.get("property") or "").lower())
        if name is not None and (value := meta.get("content")):
            yield name, value


def _by_office(markup: str) -> Iterator[tuple[str, str]]:
    """Yield what Word writes into a comment, which is no part of the tree."""
    for match in _OFFICE.finditer(markup):
        yield _OFFICE_NAMES[match[1]], unescape(match[2])


# A page of which so little is the article was judged wrongly.
_LEAST_ARTICLE_CHARACTERS = 40
_SHOWN_BY_SCRIPT = frozenset({FlagName.HIDDEN_TEXT, FlagName.OUTSIDE_PAGE})
_SPACE = re.compile(r"\s+")
# Beside an empty element that a script fills there is at most a notice that the page is loading.
_MOST_NOTICE_CHARACTERS = 120
_FILLED_BY_SCRIPT = re.compile(r"root|app|__next|__nuxt|main-?app|app-?root|container", re.IGNORECASE)
_BY_SCRIPT = N_("a script puts its text in")
_IN_FRAMES = N_("the texts of its frames are files of their own")
_ON_OTHER_PAGE = N_("it only leads on to another page")


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """What a page holds. `text_elsewhere` says in words why it holds no text of its own, where that is so."""

    pieces: Sequence[Piece] = field(repr=False)
    title: str | None
    dropped: Sequence[Dropped]
    flags: Sequence[Flag]
    pictures: int
    text_elsewhere: str | None
    origin: Origin


def read_page(
    path: Path, markup: str, *, whole: bool = False, sheets: Iterable[str] = (), frames: Sequence[str] = ()
) -> HtmlPage:
    """Read a page. whole: all of it, not the article alone; sheets, frames: those that lie beside it.

    Parts of a web page are hidden for many an honest reason; of a document they are flagged. Frames around
    an article are advertisements, those of a document are its parts. Raises DamagedFileError.
    """
    try:
        root = parsed(markup)
        on_site = has_navigation(root)
        walk = HtmlWalker.over(root, sheets, frames, on_site=on_site)
    except TooDeepError as error:
        raise DamagedFileError(path, cause=N_("its elements are nested too deeply")) from error
    page, origin = clean_pieces(walk.pieces), origin_of(root, markup)
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
    )


def _flags(root: html.HtmlElement, walk: HtmlWalker) -> list[Flag]:
    """Return what nobody sees; what the scripts of a page with menus may show casts no doubt on it."""
    flags = walk.dropped_text.flags()
    if next(root.iter("script"), None) is None or not has_site_marks(root):
        return flags
    return [replace(flag, doubtful=flag.name not in _SHOWN_BY_SCRIPT) for flag in flags]


def _article(root: html.HtmlElement, walk: HtmlWalker, page: Sequence[Piece]) -> list[Piece]:
    """Return the pieces of the article under its title, none where no article is found."""
    article = article_of(_what_is_seen(root, walk))
    pieces = clean_pieces(HtmlWalker.over(article, on_site=True).pieces) if article is not None else []
    if sum(visible_length(piece.text) for piece in pieces) < _LEAST_ARTICLE_CHARACTERS:
        return []
    return _with_title(pieces, _named_line(root, walk, page))


def _what_is_seen(root: html.HtmlElement, walk: HtmlWalker) -> html.HtmlElement:
    """Take out of the tree what nobody sees, and the styles by which others would judge that anew."""
    for element, place in walk.hidden_texts:
        setattr(element, place, None)
    for element in walk.hidden_elements:
        _drop(element)
    for element in root.iter(etree.Element):
        element.attrib.pop("style", None)
    return root


def _drop(element: etree._Element) -> None:
    """Take an element out of its tree, but not the text after it."""
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    if before is not None:
        before.tail = (before.tail or "") + (element.tail or "")
    else:
        parent.text = (parent.text or "") + (element.tail or "")
    parent.remove(element)


def _leave_out_others(walk: HtmlWalker, page: Sequence[Piece], article: Sequence[Piece]) -> None:
    """Count what stands on the page around its article."""
    kept = _SPACE.sub("", "".join(piece.text for piece in article))
    for piece in page:
        if _SPACE.sub("", piece.text) not in kept:
            walk.dropped_text.add(DropReason.NAVIGATION, piece.text)


def _title(root: html.HtmlElement, walk: HtmlWalker, pieces: Sequence[Piece]) -> str | None:
    """Return the line that <title> names, else the first h1, else <title>, else a short first line."""
    opening = [piece.text for piece in pieces[:5]]
    marked = next((piece.text for piece in pieces[:5] if piece.kind is BlockKind.TITLE), None)
    heading = next((text for text in walk.first_headings if text in opening), None)
    # What an office program calls a page is the name of its template, or of its first author.
    name = "" if is_office_document(root) else _name(root)
    return _named_line(root, walk, pieces) or marked or heading or name or opening_title(pieces)


def _name(root: html.HtmlElement) -> str:
    """Return what the page calls itself."""
    named = clean(root.findtext(".//title") or "")
    if named:
        return named
    metas = (meta for meta in root.iter("meta") if meta.get("property") == "og:title")
    return next((clean(meta.get("content") or "") for meta in metas), "")


def _named_line(root: html.HtmlElement, walk: HtmlWalker, pieces: Sequence[Piece]) -> str | None:
    """Return the line that <title> begins with; the name of the site often follows there."""
    texts = {piece.text for piece in pieces}
    lines = (*(text for text in walk.first_headings if text in texts), *(p.text for p in pieces[:5]))
    name = _name(root)
    return next((text for text in lines if len(text) > 1 and name.startswith(text)), None)


def _with_title(article: list[Piece], title: str | None) -> list[Piece]:
    """Put the title back above an article that was cut out below it."""
    if title is None or any(piece.text == title for piece in article):
        return article
    return [Piece(BlockKind.TITLE, title), *article]


def _text_elsewhere(root: html.HtmlElement, pieces: Sequence[Piece]) -> str | None:
    """Return why a page holds no text of its own, None where it does."""
    characters = sum(visible_length(piece.text) for piece in pieces)
    if not characters and next(root.iter("frame", "iframe"), None) is not None:
        return _IN_FRAMES
    if characters <= _MOST_NOTICE_CHARACTERS and _leads_on(root):
        return _ON_OTHER_PAGE
    scripts = next(root.iter("script"), None) is not None
    if scripts and (not characters or (characters <= _MOST_NOTICE_CHARACTERS and _has_empty_root(root))):
        return _BY_SCRIPT
    return None


def _leads_on(root: html.HtmlElement) -> bool:
    refreshes = (meta for meta in root.iter("meta") if (meta.get("http-equiv") or "").lower() == "refresh")
    return any("url" in (meta.get("content") or "").lower() for meta in refreshes)


def _has_empty_root(root: html.HtmlElement) -> bool:
    """Return whether the page has an element without text that a script is to fill."""
    return any(
        _FILLED_BY_SCRIPT.fullmatch(element.get("id") or "")
        and not any(str(text).strip() for text in element.itertext())
        for element in root.iter("div", "main", "section")
        if tag_of(element)
    )

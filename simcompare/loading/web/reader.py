"""Web pages and HTML documents."""

import re

from lxml import html

from simcompare.document import BlockKind
from simcompare.i18n import N_
from simcompare.loading.encodings import decode
from simcompare.loading.extraction import (
    Extraction,
    Piece,
    Source,
    clean,
    clean_pieces,
    opening_title,
    visible_length,
)
from simcompare.loading.options import ReadingOptions
from simcompare.loading.web.article import article_of, has_navigation
from simcompare.loading.web.walk import Walk
from simcompare.receipt import Dropped, DropReason, Flag, FlagName

_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
# A page of which so little is the article was judged wrongly.
_LEAST_ARTICLE_CHARACTERS = 40


def read_html(source: Source, options: ReadingOptions) -> Extraction:
    """Read a document whole, and of a page with navigation the article alone."""
    decoded = decode(source.data, markup=True)
    markup = _XML_DECLARATION.sub("", decoded.text.replace("\0", "").removeprefix("\ufeff"))
    root = _parsed(markup)
    walk = Walk.over(root)
    page = pieces = clean_pieces(walk.pieces)
    dropped = walk.left_out.dropped()
    if not options.whole_page and has_navigation(root):
        article = _article_pieces(markup)
        if _characters(article) >= _LEAST_ARTICLE_CHARACTERS:
            pieces = _with_title(article, _named_line(root, walk, page))
            dropped.append(Dropped(DropReason.NAVIGATION, max(0, _characters(page) - _characters(pieces))))
    flags = [Flag(FlagName.UNDECODABLE_CHARACTERS, decoded.undecodable)] if decoded.undecodable else []
    title = _title(root, walk, pieces)
    return Extraction("html", pieces, title, encoding=decoded.encoding, dropped=dropped, flags=flags)


def _parsed(markup: str) -> html.HtmlElement:
    parser = html.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True)
    root = html.document_fromstring(markup, parser=parser, ensure_head_body=True)
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        # The parser goes no deeper and would leave the rest out without a word.
        raise ValueError(N_("its elements are nested too deeply"))
    return root


def _article_pieces(markup: str) -> list[Piece]:
    article = article_of(markup)
    return clean_pieces(Walk.over(_parsed(article)).pieces) if article.strip() else []


def _characters(pieces: list[Piece]) -> int:
    return sum(visible_length(piece.text) for piece in pieces)


def _title(root: html.HtmlElement, walk: Walk, pieces: list[Piece]) -> str | None:
    """Return the line that <title> names, else the first h1, else <title>, else a short first line."""
    opening = [piece.text for piece in pieces[:5]]
    heading = next((text for text in walk.first_headings if text in opening), None)
    return _named_line(root, walk, pieces) or heading or _name(root) or opening_title(pieces)


def _name(root: html.HtmlElement) -> str:
    return clean(root.findtext(".//title") or "")


def _named_line(root: html.HtmlElement, walk: Walk, pieces: list[Piece]) -> str | None:
    """Return the line that <title> begins with; the name of the site often follows there."""
    texts = {piece.text for piece in pieces}
    lines = (*(text for text in walk.first_headings if text in texts), *(p.text for p in pieces[:5]))
    return next((text for text in lines if len(text) > 1 and _name(root).startswith(text)), None)


def _with_title(article: list[Piece], title: str | None) -> list[Piece]:
    """Put the title back above an article that was cut out below it."""
    if title is None or any(piece.text == title for piece in article):
        return article
    return [Piece(BlockKind.TITLE, title), *article]

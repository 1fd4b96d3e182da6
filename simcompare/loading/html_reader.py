"""Web pages and HTML documents."""

import re

from lxml import html

from simcompare.document import Dropped, Flag
from simcompare.loading.encodings import decode
from simcompare.loading.extraction import (
    Extraction,
    Piece,
    Source,
    clean,
    clean_pieces,
    dropped_where_any,
    visible_length,
)
from simcompare.loading.html_article import article_of, has_navigation
from simcompare.loading.html_walk import Walk

_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>")
# A page of which so little is the article was judged wrongly.
_LEAST_ARTICLE_CHARACTERS = 40


def read_html(source: Source) -> Extraction:
    """Read a document whole, and of a page with navigation the article alone."""
    decoded = decode(source.data, markup=True)
    markup = _XML_DECLARATION.sub("", decoded.text.replace("\0", "").removeprefix("\ufeff"))
    root = _parsed(markup)
    walk = Walk.over(root)
    pieces = clean_pieces(walk.pieces)
    dropped = dropped_where_any(dict(walk.left_out))
    if has_navigation(root):
        article = _article_pieces(markup)
        if _characters(article) >= _LEAST_ARTICLE_CHARACTERS:
            dropped.append(Dropped("navigation", max(0, _characters(pieces) - _characters(article))))
            pieces = article
    flags = [Flag("undecodable_characters", decoded.undecodable)] if decoded.undecodable else []
    title = _title(root, walk, pieces)
    return Extraction("html", pieces, title, encoding=decoded.encoding, dropped=dropped, flags=flags)


def _parsed(markup: str) -> html.HtmlElement:
    parser = html.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True)
    return html.document_fromstring(markup, parser=parser, ensure_head_body=True)


def _article_pieces(markup: str) -> list[Piece]:
    article = article_of(markup)
    return clean_pieces(Walk.over(_parsed(article)).pieces) if article.strip() else []


def _characters(pieces: list[Piece]) -> int:
    return sum(visible_length(piece.text) for piece in pieces)


def _title(root: html.HtmlElement, walk: Walk, pieces: list[Piece]) -> str | None:
    """The first h1 that the text shows, else a line that <title> begins with, else <title>."""
    texts = [piece.text for piece in pieces]
    shown = next((title for title in walk.first_headings if title in texts), None)
    named = clean(root.findtext(".//title") or "")
    return shown or next((t for t in texts[:5] if len(t) >= 2 and named.startswith(t)), None) or named or None

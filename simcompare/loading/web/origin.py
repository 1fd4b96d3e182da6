"""What a page says of who made it: in its meta elements, or where office programs write it."""

import re
from collections.abc import Iterator
from html import unescape

from lxml import html

from simcompare.loading.common.origin import origin_from
from simcompare.receipt import Origin

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

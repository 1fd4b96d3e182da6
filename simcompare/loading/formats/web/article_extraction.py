"""Distinguish pages of web sites from documents, and extract the article of a page."""

import logging
import re

from lxml import etree, html

from simcompare.loading.extraction import visible_length
from simcompare.loading.formats.web.html_parsing import parsed

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
_BLANKS = re.compile(r"[^\S\n]{2,}|\n\s+")
# Output of office programs is a document, however many links it contains.
_OFFICE = re.compile(
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
    return any(_OFFICE.search(meta.get("content") or "") for meta in metas)


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
    markup = _BLANKS.sub(lambda blanks: blanks[0][0], html.tostring(root, encoding="unicode"))
    chosen = _by_trafilatura(markup)
    characters = _characters(chosen)
    if characters < _TRUSTED_SHARE * _most_characters(root):
        by_score = _by_readability(markup)
        if characters < _TRUSTED_SHARE * _characters(by_score):
            chosen = by_score
    return parsed(chosen) if chosen.strip() else None


def _most_characters(root: etree._Element) -> int:
    """Return the number of characters outside scripts: no article has more."""
    return sum(
        visible_length(element.tail or "")
        + (visible_length(element.text or "") if element.tag not in {"script", "style"} else 0)
        for element in root.iter(etree.Element)
    )


def _known_article(root: etree._Element) -> etree._Element | None:
    names = ((e, [e.get("id") or "", *(e.get("class") or "").split()]) for e in root.iter("div", "td"))
    first = next((element for element, each in names if any(map(_KNOWN_ARTICLE.fullmatch, each))), None)
    enough = (
        first is not None and visible_length("".join(map(str, first.itertext()))) >= _LEAST_KNOWN_CHARACTERS
    )
    return first if enough else None


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


def _shorten_links(tree: html.HtmlElement) -> None:
    """Shorten links to other pages, which take a third of readability's time and do not show in the text."""
    for link in tree.iter("a"):
        if "#" not in (link.get("href") or "#"):
            link.set("href", "x")


def _by_readability(markup: str) -> str:
    import readability  # noqa: PLC0415 - for web pages alone

    try:
        tree = _tree(markup)
        _shorten_links(tree)
        return str(readability.Document(tree).summary(html_partial=True))
    except (readability.readability.Unparseable, etree.LxmlError, RecursionError, ValueError):
        return ""


def _characters(markup: str) -> int:
    if not markup.strip():
        return 0
    return visible_length("".join(str(text) for text in html.fromstring(markup).itertext()))

"""Pages of the manual, made of the Markdown in resources/manual: HTML, sections, search. Without Qt."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from simcompare.support.i18n import _, language_among
from simcompare.support.resources import resource_path

INDEX = "index"
"""Name of the page that lists the others."""
PAGE_SUFFIX, SOURCE_SUFFIX = ".html", ".md"
PICTURE_CLASS = "picture"
_ANCHOR = re.compile(r'<a id="([a-z-]+)">')
_JOINED_LINES = {"zh": "", "en": " "}
MANUAL_LANGUAGES = tuple(_JOINED_LINES)
_EXCERPT_CHARACTERS = 120
_BEFORE_HIT_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the plain text below it. `anchor`: empty if no link can lead to the heading."""

    anchor: str
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class ManualPage:
    """A page in one language. `html`: its body, whose links to other pages end in PAGE_SUFFIX."""

    language: str
    name: str
    sections: tuple[Section, ...]
    html: str

    @property
    def title(self) -> str:
        return self.sections[0].heading


def manual_language() -> str:
    """Return the current language, or English if there is no manual in it."""
    return language_among(MANUAL_LANGUAGES)


def manual_path(*parts: str) -> Path:
    """Return a path in the folder of the manual."""
    return resource_path("manual", *parts)


@cache
def page_of(language: str, name: str) -> ManualPage:
    """Read a page. Raises OSError if there is no such page."""
    tokens = _parser().parse(_source(language, name))
    for token in tokens:
        _adapt(token.children or [], language)
    _frame_pictures(tokens)
    html = _parser().renderer.render(tokens, _parser().options, {})
    return ManualPage(language, name, tuple(_sections(tokens)), html)


@cache
def pages_of(language: str) -> tuple[ManualPage, ...]:
    """Return all pages of a language, in the order of their links in the index."""
    tokens = _parser().parse(_source(language, INDEX))
    links = (child.attrs.get("href", "") for token in tokens for child in token.children or [])
    names = [str(link).removesuffix(SOURCE_SUFFIX) for link in links if link and "/" not in str(link)]
    return tuple(page_of(language, name) for name in (INDEX, *names))


def _source(language: str, name: str) -> str:
    return manual_path(language, name + SOURCE_SUFFIX).read_text("utf-8")


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")


def _adapt(children: list[Token], language: str) -> None:
    """Write anchors as Qt reads them, link to the pages of the window, and join lines of Chinese text."""
    for child in children:
        if child.type == "softbreak":
            child.type, child.content = "text", _JOINED_LINES[language]
        elif child.type == "html_inline":
            child.content = child.content.replace("<a id=", "<a name=")
        elif child.type == "link_open":
            child.attrs["href"] = str(child.attrs["href"]).replace(SOURCE_SUFFIX, PAGE_SUFFIX)


def _frame_pictures(tokens: Sequence[Token]) -> None:
    """Make a class of paragraphs that are a picture, and each picture a link to it in full size."""
    for paragraph, token in pairwise(tokens):
        children = token.children or []
        if paragraph.type == "paragraph_open" and [child.type for child in children] == ["image"]:
            paragraph.attrs["class"] = PICTURE_CLASS
            link = Token("link_open", "a", 1, attrs={"href": children[0].attrs["src"]})
            token.children = [link, *children, Token("link_close", "a", -1)]


def _sections(tokens: Sequence[Token]) -> Iterator[Section]:
    anchor, heading, texts = "", "", list[str]()
    for place, token in enumerate(tokens):
        if token.type == "inline" and tokens[place - 1].type == "heading_open":
            if heading:
                yield Section(anchor, heading, "\n".join(texts))
            found = _ANCHOR.search(token.content)
            anchor, heading, texts = found[1] if found else "", _plain(token), []
        elif token.type == "inline":
            texts.append(_plain(token))
    yield Section(anchor, heading, "\n".join(texts))


def _plain(token: Token) -> str:
    """Text of a paragraph, heading or table cell as it is displayed."""
    shown = (child.content for child in token.children or [] if child.type in {"text", "code_inline"})
    return "".join(shown)


def search_terms(query: str) -> list[str]:
    """Split what the user searches for into terms, all of which a section has to contain."""
    return query.casefold().split()


def search_page(language: str, query: str) -> str:
    """Return the HTML body that lists the sections of the manual with all terms of `query`."""
    terms = search_terms(query)
    found = [
        _hit(page, section, terms)
        for page in pages_of(language)[1:]
        for section in page.sections
        if all(term in f"{section.heading}\n{section.text}".casefold() for term in terms)
    ]
    heading = _("Search: {query}").format(query=" ".join(query.split()))
    nothing = _("The manual does not contain this. Try another or a shorter word.")
    return f"<h1>{escape(heading)}</h1>" + ("".join(found) or f"<p>{escape(nothing)}</p>")


def _hit(page: ManualPage, section: Section, terms: Sequence[str]) -> str:
    target = f"{page.name}{PAGE_SUFFIX}" + (f"#{section.anchor}" if section.anchor else "")
    place = page.title if section is page.sections[0] else f"{page.title} › {section.heading}"
    return f'<p><a href="{target}">{escape(place)}</a><br/>{_excerpt(section.text, terms)}</p>'


def _excerpt(text: str, terms: Sequence[str]) -> str:
    """Return the text around the first term in it, with all terms marked."""
    flat = " ".join(text.split())
    first = min((place for term in terms if (place := flat.casefold().find(term)) >= 0), default=0)
    start = max(0, first - _BEFORE_HIT_CHARACTERS)
    cut = flat[start : start + _EXCERPT_CHARACTERS]
    pattern = "|".join(map(re.escape, terms))
    parts = re.split(f"({pattern})", cut, flags=re.IGNORECASE)
    marked = "".join(f"<b>{escape(part)}</b>" if at % 2 else escape(part) for at, part in enumerate(parts))
    return ("… " if start else "") + marked + (" …" if start + len(cut) < len(flat) else "")

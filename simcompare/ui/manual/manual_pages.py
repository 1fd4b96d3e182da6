"""Pages of the manual, made of the Markdown in resources/manual, and their look in the window."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPointF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QFont,
    QGuiApplication,
    QImage,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextTable,
)

from simcompare.support.i18n import _, language_among
from simcompare.support.resources import resource_path
from simcompare.ui.style.theme import FONT_FAMILIES, LATIN_FIRST_FAMILIES, LIGHT, Theme

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


_PICTURE_SUFFIX = ".png"
_FAMILIES = {"zh": FONT_FAMILIES, "en": LATIN_FIRST_FAMILIES}
_LINE_PERCENT = {"zh": 125, "en": 140}
"""Of the height that the font itself asks for; CJK fonts ask for a third more than Latin ones."""
_PDF_POINTS = 10.0
_PDF_MARGIN_INCHES = 2 / 2.54
_PDF_PICTURE_INCHES = 20 / 3
"""Width of pictures, nearly the 17 cm between the margins of A4."""
_PDF_PICTURE_DPI = 192
_NEW_PAGE = QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore


def dress(document: QTextDocument, language: str, theme: Theme, points: float) -> None:
    """Set font and style sheet of a document, for HTML that is set afterwards."""
    font = QFont(list(_FAMILIES[language]))
    font.setPointSizeF(points)
    document.setDefaultFont(font)
    document.setDefaultStyleSheet(_style_sheet(language, theme, points))


def is_picture(url: QUrl) -> bool:
    return url.path().endswith(_PICTURE_SUFFIX)


def picture(url: QUrl, width_px: int, pixel_ratio: float) -> QImage:
    """Load a picture of the manual, scaled down to a width in device-independent pixels.

    The image is empty if there is no such picture.
    """
    image = QImage(str(manual_path("pictures", url.fileName())))
    pixels = round(width_px * pixel_ratio)
    if image.width() > pixels > 0:
        image = image.scaledToWidth(pixels, Qt.TransformationMode.SmoothTransformation)
        image.setDevicePixelRatio(pixel_ratio)
    elif image.width() > width_px > 0:
        image.setDevicePixelRatio(image.width() / width_px)
    return image


def _style_sheet(language: str, theme: Theme, points: float) -> str:
    line = _LINE_PERCENT[language]
    return f"""
        p, li, h1, h2, h3, td, th {{ line-height: {line}%; }}
        p {{ margin-top: 0; margin-bottom: {points * 0.8:.0f}px; }}
        p.{PICTURE_CLASS} {{ line-height: 100%; }}
        li {{ margin-bottom: {points * 0.4:.0f}px; }}
        ul, ol {{ margin-top: 0; margin-bottom: {points * 0.8:.0f}px; }}
        h1 {{ font-size: {points * 1.75:.1f}pt; margin-top: 0; margin-bottom: {points * 1.2:.0f}px; }}
        h2 {{ font-size: {points * 1.3:.1f}pt; margin-top: {points * 2:.0f}px;
              margin-bottom: {points * 0.8:.0f}px; }}
        h3 {{ font-size: {points * 1.1:.1f}pt; margin-top: {points * 1.4:.0f}px;
              margin-bottom: {points * 0.6:.0f}px; }}
        h1, h2, h3, th {{ color: {theme.ink}; font-weight: 600; }}
        p, li, td {{ color: {theme.ink}; }}
        a {{ color: {theme.accent}; text-decoration: none; }}
        code {{ background-color: {theme.accent_tint}; }}
        table {{ border-collapse: collapse; border-color: {theme.line}; margin-bottom: {points:.0f}px; }}
        th {{ background-color: {theme.raised}; text-align: left; }}
        th, td {{ padding: 5px 9px; border: 1px solid {theme.line}; vertical-align: top; }}
        blockquote {{ color: {theme.muted}; }}
    """


class _PrintedPage(QTextDocument):
    """A page with its pictures in the width of the paper."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        del kind
        screen_dpi = _screen_dpi()
        width_px = round(_PDF_PICTURE_INCHES * screen_dpi)
        return picture(QUrl(name), width_px, _PDF_PICTURE_DPI / screen_dpi)


def pdf_of(page: ManualPage) -> bytes:
    """Return a page of the manual as PDF: A4 with page numbers, in the colours of the light theme."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(page.title)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))  # the document adds its own
    document = _PrintedPage()
    dress(document, page.language, LIGHT, _PDF_POINTS)
    document.setHtml(page.html)
    document.documentLayout().setPaintDevice(writer)
    frame = document.rootFrame().frameFormat()
    frame.setMargin(_margin(document) * _screen_dpi() / writer.logicalDpiY())
    document.rootFrame().setFrameFormat(frame)
    document.setPageSize(QSizeF(writer.width(), writer.height()))
    _keep_together(document)
    _draw_pages(document, writer)
    del writer  # writes the end of the file
    return bytes(buffer.data().data())


def _keep_together(document: QTextDocument) -> None:
    """Begin a new page with a table that two pages would share, and with a heading at the end of a page.

    Qt has no style for it, and `QTextDocument.print_` lays the document out again, with other page breaks.
    """
    block = document.begin()
    while block.isValid():
        table = QTextCursor(block).currentTable()
        following = block.next()
        if block.blockFormat().headingLevel() and following.isValid():
            _begin_page_if_cut(document, block, QTextCursor(following).currentTable() or following)
        elif table is not None:
            _begin_page_if_cut(document, table, table)
            block = table.lastCursorPosition().block()
        block = block.next()


def _begin_page_if_cut(
    document: QTextDocument, first: QTextBlock | QTextTable, last: QTextBlock | QTextTable
) -> None:
    """Begin a new page with `first` if the end of `last` is on another page, and both fit on one."""
    height, margin = document.pageSize().height(), _margin(document)
    top, bottom = _bounds(document, first).top(), _bounds(document, last).bottom()
    # Qt moves a line that would reach into the margin, but leaves the bounds of its block as they are
    is_cut = (top + margin) // height != (bottom + margin) // height
    if not is_cut or bottom - top > height - 2 * margin:
        return
    if isinstance(first, QTextTable):
        table_format = first.format()
        table_format.setPageBreakPolicy(_NEW_PAGE)
        first.setFormat(table_format)
    else:
        block_format = first.blockFormat()
        block_format.setPageBreakPolicy(_NEW_PAGE)
        QTextCursor(first).setBlockFormat(block_format)


def _bounds(document: QTextDocument, part: QTextBlock | QTextTable) -> QRectF:
    """Place of a table, or of the first line of a block."""
    layout = document.documentLayout()
    if isinstance(part, QTextTable):
        return layout.frameBoundingRect(part)
    bounds = layout.blockBoundingRect(part)
    if part.layout().lineCount():
        bounds.setHeight(part.layout().lineAt(0).rect().bottom())
    return bounds


def _margin(document: QTextDocument) -> float:
    return _PDF_MARGIN_INCHES * document.documentLayout().paintDevice().logicalDpiY()


def _screen_dpi() -> float:
    """Return the dots per inch of lengths in a document: Qt scales them from the screen to the paper."""
    return QGuiApplication.primaryScreen().logicalDotsPerInchY()


def _draw_pages(document: QTextDocument, writer: QPdfWriter) -> None:
    page = QRectF(QPointF(0, 0), document.pageSize())
    margin = _margin(document)
    with QPainter(writer) as painter:
        painter.setFont(document.defaultFont())
        for number in range(1, document.pageCount() + 1):
            if number > 1:
                writer.newPage()
            painter.save()
            painter.translate(0, -page.height() * (number - 1))
            document.drawContents(painter, page.translated(0, page.height() * (number - 1)))
            painter.restore()
            foot = page.adjusted(margin, page.height() - margin, -margin, -margin / 2)
            painter.drawText(foot, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number))

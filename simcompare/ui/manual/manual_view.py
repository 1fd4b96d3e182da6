"""Text area of the manual: shows pages and search results in the theme and text size of the window."""

from collections.abc import Iterator, Sequence
from html import escape

from PySide6.QtCore import QPoint, Qt, QTimer, QUrl, QUrlQuery
from PySide6.QtGui import QColor, QResizeEvent, QTextCharFormat, QTextCursor, QTextDocument, QWheelEvent
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit, QWidget

from simcompare.ui.manual.manual_look import dress, is_picture, picture
from simcompare.ui.manual.manual_pages import (
    INDEX,
    MANUAL_LANGUAGES,
    PAGE_SUFFIX,
    PICTURE_CLASS,
    manual_language,
    page_of,
    pages_of,
    search_page,
    search_terms,
)
from simcompare.ui.style.appearance import APPEARANCE, current_theme, follow_theme, scaled
from simcompare.ui.style.theme import GRID_PX, surface_palette

_SCHEME = "manual"
_SEARCH = "search"
"""Name of the page of search results; its URL has the query."""
_RESIZE_DELAY_MS = 80
_BODY_POINTS = 10.5
_WIDEST_PX = 820
"""Width of lines at the usual text size; in wider windows the margins grow."""
_LEAST_MARGIN_PX = 4 * GRID_PX


def url_of(language: str, page: str, anchor: str = "") -> QUrl:
    """Return the URL of a page of the manual."""
    url = QUrl(f"{_SCHEME}:/{language}/{page}{PAGE_SUFFIX}")
    if anchor:
        url.setFragment(anchor)
    return url


def search_url(language: str, query: str) -> QUrl:
    """Return the URL of the page with the results of a search."""
    url, values = url_of(language, _SEARCH), QUrlQuery()
    values.addQueryItem("q", str(QUrl.toPercentEncoding(query).data(), "ascii"))
    url.setQuery(values)
    return url


def language_and_page(url: QUrl) -> tuple[str, str]:
    """Return language and name of the page of a URL; of anything else, those of the index."""
    _root, language, page, *_rest = *url.path().split("/"), "", ""
    if url.scheme() != _SCHEME or language not in MANUAL_LANGUAGES:
        return manual_language(), INDEX
    name = page.removesuffix(PAGE_SUFFIX)
    return language, name if name in {_SEARCH, *(each.name for each in pages_of(language))} else INDEX


def query_of(url: QUrl) -> str:
    """Return what a URL of search results searches for, otherwise an empty text."""
    return QUrlQuery(url).queryItemValue("q", QUrl.ComponentFormattingOption.FullyDecoded)


class ManualView(QTextBrowser):
    """Shows the manual: only its own pages and pictures are loaded."""

    def __init__(self, text_percent: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text_percent = text_percent
        self._marked = ""
        self._shows_search = self._shows_picture = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        # a bar that comes and goes would change the width of pictures
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._resized = QTimer(self, singleShot=True, interval=_RESIZE_DELAY_MS)
        self._resized.timeout.connect(self.show_again)
        self._width_px = 0
        """Width for which the lines are broken."""
        self._top: int | None = None
        """First visible character; None if the user has not scrolled since the page was opened."""
        self.document().setDocumentMargin(0)
        self.sourceChanged.connect(self._mark)
        self.sourceChanged.connect(self._forget_top)
        self.verticalScrollBar().valueChanged.connect(self._remember_top)
        follow_theme(self._apply_theme)

    @property
    def _points(self) -> float:
        """Size of the text, by the setting of texts and by that of the whole window."""
        return _BODY_POINTS * self._text_percent / 100 * APPEARANCE.text_scale

    def set_text_percent(self, percent: int) -> None:
        """Set the text size in per cent of the usual one."""
        self._text_percent = percent
        self.show_again()

    def mark(self, query: str) -> None:
        """Mark the terms of a search, here and on the pages shown later; an empty query marks nothing."""
        self._marked = query
        self._mark()

    def show_again(self) -> None:
        """Show the page again in other looks or another width; the text at the top stays there."""
        if self.source().isEmpty():
            return
        top = self._top
        self._set_margins()
        self.document().setTextWidth(self.viewport().width())  # Qt does not before the view is shown
        self.reload()  # goes to the anchor of the page
        if top is not None:
            self._scroll_to(top)
        self._top, self._width_px = top, self.viewport().width()
        self._mark()

    def _scroll_to(self, position: int) -> None:
        cursor = self.textCursor()
        cursor.setPosition(min(position, self.document().characterCount() - 1))
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect(cursor).top() if position else 0)

    def _forget_top(self) -> None:
        self._top = None

    def _remember_top(self) -> None:
        """Remember the first visible character, unless lines are being broken for another width."""
        if self.viewport().width() == self._width_px:
            is_start = self.verticalScrollBar().value() == 0
            self._top = 0 if is_start else self.cursorForPosition(QPoint(0, 0)).position()

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: N802 - Qt's name
        """Return the HTML of a page, or a picture as wide as the page."""
        url = QUrl(name)
        if kind == QTextDocument.ResourceType.ImageResource.value:
            width_px = 0 if self._shows_picture else self.viewport().width()
            return picture(url, width_px, self.devicePixelRatioF())
        language, page = language_and_page(url)
        dress(self.document(), language, current_theme(), self._points)
        query = query_of(url)
        self._shows_search, self._shows_picture = bool(query), is_picture(url)
        if self._shows_picture:
            return f'<p class="{PICTURE_CLASS}"><img src="{escape(url.toString())}"/></p>'
        return search_page(language, query) if query else page_of(language, page).html

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Adapt margins and pictures once the size stays."""
        super().resizeEvent(event)
        self._set_margins()
        if event.size().width() != event.oldSize().width():
            self._resized.start()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Leave Ctrl + wheel, with which Qt would change this font only, to the window."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
        else:
            super().wheelEvent(event)

    def _set_margins(self) -> None:
        widest = scaled(_WIDEST_PX) * self._text_percent // 100
        side = max(_LEAST_MARGIN_PX, (self.width() - widest) // 2)
        self.setViewportMargins(side, _LEAST_MARGIN_PX, side, 0)

    def _mark(self) -> None:
        theme = current_theme()
        looks = QTextCharFormat()
        looks.setBackground(QColor(theme.found_tint))
        looks.setForeground(QColor(theme.found))
        found = [] if self._shows_search else list(self._places_of(search_terms(self._marked)))
        self.setExtraSelections([_selection(cursor, looks) for cursor in found])

    def _places_of(self, terms: Sequence[str]) -> Iterator[QTextCursor]:
        for term in terms:
            cursor = self.document().find(term)
            while not cursor.isNull():
                yield cursor
                cursor = self.document().find(term, cursor)

    def _apply_theme(self) -> None:
        self.setPalette(surface_palette(current_theme()))
        self.show_again()


def _selection(cursor: QTextCursor, looks: QTextCharFormat) -> QTextEdit.ExtraSelection:
    selection = QTextEdit.ExtraSelection()
    selection.cursor, selection.format = cursor, looks
    return selection

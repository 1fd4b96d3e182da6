"""Window of the manual, and F1: the page of the place where the user is, also in a dialog, menu or pop-up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from PySide6.QtCore import QObject, QPoint, QSize, Qt, QTimer, QUrl, QUrlQuery
from PySide6.QtGui import (
    QColor,
    QKeySequence,
    QResizeEvent,
    QShortcut,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFrame,
    QLineEdit,
    QListWidget,
    QMainWindow,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTextBrowser,
    QTextEdit,
    QToolButton,
    QWidget,
)

from simcompare.support.i18n import LANGUAGES, N_, _
from simcompare.ui.actions import Command
from simcompare.ui.compare.text_pane.typography import TextSize
from simcompare.ui.file_dialogs import ask_where_to_write, saved_in_words
from simcompare.ui.labels import add_clear_button
from simcompare.ui.manual.manual_pages import (
    INDEX,
    MANUAL_LANGUAGES,
    PAGE_SUFFIX,
    PICTURE_CLASS,
    ManualPage,
    dress,
    is_picture,
    manual_language,
    page_of,
    pages_of,
    pdf_of,
    picture,
    search_page,
    search_terms,
)
from simcompare.ui.notice_bar import NoticeBar
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.style.layouts import ICON_PX, FocusFrame, column_of, row_of, tool_button
from simcompare.ui.style.theme import (
    APPEARANCE,
    GRID_PX,
    current_application,
    current_theme,
    follow_theme,
    icon,
    scaled,
    use_sheet,
)


@dataclass(frozen=True, slots=True)
class ManualPlace:
    """A page of the manual, and the anchor of a heading on it; empty for its beginning."""

    page: str
    anchor: str = ""


PLACES = {
    # pages of the window
    "StartPage": ManualPlace("first-class"),
    "ClassPage": ManualPlace("first-class", "class"),
    "CompareView": ManualPlace("reading-a-pair"),
    "LibraryPage": ManualPlace("library"),
    # parts of the window
    "CommonTextBar": ManualPlace("what-does-not-count", "common"),
    "EssayPage": ManualPlace("first-class", "sources"),
    "DecisionBar": ManualPlace("reading-a-pair", "steps"),
    "DocumentList": ManualPlace("first-class", "documents"),
    "ExclusionButton": ManualPlace("reading-a-pair", "excluding"),
    "FindBar": ManualPlace("reading-a-pair", "more"),
    "HitsView": ManualPlace("library", "searching"),
    "MethodButton": ManualPlace("reading-a-pair", "strictness"),
    "NotePopup": ManualPlace("reading-a-pair", "steps"),
    "PairDetails": ManualPlace("reading-a-pair", "more"),
    "PairDetailsButton": ManualPlace("reading-a-pair", "more"),
    "PassageList": ManualPlace("reading-a-pair", "kinds"),
    "RecoveryBar": ManualPlace("troubleshooting", "crash"),
    "ShareHistogram": ManualPlace("percentages", "limit"),
    "StrictnessButton": ManualPlace("reading-a-pair", "strictness"),
    # dialogs
    "AboutDialog": ManualPlace(INDEX),
    "AdditionDialog": ManualPlace("library", "adding"),
    "CaseDialog": ManualPlace("reports", "steps"),
    "ClassListDialog": ManualPlace("what-does-not-count", "class-list"),
    "ClosingDialog": ManualPlace("reports", "steps"),
    "CommonSentencesDialog": ManualPlace("what-does-not-count", "common"),
    "ExportDialog": ManualPlace("reports"),
    "LinesDialog": ManualPlace("library", "deleting"),
    "NamesDialog": ManualPlace("reports", "names"),
    "PasswordDialog": ManualPlace("troubleshooting", "password"),
    "PictureTableDialog": ManualPlace("accessibility", "screen-reader"),
    "PasteDialog": ManualPlace("first-class", "adding"),
    "ProblemDialog": ManualPlace("troubleshooting", "stuck"),
    "ReceiptDialog": ManualPlace("troubleshooting", "checking"),
    "RecognitionDialog": ManualPlace("troubleshooting", "scans"),
    "ReplaceDialog": ManualPlace("reports", "steps"),
    "RetentionDialog": ManualPlace("library", "keeping"),
    "ServerDialog": ManualPlace("library", "server"),
    "ShortcutsDialog": ManualPlace("accessibility", "keyboard"),
    "UnsavedDialog": ManualPlace("first-class", "saving"),
}
"""Places by the name of the widget's class."""


def place_of(focused: QWidget | None, page: QWidget | None) -> ManualPlace:
    """Return the place of the widget that has the focus or of what contains it, or else of `page`.

    page: the page that the main window shows.
    """
    for widget in (*_with_parents(focused), *_with_parents(page)):
        for name in (each.__name__ for each in type(widget).__mro__):
            if name in PLACES:
                return PLACES[name]
    return ManualPlace(INDEX)


def _with_parents(widget: QWidget | None) -> Iterator[QWidget]:
    while widget is not None:
        yield widget
        widget = widget.parentWidget()


_SCHEME = "manual"
_SEARCH = "search"
"""Name of the page of search results; its URL has the query."""
_RESIZE_DELAY_MS = 80
_BODY_POINTS = 10.5
_WIDEST_PX = 820
"""Width of lines at the usual text size; in wider windows the margins grow."""
_LEAST_MARGIN_PX = 4 * GRID_PX


def url_of(language: str, page: str, anchor: str = "") -> QUrl:
    url = QUrl(f"{_SCHEME}:/{language}/{page}{PAGE_SUFFIX}")
    if anchor:
        url.setFragment(anchor)
    return url


def search_url(language: str, query: str) -> QUrl:
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
    """Return the search text in a URL of search results, otherwise an empty text."""
    return QUrlQuery(url).queryItemValue("q", QUrl.ComponentFormattingOption.FullyDecoded)


class ManualView(QTextBrowser):
    """Shows the manual: only its own pages and pictures are loaded."""

    def __init__(self, text_percent: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text_percent = text_percent
        self._marked = ""
        self._shows_search = self._shows_picture = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        FocusFrame(self)
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
        follow_theme(self.show_again)

    @property
    def _points(self) -> float:
        """Size of the text, by the setting of texts and by that of the whole window."""
        return _BODY_POINTS * self._text_percent / 100 * APPEARANCE.text_scale

    def set_text_percent(self, percent: int) -> None:
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
            cursor = self.textCursor()
            cursor.setPosition(min(top, self.document().characterCount() - 1))
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + self.cursorRect(cursor).top() if top else 0)
        self._top, self._width_px = top, self.viewport().width()
        self._mark()

    def _forget_top(self) -> None:
        self._top = None

    def _remember_top(self) -> None:
        """Remember the first visible character, unless lines are being broken for another width."""
        if self.viewport().width() == self._width_px:
            is_start = self.verticalScrollBar().value() == 0
            self._top = 0 if is_start else self.cursorForPosition(QPoint(0, 0)).position()

    def loadResource(self, kind: int, name: QUrl | str) -> object:
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_margins()
        if event.size().width() != event.oldSize().width():
            self._resized.start()

    def wheelEvent(self, event: QWheelEvent) -> None:
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


def _selection(cursor: QTextCursor, looks: QTextCharFormat) -> QTextEdit.ExtraSelection:
    selection = QTextEdit.ExtraSelection()
    selection.cursor, selection.format = cursor, looks
    return selection


_SIZE_PX = QSize(1080, 780)
_MINIMUM_SIZE_PX = QSize(340, 360)
_LIST_WIDTH_PX = 284
_NARROW_PX = 720
"""Width of the window below which the list of pages is hidden."""
_SHARE_OF_SCREEN = 0.9


class ManualWindow(QWidget):
    """The manual beside the window it explains; it can be used while a dialog is open.

    Follows language, theme and text size of the program. Esc closes it, Ctrl+F goes to the search.
    """

    def __init__(self, text_size: TextSize) -> None:
        super().__init__()
        self._shown_language = ""
        self._list_px = 0
        self.view = ManualView(text_size.percent)
        self.contents = translated(QListWidget(), accessibleName=N_("Pages of the manual"))
        search = N_("Search the manual")
        self.search = translated(QLineEdit(), placeholderText=search, accessibleName=search)
        self.back_button = self._tool("back", N_("Back (Alt+←)"))
        self.forward_button = self._tool("forward", N_("Forward (Alt+→)"))
        self.contents_button = self._tool("contents", N_("Contents"))
        self.pdf_button = self._tool("export", N_("Save this page as PDF…"))
        self.language_button = QPushButton()
        self._body = QSplitter(Qt.Orientation.Horizontal)
        self.notice = NoticeBar()
        self.notice.hide()
        self.setMinimumSize(_MINIMUM_SIZE_PX)
        self.resize((self.screen().availableSize() * _SHARE_OF_SCREEN).boundedTo(_SIZE_PX))
        self.language_button.setObjectName("statusLink")
        add_clear_button(self.search)
        self.contents.setObjectName("manualPages")
        self.contents.setWordWrap(True)
        self.contents.setFrameShape(QListWidget.Shape.NoFrame)
        self.contents.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        steps = (self.back_button, self.forward_button, self.contents_button)
        row = row_of(
            None,
            *steps,
            (self.search, 1),
            self.language_button,
            self.pdf_button,
            spacing_px=GRID_PX,
            margins_px=2 * GRID_PX,
        )
        body = self._body
        body.addWidget(self.contents)
        body.addWidget(self.view)
        body.setStretchFactor(1, 1)
        body.setCollapsible(1, False)
        column_of(self, row, self.notice, (body, 1))
        view = self.view
        self.back_button.clicked.connect(view.backward)
        self.forward_button.clicked.connect(view.forward)
        view.backwardAvailable.connect(self.back_button.setEnabled)
        view.forwardAvailable.connect(self.forward_button.setEnabled)
        self.contents_button.clicked.connect(lambda: self.show_place(ManualPlace(INDEX)))
        self.language_button.clicked.connect(self._show_in_other_language)
        self.pdf_button.clicked.connect(self._ask_where)
        self.search.returnPressed.connect(self._search)
        self.search.textChanged.connect(self._end_search)
        self.contents.currentRowChanged.connect(self._open_row)
        view.sourceChanged.connect(self._follow_source)
        self.addActions(text_size.actions)
        text_size.changed.connect(self.view.set_text_percent)
        for keys, do in (("Esc", self.close), ("Ctrl+F", self._focus_search)):
            QShortcut(QKeySequence(keys), self).activated.connect(do)
        follow_theme(self._fit)
        follow_language(self._follow_language)

    def _tool(self, name: str, text: str) -> QToolButton:
        return tool_button(icon(name), "quietButton", tip=text, accessibleName=text)

    @property
    def page(self) -> ManualPage | None:
        """The page that is shown; None for search results and pictures."""
        return _page_at(self.view.source())

    def show_place(self, place: ManualPlace) -> None:
        self.view.setSource(url_of(manual_language(), place.page, place.anchor))
        self.show()
        self.activateWindow()
        self.view.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_contents()

    def _show_contents(self) -> None:
        self.contents.setVisible(self.width() >= scaled(_NARROW_PX))

    # --- what is shown

    def _follow_source(self, url: QUrl) -> None:
        language, name = language_and_page(url)
        page = _page_at(url)  # the view changes its source afterwards
        self._fill_contents(language)
        names = [each.name for each in pages_of(language)]
        self.contents.blockSignals(True)
        self.contents.setCurrentRow(names.index(name) if name in names else -1)
        self.contents.blockSignals(False)
        self.pdf_button.setEnabled(page is not None)
        self.view.setAccessibleName(page.title if page else _("Manual"))
        title = _("{page} – manual of simcompare").format(page=page.title) if page else _("Manual")
        self.setWindowTitle(title)
        self.language_button.setText(
            next(LANGUAGES[code].name for code in MANUAL_LANGUAGES if code != language)
        )
        self.notice.hide()

    def _fill_contents(self, language: str) -> None:
        if language == self._shown_language:
            return
        self._shown_language = language
        self.contents.blockSignals(True)
        self.contents.clear()
        self.contents.addItems([page.title for page in pages_of(language)])
        self.contents.blockSignals(False)

    def _open_row(self, row: int) -> None:
        if row >= 0:
            language, _page = language_and_page(self.view.source())
            self.view.setSource(url_of(language, pages_of(language)[row].name))

    def _show_in_other_language(self) -> None:
        language, name = language_and_page(self.view.source())
        other = next(code for code in MANUAL_LANGUAGES if code != language)
        known = {page.name for page in pages_of(other)}
        self.view.setSource(url_of(other, name if name in known else INDEX))

    # --- search

    def _focus_search(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    def _search(self) -> None:
        query = self.search.text().strip()
        if query:
            language, _page = language_and_page(self.view.source())
            self.view.mark(query)
            self.view.setSource(search_url(language, query))
            self.view.setFocus()

    def _end_search(self, text: str) -> None:
        if not text.strip():
            self.view.mark("")

    # --- PDF

    def _ask_where(self) -> None:
        page = self.page
        if page is not None:
            title, name = _("Save this page as PDF"), f"simcompare-{page.name}.pdf"
            tell = self.notice.show_notice
            ask_where_to_write(self, title, name, lambda path: tell(saved_in_words(path, pdf_of(page))))

    # --- looks and language

    def _fit(self) -> None:
        if use_sheet(self):
            self.view.show_again()  # the sheet has reset the font of the page
        for button in (self.back_button, self.forward_button, self.contents_button, self.pdf_button):
            button.setIconSize(QSize(scaled(ICON_PX), scaled(ICON_PX)))
        list_px = scaled(_LIST_WIDTH_PX)
        if list_px != self._list_px:  # else the user may have set another width
            self._list_px = list_px
            self._body.setSizes([list_px, max(1, self.width() - list_px)])
        self._show_contents()

    def _follow_language(self) -> None:
        language, name = language_and_page(self.view.source())
        if language != manual_language() and not self.view.source().isEmpty():
            self.view.setSource(url_of(manual_language(), name if self.page else INDEX))


def _page_at(url: QUrl) -> ManualPage | None:
    language, name = language_and_page(url)
    return next((page for page in pages_of(language) if page.name == name), None)


HELP_KEY = "F1"


class ManualHelp(QObject):
    """The command that opens the manual, and its key in the dialogs that block the window.

    The command's own key works everywhere else, also in menus and pop-ups, however late they are made.
    """

    def __init__(self, window: QMainWindow, pages: QStackedWidget, text_size: TextSize) -> None:
        super().__init__(window)
        self._pages = pages
        self._text_size = text_size
        self.window: ManualWindow | None = None
        """The manual, once it was opened."""
        self.entry = Command(
            "manual", N_("Manual"), HELP_KEY, self.open, reach=Qt.ShortcutContext.ApplicationShortcut
        )
        current_application().focusWindowChanged.connect(self._add_key)

    def open(self) -> None:
        """Show the page of the place that has the focus, and close the menu or pop-up that is open.

        The manual has no place of its own: it stays at the page that is being read.
        """
        if self.window is not None and _owner_of(QApplication.activeWindow()) is self.window:
            return
        place = place_of(_focused(), self._pages.currentWidget())
        while (popup := QApplication.activePopupWidget()) is not None and popup.close():
            pass  # a submenu is closed before its menu
        if self.window is None:
            self.window = ManualWindow(self._text_size)
        self.window.show_place(place)

    def close(self) -> None:
        if self.window is not None:
            self.window.close()
            self.window.deleteLater()
            self.window = None

    def _add_key(self) -> None:
        """Give the key to a dialog that blocks the window; in any other it would be ambiguous."""
        dialog = QApplication.activeWindow()
        if not isinstance(dialog, QDialog) or dialog.property(HELP_KEY) is not None:
            return
        if dialog.isModal() and _owner_of(dialog) is self.parent():
            dialog.setProperty(HELP_KEY, True)
            QShortcut(QKeySequence(HELP_KEY), dialog).activated.connect(self.open)


def _owner_of(window: QWidget | None) -> QWidget | None:
    """Return the window that a dialog, or a dialog of a dialog, belongs to; a window belongs to itself."""
    while window is not None and (parent := window.parentWidget()) is not None:
        window = parent
    return window


def _focused() -> QWidget | None:
    """Return the widget with the focus; an open menu has none, but takes the keys."""
    focused, popup = QApplication.focusWidget(), QApplication.activePopupWidget()
    if popup is not None and (focused is None or not popup.isAncestorOf(focused)):
        return popup
    return focused or QApplication.activeWindow()

"""Window of the manual: pages, search, back and forward, the other language, a page as PDF."""

from pathlib import Path

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QLineEdit, QListWidget, QPushButton, QSplitter, QToolButton, QWidget

from simcompare.support.i18n import LANGUAGES, _
from simcompare.ui.compare.text_pane.typography import TextSize
from simcompare.ui.desktop.file_dialogs import ask_where_to_save_pdf, saved_in_words
from simcompare.ui.labels import name_clear_button
from simcompare.ui.manual.manual_look import pdf_of
from simcompare.ui.manual.manual_pages import (
    INDEX,
    MANUAL_LANGUAGES,
    ManualPage,
    manual_language,
    pages_of,
)
from simcompare.ui.manual.manual_view import ManualView, language_and_page, search_url, url_of
from simcompare.ui.manual.places import ManualPlace
from simcompare.ui.notice_bar import NoticeBar
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import current_theme, follow_theme, scaled
from simcompare.ui.style.box_layouts import column_of, row_of
from simcompare.ui.style.icons import icon
from simcompare.ui.style.stylesheet import use_sheet
from simcompare.ui.style.theme import GRID_PX

_SIZE_PX = QSize(1080, 780)
_MINIMUM_SIZE_PX = QSize(340, 360)
_LIST_WIDTH_PX = 284
_NARROW_PX = 720
"""Width of the window below which the list of pages is hidden."""
_SHARE_OF_SCREEN = 0.9
_ICON_PX = 16


class ManualWindow(QWidget):
    """The manual beside the window it explains; it can be used while a dialog is open.

    Follows language, theme and text size of the program. Esc closes it, Ctrl+F goes to the search.
    """

    def __init__(self, text_size: TextSize) -> None:
        super().__init__()
        self._shown_language = ""
        self._list_px = 0
        self.view = ManualView(text_size.percent)
        self.contents = QListWidget()
        self.search = QLineEdit()
        self.back_button, self.forward_button, self.contents_button, self.pdf_button = (
            self._tool(name) for name in ("back", "forward", "contents", "export")
        )
        self.language_button = QPushButton()
        self._body = QSplitter(Qt.Orientation.Horizontal)
        self.notice = NoticeBar()
        self.notice.hide()
        self._lay_out()
        self._listen()
        self.addActions(text_size.actions)
        text_size.changed.connect(self.view.set_text_percent)
        for keys, do in (("Esc", self.close), ("Ctrl+F", self._focus_search)):
            QShortcut(QKeySequence(keys), self).activated.connect(do)
        follow_theme(self._apply_theme)
        follow_language(self._retranslate)

    def _tool(self, name: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName("quietButton")
        button.setProperty("drawing", name)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def _lay_out(self) -> None:
        self.setMinimumSize(_MINIMUM_SIZE_PX)
        self.resize((self.screen().availableSize() * _SHARE_OF_SCREEN).boundedTo(_SIZE_PX))
        self.language_button.setObjectName("statusLink")
        self.search.setClearButtonEnabled(True)
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

    def _listen(self) -> None:
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

    @property
    def page(self) -> ManualPage | None:
        """The page that is shown; None for search results and pictures."""
        return _page_at(self.view.source())

    def show_place(self, place: ManualPlace) -> None:
        """Show a page in the language of the window, in front of other windows."""
        self.view.setSource(url_of(manual_language(), place.page, place.anchor))
        self.show()
        self.activateWindow()
        self.view.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Hide the list of pages in a narrow window."""
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
            dialog = ask_where_to_save_pdf(self, _("Save this page as PDF"), f"simcompare-{page.name}.pdf")
            dialog.fileSelected.connect(lambda name: self._save(page, Path(name)))

    def _save(self, page: ManualPage, path: Path) -> None:
        self.notice.show_notice(saved_in_words(path, pdf_of(page)))

    # --- looks and language

    def _apply_theme(self) -> None:
        if use_sheet(self):
            self.view.show_again()  # the sheet has reset the font of the page
        for button in (self.back_button, self.forward_button, self.contents_button, self.pdf_button):
            button.setIcon(icon(button.property("drawing"), current_theme().ink))
            button.setIconSize(QSize(scaled(_ICON_PX), scaled(_ICON_PX)))
        list_px = scaled(_LIST_WIDTH_PX)
        if list_px != self._list_px:  # else the user may have set another width
            self._list_px = list_px
            self._body.setSizes([list_px, max(1, self.width() - list_px)])
        self._show_contents()

    def _retranslate(self) -> None:
        words = {
            self.back_button: _("Back (Alt+Left)"),
            self.forward_button: _("Forward (Alt+Right)"),
            self.contents_button: _("Contents"),
            self.pdf_button: _("Save this page as PDF…"),
        }
        for button, text in words.items():
            button.setToolTip(text)
            button.setAccessibleName(text)
        self.search.setPlaceholderText(_("Search the manual"))
        self.search.setAccessibleName(_("Search the manual"))
        name_clear_button(self.search)
        self.contents.setAccessibleName(_("Pages of the manual"))
        language, name = language_and_page(self.view.source())
        if language != manual_language() and not self.view.source().isEmpty():
            self.view.setSource(url_of(manual_language(), name if self.page else INDEX))


def _page_at(url: QUrl) -> ManualPage | None:
    language, name = language_and_page(url)
    return next((page for page in pages_of(language) if page.name == name), None)

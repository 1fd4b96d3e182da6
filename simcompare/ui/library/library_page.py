"""Page of the library: what is stored or found, with adding and searching above it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QProgressBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from simcompare.library.store.library_place import LibraryServer, default_library_path
from simcompare.model.progress import Pace, with_time_left
from simcompare.support.i18n import N_, _
from simcompare.ui.labels import add_clear_button, rounded_size
from simcompare.ui.library.library_words import error_in_words, essays_in_words
from simcompare.ui.library.stored_view import HitsView, StoredView
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.state.library.additions import WorkKind
from simcompare.ui.state.library.class_search import ClassSearch
from simcompare.ui.state.library.library_state import LibraryState
from simcompare.ui.style.layouts import (
    BAR_MARGINS_PX,
    CurrentPageStack,
    column_of,
    push_button,
    row_of,
    set_options,
)
from simcompare.ui.style.text_labels import ElidedLabel, MutedLabel, WrappedLabel, fit_height
from simcompare.ui.style.theme import GRID_PX, follow_theme, icon, on_surface, scaled

_TEXT_WIDTH_PX, _WIDEST_TEXT_PX = 500, 800


class StartView(QWidget):
    """One sentence and the two buttons that matter; after an error, the error and a button to try again."""

    def __init__(self, library: LibraryState) -> None:
        super().__init__()
        self._library = library
        self.title, self.text = QLabel(), MutedLabel()
        self.title.setObjectName("share")
        self.class_button = push_button(N_("Add this class…"), look="primary")
        self.folder_button = push_button(N_("Add a folder of essays…"))
        self.retry_button = push_button(N_("Try again"), library.refresh)
        self.connection_button = push_button(N_("Change the connection…"))
        column = QVBoxLayout(self)
        column.setSpacing(GRID_PX * 4)
        column.addStretch(2)
        for label in (self.title, self.text):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(label, 0, Qt.AlignmentFlag.AlignHCenter)
        buttons = (
            None,
            self.class_button,
            self.folder_button,
            self.connection_button,
            self.retry_button,
            None,
        )
        column.addLayout(row_of(None, *buttons, spacing_px=GRID_PX * 3))
        column.addStretch(3)
        library.changed.connect(self.show_state)
        library.work_changed.connect(self.show_state)
        library.replaced.connect(self.show_state)
        follow_theme(self.show_state)
        follow_language(self.show_state)

    def show_state(self) -> None:
        error = self._library.error
        is_busy, is_known = self._library.work is not None, self._library.is_known
        for part in (self.class_button, self.folder_button):
            part.setVisible(error is None and is_known and not is_busy)
        is_elsewhere = self._library.is_missing and self._library.place != default_library_path()
        self.retry_button.setVisible(error is not None or is_elsewhere)
        is_on_server = isinstance(self._library.place, LibraryServer)
        self.connection_button.setVisible(error is not None and is_on_server)
        empty = _("There is no library here") if is_elsewhere else _("The library is empty")
        self.title.setText(_("The library cannot be opened") if error else empty)
        self.title.setVisible(is_known and not is_busy)
        if not is_known:
            words = _("Opening the library…")
        elif is_busy:
            words = _("The essays are listed here when all are stored.")
        elif error:
            words = error_in_words(error)
        elif is_elsewhere:
            words = _(
                "{path} does not exist. If it is on another drive, connect the drive and try again. If it is "
                "to be a new library, add essays."
            ).format(path=self._library.place)
        elif is_on_server:
            words = _("It has no essays yet. Add some, and everybody who uses this server can search them.")
        else:
            use = _(
                "It keeps the essays of past years on this computer, so that you see whether a new one was "
                "handed in before, by anyone, in any year."
            )
            drop = _("Drop a folder or a zip archive here, or choose what to add.")
            words = f"{use}\n{drop}"
        self.text.setText(words)
        width_px = min(scaled(_TEXT_WIDTH_PX), _WIDEST_TEXT_PX)
        self.text.setFixedWidth(width_px)
        fit_height(self.text, width_px)


_NARROWEST_SENTENCE_PX = 60 * GRID_PX
_BAR_WIDTH_PX = 20 * GRID_PX
_BAR_HEIGHT_PX = 6

_KINDS_OF_WORK = {
    WorkKind.COMPARING_FILES: N_("Looking for known files: {done} of {total}"),
    WorkKind.ADDING: N_("Adding essay {done} of {total}"),
    WorkKind.EXPORTING: N_("Exporting essay {done} of {total}"),
    WorkKind.CHECKING: N_("Checking essay {done} of {total}"),
    WorkKind.IMPORTING: N_("Importing essay {done} of {total}"),
}
_BEGINNINGS_OF_WORK = {
    WorkKind.ADDING: N_("Looking for the files…"),
    WorkKind.EXPORTING: N_("Beginning to export…"),
    WorkKind.CHECKING: N_("Opening the file…"),
    WorkKind.IMPORTING: N_("Beginning to import…"),
    WorkKind.RECONNECTING: N_("The connection was lost; trying again for a minute…"),
}


class LibraryPage(QWidget):
    """Assembles the parts of the page; what its buttons do is in LibraryCommands."""

    sentence_entered = Signal(str)
    class_requested = Signal()
    """Show the hits of the class again."""

    def __init__(
        self,
        library: LibraryState,
        search: ClassSearch,
        add_menu: QMenu,
        transfer_menu: QMenu,
        other_menu: QMenu,
    ) -> None:
        super().__init__()
        self._library, self._search = library, search
        self.title, self.summary, self.place = translated(QLabel(), N_("Library")), QLabel(), ElidedLabel()
        self.title.setObjectName("share")
        for label in (self.summary, self.place):
            label.setObjectName("muted")
        self.place.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        back_tip = N_("Back to the start page (Alt+←)")
        self.back_button = push_button(lambda: f"‹ {_('Back')}", tip=back_tip, look="statusLink")
        menus = (add_menu, transfer_menu, other_menu)
        self.add_button, self.transfer_button, self.other_button = map(_menu_button, menus)
        add_tip = N_("Add a class, a folder, files or a session to the library")
        translated(self.add_button, N_("Add to the library"), add_tip)
        transfer_tip = N_("Move essays to another computer, or keep a copy, in one file")
        translated(self.transfer_button, N_("Export and import"), transfer_tip)
        translated(self.other_button, N_("Open another"), N_("Use another library, or make a new one"))
        self.trouble, self.retry_button = WrappedLabel(), push_button(N_("Try again"), library.refresh)
        self.connection_button = push_button(N_("Change the connection…"))
        self.search_button = push_button(N_("Check against the library"))
        self.cancel_button = push_button(N_("Cancel"), self._cancel)
        self.method = translated(QComboBox(), accessibleName=N_("How similar essays are found"))
        tip = N_(
            "By words: also what was reworded. By fingerprints: parts of which at most 3 of 64 bits differ"
        )
        translated(self.method, tip=tip)
        invitation = N_("Who else wrote this? Paste a sentence and press Enter")
        self.sentence = translated(
            QLineEdit(),
            tip=invitation,  # which is cut in a narrow window
            placeholderText=invitation,
            accessibleName=N_("Sentence to search for in the library"),
        )
        self.sentence.setMinimumWidth(_NARROWEST_SENTENCE_PX)
        self.sentence.addAction(icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        add_clear_button(self.sentence)
        self.activity, self.bar = ElidedLabel(), translated(QProgressBar(), accessibleName=N_("Progress"))
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(_BAR_WIDTH_PX, _BAR_HEIGHT_PX)
        self.start, self.stored, self.found = StartView(library), StoredView(library), HitsView()
        self._was_known = False
        self._paced: tuple[str, Pace] | None = None
        """Words of what is being done, and its pace."""
        self.body = CurrentPageStack()
        for view in (self.start, self.stored, self.found):
            self.body.addWidget(view)
        on_surface(self)
        gap = GRID_PX * 2
        self._tools, self._work = QWidget(), QWidget()
        row_of(self._work, self.activity, self.bar, self.cancel_button, None, spacing_px=gap)
        head = row_of(
            None,
            self.back_button,
            self.title,
            self.summary,
            (self._work, 1),  # in the place of the path, so that nothing below moves
            (self.place, 1),
            self.transfer_button,
            self.other_button,
            spacing_px=gap,
            margins_px=BAR_MARGINS_PX,
        )
        row_of(
            self._tools,
            self.add_button,
            self.search_button,
            self.method,
            (self.sentence, 1),
            spacing_px=gap,
            margins_px=BAR_MARGINS_PX,
        )
        self._trouble_row = QWidget()
        self._trouble_row.setObjectName("notice")
        self._trouble_row.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row_of(
            self._trouble_row,
            (self.trouble, 1),
            self.connection_button,
            self.retry_button,
            spacing_px=gap,
            margins_px=BAR_MARGINS_PX,
        )
        column_of(self, self._trouble_row, head, self._tools, (self.body, 1))
        for signal in (library.changed, library.work_changed, search.changed):
            signal.connect(self._show_state)
        self.sentence.returnPressed.connect(self._enter_sentence)
        self.found.close_button.clicked.connect(self._leave_found)
        self.stored.class_button.clicked.connect(self.class_requested)
        follow_language(self._retranslate)

    # --- what is shown

    @property
    def shows_sentence(self) -> bool:
        return self.body.currentWidget() is self.found and not self.found.has_essays

    def _leave_found(self) -> None:
        """Show the hits of the class again after those of a sentence, otherwise what is stored."""
        if self.shows_sentence and self._search.was_started:
            self.class_requested.emit()
        else:
            self.show_stored()
            self.stored.groups.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_stored(self) -> None:
        self.sentence.clear()
        self.body.setCurrentWidget(self.stored if self._library.groups else self.start)
        self._show_state()

    def show_found(self) -> None:
        self.body.setCurrentWidget(self.found)
        self._show_state()
        if self.isVisible() and not self.search_button.hasFocus():
            self.found.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def use_class(self, *, is_there: bool, has_other_pages: bool) -> None:
        """Offer what needs a class only if there is one, and the way back only without other pages."""
        tip = "" if is_there else _("Add the essays of the class to the window first.")
        for button in (self.search_button, self.start.class_button):
            button.setEnabled(is_there)
            button.setToolTip(tip)
        self.back_button.setVisible(not has_other_pages)

    def _show_state(self) -> None:
        library = self._library
        has_entries = bool(library.groups)
        was_empty = self.body.currentWidget() is self.start
        if self.body.currentWidget() is not self.found or not has_entries:
            self.body.setCurrentWidget(self.stored if has_entries else self.start)
        if was_empty and has_entries and self.isVisible():
            self.setFocus(Qt.FocusReason.OtherFocusReason)  # a button that is hidden now had it
        self._tools.setVisible(has_entries)
        back = _("Back to the hits of the class")
        leads_to_class = self.shows_sentence and self._search.was_started
        self.found.close_button.setText(back if leads_to_class else _("Show what is stored"))
        self.stored.class_button.setVisible(self._search.was_started)
        error = library.error if has_entries else None
        self._trouble_row.setVisible(error is not None)
        self.trouble.setText(error_in_words(error) if error is not None else "")
        self.connection_button.setVisible(isinstance(library.place, LibraryServer))
        self._show_figures()
        self._show_progress()
        was_known, self._was_known = self._was_known, library.is_known
        if library.is_known and not was_known and self.other_button.hasFocus():
            self.setFocus(Qt.FocusReason.OtherFocusReason)  # it had the focus, as no other button was there

    def _show_figures(self) -> None:
        figures = self._library.figures
        words = []
        if figures is not None and figures.entries:
            words = [essays_in_words(figures.entries), rounded_size(figures.size_bytes)]
        self.summary.setText(" · ".join(words))
        self.place.setText(str(self._library.place))
        self.place.setToolTip(str(self._library.place))
        self.other_button.setEnabled(self._library.work is None)

    def _show_progress(self) -> None:
        work, searching = self._library.work, self._search.progress
        # a file is opened at once
        is_opening = not self._library.is_known and isinstance(self._library.place, LibraryServer)
        is_busy = work is not None or searching is not None
        self._work.setVisible(is_busy or is_opening)
        for label in (self.summary, self.place):  # hidden to make room for the progress
            label.setVisible(not (is_busy or is_opening))
        self.cancel_button.setVisible(is_busy)
        if work is not None:
            done, total = work.done, work.total
            words = _(_KINDS_OF_WORK[work.kind] if total else _BEGINNINGS_OF_WORK[work.kind])
        elif self._search.prepared is not None:
            done, total = self._search.prepared
            words = _("Preparing stored essay {done} of {total} for the search")
        elif searching is not None:
            (done, total), words = searching, _("Searching for essay {done} of {total}")
            if not done:  # processes begin, and read what is stored
                total, words = 0, _("Beginning to search…")
        elif is_opening:
            (done, total), words = (0, 0), _("Connecting to the server…")
        else:
            self._paced = None
            return
        text = words.format(done=f"{min(done + 1, total):,}", total=f"{total:,}")
        if self._paced is None or self._paced[0] != words:
            self._paced = words, Pace.from_now(done)
        self.activity.setText(with_time_left(text, self._paced[1].seconds_left(done, total)))
        self.bar.setRange(0, total)
        self.bar.setValue(done)

    # --- actions

    def _enter_sentence(self) -> None:
        sentence = " ".join(self.sentence.text().split())  # it may be pasted with line ends
        if sentence:
            self.sentence_entered.emit(sentence)

    def _cancel(self) -> None:
        if self._library.work is not None:
            self._library.cancel_work()
        else:
            self._search.cancel()

    def showEvent(self, event: QShowEvent) -> None:
        """Look into the library, which another program may have changed meanwhile."""
        super().showEvent(event)
        self._library.refresh()

    def focusInEvent(self, event: QFocusEvent) -> None:
        offered: list[QWidget] = [self.start.class_button, self.start.folder_button]
        usable = (button for button in offered if button.isVisible() and button.isEnabled())
        shown = next(usable, self.other_button)
        if self.body.currentWidget() is self.stored:
            shown = self.stored.groups
        elif self.body.currentWidget() is self.found:
            shown = self.found.table
        shown.setFocus(event.reason())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_searched = bool(self.sentence.text()) or self.body.currentWidget() is self.found
        if event.key() == Qt.Key.Key_Escape and is_searched:
            self._leave_found()
        else:
            super().keyPressEvent(event)

    def _retranslate(self) -> None:
        methods = [("words", _("by words in common")), ("fingerprints", _("by fingerprints"))]
        set_options(self.method, methods, self.method.currentData() or "words")
        self._show_state()


def _menu_button(menu: QMenu) -> QToolButton:
    button = QToolButton()
    button.setObjectName("barButton")
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setMenu(menu)
    return button

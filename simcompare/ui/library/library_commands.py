"""Commands of the library: add, delete, keep until, search, open what was found, use another library."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDate, QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QComboBox, QLineEdit, QMenu, QWidget

from simcompare.library.library_errors import RetentionDateError
from simcompare.library.store.library_place import LibraryPlace, LibraryServer, default_library_path
from simcompare.library.tags import STUDENT, parsed_date
from simcompare.model.errors import SimcompareError
from simcompare.report.entry_words import OPENED_FOLDER
from simcompare.report.wording import pair_decision_in_words
from simcompare.session.school_class import DocumentRole
from simcompare.session.session_data import SessionDocument
from simcompare.support.display_text import day_in_words, display_name
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.actions import Command
from simcompare.ui.compare.text_pane.highlights import Utf16Map
from simcompare.ui.file_dialogs import (
    ARCHIVES,
    SESSIONS,
    ask_for_documents,
    ask_for_exported_library,
    ask_for_folder,
    ask_for_library,
    ask_for_session,
    ask_where_to_export_library,
    show_in_folder,
)
from simcompare.ui.library.library_dialogs import AdditionDialog, ProtocolDialog, RemovalDialog, ServerDialog
from simcompare.ui.library.library_page import LibraryPage
from simcompare.ui.library.library_words import (
    aside_in_words,
    entry_details,
    error_in_words,
    essays_in_words,
    group_in_words,
    import_in_words,
    receipt_in_words,
    receipt_lines,
    tag_of,
)
from simcompare.ui.library.stored_view import FoundRow, StoredView
from simcompare.ui.notice_bar import NoticeBar
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.cohort.student_labels import StudentLabels
from simcompare.ui.state.language import NamedAction, follow_language
from simcompare.ui.state.library.additions import AdditionReceipt, AdditionTags
from simcompare.ui.state.library.class_search import ClassSearch, class_essays, class_to_add
from simcompare.ui.state.library.library_state import LibraryState
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.dialogs import Dialog, LinesDialog, form_of
from simcompare.ui.style.layouts import column_of, default_button, other_button, row_of, set_options
from simcompare.ui.style.text_labels import MutedLabel, WrappedLabel, as_tooltip
from simcompare.ui.style.theme import GRID_PX

if TYPE_CHECKING:
    from simcompare.library.entries import EntryGroup, StoredEntry
    from simcompare.library.search.search import LibraryHit
    from simcompare.library.transfer import ImportSummary
    from simcompare.model.document import Document


_LOOKING_DELAY_MS = 1500
"""After the page is shown: loading the database toolkit would slow down the start."""


class LibraryLink(QObject):
    """Describes a library in a link.

    A file is looked into a moment after the link is shown; a server only when its page is opened.
    """

    def __init__(
        self, link: QWidget, show_texts: Callable[[str, str, str], None], library: LibraryState
    ) -> None:
        """show_texts: shows a title, a description and a tool tip."""
        super().__init__(link)
        self._link, self._show_texts, self._library = link, show_texts, library
        self._looking = QTimer(self, singleShot=True, interval=_LOOKING_DELAY_MS)
        self._looking.timeout.connect(self._look)
        link.installEventFilter(self)
        library.changed.connect(self._describe)
        library.replaced.connect(self._describe)
        follow_language(self._describe)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._link and event.type() == QEvent.Type.Show:
            self._looking.start()
        elif watched is self._link and event.type() == QEvent.Type.Hide:
            self._looking.stop()
        return super().eventFilter(watched, event)

    def _look(self) -> None:
        if not isinstance(self._library.place, LibraryServer):
            self._library.refresh()

    def _describe(self) -> None:
        library, tip = self._library, str(self._library.place)
        if library.error is not None:
            words, tip = _("It cannot be opened"), error_in_words(library.error)
        elif library.figures is not None and library.figures.entries:
            words = essays_in_words(library.figures.entries)
        elif library.is_known:
            words = _("Empty so far: essays are kept here for later years")
        else:
            words = _("Essays of past years")
        self._show_texts(_("Open the library"), words, as_tooltip(tip))


_WIDTH_PX = 440
_YEARS = (1, 2, 3, 5, 10)
_OTHER, _NEVER = "other", "never"


class RetentionDialog(Dialog):
    """Asks how long the essays of a class may be kept: a number of years, another date, or without end."""

    confirmed = Signal(object)
    """The last day as a date, or None."""

    def __init__(self, group: EntryGroup, parent: QWidget) -> None:
        super().__init__(_("Keep until"), parent, width_px=_WIDTH_PX)
        heading = _("How long may {name} be kept?").format(name=group_in_words(group))
        self.heading = WrappedLabel(heading, "pairName")
        self.choice, self.field = QComboBox(), QLineEdit()
        years = [(str(count), ngettext("{count} year", "{count} years", count)) for count in _YEARS]
        options = [*years, (_OTHER, _("Until another date")), (_NEVER, _("No end date"))]
        set_options(self.choice, options, _OTHER if group.final_last_day else str(_YEARS[0]))
        self.field.setPlaceholderText(_("Year-month-day, such as 2028-07-31"))
        self.explanation = MutedLabel()
        self.save_button = default_button(_("Save"), self._confirm)
        self.cancel_button = other_button(_("Cancel"), self.reject)
        form = form_of({_("Keep for"): self.choice, _("Last day"): self.field}, at_top=self.explanation)
        buttons = row_of(None, None, self.cancel_button, self.save_button, spacing_px=GRID_PX * 2)
        parts = (self.heading, form, self.explanation, buttons)
        column_of(self, *parts, spacing_px=GRID_PX * 4, margins_px=GRID_PX * 5)
        self.choice.currentIndexChanged.connect(self._show_day)
        self.choice.activated.connect(self._go_to_field)
        self.field.textEdited.connect(self._follow_field)
        self._show_day()
        if group.final_last_day:
            self.field.setText(group.final_last_day)
        self._explain()

    def _show_day(self) -> None:
        chosen = self.choice.currentData()
        if chosen not in {_OTHER, _NEVER}:
            self.field.setText(QDate.currentDate().addYears(int(chosen)).toString("yyyy-MM-dd"))
        elif chosen == _NEVER:
            self.field.clear()
        self.field.setEnabled(chosen != _NEVER)
        self._explain()

    def _go_to_field(self) -> None:
        if self.choice.currentData() == _OTHER:
            self.field.setFocus()
            self.field.selectAll()

    def _follow_field(self) -> None:
        self.choice.setCurrentIndex(self.choice.findData(_OTHER))
        self._explain()

    def _day(self) -> date | None:
        """Return the last day, or None without one. Raises RetentionDateError."""
        return None if self.choice.currentData() == _NEVER else parsed_date(self.field.text().strip())

    def _explain(self) -> None:
        try:
            is_date = self._day() is not None
        except RetentionDateError as error:
            self.explanation.setText(str(error) if self.field.text().strip() else _("Enter the last day."))
            self.save_button.setEnabled(False)
            return
        self.save_button.setEnabled(True)
        self.explanation.setText(
            _("Nothing is deleted automatically. After that day the class is marked; one click deletes it.")
            if is_date
            else _("The essays are kept until you delete them.")
        )

    def _confirm(self) -> None:
        day = self._day()
        self.accept()
        self.confirmed.emit(day)


class RetentionCommands(QObject):
    def __init__(self, library: LibraryState, view: StoredView, notice: NoticeBar, window: QWidget) -> None:
        super().__init__(window)
        self._library, self._notice, self._window = library, notice, window
        view.retention_requested.connect(self.ask_until)
        library.retained.connect(self._tell)

    def ask_until(self, group: EntryGroup) -> None:
        dialog = RetentionDialog(group, self._window)
        dialog.confirmed.connect(lambda day: self._library.retain(group, day))
        dialog.open()

    def _tell(self, until: date | None, count: int) -> None:
        essays = essays_in_words(count)
        words = _("{essays} may be kept until {day}.") if until else _("{essays} no longer have an end date.")
        self._notice.show_notice(words.format(essays=essays, day=until and day_in_words(until)), passes=True)


class TransferCommands(QObject):
    """Export and import of one library; `menu` has both."""

    def __init__(self, library: LibraryState, notice: NoticeBar, window: QWidget) -> None:
        super().__init__(window)
        self._library, self._notice, self._window = library, notice, window
        self.menu = QMenu(window)
        self.export_action = NamedAction(N_("Export to a file…"), self.menu, self.ask_where_to_export)
        self.import_action = NamedAction(N_("Import a file…"), self.menu, self.ask_what_to_import)
        for signal in (library.changed, library.work_changed):
            signal.connect(self._enable)
        library.exported.connect(self._tell_exported)
        library.imported.connect(self._tell_imported)
        self._enable()

    def _enable(self) -> None:
        is_free = self._library.work is None
        self.export_action.setEnabled(is_free and bool(self._library.groups))
        self.import_action.setEnabled(is_free)

    def ask_where_to_export(self) -> None:
        today = QDate.currentDate().toString("yyyy-MM-dd")
        ask_where_to_export_library(self._window, f"{_('Library')} {today}.zip", self._library.export_to)

    def ask_what_to_import(self) -> None:
        ask_for_exported_library(self._window, self._library.import_from)

    def _tell_exported(self, exported: tuple[Path, int | None]) -> None:
        path, entries = exported
        name = display_name(path.name)
        if entries is None:
            self._notice.show_notice(_("You stopped the export; {name} was not written.").format(name=name))
            return
        words = ngettext(
            "Library: {count} essay exported to {name}.",
            "Library: {count} essays exported to {name}.",
            entries,
            name=name,
        )
        show = partial(show_in_folder, path)
        self._notice.show_notice(words, show, _("Show in folder"), passes=True)

    def _tell_imported(self, imported: tuple[Path, ImportSummary | None]) -> None:
        path, summary = imported
        if summary is None:
            words = _("You stopped the import; import {name} again to continue.")
            self._notice.show_notice(words.format(name=display_name(path.name)))
        else:
            self._notice.show_notice(import_in_words(summary), passes=True)


_HITS_DELAY_MS = 200


class LibraryCommands(QObject):
    """The library of a window, and its page. session_name: name of the session, "" without one."""

    page_requested = Signal()
    """Show the page."""
    pair_opened = Signal()
    """An essay and a stored document are the pair of Compare."""
    server_used = Signal(bool)
    """Whether the library is on a server, each time it was looked into."""

    def __init__(
        self, workspace: Workspace, preferences: Preferences, notice: NoticeBar, window: QWidget
    ) -> None:
        super().__init__(window)
        self._workspace = workspace
        self._preferences = preferences
        self._notice = notice
        self._window = window
        self.session_name: Callable[[], str] = str
        self.state = LibraryState(preferences.library_place, self)
        self.search = ClassSearch(workspace, self.state)
        self._awaited_search = ""
        self._next_hits = QTimer(self, singleShot=True, interval=_HITS_DELAY_MS)
        self._add_menu = QMenu(window)
        self._add_actions = [
            NamedAction(text, self._add_menu, run)
            for text, run in (
                (N_("This class…"), self.add_class),
                (N_("A folder…"), self.ask_for_folder),
                (N_("Files…"), self.ask_for_files),
                (N_("A session…"), self.ask_for_session),
            )
        ]
        add, search = N_("Add this class to the library…"), N_("Check against the library")
        self.commands = [
            Command("library_add_class", add, (), self.add_class),
            Command("library_search_class", search, (), self.search_class),
        ]
        self.transfers = TransferCommands(self.state, notice, window)
        self._other_menu = QMenu(window)
        NamedAction(N_("A file…"), self._other_menu, self.ask_for_other)
        NamedAction(N_("The server of a school…"), self._other_menu, self.ask_for_server)
        self._page: LibraryPage | None = None
        state = self.state
        state.added.connect(self._tell_added)
        state.removed.connect(lambda protocol: ProtocolDialog(protocol, window).open())
        state.work_changed.connect(self._enable)
        state.changed.connect(lambda: self.server_used.emit(isinstance(state.place, LibraryServer)))
        self._refusal = ""
        state.refused.connect(self._tell_refused)
        state.replaced.connect(lambda: self._notice.withdraw(self._refusal))
        self.search.failed.connect(self._tell_not_searched)
        self.search.changed.connect(self._follow_search)
        self._next_hits.timeout.connect(self._show_class_hits)
        workspace.review.changed.connect(self._follow_decisions)
        self._workspace.documents_changed.connect(self._enable)
        self._workspace.documents_changed.connect(self._search_awaited)
        self._offered: int | None = None
        self._offer = ""
        for happened in (self._workspace.documents_changed, self.search.changed, state.changed):
            happened.connect(self._offer_for_one)
        follow_language(self._enable)

    @property
    def page(self) -> LibraryPage:
        if self._page is None:
            menus = self._add_menu, self.transfers.menu, self._other_menu
            self._page = LibraryPage(self.state, self.search, *menus)
            RetentionCommands(self.state, self._page.stored, self._notice, self._window)
            self._connect_page(self._page)
            self._enable()
            self._show_searched(self._page)
        return self._page

    def _connect_page(self, page: LibraryPage) -> None:
        page.start.class_button.clicked.connect(self.add_class)
        page.start.folder_button.clicked.connect(self.ask_for_folder)
        for button in (page.connection_button, page.start.connection_button):
            button.clicked.connect(self.ask_for_server)
        page.search_button.clicked.connect(self.search_class)
        page.sentence_entered.connect(self.search_sentence)
        page.class_requested.connect(lambda: self._show_searched(page))
        page.stored.entries.add_to_menu(N_("Read in full"), self._read_stored)
        page.stored.entries.opened.connect(self._read_stored)
        self.state.replaced.connect(page.show_stored)
        page.stored.removal_requested.connect(self._ask_to_remove)
        page.stored.delete_expired_button.clicked.connect(self.ask_to_remove_expired)
        page.stored.student_removal_requested.connect(self.ask_to_remove_student)
        page.found.opened.connect(self.open_hit)

    def _enable(self) -> None:
        is_there = bool(class_essays(self._workspace))
        is_busy = self.state.work is not None
        for adding in self._add_actions:
            adding.setEnabled(not is_busy)
        add, search = self.commands
        for action in (self._add_actions[0], add):
            action.setEnabled(is_there and not is_busy)
        search.setEnabled(is_there)
        for action in (add, search):
            action.setToolTip("" if is_there else _("Add the essays of the class to the window first."))
        if self._page is not None:
            has_documents = bool(self._workspace.documents.entries)
            self._page.use_class(is_there=is_there, has_other_pages=has_documents)

    # --- adding

    def add_class(self) -> None:
        essays, documents = class_essays(self._workspace), self._workspace.documents
        what = ngettext("Add {count} essay of this class", "Add {count} essays of this class", len(essays))
        proposed = self._workspace.class_state.proposed_templates
        others = [key for key in documents.entries if key not in essays and key not in proposed]
        aside = aside_in_words([*map(documents.name_of, others)], [*map(documents.name_of, proposed)])
        add = partial(self.state.add_class, class_to_add(self._workspace))
        self._ask_for_tags(what, self._class_name(), add, may_use_pseudonyms=True, aside=aside)

    def _class_name(self) -> str:
        name = self.session_name()
        return Path(name).stem if name else display_name(self._workspace.class_state.folder)

    def ask_for_folder(self) -> None:
        ask_for_folder(self._window, _("Add a folder to the library"), self._ask_for_tags_of)

    def ask_for_files(self) -> None:
        title, also = _("Add files to the library"), (*ARCHIVES, *SESSIONS)
        ask_for_documents(self._window, title, lambda paths: self._ask_for_tags_of(*paths), also)

    def ask_for_session(self) -> None:
        ask_for_session(self._window, self._ask_for_tags_of)

    def add_dropped(self, places: Iterable[Path]) -> None:
        if self.state.work is not None:
            words = _("The library is busy. Drop the files again when it has finished.")
            self._notice.show_notice(words, passes=True)
            return
        self._ask_for_tags_of(*places)

    def _ask_for_tags_of(self, *places: Path) -> None:
        from simcompare.library.transfer import is_exported_library  # noqa: PLC0415 - loads the database

        if len(places) == 1 and is_exported_library(places[0]):
            self.state.import_from(places[0])
            return
        if len(places) == 1:
            name = display_name(places[0].name)
            what, school_class = _("Add the essays of {name}").format(name=name), display_name(places[0].stem)
        else:
            what, school_class = ngettext("Add {count} file", "Add {count} files", len(places)), ""
        add = partial(self.state.add_places, places)
        self._ask_for_tags(what, school_class, add, may_use_pseudonyms=False)

    def _ask_for_tags(
        self,
        what: str,
        school_class: str,
        add: Callable[[AdditionTags], object],
        *,
        may_use_pseudonyms: bool,
        aside: str = "",
    ) -> None:
        known = AdditionTags(school_class, str(QDate.currentDate().year()))
        groups = [group.values for group in self.state.groups]
        values = [sorted(set(filter(None, column))) for column in zip(*groups, strict=True)] or [[], [], []]
        dialog = AdditionDialog(
            what, known, values, self._window, may_use_pseudonyms=may_use_pseudonyms, aside=aside
        )
        dialog.confirmed.connect(add)
        dialog.open()

    def _tell_added(self, receipt: AdditionReceipt) -> None:
        """Give notice of what was added; the details list what was not, and why."""
        if receipt.pseudonyms is not None:
            self._workspace.use_pseudonyms(receipt.pseudonyms)
        words, lines = receipt_in_words(receipt), receipt_lines(receipt)
        if not lines:
            self._notice.show_notice(words, passes=True)
            return

        def show() -> None:
            LinesDialog(_("Added to the library"), words, "", "\n".join(lines), self._window).open()

        self._notice.show_notice(words, show, _("Show"))

    # --- deleting

    def ask_to_remove_student(self, student: str) -> None:
        def ask(entries: Sequence[StoredEntry]) -> None:
            question = ngettext(
                "Delete {count} essay of {student}, of every class and year?",
                "Delete all {count} essays of {student}, of every class and year?",
                len(entries),
                student=student,
            )
            self._ask_to_remove(entries, question)

        self.state.entries_of_student(student, ask)

    def ask_to_remove_expired(self) -> None:
        def ask(entries: Sequence[StoredEntry]) -> None:
            question = ngettext(
                "Delete {count} essay whose last day has passed?",
                "Delete all {count} essays whose last day has passed?",
                len(entries),
            )
            self._ask_to_remove(entries, question)

        self.state.expired_entries(ask)

    def _ask_to_remove(self, entries: Sequence[StoredEntry], question: str = "") -> None:
        if entries:
            dialog = RemovalDialog(entries, self._window, question)
            dialog.accepted.connect(lambda: self.state.remove([entry.entry for entry in entries]))
            dialog.open()

    # --- searching

    def search_class(self) -> None:
        if not self.page.isVisible():  # or its keyboard focus would move
            self.page_requested.emit()
        self.search.start(self.page.method.currentData())
        self._show_searched(self.page)

    def search_once_read(self, method: str) -> None:
        """Search the class again, as a session that is opened says, once its texts are read; "": do not."""
        self._awaited_search = method
        self._search_awaited()

    def _search_awaited(self) -> None:
        if not self._awaited_search:
            return
        done, total = self._workspace.documents.reading_count
        if total and done == total:
            self.search.start(self._awaited_search)
            self._awaited_search = ""
            if self._page is not None:
                self._show_searched(self._page)

    def _show_searched(self, page: LibraryPage) -> None:
        if self.search.was_started:
            page.sentence.clear()
            page.found.has_essays = True
            self._show_class_hits()
            page.show_found()

    def _offer_for_one(self) -> None:
        """Lead an essay that is alone to the library, once, unless that is empty or on a server."""
        documents, essays = self._workspace.documents, class_essays(self._workspace)
        is_alone = len(documents.entries) == len(essays) == 1 and not self.search.was_started
        if not is_alone or isinstance(self.state.place, LibraryServer):
            self._notice.withdraw(self._offer)
            return
        [key] = essays
        if self._offered == key:
            return
        if not self.state.is_known:
            self.state.refresh()
            return
        figures = self.state.figures
        if figures is not None and figures.entries:
            self._offered = key
            words = _("{name} is the only essay here. The library has {essays} to compare it with.")
            essays_words = essays_in_words(figures.entries)
            self._offer = words.format(name=documents.name_of(key), essays=essays_words)
            self._notice.show_notice(self._offer, self.search_class, _("Search the library"))

    def _tell_refused(self, error: SimcompareError) -> None:
        self._refusal = error_in_words(error)
        self._notice.show_notice(self._refusal)

    def _tell_not_searched(self, error: SimcompareError) -> None:
        self._notice.show_notice(error_in_words(error), self.search_class, _("Search again"))

    def _follow_decisions(self) -> None:
        if self.search.was_started and not self._next_hits.isActive():
            self._next_hits.start()

    def _follow_search(self) -> None:
        """List hits in steps, as a long list takes as long as a frame; at the end at once."""
        if self.search.progress is None:
            self._next_hits.stop()
            self._show_class_hits()
        elif not self._next_hits.isActive():
            self._next_hits.start()

    def _show_class_hits(self) -> None:
        if self._page is None:
            return
        if not self.search.was_started:  # or its essays are no longer in the window
            if self._page.body.currentWidget() is self._page.found and self._page.found.has_essays:
                self._page.show_stored()
        elif not self._page.shows_sentence:
            found = self._workspace.library_shares.reaching(self._workspace.class_state.limit)
            label_of, is_over = StudentLabels(self._workspace).text_of, self.search.progress is None
            shown = (self.search.hits, len(found), label_of, self._is_chinese, self._decision_on)
            self.page.found.show_class(*shown, is_over=is_over, is_stored=self.search.is_stored)

    def _decision_on(self, key: int, hit: LibraryHit) -> str:
        """Return what the table of pairs says of an essay and a hit that was opened beside it."""
        opened = self._opened(hit)
        if opened is None:
            return ""
        pair = min(key, opened), max(key, opened)
        review = self._workspace.review.pair_review(*pair)
        _shares, parts = self._workspace.pairs.after_decisions(pair, review)
        words = pair_decision_in_words(review, parts, is_short=True)
        return words[:1].upper() + words[1:]

    def _opened(self, hit: LibraryHit) -> int | None:
        """Return the key of a hit that is among the documents."""
        entries, place = self._workspace.documents.entries.items(), (OPENED_FOLDER, str(hit.entry.entry))
        return next((key for key, listed in entries if listed.path.parts[:2] == place), None)

    def _is_chinese(self, key: int) -> bool | None:
        entry = self._workspace.documents.entries.get(key)
        text = None if entry is None else entry.prepared_document
        return None if text is None else text.prepared.is_mostly_chinese

    def search_sentence(self, sentence: str) -> None:
        self.state.search_sentence(sentence, partial(self._show_sentence_hits, sentence))

    def show_and_search_sentence(self, sentence: str) -> None:
        self.page_requested.emit()
        self.page.sentence.setText(sentence)
        self.search_sentence(sentence)

    def _show_sentence_hits(self, sentence: str, hits: Sequence[LibraryHit]) -> None:
        essays, sides = class_essays(self._workspace), self._workspace.documents.sides.values()
        having = [key for key in essays if sentence in " ".join(essays[key].document.text.split())]
        key = min(having, key=lambda key: key not in sides, default=0)
        label = StudentLabels(self._workspace).text_of(key) if key else ""
        self.page.found.show_sentence(sentence, hits, key, label)
        self.page.show_found()

    def hits_of(self, key: int | None) -> Sequence[LibraryHit]:
        """Return the hits of an essay that are not opened beside it."""
        paths = [listed.path.parts[:2] for listed in self._workspace.documents.entries.values()]
        hits = self.search.hits.get(key or 0, ())
        return [hit for hit in hits if (OPENED_FOLDER, str(hit.entry.entry)) not in paths]

    def open_hit(self, row: FoundRow) -> None:
        """Open an essay beside a stored document, which becomes earlier work of the class, or that alone."""
        if not row.key:
            self._read(row.hit.entry, row.hit.excerpt)
            return
        if row.key not in self._workspace.documents.entries:
            return
        if (opened := self._opened(row.hit)) is not None:
            self._show_pair(row.key, opened)
            return
        self.state.restore(row.hit.entry.entry, partial(self._open_restored, row))

    def _read_stored(self) -> None:
        for entry in self.page.stored.entries.chosen()[:1]:
            self._read(entry)

    def _read(self, entry: StoredEntry, excerpt: str = "") -> None:
        """Show the text of an entry, with an excerpt marked."""

        def show(document: Document) -> None:
            dialog = LinesDialog(_("Library"), entry_details(entry), "", document.text, self._window)
            dialog.open()
            start, utf16 = document.text.index(excerpt), Utf16Map(document.text)
            cursor, marked = dialog.lines.textCursor(), QTextCursor.MoveMode.KeepAnchor
            cursor.setPosition(utf16.to_utf16(start))
            cursor.setPosition(utf16.to_utf16(start + len(excerpt)), marked)
            dialog.lines.setTextCursor(cursor)
            dialog.lines.centerCursor()

        self.state.restore(entry.entry, show)

    def _open_restored(self, row: FoundRow, document: Document) -> None:
        path = _path_in_window(row.hit.entry, document)
        documents = self._workspace.documents
        stored = SessionDocument(path, document=replace(document, path=path))
        documents.add_saved([stored], DocumentRole.OLD)
        key = next(key for key, entry in documents.entries.items() if entry.path == path)
        self._show_pair(row.key, key)

    def _show_pair(self, essay: int, stored: int) -> None:
        self._workspace.documents.choose_pair(essay, stored)
        self.pair_opened.emit()

    # --- place

    def ask_for_other(self) -> None:
        place = self.state.place
        file = place if isinstance(place, Path) else default_library_path()
        ask_for_library(self._window, file, self.use_other)

    def ask_for_server(self) -> None:
        place = self.state.place
        dialog = ServerDialog(place if isinstance(place, LibraryServer) else None, self._window)
        dialog.confirmed.connect(self.use_other)
        dialog.open()

    def use_other(self, place: LibraryPlace) -> None:
        """Use another library, also after the next start; a password is not saved."""
        self._preferences.library_place = place
        self.state.use(place)

    def close(self) -> None:
        """Stop all work; what was read so far is stored."""
        self.state.access.stop_connecting.set()
        self.search.close()
        self.state.close()


def _path_in_window(entry: StoredEntry, document: Document) -> Path:
    """Return the path of a stored document in the list: below its class, and never one on the disk."""
    tags = [tag.value for name in ("year", "class", "assignment") for tag in entry.tags if tag.name == name]
    names = (" · ".join(tags) or _("Library"), tag_of(entry, STUDENT))
    folders = filter(None, (name.replace("/", "-").strip(". ") for name in names))
    return Path(OPENED_FOLDER, str(entry.entry), *folders, document.path.name)

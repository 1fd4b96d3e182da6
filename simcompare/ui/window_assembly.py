"""Parts of the main window that its first painting does not show, and what connects them.

Apart from `main_window.py`, as this module loads the comparison, the class, the library and the exports.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QSplitter, QWidget

from simcompare.support.display_text import percent
from simcompare.support.i18n import N_, _
from simcompare.text.sentence_meaning import is_meaning_available
from simcompare.ui.access.border_keys import BorderKeys
from simcompare.ui.access.window_text_size import TEXT_SIZES, WindowContents
from simcompare.ui.actions import LANGUAGE_OPTIONS, THEME_OPTIONS, Choice, Command, MenuEntry, ShortcutsDialog
from simcompare.ui.cohort.class_page import ClassPage, class_in_words
from simcompare.ui.cohort.common_dialog import CommonSentencesDialog, CommonTextBar
from simcompare.ui.cohort.pair_steps import PairSteps
from simcompare.ui.compare.bars.settings_menus import ExclusionButton, MethodButton, StrictnessButton
from simcompare.ui.compare.compare_view import CompareView
from simcompare.ui.compare.heatmap.heatmap_view import HeatmapFolding
from simcompare.ui.compare.matches.decision_actions import PassageDecisionActions
from simcompare.ui.compare.text_pane.typography import TextSize
from simcompare.ui.documents.class_files import ClassFileCommands, SampleEssays
from simcompare.ui.documents.document_list import DocumentNotices, ProblemMenu
from simcompare.ui.documents.drop_and_paste import DropAndPaste
from simcompare.ui.documents.receipt_dialog import PasswordDialog, ReceiptDialog
from simcompare.ui.export.export_controller import Export
from simcompare.ui.help.help_commands import HelpCommands
from simcompare.ui.library.library_commands import LibraryCommands, LibraryLink
from simcompare.ui.main_window import MainWindow
from simcompare.ui.manual.manual_help import ManualHelp
from simcompare.ui.notice_bar import NoticeBar, Overlay
from simcompare.ui.preferences import Preferences
from simcompare.ui.session.session_commands import SessionCommands
from simcompare.ui.sidebar import Sidebar, SidebarFolding
from simcompare.ui.state.changes import ComparisonPart, follow_parts
from simcompare.ui.state.cohort.class_state import ClassPart
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.language import NamedAction, follow_language
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.status_line import StatusLine
from simcompare.ui.style.layouts import chain_tab_order, column_of
from simcompare.ui.style.theme import GRID_PX
from simcompare.ui.window_pages import CompareCommands, OfClass, Pages, PageSwitch, UndoActions, WindowLayout

if TYPE_CHECKING:
    from simcompare.ui.essay_page import EssayPage


_CTRL = Qt.KeyboardModifier.ControlModifier


def _key_entry(text: str, key: Qt.Key, window: QWidget) -> QAction:
    """Return an entry that presses Ctrl and a key in the focused part, which has the command itself."""

    def press() -> None:
        if (focused := QApplication.focusWidget()) is not None:
            QApplication.sendEvent(focused, QKeyEvent(QEvent.Type.KeyPress, key, _CTRL))

    shown = QKeySequence(_CTRL | key).toString(QKeySequence.SequenceFormat.NativeText)
    return NamedAction(lambda: f"{_(text)}\t{shown}", window, press)


def _open_context_menu() -> None:
    """Open the menu of the focused part, as the menu key does: Qt itself knows Shift+F10 only on Windows."""
    if (focused := QApplication.focusWidget()) is not None:
        place = focused.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle).center()
        by_key = QContextMenuEvent.Reason.Keyboard
        QApplication.sendEvent(focused, QContextMenuEvent(by_key, place, focused.mapToGlobal(place)))


_ABOVE_EXPLANATION_PX = 14 * GRID_PX
"""Distance of notices from the lower edge in Compare, so that the explanation of a passage stays free."""
_ABOVE_ROWS_PX = GRID_PX // 2
"""Distance on other pages, so that the heads of tables stay free also with large text."""


def whole_window(preferences: Preferences) -> MainWindow:
    """Make a window with all its parts at once."""
    window = MainWindow(preferences, WindowAssembly)
    window.complete()
    return window


class WindowAssembly(QObject):
    def __init__(self, window: MainWindow, preferences: Preferences) -> None:
        super().__init__(window)
        self._window = window
        self._preferences = preferences
        self._end_words = ""
        self._had_documents = False

    def steps(self) -> Iterator[None]:
        """Make the parts and connect them, in steps that each take a few hundredths of a second."""
        window, preferences = self._window, self._preferences
        window.workspace = Workspace(window)
        window.sidebar = Sidebar(window.workspace)
        yield
        window.compare_view = compare = CompareView(window.workspace)
        window.folding = HeatmapFolding(compare.heatmap_columns, compare.heatmap_tabs, preferences)
        window.text_size = TextSize(preferences, window)
        compare.use_text_size(window.text_size)
        yield
        window.class_page = ClassPage(window.workspace)
        window.pairs_view = window.class_page.pairs
        yield
        window.notice = NoticeBar()
        window.library = LibraryCommands(window.workspace, preferences, window.notice, window)
        window.common_bar = CommonTextBar(window.workspace)
        yield
        exclusions = ExclusionButton(window.workspace)
        exclusions.shows_pair = compare.isVisible
        window.tool_bar.add_settings(
            StrictnessButton(window.workspace),
            exclusions,
            MethodButton(window.workspace),
        )
        focused = window.focusWidget()
        window.setUpdatesEnabled(False)  # the start page moves into the pages
        self._make_pages()
        yield
        self._make_commands()
        yield
        self._make_menus()
        window.tool_bar.use_commands(window.commands)
        yield
        self._assemble()
        self._listen()
        yield
        chain_tab_order(self._tab_order())
        parts = window.workspace, preferences, window.pages, window.pairs_view, window.library
        self._layout = layout = WindowLayout(window, *parts)
        window.sessions.current_layout, window.sessions.apply_layout = layout.current, layout.apply
        window.window_text.follow(window)
        if sys.platform == "linux":
            QShortcut("Shift+F10", window, _open_context_menu)
        follow_language(self._show_title)
        window.setUpdatesEnabled(True)
        if focused is not None:
            focused.setFocus(Qt.FocusReason.OtherFocusReason)

    def _make_pages(self) -> None:
        window, preferences = self._window, self._preferences
        workspace, compare = window.workspace, window.compare_view
        window.pages = Pages(
            workspace, window.start_page, compare, window.class_page, lambda: self._window.library.page
        )
        window.page_switch = PageSwitch(window.pages)
        window.pair_steps = PairSteps(workspace, window.pairs_view, compare.header)
        window.compare_commands = CompareCommands(workspace, window.pages, compare)
        window.status_line = StatusLine(workspace)
        say = window.status_line.show_message
        window.export = Export(workspace, window.pages, window.pairs_view, window.notice, preferences, window)
        window.judging = PassageDecisionActions(
            workspace, compare.inspector, window.sidebar.passages, preferences, say, window.notice
        )
        window.undo_actions = UndoActions(workspace.history, say, window)
        if preferences.meaning is not None and is_meaning_available():
            workspace.new_settings = replace(workspace.new_settings, meaning=preferences.meaning)
            workspace.reset(workspace.new_settings, None)
        workspace.meaning_chosen.connect(partial(setattr, preferences, "meaning"))
        window.sessions = SessionCommands(window, workspace, preferences, say, window.recovery_bar)
        window.export.folder_of_work = lambda: window.sessions.folder
        window.sessions.keeper.opened.connect(window.export.memory.forget)
        window.export.chosen_essay, window.export.hits_of = self._chosen_essay, window.library.hits_of
        window.export.session_name = window.library.session_name = lambda: window.sessions.name
        window.manual = ManualHelp(window, window.pages, window.text_size)

    def _make_commands(self) -> None:
        window = self._window
        window.drop_and_paste = DropAndPaste(
            window,
            window.workspace,
            window.sessions.add,
            window.sessions.add_own,
            window.library.add_dropped,
            lambda: window.pages.shows_library,
        )
        say = window.status_line.show_message
        window.class_files = ClassFileCommands(
            window.workspace, window.notice, say, window.sessions.add, window
        )
        window.help = HelpCommands(window, window.workspace, self._preferences, say)
        window.samples = SampleEssays(window.workspace.documents, window.sessions.begin_with)
        window.border_keys = BorderKeys(window, say)
        line = window.compare_view.inspector.line
        panel = window.class_page.histogram
        compare, page = window.compare_view, window.class_page

        def selected() -> QRect:
            return compare.selected_rect().translated(compare.mapTo(window, QPoint(0, 0)))

        anchors = (panel, (window.sidebar.passages, selected), line.decisions)
        overview, above = (*page.overview, window.page_switch), (panel.title, panel.lead_button)
        window.help.explain(*anchors, window.tool_bar.export_button, page.is_read, overview, above)

    def _make_menus(self) -> None:
        window, find = self._window, self._window.compare_view.finder.actions
        quit_keys, quit_role = QKeySequence.StandardKey.Quit, QAction.MenuRole.QuitRole
        paste = window.drop_and_paste.commands()
        edit: list[MenuEntry] = [
            _key_entry(N_("Copy"), Qt.Key.Key_C, window),
            *paste,
            _key_entry(N_("Select all"), Qt.Key.Key_A, window),
        ]
        menus: list[list[MenuEntry]] = [
            [
                *window.class_files.adding(),
                None,
                *window.sessions.commands(),
                None,
                *window.export.commands,
                None,
                Command("quit", N_("Quit"), quit_keys, window.close, quit_role),
            ],
            [*window.undo_actions.entries, None, *edit, None, *find],
            [
                *window.class_files.commands(),
                None,
                *window.sidebar.documents.file_actions,
                None,
                *window.library.commands,
            ],
            [
                *window.compare_commands.steps,
                None,
                *window.judging.entries,
                None,
                *window.pair_steps.entries,
                *window.pair_steps.decisions,
                None,
                *window.compare_commands.sides,
            ],
            [
                *window.page_switch.entries,
                Command("borders", N_("Move borders with the keyboard"), "F8", window.border_keys.start),
                None,
                *window.text_size.actions,
                window.compare_view.linked_scrolling.action,
                *window.folding.actions,
                window.pairs_view.menu.column_menu.menuAction(),
                None,
                Choice("window_text", N_("Text size of the window"), TEXT_SIZES, window.window_text.use),
                Choice("language", N_("Language"), LANGUAGE_OPTIONS, window.use_language),
                Choice("theme", N_("Appearance"), THEME_OPTIONS, window.use_theme),
            ],
            [
                window.manual.entry,
                Command("shortcuts", N_("Shortcuts"), "Ctrl+/", self._show_shortcuts),
                *window.help.commands(window.samples.commands()),
            ],
        ]
        for menu, entries in zip(window.main_menus, menus, strict=True):
            window.commands.fill_menu(menu, entries)

    def _assemble(self) -> None:
        window = self._window
        body = QSplitter(Qt.Orientation.Horizontal)
        body.setObjectName("body")
        body.addWidget(window.sidebar)
        window.sidebar.put_above(window.page_switch)
        switch = (window.page_switch, window.sidebar.put_above, window.tool_bar.navigation)
        window.folded_sidebar = SidebarFolding(window, window.sidebar, *switch)
        body.addWidget(window.pages)
        body.setStretchFactor(1, 1)
        body.setSizes([236, 1044])
        body.setCollapsible(1, False)
        central = QWidget()
        central.setObjectName("central")
        column_of(central, window.tool_bar, window.recovery_bar, (body, 1))
        of_class = OfClass(window.pages, window.common_bar, window.notice)
        bars = (of_class, window.notice, window.export.bar)
        self._notices = Overlay(central, *bars, above_px=_ABOVE_ROWS_PX, aside=window.sidebar)
        window.setCentralWidget(WindowContents(central))
        window.setStatusBar(window.status_line)

    def _tab_order(self) -> list[QWidget]:
        window = self._window
        above = (window.tool_bar, window.help.hints.bubble, window.recovery_bar, window.notice)
        aside = (window.page_switch, window.sidebar.documents, window.sidebar.passages)
        pages = (
            window.start_page,
            window.common_bar,
            *window.class_page.parts_in_order(),
            *window.pages.library_if_made(),
        )
        below = (window.export.bar, window.status_line)
        return [*above, *aside, *pages, *window.compare_view.parts_in_order(), *below]

    def _listen(self) -> None:
        window = self._window
        workspace = window.workspace
        workspace.documents_changed.connect(self._show_page)
        window.pages.changed.connect(self._show_page)
        window.pages.changed.connect(window.sessions.recovery.record_soon)
        window.pages.library_added.connect(self._follow_library_page)
        window.class_page.reading_requested.connect(window.pair_steps.read)
        window.class_page.opened.connect(window.pages.show_compare)
        window.class_page.sources_requested.connect(self._show_sources)
        window.class_page.export_requested.connect(lambda: window.export.ask("class"))
        window.class_page.proposed_limit_changed.connect(self._tell_limit)
        window.pair_steps.finished.connect(self._tell_the_end)
        window.pair_steps.reopened.connect(window.notice.withdraw)
        window.library.page_requested.connect(window.pages.show_library)
        window.library.server_used.connect(window.status_line.show_server)
        window.compare_view.search_requested.connect(window.library.show_and_search_sentence)
        window.library.pair_opened.connect(window.pages.show_compare)
        window.pages.compare_requested.connect(window.pair_steps.open_first)
        window.pairs_view.columns_chosen.connect(partial(setattr, self._preferences, "pair_columns"))
        window.pairs_view.show_columns(self._preferences.pair_columns)
        follow_parts(self, workspace.comparison_changed, ComparisonPart.TEXTS, self._show_title)
        follow_parts(self, workspace.class_state.changed, ClassPart.STUDENTS, self._show_title)
        window.sessions.keeper.changed.connect(self._show_title)
        window.folding.noticed.connect(window.notice.show_notice)
        for action in window.compare_view.finder.actions:
            action.triggered.connect(lambda: window.folding.matrix.setChecked(False))
        workspace.noticed.connect(window.notice.show_notice)
        window.drop_and_paste.refused.connect(window.notice.show_notice)
        window.drop_and_paste.accepted.connect(window.notice.withdraw)
        workspace.documents_changed.connect(self._forget_old_notice)
        listed = window.sidebar.documents
        problem_menu = ProblemMenu(workspace, lambda key: listed.select_next([key]), window)
        DocumentNotices(workspace, window.notice, listed, problem_menu)
        problems_button = window.status_line.problems_button
        problems_button.clicked.connect(lambda: problem_menu.open_at(problems_button))
        listed.side_chosen.connect(window.pages.show_compare)
        listed.pair_requested.connect(window.pages.show_compare)
        for signal in (listed.receipt_requested, window.compare_view.receipt_requested):
            signal.connect(self._show_receipt)
        listed.roster_requested.connect(
            lambda id_: window.class_files.show_list(window.sidebar.roster_of(id_))
        )
        listed.password_requested.connect(self.ask_for_password)
        window.sessions.keeper.opened.connect(self._follow_opened)
        for requested in (window.common_bar.view_requested, window.tool_bar.exclusions.common_requested):
            requested.connect(self._show_common_sentences)
        start = window.start_page
        start.add_button.clicked.connect(window.class_files.ask_for_documents)
        start.folder_button.clicked.connect(window.class_files.ask_for_folder)
        start.pair_row.clicked.connect(window.samples.open_pair)
        start.class_row.clicked.connect(window.samples.open_class)
        start.library_row.clicked.connect(window.pages.show_library)
        LibraryLink(start.library_row, start.library_row.show_texts, window.library.state)
        start.session_requested.connect(window.sessions.open)
        self._show_page()

    def _tell_limit(self, before: float, now: float) -> None:
        notice, state = self._window.notice, self._window.workspace.class_state
        if not notice.isHidden():
            return  # what failed matters more
        words = _("The proposed limit is now {now}; it was {before} before the texts that count changed.")
        keep = _("Keep {limit}").format(limit=percent(before))
        words = words.format(now=percent(now), before=percent(before))
        notice.show_notice(words, lambda: state.set_limit(before), keep, passes=True)

    def _tell_the_end(self, words: str) -> None:
        window, self._end_words = self._window, words
        back = (_("Back to the class"), window.pages.show_pairs)
        window.notice.show_notice(words, lambda: window.export.ask("class"), _("Export…"), back)

    def _forget_old_notice(self) -> None:
        """Hide what was said of documents that are no longer here."""
        has_documents = bool(self._window.workspace.documents.entries)
        if self._had_documents and not has_documents:
            self._window.notice.hide()
        self._had_documents = has_documents

    def _show_page(self) -> None:
        window = self._window
        if not window.pages.shows_compare:  # the class offers the export itself
            window.notice.withdraw(self._end_words)
        window.folded_sidebar.show_documents(bool(window.workspace.documents.entries))
        self._notices.lie_above(_ABOVE_EXPLANATION_PX if window.pages.shows_compare else _ABOVE_ROWS_PX)
        window.sidebar.passages.setVisible(window.pages.shows_compare)
        window.sidebar.show_sides(window.pages.shows_compare)
        has_matrix = window.pages.shows_compare and len(window.workspace.documents.sides) == len(Side)
        window.folding.actions[-1].setEnabled(has_matrix)
        self._show_title()

    def _follow_library_page(self) -> None:
        """Put the page of the library, which is made when it is first shown, in order with the others."""
        chain_tab_order(self._tab_order())
        self._window.window_text.fit_icons()
        self._layout.follow(self._window.library.page)

    def _follow_opened(self) -> None:
        window = self._window
        if window.workspace.documents.entries:
            window.common_bar.skip_question()
            window.class_files.skip_notice()

    def _show_pair(self, left: int, right: int) -> None:
        window = self._window
        window.workspace.documents.choose_pair(left, right)
        window.pages.show_compare()

    def _show_title(self) -> None:
        window = self._window
        names = (window.compare_view.name_on(side).text for side in Side)
        shown = " ↔ ".join(names) if window.workspace.comparison else ""
        if window.pages.shows_library:
            shown = _("Library")
        elif window.pages.currentWidget() is window.class_page:
            is_named = window.sessions.keeper.path is not None
            shown = class_in_words(window.workspace.class_state.folder, is_named)
        elif window.pages.shows_sources:
            shown = window.essay_page.title.text()
        window.setWindowTitle(window.sessions.title(shown))
        window.setWindowModified(window.sessions.keeper.is_modified)

    def make_receipt(self) -> ReceiptDialog:
        receipt = ReceiptDialog(self._window.workspace, self._window)
        self._window.sidebar.documents.current_changed.connect(receipt.follow)
        return receipt

    def make_essay_page(self) -> "EssayPage":
        from simcompare.ui.essay_page import EssayPage  # noqa: PLC0415 - most windows show none

        window = self._window
        page = EssayPage(window.workspace, window.library.hits_of)
        page.opened.connect(window.pages.show_compare)
        page.hit_requested.connect(window.library.open_hit)
        page.report_button.clicked.connect(lambda: window.export.ask("student"))
        page.left.connect(window.pages.show_pairs)
        page.changed.connect(self._show_title)
        return page

    def _show_receipt(self, key: int) -> None:
        self._window.receipt.show_receipt(key)

    def _show_common_sentences(self) -> None:
        self._window.common_sentences.open_view()

    def _show_sources(self, key: int) -> None:
        window = self._window
        window.essay_page.show_essay(key)
        window.pages.show_sources(window.essay_page)

    def _chosen_essay(self) -> int | None:
        """Key of the essay whose sources are shown, or of the student selected in the class."""
        window = self._window
        if window.pages.shows_sources:
            return window.essay_page.key
        student = next(iter(window.class_page.students.chosen()), None)
        return None if student is None or window.pages.shows_compare else student.keys[0]

    def make_common_sentences(self) -> CommonSentencesDialog:
        view = CommonSentencesDialog(self._window.workspace, self._window)
        view.pair_requested.connect(self._show_pair)
        view.class_requested.connect(self._window.pages.show_pairs)
        return view

    def ask_for_password(self, key: int) -> None:
        window = self._window
        PasswordDialog(window.workspace, key, window).open()

    def _show_shortcuts(self) -> None:
        window = self._window
        ShortcutsDialog(window, window.menus).open()

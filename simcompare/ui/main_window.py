"""Main window: assembles the views and the commands."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QAction, QCloseEvent, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QMainWindow,
    QMenuBar,
    QSplitter,
    QWidget,
)

from simcompare.support.i18n import N_
from simcompare.ui.access.border_keys import BorderKeys
from simcompare.ui.access.sidebar_folding import SidebarFolding
from simcompare.ui.access.window_text_size import TEXT_SIZES, WindowContents, WindowTextSize
from simcompare.ui.actions import (
    LANGUAGE_OPTIONS,
    THEME_OPTIONS,
    Choice,
    Command,
    Commands,
    ShortcutsDialog,
)
from simcompare.ui.cohort.class_page import ClassPage, class_in_words
from simcompare.ui.cohort.common.common_bar import CommonTextBar
from simcompare.ui.cohort.common.common_dialog import CommonSentencesDialog
from simcompare.ui.cohort.pair_steps import PairSteps
from simcompare.ui.compare.compare_view import CompareView
from simcompare.ui.compare.heatmap.heatmap_column import HeatmapFolding
from simcompare.ui.compare.matches.decision_actions import PassageDecisionActions
from simcompare.ui.compare.text_pane.typography import TextSize
from simcompare.ui.compare_menu import CompareCommands
from simcompare.ui.documents.class_files import ClassFileCommands
from simcompare.ui.documents.document_notices import DocumentNotices, ProblemMenu
from simcompare.ui.documents.drop_and_paste import DropAndPaste
from simcompare.ui.documents.password_dialog import PasswordDialog
from simcompare.ui.documents.receipt_dialog import ReceiptDialog
from simcompare.ui.export.export_controller import Export
from simcompare.ui.help.help_commands import HelpCommands
from simcompare.ui.library.library_commands import LibraryCommands
from simcompare.ui.library.library_link import LibraryLink
from simcompare.ui.manual.manual_help import ManualHelp
from simcompare.ui.notice_bar import NoticeBar
from simcompare.ui.preferences import Preferences
from simcompare.ui.session.session_commands import SessionCommands
from simcompare.ui.sidebar import Sidebar
from simcompare.ui.start.sample_essays import SampleEssays
from simcompare.ui.start.start_page import StartPage
from simcompare.ui.state.changes import ComparisonPart
from simcompare.ui.state.document_listing import Side
from simcompare.ui.state.language import LANGUAGE, follow_language
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.status_line import StatusLine
from simcompare.ui.style.appearance import APPEARANCE, current_application
from simcompare.ui.style.box_layouts import chain_tab_order, column_of
from simcompare.ui.style.stylesheet import apply_theme_to_application, polish_late
from simcompare.ui.style.theme import DARK, LIGHT, THEMES, Theme, postpone_painting
from simcompare.ui.tool_bar import ToolBar
from simcompare.ui.undo_actions import UndoActions
from simcompare.ui.window_pages import Pages, PagesBelowBar, PageSwitch


def first_size(available: QSize) -> QSize:
    """Choose the size of a window that has not been resized yet, for the free size of its screen."""
    return (available * _SHARE_OF_SCREEN).boundedTo(QSize(*_LARGEST_FIRST_SIZE_PX))


_SHARE_OF_SCREEN = 0.92  # leaves room for the frame and title
_LARGEST_FIRST_SIZE_PX = (1760, 1080)
_PAINT_DELAY_MS = 60
_MINIMUM_SIZE_PX = (1024, 600)  # narrowest width that shows the whole tool bar


class MainWindow(QMainWindow):
    """Main window: documents on the left; the class, or the compared texts, on the right."""

    def __init__(self, preferences: Preferences) -> None:
        window_text = WindowTextSize(preferences)  # before the first widget
        super().__init__()
        self.window_text = window_text
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)  # connected functions would keep the window
        self._preferences = preferences
        LANGUAGE.use(preferences.language)
        APPEARANCE.theme = _theme(preferences.theme)
        self._must_end = False
        self.workspace = Workspace(self)
        self.sidebar = Sidebar(self.workspace)
        self.compare_view = CompareView(self.workspace)
        compare = self.compare_view
        self.folding = HeatmapFolding(compare.heatmap_columns, compare.heatmap_tab, preferences)
        self.text_size = TextSize(preferences, self)
        self.compare_view.use_text_size(self.text_size)
        self.start_page = StartPage(preferences)
        self.class_page = ClassPage(self.workspace)
        self.pairs_view = self.class_page.pairs
        self.notice = NoticeBar()
        self.library = LibraryCommands(self.workspace, preferences, self.notice, self)
        self.pages = Pages(
            self.workspace, self.start_page, self.compare_view, self.class_page, self.library.page
        )
        self.page_switch = PageSwitch(self.pages)
        self.common_bar = CommonTextBar(self.workspace)
        self.common_sentences = CommonSentencesDialog(self.workspace, self)
        self.pair_steps = PairSteps(self.workspace, self.pairs_view, self.compare_view.header)
        self.compare_commands = CompareCommands(self.workspace, self.pages)
        self.receipt = ReceiptDialog(self.workspace, self)
        self.status_line = StatusLine(self.workspace)
        self.export = Export(self.workspace, self.pages, self.pairs_view, self.notice, preferences, self)
        self.judging = PassageDecisionActions(
            self.workspace,
            self.compare_view.inspector,
            self.sidebar.passages,
            preferences,
            self.status_line.show_message,
        )
        self.undo_actions = UndoActions(self.workspace.history, self)
        self.sessions = SessionCommands(self, self.workspace, preferences, self.status_line.show_message)
        self.export.folder_of_work = lambda: self.sessions.folder
        self.export.session_name = self.library.session_name = lambda: self.sessions.name
        self.manual = ManualHelp(self, self.pages, self.text_size)
        self._make_commands()
        self._assemble()
        self._listen()
        chain_tab_order(self._tab_order())
        self._restore(preferences)
        follow_language(self._show_title)

    def _restore(self, preferences: Preferences) -> None:
        self.setMinimumSize(*_MINIMUM_SIZE_PX)
        self.resize(first_size(self.screen().availableSize()))
        self.restoreGeometry(preferences.geometry)
        self.sessions.follow_layout(self.pages, self.pairs_view)
        self.window_text.follow(self)
        self.use_theme(preferences.theme)
        self.commands.check("language", preferences.language)
        self.commands.check("window_text", str(preferences.window_percent))

    def _make_commands(self) -> None:
        """Make the menus and the tool bar, and set what the hints explain."""
        self.drop_and_paste = DropAndPaste(self, self.workspace, self.sessions.add)
        say = self.status_line.show_message
        self.class_files = ClassFileCommands(self.workspace, self.notice, say, self.sessions.add, self)
        self.help = HelpCommands(self, self.workspace, self._preferences, say)
        self.samples = SampleEssays(self.workspace.documents, self.sessions.begin_with)
        self.border_keys = BorderKeys(self, say)
        self.commands = Commands(self)
        self.menus = QMenuBar()  # in the row of the tool bar: texts need the height of a row
        self._make_menus()
        self.tool_bar = ToolBar(self.workspace, self.commands, self.menus)
        line = self.compare_view.inspector.line
        anchors = (self.class_page.histogram, self.sidebar.passages, line.decisions)
        self.help.explain(*anchors, self.tool_bar.export_button)

    def _make_menus(self) -> None:
        bar, find = self.menus, self.compare_view.finder.actions
        self.commands.add_menu(
            bar,
            N_("&File"),
            [
                *self.class_files.adding(),
                None,
                *self.sessions.commands(),
                None,
                *self.export.commands(),
                None,
                Command(
                    "quit",
                    N_("Quit"),
                    QKeySequence.StandardKey.Quit,
                    self.close,
                    QAction.MenuRole.QuitRole,
                ),
            ],
        )
        paste = self.drop_and_paste.commands()
        self.commands.add_menu(bar, N_("&Edit"), [*self.undo_actions.entries, None, *paste, None, *find])
        self.commands.add_menu(
            bar,
            N_("&Documents"),
            [
                *self.class_files.commands(),
                None,
                *self.sidebar.documents.file_actions,
                None,
                *self.library.commands(),
            ],
        )
        self.commands.add_menu(
            bar,
            N_("&Compare"),
            [
                *self.compare_commands.steps,
                None,
                *self.judging.entries,
                None,
                *self.pair_steps.entries,
                *self.pair_steps.decisions,
                None,
                *self.compare_commands.sides,
            ],
        )
        self.commands.add_menu(
            bar,
            N_("&View"),
            [
                *self.page_switch.entries,
                Command("borders", N_("Move borders with the keyboard"), "F8", self.border_keys.start),
                None,
                *self.text_size.actions,
                self.compare_view.linked_scrolling.action,
                self.folding.action,
                self.pairs_view.menu.column_menu.menuAction(),
                None,
                Choice("window_text", N_("Text size of the window"), TEXT_SIZES, self.window_text.use),
                Choice("language", N_("Language"), LANGUAGE_OPTIONS, self.use_language),
                Choice("theme", N_("Appearance"), THEME_OPTIONS, self.use_theme),
            ],
        )
        self.commands.add_menu(
            bar,
            N_("&Help"),
            [
                self.manual.entry,
                Command("shortcuts", N_("Shortcuts"), "Ctrl+/", self._show_shortcuts),
                *self.help.commands(self.samples.commands()),
            ],
        )

    def _assemble(self) -> None:
        body = QSplitter(Qt.Orientation.Horizontal)
        body.setObjectName("body")
        body.addWidget(self.sidebar)
        self.sidebar.put_above(self.page_switch)
        switch = (self.page_switch, self.sidebar.put_above, self.tool_bar.navigation)
        self.folded_sidebar = SidebarFolding(self, self.sidebar, *switch)
        body.addWidget(PagesBelowBar(self.pages, self.common_bar))
        body.setStretchFactor(1, 1)
        body.setSizes([236, 1044])
        body.setCollapsible(1, False)
        central = QWidget()
        central.setObjectName("central")
        above = (self.tool_bar, self.sessions.recovery_bar, self.notice)
        column_of(central, *above, (body, 1), self.export.bar)
        self.setCentralWidget(WindowContents(central))
        self.setStatusBar(self.status_line)

    def _tab_order(self) -> list[QWidget]:
        """List the parts of the window in tab order."""
        above = (self.tool_bar, self.help.hints.bubble, self.sessions.recovery_bar, self.notice)
        aside = (self.page_switch, self.sidebar.documents, self.sidebar.passages)
        pages = (self.start_page, self.common_bar, *self.class_page.parts_in_order(), self.library.page)
        below = (self.export.bar, self.status_line)
        return [*above, *aside, *pages, *self.compare_view.parts_in_order(), *below]

    def _listen(self) -> None:
        workspace = self.workspace
        workspace.documents_changed.connect(self._show_page)
        self.pages.changed.connect(self._show_page)
        self.class_page.opened.connect(self.pages.show_compare)
        self.library.page_requested.connect(self.pages.show_library)
        self.library.server_used.connect(self.status_line.show_server)
        self.compare_view.search_requested.connect(self.library.show_and_search_sentence)
        self.library.pair_opened.connect(self.pages.show_compare)
        self.pages.compare_requested.connect(self.pair_steps.open_first)
        self.pairs_view.sorted.connect(self._preferences.remember_pair_order)
        self.pairs_view.columns_chosen.connect(self._preferences.remember_pair_columns)
        self.pairs_view.show_columns(self._preferences.pair_columns)
        workspace.comparison_changed.connect(self._follow_comparison)
        self.sessions.keeper.changed.connect(self._show_title)
        workspace.noticed.connect(self.notice.show_notice)
        self.drop_and_paste.refused.connect(self.notice.show_notice)
        listed = self.sidebar.documents
        problem_menu = ProblemMenu(workspace, lambda key: listed.select_next([key]), self)
        DocumentNotices(workspace, self.notice, listed, problem_menu)
        problems_button = self.status_line.problems_button
        problems_button.clicked.connect(lambda: problem_menu.open_at(problems_button))
        listed.side_chosen.connect(self.pages.show_compare)
        listed.pair_requested.connect(self.pages.show_compare)
        listed.receipt_requested.connect(self.receipt.show_receipt)
        self.compare_view.receipt_requested.connect(self.receipt.show_receipt)
        listed.roster_requested.connect(lambda id_: self.class_files.show_list(self.sidebar.roster_of(id_)))
        listed.current_changed.connect(self.receipt.follow)
        listed.password_requested.connect(self.ask_for_password)
        self.sessions.keeper.opened.connect(self._follow_opened)
        self.common_bar.view_requested.connect(self.common_sentences.open_view)
        self.tool_bar.exclusions.common_requested.connect(self.common_sentences.open_view)
        self.common_sentences.pair_requested.connect(self._show_pair)
        self.common_sentences.class_requested.connect(self.pages.show_pairs)
        start = self.start_page
        start.add_requested.connect(self.class_files.ask_for_documents)
        start.folder_requested.connect(self.class_files.ask_for_folder)
        start.pair_requested.connect(self.samples.open_pair)
        start.class_requested.connect(self.samples.open_class)
        start.library_requested.connect(self.pages.show_library)
        LibraryLink(start.library_row, start.library_row.show_texts, self.library.state)
        start.session_requested.connect(self.sessions.open)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)
        self.judging.enable(self.commands)
        self.pair_steps.enable(self.commands)
        self.page_switch.enable(self.commands)
        self.compare_commands.enable(self.commands)
        self.export.enable(self.commands)
        self.library.enable(self.commands)
        self._show_page()

    def _show_page(self) -> None:
        self.folded_sidebar.show_documents(bool(self.workspace.documents.entries))
        self.sidebar.passages.setVisible(self.pages.shows_compare)
        self.sidebar.show_sides(self.pages.shows_compare)
        self._show_title()

    def _follow_comparison(self, changed: ComparisonPart) -> None:
        if ComparisonPart.TEXTS in changed:
            self._show_title()

    def _follow_opened(self) -> None:
        if self.sessions.keeper.path is not None:
            self.common_bar.skip_question()
            self.class_files.skip_notice()

    def _show_pair(self, left: int, right: int) -> None:
        self.workspace.documents.choose_pair(left, right)
        self.pages.show_compare()

    def _show_title(self) -> None:
        documents = self.workspace.documents
        names = (documents.name_of(documents.sides.get(side, 0)) for side in Side)
        shown = " ↔ ".join(names) if self.workspace.comparison else ""
        if self.pages.currentWidget() is self.class_page:
            shown = class_in_words(self.workspace.class_state.folder, self.sessions.keeper.path is not None)
        self.setWindowTitle(self.sessions.title(shown))
        self.setWindowModified(self.sessions.keeper.is_modified)

    # commands

    def ask_for_password(self, key: int) -> None:
        """Ask for the password of a file."""
        PasswordDialog(self.workspace, key, self).open()

    def _show_shortcuts(self) -> None:
        ShortcutsDialog(self, self.menus).open()

    # looks

    def use_language(self, language: str) -> None:
        """Switch the language and remember it."""
        postpone_painting(self)
        self._preferences.language = language
        LANGUAGE.use(language)
        self.commands.check("language", language)

    def use_theme(self, name: str) -> None:
        """Switch to "light", "dark" or the "system" theme, and remember it."""
        postpone_painting(self)
        self._preferences.theme = name
        theme = _theme(name)
        hidden = apply_theme_to_application(current_application(), theme)
        if hidden or theme is not APPEARANCE.theme:  # else a new window, made with this theme
            APPEARANCE.use(theme)
        self.commands.check("theme", self._preferences.theme)
        if hidden:  # after the visible widgets are painted
            QTimer.singleShot(_PAINT_DELAY_MS, self, lambda: self._finish_theme(hidden))

    def _finish_theme(self, hidden: Sequence[QWidget]) -> None:
        polish_late(hidden)
        APPEARANCE.changed.emit()  # polishing has reset the palettes of widgets

    def _follow_system(self) -> None:
        if self._preferences.theme == "system":
            self.use_theme("system")

    # events

    def quit_without_asking(self) -> None:
        """Close without a question, at the system's request; unsaved work is offered at the next start."""
        self.sessions.recovery.keep_copy()
        self._must_end = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Stop all work and close, unless the user wants to save first."""
        if not (self._must_end or (self.export.may_close() and self.sessions.may_close())):
            event.ignore()
            return
        self._preferences.geometry = self.saveGeometry()
        self.sessions.close()
        self.hide()  # ending the reading processes takes a moment
        self.manual.close()
        self.library.close()
        self.workspace.close()
        self.export.close()
        event.accept()


def _theme(name: str) -> Theme:
    is_dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return THEMES.get(name) or (DARK if is_dark else LIGHT)

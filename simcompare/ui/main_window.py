"""Main window: first the start page with menus and tool bar, then the parts of `window_assembly.py`."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QMainWindow, QMenuBar, QWidget

from simcompare.support.i18n import N_
from simcompare.ui.access.window_text_size import WindowContents, WindowTextSize
from simcompare.ui.actions import Commands
from simcompare.ui.preferences import Preferences
from simcompare.ui.session.recovery import RecoveryBar
from simcompare.ui.start_page import StartPage
from simcompare.ui.state.language import LANGUAGE
from simcompare.ui.style.layouts import column_of, press_by_enter
from simcompare.ui.style.theme import (
    APPEARANCE,
    DARK,
    LIGHT,
    THEMES,
    Theme,
    apply_theme_to_application,
    current_application,
    polish_late,
    postpone_painting,
)
from simcompare.ui.tool_bar import ToolBar

if TYPE_CHECKING:
    from simcompare.ui.access.border_keys import BorderKeys
    from simcompare.ui.cohort.class_page import ClassPage
    from simcompare.ui.cohort.common_dialog import CommonSentencesDialog, CommonTextBar
    from simcompare.ui.cohort.pair_steps import PairSteps
    from simcompare.ui.cohort.pair_table_page import PairTablePage
    from simcompare.ui.compare.compare_view import CompareView
    from simcompare.ui.compare.heatmap.heatmap_view import HeatmapFolding
    from simcompare.ui.compare.matches.decision_actions import PassageDecisionActions
    from simcompare.ui.compare.text_pane.typography import TextSize
    from simcompare.ui.documents.class_files import ClassFileCommands, SampleEssays
    from simcompare.ui.documents.drop_and_paste import DropAndPaste
    from simcompare.ui.documents.receipt_dialog import ReceiptDialog
    from simcompare.ui.essay_page import EssayPage
    from simcompare.ui.export.export_controller import Export
    from simcompare.ui.help.help_commands import HelpCommands
    from simcompare.ui.library.library_commands import LibraryCommands
    from simcompare.ui.manual.manual_help import ManualHelp
    from simcompare.ui.notice_bar import NoticeBar
    from simcompare.ui.session.session_commands import SessionCommands
    from simcompare.ui.sidebar import Sidebar, SidebarFolding
    from simcompare.ui.state.workspace import Workspace
    from simcompare.ui.status_line import StatusLine
    from simcompare.ui.window_pages import CompareCommands, Pages, PageSwitch, UndoActions

_MENUS = (N_("&File"), N_("&Edit"), N_("&Documents"), N_("&Compare"), N_("&View"), N_("&Help"))


def first_size(available: QSize) -> QSize:
    """Choose the size of a window that has not been resized yet, for the free size of its screen."""
    return (available * _SHARE_OF_SCREEN).boundedTo(QSize(*_LARGEST_FIRST_SIZE_PX))


_SHARE_OF_SCREEN = 0.92  # leaves room for the frame and title
_LARGEST_FIRST_SIZE_PX = (1760, 1080)
_MINIMUM_SIZE_PX = (640, 340)  # half a laptop's screen, also one whose text is enlarged to 200%


class Assembly(Protocol):
    """Makes the parts that are not painted first; their modules are imported after the first painting."""

    def steps(self) -> Iterator[None]: ...
    def make_receipt(self) -> "ReceiptDialog": ...
    def make_essay_page(self) -> "EssayPage": ...
    def make_common_sentences(self) -> "CommonSentencesDialog": ...


class MainWindow(QMainWindow):
    """Main window: documents on the left; the class, or the compared texts, on the right.

    The attributes below are set by `complete` or step by step by `make_next_parts`.
    """

    assembly: Assembly
    workspace: "Workspace"
    sidebar: "Sidebar"
    compare_view: "CompareView"
    folding: "HeatmapFolding"
    text_size: "TextSize"
    class_page: "ClassPage"
    pairs_view: "PairTablePage"
    notice: "NoticeBar"
    library: "LibraryCommands"
    pages: "Pages"
    page_switch: "PageSwitch"
    common_bar: "CommonTextBar"
    pair_steps: "PairSteps"
    compare_commands: "CompareCommands"
    status_line: "StatusLine"
    export: "Export"
    judging: "PassageDecisionActions"
    undo_actions: "UndoActions"
    sessions: "SessionCommands"
    manual: "ManualHelp"
    drop_and_paste: "DropAndPaste"
    class_files: "ClassFileCommands"
    help: "HelpCommands"
    samples: "SampleEssays"
    border_keys: "BorderKeys"
    folded_sidebar: "SidebarFolding"

    def __init__(
        self, preferences: Preferences, assemble: Callable[["MainWindow", Preferences], Assembly]
    ) -> None:
        """Make the parts of the first painting; assemble: called for the others."""
        LANGUAGE.use(preferences.language)
        window_text = WindowTextSize(preferences)  # before the first widget
        super().__init__()
        self.window_text = window_text
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)  # connected functions would keep the window
        self._preferences, self._assemble = preferences, assemble
        APPEARANCE.theme = _theme(preferences.theme)
        self._must_end = self._has_begun = self.is_whole = False
        self._steps = self._parts()
        self.start_page, self.recovery_bar = StartPage(preferences), RecoveryBar()
        self.commands = Commands(self)
        self.menus = QMenuBar()  # in the row of the tool bar: texts need the height of a row
        self.main_menus = [self.commands.add_menu(self.menus, text) for text in _MENUS]
        self.tool_bar = ToolBar(self.menus)
        self._show_first_parts()

    def _show_first_parts(self) -> None:
        central = QWidget()
        central.setObjectName("central")
        column_of(central, self.tool_bar, self.recovery_bar, (self.start_page, 1))
        self.setCentralWidget(WindowContents(central))
        self.statusBar().setSizeGripEnabled(False)
        self.setWindowTitle("simcompare")
        self.setMinimumSize(*_MINIMUM_SIZE_PX)
        self.resize(first_size(self.screen().availableSize()))
        self.restoreGeometry(self._preferences.geometry)
        self.window_text.follow(self)
        self.use_theme(self._preferences.theme)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    def _parts(self) -> Iterator[None]:
        self.assembly = self._assemble(self, self._preferences)
        yield from self.assembly.steps()
        self.commands.check("language", self._preferences.language)
        self.commands.check("theme", self._preferences.theme)
        self.commands.check("window_text", str(self._preferences.window_percent))
        self.is_whole = True

    def make_next_parts(self) -> None:
        """Make some of the missing parts, in a few hundredths of a second; see `is_whole`."""
        self._has_begun = True
        next(self._steps, None)

    def complete(self) -> None:
        while not self.is_whole:
            self.make_next_parts()

    # parts that are made when they are first used

    @cached_property
    def receipt(self) -> "ReceiptDialog":
        return self.assembly.make_receipt()

    @cached_property
    def essay_page(self) -> "EssayPage":
        return self.assembly.make_essay_page()

    @cached_property
    def common_sentences(self) -> "CommonSentencesDialog":
        return self.assembly.make_common_sentences()

    # looks

    def use_language(self, language: str) -> None:
        postpone_painting(self)
        self._preferences.language = language
        LANGUAGE.use(language)
        self.window_text.set_fonts()
        self.commands.check("language", language)

    def use_theme(self, name: str) -> None:
        postpone_painting(self)
        self._preferences.theme = name
        theme = _theme(name)
        hidden = apply_theme_to_application(current_application(), theme)
        if hidden or theme is not APPEARANCE.theme:  # else a new window, made with this theme
            APPEARANCE.use(theme)
        self.commands.check("theme", self._preferences.theme)
        polish_late(self, hidden)

    def _follow_system(self) -> None:
        if self._preferences.theme == "system":
            self.use_theme("system")

    # events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the focused button with Enter, which Qt does in dialogs only, or go on to the next pair."""
        is_used = press_by_enter(event, QApplication.focusWidget(), QAbstractButton)
        if not (is_used or self.compare_view.lead_on(event)):
            super().keyPressEvent(event)

    def quit_without_asking(self) -> None:
        """Close without a question, at the system's request; unsaved work is offered at the next start."""
        if self.is_whole:
            self.sessions.recovery.keep_copy()
        self._must_end = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self._has_begun:
            self._preferences.geometry = self.saveGeometry()
            event.accept()
            return
        self.complete()  # parts of which some are missing cannot be closed
        if not (self._must_end or (self.export.may_close() and self.sessions.may_close())):
            event.ignore()
            return
        self._preferences.geometry = self.saveGeometry()
        self.sessions.close()
        self.hide()  # ending the reading processes takes a moment
        if "essay_page" in vars(self):
            self.essay_page.stop()
        self.manual.close()
        self.library.close()
        self.workspace.close()
        self.export.close()
        event.accept()


def _theme(name: str) -> Theme:
    is_dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return THEMES.get(name) or (DARK if is_dark else LIGHT)

"""Pages of the window, the switch between them and their layout; actions of the menus Edit and Compare."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QUndoCommand, QUndoStack, QWindow
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSplitter, QWidget

from simcompare.comparison.passages.passage_words import has_changes
from simcompare.session.session_data import SavedFilter, SavedLayout
from simcompare.support.i18n import N_, _
from simcompare.ui.actions import Command
from simcompare.ui.cohort.common_dialog import CommonTextBar
from simcompare.ui.cohort.pair_table_page import PairTablePage
from simcompare.ui.compare.compare_view import CompareView
from simcompare.ui.library.library_commands import LibraryCommands
from simcompare.ui.library.library_page import LibraryPage
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.changes import step_label
from simcompare.ui.state.cohort.class_filter import ShareRange
from simcompare.ui.state.cohort.class_state import MIN_DOCUMENTS
from simcompare.ui.state.language import NamedAction, follow_language
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.layouts import CurrentPageStack, column_of, push_button
from simcompare.ui.style.theme import current_application

_OF_KEYS = frozenset({QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress})
"""A key that is a shortcut gives no key press."""
_EDITING_KEYS = (
    *(QKeySequence.StandardKey.Copy, QKeySequence.StandardKey.Cut, QKeySequence.StandardKey.Paste),
    *(QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo, QKeySequence.StandardKey.SelectAll),
)
_OF_POINTER = frozenset({QEvent.Type.MouseButtonPress, QEvent.Type.TouchBegin, QEvent.Type.TabletPress})


class LastInput(QObject):
    """Follows the input of each window that gets the focus, and lets shortcuts win over keys of text fields.

    Menus and pop-ups get no focus: a click in one counts like what opened it. Windows get the input before
    their widgets do; a filter of the application would be called for the events of all objects.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.was_key = False
        application = current_application()
        application.focusWindowChanged.connect(self._follow)
        self._follow(application.focusWindow())

    def _follow(self, window: QWindow | None) -> None:
        if window is not None:
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _OF_KEYS:
            self.was_key = True
        elif event.type() in _OF_POINTER:
            self.was_key = False
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and _is_command(event)
        ):
            event.ignore()
            return True
        return super().eventFilter(watched, event)


def _is_command(event: QKeyEvent) -> bool:
    """Return whether a key is Ctrl and a letter that edits no text, as Ctrl+E on Linux, the end of a line."""
    is_letter = Qt.Key.Key_A <= event.key() <= Qt.Key.Key_Z
    has_control = (
        event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier == Qt.KeyboardModifier.ControlModifier
    )
    return is_letter and has_control and not any(map(event.matches, _EDITING_KEYS))


class Pages(CurrentPageStack):
    """Shows the empty page without documents, Compare for two documents, the class for more.

    Once the user has chosen a page or a pair, the page stays until there are at most two documents. The
    library stays until the user leaves it, or opens the first documents.
    """

    changed = Signal()
    library_added = Signal()
    """The page of the library was made, as it is shown for the first time."""
    compare_requested = Signal()
    """Compare is shown next, though no pair was opened."""

    def __init__(
        self,
        workspace: Workspace,
        empty: QWidget,
        compare: QWidget,
        school_class: QWidget,
        make_library: Callable[[], LibraryPage],
    ) -> None:
        super().__init__()
        self._workspace = workspace
        self._last_input = LastInput(self)
        self._empty, self._compare, self._class = empty, compare, school_class
        self._make_library = make_library
        self._library: LibraryPage | None = None
        self._sources: QWidget | None = None
        self._came_from: QWidget | None = None
        """Sources of an essay, or the library, from which Compare was shown."""
        self.has_table = False
        self._had_documents = False
        for page, name in ((empty, "empty"), (compare, "compare"), (school_class, "pairs")):
            page.setObjectName(name)
            self.addWidget(page)
        self.currentChanged.connect(self.changed)
        workspace.documents_changed.connect(self._follow_documents)
        self.addAction(NamedAction(N_("Back"), self, self.go_back, "Alt+Left"))

    @property
    def shows_compare(self) -> bool:
        return self.currentWidget() is self._compare

    @property
    def shows_library(self) -> bool:
        return self._library is not None and self.currentWidget() is self._library

    @property
    def leads_to_library(self) -> bool:
        """Whether the library is shown, or Compare with a hit of it."""
        return self.shows_library or (self._library is not None and self._came_from is self._library)

    @property
    def shows_sources(self) -> bool:
        return self._sources is not None and self.currentWidget() is self._sources

    def library_if_made(self) -> Sequence[LibraryPage]:
        return () if self._library is None else (self._library,)

    def go_back(self) -> None:
        """Show the class, or the sources of an essay or the library from which a pair was opened.

        From the library, without a class, Compare or the empty page.
        """
        came_from = self._came_from if self.has_table or self._came_from is self._library else None
        if self.shows_compare and came_from is not None:
            self.setCurrentWidget(came_from)
            came_from.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.has_table or self.shows_library:
            self.show_documents()

    def show_documents(self) -> None:
        """Show the class; without one Compare, or without documents the empty page."""
        if self.has_table:
            self.show_pairs()
        else:
            self._show_unless_shown(self._compare if self._workspace.documents.entries else self._empty)

    def show_library(self) -> None:
        """Show the library, for which most windows have no use: its page is made when it is first shown."""
        if self._library is None:
            self._library = self._make_library()
            self._library.setObjectName("library")
            self._library.back_button.clicked.connect(self.go_back)
            self.addWidget(self._library)
            self.library_added.emit()
        self.setCurrentWidget(self._library)
        self._library.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_sources(self, page: QWidget) -> None:
        """Show the page of the sources of an essay, which is made when it is first shown."""
        if self._sources is None:
            self._sources = page
            page.setObjectName("sources")
            self.addWidget(page)
        self._came_from = page
        self.setCurrentWidget(page)
        page.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_pairs(self) -> None:
        """Show the class, if there are enough documents for one."""
        self._came_from = None
        if self.has_table:
            self.setCurrentWidget(self._class)
            self._class.setFocus(Qt.FocusReason.OtherFocusReason)

    def open_compare(self) -> None:
        """Show Compare with the pair that is open in it; `compare_requested` may open one before."""
        self.compare_requested.emit()
        self.show_compare()

    def show_compare(self) -> None:
        """Show Compare; its text with the focus is marked if a key was the last input."""
        if self._workspace.documents.entries:
            if self.shows_library:
                self._came_from = self._library
            by_key, other = Qt.FocusReason.ShortcutFocusReason, Qt.FocusReason.OtherFocusReason
            self.setCurrentWidget(self._compare)
            self._compare.setFocus(by_key if self._last_input.was_key else other)

    def _follow_documents(self) -> None:
        documents = self._workspace.documents
        had_table, self.has_table = self.has_table, documents.readable_count >= MIN_DOCUMENTS
        had_documents, self._had_documents = self._had_documents, bool(documents.entries)
        stays = self.shows_library and (had_documents or not documents.entries)
        if stays:
            pass
        elif not documents.entries:
            self._show_unless_shown(self._empty)
        elif not self.has_table:
            self._show_unless_shown(self._compare)
        elif not had_table and not documents.sides_were_chosen:
            self._show_unless_shown(self._class)
        if had_table != self.has_table:
            self.changed.emit()

    def _show_unless_shown(self, page: QWidget) -> None:
        if self.currentWidget() is not page:
            self.setCurrentWidget(page)
            page.setFocus(Qt.FocusReason.OtherFocusReason)


class OfClass(QWidget):
    """A bar that is shown on the page of the class, or of two documents without a class, and hides itself.

    While a notice is shown it waits, so that one of both takes space at a time, unless all figures depend on
    the answer.
    """

    def __init__(self, pages: Pages, bar: CommonTextBar, notice: QWidget) -> None:
        super().__init__()
        self._pages, self._bar, self._notice = pages, bar, notice
        column_of(self, bar)
        pages.changed.connect(self._show)
        bar.question_changed.connect(self._show)
        notice.installEventFilter(self)
        self._show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._show()
        return super().eventFilter(watched, event)

    def _show(self) -> None:
        pages = self._pages
        is_of_page = not pages.shows_library and pages.has_table != pages.shows_compare
        self.setVisible(is_of_page and (self._notice.isHidden() or self._bar.is_urgent))


class PageSwitch(QWidget):
    """Three buttons for the pages, and the same as commands; hidden without a class, library or hit of it."""

    def __init__(self, pages: Pages) -> None:
        super().__init__()
        self.setObjectName("pageSwitch")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._pages = pages
        class_tip = N_(
            "All students and pairs, with three documents or more (Ctrl+1, from Compare also Alt+←)"
        )
        compare_tip, library_tip = (
            N_("The two texts side by side (Ctrl+2)"),
            N_("Essays of past years (Ctrl+3)"),
        )
        self.pairs_button = push_button(N_("Class"), pages.show_pairs, class_tip, look="switchLeft")
        self.compare_button = push_button(N_("Compare"), pages.open_compare, compare_tip, look="switchMiddle")
        self.library_button = push_button(N_("Library"), pages.show_library, library_tip, look="switchRight")
        group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for button in (self.pairs_button, self.compare_button, self.library_button):
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            group.addButton(button)
            row.addWidget(button, 1)
        self.entries = [
            Command("page_pairs", N_("Class"), "Ctrl+1", pages.show_pairs),
            Command("page_compare", N_("Compare"), "Ctrl+2", pages.open_compare),
            Command("page_library", N_("Library"), "Ctrl+3", pages.show_library),
        ]
        pages.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        has_table, shows_library = self._pages.has_table, self._pages.shows_library
        self.setVisible(has_table or self._pages.leads_to_library)
        self.pairs_button.setEnabled(has_table)
        pressed = self.library_button if shows_library else self.pairs_button
        (self.compare_button if self._pages.shows_compare else pressed).setChecked(True)
        for entry in self.entries[:2]:
            entry.setEnabled(has_table)


class Splitters(QObject):
    """Splitters of a window by object name; stores the sizes set by the user."""

    def __init__(self, window: QWidget, preferences: Preferences) -> None:
        super().__init__(window)
        self._preferences = preferences
        self._splitters: dict[str, QSplitter] = {}
        self._applying = False
        self.moved: dict[str, tuple[int, ...]] = {}
        self.follow(window)

    def follow(self, part: QWidget) -> None:
        """Follow the splitters of the window, or of a part added later, and set the sizes stored for them."""
        for splitter in part.findChildren(QSplitter):
            name = splitter.objectName()
            if not name or name in self._splitters:
                continue
            self._splitters[name] = splitter
            splitter.splitterMoved.connect(lambda *_place, name=name: self._remember(name))
            sizes_px = self.moved.pop(name, None) or self._preferences.splitters.get(name, ())
            self.apply({name: sizes_px})

    def _remember(self, name: str) -> None:
        if not self._applying:
            self.moved[name] = tuple(self._splitters[name].sizes())
            self._preferences.splitters = self._preferences.splitters | {name: self.moved[name]}

    def apply(self, sizes: Mapping[str, tuple[int, ...]]) -> None:
        """Set sizes; splitters not named keep theirs, and those of a part not made yet get them later."""
        for name, sizes_px in sizes.items():
            splitter = self._splitters.get(name)
            if splitter is None:
                self.moved[name] = sizes_px
            elif len(sizes_px) == splitter.count() and any(sizes_px):
                self.moved[name] = sizes_px
                self._move(splitter, sizes_px)

    def _move(self, splitter: QSplitter, sizes: tuple[int, ...]) -> None:
        """Move the splitter as a user would: parts that size themselves then leave it alone."""
        self._applying = True
        splitter.setSizes(list(sizes))
        splitter.splitterMoved.emit(sizes[0], 1)
        self._applying = False


class WindowLayout:
    """Layout of a window, which sessions store; made once all parts exist that are made at the start."""

    def __init__(
        self,
        window: QWidget,
        workspace: Workspace,
        preferences: Preferences,
        pages: Pages,
        table: PairTablePage,
        library: LibraryCommands,
    ) -> None:
        self._workspace = workspace
        self._pages = pages
        self._table = table
        self._library = library
        self._splitters = Splitters(window, preferences)

    def follow(self, part: QWidget) -> None:
        self._splitters.follow(part)

    def current(self, cell: tuple[int, int] | None) -> SavedLayout:
        page = self._pages.currentWidget()
        page_name = page.objectName() if page else ""
        moved, order = dict(self._splitters.moved), self._table.order_word
        searched = self._library.search.method
        return SavedLayout(cell, page_name, moved, order, self._current_filter(), searched)

    def _current_filter(self) -> SavedFilter:
        chosen, keys = self._workspace.class_filter, self._workspace.documents.entries
        documents = tuple(number for number, key in enumerate(keys) if key in chosen.documents)
        shares = None if chosen.shares is None else (chosen.shares.least, chosen.shares.below)
        return SavedFilter(documents, shares, self._table.name_filter)

    def apply(self, layout: SavedLayout) -> None:
        """Restore a layout; splitters it does not mention stay."""
        self._splitters.apply(layout.splitters)
        self._table.start_over()
        self._table.use_order(layout.order)
        chosen, keys = self._workspace.class_filter, list(self._workspace.documents.entries)
        chosen.show_documents([keys[number] for number in layout.filter.documents if 0 <= number < len(keys)])
        chosen.show_shares(None if layout.filter.shares is None else ShareRange(*layout.filter.shares))
        self._table.name_filter = layout.filter.name
        self._library.search_once_read(layout.library_search)
        show_page = {"compare": self._pages.show_compare, "library": self._pages.show_library}
        show_page.get(layout.page, self._pages.show_documents)()


class UndoActions(QObject):
    """Undo and redo actions of an undo stack, with the names of the steps; `say` tells what was done."""

    def __init__(self, history: QUndoStack, say: Callable[[str], object], parent: QObject) -> None:
        super().__init__(parent)
        self._history, self._say = history, say
        self._shown: list[tuple[QUndoCommand | None, str]] = []
        self._undo, self._redo = QAction(self), QAction(self)
        self._undo.setShortcuts(QKeySequence.StandardKey.Undo)
        self._redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        for action, able in ((self._undo, history.canUndoChanged), (self._redo, history.canRedoChanged)):
            action.setEnabled(False)
            able.connect(action.setEnabled)
        self._undo.triggered.connect(lambda: self._step(history.undo, -1, N_("Undone: {step}")))
        self._redo.triggered.connect(lambda: self._step(history.redo, 0, N_("Redone: {step}")))
        history.indexChanged.connect(self._show_steps)
        history.indexChanged.connect(self._take_back)
        self._said = ""
        follow_language(self._retranslate)

    @property
    def entries(self) -> list[QAction]:
        return [self._undo, self._redo]

    def _step(self, act: Callable[[], object], offset: int, words: str) -> None:
        step = step_label(self._history, self._history.index() + offset)
        self._said = ""
        act()
        self._said = _(words).format(step=step)
        self._say(self._said)  # after what the views say of it

    def _take_back(self) -> None:
        """Take back what was said of an earlier step."""
        if self._said:
            self._said = ""
            self._say("")

    def _retranslate(self) -> None:
        self._shown = []
        self._show_steps()

    def _show_steps(self) -> None:
        """Name the steps, unless they are the same as before, as while a slider is moved."""
        places = self._history.index() - 1, self._history.index()
        commands = (self._history.command(place) if place >= 0 else None for place in places)
        steps = [(command, command.text() if command else "") for command in commands]
        if steps == self._shown:
            return
        self._shown = steps
        undone, redone = (step_label(self._history, place) for place in places)
        self._undo.setText(_("Undo: {step}").format(step=undone) if undone else _("Undo"))
        self._redo.setText(_("Redo: {step}").format(step=redone) if redone else _("Redo"))
        self._undo.setIconText(_("Undo"))  # also the names in the list of shortcuts
        self._redo.setIconText(_("Redo"))


class CompareCommands(QObject):
    """Commands on the two texts; those that need them visible are disabled otherwise."""

    def __init__(self, workspace: Workspace, pages: Pages, compare: CompareView) -> None:
        super().__init__(pages)
        self._workspace = workspace
        self._pages = pages
        selection = workspace.selection
        further, back = (partial(selection.step_match, step) for step in (1, -1))
        differ, differ_back = (partial(compare.text_feed.step_change, step) for step in (1, -1))
        self.steps = [
            Command("next", N_("Next passage"), "N", lambda: selection.step_passage(1)),
            Command("previous", N_("Previous passage"), "P", lambda: selection.step_passage(-1)),
            Command("difference", N_("Jump to the next difference"), "Shift+N", differ),
            Command("difference_back", N_("Jump to the previous difference"), "Shift+P", differ_back),
            Command("further", N_("Next sentence pair in the passage"), "Alt+Down", further),
            Command("back", N_("Previous sentence pair in the passage"), "Alt+Up", back),
        ]
        self.sides = [
            Command("swap", N_("Swap sides"), "Ctrl+T", workspace.documents.swap),
            Command("again", N_("Compare again"), "F5", workspace.compare_again),
        ]

        for signal in (
            pages.changed,
            workspace.comparison_changed,
            workspace.documents_changed,
            selection.listed_changed,
            selection.changed,
        ):
            signal.connect(self._enable)
        self._enable()

    def _enable(self) -> None:
        seen = self._pages.shows_compare
        selection = self._workspace.selection
        listed = seen and len(selection.listed) > 0
        inside = seen and (selection.can_step_match(1) or selection.can_step_match(-1))
        passages, index = self._workspace.passages, selection.passage
        differs = seen and passages is not None and index is not None and has_changes(passages, index)
        differs |= inside and selection.are_rewritten
        for step, is_usable in zip(
            self.steps, (listed, listed, differs, differs, inside, inside), strict=True
        ):
            step.setEnabled(is_usable)
        paired = len(self._workspace.documents.sides) == 2
        swap, again = self.sides
        swap.setEnabled(paired and seen)
        again.setEnabled(paired)

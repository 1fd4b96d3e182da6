"""What a person does with sessions: new, open, save, and what crashes left behind."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from simcompare.errors import FileNotReadableError, SimcompareError
from simcompare.i18n import N_, _
from simcompare.session.values import FILE_SUFFIX, Layout
from simcompare.ui.actions import Command
from simcompare.ui.file_dialogs import ask_for_session
from simcompare.ui.session.keeper import SessionKeeper
from simcompare.ui.session.leaving import Leaving
from simcompare.ui.session.recent_menu import RecentMenu
from simcompare.ui.session.recovery import Recovery, RescuedWork, rescued_work
from simcompare.ui.session.recovery_bar import RecoveryBar
from simcompare.ui.session.saving import Saving
from simcompare.ui.session.window_layout import ShownPages, SortedTable, WindowLayout
from simcompare.ui.state.preferences import Preferences
from simcompare.ui.state.workspace import Workspace
from simcompare.visible import visible_name


@dataclass(frozen=True, slots=True, eq=False)
class _Opening:
    """What goes with a session that is being opened: other files, the copy it is read from after a crash."""

    add_then: tuple[Path, ...] = ()
    rescued: RescuedWork | None = None


class Sessions(QObject):
    """The sessions of a window. What a person has to read is a notice; `say` tells the rest in passing."""

    def __init__(
        self,
        window: QWidget,
        workspace: Workspace,
        preferences: Preferences,
        say: Callable[[str], object],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._workspace = workspace
        self._preferences = preferences
        self._say = say
        self._window_layout: WindowLayout | None = None
        self._opening = _Opening()
        self._rescued: list[RescuedWork] = []
        self.keeper = SessionKeeper(workspace, self._layout, self)
        self._saving = Saving(window, workspace, self.keeper, preferences, say)
        self._leaving = Leaving(window, self.keeper, self._saving)
        self.recovery = Recovery(self.keeper, workspace, self)
        self.recovery_bar = RecoveryBar()
        self.recent = RecentMenu(preferences, window)
        self._listen()

    def _listen(self) -> None:
        self.keeper.opened.connect(self._show_opened)
        self.keeper.not_opened.connect(self._tell_not_opened)
        self.recovery.noticed.connect(self._workspace.noticed)
        self.recent.chosen.connect(self.open)
        self.recovery_bar.restore_requested.connect(self._restore_rescued)
        self.recovery_bar.discard_requested.connect(self._discard_rescued)

    def commands(self) -> list[Command | QAction | None]:
        """Return what stands in the menu of files."""
        return [
            Command("new_session", N_("New session"), None, self.begin_anew),
            Command("open_session", N_("Open session…"), "Ctrl+Shift+O", self.ask_for_session),
            self.recent.action,
            Command("save", N_("Save session"), QKeySequence.StandardKey.Save, self._saving.save),
            Command("save_as", N_("Save session as…"), "Ctrl+Shift+S", self._saving.ask_where_to_save),
        ]

    def follow_layout(self, pages: ShownPages, table: SortedTable) -> None:
        """Remember how the window is laid out; call it once all its parts are there."""
        self._window_layout = WindowLayout(self._window, self._preferences, pages, table)

    def _layout(self) -> Layout:
        cell = self._workspace.selection.cell
        return self._window_layout.now(cell) if self._window_layout else Layout(cell)

    # opening

    def add(self, paths: Iterable[Path]) -> None:
        """Open the session that is among these files, and add the others to it or to what there is."""
        paths = list(paths)
        sessions = [path for path in paths if path.suffix.lower() == FILE_SUFFIX]
        others = [path for path in paths if path not in sessions]
        if not sessions:
            self._workspace.documents.add(others)
            return
        if len(sessions) > 1:
            one = _("One session can be open at a time: only {name} is opened.")
            self._workspace.noticed.emit(one.format(name=visible_name(sessions[0].name)))
        self.open(sessions[0], others)

    def open(self, path: Path, others: Iterable[Path] = ()) -> None:
        """Open a session, once what is to become of unsaved work is settled, and add other files to it.

        Whatever the file is called: a person says that it is one.
        """
        opening = _Opening(tuple(others))
        self._leaving.leave(lambda: self._open(path, opening))

    def _open(self, path: Path, opening: _Opening) -> None:
        self._let_go_of_opening()
        self._opening = opening
        self._say(_("Opening {name}…").format(name=visible_name(path.name)))
        self.keeper.open(path.absolute(), rescued=opening.rescued is not None)

    def _let_go_of_opening(self) -> _Opening:
        """Wait no longer for what is being opened; work that a crash left is offered at the next start."""
        opening, self._opening = self._opening, _Opening()
        if opening.rescued is not None:
            opening.rescued.lock.unlock()
        return opening

    def ask_for_session(self) -> None:
        """Let the user choose a session to open."""
        ask_for_session(self._window).fileSelected.connect(lambda name: self.open(Path(name)))

    def begin_anew(self) -> None:
        """Begin an empty session, once what is to become of unsaved work is settled."""
        self._leaving.leave(self._begin_anew)

    def _begin_anew(self) -> None:
        self._let_go_of_opening()
        self.keeper.begin_anew()
        self._offer_next()

    def _show_opened(self, layout: Layout) -> None:
        opening, self._opening = self._opening, _Opening()
        self._say("")
        if opening.rescued is not None:
            self.recovery.take_over(opening.rescued)
        if self._window_layout is not None:
            self._window_layout.apply(layout)
        if self.keeper.path is not None:
            self._preferences.add_recent_file(self.keeper.path)
        self._add(opening)
        self._offer_next()

    def _add(self, opening: _Opening) -> None:
        if opening.add_then:
            self._workspace.documents.add(opening.add_then)

    def _tell_not_opened(self, error: SimcompareError) -> None:
        opening = self._let_go_of_opening()
        self._say("")
        if isinstance(error, FileNotReadableError):
            self._preferences.forget_recent_file(error.path)
        self._add(opening)
        self._offer_next()
        self._workspace.noticed.emit(str(error))

    # leaving

    @property
    def folder(self) -> str:
        """The folder beside which a person works; empty where there is none to write to."""
        return self._saving.folder

    def may_close(self) -> bool:
        """Whether the window can be closed; else a person is asked, and it closes if that is the answer."""
        return self._leaving.may_close()

    def leave_work(self) -> None:
        """Leave unsaved work to be offered at the next start."""
        self.recovery.leave()

    def close(self) -> None:
        """End cleanly: what is being written is waited for, and nothing is left to be restored."""
        self.keeper.close()
        self.recovery.close()
        self._let_go_of_opening()
        for work in self._rescued:
            work.lock.unlock()

    # what a crash left behind

    def offer_rescued_work(self) -> None:
        """Offer what crashes left behind, one after the other; the newest first."""
        self._rescued = rescued_work()
        self._offer_next()

    def _offer_next(self) -> None:
        self.recovery_bar.offer([work.written for work in self._rescued])

    def _restore_rescued(self) -> None:
        self._leaving.leave(self._open_rescued)

    def _open_rescued(self) -> None:
        if self._rescued:
            work = self._rescued.pop(0)
            self.recovery_bar.offer([])
            self._open(work.path, _Opening(rescued=work))

    def _discard_rescued(self) -> None:
        self._rescued.pop(0).discard()
        self._offer_next()

    # looks

    def title(self, pair: str) -> str:
        """Return the window's title; [*] stands for the mark of unsaved work."""
        name = visible_name(self.keeper.path.stem).replace("[*]", "[*][*]") if self.keeper.path else ""
        pair = pair.replace("[*]", "[*][*]")
        first, *others = [part for part in (name, pair, "simcompare") if part]
        return " – ".join([f"{first}[*]", *others])

    def retranslate(self) -> None:
        """Show all texts in the current language."""
        self.recovery_bar.retranslate()
        self.recent.retranslate()

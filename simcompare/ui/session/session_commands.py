"""Session commands: new, open, save, and recovery after a crash."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from simcompare.model.errors import FileNotReadableError, SimcompareError
from simcompare.session.session_data import FILE_SUFFIX, SavedLayout
from simcompare.support.display_text import display_name
from simcompare.support.i18n import N_, _
from simcompare.ui.actions import Command
from simcompare.ui.desktop.file_dialogs import ask_for_session
from simcompare.ui.preferences import Preferences
from simcompare.ui.session.recent_sessions import RecentMenu
from simcompare.ui.session.recovery import Recovery, RecoveryBar, RecoveryCopy
from simcompare.ui.session.session_keeper import SessionKeeper
from simcompare.ui.session.session_saving import SessionSaving
from simcompare.ui.session.unsaved_work import UnsavedWorkGuard
from simcompare.ui.session.window_layout import ShownPages, SortedTable, WindowLayout
from simcompare.ui.state.workspace import Workspace


@dataclass(frozen=True, slots=True, eq=False)
class _Opening:
    """Session being opened: files to add afterwards, and the recovery copy it is read from."""

    add_then: tuple[Path, ...] = ()
    recovery_copy: RecoveryCopy | None = None


class SessionCommands(QObject):
    """Session commands of a window. Errors are notices; `show_message` shows messages for a moment."""

    def __init__(
        self,
        window: QWidget,
        workspace: Workspace,
        preferences: Preferences,
        show_message: Callable[[str], object],
        recovery_bar: RecoveryBar,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._workspace = workspace
        self._preferences = preferences
        self._show_message = show_message
        self._window_layout: WindowLayout | None = None
        self._opening = _Opening()
        self.keeper = SessionKeeper(workspace, self._layout, self)
        self._saving = SessionSaving(window, workspace, self.keeper, preferences)
        self._guard = UnsavedWorkGuard(window, self.keeper, self._saving)
        self.recovery = Recovery(self.keeper, workspace, self)
        self.recovery_bar = recovery_bar
        self.recent = RecentMenu(preferences, window)
        self._listen()

    def _listen(self) -> None:
        self.keeper.opened.connect(self._show_opened)
        self.keeper.not_opened.connect(self._report_not_opened)
        self._saving.succeeded.connect(self._show_message)
        self._saving.succeeded.connect(self._settle)
        self._saving.failed.connect(lambda text: self._workspace.warn("saving", text))
        self.recovery.noticed.connect(lambda text: self._workspace.warn("backup", text))
        self.recent.chosen.connect(self.open)
        self.recovery_bar.restore_requested.connect(self._restore_copy)
        self.recovery_bar.discard_requested.connect(self._discard_copy)

    def commands(self) -> list[Command | QAction | None]:
        """Entries for the File menu."""
        return [
            Command("new_session", N_("New session"), None, self.reset),
            Command("open_session", N_("Open session…"), "Ctrl+Shift+O", self.ask_for_session),
            self.recent.action,
            Command("save", N_("Save session"), QKeySequence.StandardKey.Save, self._saving.save),
            Command("save_as", N_("Save session as…"), "Ctrl+Shift+S", self._saving.ask_where_to_save),
        ]

    def follow_layout(self, pages: ShownPages, table: SortedTable) -> None:
        """Restore and store the window layout; call it once all parts exist that are made at the start."""
        self._window_layout = WindowLayout(self._window, self._workspace, self._preferences, pages, table)

    def follow_added(self, part: QWidget) -> None:
        """Restore and store the layout of a part that was added to the window."""
        if self._window_layout is not None:
            self._window_layout.follow(part)

    def _layout(self) -> SavedLayout:
        cell = self._workspace.selection.sentences
        return self._window_layout.current(cell) if self._window_layout else SavedLayout(cell)

    # opening

    def add(self, paths: Iterable[Path]) -> None:
        """Open the session among these files, and add the others to it or to the current one."""
        paths = list(paths)
        sessions = [path for path in paths if path.suffix.lower() == FILE_SUFFIX]
        others = [path for path in paths if path not in sessions]
        if not sessions:
            self._workspace.documents.add(others)
            return
        if len(sessions) > 1:
            notice = _("One session can be open at a time: only {name} is opened.")
            self._workspace.noticed.emit(notice.format(name=display_name(sessions[0].name)))
        self.open(sessions[0], others)

    def open(self, path: Path, others: Iterable[Path] = ()) -> None:
        """Open a session and add other files to it, after unsaved work is saved or discarded.

        The file may have any name.
        """
        opening = _Opening(tuple(others))
        self._guard.run_if_saved(lambda: self._open(path, opening))

    def _open(self, path: Path, opening: _Opening) -> None:
        self._forget_opening()
        self._opening = opening
        self._show_message(_("Opening {name}…").format(name=display_name(path.name)))
        self.keeper.open(path.absolute(), is_recovery_copy=opening.recovery_copy is not None)

    def _forget_opening(self) -> _Opening:
        """Forget the session being opened; its recovery copy is offered again at the next start."""
        opening, self._opening = self._opening, _Opening()
        if opening.recovery_copy is not None:
            opening.recovery_copy.lock.unlock()
        return opening

    def ask_for_session(self) -> None:
        """Ask for a session to open."""
        ask_for_session(self._window).fileSelected.connect(lambda name: self.open(Path(name)))

    def reset(self) -> None:
        """Start an empty session, after unsaved work is saved or discarded."""
        self._guard.run_if_saved(self._reset)

    def begin_with(self, add: Callable[[], object]) -> None:
        """Start an empty session and add something to it, after unsaved work is saved or discarded."""

        def begin() -> None:
            self._reset()
            add()

        self._guard.run_if_saved(begin)

    def _reset(self) -> None:
        self._forget_opening()
        self.keeper.reset()
        self.recovery_bar.offer_first()

    def _settle(self) -> None:
        """Withdraw notices of work that could not be saved."""
        for work in ("saving", "backup"):
            self._workspace.settle(work)

    def _show_opened(self, layout: SavedLayout) -> None:
        opening, self._opening = self._opening, _Opening()
        self._workspace.settle("opening")
        self._show_message("")
        if opening.recovery_copy is not None:
            self.recovery.adopt(opening.recovery_copy)
        if self._window_layout is not None:
            self._window_layout.apply(layout)
        if self.keeper.path is not None:
            self._preferences.add_recent_file(self.keeper.path)
        self._add(opening)
        self.recovery_bar.offer_first()

    def _add(self, opening: _Opening) -> None:
        if opening.add_then:
            self._workspace.documents.add(opening.add_then)

    def _report_not_opened(self, error: SimcompareError) -> None:
        opening = self._forget_opening()
        self._show_message("")
        if isinstance(error, FileNotReadableError):
            self._preferences.forget_recent_file(error.path)
        self._add(opening)
        self.recovery_bar.offer_first()
        self._workspace.warn("opening", str(error))

    # leaving

    @property
    def name(self) -> str:
        """Name of the saved session without its suffix; empty if it is not saved."""
        return "" if self.keeper.path is None else self.keeper.path.stem

    @property
    def folder(self) -> str:
        """Folder of the session or its documents; empty if none is writable."""
        return self._saving.folder

    def may_close(self) -> bool:
        """Return whether the window can be closed; if not, ask, and close it depending on the answer."""
        return self._guard.may_close()

    def close(self) -> None:
        """Wait for files being written, and delete the recovery copy."""
        self.keeper.close()
        self.recovery.close()
        self._forget_opening()
        for work in self.recovery_bar.copies:
            work.lock.unlock()

    # recovery after a crash

    def _restore_copy(self) -> None:
        self._guard.run_if_saved(self._open_copy)

    def _open_copy(self) -> None:
        if self.recovery_bar.copies:
            work = self.recovery_bar.copies.pop(0)
            self.recovery_bar.hide()
            self._open(work.path, _Opening(recovery_copy=work))

    def _discard_copy(self) -> None:
        self.recovery_bar.copies.pop(0).discard()
        self.recovery_bar.offer_first()

    # title

    def title(self, pair: str) -> str:
        """Title of the window; [*] is Qt's placeholder for the mark of unsaved work."""
        name = display_name(self.keeper.path.stem).replace("[*]", "[*][*]") if self.keeper.path else ""
        pair = pair.replace("[*]", "[*][*]")
        first, *others = [part for part in (name, pair, "simcompare") if part]
        return " – ".join([f"{first}[*]", *others])

"""What a person does with sessions: new, open, save, and what is asked before work is left."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from simcompare.errors import FileNotReadableError, SimcompareError
from simcompare.i18n import N_, _
from simcompare.session.values import FILE_SUFFIX, Layout
from simcompare.ui.actions import Command
from simcompare.ui.file_dialogs import ask_for_session, ask_where_to_save, folder_of_work
from simcompare.ui.session.keeper import SessionKeeper
from simcompare.ui.session.recent_menu import RecentMenu
from simcompare.ui.session.recovery import Recovery, RescuedWork, rescued_work
from simcompare.ui.session.recovery_bar import RecoveryBar
from simcompare.ui.session.splitters import Splitters
from simcompare.ui.session.unsaved_dialog import UnsavedDialog
from simcompare.ui.state.preferences import Preferences
from simcompare.ui.state.workspace import Workspace
from simcompare.visible import visible_name


class ShownPages(Protocol):
    """The pages of the window, by their object names."""

    def currentWidget(self) -> QWidget | None:  # noqa: N802 - Qt's name
        """Return the page that is shown."""

    def show_pairs(self) -> object:
        """Show the page called "pairs", where it can be shown."""

    def show_compare(self) -> object:
        """Show the page called "compare", where it can be shown."""


class SortedTable(Protocol):
    """The table of pairs, whose order is remembered as a machine word."""

    @property
    def order_word(self) -> str:
        """How it is sorted."""

    def use_order(self, word: str) -> None:
        """Sort it; what the word does not say stays."""


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
        self._pages: ShownPages | None = None
        self._table: SortedTable | None = None
        self._splitters: Splitters | None = None
        self._dialog: UnsavedDialog | None = None
        self._after_saving: Callable[[], object] | None = None
        self._opening = _Opening()
        self._may_close = False
        self._rescued: list[RescuedWork] = []
        self.keeper = SessionKeeper(workspace, self._layout, self)
        self.recovery = Recovery(self.keeper, workspace, self)
        self.recovery_bar = RecoveryBar()
        self.recent = RecentMenu(preferences, window)
        self._listen()

    def _listen(self) -> None:
        self.keeper.saved.connect(self._tell_saved)
        self.keeper.opened.connect(self._show_opened)
        self.keeper.not_saved.connect(self._tell_not_saved)
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
            Command("save", N_("Save session"), QKeySequence.StandardKey.Save, self.save),
            Command("save_as", N_("Save session as…"), "Ctrl+Shift+S", self.ask_where_to_save),
        ]

    def follow_layout(self, pages: ShownPages, table: SortedTable) -> None:
        """Remember how the window is laid out; call it once all its parts are there."""
        self._pages, self._table = pages, table
        table.use_order(self._preferences.pair_order)
        self._splitters = Splitters(self._window, self._preferences)

    def _layout(self) -> Layout:
        page = self._pages.currentWidget() if self._pages else None
        sizes = self._splitters.moved if self._splitters else {}
        shown = page.objectName() if page else ""
        order = self._table.order_word if self._table else ""
        return Layout(self._workspace.selection.cell, shown, dict(sizes), order)

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
        self._leave(lambda: self._open(path, opening))

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
        self._leave(self._begin_anew)

    def _begin_anew(self) -> None:
        self._let_go_of_opening()
        self.keeper.begin_anew()
        self._offer_next()

    def _show_opened(self, layout: Layout) -> None:
        opening, self._opening = self._opening, _Opening()
        self._say("")
        if opening.rescued is not None:
            self.recovery.take_over(opening.rescued)
        if self._splitters is not None:
            self._splitters.apply(layout.splitters)
        if self._table is not None:
            self._table.use_order(layout.order)
        if self._pages is not None:
            shown = {"pairs": self._pages.show_pairs, "compare": self._pages.show_compare}
            shown.get(layout.page, lambda: None)()
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

    # saving

    def save(self) -> None:
        """Save the session where it stands, or ask where."""
        if self.keeper.path is None:
            self.ask_where_to_save()
        else:
            self.keeper.save_again()

    def ask_where_to_save(self) -> None:
        """Let the user choose the file to save to."""
        self._ask_where_to_save(self._suggested_name())

    def _ask_where_to_save(self, name: str) -> None:
        dialog = ask_where_to_save(self._window, name, self.folder)
        dialog.fileSelected.connect(lambda chosen: self._save_to(Path(chosen).absolute()))
        dialog.rejected.connect(self._forget_what_follows)

    def _save_to(self, chosen: Path) -> None:
        """Save to a file that will be known as a session: Qt adds no ending to a name with a dot in it."""
        if chosen.suffix.lower() == FILE_SUFFIX:
            self.keeper.save(chosen)
            return
        path = chosen.with_name(chosen.name + FILE_SUFFIX)
        if path.exists():
            self._ask_where_to_save(path.name)  # nobody was asked whether it may be replaced
        else:
            self.keeper.save(path)

    @property
    def folder(self) -> str:
        """The folder beside which a person works; empty where there is none to write to."""
        return folder_of_work(self.keeper.path, self._workspace.documents)

    def _suggested_name(self) -> str:
        if self.keeper.path is not None:
            return self.keeper.path.name
        folders = {entry.path.parent.name for entry in self._workspace.documents.entries.values()}
        name = folders.pop() if len(folders) == 1 else ""
        return f"{name or _('Comparison')}{FILE_SUFFIX}"

    def _forget_what_follows(self) -> None:
        self._after_saving = None

    def _tell_saved(self, path: Path) -> None:
        self._preferences.add_recent_file(path)
        self._say(_("Saved: {name}").format(name=visible_name(path.name)))
        follows, self._after_saving = self._after_saving, None
        if follows is not None:
            follows()

    def _tell_not_saved(self, error: SimcompareError) -> None:
        self._after_saving = None
        self._workspace.noticed.emit(str(error))

    # leaving

    def may_close(self) -> bool:
        """Whether the window can be closed; else a person is asked, and it closes if that is the answer."""
        if self._may_close or not (self.keeper.is_modified or self.keeper.is_saving):
            return True
        self._leave(self._close_window)
        return False

    def _close_window(self) -> None:
        self._may_close = True
        self._window.close()

    def _leave(self, then: Callable[[], object]) -> None:
        """Go on at once where no work is lost by it; else ask what is to become of it."""
        if self._dialog is not None:
            return  # it is being asked
        if self.keeper.is_saving:
            self._after_saving = lambda: self._leave(then)
            return
        if not self.keeper.is_modified:
            then()
            return
        name = visible_name(self.keeper.path.stem) if self.keeper.path else ""
        self._dialog = dialog = UnsavedDialog(name, self._window)
        dialog.finished.connect(self._forget_dialog)
        dialog.save_chosen.connect(lambda: self._save_then(then))
        dialog.discard_chosen.connect(then)
        dialog.open()

    def _forget_dialog(self) -> None:
        self._dialog = None

    def _save_then(self, then: Callable[[], object]) -> None:
        self._after_saving = lambda: self._go_on(then)
        self.save()

    def _go_on(self, then: Callable[[], object]) -> None:
        """Go on once all is saved; what was judged meanwhile is asked about, what was read is not."""
        if self.keeper.has_unsaved_judgements:
            self._leave(then)
        else:
            then()

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
        self._leave(self._open_rescued)

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

"""Session commands: new, open, save, recovery after a crash; what is asked before unsaved work is lost."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from simcompare.model.errors import FileNotReadableError, SimcompareError
from simcompare.session.session_data import FILE_SUFFIX, SavedLayout
from simcompare.session.session_file import is_case_file
from simcompare.support.display_text import display_name
from simcompare.support.i18n import N_, _, joined_items
from simcompare.ui.actions import Command
from simcompare.ui.file_dialogs import ask_for_case, ask_for_session, ask_where_to_save, folder_of_work
from simcompare.ui.preferences import Preferences
from simcompare.ui.session.recent_sessions import RecentMenu
from simcompare.ui.session.recovery import Recovery, RecoveryBar, RecoveryCopy
from simcompare.ui.session.session_keeper import SessionKeeper, WorkPart, are_samples
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.dialogs import QUESTION_MARGIN_PX, QuestionDialog
from simcompare.ui.style.layouts import default_button, other_button
from simcompare.ui.style.text_labels import fit_height

_WIDTH_PX = 420


class UnsavedDialog(QuestionDialog):
    """Asks whether to save (accepted), discard or cancel (Esc); closes before it emits the choice."""

    discard_chosen = Signal()

    def __init__(self, name: str, unsaved: Collection[WorkPart], parent: QWidget) -> None:
        """name: of the session, empty if it has none; unsaved: what would be lost."""
        question = _("Save the changes to {name}?").format(name=name) if name else _("Save your work?")
        losses = "\n".join(_losses(unsaved))
        super().__init__(_("Unsaved work"), question, losses, parent, _WIDTH_PX)
        self.save_button = default_button(_("Save"), self.accept)
        self.discard_button = other_button(_("Don't save"), self.reject)
        self.lay_out(self.discard_button, self.save_button, self.save_button)
        for label in (self.question, self.explanation):
            label.ensurePolished()  # the height depends on the font of the style sheet
            fit_height(label, _WIDTH_PX - 2 * QUESTION_MARGIN_PX)
        self.discard_button.clicked.connect(self.discard_chosen)


_PARTS = {
    WorkPart.DECISIONS: N_("decisions and notes"),
    WorkPart.SETTINGS: N_("settings"),
    WorkPart.CLASS: N_("the comparison of the class"),
    WorkPart.DOCUMENTS: N_("the list of files"),
    WorkPart.PSEUDONYMS: N_("the name key"),
}


def _losses(unsaved: Collection[WorkPart]) -> Iterator[str]:
    if unsaved:
        parts = joined_items(_(name) for part, name in _PARTS.items() if part in unsaved)
        yield _("You will lose this if you don't save: {parts}.").format(parts=parts)
    if WorkPart.PSEUDONYMS in unsaved:
        yield _(
            "Without the name key you can no longer tell which students the reports exported without names "
            "are about."
        )


class SessionSaving(QObject):
    """Saves the session, and runs an action that discards it after unsaved work is saved or discarded."""

    def __init__(
        self,
        window: QWidget,
        workspace: Workspace,
        keeper: SessionKeeper,
        preferences: Preferences,
        show_message: Callable[[str], object],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._workspace = workspace
        self._keeper = keeper
        self._preferences = preferences
        self._show_message = show_message
        self._dialog: UnsavedDialog | None = None
        self._may_close = False
        self._follow_up: Callable[[], object] | None = None
        keeper.saved.connect(self._report_saved)
        keeper.not_saved.connect(self._report_not_saved)

    def save(self) -> None:
        if self._keeper.path is None:
            self.ask_where_to_save()
        else:
            self._keeper.save_again()

    def ask_where_to_save(self) -> None:
        self._ask_where_to_save(self._suggested_name())

    def _run_after_saving(self, then: Callable[[], object]) -> None:
        """Call a function once everything is saved; not if saving fails or the user cancels."""
        self._follow_up = then

    @property
    def folder(self) -> str:
        """Folder of the session or its documents; empty if none is writable."""
        return folder_of_work(self._keeper.path, self._workspace.documents)

    def _ask_where_to_save(self, name: str) -> None:
        dialog = ask_where_to_save(self._window, name, self.folder, self._save_to)
        dialog.rejected.connect(self._forget_follow_up)

    def _save_to(self, chosen: Path) -> None:
        """Save with the suffix of sessions: Qt adds none to a name with a dot in it."""
        chosen = chosen.absolute()
        if chosen.suffix.lower() == FILE_SUFFIX:
            self._keeper.save(chosen)
            return
        path = chosen.with_name(chosen.name + FILE_SUFFIX)
        if path.exists():
            self._ask_where_to_save(path.name)  # the dialog asked about overwriting another name
        else:
            self._keeper.save(path)

    def _suggested_name(self) -> str:
        if self._keeper.path is not None:
            return self._keeper.path.name
        return f"{self._workspace.class_state.folder or _('Comparison')}{FILE_SUFFIX}"

    def _forget_follow_up(self) -> None:
        self._follow_up = None

    def _report_saved(self, path: Path) -> None:
        self._preferences.add_recent_file(path)
        self._show_message(_("Saved: {name}").format(name=display_name(path.name)))
        for work in ("saving", "backup"):
            self._workspace.settle(work)
        then, self._follow_up = self._follow_up, None
        if then is not None:
            then()

    def _report_not_saved(self, error: SimcompareError) -> None:
        self._follow_up = None
        self._workspace.warn("saving", str(error))

    # unsaved work

    def may_close(self) -> bool:
        """Return whether the window can be closed; if not, ask, and close it depending on the answer."""
        if self._may_close or not (self._keeper.is_modified or self._keeper.is_saving):
            return True
        self.run_if_saved(self._close_window)
        return False

    def run_if_saved(self, then: Callable[[], object]) -> None:
        if self._dialog is not None:
            return  # already asking
        if self._keeper.is_saving:
            self._run_after_saving(lambda: self.run_if_saved(then))
            return
        if not self._keeper.is_modified:
            then()
            return
        name = display_name(self._keeper.path.stem) if self._keeper.path else ""
        self._dialog = dialog = UnsavedDialog(name, self._keeper.unsaved, self._window)
        dialog.finished.connect(self._forget_dialog)
        dialog.accepted.connect(lambda: self._save_then(then))
        dialog.discard_chosen.connect(then)
        dialog.open()

    def _close_window(self) -> None:
        self._may_close = True
        self._window.close()

    def _forget_dialog(self) -> None:
        self._dialog = None

    def _save_then(self, then: Callable[[], object]) -> None:
        self._run_after_saving(lambda: self._continue(then))
        self.save()

    def _continue(self, then: Callable[[], object]) -> None:
        """Continue after saving; ask again only for decisions made meanwhile, not for files."""
        if self._keeper.has_unsaved_decisions:
            self.run_if_saved(then)
        else:
            then()


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
        self.current_layout: Callable[[tuple[int, int] | None], SavedLayout] = SavedLayout
        self.apply_layout: Callable[[SavedLayout], object] = lambda _layout: None
        """Both are replaced once the window has all parts that are made at the start."""
        self._opening = _Opening()
        self.keeper = SessionKeeper(workspace, self._layout, self)
        self._saving = SessionSaving(window, workspace, self.keeper, preferences, show_message)
        self.recovery = Recovery(self.keeper, workspace, self)
        self.recovery_bar = recovery_bar
        self.recent = RecentMenu(preferences, window)
        self.keeper.opened.connect(self._show_opened)
        self.keeper.not_opened.connect(self._report_not_opened)
        self.recovery.noticed.connect(lambda text: self._workspace.warn("backup", text))
        self.recent.chosen.connect(self.open)
        restore = self.recovery_bar.restore_button.clicked
        restore.connect(lambda: self._saving.run_if_saved(self._open_copy))
        self.recovery_bar.for_good_button.clicked.connect(self._discard_copy)

    def commands(self) -> list[Command | QAction | None]:
        return [
            Command("new_session", N_("New session"), QKeySequence.StandardKey.New, self.reset),
            Command("open_session", N_("Open session…"), "Ctrl+Shift+O", self.ask_for_session),
            self.recent.action,
            Command("save", N_("Save session"), QKeySequence.StandardKey.Save, self._saving.save),
            Command("save_as", N_("Save session as…"), "Ctrl+Shift+S", self._saving.ask_where_to_save),
            None,
            Command("verify", N_("Verify a case file…"), (), self._ask_for_case),
        ]

    def _ask_for_case(self) -> None:
        ask_for_case(self._window, self._verify)

    def _verify(self, case: Path) -> None:
        from simcompare.ui.session.case_dialog import CaseDialog  # noqa: PLC0415 - loads the reports

        CaseDialog(case, self._window).open()

    def _layout(self) -> SavedLayout:
        return self.current_layout(self._workspace.selection.sentences)

    # opening

    def add(self, paths: Iterable[Path]) -> None:
        """Add files; open the first session among them, and verify case files, whose essays are evidence."""
        given = list(paths)
        for case in (cases := list(filter(is_case_file, given))):
            self._verify(case)
        paths = [path for path in given if path not in cases]
        sessions = [path for path in paths if path.suffix.lower() == FILE_SUFFIX]
        others = [path for path in paths if path not in sessions]
        if not sessions:
            self.add_own(lambda: self._workspace.documents.add(others), is_sample=are_samples(others))
            return
        if len(sessions) > 1:
            notice = _("One session can be open at a time: only {name} is opened.")
            self._workspace.noticed.emit(notice.format(name=display_name(sessions[0].name)))
        self.open(sessions[0], others)

    def add_own(self, add: Callable[[], object], *, is_sample: bool = False) -> None:
        """Call a function that adds documents; they replace samples."""
        shown = [entry.path for entry in self._workspace.documents.entries.values()]
        if is_sample or not shown or self.keeper.path is not None or not are_samples(shown):
            add()
            return

        def replace_samples() -> None:
            add()
            self._workspace.noticed.emit(_("The samples were closed: you added something of your own."))

        self.begin_with(replace_samples)

    def open(self, path: Path, others: Iterable[Path] = ()) -> None:
        """Open a session and add other files to it, after unsaved work is saved or discarded.

        The file may have any name.
        """
        opening = _Opening(tuple(others))
        self._saving.run_if_saved(lambda: self._open(path, opening))

    def _open(self, path: Path, opening: _Opening) -> None:
        self._forget_opening()
        self._opening = opening
        copy = opening.recovery_copy
        name = path.name if copy is None else copy.name
        words = _("Opening {name}…") if name else _("Opening unsaved work…")
        self._show_message(words.format(name=display_name(name)))
        self.keeper.open(path.absolute(), is_recovery_copy=opening.recovery_copy is not None)

    def _forget_opening(self) -> _Opening:
        """Forget the session being opened; its recovery copy is offered again at the next start."""
        opening, self._opening = self._opening, _Opening()
        if opening.recovery_copy is not None:
            opening.recovery_copy.lock.unlock()
        return opening

    def ask_for_session(self) -> None:
        """Ask in the folder of the last session that is still there, or else where one would be saved."""
        folders = (path.parent for path in self._preferences.recent_files)
        folder = next((str(each) for each in folders if each.is_dir()), self.folder)
        ask_for_session(self._window, self.open, folder)

    def reset(self) -> None:
        self._saving.run_if_saved(self._reset)

    def begin_with(self, add: Callable[[], object]) -> None:
        def begin() -> None:
            self._reset()
            add()

        self._saving.run_if_saved(begin)

    def _reset(self) -> None:
        self._forget_opening()
        self.keeper.reset()
        self.recovery_bar.offer_first()

    def _show_opened(self, layout: SavedLayout) -> None:
        opening, self._opening = self._opening, _Opening()
        self._workspace.settle("opening")
        self._show_message("")
        if opening.recovery_copy is not None:
            self.recovery.adopt(opening.recovery_copy)
            if layout.page == "library":  # nothing there was lost
                layout = replace(layout, page="")
        self.apply_layout(layout)
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
        return "" if self.keeper.path is None else self.keeper.path.stem

    @property
    def folder(self) -> str:
        return self._saving.folder

    def may_close(self) -> bool:
        return self._saving.may_close()

    def close(self) -> None:
        self.keeper.close()
        self.recovery.close()
        self._forget_opening()
        for work in self.recovery_bar.copies:
            work.lock.unlock()

    # recovery after a crash

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

"""Save the session to its file or to one chosen by the user."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from simcompare.model.errors import SimcompareError
from simcompare.session.session_data import FILE_SUFFIX
from simcompare.support.display_text import display_name
from simcompare.support.i18n import _
from simcompare.ui.desktop.file_dialogs import ask_where_to_save, folder_of_work
from simcompare.ui.preferences import Preferences
from simcompare.ui.session.session_keeper import SessionKeeper
from simcompare.ui.state.workspace import Workspace


class SessionSaving(QObject):
    """Saves the session and adds its file to the recent ones."""

    succeeded = Signal(str)
    """Message that the session is saved."""
    failed = Signal(str)
    """Sentence that says why it is not."""

    def __init__(
        self, window: QWidget, workspace: Workspace, keeper: SessionKeeper, preferences: Preferences
    ) -> None:
        super().__init__(window)
        self._window = window
        self._workspace = workspace
        self._keeper = keeper
        self._preferences = preferences
        self._follow_up: Callable[[], object] | None = None
        keeper.saved.connect(self._report_saved)
        keeper.not_saved.connect(self._report_not_saved)

    def save(self) -> None:
        """Save to the session's file, or ask for one."""
        if self._keeper.path is None:
            self.ask_where_to_save()
        else:
            self._keeper.save_again()

    def ask_where_to_save(self) -> None:
        """Let the user choose the file to save to."""
        self._ask_where_to_save(self._suggested_name())

    def run_after_saving(self, then: Callable[[], object]) -> None:
        """Call a function once everything is saved; not if saving fails or the user cancels."""
        self._follow_up = then

    @property
    def folder(self) -> str:
        """Folder of the session or its documents; empty if none is writable."""
        return folder_of_work(self._keeper.path, self._workspace.documents)

    def _ask_where_to_save(self, name: str) -> None:
        dialog = ask_where_to_save(self._window, name, self.folder)
        dialog.fileSelected.connect(lambda chosen: self._save_to(Path(chosen).absolute()))
        dialog.rejected.connect(self._forget_follow_up)

    def _save_to(self, chosen: Path) -> None:
        """Save with the suffix of sessions: Qt adds none to a name with a dot in it."""
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
        self.succeeded.emit(_("Saved: {name}").format(name=display_name(path.name)))
        then, self._follow_up = self._follow_up, None
        if then is not None:
            then()

    def _report_not_saved(self, error: SimcompareError) -> None:
        self._follow_up = None
        self.failed.emit(str(error))

"""Saving the session: where it stands, or where a person says."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from simcompare.model.errors import SimcompareError
from simcompare.session.session_data import FILE_SUFFIX
from simcompare.support.display_text import display_name
from simcompare.support.i18n import _
from simcompare.ui.file_dialogs import ask_where_to_save, folder_of_work
from simcompare.ui.session.session_keeper import SessionKeeper
from simcompare.ui.state.preferences import Preferences
from simcompare.ui.state.workspace import Workspace


class Saving(QObject):
    """Saves what the keeper keeps. What a person has to read is a notice; `say` tells the rest in passing."""

    def __init__(
        self,
        window: QWidget,
        workspace: Workspace,
        keeper: SessionKeeper,
        preferences: Preferences,
        say: Callable[[str], object],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._workspace = workspace
        self._keeper = keeper
        self._preferences = preferences
        self._say = say
        self._then: Callable[[], object] | None = None
        keeper.saved.connect(self._tell_saved)
        keeper.not_saved.connect(self._tell_not_saved)

    def save(self) -> None:
        """Save the session where it stands, or ask where."""
        if self._keeper.path is None:
            self.ask_where_to_save()
        else:
            self._keeper.save_again()

    def ask_where_to_save(self) -> None:
        """Let the user choose the file to save to."""
        self._ask_where_to_save(self._suggested_name())

    def go_on_with(self, then: Callable[[], object]) -> None:
        """Do something once all is saved; not if it cannot be saved, or a person thinks better of it."""
        self._then = then

    @property
    def folder(self) -> str:
        """The folder beside which a person works; empty where there is none to write to."""
        return folder_of_work(self._keeper.path, self._workspace.documents)

    def _ask_where_to_save(self, name: str) -> None:
        dialog = ask_where_to_save(self._window, name, self.folder)
        dialog.fileSelected.connect(lambda chosen: self._save_to(Path(chosen).absolute()))
        dialog.rejected.connect(self._forget_what_follows)

    def _save_to(self, chosen: Path) -> None:
        """Save to a file that will be known as a session: Qt adds no ending to a name with a dot in it."""
        if chosen.suffix.lower() == FILE_SUFFIX:
            self._keeper.save(chosen)
            return
        path = chosen.with_name(chosen.name + FILE_SUFFIX)
        if path.exists():
            self._ask_where_to_save(path.name)  # nobody was asked whether it may be replaced
        else:
            self._keeper.save(path)

    def _suggested_name(self) -> str:
        if self._keeper.path is not None:
            return self._keeper.path.name
        folders = {entry.path.parent.name for entry in self._workspace.documents.entries.values()}
        name = folders.pop() if len(folders) == 1 else ""
        return f"{name or _('Comparison')}{FILE_SUFFIX}"

    def _forget_what_follows(self) -> None:
        self._then = None

    def _tell_saved(self, path: Path) -> None:
        self._preferences.add_recent_file(path)
        self._say(_("Saved: {name}").format(name=display_name(path.name)))
        then, self._then = self._then, None
        if then is not None:
            then()

    def _tell_not_saved(self, error: SimcompareError) -> None:
        self._then = None
        self._workspace.noticed.emit(str(error))

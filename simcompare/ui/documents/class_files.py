"""Commands that add documents, earlier work and class lists, and notices about class lists."""

from collections.abc import Callable, Iterable
from functools import partial, reduce
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QFileDialog, QWidget

from simcompare.session.school_class import Roster
from simcompare.support.display_text import display_name
from simcompare.support.i18n import N_, _, ngettext
from simcompare.ui.actions import Command
from simcompare.ui.desktop.file_dialogs import (
    ARCHIVES,
    CLASS_LISTS,
    SESSIONS,
    ask_for_class_list,
    ask_for_documents,
    ask_for_folder,
)
from simcompare.ui.documents.class_list_dialog import ClassListDialog, absent_names, roster_in_words
from simcompare.ui.notice_bar import NoticeBar
from simcompare.ui.state.cohort.class_state import ClassPart
from simcompare.ui.state.workspace import Workspace

_MOST_NAMED = 5


class ClassFileCommands(QObject):
    """Adds documents, earlier work and class lists; a notice names the students who have not handed in."""

    def __init__(
        self,
        workspace: Workspace,
        notice: NoticeBar,
        show_message: Callable[[str], object],
        add_files: Callable[[Iterable[Path]], object],
        window: QWidget,
    ) -> None:
        """show_message: shows a message for a moment. add_files: adds documents or opens a session."""
        super().__init__(window)
        self._add_files = add_files
        self._workspace = workspace
        self._notice = notice
        self._window = window
        self._known: set[Path] = set()
        self._newest: Path | None = None
        """Class list of the latest notice."""
        self._words = ""
        workspace.class_state.changed.connect(self._follow)
        workspace.progress_changed.connect(self._update_notice)
        workspace.documents.files_skipped.connect(lambda count: show_message(_skipped_in_words(count)))

    def adding(self) -> list[Command]:
        return [
            Command("add", N_("Add documents…"), QKeySequence.StandardKey.Open, self.ask_for_documents),
            Command("add_folder", N_("Add a folder…"), "Ctrl+Shift+A", self.ask_for_folder),
        ]

    def commands(self) -> list[Command]:
        return [
            Command("add_old", N_("Add earlier work…"), None, self.ask_for_earlier_work),
            Command("add_old_folder", N_("Add a folder of earlier work…"), None, self.ask_for_earlier_folder),
            Command("add_roster", N_("Add a class list…"), None, self.ask_for_class_list),
        ]

    def ask_for_folder(self) -> None:
        dialog = ask_for_folder(self._window, _("Add a folder"))
        dialog.fileSelected.connect(lambda name: self._add_files([Path(name)]))

    def ask_for_documents(self) -> None:
        mode, also = QFileDialog.FileMode.ExistingFiles, (*ARCHIVES, *CLASS_LISTS)
        dialog = ask_for_documents(self._window, _("Add documents"), mode, also)
        dialog.filesSelected.connect(lambda names: self._add_files(map(Path, names)))

    def ask_for_earlier_work(self) -> None:
        mode = QFileDialog.FileMode.ExistingFiles
        also = (*ARCHIVES, *SESSIONS)
        dialog = ask_for_documents(self._window, _("Add earlier work"), mode, also)
        dialog.filesSelected.connect(lambda names: self._workspace.earlier_work.add(map(Path, names)))

    def ask_for_earlier_folder(self) -> None:
        dialog = ask_for_folder(self._window, _("Add a folder of earlier work"))
        dialog.fileSelected.connect(lambda name: self._workspace.earlier_work.add([Path(name)]))

    def ask_for_class_list(self) -> None:
        dialog = ask_for_class_list(self._window)
        dialog.fileSelected.connect(lambda name: self._workspace.class_state.use_roster(Path(name)))

    def show_list(self, roster: Roster) -> None:
        ClassListDialog(self._workspace, roster, self._window).open()

    # --- notices

    def skip_notice(self) -> None:
        """Show no notice on the current class lists: it was shown when the session was made."""
        self._known = {roster.path for roster in self._workspace.class_state.rosters}
        self._notice.withdraw(self._words)

    def _follow(self, changed: ClassPart) -> None:
        if ClassPart.STUDENTS in changed:
            self._known &= {roster.path for roster in self._workspace.class_state.rosters}
            self._update_notice()

    def _update_notice(self) -> None:
        """Show a notice on a new class list once all files are read, and update it later."""
        state = self._workspace.class_state
        done, total = self._workspace.documents.reading_count
        if done < total or state.is_busy:
            return
        new = [roster.path for roster in state.rosters if roster.path not in self._known]
        self._known.update(new)
        if new:
            self._newest = new[-1]
        elif not self._notice.shows(self._words):
            return
        roster = next((roster for roster in state.rosters if roster.path == self._newest), None)
        if roster is None:
            self._notice.withdraw(self._words)
        elif new or self._in_words(roster) != self._words:
            self._words = self._in_words(roster)
            self._notice.show_notice(self._words, partial(self.show_list, roster), _("Show"))

    def _in_words(self, roster: Roster) -> str:
        """Return the text of the notice; many missing students are counted instead of named."""
        name, missing = display_name(roster.path.name), self._workspace.class_state.school.missing
        absent = absent_names(roster, missing)
        if not 0 < len(absent) <= _MOST_NAMED:
            students = roster_in_words(roster, missing)
            return _("Class list {name}: {students}.").format(name=name, students=students)
        names = reduce(
            lambda listed, absent: _("{listed}, {next}").format(listed=listed, next=absent), absent
        )
        return _("Class list {name}: {students}. Not handed in: {names}.").format(
            name=name, students=roster_in_words(roster, ()), names=names
        )


def _skipped_in_words(count: int) -> str:
    return ngettext(
        "{count} file that is no document was skipped.",
        "{count} files that are no documents were skipped.",
        count,
    )

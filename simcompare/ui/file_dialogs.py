"""The dialogs in which files are chosen."""

import os
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from simcompare.loading.sniffing import kinds_of_files
from simcompare.session.session_data import FILE_SUFFIX
from simcompare.support.i18n import _
from simcompare.support.resources import resource_path
from simcompare.ui.state.document_store import Documents
from simcompare.ui.state.preferences import Preferences


def ask_for_documents(parent: QWidget, title: str, mode: QFileDialog.FileMode) -> QFileDialog:
    """Open a dialog that lists files that can be read; the caller listens to what is chosen in it."""
    return _open(parent, title, mode, document_filters())


def ask_for_folder(parent: QWidget) -> QFileDialog:
    """Open a dialog in which a folder of documents is chosen."""
    dialog = _open(parent, _("Add a folder"), QFileDialog.FileMode.Directory, [])
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    return dialog


def ask_for_thesaurus(parent: QWidget) -> QFileDialog:
    """Open a dialog that lists thesaurus files."""
    lexicons = _("Cilin, MyThes or Open Multilingual Wordnet") + " (*.txt *.dat *.tab)"
    mode = QFileDialog.FileMode.ExistingFile
    return _open(parent, _("Open a thesaurus"), mode, [lexicons, _every_file()])


def ask_for_session(parent: QWidget) -> QFileDialog:
    """Open a dialog that lists sessions."""
    mode = QFileDialog.FileMode.ExistingFile
    return _open(parent, _("Open a session"), mode, [_sessions(), _every_file()])


def ask_where_to_save(parent: QWidget, name: str, folder: str) -> QFileDialog:
    """Open a dialog in which a session is given its place; `name` is what it is called otherwise.

    It begins in `folder`, where that is not empty.
    """
    dialog = _open(parent, _("Save the session"), QFileDialog.FileMode.AnyFile, [_sessions()])
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(FILE_SUFFIX.removeprefix("."))
    if folder:
        dialog.setDirectory(folder)
    dialog.selectFile(name)
    return dialog


def folder_of_work(session: Path | None, documents: Documents) -> str:
    """Return the folder beside what there is: that of the session, else that which holds the documents.

    Empty where nothing can be written there, as beside the samples, or where they have no folder in common.
    """
    folders = [entry.path.parent for entry in documents.entries.values() if entry.path.is_absolute()]
    if session is not None:
        folders = [session.parent]
    try:
        folder = os.path.commonpath(folders) if folders else ""
    except ValueError:  # they are on several drives
        return ""
    is_own = bool(folder) and len(Path(folder).parts) > 1 and not _is_inside_program(folder)
    return folder if is_own and Path(folder).is_dir() and os.access(folder, os.W_OK) else ""


def _is_inside_program(folder: str) -> bool:
    return Path(folder).is_relative_to(resource_path())


def _sessions() -> str:
    return _filter(_("Sessions of simcompare"), [FILE_SUFFIX.removeprefix(".")])


def document_filters() -> list[str]:
    """Return a filter for all files that can be read, one for each kind of them, and one for every file."""
    kinds = kinds_of_files()
    everything = [suffix for _kind, suffixes in kinds for suffix in suffixes]
    return [
        _filter(_("Documents"), everything),
        *(_filter(_(kind), suffixes) for kind, suffixes in kinds),
        _every_file(),
    ]


def _filter(name: str, suffixes: Iterable[str]) -> str:
    return f"{name} ({' '.join(f'*.{suffix}' for suffix in suffixes)})"


def _every_file() -> str:
    return _("All files") + " (*)"


def prepare_dialog(dialog: QFileDialog) -> None:
    """Begin in the folder in which a file was chosen last, and remember the one in which one is now.

    The fields are named here too: Qt's own catalogues leave them out.
    """
    names = {
        QFileDialog.DialogLabel.LookIn: _("Look in:"),
        QFileDialog.DialogLabel.FileName: _("File name:"),
        QFileDialog.DialogLabel.FileType: _("Files of type:"),
    }
    for label, name in names.items():
        dialog.setLabelText(label, name)
    preferences = Preferences()
    if preferences.last_folder:
        dialog.setDirectory(preferences.last_folder)
    dialog.accepted.connect(lambda: setattr(preferences, "last_folder", dialog.directory().absolutePath()))


def _open(parent: QWidget, title: str, mode: QFileDialog.FileMode, filters: list[str]) -> QFileDialog:
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(mode)
    if filters:
        dialog.setNameFilters(filters)
    prepare_dialog(dialog)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    return dialog

"""Dialogs for choosing files and folders."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QDir, QProcess, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QWidget

from simcompare.loading.archive_members import file_on_disk
from simcompare.model.errors import ReportNotSavedError, cause_of_writing
from simcompare.model.file_kinds import CLASS_LISTS, PAGES_KIND, kinds_of_files
from simcompare.session.session_data import FILE_SUFFIX
from simcompare.support.atomic_file import write_atomically
from simcompare.support.i18n import _
from simcompare.support.resources import resource_path
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.document_store import DocumentStore


def open_on_desktop(path: Path) -> None:
    """Open a file or folder with the program that the system has for it."""
    with _environment_of_the_user():
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def show_in_folder(path: Path) -> None:
    """Open the folder of a file; on Windows and macOS with the file selected."""
    if sys.platform == "win32":
        QProcess.startDetached("explorer", ["/select,", QDir.toNativeSeparators(str(path))])
    elif sys.platform == "darwin":
        QProcess.startDetached("open", ["-R", str(path)])
    else:
        open_on_desktop(path.parent)


@contextmanager
def _environment_of_the_user() -> Iterator[None]:
    """Leave out, for programs started meanwhile, what the bundle for Linux has added to the environment.

    A browser would load the libraries of the bundle (LD_LIBRARY_PATH), a Qt program its plugins. The
    variables of PyInstaller tell a simcompare, which the user may start from a file manager opened here, that
    LD_LIBRARY_PATH is set. All are put back, as workers need them; one started meanwhile sets its own.
    """
    bundle = getattr(sys, "_MEIPASS", None)
    if sys.platform != "linux" or bundle is None:
        yield
        return
    added = {name: value for name, value in os.environ.items() if name.startswith("_PYI_") or bundle in value}
    for name in added:
        del os.environ[name]
    if "LD_LIBRARY_PATH_ORIG" in os.environ:
        os.environ["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH_ORIG"]
    try:
        yield
    finally:
        os.environ.update(added)


ARCHIVES = ("zip",)
SESSIONS = (FILE_SUFFIX.removeprefix("."),)
LIBRARIES = ("sqlite",)
EXPORTED_LIBRARIES = ("zip",)


Use = Callable[[Path], object]
"""Function that is called with the chosen path."""
_FILE = QFileDialog.FileMode.ExistingFile


def ask_for_documents(
    parent: QWidget, title: str, use: Callable[[list[Path]], object], also: Sequence[str] = ()
) -> None:
    """Ask for documents, and `also` for files with these suffixes."""
    dialog = _open(parent, title, QFileDialog.FileMode.ExistingFiles, document_filters(also))
    dialog.filesSelected.connect(lambda names: use([Path(name) for name in names]))


def ask_for_prompt(parent: QWidget, use: Use) -> None:
    _open(parent, _("Open the prompt or template"), _FILE, document_filters(), use)


def ask_for_folder(parent: QWidget, title: str, use: Use, folder: str = "") -> None:
    """Ask for a folder; folder: start folder, if not that used last."""
    dialog = _open(parent, title, QFileDialog.FileMode.Directory, [], use, folder)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)


def ask_for_class_list(parent: QWidget, use: Use, folder: str = "") -> None:
    lists = _filter(_("Class lists"), [*CLASS_LISTS, "txt"])
    _open(parent, _("Add a class list"), _FILE, [lists, _every_file()], use, folder)


def ask_for_thesaurus(parent: QWidget, use: Use) -> None:
    lexicons = _("Cilin, MyThes or Open Multilingual Wordnet") + " (*.txt *.dat *.tab)"
    _open(parent, _("Open a thesaurus"), _FILE, [lexicons, _every_file()], use)


def ask_for_words(parent: QWidget, use: Use) -> None:
    lists = _filter(_("Words for jieba, one per line"), ["txt"])
    _open(parent, _("Open a word list"), _FILE, [lists, _every_file()], use)


def ask_for_session(parent: QWidget, use: Use, folder: str = "") -> None:
    _open(parent, _("Open a session"), _FILE, [_sessions(), _every_file()], use, folder)


def ask_for_case(parent: QWidget, use: Use) -> None:
    filters = [_filter(_("Case file"), ARCHIVES), _every_file()]
    _open(parent, _("Verify a case file"), _FILE, filters, use)


def ask_for_library(parent: QWidget, file: Path, use: Use) -> None:
    """Ask for the file of a library, which may be a new one; file: the current library."""
    filters = [_filter(_("Libraries of simcompare"), LIBRARIES), _every_file()]
    title, mode = _("Open a library, or name a new one"), QFileDialog.FileMode.AnyFile
    dialog = _open(parent, title, mode, filters, use, str(file.parent))
    dialog.setDefaultSuffix(*LIBRARIES)


def ask_where_to_export_library(parent: QWidget, name: str, use: Use) -> None:
    """Ask for the file to which a library is exported; name: suggested file name."""
    filters = [_filter(_("Exported libraries"), EXPORTED_LIBRARIES)]
    _ask_where(parent, _("Export the library"), filters, name, use)


def ask_for_exported_library(parent: QWidget, use: Use) -> None:
    filters = [_filter(_("Exported libraries"), EXPORTED_LIBRARIES), _every_file()]
    _open(parent, _("Import a library"), _FILE, filters, use)


def ask_where_to_write(parent: QWidget, title: str, name: str, use: Use) -> None:
    """Ask for a text, PDF or picture to write; name: suggested file name."""
    suffix = Path(name).suffix.removeprefix(".")
    kinds = {"txt": _("Text"), "pdf": "PDF", "png": _("Pictures")}
    _ask_where(parent, title, [_filter(kinds[suffix], [suffix])], name, use)


def saved_in_words(path: Path, data: bytes) -> str:
    """Write a file, and return a sentence that says where it is or why it could not be written."""
    try:
        write_atomically(path, lambda file: file.write(data))
    except OSError as error:
        return str(ReportNotSavedError(path, cause=cause_of_writing(path, error)))
    return _("Saved as {path}.").format(path=path)


def ask_where_to_save(parent: QWidget, name: str, folder: str, use: Use) -> QFileDialog:
    """Ask where to save a session; name: suggested file name; folder: start folder, if not empty."""
    return _ask_where(parent, _("Save the session"), [_sessions()], name, use, folder)


def folder_of_work(session: Path | None, documents: DocumentStore) -> str:
    """Return the folder of the session, or else the common folder of the documents.

    For members of an archive it is that of the archive. Empty if it is not writable, belongs to the program
    (samples), or the documents have none in common.
    """
    paths = [entry.path for entry in documents.entries.values() if entry.path.is_absolute()]
    folders = [file_on_disk(path).parent for path in paths]
    if session is not None:
        folders = [session.parent]
    try:
        folder = os.path.commonpath(folders) if folders else ""
    except ValueError:  # on several drives
        return ""
    is_own = bool(folder) and len(Path(folder).parts) > 1 and not Path(folder).is_relative_to(resource_path())
    return folder if is_own and Path(folder).is_dir() and os.access(folder, os.W_OK) else ""


def _sessions() -> str:
    return _filter(_("Sessions of simcompare"), SESSIONS)


def document_filters(also: Sequence[str] = ()) -> list[str]:
    """Build filters for all documents and these suffixes, for each kind of document, and for all files."""
    kinds = (*kinds_of_files(), PAGES_KIND)
    everything = [suffix for _kind, suffixes in kinds for suffix in suffixes]
    return [
        _filter(_("Documents"), [*everything, *also]),
        *(_filter(_(kind), suffixes) for kind, suffixes in kinds),
        _every_file(),
    ]


def _filter(name: str, suffixes: Iterable[str]) -> str:
    return f"{name} ({' '.join(f'*.{suffix}' for suffix in suffixes)})"


def _every_file() -> str:
    return _("All files") + " (*)"


def _prepare(dialog: QFileDialog) -> None:
    """Start in the folder used last, and remember the folder of the chosen file.

    Also set the labels of its fields, which Qt's own catalogues do not translate.
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


def _ask_where(
    parent: QWidget, title: str, filters: list[str], name: str, use: Use, folder: str = ""
) -> QFileDialog:
    """Ask for a file to write; it has the suffix of `name` if the user gives none."""
    dialog = _open(parent, title, QFileDialog.FileMode.AnyFile, filters, use, folder)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(Path(name).suffix.removeprefix("."))
    dialog.selectFile(name)
    return dialog


def _open(
    parent: QWidget,
    title: str,
    mode: QFileDialog.FileMode,
    filters: list[str],
    use: Use | None = None,
    folder: str = "",
) -> QFileDialog:
    dialog = QFileDialog(parent, title, fileMode=mode)
    if filters:
        dialog.setNameFilters(filters)
    _prepare(dialog)
    if folder:
        dialog.setDirectory(folder)
    if use is not None:
        dialog.fileSelected.connect(lambda name: use(Path(name)))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    return dialog

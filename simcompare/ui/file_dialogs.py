"""The dialogs in which files are chosen."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from simcompare.i18n import _
from simcompare.loading.formats import kinds_of_files


def ask_for_documents(parent: QWidget, title: str, mode: QFileDialog.FileMode) -> QFileDialog:
    """Open a dialog that lists files that can be read; the caller listens to what is chosen in it."""
    return _open(parent, title, mode, document_filters())


def ask_for_thesaurus(parent: QWidget) -> QFileDialog:
    """Open a dialog that lists thesaurus files."""
    lexicons = _("Cilin, MyThes or Open Multilingual Wordnet") + " (*.txt *.dat *.tab)"
    mode = QFileDialog.FileMode.ExistingFile
    return _open(parent, _("Open a thesaurus"), mode, [lexicons, _every_file()])


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


def _open(parent: QWidget, title: str, mode: QFileDialog.FileMode, filters: list[str]) -> QFileDialog:
    dialog = QFileDialog(parent, title)
    dialog.setFileMode(mode)
    dialog.setNameFilters(filters)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    return dialog

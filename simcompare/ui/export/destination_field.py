"""Fields for the name and folder of an export, and the choices remembered from earlier ones."""

from collections.abc import Collection, Sequence
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QPushButton, QWidget

from simcompare.export.exports import ExportPlan
from simcompare.report.cohort.report_bundle import file_name_problem
from simcompare.support.i18n import _, current_language
from simcompare.ui.desktop.file_dialogs import prepare_dialog
from simcompare.ui.preferences import Preferences
from simcompare.ui.style.layouts import row_of
from simcompare.ui.style.theme import GRID_PX


class NameField(QWidget):
    """Line for a file name, followed by its suffix. A typed name is kept.

    If disabled, it is empty with a hint that the names are fixed.
    """

    edited = Signal()
    suffix_typed = Signal(str)
    """Another suffix, which may be that of a form."""
    folder_typed = Signal(str)
    """The folder of a typed absolute path."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line, self._suffix = QLineEdit(), QLabel()
        self.line.setPlaceholderText(_("Named after the files"))
        self._suffix.setObjectName("muted")
        self._typed = ""
        self.line.textEdited.connect(self._keep)
        self.line.editingFinished.connect(self.settle)
        row_of(self, (self.line, 1), self._suffix, spacing_px=GRID_PX)
        self.setFocusProxy(self.line)

    @property
    def name(self) -> str:
        return self.line.text().strip()

    def suggest(self, name: str, suffix: str) -> None:
        """Show a suffix, and a name unless another one was typed."""
        self._suffix.setText(suffix)
        self._suffix.setVisible(bool(suffix))
        text = (self._typed or name) if name else ""
        if self.line.text() != text:
            self.line.setText(text)

    def _keep(self, text: str) -> None:
        self._typed = text
        self.edited.emit()

    def settle(self) -> None:
        """Split a folder and a suffix off the typed text."""
        typed = Path(self.name)
        if typed.is_absolute() and typed.name:
            self.line.setText(typed.name)
            self.folder_typed.emit(str(typed.parent))
        if typed.suffix:
            self.suffix_typed.emit(typed.suffix.lower())

    def remove_suffix(self, suffix: str) -> None:
        self._typed = self.name[: -len(suffix)]
        self.line.setText(self._typed)

    @property
    def problem(self) -> str:
        """Reason why the name is invalid, empty if it is valid. A folder typed before it is ignored."""
        typed = Path(self.name)
        return _(file_name_problem(typed.name if typed.is_absolute() else self.name))


class FolderField(QWidget):
    """Line for a folder, and a button to choose one."""

    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line, self.button = QLineEdit(), QPushButton(_("Browse…"))
        self.button.setAutoDefault(False)
        self.button.setAccessibleName(_("Choose a folder"))
        self.line.textChanged.connect(self.edited)
        self.button.clicked.connect(self._choose)
        row_of(self, (self.line, 1), self.button, spacing_px=2 * GRID_PX)
        self.setFocusProxy(self.line)

    @property
    def folder(self) -> Path:
        return Path(self.line.text().strip()).expanduser()

    @folder.setter
    def folder(self, folder: Path) -> None:
        self.line.setText(str(folder))

    def _choose(self) -> None:
        dialog = QFileDialog(self, _("Choose a folder"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        prepare_dialog(dialog)
        dialog.setDirectory(str(self.folder))
        dialog.fileSelected.connect(lambda name: setattr(self, "folder", Path(name)))
        dialog.open()


_SOURCES_OF_PAGE = {"compare": ("pair",), "pairs": ("chosen", "pair", "class"), "sources": ("student",)}
"""Keys of the sources shown on a page of the window, the most special first."""
_REPLACED = "replaced"


class ExportMemory:
    """Choices of earlier exports: source, form, folder and names in the preferences, the rest until exit.

    requested: key of the source to preselect; page: the current page of the window; essay_folders: folders
    of the documents.
    """

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences
        self._language = ("", "")
        self._with_notes = {False: True, True: False}
        self.page = ""
        self.requested = ""
        self.essay_folders: Collection[Path] = ()

    def source(self, offered: Sequence[str]) -> str:
        """Return the key to preselect: the requested one, one of the page, or the last one.

        On pages other than Compare the last one comes before those of the page.
        """
        last = self._preferences.export_choices.get(f"source of {self.page}", "")
        of_page = _SOURCES_OF_PAGE.get(self.page, ())
        is_compare = self.page == "compare"
        keys = (self.requested, *of_page, last) if is_compare else (self.requested, last, *of_page)
        return next((key for key in keys if key in offered), offered[0])

    def form_of(self, source: str) -> str:
        return self._preferences.export_choices.get(f"form of {source}", "")

    @property
    def replaces_names(self) -> bool:
        return self._preferences.export_choices.get("names", "") == _REPLACED

    def with_notes(self, *, anonymous: bool) -> bool:
        """Return whether notes were included last; initially only if names are not replaced.

        Notes may identify people in ways that no list covers: initials, a nickname, a telephone number.
        """
        return self._with_notes[anonymous]

    @property
    def packing(self) -> str:
        return self._preferences.export_choices.get("packing", "")

    @property
    def language(self) -> str:
        """The last language; empty if the language of the program has changed since."""
        chosen, program_language = self._language
        return chosen if program_language == current_language() else ""

    @property
    def folder(self) -> Path:
        """The last folder if it exists, else the folder for documents; never one that holds the essays.

        An export there would be read with the essays the next time their folder is opened.
        """
        last = self._preferences.export_choices.get("folder", "")
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        existing = (Path(name) for name in (last, documents) if name and Path(name).is_dir())
        return next((folder for folder in existing if folder not in self.essay_folders), Path.home())

    def remember(self, source: str, plan: ExportPlan) -> None:
        self._language = (plan.language, current_language())
        anonymous = plan.pseudonyms is not None
        self._with_notes[anonymous] = plan.with_notes
        self._preferences.export_choices = {
            **self._preferences.export_choices,
            f"source of {self.page}": source,
            f"form of {source}": plan.form,
            "names": _REPLACED if anonymous else "",
            "packing": plan.packing or self.packing,
            "folder": str(plan.folder),
        }

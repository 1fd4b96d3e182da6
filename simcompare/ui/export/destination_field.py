"""Where something is written: a name and a folder, typed or chosen."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from simcompare.report.cohort.report_bundle import why_no_name
from simcompare.support.i18n import _, current_language
from simcompare.ui.export.export_sources import Plan
from simcompare.ui.file_dialogs import prepare_dialog
from simcompare.ui.preferences import Preferences
from simcompare.ui.style.theme import GRID_PX


class NameField(QWidget):
    """A line for the name of a file, with its ending behind it. A name that a person typed stays.

    Disabled it is empty, and says that what is written has names already.
    """

    edited = Signal()
    ending_typed = Signal(str)
    """Another ending, which may be that of a form."""
    folder_typed = Signal(str)
    """A folder was typed together with the name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line, self._ending = QLineEdit(), QLabel()
        self.line.setPlaceholderText(_("Named after the files"))
        self._ending.setObjectName("muted")
        self._own = ""
        self.line.textEdited.connect(self._keep)
        self.line.editingFinished.connect(self.settle)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID_PX)
        row.addWidget(self.line, 1)
        row.addWidget(self._ending)
        self.setFocusProxy(self.line)

    @property
    def name(self) -> str:
        """The name without its ending."""
        return self.line.text().strip()

    def suggest(self, name: str, ending: str) -> None:
        """Show a name, unless a person has typed another one, and the ending."""
        self._ending.setText(ending)
        self._ending.setVisible(bool(ending))
        shown = (self._own or name) if name else ""
        if self.line.text() != shown:
            self.line.setText(shown)

    def _keep(self, text: str) -> None:
        self._own = text
        self.edited.emit()

    def settle(self) -> None:
        """Take a folder and an ending out of what was typed."""
        typed = Path(self.name)
        if typed.is_absolute() and typed.name:
            self.line.setText(typed.name)
            self.folder_typed.emit(str(typed.parent))
        if typed.suffix:
            self.ending_typed.emit(typed.suffix.lower())

    def without_ending(self, ending: str) -> None:
        """Take an ending off the name that was typed."""
        self._own = self.name[: -len(ending)]
        self.line.setText(self._own)

    @property
    def problem(self) -> str:
        """Why no file can be called so; empty where one can. A folder typed before it is no part of it."""
        typed = Path(self.name)
        return _(why_no_name(typed.name if typed.is_absolute() else self.name))


class FolderField(QWidget):
    """A line for a folder, and a button to choose one."""

    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line, self.button = QLineEdit(), QPushButton(_("Browse…"))
        self.button.setAutoDefault(False)
        self.button.setAccessibleName(_("Choose a folder"))
        self.line.textChanged.connect(self.edited)
        self.button.clicked.connect(self._choose)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * GRID_PX)
        row.addWidget(self.line, 1)
        row.addWidget(self.button)
        self.setFocusProxy(self.line)

    @property
    def folder(self) -> Path:
        """The folder."""
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


_SHOWN = {"compare": "pair", "pairs": "table"}
"""What each page of the window shows."""
_REPLACED = "replaced"


class Remembered:
    """Form, folder, names and what is exported are kept in the preferences, the rest until the program ends.

    `asked` is what is to be exported now, `page` the page of the window from which, `beside` the folder of
    the session or the documents.
    """

    def __init__(self, preferences: Preferences) -> None:
        self._preferences = preferences
        self._language = ("", "")
        self._with_notes = {False: True, True: False}
        self.page = ""
        self.asked = ""
        self.beside = ""

    def source(self, offered: Sequence[str]) -> str:
        """Return what is asked for, else the pair where it is in front, else what was exported last."""
        last = self._preferences.export_choices.get(f"source of {self.page}", "")
        shown = _SHOWN.get(self.page, "")
        wanted = (self.asked, shown, last) if self.page == "compare" else (self.asked, last, shown)
        return next((source for source in wanted if source in offered), offered[0])

    def form_of(self, source: str) -> str:
        """Return the form that something had last."""
        return self._preferences.export_choices.get(f"form of {source}", "")

    @property
    def replaces_names(self) -> bool:
        """Whether names were replaced the last time."""
        return self._preferences.export_choices.get("names", "") == _REPLACED

    def with_notes(self, *, anonymous: bool) -> bool:
        """Return whether notes went along the last time; at first not where names are replaced.

        Notes name people in ways that no list has: by first letters, a nickname, a telephone number.
        """
        return self._with_notes[anonymous]

    @property
    def packing(self) -> str:
        """What many files were put in last."""
        return self._preferences.export_choices.get("packing", "")

    @property
    def language(self) -> str:
        """The language chosen last, unless that of the program is another one since; else empty."""
        chosen, spoken = self._language
        return chosen if spoken == current_language() else ""

    @property
    def folder(self) -> Path:
        """The folder in which something of this work was written last, else the one beside it.

        Where neither is there, the one that was chosen for anything last.
        """
        choices = self._preferences.export_choices
        last = choices.get("folder", "")
        own = last if choices.get("folder beside") == self.beside else ""
        known = (own, self.beside, last, self._preferences.last_folder)
        usual = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        there = (Path(name) for name in (*known, usual) if name and Path(name).is_dir())
        return next(there, Path.home())

    def remember(self, source: str, plan: Plan) -> None:
        """Keep what was chosen."""
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
            "folder beside": self.beside,
        }

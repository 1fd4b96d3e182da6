"""Where something is written: a name and a folder, typed or chosen."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from simcompare.i18n import _
from simcompare.report.cohort.names import why_no_name
from simcompare.ui.file_dialogs import prepare_dialog
from simcompare.ui.looks.theme import GRID_PX


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

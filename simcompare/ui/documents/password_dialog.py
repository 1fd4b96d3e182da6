"""Dialog that asks for the password of a file, and again if it is wrong."""

from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from simcompare.support.i18n import _
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.dialogs import Dialog, default_button, other_button
from simcompare.ui.style.layouts import column_of, row_of
from simcompare.ui.style.stylesheet import use_look
from simcompare.ui.style.text_labels import ElidedName, MutedLabel
from simcompare.ui.style.theme import GRID_PX

_WIDTH_PX = 420


class PasswordDialog(Dialog):
    """Reads the file with the password entered, and closes once that succeeded.

    The password is passed only to the reading process; it is neither stored nor logged.
    """

    def __init__(self, workspace: Workspace, key: int, parent: QWidget) -> None:
        super().__init__(_("Enter password"), parent, width_px=_WIDTH_PX)
        self._documents = workspace.documents
        self._key = key
        name, named = ElidedName(), self._documents.names[key]
        name.show_name(named.text, named.shared)
        name.setObjectName("pairName")
        name.setToolTip(name.text())
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(_("Password"))
        self.field.setPlaceholderText(_("Password"))
        self.show_box = QCheckBox(_("Show the password"))
        count = len(self._locked())
        self.for_all = QCheckBox(_("Try it on all {count} locked files").format(count=f"{count:,}"))
        self.for_all.setChecked(count > 1)
        self.for_all.setVisible(count > 1)
        self.message = MutedLabel()
        self.open_button, self.cancel_button = default_button(_("Open")), other_button(_("Cancel"))
        buttons = row_of(None, None, self.cancel_button, self.open_button, spacing_px=GRID_PX * 2)
        fields = (name, self.field, self.message, self.show_box, self.for_all)
        column = column_of(self, *fields, spacing_px=GRID_PX * 2, margins_px=GRID_PX * 5)
        column.addSpacing(GRID_PX * 2)
        column.addLayout(buttons)
        self.field.textEdited.connect(self._enable_open)
        self.show_box.toggled.connect(self._show_letters)
        self.open_button.clicked.connect(self._try)
        self.cancel_button.clicked.connect(self.reject)
        workspace.documents_changed.connect(self._follow)
        self._show_message(_("It is kept only until the program is closed, and never saved."))
        self._enable_open()

    def _locked(self) -> list[int]:
        return [key for key, entry in self._documents.entries.items() if entry.is_locked]

    # --- actions

    def _show_letters(self, shown: bool) -> None:
        mode = QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password
        self.field.setEchoMode(mode)

    def _enable_open(self) -> None:
        self.open_button.setEnabled(bool(self.field.text()) and self.field.isEnabled())

    def _try(self) -> None:
        keys = self._locked() if self.for_all.isChecked() else [self._key]
        self._set_waiting(True)
        self._show_message(_("Trying the password…"))
        self._documents.read_again(keys, password=self.field.text())

    def _set_waiting(self, waiting: bool) -> None:
        for widget in (self.field, self.for_all):
            widget.setEnabled(not waiting)
        self._enable_open()

    # --- result

    def _follow(self) -> None:
        """Close if the file is read or removed; ask again if the password is wrong."""
        entry = self._documents.entries.get(self._key)
        if entry is None or not entry.is_locked:
            self.accept()
        elif entry.pending_options is None and not self.field.isEnabled():
            self._set_waiting(False)
            self._show_message(_("This password does not open the file. Try another one."), wrong=True)
            self.field.selectAll()
            self.field.setFocus()

    def _show_message(self, words: str, *, wrong: bool = False) -> None:
        use_look(self.message, "danger" if wrong else "muted")
        self.message.setText(words)

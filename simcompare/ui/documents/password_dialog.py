"""The dialog that asks for the password of a file, and says in place where one does not open it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from simcompare.support.i18n import _
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.style.elided_label import ElidedName
from simcompare.ui.style.theme import GRID_PX

_WIDTH_PX = 420


class PasswordDialog(QDialog):
    """Has the file read with the password given, and closes once that went well.

    The password goes to the reading process alone; it is neither stored nor logged.
    """

    def __init__(self, workspace: Workspace, key: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._documents = workspace.documents
        self._key = key
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Enter password"))
        self.setFixedWidth(_WIDTH_PX)
        name, named = ElidedName(), self._documents.names[key]
        name.show_name(named.text, named.shared)
        name.setObjectName("pairName")
        name.setToolTip(name.text())
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(_("Password"))
        self.field.setPlaceholderText(_("Password"))
        self.shown = QCheckBox(_("Show the password"))
        self.for_all = self._make_for_all()
        self.message = QLabel()
        self.message.setObjectName("muted")
        self.message.setWordWrap(True)
        self.open_button, self.cancel_button = QPushButton(_("Open")), QPushButton(_("Cancel"))
        self.open_button.setObjectName("primary")
        self._lay_out(name)
        self._listen(workspace)
        self._say(_("It is kept until the program ends, and written nowhere."))
        self._allow()

    def _make_for_all(self) -> QCheckBox:
        count = len(self._locked())
        box = QCheckBox(_("Try it on all {count} locked files").format(count=f"{count:,}"))
        box.setChecked(count > 1)
        box.setVisible(count > 1)
        return box

    def _locked(self) -> list[int]:
        return [key for key, entry in self._documents.entries.items() if entry.is_locked]

    def _lay_out(self, name: QLabel) -> None:
        buttons = QHBoxLayout()
        buttons.addStretch()
        buttons.setSpacing(GRID_PX * 2)
        self.cancel_button.setAutoDefault(False)
        self.open_button.setDefault(True)
        for button in (self.cancel_button, self.open_button):
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[GRID_PX * 5] * 4)
        column.setSpacing(GRID_PX * 2)
        for widget in (name, self.field, self.message, self.shown, self.for_all):
            column.addWidget(widget)
        column.addSpacing(GRID_PX * 2)
        column.addLayout(buttons)

    def _listen(self, workspace: Workspace) -> None:
        self.field.textEdited.connect(self._allow)
        self.shown.toggled.connect(self._show_letters)
        self.open_button.clicked.connect(self._try)
        self.cancel_button.clicked.connect(self.reject)
        workspace.documents_changed.connect(self._follow)

    # --- what a person does

    def _show_letters(self, shown: bool) -> None:
        mode = QLineEdit.EchoMode.Normal if shown else QLineEdit.EchoMode.Password
        self.field.setEchoMode(mode)

    def _allow(self) -> None:
        self.open_button.setEnabled(bool(self.field.text()) and self.field.isEnabled())

    def _try(self) -> None:
        keys = self._locked() if self.for_all.isChecked() else [self._key]
        self._wait(True)
        self._say(_("Trying the password…"))
        self._documents.read_again(keys, password=self.field.text())

    def _wait(self, waiting: bool) -> None:
        for widget in (self.field, self.for_all):
            widget.setEnabled(not waiting)
        self._allow()

    # --- what becomes of it

    def _follow(self) -> None:
        """Close when the file is open or gone; where the password is wrong, ask again."""
        entry = self._documents.entries.get(self._key)
        if entry is None or not entry.is_locked:
            self.accept()
        elif entry.pending_options is None and not self.field.isEnabled():
            self._wait(False)
            self._say(_("This password does not open the file. Try another one."), wrong=True)
            self.field.selectAll()
            self.field.setFocus()

    def _say(self, words: str, *, wrong: bool = False) -> None:
        self.message.setObjectName("danger" if wrong else "muted")
        self.message.style().unpolish(self.message)
        self.message.style().polish(self.message)
        self.message.setText(words)

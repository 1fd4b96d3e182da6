"""The dialog that asks what is to become of work that is not saved."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from simcompare.i18n import _


class UnsavedDialog(QMessageBox):
    """Save, do not save, or cancel, which Esc does too; `clickedButton` tells once it is finished."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Unsaved work"))
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(_("Save the changes to {name}?").format(name=name) if name else _("Save your work?"))
        self.setInformativeText(_("Decisions and notes that are not saved are lost."))
        self.save_button = self.addButton(_("Save"), QMessageBox.ButtonRole.AcceptRole)
        self.discard_button = self.addButton(_("Don't save"), QMessageBox.ButtonRole.DestructiveRole)
        self.cancel_button = self.addButton(_("Cancel"), QMessageBox.ButtonRole.RejectRole)
        self.save_button.setObjectName("primary")
        self.setDefaultButton(self.save_button)
        self.setEscapeButton(self.cancel_button)

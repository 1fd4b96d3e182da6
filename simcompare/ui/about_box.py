"""The box that says what this program is."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from simcompare import __version__
from simcompare.i18n import _


def show_about(parent: QWidget) -> None:
    """Open the box."""
    box = QMessageBox(parent)
    box.setWindowTitle(_("About simcompare"))
    box.setText(f"simcompare {__version__}")
    box.setInformativeText(
        _("Compares documents sentence by sentence and shows what they share and why. MIT licence.")
    )
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()

"""About dialog: version, licences, and those of the parts that the program contains."""

import platform
import sys
from pathlib import Path

from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QDialog, QLabel, QPushButton, QWidget

from simcompare import __version__
from simcompare.support.i18n import _
from simcompare.support.resources import resource_path
from simcompare.ui.desktop.system_programs import open_on_desktop
from simcompare.ui.style.box_layouts import column_of, row_of
from simcompare.ui.style.elided_label import MutedLabel
from simcompare.ui.style.theme import GRID_PX

_WIDTH_PX = 460


def third_party_licences() -> Path | None:
    """Find the list of the licences of all parts, which only an installed bundle has."""
    program = Path(sys.executable).parent
    folders = (resource_path().parent, program, program.parent, program.parent / "Resources")
    found = (path for folder in folders for path in sorted(folder.glob("licences/index.*")))
    return next(found, None)


class AboutDialog(QDialog):
    """Says what the program is and under which licences it comes; Esc closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("About simcompare"))
        self.setFixedWidth(_WIDTH_PX)
        name = QLabel(f"simcompare {__version__}")
        name.setObjectName("share")
        purpose = QLabel(_("Compares documents sentence by sentence and shows what they share and why."))
        purpose.setWordWrap(True)
        self.licences = MutedLabel(
            _(
                "simcompare is free software under the MIT licence. It uses Qt {qt} by PySide6 under the GNU "
                "LGPL version 3, and Python {python}."
            ).format(qt=qVersion(), python=platform.python_version())
        )
        self.licences.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        path = third_party_licences()
        self.all_button, close = QPushButton(_("All licences")), QPushButton(_("Close"))
        self.all_button.setVisible(path is not None)
        self.all_button.setAutoDefault(False)
        if path is not None:
            self.all_button.clicked.connect(lambda: open_on_desktop(path))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        texts = (name, purpose, self.licences)
        column = column_of(self, *texts, spacing_px=GRID_PX * 3, margins_px=GRID_PX * 5)
        column.addLayout(row_of(None, self.all_button, None, close))
        close.setFocus()

"""The dialog that asks before files are replaced."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from simcompare.i18n import _, ngettext
from simcompare.ui.looks.theme import GRID_PX
from simcompare.visible import visible, visible_name

_WIDTH_PX = 420


class ReplaceDialog(QDialog):
    """Accepted where the files are to be replaced; Esc leaves them."""

    def __init__(self, places: Sequence[Path], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Replace?"))
        self.setFixedWidth(_WIDTH_PX)
        self.question, self.explanation = QLabel(_question(places)), QLabel(_explanation(places))
        self.question.setObjectName("pairName")
        self.explanation.setObjectName("muted")
        for label in (self.question, self.explanation):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.replace_button, self.cancel_button = QPushButton(_("Replace")), QPushButton(_("Cancel"))
        self.replace_button.setAutoDefault(False)
        self.replace_button.clicked.connect(self.accept)
        self.cancel_button.clicked.connect(self.reject)
        self.cancel_button.setDefault(True)
        self._lay_out()
        self.cancel_button.setFocus()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID_PX * 2)
        buttons.addStretch()
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.replace_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[GRID_PX * 5] * 4)
        column.setSpacing(GRID_PX * 2)
        column.addWidget(self.question)
        column.addWidget(self.explanation)
        column.addSpacing(GRID_PX * 2)
        column.addLayout(buttons)


def _question(places: Sequence[Path]) -> str:
    if len(places) == 1:
        return _("{name} is there already. Replace it?").format(name=visible_name(places[0].name))
    text = ngettext(
        "{count} file is there already. Replace it?",
        "{count} files are there already. Replace them?",
        len(places),
    )
    return text.format(count=f"{len(places):,}")


def _explanation(places: Sequence[Path]) -> str:
    folder = visible(str(places[0].parent))
    if len(places) == 1:
        return folder
    return "\n".join([folder, *(visible_name(place.name) for place in places)])

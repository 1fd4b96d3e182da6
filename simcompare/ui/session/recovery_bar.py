"""The line that offers work which a crash left behind."""

from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from simcompare.i18n import _
from simcompare.ui.looks.theme import GRID_PX


class RecoveryBar(QWidget):
    """Asks what to do with unsaved work; hidden while there is none."""

    restore_requested = Signal()
    discard_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._written: datetime | None = None
        self.setObjectName("notice")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.label = QLabel()
        self.label.setWordWrap(True)
        self.restore_button, self.discard_button = QPushButton(), QPushButton()
        self.restore_button.setObjectName("primary")
        self.restore_button.clicked.connect(self.restore_requested)
        self.discard_button.clicked.connect(self.discard_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID_PX * 4, GRID_PX * 2, GRID_PX * 4, GRID_PX * 2)
        row.setSpacing(GRID_PX * 2)
        row.addWidget(self.label, 1)
        row.addWidget(self.restore_button)
        row.addWidget(self.discard_button)
        self.hide()

    def offer(self, written: datetime | None) -> None:
        """Offer work of this local time, or with None no more."""
        self._written = written
        self.retranslate()
        self.setVisible(written is not None)

    def retranslate(self) -> None:
        """Show all texts in the current language."""
        self.restore_button.setText(_("Restore"))
        self.discard_button.setText(_("Discard"))
        if self._written is not None:
            self.label.setText(_("Work of {time} was not saved.").format(time=_moment(self._written)))


def _moment(moment: datetime) -> str:
    """Return the time, with the date where that is not today's."""
    today = moment.date() == datetime.now().astimezone().date()
    return f"{moment:%H:%M}" if today else f"{moment:%Y-%m-%d %H:%M}"

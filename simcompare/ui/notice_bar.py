"""A line above the texts that tells what happened, and waits to be read."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from simcompare.i18n import _
from simcompare.ui.theme import GRID_PX


class NoticeBar(QWidget):
    """Shows the latest notice until it is dismissed; hidden when there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.label = QLabel()
        self.label.setWordWrap(True)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.dismiss_button = QPushButton()
        self.dismiss_button.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID_PX * 4, GRID_PX * 2, GRID_PX * 4, GRID_PX * 2)
        row.addWidget(self.label, 1)
        row.addWidget(self.dismiss_button)
        self.retranslate()
        self.hide()

    def show_notice(self, text: str) -> None:
        """Show a notice."""
        self.label.setText(text)
        self.show()

    def retranslate(self) -> None:
        """Show all texts in the current language."""
        self.dismiss_button.setText(_("Dismiss"))

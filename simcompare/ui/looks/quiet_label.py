"""A line of explanation: plain text in the quiet colour, wrapped where it is long."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel


class QuietLabel(QLabel):
    """Says something beside what matters."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.setObjectName("muted")
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)

"""A label that shortens its text instead of widening the window."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel


class ElidedLabel(QLabel):
    """Shows as much of its text as fits; the end of a file name stays visible."""

    cut = Qt.TextElideMode.ElideMiddle
    """Where it is shortened."""

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the height of a line and hardly any width."""
        return QSize(self.fontMetrics().averageCharWidth() * 4, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the shortened text."""
        painter = QPainter(self)
        text = self.fontMetrics().elidedText(self.text(), self.cut, self.width())
        painter.drawText(self.rect(), int(self.alignment()), text)

"""Texts and names that are shortened instead of widening the window."""

from pathlib import PurePath

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel


def elided_name(metrics: QFontMetrics, name: str, width_px: int) -> str:
    """Return as much of a file's name as fits: its suffix gives way first, as it tells nobody apart."""
    if metrics.horizontalAdvance(name) <= width_px:
        return name
    stem = PurePath(name).stem or name
    return metrics.elidedText(stem, Qt.TextElideMode.ElideMiddle, width_px)


class ElidedLabel(QLabel):
    """Shows as much of its text as fits."""

    cut = Qt.TextElideMode.ElideMiddle
    """Where it is shortened."""

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Return the height of a line and hardly any width."""
        return QSize(self.fontMetrics().averageCharWidth() * 4, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Draw the shortened text."""
        painter = QPainter(self)
        painter.drawText(self.rect(), int(self.alignment()), self._shortened())

    def _shortened(self) -> str:
        return self.fontMetrics().elidedText(self.text(), self.cut, self.width())


class ElidedName(ElidedLabel):
    """Shows as much of a file's name as fits."""

    def _shortened(self) -> str:
        return elided_name(self.fontMetrics(), self.text(), self.width())

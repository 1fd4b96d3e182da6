"""Texts and names that are shortened instead of widening the window."""

import re
from pathlib import PurePath

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel

_ELLIPSIS = "…"
_NUMBER = re.compile(r"\d{4,}")


def elided_name(metrics: QFontMetrics, name: str, width_px: int, shared: tuple[int, int] = (0, 0)) -> str:
    """Return as much of a file's name as fits.

    What tells nobody apart gives way first: the suffix, then what most names have in common at the end and
    at the beginning of the stem, given as numbers of characters; of the rest a long number.
    """
    if metrics.horizontalAdvance(name) <= width_px:
        return name
    stem = name.removesuffix(PurePath(name).suffix)
    first, last = shared[0], len(stem) - shared[1]
    start, own, end = stem[:first], stem[first:last], stem[last:]
    own_px = metrics.horizontalAdvance(own)
    end = _begun(metrics, end, width_px - own_px - metrics.horizontalAdvance(start))
    start = _begun(metrics, start, width_px - own_px - metrics.horizontalAdvance(end))
    room = width_px - metrics.horizontalAdvance(start + end)
    return re.sub(f"{_ELLIPSIS}+", _ELLIPSIS, start + _own_part(metrics, own, room) + end)


def _begun(metrics: QFontMetrics, text: str, room_px: int) -> str:
    """Return as much of the beginning of a text as fits, no less than an ellipsis for what there is."""
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(room_px, 0))
    return shown or (_ELLIPSIS if text else "")


def _own_part(metrics: QFontMetrics, own: str, room_px: int) -> str:
    """Shorten the longest number from its front; where that is not enough, the middle of the rest."""
    if metrics.horizontalAdvance(own) <= room_px:
        return own
    number = max(_NUMBER.finditer(own), key=lambda found: len(found[0]), default=None)
    if number is not None:
        before, after = own[: number.start()], own[number.end() :]
        for left in range(1, len(number[0]) + 1):
            own = before + _ELLIPSIS + number[0][left:] + after
            if metrics.horizontalAdvance(own) <= room_px:
                return own
    return metrics.elidedText(own, Qt.TextElideMode.ElideMiddle, room_px)


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

    _shared = (0, 0)

    def show_name(self, name: str, shared: tuple[int, int]) -> None:
        """Show a name; `shared` is what most names have in common at its beginning and end."""
        self._shared = shared
        self.setText(name)
        self.update()

    def _shortened(self) -> str:
        return elided_name(self.fontMetrics(), self.text(), self.width(), self._shared)

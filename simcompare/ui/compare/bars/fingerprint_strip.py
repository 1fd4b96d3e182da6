"""Fingerprint as a strip of cells, one per bit; bits in which the other text differs have a ring."""

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from simcompare.comparison.comparison_result import MatchKind
from simcompare.support.i18n import _
from simcompare.ui.actions import key_of
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import current_theme
from simcompare.ui.style.theme import GRID_PX

_HEIGHT_PX = 5 * GRID_PX
_RING_PX = 2
_TOP_PX = 3
_BYTE_GAP_PX = 3
_BITS_A_BYTE = 8
_USUAL_BITS = 64
_LEAST_CELL_PX = 3
_WIDE_CELL_PX = 6


class FingerprintStrip(QWidget):
    """Shows bits as cells, most significant first; arrow keys describe them one by one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty strip."""
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._bits = ""
        self._differing: frozenset[int] | None = None
        self._current = 0
        follow_language(self._describe)

    def set_bits(self, bits: str | None, differing: frozenset[int] | None = None) -> None:
        """Show a fingerprint, a string of 0 and 1, or none.

        differing: indices in `bits` at which the other text has another bit; None without another text.
        """
        self._bits = bits or ""
        self._differing = differing
        self._current = 0
        self._describe()
        self.update()

    def _describe(self) -> None:
        self.setAccessibleName(_("Fingerprint"))
        self.setAccessibleDescription(self._summary())

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(3 * self.minimumSizeHint().width() // 2, _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Least width at which cells can be distinguished."""
        count = len(self._bits) or _USUAL_BITS
        return QSize(count * _LEAST_CELL_PX + _gaps_before(count - 1) + 2 * _RING_PX, _HEIGHT_PX)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the cells, then the rings, which overlap neighbouring cells."""
        painter, theme = QPainter(self), current_theme()
        if not self._bits:
            painter.fillRect(self.rect().adjusted(_RING_PX, 8, -_RING_PX, -8), QColor(theme.bit_off))
        differing = self._differing or frozenset()
        for place, bit in enumerate(self._bits):
            cell = self.cell_rect(place)
            # a gap separates the ring from its cell whatever their colours
            inset = 1 if place in differing and cell.width() >= _WIDE_CELL_PX else 0
            colour = theme.bit_on if bit == "1" else theme.bit_off
            painter.fillRect(cell.adjusted(inset, inset, -inset, -inset), QColor(colour))
        for place in sorted(differing):
            _ring(painter, self.cell_rect(place), QColor(theme.kinds[MatchKind.EXACT].ink))
        if self.hasFocus():
            self._paint_focus(painter)

    def cell_rect(self, place: int) -> QRect:
        """Rectangle of the cell of a bit, in whole pixels."""
        left, right = self._edge_px(place), self._edge_px(place + 1)
        gap = 1 if self._edge_px(len(self._bits)) >= len(self._bits) * _LEAST_CELL_PX else 0
        return QRect(left + _gaps_before(place), _TOP_PX, right - left - gap, _HEIGHT_PX - 2 * _TOP_PX)

    def event(self, event: QEvent) -> bool:
        """Show the bit under the pointer, and the fingerprint in hexadecimal, as a tool tip."""
        if event.type() != QEvent.Type.ToolTip:
            return super().event(event)
        assert isinstance(event, QHelpEvent)
        place = self._place_at(event.pos().x())
        if place is None:
            QToolTip.showText(event.globalPos(), self._summary(), self)
        else:
            words = f"{self._bit_words(place)}\n{self._summary()}"
            QToolTip.showText(event.globalPos(), words, self, self._column_of(place))
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        last = len(self._bits) - 1
        steps = {Qt.Key.Key_Left: self._current - 1, Qt.Key.Key_Right: self._current + 1}
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: last}
        place = (steps | ends).get(key_of(event))
        if place is None or last < 0:
            super().keyPressEvent(event)
            return
        self._current = min(max(0, place), last)
        self._announce_bit()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)
        QToolTip.hideText()

    def _announce_bit(self) -> None:
        words = self._bit_words(self._current)
        cell = self._column_of(self._current)
        self.setAccessibleDescription(f"{words}\n{self._summary()}")
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))
        QToolTip.showText(self.mapToGlobal(cell.bottomLeft()), words, self, cell)
        self.update()

    def _paint_focus(self, painter: QPainter) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(current_theme().accent), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        if self._bits:
            cell = self.cell_rect(self._current)
            painter.fillRect(
                cell.left(), cell.bottom() + 1, cell.width(), _TOP_PX, QColor(current_theme().accent)
            )

    def _edge_px(self, place: int) -> int:
        """Left edge of a cell, without the gaps between bytes."""
        count = len(self._bits)
        cells_px = self.width() - 2 * _RING_PX - _gaps_before(count - 1)
        return _RING_PX + place * cells_px // count

    def _column_of(self, place: int) -> QRect:
        cell = self.cell_rect(place)
        return QRect(cell.left(), 0, cell.width() + 1, self.height())

    def _place_at(self, x_px: int) -> int | None:
        places = range(len(self._bits))
        return next((place for place in places if self._column_of(place).contains(x_px, 0)), None)

    def _bit_words(self, place: int) -> str:
        bit = self._bits[place]
        if self._differing is None:
            return _("bit {number}: {bit}").format(number=place + 1, bit=bit)
        if place in self._differing:
            other = "0" if bit == "1" else "1"
            return _("bit {number}: {bit}, the other text has {other}").format(
                number=place + 1, bit=bit, other=other
            )
        return _("bit {number}: {bit}, in both texts").format(number=place + 1, bit=bit)

    def _summary(self) -> str:
        if not self._bits:
            return _("No fingerprint yet")
        count = len(self._bits)
        digits = format(int(self._bits, 2), f"0{count // 4}x")
        return _("Fingerprint of {count} bits: {digits}").format(count=count, digits=digits)


def _ring(painter: QPainter, cell: QRect, colour: QColor) -> None:
    """Draw a ring around a cell, over its neighbours."""
    pen = QPen(colour, _RING_PX)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    painter.setPen(pen)
    half = _RING_PX // 2
    painter.drawRect(cell.adjusted(-half, -half, half, half))


def _gaps_before(place: int) -> int:
    return place // _BITS_A_BYTE * _BYTE_GAP_PX

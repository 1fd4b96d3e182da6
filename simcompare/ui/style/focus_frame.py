"""Frame around what has the focus by keyboard."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from simcompare.ui.style.theme import current_theme

# ruff: noqa: N802 - Qt names the methods it calls

_LINE_PX = 2
_BY_MOUSE = (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.PopupFocusReason)


class FocusFrame(QWidget):
    """Frame around a widget with keyboard focus; not shown after a click."""

    def __init__(self, framed: QWidget, gap_px: int = 0) -> None:
        """gap_px: distance from the widget, for one with text up to its edge."""
        super().__init__(framed)
        self._gap_px = gap_px
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        self._framed = framed
        framed.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.FocusIn and isinstance(event, QFocusEvent):
            self._place()
            self.setVisible(event.reason() not in _BY_MOUSE)
            self.raise_()
        elif kind == QEvent.Type.FocusOut:
            self.hide()
        elif kind == QEvent.Type.Resize and not self.isHidden():
            self._place()
            self.show()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        """Surround the widget, as a child of the nearest ancestor that is large enough for the frame."""
        host, gap = self._framed, self._gap_px
        place = host.rect().adjusted(-gap, -gap, gap, gap)
        while not host.rect().contains(place) and (around := host.parentWidget()) is not None:
            place.translate(host.pos())
            host = around
        if self.parentWidget() is not host:
            self.setParent(host)
        self.setGeometry(place)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setPen(QPen(QColor(current_theme().accent), _LINE_PX))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

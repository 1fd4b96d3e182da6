"""A frame that shows which list has the keyboard, laid over it so that nothing moves when it appears."""
# ruff: noqa: N802 - Qt names the methods it calls

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from simcompare.ui.looks.theme import LIGHT, Theme

_LINE_PX = 2
_BY_MOUSE = (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.PopupFocusReason)


class FocusFrame(QWidget):
    """Stands round a widget while that has the focus, unless it was clicked."""

    def __init__(self, framed: QWidget, gap_px: int = 0) -> None:
        """`gap_px` is how far it stands off, for a widget with letters up to its edge."""
        super().__init__(framed)
        self._theme = LIGHT
        self._gap_px = gap_px
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        self._framed = framed
        framed.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the focus and the size of the widget."""
        if event.type() == QEvent.Type.FocusIn and isinstance(event, QFocusEvent):
            self._place()
            self.setVisible(event.reason() not in _BY_MOUSE)
            self.raise_()
        elif event.type() == QEvent.Type.FocusOut:
            self.hide()
        elif event.type() == QEvent.Type.Resize and not self.isHidden():
            self._place()
            self.show()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        """Stand round the widget, within the nearest one that leaves room for the frame."""
        host, gap = self._framed, self._gap_px
        place = host.rect().adjusted(-gap, -gap, gap, gap)
        while not host.rect().contains(place) and (around := host.parentWidget()) is not None:
            place.translate(host.pos())
            host = around
        if self.parentWidget() is not host:
            self.setParent(host)
        self.setGeometry(place)

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self._theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame."""
        with QPainter(self) as painter:
            painter.setPen(QPen(QColor(self._theme.accent), _LINE_PX))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

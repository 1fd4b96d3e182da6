"""Keys that move the borders between the parts of the window, which a mouse drags."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QSplitterHandle, QWidget

from simcompare.support.i18n import _
from simcompare.ui.style.text_labels import announce
from simcompare.ui.style.theme import current_theme

_STEP_PX, _LARGE_STEP_PX = 16, 96
_MARK_PX = 4
_BACK = (Qt.Key.Key_Left, Qt.Key.Key_Up)
_AHEAD = (Qt.Key.Key_Right, Qt.Key.Key_Down)
_END = (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class BorderKeys(QObject):
    """Sets the focus to one border after the other, until Esc or Enter sets it back.

    Borders are no tab stops of their own: seven more stops would make tabbing through the window longer.
    """

    def __init__(self, window: QWidget, say: Callable[[str], object]) -> None:
        """say: shows a hint on the keys."""
        super().__init__(window)
        self._window, self._say = window, say
        self._mark = _BorderMark(window)
        self._current: QSplitterHandle | None = None
        self._before: QWidget | None = None

    def start(self) -> None:
        """Mark the first border, or the next one."""
        if self._current is None:
            self._before = QApplication.focusWidget()
        self._go(1)

    def _place(self, border: QSplitterHandle) -> QRect:
        return QRect(border.mapTo(self._window, QPoint(0, 0)), border.size())

    def _go(self, step: int) -> None:
        found = [each for each in self._window.findChildren(QSplitterHandle) if each.isVisible()]
        borders = sorted(found, key=lambda each: (place := self._place(each)).left() + 2 * place.top())
        if not borders:
            return
        number = (borders.index(self._current) + step) % len(borders) if self._current in borders else 0
        if self._current is not None:
            self._current.removeEventFilter(self)
        self._current = borders[number]
        self._current.installEventFilter(self)
        words = _("Border {number} of {count}: arrow keys move it, Tab goes to the next one, Esc ends.")
        words = words.format(number=number + 1, count=len(borders))
        self._current.setAccessibleName(words)
        self._current.setFocus(Qt.FocusReason.OtherFocusReason)
        self._follow()
        self._say(words)
        announce(self._current, words)

    def _follow(self) -> None:
        if self._current is not None:
            around = self._place(self._current).adjusted(-_MARK_PX, -_MARK_PX, _MARK_PX, _MARK_PX)
            self._mark.setGeometry(around & self._window.rect())
            self._mark.show()
            self._mark.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self._current:
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._handle_key(event)
        elif event.type() == QEvent.Type.FocusOut:
            self._end()
        return super().eventFilter(watched, event)

    def _handle_key(self, event: QKeyEvent) -> bool:
        key = event.key()
        step = _LARGE_STEP_PX if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else _STEP_PX
        if key in _BACK or key in _AHEAD:
            self._move(-step if key in _BACK else step)
        elif key in (Qt.Key.Key_Tab, Qt.Key.Key_F8):
            self._go(1)
        elif key == Qt.Key.Key_Backtab:
            self._go(-1)
        elif key in _END:
            back = self._before
            self._end()
            if back is not None:
                back.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            return False
        return True

    def _move(self, by_px: int) -> None:
        """Move the border, as far as the parts beside it can shrink."""
        assert self._current is not None
        splitter = self._current.splitter()
        number = splitter.indexOf(self._current)
        sizes = splitter.sizes()
        sizes[number - 1] += by_px
        sizes[number] -= by_px
        if min(sizes) > 0:
            splitter.setSizes(sizes)
            place = self._current.pos()
            is_row = splitter.orientation() is Qt.Orientation.Horizontal
            splitter.splitterMoved.emit(place.x() if is_row else place.y(), number)
        self._follow()

    def _end(self) -> None:
        self._mark.hide()
        if self._current is not None:
            self._current.removeEventFilter(self)
        self._current = self._before = None
        self._say("")


class _BorderMark(QWidget):
    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(current_theme().accent))

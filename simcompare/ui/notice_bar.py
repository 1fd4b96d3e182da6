"""Notices, and what lies over a page without moving it."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from simcompare.support.i18n import N_, _
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.layouts import StackingRow, WrappingRow, column_of, push_button
from simcompare.ui.style.text_labels import WrappedLabel
from simcompare.ui.style.theme import GRID_PX, scaled, use_look

_SHOWN_FOR_MS = 15_000
_PRESSING_KEYS = frozenset({Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Select})


_Action = Callable[[], object]
_Notice = tuple[str, _Action | None, str, tuple[str, _Action] | None]
"""Text, action and words of its button, words and action of the other one."""


class NoticeBar(QWidget):
    """Shows the latest notice until it is dismissed; hidden without one.

    A notice of success disappears by itself after a while, but not while the pointer or the keyboard focus
    is on it; one that it replaced before its button was used is then shown again. A notice that replaces one
    whose button has the focus ignores keys until it can have been seen.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.label = WrappedLabel()
        self._hide_timer = QTimer(self, singleShot=True, interval=_SHOWN_FOR_MS)
        self._hide_timer.timeout.connect(self._hide_when_idle)
        self._unread = QTimer(self, singleShot=True, interval=QApplication.doubleClickInterval())
        self._action: Callable[[], object] | None = None
        self._second_action: Callable[[], object] | None = None
        self._behind: _Notice | None = None
        self._is_used = False
        self.show_button = push_button(N_("Show in the list"), self._run_action)
        self.also_button = push_button(N_("Open"), self._run_second_action)
        self.dismiss_button = push_button(N_("Dismiss"), self._close)
        self._buttons = (self.also_button, self.show_button, self.dismiss_button)
        for button in self._buttons:
            button.installEventFilter(self)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # after a click, keys go where they went before
        buttons = WrappingRow(*self._buttons, spacing_px=GRID_PX * 2)
        buttons.may_wrap = True
        StackingRow(self, self.label, buttons)
        follow_language(self.hide)  # its text is in the other language

    def show_notice(
        self,
        text: str,
        show: Callable[[], object] | None = None,
        words: str = "",
        also: tuple[str, Callable[[], object]] | None = None,
        *,
        passes: bool = False,
    ) -> None:
        """Show a notice; the button with `words` calls `show` each time it is clicked.

        also: text and action of a second button. passes: the notice disappears by itself.
        """
        if text != self.label.text():
            self._keep_from_keys()
        if not passes:
            self._behind = None
        elif self._waits() and not self.shows(text):
            second = self._second_action and (self.also_button.text(), self._second_action)
            self._behind = self.label.text(), self._action, self.show_button.text(), second
        self.label.setText(text)
        self._action, self._is_used = show, False
        self.show_button.setText(words or _("Show in the list"))
        self.show_button.setVisible(show is not None)
        also_words, self._second_action = also or (_("Open"), None)
        self.also_button.setText(also_words)
        self.also_button.setVisible(also is not None)
        self.show()
        if passes:
            self._hide_timer.start()
        else:
            self._hide_timer.stop()

    def shows(self, text: str) -> bool:
        """Return whether this is the notice, or waits behind it, and it was not dismissed."""
        behind = None if self._behind is None else self._behind[0]
        return bool(text) and text in {self.label.text(), behind} and not self.isHidden()

    def withdraw(self, text: str) -> None:
        """Hide a notice that no longer applies, unless another one has replaced it."""
        if self._behind is not None and self._behind[0] == text:
            self._behind = None
        elif self.shows(text):
            self._close()

    def _waits(self) -> bool:
        """Return whether a notice is shown that stays until it is answered."""
        is_answered = self._action is None or self._is_used
        return not (is_answered or self.isHidden() or self._hide_timer.isActive())

    def hideEvent(self, event: QHideEvent) -> None:
        if self.isHidden():  # not only the window
            self._behind = None
        super().hideEvent(event)

    def _close(self) -> None:
        """Hide the notice, and show the one behind it again."""
        if self._behind is None:
            self.hide()
        else:
            self.show_notice(*self._behind)

    def _keep_from_keys(self) -> None:
        """Let no key that was meant for the present notice, as the second of two, act on the next one."""
        focused = next((button for button in self._buttons if button.hasFocus()), None)
        if focused is not None:
            focused.setDown(False)
            self.dismiss_button.setFocus()  # later, too, Enter must not answer a question that was not read
            self._unread.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._unread.isActive() and event.key() in _PRESSING_KEYS
        return super().eventFilter(watched, event)

    def _hide_when_idle(self) -> None:
        """Hide, or try again later if the user may be about to use the notice."""
        with_keyboard = self.focusWidget()
        if self.underMouse() or (with_keyboard is not None and with_keyboard.hasFocus()):
            self._hide_timer.start()
        else:
            self._close()

    def _run_action(self) -> None:
        self._is_used = True
        if self._action is not None:
            self._action()

    def _run_second_action(self) -> None:
        self._is_used = True
        if self._second_action is not None:
            self._second_action()


_WIDEST_PX = 170 * GRID_PX
_MARGIN_PX = 2 * GRID_PX
_SHOWN = frozenset({QEvent.Type.Show})
_PLACED = frozenset({QEvent.Type.Resize, QEvent.Type.Show})


class Overlay(QWidget):
    """Bars over the lower part of a widget, so that none moves what is read or clicked."""

    def __init__(self, host: QWidget, *bars: QWidget, above_px: int, aside: QWidget | None = None) -> None:
        """above_px: distance of the lowest bar from the lower edge of `host`.

        aside: a column of `host`; the bars lie over its foot while it is shown and has twice their height.
        """
        super().__init__(host)
        self._host, self._above_px, self._aside = host, above_px, aside
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._column = column_of(self, *bars, spacing_px=GRID_PX)
        self._placing = QTimer(self, singleShot=True, interval=0)
        self._placing.timeout.connect(self._place)
        for watched in (host, *bars, *([] if aside is None else [aside])):
            watched.installEventFilter(self)

    def lie_above(self, above_px: int) -> None:
        self._above_px = above_px
        self._place()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # a bar is shown, hidden or has another text
            self._place()
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Hide:  # perhaps as the window is being deleted
            self._placing.start()
        elif event.type() in (_PLACED if watched in (self._host, self._aside) else _SHOWN):
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        host, aside = self._host, self._place_aside()
        width = min(host.width() - 8 * GRID_PX, scaled(_WIDEST_PX))
        height = self._height_px(width)
        top = host.height() - scaled(self._above_px) - height
        margin = 0 if aside is None else _MARGIN_PX
        self._column.setContentsMargins(margin, margin, margin, margin)
        use_look(self, "" if aside is None else "noticeFoot")
        self.setGeometry(aside or QRect((host.width() - width) // 2, top, width, height))
        if self._aside is not None and (column := self._aside.layout()) is not None:
            # what lies under the bars can be scrolled above them
            margins = column.contentsMargins()
            margins.setBottom(aside.height() if aside else 0)
            column.setContentsMargins(margins)
        self.raise_()

    def _place_aside(self) -> QRect | None:
        """Return the foot of the column; None without a bar, or while there is no column with the space."""
        aside = self._aside
        if aside is None or not aside.isVisible():
            return None
        width = aside.width() - 1  # its border stays
        height = self._height_px(width - 2 * _MARGIN_PX)
        if height <= GRID_PX or 2 * height > aside.height():
            return None
        height += 2 * _MARGIN_PX
        corner = aside.mapTo(self._host, QPoint(0, aside.height() - height))
        return QRect(corner, QSize(width, height))

    def _height_px(self, width: int) -> int:
        """Height of the bars of this width, without margins."""
        margins, column = self._column.contentsMargins(), self._column
        if column.hasHeightForWidth():
            height = column.totalHeightForWidth(width + margins.left() + margins.right())
        else:
            height = column.totalSizeHint().height()
        return height - margins.top() - margins.bottom()

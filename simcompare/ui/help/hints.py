"""Tour of hints after the first comparison: each is shown once, beside the control it explains."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent
from PySide6.QtWidgets import QWidget

from simcompare.support.i18n import _
from simcompare.ui.help.hint_bubble import HintBubble
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.language import follow_language

_DELAY_MS = 300
"""After the latest change of the window: what is compared arrives in parts."""
_FOLLOWED = frozenset({QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide})


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint by a stable name. is_useful: there is something to explain; text: a gettext id."""

    name: str
    text: str
    anchor: QWidget
    is_useful: Callable[[], bool]


class Hints(QObject):
    """Shows the first hint that was not dismissed and whose control is visible.

    Nothing is shown before `start`: only the program calls it, so that pictures and tests have no hints.
    """

    def __init__(self, window: QWidget, preferences: Preferences) -> None:
        super().__init__(window)
        self.bubble = HintBubble(window)
        self._window = window
        self._hints: Sequence[Hint] = ()
        self._preferences = preferences
        self._is_started = False
        self._shown: Hint | None = None
        self._delay = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._delay.timeout.connect(self._show_next)
        self.bubble.dismissed.connect(self._dismiss)
        self.bubble.ended.connect(self._end)
        follow_language(self._retranslate)

    @property
    def current(self) -> str:
        """Name of the hint that is shown; empty if none is."""
        return self._shown.name if self._shown is not None else ""

    def use(self, hints: Sequence[Hint]) -> None:
        """Set the hints, in the order in which they are shown."""
        self._hints = hints

    def start(self) -> None:
        """Show hints from now on, unless the user has switched them off."""
        if not self._is_started:
            self._is_started = True
            for watched in (self._window, *(hint.anchor for hint in self._hints)):
                watched.installEventFilter(self)
        self.follow()

    def show_again(self) -> bool:
        """Show all hints again, also those that were dismissed; return whether one can be shown now."""
        self._preferences.dismissed_hints = frozenset()
        self._preferences.shows_hints = True
        self.start()
        self._show_next()
        return self._shown is not None

    def follow(self) -> None:
        """Show, move or hide the hint soon, as the window has changed."""
        if self._is_started:
            self._delay.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Follow the size and place of the controls; an Esc that no part takes dismisses the hint."""
        if event.type() in _FOLLOWED:
            self.follow()
        elif watched is self._window and self._is_unused_escape(event):
            self._dismiss()
            return True
        return super().eventFilter(watched, event)

    def _is_unused_escape(self, event: QEvent) -> bool:
        """Return whether Esc was pressed while a hint is shown; parts of the window get it first."""
        if event.type() is not QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        is_pressed = event.key() == Qt.Key.Key_Escape and not event.isAutoRepeat()
        return is_pressed and self._shown is not None

    def _show_next(self) -> None:
        before, self._shown = self._shown, None
        if not self._preferences.shows_hints:
            self.bubble.hide()
            return
        dismissed = self._preferences.dismissed_hints
        waiting = [hint for hint in self._hints if hint.name not in dismissed]
        number = len(self._hints) - len(waiting) + 1
        for hint in waiting:
            if hint.anchor.isVisible() and hint.is_useful() and self._show(hint, number):
                self._shown = hint
                if hint is not before:
                    words = _(hint.text)
                    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.bubble, words))
                return
        self.bubble.hide()

    def _show(self, hint: Hint, number: int) -> bool:
        """Show a hint; return False if the window has no space beside its control."""
        anchor = hint.anchor
        place = QRect(anchor.mapTo(self._window, QPoint(0, 0)), anchor.size())
        self.bubble.show_hint(_(hint.text), number, len(self._hints))
        return self.bubble.show_beside(place, self._window.rect())

    def _dismiss(self) -> None:
        if self._shown is not None:
            self._preferences.dismissed_hints |= {self._shown.name}
        self._leave()

    def _end(self) -> None:
        self._preferences.shows_hints = False
        self._leave()

    def _leave(self) -> None:
        """Show the next hint; the keyboard focus stays in the bubble, or goes back to what it explained."""
        focused, explained = self._window.focusWidget(), self._shown
        had_focus = focused is not None and self.bubble.isAncestorOf(focused)
        self._show_next()
        if not had_focus:
            return
        if self._shown is not None:
            self.bubble.next_button.setFocus(Qt.FocusReason.OtherFocusReason)
        elif explained is not None:
            explained.anchor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _retranslate(self) -> None:
        if self._shown is not None:
            self._show_next()

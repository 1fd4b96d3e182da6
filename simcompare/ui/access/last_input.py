"""What the user pressed last, a key or the pointer: only keys need the mark of the keyboard focus."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QWindow

from simcompare.ui.style.appearance import current_application

_OF_KEYS = frozenset({QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress})
"""A key that is a shortcut gives no key press."""
_OF_POINTER = frozenset({QEvent.Type.MouseButtonPress, QEvent.Type.TouchBegin, QEvent.Type.TabletPress})


class LastInput(QObject):
    """Follows the input of each window that gets the focus.

    Menus and pop-ups get no focus: a click in one counts like what opened it. Windows get the input before
    their widgets do; a filter of the application would be called for the events of all objects.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.was_key = False
        application = current_application()
        application.focusWindowChanged.connect(self._follow)
        self._follow(application.focusWindow())

    def _follow(self, window: QWindow | None) -> None:
        if window is not None:
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Remember a press, which goes on to the window."""
        if event.type() in _OF_KEYS:
            self.was_key = True
        elif event.type() in _OF_POINTER:
            self.was_key = False
        return super().eventFilter(watched, event)

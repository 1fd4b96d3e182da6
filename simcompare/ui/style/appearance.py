"""Current theme of the application, and a signal when it changes."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from simcompare.ui.style.theme import LIGHT, Theme


class Appearance(QObject):
    """Holds the theme. Widgets that only paint read it with `current_theme`: they are repainted anyway."""

    changed = Signal()
    """Also emitted when a style sheet has reset the palettes of widgets."""

    def __init__(self) -> None:
        super().__init__()
        self.theme = LIGHT

    def use(self, theme: Theme) -> None:
        """Switch to a theme."""
        self.theme = theme
        self.changed.emit()


APPEARANCE = Appearance()


def current_theme() -> Theme:
    """Theme in use."""
    return APPEARANCE.theme


def follow_theme(apply: Callable[[], None]) -> None:
    """Call a method now and after each change of theme.

    Pass a bound method of a QObject: Qt disconnects it when the object is deleted.
    """
    APPEARANCE.changed.connect(apply)
    apply()

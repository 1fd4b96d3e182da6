"""Current theme and text size of the application, and a signal when one of them changes."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from simcompare.ui.style.theme import LIGHT, Theme


class Appearance(QObject):
    """Holds theme and text size. Widgets that only paint read both when painting: all are repainted."""

    changed = Signal()
    """Also emitted when a style sheet has reset the palettes of widgets."""

    def __init__(self) -> None:
        super().__init__()
        self.theme = LIGHT
        self.text_scale = 1.0
        """Text size of the whole window; 1: the usual one."""

    def use(self, theme: Theme) -> None:
        """Switch to a theme."""
        self.theme = theme
        self.changed.emit()


APPEARANCE = Appearance()


def current_theme() -> Theme:
    """Theme in use."""
    return APPEARANCE.theme


def current_application() -> QApplication:
    """Return the application, which exists before the first widget."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application


def scaled(length_px: float) -> int:
    """Length in pixels at the text size in use, for one given at the usual size."""
    return round(length_px * APPEARANCE.text_scale)


def follow_theme(apply: Callable[[], None]) -> None:
    """Call a method now and after each change of theme or text size.

    Pass a bound method of a QObject: Qt disconnects it when the object is deleted.
    """
    APPEARANCE.changed.connect(apply)
    apply()

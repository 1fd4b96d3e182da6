"""Theme as a Qt palette and style sheet; some platforms ignore setColorScheme."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from string import Template

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from shiboken6 import isValid

from simcompare.support.resources import resource_path
from simcompare.ui.style.theme import APPEARANCE, FONT_FAMILIES, Theme

_STYLE = "fusion"  # as Qt writes it
_FONT_SIZE_POINTS = 10.0
_SIZES_POINTS = (10, 11, 11.5, 17)
_LENGTHS_PX = (5, 10, 12, 14, 19, 20, 24, 25, 26, 28)
"""Lengths that grow with the text: of check boxes, arrows, and the space for them."""
_ROLES = {
    "background": QPalette.ColorRole.Window,
    "surface": QPalette.ColorRole.Base,
    "raised": QPalette.ColorRole.AlternateBase,
    "ink": QPalette.ColorRole.WindowText,
    "muted": QPalette.ColorRole.PlaceholderText,
    "line": QPalette.ColorRole.Mid,
    "accent": QPalette.ColorRole.Highlight,
    "accent_ink": QPalette.ColorRole.HighlightedText,
    # roles that the Fusion style does not use
    "accent_tint": QPalette.ColorRole.Midlight,
    "edge": QPalette.ColorRole.LinkVisited,
    "danger": QPalette.ColorRole.BrightText,
}
"""Palette roles that carry the theme's colours: a changed style sheet would lay out every widget again."""


def prepare_application(application: QApplication) -> None:
    """Set the style and a font with Chinese characters in the text size in use.

    Existing widgets keep their font until the next style sheet, which every text size has of its own.
    """
    if application.style().name() != _STYLE:  # which restyles all widgets, even with the same style
        application.setStyle(_STYLE)
    font = application.font()
    font.setFamilies(list(FONT_FAMILIES))
    font.setPointSizeF(_FONT_SIZE_POINTS * APPEARANCE.text_scale)
    application.setFont(font)


def apply_theme_to_application(application: QApplication, theme: Theme) -> Sequence[QWidget]:
    """Apply the theme's palette, and the style sheet to each main window, whose children inherit it.

    Return the hidden widgets, usually the majority: polish them later with `polish_late`.
    """
    application.setPalette(_palette(theme))
    windows = application.topLevelWidgets()
    for window in windows:
        window.setProperty("theme", theme.name)
    changed = [use_sheet(window) for window in windows if isinstance(window, QMainWindow)]
    if any(changed):
        return []
    # polish each widget once; setting the same sheet again would do so once for each of its ancestors
    widgets = application.allWidgets()
    hidden = [widget for widget in widgets if not widget.isVisible()]
    _polish(widget for widget in widgets if widget.isVisible())
    for window in windows:
        window.update()
    return hidden


def use_sheet(window: QWidget) -> bool:
    """Set the style sheet for the text size in use on a window without a parent; True if it is another one.

    With a style sheet of the application, each widget that gets a parent would update all its children:
    making the parts of a window would take twice as long.
    """
    sheet = _sheet(APPEARANCE.text_scale)
    if window.styleSheet() == sheet:
        return False
    window.setStyleSheet(sheet)
    return True


def use_look(widget: QWidget, name: str) -> None:
    """Give a widget another name, and with it the look of that name in the style sheet."""
    if widget.objectName() != name:
        widget.setObjectName(name)
        widget.style().polish(widget)


def polish_late(widgets: Iterable[QWidget]) -> None:
    """Polish those of the widgets that still exist.

    This resets palettes set on them: set these again.
    """
    _polish(widget for widget in widgets if isValid(widget))


def _polish(widgets: Iterable[QWidget]) -> None:
    for widget in widgets:
        widget.style().polish(widget)


@cache
def _sheet(text_scale: float) -> str:
    colours = {name: f"palette({_css_name(role)})" for name, role in _ROLES.items()}
    drawings = {
        f"{name}_{theme}".replace("-", "_"): resource_path(
            "icons", "controls", f"{name}-{theme}.svg"
        ).as_posix()
        for name in ("check", "chevron", "chevron-up")
        for theme in ("light", "dark")
    }
    lengths = {f"px_{length}": f"{round(length * text_scale)}px" for length in _LENGTHS_PX}
    sizes = {f"text_{size}".replace(".", "_"): f"{size * text_scale:g}pt" for size in _SIZES_POINTS}
    radio_px, ring_px = round(14 * text_scale) + 2, round(5 * text_scale)
    radio = {"radio_dot": f"{radio_px - 2 * ring_px}px", "radio_radius": f"{radio_px // 2}px"}
    # Plain colours come only from the palette: a sheet that colours every QWidget would fix each widget's
    # palette at its first theme.
    sheet = Template(resource_path("window.qss").read_text("utf-8"))
    return sheet.substitute(colours, **drawings, **lengths, **sizes, **radio)


def _css_name(role: QPalette.ColorRole) -> str:
    """Name of a role in a style sheet: "window-text" for WindowText."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", role.name).lower()


def _palette(theme: Theme) -> QPalette:
    roles = {role: getattr(theme, name) for name, role in _ROLES.items()} | {
        QPalette.ColorRole.Text: theme.ink,
        QPalette.ColorRole.Button: theme.surface,
        QPalette.ColorRole.ButtonText: theme.ink,
        QPalette.ColorRole.ToolTipBase: theme.raised,
        QPalette.ColorRole.ToolTipText: theme.ink,
        QPalette.ColorRole.Link: theme.accent,
    }
    palette = QPalette()
    for role, colour in roles.items():
        palette.setColor(role, QColor(colour))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.muted))
    return palette

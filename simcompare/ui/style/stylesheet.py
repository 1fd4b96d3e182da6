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
# Plain colours come only from the palette: a sheet that colours every QWidget would fix each
# widget's palette at its first theme.
_SHEET = Template("""
QMainWindow, #central, #sidebar { background: $background; }
#pairHeader { background: $background; border-bottom: 1px solid $line; }
#toolbar, QStatusBar, QMenuBar { background: $surface; }
#toolbar { border-bottom: 1px solid $line; }
QStatusBar { border-top: 1px solid $line; padding: 0 12px; min-height: $px_26; }
QStatusBar::item { border: none; }
#sidebar { border-right: 1px solid $line; }
#muted { color: $muted; }
#danger { color: $danger; }
#divider { background: $line; }
#pairQuestion { background: $accent_tint; }
#pairName { font-weight: 600; font-size: $text_11_5; }
#share { font-weight: 600; font-size: $text_17; }
#share[words="true"] { font-weight: 400; font-size: $text_10; color: $muted; }
#panelTitle { font-weight: 600; font-size: $text_11; }
QPushButton#chip { background: $accent_tint; border: 1px solid $accent_tint; border-radius: 12px;
    padding: 2px 10px; }
QPushButton#chip:hover { border: 1px solid $accent; }
QPushButton#chip:focus { border: 2px solid $accent; padding: 1px 9px; }
QSpinBox { background: $surface; border: 1px solid $edge; border-radius: 6px; padding: 3px $px_20 3px 6px; }
QSpinBox:focus { border: 2px solid $accent; padding: 2px $px_19 2px 5px; }
QSpinBox::up-button, QSpinBox::down-button { subcontrol-origin: border; width: $px_20; border: none;
    margin: 2px 2px 0 0; border-radius: 4px; }
QSpinBox::up-button { subcontrol-position: top right; }
QSpinBox::down-button { subcontrol-position: bottom right; margin: 0 2px 2px 0; }
QSpinBox::up-button:hover, QSpinBox::down-button:hover { background: $accent_tint; }
QSpinBox::up-arrow { image: url("$chevron_up_light"); width: $px_10; height: $px_10; }
QSpinBox::down-arrow { image: url("$chevron_light"); width: $px_10; height: $px_10; }
#findBar { background: $surface; border-bottom: 1px solid $line; }
QPushButton#quiet, QToolButton#switch { color: $ink; background: $surface; border: 1px solid $line;
    border-radius: 6px; padding: 4px 8px; }
QToolButton#switch[dense="true"] { padding: 2px 4px; }
QPushButton#quiet:hover, QToolButton#switch:hover { background: $raised; border-color: $muted; }
QPushButton#quiet:pressed, QToolButton#switch:checked { background: $accent_tint; }
QPushButton#quiet:focus, QToolButton#switch:checked { border-color: $accent; }
QToolButton#switch[warns="true"]:checked { border-color: $danger; }
QToolButton#switch:focus, QToolButton#switch[warns="true"]:focus { border: 2px solid $accent;
    padding: 3px 7px; }
QToolButton#switch[dense="true"]:focus { padding: 1px 3px; }
QToolButton#switch[popupMode="1"], QToolButton#switch[dense="true"][popupMode="1"]:focus {
    padding-right: 24px; }
QToolButton#switch::menu-button { border: none; width: 20px; }
QPushButton#quiet:disabled, QToolButton#switch:disabled { color: $muted; }
QPushButton#quiet:disabled { border-style: dashed; }
QToolButton#smallMenu, QToolButton#smallMenuInUse, QToolButton#details { background: transparent;
    color: $muted; border: 1px solid transparent; border-radius: 4px; padding: 2px 18px 2px 4px; }
QToolButton#smallMenuInUse { background: $accent_tint; color: $accent; }
QToolButton#details { color: $ink; padding: 2px 4px; }
QToolButton#smallMenu:hover, QToolButton#smallMenuInUse:hover, QToolButton#details:hover {
    background: $accent_tint; }
QToolButton#smallMenu:focus, QToolButton#smallMenuInUse:focus, QToolButton#details:focus {
    border-color: $accent; }
QToolButton#smallMenu::menu-indicator, QToolButton#smallMenuInUse::menu-indicator {
    image: url("$chevron_light"); width: 12px; height: 12px;
    subcontrol-origin: padding; subcontrol-position: right center; right: 3px; }
QToolButton#step, QToolButton#offer { color: $ink; background: transparent; border: 2px solid transparent;
    border-radius: 6px; padding: 1px 3px; font-weight: 600; }
QToolButton#offer { color: $accent; background: $accent_tint; }
QToolButton#step:hover { background: $accent_tint; }
QToolButton#step:focus, QToolButton#offer:focus { border-color: $accent; }
QToolButton#quietButton { background: transparent; border: 2px solid transparent; border-radius: 6px;
    padding: 4px; }
QToolButton#quietButton:hover { background: $accent_tint; }
QToolButton#quietButton:focus { border: 2px solid $accent; }
#popup { background: $surface; border: 1px solid $line; }
#notePopup { background: $raised; border: 1px solid $muted; }
#notePopup QPlainTextEdit { background: $surface; border: 1px solid $line; border-radius: 6px; padding: 4px; }
#notePopup QPlainTextEdit:focus { border-color: $accent; }
#pairDetails { background: $surface; border: 1px solid $muted; }
#pairDetails ElidedName, QLabel#value { font-weight: 600; }
#notice { background: $accent_tint; border-bottom: 1px solid $line; }
#quietNotice { background: $raised; border-bottom: 1px solid $line; }
#writing { background: $accent_tint; border-top: 1px solid $line; }
#preview, #preview > QWidget { background: $background; }
#preview { border: 1px solid $line; }
#plainTable, #plainTable QHeaderView, #classTable QHeaderView { background: $surface; outline: none; }
#plainTable QHeaderView::section, #classTable QHeaderView::section { background: $surface; color: $muted;
    border: none; border-bottom: 1px solid $line; padding: 6px 11px; }
#classTable QHeaderView::section { padding: 6px 8px; }
#classTable QHeaderView::section:first { padding-left: 16px; }
#classTable QHeaderView::section:hover { background: $accent_tint; color: $ink; }
#plainTable::item { border-bottom: 1px solid $line; padding: 0 8px; }
#plainTable::item:selected { background: $accent_tint; color: $ink; }
#plainTable::indicator { width: $px_14; height: $px_14; background: $surface; border: 1px solid $muted;
    border-radius: 3px; }
#plainTable::indicator:checked { background: $accent; border: 1px solid $accent; image: url("$check_light"); }
#plainTable::indicator:disabled { border: 1px solid $line; }
#plainTable QLineEdit { border-radius: 0; padding: 0 6px; }
#manualPages { background: $background; outline: none; padding: 4px; }
#manualPages::item { padding: 6px 10px; border-radius: 6px; }
#manualPages::item:hover, #manualPages::item:selected { background: $accent_tint; color: $ink; }
#manualPages::item:focus { border: 1px solid $accent; }
QMenuBar::item { padding: 4px 6px; background: transparent; border-radius: 4px; }
QMenuBar::item:selected, QMenu::item:selected { background: $accent_tint; }
QMenu { background: $surface; border: 1px solid $line; padding: 4px; menu-scrollable: 1; }
QMenu::item { padding: 5px $px_28 5px $px_24; border-radius: 4px; }
QMenu::item:disabled { color: $muted; }
QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }
QPushButton, QToolButton#barButton {
    background: $surface; border: 1px solid $line; border-radius: 6px; padding: 5px 12px;
}
QPushButton:hover, QToolButton#barButton:hover { background: $accent_tint; }
QPushButton:focus, QToolButton#barButton:focus { border: 2px solid $accent; padding: 4px 11px; }
QToolButton#barButton[popupMode="2"]:focus { padding-right: $px_25; }
QPushButton#statusLink { background: transparent; border: 2px solid transparent; color: $accent;
    padding: 0 4px; min-height: $px_20; }
QPushButton#statusLink:hover { background: $accent_tint; }
QPushButton#statusLink:focus { border: 2px solid $accent; }
QPushButton:disabled, QToolButton#barButton:disabled { color: $muted; background: transparent; }
QToolButton#barButton[popupMode="2"] { padding-right: $px_26; }
QToolButton#barButton::menu-indicator { image: url("$chevron_light"); width: $px_12; height: $px_12;
    subcontrol-origin: padding; subcontrol-position: right center; right: 9px; }
QPushButton#primary, QToolButton#primary {
    background: $accent; color: $accent_ink; border: 1px solid $accent;
    border-radius: 6px; padding: 5px 14px; font-weight: 600;
}
QPushButton#primary:hover, QToolButton#primary:hover { border: 1px solid $ink; }
QPushButton#primary:focus, QToolButton#primary:focus { border: 5px double $accent_ink; padding: 1px 10px; }
QPushButton#primary:disabled { background: transparent; border: 1px solid $line; color: $muted; }
#dropPlace { background: $surface; border: 2px dashed $line; border-radius: 12px; }
QPushButton#startRow { background: transparent; border: 2px solid transparent; padding: 0; }
QPushButton#startRow:hover { background: $accent_tint; }
QPushButton#startRow:focus { border: 2px solid $accent; padding: 0; }
#startRowTitle { color: $accent; }
#startRowTitle:disabled { color: $muted; }
#pageSwitch { background: $surface; }
QPushButton#switchLeft, QPushButton#switchMiddle, QPushButton#switchRight { padding: 4px 10px;
    color: $muted; }
QPushButton#switchLeft { border-top-right-radius: 0; border-bottom-right-radius: 0; }
QPushButton#switchMiddle { border-radius: 0; border-left: none; }
QPushButton#switchRight { border-top-left-radius: 0; border-bottom-left-radius: 0; border-left: none; }
QPushButton#switchLeft:checked, QPushButton#switchMiddle:checked, QPushButton#switchRight:checked {
    background: $accent_tint; color: $ink; font-weight: 600; }
QPushButton#switchMiddle:focus, QPushButton#switchRight:focus { border: 1px solid $accent; }
QLineEdit { background: $surface; border: 1px solid $edge; border-radius: 6px; padding: 5px 8px; }
QLineEdit:focus { border: 2px solid $accent; padding: 4px 7px; }
QSpinBox QLineEdit, QSpinBox QLineEdit:focus { background: transparent; border: none; padding: 0 4px; }
QCheckBox { spacing: 8px; min-height: $px_20; padding: 0 4px 0 2px; border: 2px solid transparent;
    border-radius: 6px; }
QCheckBox:focus { border: 2px solid $accent; }
QCheckBox::indicator { width: $px_14; height: $px_14; background: $surface; border: 1px solid $muted;
    border-radius: 3px; }
QCheckBox::indicator:checked { background: $accent; border: 1px solid $accent; image: url("$check_light"); }
QRadioButton { spacing: 8px; padding: 2px 4px; border: 2px solid transparent; border-radius: 6px; }
QRadioButton:focus { border: 2px solid $accent; }
QRadioButton::indicator { width: $px_14; height: $px_14; background: $surface; border: 1px solid $muted;
    border-radius: $radio_radius; }
QRadioButton::indicator:checked { width: $radio_dot; height: $radio_dot; background: $accent_ink;
    border: $px_5 solid $accent; border-radius: $radio_radius; }
QComboBox { background: $surface; border: 1px solid $edge; border-radius: 6px; padding: 4px 10px;
    combobox-popup: 0; }
QComboBox:focus { border: 2px solid $accent; padding: 4px 9px; }
QComboBox::drop-down { border: none; width: $px_24; }
QComboBox::down-arrow { image: url("$chevron_light"); width: $px_12; height: $px_12; }
QComboBox QAbstractItemView { background: $surface; border: 1px solid $line; outline: none; }
QComboBox QAbstractItemView::item { padding: 4px 8px; min-height: 20px; }
QComboBox QAbstractItemView::item:selected { background: $accent_tint; color: $ink; }
QAbstractScrollArea { background: $surface; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $edge; border-radius: 4px; margin: 1px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: $ink; }
QScrollBar#slim { margin: 2px; }
QScrollBar#slim::handle { border-radius: 3px; }
QScrollBar#slim::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: $line; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QSplitter::handle:hover { background: $accent; }
QSplitter#panes::handle { background: $surface; }
QSplitter#panes::handle:hover { background: $accent_tint; }
QToolTip { background: $raised; color: $ink; border: 1px solid $line; padding: 6px; }
QSlider { min-height: 24px; background: transparent; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: $edge; }
QSlider::sub-page:horizontal { height: 4px; border-radius: 2px; background: $accent; }
QSlider::handle:horizontal { width: 12px; height: 12px; margin: -6px 0; border-radius: 8px;
    border: 2px solid $accent; background: $surface; }
QSlider::handle:horizontal:hover { background: $accent_tint; }
QSlider::handle:horizontal:focus { background: $accent; }
QSlider::handle:horizontal:disabled { border-color: $muted; }
QSlider::sub-page:horizontal:disabled { background: $muted; }
QProgressBar { background: $line; border: none; border-radius: 3px; }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QMainWindow[theme="dark"] QToolButton#smallMenu::menu-indicator,
QMainWindow[theme="dark"] QToolButton#smallMenuInUse::menu-indicator,
QMainWindow[theme="dark"] QToolButton#barButton::menu-indicator { image: url("$chevron_dark"); }
QMainWindow[theme="dark"] QCheckBox::indicator:checked { image: url("$check_dark"); }
QMainWindow[theme="dark"] #plainTable::indicator:checked { image: url("$check_dark"); }
QMainWindow[theme="dark"] QComboBox::down-arrow { image: url("$chevron_dark"); }
QMainWindow[theme="dark"] QSpinBox::up-arrow { image: url("$chevron_up_dark"); }
QMainWindow[theme="dark"] QSpinBox::down-arrow { image: url("$chevron_dark"); }
""")


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
    return _SHEET.substitute(colours, **drawings, **lengths, **sizes, **radio)


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

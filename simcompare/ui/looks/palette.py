"""Colours of the widgets that stand on the theme's surface."""

from PySide6.QtGui import QColor, QPalette

from simcompare.ui.looks.theme import Theme

_Role = QPalette.ColorRole


def surface_palette(theme: Theme) -> QPalette:
    """Return a palette whose paper is the theme's surface, and whose selection is the accent."""
    palette = QPalette()
    colours = {
        _Role.Window: theme.surface,
        _Role.Base: theme.surface,
        _Role.WindowText: theme.ink,
        _Role.Text: theme.ink,
        _Role.PlaceholderText: theme.muted,
        _Role.Highlight: theme.accent,
        _Role.HighlightedText: theme.accent_ink,
    }
    for role, colour in colours.items():
        palette.setColor(role, QColor(colour))
    return palette


def muted_palette(theme: Theme) -> QPalette:
    """Return the same palette with quiet text, for labels."""
    palette = surface_palette(theme)
    palette.setColor(_Role.WindowText, QColor(theme.muted))
    return palette


def slim_scroll_bar(theme: Theme) -> str:
    """Return the style sheet of a thin upright scroll bar without buttons, like the overview of a text."""
    return f"""
        QScrollBar:vertical {{ background: transparent; width: 10px; margin: 2px; border: none; }}
        QScrollBar::handle:vertical {{ background: {theme.line}; min-height: 24px; border-radius: 3px; }}
        QScrollBar::handle:vertical:hover {{ background: {theme.muted}; }}
        QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; }}
        QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    """

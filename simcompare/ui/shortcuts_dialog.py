"""The list of all shortcuts, taken from the commands themselves."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QMainWindow, QMenu, QPushButton, QTextBrowser, QVBoxLayout

from simcompare.i18n import N_, _
from simcompare.ui.looks.theme import GRID_PX, Theme

_SIZE_PX = (520, 620)
Row = tuple[str, str]
"""Keys, and what they do."""

_HEATMAP_KEYS = (
    (N_("Arrow keys"), N_("Go to the next cell")),
    (N_("Ctrl + arrow keys"), N_("Go to the next match in that direction")),
    ("+   −", N_("Zoom in and out")),
    ("0", N_("Show the whole matrix")),
    (N_("Wheel, drag"), N_("Zoom, move")),
)


class ShortcutsDialog(QDialog):
    """Shows every shortcut of a window's menus and of its views; Esc closes it."""

    def __init__(self, window: QMainWindow, theme: Theme) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Shortcuts"))
        self.resize(*_SIZE_PX)
        self.page = QTextBrowser()
        self.page.setAccessibleName(_("Shortcuts"))
        self.page.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.page.setHtml(_page(_groups(window), theme))
        close = QPushButton(_("Close"))
        close.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[4 * GRID_PX] * 4)
        column.setSpacing(3 * GRID_PX)
        column.addWidget(self.page, 1)
        column.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)


def _groups(window: QMainWindow) -> list[tuple[str, list[Row]]]:
    """Return the shortcuts of each menu, then those of the views and the keys that are no commands."""
    menus = window.menuBar().actions()
    from_menus = [(_plain(menu.text()), _rows_of(_actions_under(menu))) for menu in menus]
    told = {row for _title, rows in from_menus for row in rows}
    in_views = _rows_of([each for each in window.findChildren(QAction) if each.isVisible()])
    of_views = [
        (_("In the texts and lists"), [row for row in dict.fromkeys(in_views) if row not in told]),
        (_("In the heatmap"), [(_(keys), _(text)) for keys, text in _HEATMAP_KEYS]),
    ]
    return [(title, rows) for title, rows in (*from_menus, *of_views) if rows]


def _actions_under(action: QAction) -> list[QAction]:
    menu = action.menu()
    if not isinstance(menu, QMenu):
        return [action]
    return [found for entry in menu.actions() for found in _actions_under(entry)]


def _rows_of(actions: Sequence[QAction]) -> list[Row]:
    """Return keys and text of each command that has both."""
    rows = [(_keys(action.shortcut()), _plain(action.text()).rstrip("…")) for action in actions]
    return [(keys, text) for keys, text in rows if keys and text]


def _keys(shortcut: QKeySequence) -> str:
    return shortcut.toString(QKeySequence.SequenceFormat.NativeText)


def _plain(text: str) -> str:
    """Return the text of a menu without its mnemonic: “文件(&F)” is “文件”."""
    before, mark, after = text.partition("(&")
    return before if mark and after.endswith(")") else text.replace("&", "")


def _page(groups: Sequence[tuple[str, Sequence[Row]]], theme: Theme) -> str:
    tables = "".join(
        f"<h3>{escape(title)}</h3><table width='100%' cellpadding='4'>"
        + "".join(_row(keys, text, theme) for keys, text in rows)
        + "</table>"
        for title, rows in groups
    )
    return f"<style>h3 {{ color: {theme.ink}; margin-top: 12px; }}</style>{tables}"


def _row(keys: str, text: str, theme: Theme) -> str:
    return (
        f"<tr><td width='38%' style='color:{theme.muted}'>{escape(keys)}</td>"
        f"<td style='color:{theme.ink}'>{escape(text)}</td></tr>"
    )

"""Commands of the window: texts, shortcuts, functions and letters, for menus and tool bar."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMenuBar,
    QPushButton,
    QTextBrowser,
    QWidget,
)

from simcompare.support.i18n import LANGUAGES, N_, _, current_language
from simcompare.ui.state.language import Key, NamedAction, translated
from simcompare.ui.style.dialogs import Dialog
from simcompare.ui.style.layouts import ENTER_KEYS, FocusFrame, column_of, row_of
from simcompare.ui.style.theme import GRID_PX, Theme, current_theme


def leads_on(event: QKeyEvent) -> bool:
    """Return whether a key is an Enter for the page: fields and buttons hand on one they do not use."""
    is_other = isinstance(QApplication.focusWidget(), (QLineEdit, QAbstractSpinBox, QAbstractButton))
    return event.key() in ENTER_KEYS and not is_other


def without_mnemonic(text: str) -> str:
    """Text of a menu without its mnemonic: “文件(&F)” is “文件”."""
    before, mark, after = text.partition("(&")
    return before if mark and after.endswith(")") else text.replace("&", "")


def assign_mnemonics(menu: QMenu) -> None:
    """Give each entry of an English menu a letter of its own; Chinese texts have no letters to underline.

    Call it whenever the menu is opened, as entries of several parts of the window change their texts.
    """
    if current_language() != "en":
        return
    taken: set[str] = set()
    for action in menu.actions():
        text = _unmarked(action.text())
        place = _place_of_letter(text, taken)
        if place is not None:
            taken.add(text[place].casefold())
            text = f"{text[:place]}&{text[place:]}"
        if text != action.text():
            action.setText(text)


def _unmarked(text: str) -> str:
    """Remove the mark of a mnemonic, but not "&&", which is shown as "&"."""
    return "&&".join(part.replace("&", "") for part in text.split("&&"))


def _place_of_letter(text: str, taken: set[str]) -> int | None:
    """Index of the first letter of a word, or else of any letter, that no other entry has."""
    letters = [place for place, letter in enumerate(text) if letter.isascii() and letter.isalpha()]
    starts = [place for place in letters if place == 0 or text[place - 1] == " "]
    free = (place for place in (*starts, *letters) if text[place].casefold() not in taken)
    return next(free, None)


class Command(NamedAction):
    """One command of the menus, which own it. `text` is marked with N_ and translated when it is shown.

    role: place in the menu of the program on macOS. reach: where the shortcut works.
    """

    def __init__(
        self,
        name: str,
        text: str,
        keys: Key | tuple[Key, ...],
        run: Callable[[], object],
        role: QAction.MenuRole = QAction.MenuRole.NoRole,
        reach: Qt.ShortcutContext = Qt.ShortcutContext.WindowShortcut,
    ) -> None:
        super().__init__(text, None, run, *(keys if isinstance(keys, tuple) else [keys]), objectName=name)
        self.setShortcutContext(reach)
        self.setMenuRole(role)


@dataclass(frozen=True, slots=True)
class Choice:
    """Group of commands of which one is active: (value, text) pairs and a function to choose one."""

    name: str
    text: str
    options: tuple[tuple[str, str], ...]
    choose: Callable[[str], object]


@dataclass(frozen=True, slots=True)
class CommandGroup:
    text: str
    commands: tuple[Command, ...]


MenuEntry = CommandGroup | Choice | QAction | None
LANGUAGE_OPTIONS = tuple((code, language.name) for code, language in LANGUAGES.items())
THEME_OPTIONS = (("system", N_("As the system")), ("light", N_("Light")), ("dark", N_("Dark")))


class Commands(QObject):
    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.actions: dict[str, QAction] = {}

    def add_menu(self, bar: QMenuBar, text: str) -> QMenu:
        menu = translated(QMenu(bar), title=text)
        bar.addMenu(menu)
        menu.setToolTipsVisible(True)
        menu.aboutToShow.connect(partial(assign_mnemonics, menu))
        return menu

    def fill_menu(self, menu: QMenu, entries: Sequence[MenuEntry]) -> None:
        """Add entries; None is a separator, a QAction belongs to another part of the window."""
        for entry in entries:
            if entry is None:
                menu.addSeparator()
            elif isinstance(entry, QAction):
                menu.addAction(entry)
                if isinstance(entry, Command):
                    entry.setParent(self._window)
                    self.actions[entry.objectName()] = entry
            elif isinstance(entry, CommandGroup):
                group = translated(QMenu(menu), title=entry.text)
                menu.addMenu(group)
                self.fill_menu(group, entry.commands)
            else:
                self._add_choice(menu, entry)

    def _add_choice(self, menu: QMenu, choice: Choice) -> None:
        sub_menu = translated(QMenu(menu), title=choice.text)
        menu.addMenu(sub_menu)
        group = QActionGroup(self._window)
        for value, text in choice.options:
            action = NamedAction(text, self._window, partial(choice.choose, value), checkable=True)
            group.addAction(action)
            sub_menu.addAction(action)
            self.actions[f"{choice.name}:{value}"] = action

    def check(self, name: str, value: str) -> None:
        action = self.actions.get(f"{name}:{value}")
        if action is not None:
            action.setChecked(True)


_SIZE_PX = (520, 620)
Row = tuple[str, str]
"""Keys and text."""

_HEATMAP_KEYS = (
    (N_("Arrow keys"), N_("Go to the next cell")),
    (N_("Shift + arrow keys"), N_("Go to the next match in that direction")),
    ("+   −", N_("Zoom in and out")),
    ("0", N_("Show the whole matrix")),
    (N_("Wheel, drag"), N_("Zoom, move")),
)


class ShortcutsDialog(Dialog):
    """Shows every shortcut of the menus and views of a window; Esc closes it."""

    def __init__(self, window: QMainWindow, menus: QMenuBar) -> None:
        super().__init__(_("Shortcuts"), window)
        self.resize(*_SIZE_PX)
        self.page = QTextBrowser()
        self.page.setAccessibleName(_("Shortcuts"))
        self.page.setFrameShape(QTextBrowser.Shape.NoFrame)
        FocusFrame(self.page)
        self.page.document().setDocumentMargin(3 * GRID_PX)
        self.page.setHtml(_page(_groups(window, menus), current_theme()))
        close = QPushButton(_("Close"))
        close.clicked.connect(self.accept)
        parts = ((self.page, 1), row_of(None, None, close))
        column_of(self, *parts, spacing_px=3 * GRID_PX, margins_px=4 * GRID_PX)


def _groups(window: QMainWindow, menus: QMenuBar) -> list[tuple[str, list[Row]]]:
    """Shortcuts by menu, then those of views and of plain keys."""
    from_menus = [(without_mnemonic(menu.text()), _rows_of(_actions_under(menu))) for menu in menus.actions()]
    in_menus = {row for _title, rows in from_menus for row in rows}
    in_views = _rows_of([each for each in window.findChildren(QAction) if each.isVisible()])
    of_views = [
        (_("In the texts and lists"), [row for row in dict.fromkeys(in_views) if row not in in_menus]),
        (_("In the heatmap"), [(_(keys), _(text)) for keys, text in _HEATMAP_KEYS]),
    ]
    return [(title, rows) for title, rows in (*from_menus, *of_views) if rows]


def _actions_under(action: QAction) -> list[QAction]:
    # with action.menu() of PySide6 6.9, the menu is taken for deleted as soon as `action` is
    menu = QMenu.menuInAction(action)
    if not menu:
        return [action]
    return [found for entry in menu.actions() for found in _actions_under(entry)]


def _rows_of(actions: Sequence[QAction]) -> list[Row]:
    """First key and text of each command that has both."""
    rows = [(_key(action.shortcut()), without_mnemonic(action.iconText()).rstrip("…")) for action in actions]
    return [(key, text) for key, text in rows if key and text]


def _key(shortcut: QKeySequence) -> str:
    return shortcut.toString(QKeySequence.SequenceFormat.NativeText)


def _page(groups: Sequence[tuple[str, Sequence[Row]]], theme: Theme) -> str:
    tables = "".join(
        f"<h3>{escape(title)}</h3><table width='100%' cellpadding='4' style='margin-left: -4px'>"
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


def key_of(event: QKeyEvent) -> Qt.Key:
    """Return the key of an event; unknown for one without a name in Qt, such as a Cyrillic letter."""
    try:
        return Qt.Key(event.key())
    except ValueError:
        return Qt.Key.Key_unknown

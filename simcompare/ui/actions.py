"""The commands of the window: their texts, shortcuts and what they do, for menus and tool bar."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from simcompare.i18n import LANGUAGES, N_, _

Shortcut = QKeySequence.StandardKey | str | None


@dataclass(frozen=True, slots=True)
class Command:
    """One command. `text` is marked with N_ and translated when it is shown."""

    name: str
    text: str
    shortcut: Shortcut
    run: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Choice:
    """A group of commands of which one is in force: (value, text) pairs and what choosing one does."""

    name: str
    text: str
    options: tuple[tuple[str, str], ...]
    choose: Callable[[str], object]


LANGUAGE_OPTIONS = tuple(LANGUAGES.items())
THEME_OPTIONS = (("system", N_("As the system")), ("light", N_("Light")), ("dark", N_("Dark")))


class Commands:
    """All actions of the window by name; texts follow the language."""

    def __init__(self, window: QWidget) -> None:
        self._window = window
        self.actions: dict[str, QAction] = {}
        self._texts: list[tuple[QAction | QMenu, str]] = []

    def add_menu(self, bar: QMenuBar, text: str, entries: list[Command | Choice | QAction | None]) -> QMenu:
        """Add a menu; None stands for a separating line, an action belongs to another part of the window."""
        menu = bar.addMenu("")
        self._texts.append((menu, text))
        for entry in entries:
            if entry is None:
                menu.addSeparator()
            elif isinstance(entry, QAction):
                menu.addAction(entry)
            elif isinstance(entry, Command):
                menu.addAction(self._action(entry))
            else:
                self._add_choice(menu, entry)
        return menu

    def _action(self, command: Command) -> QAction:
        action = QAction(self._window)
        if command.shortcut is not None:
            action.setShortcut(QKeySequence(command.shortcut))
        action.triggered.connect(lambda _checked=False: command.run())
        self.actions[command.name] = action
        self._texts.append((action, command.text))
        return action

    def _add_choice(self, menu: QMenu, choice: Choice) -> None:
        sub_menu = menu.addMenu("")
        self._texts.append((sub_menu, choice.text))
        group = QActionGroup(self._window)
        for value, text in choice.options:
            action = QAction(self._window)
            action.setCheckable(True)
            action.triggered.connect(lambda _checked=False, value=value: choice.choose(value))
            group.addAction(action)
            sub_menu.addAction(action)
            self.actions[f"{choice.name}:{value}"] = action
            self._texts.append((action, text))

    def check(self, name: str, value: str) -> None:
        """Tick the option of a choice that is in force."""
        action = self.actions.get(f"{name}:{value}")
        if action is not None:
            action.setChecked(True)

    def retranslate(self) -> None:
        """Show all texts in the current language."""
        for item, text in self._texts:
            if isinstance(item, QMenu):
                item.setTitle(_(text))
            else:
                item.setText(_(text))

"""Tool bar button for the method of comparison: stages, synonyms, own words, fingerprints."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QMouseEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from simcompare.model.errors import FileError
from simcompare.model.settings import ComparisonSettings
from simcompare.report.wording import RECIPE_NAMES, named, user_words_in_words
from simcompare.support.i18n import N_, _
from simcompare.text.thesaurus import CILIN, NONE, STARTER
from simcompare.text.user_words import read_user_words
from simcompare.ui.desktop.file_dialogs import ask_for_thesaurus, ask_for_words
from simcompare.ui.state.changes import SettingsPart
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.workspace import Workspace

# ruff: noqa: N802 - Qt names the methods it calls


_Value = TypeVar("_Value")


class KeepOpenMenu(QMenu):
    """Stays open while entries are ticked with the mouse, so that their effect is seen at once."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tick an entry; any other closes the menu."""
        action = self.actionAt(event.position().toPoint())
        if action is not None and action.isCheckable() and action.isEnabled():
            action.trigger()
        else:
            super().mouseReleaseEvent(event)


class SettingsButton(QToolButton):
    """Tool bar button whose menu changes settings of a workspace."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.setObjectName("barButton")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setMenu(KeepOpenMenu(self))

    def _tick(self, menu: QMenu, switch: Callable[[bool], None]) -> QAction:
        """Add an entry with a tick."""
        action = QAction(self)
        action.setCheckable(True)
        action.triggered.connect(switch)
        menu.addAction(action)
        return action

    def _choices(
        self, menu: QMenu, values: Iterable[_Value], choose: Callable[[_Value], None]
    ) -> dict[_Value, QAction]:
        """Add entries of which one is ticked."""
        group = QActionGroup(self)
        actions = {}
        for value in values:

            def take(_ticked: bool, value: _Value = value) -> None:
                choose(value)

            actions[value] = self._tick(menu, take)
            group.addAction(actions[value])
        return actions


_FILE = "file"
_THESAURI = {
    STARTER: N_("Starter list"),
    CILIN: N_("Cilin (optional package)"),
    _FILE: N_("From a file…"),
    NONE: N_("None"),
}


class MethodButton(SettingsButton):
    """Its menu switches the stages of the comparison and chooses thesaurus and fingerprint recipe."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, parent)
        menu = self.menu()
        self.word_stage = self._tick(menu, lambda on: self._change(word_stage=on))
        self._thesaurus_menu = menu.addMenu("")
        self.thesauri = self._choices(self._thesaurus_menu, _THESAURI, self._choose_thesaurus)
        self._words_menu = menu.addMenu("")
        self.words = self._choices(self._words_menu, (_FILE, NONE), self._choose_words)
        menu.addSeparator()
        self.passages = self._tick(
            menu, lambda on: self._change(passages=ComparisonSettings().passages if on else None)
        )
        menu.addSeparator()
        self._recipe_menu = menu.addMenu("")
        self.recipes = self._choices(self._recipe_menu, RECIPE_NAMES, workspace.choose_recipe)
        workspace.settings_changed.connect(self._follow)
        workspace.recipe_refused.connect(self._show)
        follow_language(self._retranslate)

    # --- choices

    def _choose_thesaurus(self, source: str) -> None:
        if source == _FILE:
            self._show()
            ask_for_thesaurus(self.window()).fileSelected.connect(self.use_thesaurus)
            return
        self.use_thesaurus(source)

    def use_thesaurus(self, source: str) -> None:
        """Use a thesaurus, by name or path."""
        self._change(thesaurus=source)

    def _choose_words(self, source: str) -> None:
        if source == NONE:
            self._change(user_words=None)
            return
        self._show()
        ask_for_words(self.window()).fileSelected.connect(self.use_words)

    def use_words(self, file: str) -> None:
        """Use the words of a file besides those of jieba."""
        try:
            words = read_user_words(Path(file))
        except FileError as error:
            self._workspace.warn("words", str(error))
        else:
            self._workspace.settle("words")
            self._change(user_words=words)

    def _change(self, **changed: Any) -> None:
        self._workspace.set_settings(replace(self._workspace.settings, **changed))

    # --- contents

    def _follow(self, changed: SettingsPart) -> None:
        if SettingsPart.METHOD in changed:
            self._show()

    def _show(self) -> None:
        settings = self._workspace.settings
        self.word_stage.setChecked(settings.word_stage)
        self.passages.setChecked(settings.passages is not None)
        self._thesaurus_menu.setEnabled(settings.word_stage)
        known = settings.thesaurus if settings.thesaurus in self.thesauri else _FILE
        self.thesauri[known].setChecked(True)
        self.recipes[settings.recipe].setChecked(True)
        own, title = settings.user_words, _("Own words")
        self.words[NONE if own is None else _FILE].setChecked(True)
        self._words_menu.setTitle(title if own is None else named(title, user_words_in_words(own)))

    def _retranslate(self) -> None:
        self.setText(_("Method"))
        tip = _("How sentences are compared: rewording and synonyms, passages, fingerprints")
        self.setToolTip(tip)
        self.setAccessibleDescription(tip)
        self.word_stage.setText(_("Find reworded sentences by their words"))
        self._thesaurus_menu.setTitle(_("Thesaurus"))
        self.passages.setText(_("Find passages that were reworded, reordered or summarised"))
        self._recipe_menu.setTitle(_("Fingerprint"))
        for actions in (self.thesauri, self.words, self.recipes):
            for name, action in actions.items():
                action.setText(_((_THESAURI | RECIPE_NAMES)[name]))
        self._show()

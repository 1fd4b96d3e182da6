"""Commands of the Compare menu: steps to passages and their sentences, swap sides, compare again."""

from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from simcompare.support.i18n import N_
from simcompare.ui.actions import Command, Commands
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.window_pages import Pages


class CompareCommands(QObject):
    """Commands on the two texts; those that need them visible are disabled otherwise."""

    def __init__(self, workspace: Workspace, pages: Pages) -> None:
        super().__init__(pages)
        self._workspace = workspace
        self._pages = pages
        self._actions: dict[str, QAction] = {}
        selection = workspace.selection
        further, back = (partial(selection.step_match, step) for step in (1, -1))
        self.steps = [
            Command("next", N_("Next passage"), "N", lambda: selection.step_passage(1)),
            Command("previous", N_("Previous passage"), "P", lambda: selection.step_passage(-1)),
            Command("further", N_("Next sentence pair in the passage"), ("Shift+N", "Alt+Down"), further),
            Command("back", N_("Previous sentence pair in the passage"), ("Shift+P", "Alt+Up"), back),
        ]
        self.sides = [
            Command("swap", N_("Swap sides"), "Ctrl+T", workspace.documents.swap),
            Command("again", N_("Compare again"), "F5", workspace.compare_again),
        ]

    def enable(self, commands: Commands) -> None:
        self._actions = commands.actions
        for signal in (
            self._pages.changed,
            self._workspace.comparison_changed,
            self._workspace.documents_changed,
            self._workspace.selection.listed_changed,
            self._workspace.selection.changed,
        ):
            signal.connect(self._enable)
        self._enable()

    def _enable(self) -> None:
        seen = self._pages.shows_compare
        selection = self._workspace.selection
        listed = seen and len(selection.listed) > 0
        inside = seen and (selection.can_step_match(1) or selection.can_step_match(-1))
        for name in ("next", "previous"):
            self._actions[name].setEnabled(listed)
        for name in ("further", "back"):
            self._actions[name].setEnabled(inside)
        paired = len(self._workspace.documents.sides) == 2
        self._actions["swap"].setEnabled(paired and seen)
        self._actions["again"].setEnabled(paired)

"""Commands of the Compare menu: previous and next match, swap sides, compare again."""

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
        self.steps = [
            Command("next", N_("Next match"), "N", lambda: selection.step_passage(1)),
            Command("previous", N_("Previous match"), "P", lambda: selection.step_passage(-1)),
        ]
        self.sides = [
            Command("swap", N_("Swap sides"), "Ctrl+T", workspace.documents.swap),
            Command("again", N_("Compare again"), "F5", workspace.compare_again),
        ]

    def enable(self, commands: Commands) -> None:
        """Keep the commands enabled or disabled from now on."""
        self._actions = commands.actions
        for signal in (
            self._pages.changed,
            self._workspace.comparison_changed,
            self._workspace.documents_changed,
            self._workspace.selection.listed_changed,
        ):
            signal.connect(self._enable)
        self._enable()

    def _enable(self) -> None:
        seen = self._pages.shows_compare
        matched = seen and len(self._workspace.selection.listed) > 0
        for name in ("next", "previous"):
            self._actions[name].setEnabled(matched)
        paired = len(self._workspace.documents.sides) == 2
        self._actions["swap"].setEnabled(paired and seen)
        self._actions["again"].setEnabled(paired)

"""Actions of the menus Edit and Compare that act on what the window shows."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence, QUndoCommand, QUndoStack

from simcompare.comparison.passages.passage_words import has_changes
from simcompare.support.i18n import N_, _
from simcompare.ui.actions import Command, Commands
from simcompare.ui.compare.compare_view import CompareView
from simcompare.ui.state.changes import step_label
from simcompare.ui.state.language import follow_language
from simcompare.ui.state.workspace import Workspace
from simcompare.ui.window_pages import Pages


class UndoActions(QObject):
    """Undo and redo actions of an undo stack, with the names of the steps; `say` tells what was done."""

    def __init__(self, history: QUndoStack, say: Callable[[str], object], parent: QObject) -> None:
        super().__init__(parent)
        self._history, self._say = history, say
        self._shown: list[tuple[QUndoCommand | None, str]] = []
        self._undo, self._redo = QAction(self), QAction(self)
        self._undo.setShortcuts(QKeySequence.StandardKey.Undo)
        self._redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        for action, able in ((self._undo, history.canUndoChanged), (self._redo, history.canRedoChanged)):
            action.setEnabled(False)
            able.connect(action.setEnabled)
        self._undo.triggered.connect(lambda: self._step(history.undo, -1, N_("Undone: {step}")))
        self._redo.triggered.connect(lambda: self._step(history.redo, 0, N_("Done again: {step}")))
        history.indexChanged.connect(self._show_steps)
        follow_language(self._retranslate)

    @property
    def entries(self) -> list[QAction]:
        return [self._undo, self._redo]

    def _step(self, act: Callable[[], object], offset: int, words: str) -> None:
        step = step_label(self._history, self._history.index() + offset)
        act()
        self._say(_(words).format(step=step))  # after what the views say of it

    def _retranslate(self) -> None:
        self._shown = []
        self._show_steps()

    def _show_steps(self) -> None:
        """Name the steps, unless they are the same as before, as while a slider is moved."""
        places = self._history.index() - 1, self._history.index()
        commands = (self._history.command(place) if place >= 0 else None for place in places)
        steps = [(command, command.text() if command else "") for command in commands]
        if steps == self._shown:
            return
        self._shown = steps
        undone, redone = (step_label(self._history, place) for place in places)
        self._undo.setText(_("Undo: {step}").format(step=undone) if undone else _("Undo"))
        self._redo.setText(_("Redo: {step}").format(step=redone) if redone else _("Redo"))
        self._undo.setIconText(_("Undo"))  # also the names in the list of shortcuts
        self._redo.setIconText(_("Redo"))


class CompareCommands(QObject):
    """Commands on the two texts; those that need them visible are disabled otherwise."""

    def __init__(self, workspace: Workspace, pages: Pages, compare: CompareView) -> None:
        super().__init__(pages)
        self._workspace = workspace
        self._pages = pages
        self._actions: dict[str, QAction] = {}
        selection = workspace.selection
        further, back = (partial(selection.step_match, step) for step in (1, -1))
        differ, differ_back = (partial(compare.text_feed.step_change, step) for step in (1, -1))
        self.steps = [
            Command("next", N_("Next passage"), "N", lambda: selection.step_passage(1)),
            Command("previous", N_("Previous passage"), "P", lambda: selection.step_passage(-1)),
            Command("difference", N_("Jump to the next difference"), "Shift+N", differ),
            Command("difference_back", N_("Jump to the previous difference"), "Shift+P", differ_back),
            Command("further", N_("Next sentence pair in the passage"), "Alt+Down", further),
            Command("back", N_("Previous sentence pair in the passage"), "Alt+Up", back),
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
        passages, index = self._workspace.passages, selection.passage
        differs = seen and passages is not None and index is not None and has_changes(passages, index)
        for name in ("difference", "difference_back"):
            self._actions[name].setEnabled(differs)
        paired = len(self._workspace.documents.sides) == 2
        self._actions["swap"].setEnabled(paired and seen)
        self._actions["again"].setEnabled(paired)

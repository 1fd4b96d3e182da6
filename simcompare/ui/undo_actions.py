"""Undo and redo in the Edit menu."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence, QUndoCommand, QUndoStack

from simcompare.support.i18n import _
from simcompare.ui.state.changes import step_label
from simcompare.ui.state.language import follow_language


class UndoActions(QObject):
    """Undo and redo actions of an undo stack, with the names of the steps."""

    def __init__(self, history: QUndoStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history = history
        self._shown: list[tuple[QUndoCommand | None, str]] = []
        self._undo, self._redo = QAction(self), QAction(self)
        self._undo.setShortcuts(QKeySequence.StandardKey.Undo)
        self._redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        for action, able in ((self._undo, history.canUndoChanged), (self._redo, history.canRedoChanged)):
            action.setEnabled(False)
            able.connect(action.setEnabled)
        self._undo.triggered.connect(history.undo)
        self._redo.triggered.connect(history.redo)
        history.indexChanged.connect(self._show_steps)
        follow_language(self._retranslate)

    @property
    def entries(self) -> list[QAction]:
        return [self._undo, self._redo]

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

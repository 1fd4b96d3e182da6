"""Undo and redo in the Edit menu."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence, QUndoStack

from simcompare.support.i18n import _
from simcompare.ui.state.changes import step_label
from simcompare.ui.state.language import follow_language


class UndoActions(QObject):
    """Undo and redo actions of an undo stack, with the names of the steps."""

    def __init__(self, history: QUndoStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history = history
        self._shown: tuple[str, str] | None = None
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
        """Entries for a menu."""
        return [self._undo, self._redo]

    def _retranslate(self) -> None:
        self._shown = None
        self._show_steps()

    def _show_steps(self) -> None:
        """Name the steps; skip the moves of a slider, which are merged into a step already named."""
        at = self._history.index()
        steps = (self._history.text(at - 1), self._history.text(at))
        if steps == self._shown:
            return
        self._shown = steps
        undone, redone = (step_label(self._history, at + step) for step in (-1, 0))
        self._undo.setText(_("Undo: {step}").format(step=undone) if undone else _("Undo"))
        self._redo.setText(_("Redo: {step}").format(step=redone) if redone else _("Redo"))

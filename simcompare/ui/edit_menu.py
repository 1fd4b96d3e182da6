"""Undo and redo: the two entries of the Edit menu, which say what they would undo or do again."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence, QUndoStack

from simcompare.i18n import _
from simcompare.ui.state.steps import step_in_words


class UndoActions(QObject):
    """Follows a history."""

    def __init__(self, history: QUndoStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history = history
        self._undo, self._redo = QAction(self), QAction(self)
        self._undo.setShortcuts(QKeySequence.StandardKey.Undo)
        self._redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        for action, able in ((self._undo, history.canUndoChanged), (self._redo, history.canRedoChanged)):
            action.setEnabled(False)
            able.connect(action.setEnabled)
        self._undo.triggered.connect(history.undo)
        self._redo.triggered.connect(history.redo)
        history.indexChanged.connect(self.retranslate)
        self.retranslate()

    @property
    def entries(self) -> list[QAction]:
        """The entries for a menu."""
        return [self._undo, self._redo]

    def retranslate(self) -> None:
        """Show the texts in the current language."""
        undone, redone = (step_in_words(self._history, self._history.index() + step) for step in (-1, 0))
        self._undo.setText(_("Undo: {step}").format(step=undone) if undone else _("Undo"))
        self._redo.setText(_("Redo: {step}").format(step=redone) if redone else _("Redo"))

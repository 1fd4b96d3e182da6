"""Undo and redo: the two entries of the Edit menu, which say what they would undo or do again."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence, QUndoStack

from simcompare.i18n import _


class UndoActions(QObject):
    """Follows a history. Its steps are named by texts marked with N_, translated when they are shown."""

    def __init__(self, history: QUndoStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history = history
        self._undo, self._redo = QAction(self), QAction(self)
        self._undo.setShortcuts(QKeySequence.StandardKey.Undo)
        self._redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        self._undo.triggered.connect(history.undo)
        self._redo.triggered.connect(history.redo)
        history.indexChanged.connect(self.retranslate)
        self.retranslate()

    @property
    def entries(self) -> list[QAction]:
        """The entries for a menu."""
        return [self._undo, self._redo]

    def retranslate(self) -> None:
        """Show the texts in the current language, and what can be done."""
        undone, redone = self._history.undoText(), self._history.redoText()
        self._undo.setText(_("Undo: {step}").format(step=_(undone)) if undone else _("Undo"))
        self._redo.setText(_("Redo: {step}").format(step=_(redone)) if redone else _("Redo"))
        self._undo.setEnabled(self._history.canUndo())
        self._redo.setEnabled(self._history.canRedo())

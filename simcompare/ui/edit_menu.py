"""Undo and redo: the two entries of the Edit menu, which say what they would undo or do again."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence, QUndoStack

from simcompare.i18n import _


class UndoActions(QObject):
    """Follows a history. Its steps are named by texts marked with N_, translated when they are shown."""

    def __init__(self, history: QUndoStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # kept, not asked for: a history tells of its end, too, and can be asked nothing then
        self._undone, self._redone = "", ""
        self._undo, self._redo = QAction(self), QAction(self)
        self._undo.setShortcuts(QKeySequence.StandardKey.Undo)
        self._redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        for action, able in ((self._undo, history.canUndoChanged), (self._redo, history.canRedoChanged)):
            action.setEnabled(False)
            able.connect(action.setEnabled)
        self._undo.triggered.connect(history.undo)
        self._redo.triggered.connect(history.redo)
        history.undoTextChanged.connect(self._take_undone)
        history.redoTextChanged.connect(self._take_redone)
        self.retranslate()

    @property
    def entries(self) -> list[QAction]:
        """The entries for a menu."""
        return [self._undo, self._redo]

    def _take_undone(self, text: str) -> None:
        self._undone = text
        self.retranslate()

    def _take_redone(self, text: str) -> None:
        self._redone = text
        self.retranslate()

    def retranslate(self) -> None:
        """Show the texts in the current language."""
        undone, redone = self._undone, self._redone
        self._undo.setText(_("Undo: {step}").format(step=_(undone)) if undone else _("Undo"))
        self._redo.setText(_("Redo: {step}").format(step=_(redone)) if redone else _("Redo"))

"""Steps of the history, which can be undone and say in words what they did."""

from PySide6.QtGui import QUndoCommand, QUndoStack

from simcompare.i18n import _


class Step(QUndoCommand):
    """A step whose text is marked with N_ and translated when it is shown."""

    def in_words(self) -> str:
        """Return what it did, in the language of the moment."""
        return _(self.text())


def step_in_words(history: QUndoStack, place: int) -> str:
    """Return what a step of a history did; nothing where there is none at that place."""
    step = history.command(place) if 0 <= place < history.count() else None
    if isinstance(step, Step):
        return step.in_words()
    return _(step.text()) if step is not None else ""  # several steps in one

"""A menu of settings that are looked at while they are changed."""
# ruff: noqa: N802 - Qt names the methods it calls

from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QMenu


class StayingMenu(QMenu):
    """Stays open while entries are ticked with the mouse, so that their effect is seen at once."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tick an entry; close for any other."""
        action = self.actionAt(event.position().toPoint())
        if action is not None and action.isCheckable() and action.isEnabled():
            action.trigger()
        else:
            super().mouseReleaseEvent(event)

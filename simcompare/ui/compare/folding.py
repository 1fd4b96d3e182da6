"""The heatmap folded away, so that the texts have its width."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from simcompare.i18n import _
from simcompare.ui.state.preferences import Preferences


class HeatmapFolding(QObject):
    """The command that shows the heatmap between the texts or folds it away, remembered between starts."""

    def __init__(self, heatmap: QWidget, preferences: Preferences) -> None:
        super().__init__(heatmap)
        self._heatmap = heatmap
        self._preferences = preferences
        self.action = QAction(self, checkable=True, checked=preferences.shows_heatmap)
        self.action.setShortcut("Ctrl+Shift+H")
        self.action.toggled.connect(self._follow)
        heatmap.setVisible(preferences.shows_heatmap)
        self.retranslate()

    def _follow(self, shown: bool) -> None:
        self._preferences.shows_heatmap = shown
        self._heatmap.setVisible(shown)

    def retranslate(self) -> None:
        """Show the text of the command in the current language."""
        self.action.setText(_("Heatmap between the texts"))

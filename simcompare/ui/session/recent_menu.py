"""The menu of the sessions that were opened or saved last."""

from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, QThreadPool, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from simcompare.i18n import _
from simcompare.ui.state.preferences import Preferences
from simcompare.visible import visible, visible_name


class RecentMenu(QObject):
    """Lists them anew whenever it opens, as another window may have added one; what is missing is grey."""

    chosen = Signal(object)
    """The path of the session."""
    _missing = Signal(object)

    def __init__(self, preferences: Preferences, window: QWidget) -> None:
        super().__init__(window)
        self._preferences = preferences
        self.menu = QMenu(window)
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self.fill)
        self._missing.connect(self._grey)
        self.retranslate()

    def fill(self) -> None:
        """List the sessions; whether each is there is looked for meanwhile: a drive may be slow to answer."""
        self.menu.clear()
        paths = self._preferences.recent_files
        for path in paths:
            action = self.menu.addAction(visible_name(path.stem).replace("&", "&&"))
            action.setData(str(path))
            action.setToolTip(visible(str(path)))
            action.triggered.connect(lambda _checked=False, path=path: self.chosen.emit(path))
        self.menu.addSeparator()
        clear = self.menu.addAction(_("Clear the list"))
        clear.setEnabled(bool(paths))
        clear.triggered.connect(self._clear)
        if paths:
            QThreadPool.globalInstance().start(lambda: self._look_for(paths))

    def _look_for(self, paths: list[Path]) -> None:
        missing = [str(path) for path in paths if not path.exists()]
        with suppress(RuntimeError):  # the window was closed meanwhile, and this with it
            self._missing.emit(missing)

    def _grey(self, missing: list[str]) -> None:
        for action in self.menu.actions():
            if action.data() in missing:
                action.setEnabled(False)
                action.setToolTip(_("{path} is not there").format(path=action.toolTip()))

    def _clear(self) -> None:
        self._preferences.recent_files = []

    @property
    def action(self) -> QAction:
        """The entry of another menu that opens this one."""
        return self.menu.menuAction()

    def retranslate(self) -> None:
        """Show all texts in the current language."""
        self.menu.setTitle(_("Open recent"))

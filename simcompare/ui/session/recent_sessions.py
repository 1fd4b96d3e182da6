"""Sessions opened or saved last: their list with times, and the menu of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QThreadPool, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from simcompare.support.display_text import display_name, escape_invisible
from simcompare.support.i18n import N_, _
from simcompare.ui.preferences import Preferences
from simcompare.ui.state.language import translated
from simcompare.ui.state.task import Background


@dataclass(frozen=True, slots=True)
class RecentSession:
    """A session and the time it was saved; None if the file does not exist."""

    path: Path
    saved: datetime | None


class RecentSessions(QObject):
    """Looks for the files of the last sessions in the background, as a drive may be slow."""

    found = Signal(object)
    """A list of RecentSession, the latest first."""

    def __init__(self, preferences: Preferences, parent: QObject) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self._background = Background(self, QThreadPool.globalInstance())

    def look(self) -> list[Path]:
        """Return the paths; `found` follows."""
        paths = self._preferences.recent_files
        if paths:
            self._background.start(partial(_look_for, paths), self.found.emit)
        return paths


def _look_for(paths: Sequence[Path]) -> list[RecentSession]:
    return [RecentSession(path, _time_saved(path)) for path in paths]


def _time_saved(path: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime)
    except (OSError, ValueError, OverflowError):  # no file, or a time outside the calendar
        return None


class RecentMenu(QObject):
    """Menu of recent sessions, refilled on opening as other windows add some; missing files are disabled."""

    chosen = Signal(object)
    """Path of the session."""

    def __init__(self, preferences: Preferences, window: QWidget) -> None:
        super().__init__(window)
        self._preferences = preferences
        self.menu = translated(QMenu(window), title=N_("Open recent"))
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self.fill)
        self._sessions = RecentSessions(preferences, self)
        self._sessions.found.connect(self._disable_missing)

    def fill(self) -> None:
        self.menu.clear()
        paths = self._sessions.look()
        for path in paths:
            action = self.menu.addAction(display_name(path.stem).replace("&", "&&"))
            action.setData(str(path))
            action.setToolTip(escape_invisible(str(path)))
            action.triggered.connect(lambda _checked=False, path=path: self.chosen.emit(path))
        self.menu.addSeparator()
        clear = self.menu.addAction(_("Clear the list"))
        clear.setEnabled(bool(paths))
        clear.triggered.connect(self._clear)

    def _disable_missing(self, sessions: Sequence[RecentSession]) -> None:
        missing = {str(session.path) for session in sessions if session.saved is None}
        for action in self.menu.actions():
            if action.data() in missing:
                action.setEnabled(False)
                action.setToolTip(_("{path} does not exist").format(path=action.toolTip()))

    def _clear(self) -> None:
        self._preferences.recent_files = []

    @property
    def action(self) -> QAction:
        return self.menu.menuAction()

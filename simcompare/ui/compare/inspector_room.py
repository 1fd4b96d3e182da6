"""How much of the height of Compare the inspector is given."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QSplitter, QWidget

from simcompare.ui.matches.inspector import Inspector

_LARGEST_SHARE = 0.4


class InspectorRoom(QObject):
    """Gives the inspector the room its words need, below the texts in a splitter.

    A hint takes its own line and no more. From match to match the room grows and does not shrink, or texts
    would jump at each step. A person who moves the border has the last word on the room of matches.
    """

    def __init__(self, splitter: QSplitter, inspector: Inspector, view: QWidget) -> None:
        """`view` is all of Compare, of which the inspector may take its share."""
        super().__init__(splitter)
        self._view = view
        self._splitter = splitter
        self._inspector = inspector
        self._grown_px = 0
        self._chosen_px: int | None = None
        inspector.width_changed.connect(self.fit, Qt.ConnectionType.QueuedConnection)
        splitter.splitterMoved.connect(self._follow_person)

    def fit(self) -> None:
        """Give it the room that what it shows now needs."""
        needed = min(self._inspector.needed_height(), round(self._view.height() * _LARGEST_SHARE))
        if not self._inspector.shows_match:
            self._grown_px = 0
            self._give(needed)
            return
        self._grown_px = max(self._grown_px, needed)
        self._give(self._grown_px if self._chosen_px is None else self._chosen_px)

    def _give(self, height_px: int) -> None:
        texts, inspector = self._splitter.sizes()
        if height_px != inspector:
            self._splitter.setSizes([texts + inspector - height_px, height_px])

    def _follow_person(self) -> None:
        self._chosen_px = self._splitter.sizes()[1]

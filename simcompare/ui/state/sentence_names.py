"""The names of the sentences under comparison: found a little at a time before a decision asks for them."""

import time
from collections import deque
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from simcompare.session.anchors import Anchors, anchors_of, sentence_keys
from simcompare.session.review import SentenceKey
from simcompare.text.prepared import PreparedText

_QUIET_MS = 300
_STEP_SECONDS = 0.002
_PAUSE_MS = 10
_MOST_AT_ONCE = 2000
"""Named in about 9 ms."""


class SentenceNames(QObject):
    """Keeps the names of two texts. What is asked for before they have come is found at once.

    In a thread it would take no less of the window's time: Python code holds the interpreter, and the window
    asks for it after every call of Qt.
    """

    found = Signal(object)
    """A text and the names of its sentences (PreparedText, Anchors)."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._anchors: dict[PreparedText, Anchors] = {}
        self._unnamed: deque[_Naming] = deque()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._step)

    def follow(self, texts: Sequence[PreparedText]) -> None:
        """Name the sentences of these texts from now on, once a comparison has been shown."""
        self._anchors = {text: self._anchors[text] for text in texts if text in self._anchors}
        self._unnamed = deque(_Naming(text) for text in texts if text not in self._anchors)
        self._timer.start(_QUIET_MS)

    def of(self, text: PreparedText) -> Anchors:
        """Return the names of the sentences of a text that is followed."""
        if text not in self._anchors:
            self._anchors[text] = anchors_of(text)
        return self._anchors[text]

    def knows(self, texts: Sequence[PreparedText]) -> bool:
        """Whether all these texts are named, or so soon named that nobody notices."""
        unnamed = (text.sentence_count for text in texts if text not in self._anchors)
        return sum(unnamed) <= _MOST_AT_ONCE

    def hurry(self) -> None:
        """Begin at once: somebody waits for the names, which `found` tells of."""
        self._timer.start(_PAUSE_MS)

    def close(self) -> None:
        """Name nothing any more."""
        self._timer.stop()

    def _step(self) -> None:
        """Name sentences for as long as nobody notices."""
        self._timer.setInterval(_PAUSE_MS)
        while self._unnamed and self._unnamed[0].text in self._anchors:
            self._unnamed.popleft()  # someone asked meanwhile
        if not self._unnamed:
            self._timer.stop()
        elif anchors := self._unnamed[0].go_on(time.perf_counter() + _STEP_SECONDS):
            text = self._unnamed.popleft().text
            self._anchors[text] = anchors
            self.found.emit((text, anchors))


class _Naming:
    """The naming of one text, which may be left and taken up again."""

    def __init__(self, text: PreparedText) -> None:
        self.text = text
        self._rest: Iterator[SentenceKey] = sentence_keys(text)
        self._named: dict[SentenceKey, int] = {}

    def go_on(self, end: float) -> Anchors | None:
        """Name sentences until a moment of time.perf_counter(); return the names once there are all."""
        for key in self._rest:
            self._named[key] = len(self._named)
            if time.perf_counter() > end:
                return None
        return Anchors(tuple(self._named), self._named)

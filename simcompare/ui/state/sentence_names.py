"""The names of the sentences under comparison: found in the pool before a decision asks for them."""

from collections.abc import Sequence
from functools import partial
from threading import Event

from PySide6.QtCore import QObject, QThreadPool, QTimer, Signal

from simcompare.session.anchors import Anchors, anchors_of
from simcompare.text.prepared import PreparedText
from simcompare.ui.state.comparison_run import Task

_QUIET_MS = 300
_AFTER_ALL_ELSE = -1
"""The place in the queue: whoever moves a slider waits for the judging alone."""


class SentenceNames(QObject):
    """Keeps the names of two texts. What is asked for before they have come is found at once."""

    found = Signal(object)
    """A text and the names of its sentences (PreparedText, Anchors); None where that was dropped."""
    failed = Signal(object)
    """What stopped it; whoever asks for the names of that text meets it again."""

    def __init__(self, pool: QThreadPool, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = pool
        self._stop = Event()
        self._texts: tuple[PreparedText, ...] = ()
        self._anchors: dict[PreparedText, Anchors] = {}
        self._beginning = QTimer(self, singleShot=True, interval=_QUIET_MS)
        self._beginning.timeout.connect(self._begin)
        self.found.connect(self._take)

    def follow(self, texts: Sequence[PreparedText]) -> None:
        """Name the sentences of these texts from now on, once a comparison has been shown."""
        self._stop.set()
        self._stop = Event()
        self._texts = tuple(texts)
        self._anchors = {text: self._anchors[text] for text in texts if text in self._anchors}
        self._beginning.start()

    def of(self, text: PreparedText) -> Anchors:
        """Return the names of the sentences of a text that is followed."""
        if text not in self._anchors:
            self._anchors[text] = anchors_of(text)
        return self._anchors[text]

    def close(self) -> None:
        """Begin nothing any more."""
        self._beginning.stop()
        self._stop.set()

    def _begin(self) -> None:
        for text in self._texts:
            if text not in self._anchors:
                task = Task(partial(_named, text), self.found, self.failed, self._stop)
                self._pool.start(task, _AFTER_ALL_ELSE)

    def _take(self, named: tuple[PreparedText, Anchors] | None) -> None:
        if named is not None and named[0] in self._texts:
            self._anchors.setdefault(*named)


def _named(text: PreparedText) -> tuple[PreparedText, Anchors]:
    return text, anchors_of(text)

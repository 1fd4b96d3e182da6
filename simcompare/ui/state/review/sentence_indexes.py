"""Sentence indexes of the compared texts, built in idle time."""

import time
from collections import deque
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from simcompare.session.decisions import SentenceIndex, SentenceKey, index_sentences, sentence_keys
from simcompare.text.prepared_text import PreparedText

_QUIET_MS = 300
_STEP_SECONDS = 0.002
_PAUSE_MS = 10
_MOST_AT_ONCE = 2000
"""Number of sentences that are indexed in about 9 ms."""


class SentenceIndexes(QObject):
    """Sentence indexes of the compared texts, built in idle time; one needed earlier is built at once.

    A thread would not help: Python code holds the GIL, and the GUI thread needs it after every call of Qt.
    """

    built = Signal(object)
    """A text and its sentence index (PreparedText, SentenceIndex)."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._indexes: dict[PreparedText, SentenceIndex] = {}
        self._pending: deque[_SentenceIndexing] = deque()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._step)

    def follow(self, texts: Sequence[PreparedText]) -> None:
        """Build the indexes of these texts, starting shortly after a comparison has been shown."""
        self._indexes = {text: self._indexes[text] for text in texts if text in self._indexes}
        self._pending = deque(_SentenceIndexing(text) for text in texts if text not in self._indexes)
        self._timer.start(_QUIET_MS)

    def of(self, text: PreparedText) -> SentenceIndex:
        """Index of a followed text, built now if necessary."""
        if text not in self._indexes:
            self._indexes[text] = index_sentences(text)
        return self._indexes[text]

    def is_ready_soon(self, texts: Sequence[PreparedText]) -> bool:
        """Return whether the indexes of all these texts exist or can be built without a noticeable delay."""
        pending = (text.sentence_count for text in texts if text not in self._indexes)
        return sum(pending) <= _MOST_AT_ONCE

    def start_now(self) -> None:
        """Start at once; `built` follows."""
        self._timer.start(_PAUSE_MS)

    def close(self) -> None:
        """Stop indexing."""
        self._timer.stop()

    def _step(self) -> None:
        """Index sentences for _STEP_SECONDS."""
        self._timer.setInterval(_PAUSE_MS)
        while self._pending and self._pending[0].text in self._indexes:
            self._pending.popleft()  # built by `of` meanwhile
        if not self._pending:
            self._timer.stop()
        elif index := self._pending[0].run_until(time.perf_counter() + _STEP_SECONDS):
            text = self._pending.popleft().text
            self._indexes[text] = index
            self.built.emit((text, index))


class _SentenceIndexing:
    """Interruptible indexing of one text."""

    def __init__(self, text: PreparedText) -> None:
        self.text = text
        self._rest: Iterator[SentenceKey] = sentence_keys(text)
        self._indexed: dict[SentenceKey, int] = {}

    def run_until(self, end: float) -> SentenceIndex | None:
        """Index sentences until a time of time.perf_counter(); return the index when it is complete."""
        for key in self._rest:
            self._indexed[key] = len(self._indexed)
            if time.perf_counter() > end:
                return None
        return SentenceIndex(tuple(self._indexed), self._indexed)

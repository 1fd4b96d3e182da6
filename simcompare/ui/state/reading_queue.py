"""Documents that are to be read, handed on a few at a time."""

from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from simcompare.file_stamp import stamp_of
from simcompare.loading.options import ReadingOptions
from simcompare.ui.state.entry import Entry
from simcompare.ui.state.reading import FileReading

_FILES_AT_ONCE = 10


class ReadingQueue(QObject):
    """Hands on those that are still wanted when their turn comes; that takes a while for hundreds."""

    def __init__(
        self, reading: FileReading, entry_of: Callable[[int], Entry | None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._reading = reading
        self._entry_of = entry_of
        self._keys: deque[int] = deque()
        self._next_turn = QTimer(self, singleShot=True, interval=0)
        self._next_turn.timeout.connect(self.hand_on)

    def put(self, key: int) -> None:
        """Let a document wait for its turn."""
        self._keys.append(key)

    def clear(self) -> None:
        """Hand on none of those that wait."""
        self._keys.clear()
        self._next_turn.stop()

    def hand_on(self) -> None:
        """Have a few files read, and the others after the next turn of the event loop."""
        for _turn in range(min(_FILES_AT_ONCE, len(self._keys))):
            entry = self._entry_of(self._keys.popleft())
            if entry is not None and entry.asked is not None:
                self._submit(entry, entry.asked)
        if self._keys:
            self._next_turn.start()

    def _submit(self, entry: Entry, asked: ReadingOptions) -> None:
        if entry.kept is not None:
            self._reading.prepare(entry.key, entry.kept)
        elif entry.pasted is not None:
            self._reading.read_pasted(entry.key, entry.path, entry.pasted, asked)
        else:
            entry.stamp = stamp_of(entry.path)
            self._reading.read(entry.key, entry.path, asked)

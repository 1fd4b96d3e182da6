"""When Python looks for objects that refer only to each other: between events, in the GUI thread alone."""

import gc
import time

from PySide6.QtCore import QObject, QTimer

_INTERVAL_MS = 1000
_LONGEST_SECONDS = 0.02


class GarbageCollector(QObject):
    """Takes over from Python, which collects in whichever thread happens to make an object, and at any time.

    A full collection in the middle of a drag holds the window for a tenth of a second, and one in a worker
    may delete what belongs to the GUI thread.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, interval=_INTERVAL_MS)
        self._timer.timeout.connect(self._collect)
        gc.disable()
        gc.freeze()  # modules stay: there is nothing to look for in them
        self._timer.start()

    def _collect(self) -> None:
        """Collect the oldest generation that is due by Python's own thresholds."""
        limits = zip(gc.get_count(), gc.get_threshold(), strict=True)
        due = [generation for generation, (count, most) in enumerate(limits) if count > most]
        if not due:
            return
        begin = time.perf_counter()
        gc.collect(due[-1])
        if due[-1] == 2 and time.perf_counter() - begin > _LONGEST_SECONDS:
            # what is left are mostly long-lived values, as a thesaurus: the next time it is quick again
            gc.freeze()

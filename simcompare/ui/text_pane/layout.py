"""Laying out a long page without keeping anybody waiting."""
# ruff: noqa: N802 - Qt names the methods it calls

import bisect
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractEventDispatcher, QEvent, QObject, QPointF, Qt, QTimer, QTimerEvent, Signal
from PySide6.QtGui import QTextBlock, QTextDocument

_STEP_SECONDS = 0.004
_QT_STEP_MS = 10
"""The interval of the timer by which Qt lays out."""

Places = NDArray[np.float64]


class GradualLayout(QObject):
    """Lays out a page a few milliseconds at a time, from its beginning.

    Qt does so, too, but each of its steps takes twice as long as the one before. What is asked for is
    laid out at once in any case, with all that stands above it.
    """

    finished = Signal()

    def __init__(
        self, page: QTextDocument, keep: Callable[[Callable[[], None]], None], parent: QObject | None = None
    ) -> None:
        """`keep` does what it is given, and undoes what that scrolls: Qt tells late of a page's height."""
        super().__init__(parent)
        self._page = page
        self._keep = keep
        self._positions: list[int] = []
        self._tops: list[float] = []
        self._bottom = 0.0
        self._is_finished = True
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._step)
        page.documentLayout().installEventFilter(self)

    @property
    def is_finished(self) -> bool:
        """Whether all of the page is laid out."""
        return self._is_finished

    def run(self, change: Callable[[], None]) -> None:
        """Do what moves lines and lay out anew; a short page is laid out when this returns."""
        self._is_finished = False
        self._positions, self._tops, self._bottom = [], [], 0.0
        change()
        self._timer.start()
        self._step()

    def page_height(self) -> int:
        """Return the height of the page in pixels, estimated until all of it is laid out."""
        if self._is_finished:
            return round(self._page.size().height())
        margin = 2 * self._page.documentMargin()
        return round(margin + self._bottom * self._page.characterCount() / self._reached())

    def block_tops(self) -> tuple[Places, Places]:
        """Return where blocks begin in the text and on the page, in pixels; the last are those of the end.

        Until all is laid out, a straight line stands for those to come.
        """
        positions, tops = [*self._positions, self._page.characterCount()], list(self._tops)
        tops.append(self.page_height() - self._page.documentMargin())
        return np.array(positions, np.float64), np.array(tops, np.float64)

    def reach(self, position: int) -> None:
        """Lay out all down to a position of the text."""
        block = self._page.findBlockByNumber(len(self._tops))
        while not self._is_finished and block.isValid() and block.position() <= position:
            block = self._take(block)
        self._finish_after(block)

    def position_at(self, point: QPointF) -> int:
        """Return the position of the character next to a point of the page."""
        hit = max(0, self._page.documentLayout().hitTest(point, Qt.HitTestAccuracy.FuzzyHit))
        if self._is_finished:
            return hit
        # between two paragraphs Qt takes the last one, not yet laid out, for the next
        block = self._page.findBlockByNumber(len(self._tops))
        while block.isValid() and self._bottom <= point.y():
            block = self._take(block)
        below = bisect.bisect_right(self._tops, point.y())
        end = self._positions[below] if below < len(self._positions) else self._reached()
        return max(0, min(hit, end - 1))

    def _reached(self) -> int:
        block = self._page.findBlockByNumber(len(self._tops))
        return max(1, block.position() if block.isValid() else self._page.characterCount())

    def _step(self) -> None:
        end = time.perf_counter() + _STEP_SECONDS
        block = self._page.findBlockByNumber(len(self._tops))
        while block.isValid() and time.perf_counter() < end:
            block = self._take(block)
        self._finish_after(block)

    def _finish_after(self, next_block: QTextBlock) -> None:
        if not self._is_finished and not next_block.isValid():
            self._timer.stop()
            self._is_finished = True
            self.finished.emit()

    def _take(self, block: QTextBlock) -> QTextBlock:
        """Lay out a block, and return the next."""
        place = self._page.documentLayout().blockBoundingRect(block)
        self._positions.append(block.position())
        self._tops.append(place.top())
        self._bottom = place.bottom()
        return block.next()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep Qt's own steps from being taken."""
        if event.type() != QEvent.Type.Timer:
            return False
        assert isinstance(event, QTimerEvent)
        timers = QAbstractEventDispatcher.instance().registeredTimers(watched)
        if not any(t.timerId == event.timerId() and t.interval == _QT_STEP_MS for t in timers):
            self._keep(lambda: self._pass_on(watched, event))
        return True

    def _pass_on(self, watched: QObject, event: QEvent) -> None:
        watched.event(event)

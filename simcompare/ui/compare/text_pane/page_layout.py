"""Lays out a page paragraph by paragraph: at once what is in sight, the rest a little at a time."""

import math
import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFontInfo,
    QPainter,
    QPalette,
    QTextBlock,
    QTextCharFormat,
    QTextDocument,
    QTextFrame,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from shiboken6 import isValid

from simcompare.ui.compare.text_pane.typography import BASELINE_SHARE, LINE_EM

# ruff: noqa: N802, N803 - Qt names the methods it calls, and their parameters


_STEP_SECONDS = 0.004
_MOST_AT_ONCE = 100
"""So many paragraphs are mostly laid out within a step."""
_BLOCK_SEPARATOR = 0x2029
_FIRST_WIDE_LETTER = 0x2E80
_NARROW_LETTER_EM = 0.5

Places = NDArray[np.float64]
Drawn = tuple[int, int, QTextCharFormat]
"""A stretch of the text, in positions, that is drawn in another look."""
Overlays = Callable[[int, int], Sequence[Drawn]]
"""What is drawn in another look between two positions."""


class PageLayout(QAbstractTextDocumentLayout):
    """Places paragraphs under each other; the height of one not yet laid out is estimated by its length.

    Qt's own layout takes a place to depend on all that stands above it: to resize a window that shows the
    end of a long text, or to go there, it lays out the whole text first. Here it costs what is in sight.
    """

    finished = Signal()
    """All is laid out: places are exact from now on."""

    def __init__(
        self, page: QTextDocument, keep: Callable[[Callable[[], None]], None], overlays: Overlays
    ) -> None:
        """`keep` does what it is given, and leaves in its place what is in sight.

        `overlays` stands for Qt's own selections, of which a paint event has all of the text.
        """
        super().__init__(page)
        self._page = page
        self._keep = keep
        self._overlays = overlays
        self._count = 0
        self._letter_em = 1.0
        self._starts = np.zeros(1, np.int64)
        self._heights: Places = np.zeros(1)
        self._insets: Places = np.zeros(1)
        self._known = np.zeros(1, np.bool_)
        self._sums: Places | None = None
        self._next = 0
        self._is_stale = True
        self._is_finished = True
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._step)

    # --- laying out

    @property
    def is_finished(self) -> bool:
        """Whether all of the page is laid out."""
        return self._is_finished

    def run(self, change: Callable[[], None]) -> None:
        """Do what moves lines and lay out anew; a short page is laid out when this returns.

        A long one is begun in a turn of its own: what moves lines takes its time already.
        """
        change()
        self._refresh()
        if len(self._known) <= _MOST_AT_ONCE:
            self._take_some()
        self._finish_if_done()

    def documentChanged(self, _from: int, charsRemoved: int, charsAdded: int) -> None:
        """Forget where things are."""
        if charsRemoved > charsAdded:
            self._count = 0
        self._is_stale = True
        self._is_finished = False
        self._timer.start()
        self.update.emit()

    def _refresh(self) -> None:
        """Estimate all places, after a change."""
        if not self._is_stale:
            return
        self._is_stale = False
        if self._count != self._page.characterCount():
            self._read_text()
        self._heights = self._estimated()
        self._insets = np.zeros(len(self._starts))
        self._known = np.zeros(len(self._starts), np.bool_)
        self._sums = None
        self._next = 0

    def _read_text(self) -> None:
        """See where paragraphs begin, and how wide letters are on the whole."""
        units = np.frombuffer(self._page.toRawText().encode("utf-16-le", "surrogatepass"), "<u2")
        self._count = self._page.characterCount()
        self._starts = np.append(0, np.flatnonzero(units == _BLOCK_SEPARATOR) + 1)
        wide_share = float((units >= _FIRST_WIDE_LETTER).mean()) if len(units) else 0.0
        self._letter_em = _NARROW_LETTER_EM + (1 - _NARROW_LETTER_EM) * wide_share

    def _estimated(self) -> Places:
        em_px = QFontInfo(self._page.defaultFont()).pixelSize()
        lengths = np.diff(self._starts, append=self._count)
        lines = np.ceil(lengths * (em_px * self._letter_em) / max(self._width(), em_px))
        heights: Places = lines * round(em_px * LINE_EM) + em_px / 2
        return heights

    def _width(self) -> float:
        return self._page.textWidth() - 2 * self._page.documentMargin()

    def _step(self) -> None:
        self._keep(self._take_some)
        self._finish_if_done()

    def _take_some(self) -> None:
        self._refresh()
        end = time.perf_counter() + _STEP_SECONDS
        while self._next < len(self._known) and time.perf_counter() < end:
            self._take(self._next)
            self._next += 1

    def _finish_if_done(self) -> None:
        if self._next < len(self._known):
            self._timer.start()
        elif not self._is_finished:
            self._timer.stop()
            self._is_finished = True
            self.finished.emit()

    def _take(self, number: int) -> None:
        """Lay out a paragraph, unless it is."""
        if self._known[number]:
            return
        block = self._page.findBlockByNumber(number)
        above, below = block.previous(), block.blockFormat().bottomMargin()
        margin = above.blockFormat().bottomMargin() if above.isValid() else math.inf
        self._insets[number] = max(0.0, block.blockFormat().topMargin() - margin)
        self._heights[number] = self._insets[number] + _set_lines(block, self._width()) + below
        self._known[number] = True
        self._sums = None

    # --- where paragraphs are

    def _tops(self) -> Places:
        """Return where paragraphs begin, and where the last one ends, in pixels of the page."""
        self._refresh()
        if self._sums is None:
            self._sums = self._page.documentMargin() + np.append(0.0, np.cumsum(self._heights))
        return self._sums

    def page_height(self) -> int:
        """Return the height of the page in pixels, estimated until all of it is laid out."""
        return round(float(self._tops()[-1]) + self._page.documentMargin())

    def block_tops(self) -> tuple[Places, Places]:
        """Return where blocks begin in the text and on the page, in pixels; the last are those of the end."""
        tops = self._tops()
        return np.append(self._starts, self._page.characterCount()).astype(np.float64), tops

    def number_at(self, y: float) -> int:
        """Return the number of the paragraph at a height of the page, or of the nearest one."""
        tops = self._tops()
        return max(0, min(int(tops.searchsorted(y, side="right")) - 1, len(tops) - 2))

    def top_of(self, number: int) -> float:
        """Return where a paragraph begins on the page, in pixels."""
        return float(self._tops()[number])

    def reach(self, top: float, bottom: float) -> None:
        """Lay out what stands between two heights of the page; the first paragraph stays where it is."""
        number = self.number_at(top)
        at = self.top_of(number)
        while number < len(self._known) and at < bottom:
            self._take(number)
            at += self._heights[number]
            number += 1

    def reach_around(self, position: int, distance: float) -> None:
        """Lay out the paragraph of a position of the text, and what stands so near to it on either side."""
        self._refresh()
        number = int(np.searchsorted(self._starts, position, side="right")) - 1
        self._take(number)
        above, at = number - 1, 0.0
        while above >= 0 and at < distance:
            self._take(above)
            at += self._heights[above]
            above -= 1
        top = self.top_of(number)
        self.reach(top, top + distance)

    def position_at(self, point: QPointF) -> int:
        """Return the position of the character next to a point of the page."""
        return self.hitTest(point, Qt.HitTestAccuracy.FuzzyHit)

    # --- what Qt asks for

    def documentSize(self) -> QSizeF:
        """Return the size of the page, estimated until all of it is laid out."""
        return QSizeF(max(0.0, self._page.textWidth()), self.page_height())

    def pageCount(self) -> int:
        """Return 1: the page is endless."""
        return 1

    def frameBoundingRect(self, frame: QTextFrame) -> QRectF:
        """Return the page: there is one frame."""
        return QRectF(QPointF(0, 0), self.documentSize())

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        """Return where a paragraph's lines are; their own places are counted from its corner."""
        # Qt asks once more while the program ends, when Python has let go of the page
        if not block.isValid() or not isValid(self._page):
            return QRectF()
        number = block.blockNumber()
        self._refresh()
        self._take(number)
        top = self.top_of(number) + self._insets[number]
        height = self._heights[number] - self._insets[number] - block.blockFormat().bottomMargin()
        return QRectF(self._page.documentMargin(), top, self._width(), height)

    def hitTest(  # type: ignore[override]  # Qt itself gives nothing but a QPointF
        self, point: QPointF, accuracy: Qt.HitTestAccuracy
    ) -> int:
        """Return the position at or next to a point of the page; -1 where an exact hit misses."""
        number = self.number_at(point.y())
        block = self._page.findBlockByNumber(number)
        place = self.blockBoundingRect(block)
        if accuracy is Qt.HitTestAccuracy.ExactHit and not place.contains(point):
            return -1
        inside = point - place.topLeft()
        layout = block.layout()
        lines = [layout.lineAt(n) for n in range(layout.lineCount())]
        line = next((one for one in lines if inside.y() < _bottom_of(one, block)), lines[-1])
        return block.position() + line.xToCursor(inside.x())

    def draw(self, painter: QPainter, context: QAbstractTextDocumentLayout.PaintContext) -> None:
        """Draw the letters of what is in sight."""
        painter.setPen(context.palette.color(QPalette.ColorRole.Text))
        number = self.number_at(context.clip.top())
        while number < len(self._known) and self.top_of(number) < context.clip.bottom():
            block = self._page.findBlockByNumber(number)
            corner = self.blockBoundingRect(block).topLeft()
            drawn = self._overlays(block.position(), block.position() + block.length())
            block.layout().draw(painter, corner, _ranges_in(block, drawn), context.clip)
            number += 1


def _set_lines(block: QTextBlock, width_px: float) -> float:
    """Break a paragraph into lines, and return their height."""
    look, layout = block.blockFormat(), block.layout()
    option = QTextOption(look.alignment())
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    option.setTextDirection(block.textDirection())
    layout.setTextOption(option)
    left, y = look.leftMargin(), 0.0
    layout.beginLayout()
    line = layout.createLine()
    while line.isValid():
        indent = left + (look.textIndent() if line.textStart() == 0 else 0.0)
        line.setLeadingIncluded(True)
        line.setLineWidth(max(1.0, width_px - indent))
        line.setPosition(QPointF(indent, y + _line_px(line, block) * BASELINE_SHARE - line.ascent()))
        y += _line_px(line, block)
        line = layout.createLine()
    layout.endLayout()
    return y


def _line_px(line: QTextLine, block: QTextBlock) -> float:
    """Return the height that a paragraph gives to a line: fixed once the paragraph is set in its look."""
    return block.blockFormat().lineHeight() or line.height()


def _bottom_of(line: QTextLine, block: QTextBlock) -> float:
    return line.y() + line.ascent() + _line_px(line, block) * (1 - BASELINE_SHARE)


def _ranges_in(block: QTextBlock, drawn: Sequence[Drawn]) -> list[QTextLayout.FormatRange]:
    """Return the parts of what is drawn that lie in a paragraph, in positions of the paragraph."""
    start, end, ranges = block.position(), block.position() + block.length(), []
    for first, last, look in drawn:
        if first < end and last > start:
            part = QTextLayout.FormatRange()
            part.start = max(first, start) - start
            part.length = min(last, end) - start - part.start
            part.format = look
            ranges.append(part)
    return ranges

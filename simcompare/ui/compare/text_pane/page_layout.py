"""Incremental text layout: visible paragraphs at once, the others a few at a time."""

import math
import time
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFontInfo,
    QPainter,
    QPalette,
    QRegion,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextDocument,
    QTextFrame,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from PySide6.QtWidgets import QTextEdit, QWidget
from shiboken6 import isValid

from simcompare.support.arrays import Float64Array
from simcompare.ui.compare.text_pane.typography import (
    BASELINE_SHARE,
    LINE_EM,
    MARGIN_PX,
    SIDE_PX,
    em_px,
    line_boxes,
)

_STEP_SECONDS = 0.004
_PLACING_SECONDS = 0.25
"""Time between two updates of the heights, each of which paints the page again and costs several steps."""
_AFTER_PAINTING_MS = 100
"""Delay of the first step after a change, so that it does not prolong the turn that paints the change."""
_MOST_AT_ONCE = 100
"""Number of paragraphs that are usually laid out within one step."""
_BLOCK_SEPARATOR = 0x2029
_FIRST_WIDE_LETTER = 0x2E80
_NARROW_LETTER_EM = 0.5

DrawnRange = tuple[int, int, QTextCharFormat]
"""Start and end position of a range of text, and the character format to draw it in."""
Overlays = Callable[[int, int], Sequence[DrawnRange]]
"""Function that returns the ranges between two positions that are drawn in another format."""


class PageLayout(QAbstractTextDocumentLayout):
    """Places paragraphs below each other; heights of those not laid out yet are estimated from their length.

    In Qt's own layout every position depends on all text above it: to resize a window that shows the end
    of a long text, or to go there, it lays out the whole text first. Here the cost depends on the visible
    part.
    """

    finished = Signal()
    """All paragraphs are laid out, so positions are exact."""

    def __init__(
        self, page: QTextDocument, keep: Callable[[Callable[[], None]], None], overlays: Overlays
    ) -> None:
        """`keep` calls a function without moving the visible text on the screen.

        `overlays` replaces Qt's own selections, which a paint event gets for the whole text.
        """
        super().__init__(page)
        self._page = page
        self._keep = keep
        self._overlays = overlays
        self.inks: Sequence[tuple[QColor, QRegion]] = ()
        """Parts of the page whose text is drawn in another colour; they do not overlap."""
        self._count = 0
        self._letter_em = 1.0
        self._starts = np.zeros(1, np.int64)
        self._heights: Float64Array = np.zeros(1)
        self._insets: Float64Array = np.zeros(1)
        self._is_laid_out = np.zeros(1, np.bool_)
        self._waiting: dict[int, tuple[float, float]] = {}
        """Insets and heights of paragraphs whose lines are set, but whose place is still estimated."""
        self._placing_due = 0.0
        self._cached_tops: Float64Array | None = None
        self._next = 0
        self._is_stale = True
        self.is_finished = True  # all paragraphs are laid out
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._step)

    # --- laying out

    def run(self, change: Callable[[], None]) -> None:
        """Make a change that moves lines and lay out again; a short page is finished on return.

        Layout of a long page starts after the change is painted, as both take long enough.
        """
        change()
        self._refresh()
        if len(self._is_laid_out) <= _MOST_AT_ONCE:
            self._lay_out_some()
            self._place_waiting()
        self._finish_if_done()

    def documentChanged(self, _from: int, charsRemoved: int, charsAdded: int) -> None:
        if charsRemoved > charsAdded:
            self._count = 0
        self._is_stale = True
        self.is_finished = False
        self._timer.start(_AFTER_PAINTING_MS)
        self.update.emit()

    def _refresh(self) -> None:
        if not self._is_stale:
            return
        self._is_stale = False
        if self._count != self._page.characterCount():
            units = np.frombuffer(self._page.toRawText().encode("utf-16-le", "surrogatepass"), "<u2")
            self._count = self._page.characterCount()
            self._starts = np.append(0, np.flatnonzero(units == _BLOCK_SEPARATOR) + 1)
            wide_share = float((units >= _FIRST_WIDE_LETTER).mean()) if len(units) else 0.0
            self._letter_em = _NARROW_LETTER_EM + (1 - _NARROW_LETTER_EM) * wide_share
        em_px = QFontInfo(self._page.defaultFont()).pixelSize()
        lengths = np.diff(self._starts, append=self._count)
        lines = np.ceil(lengths * (em_px * self._letter_em) / max(self._width(), em_px))
        self._heights = lines * round(em_px * LINE_EM) + em_px / 2
        self._insets = np.zeros(len(self._starts))
        self._is_laid_out = np.zeros(len(self._starts), np.bool_)
        self._waiting.clear()
        self._cached_tops = None
        self._next = 0

    def _width(self) -> float:
        return self._page.textWidth() - 2 * SIDE_PX

    def _step(self) -> None:
        self._timer.setInterval(0)
        self._lay_out_some()
        now = time.perf_counter()
        if now >= self._placing_due or self._next >= len(self._is_laid_out):
            self._keep(self._place_waiting)
            self._placing_due = now + _PLACING_SECONDS
        self._finish_if_done()

    def _lay_out_some(self) -> None:
        """Set the lines of some paragraphs; the page keeps its heights until they are placed."""
        self._refresh()
        end = time.perf_counter() + _STEP_SECONDS
        while self._next < len(self._is_laid_out) and time.perf_counter() < end:
            if not self._is_laid_out[self._next]:
                self._waiting[self._next] = self._laid_out(self._next)
            self._next += 1

    def _place_waiting(self) -> None:
        for number in tuple(self._waiting):
            self._lay_out_block(number)

    def _finish_if_done(self) -> None:
        if self._next < len(self._is_laid_out):
            if not self._timer.isActive():
                self._timer.start(_AFTER_PAINTING_MS)
        elif not self.is_finished:
            self._timer.stop()
            self.is_finished = True
            self.finished.emit()

    def _lay_out_block(self, number: int) -> None:
        if self._is_laid_out[number]:
            return
        waiting = self._waiting.pop(number, None)
        self._insets[number], self._heights[number] = waiting or self._laid_out(number)
        self._is_laid_out[number] = True
        self._cached_tops = None

    def _laid_out(self, number: int) -> tuple[float, float]:
        """Set the lines of a paragraph; return its inset and height."""
        block = self._page.findBlockByNumber(number)
        above, below = block.previous(), block.blockFormat().bottomMargin()
        margin = above.blockFormat().bottomMargin() if above.isValid() else math.inf
        inset = max(0.0, block.blockFormat().topMargin() - margin)
        return inset, inset + _set_lines(block, self._width()) + below

    # --- positions of paragraphs

    def _tops(self) -> Float64Array:
        """Tops of all paragraphs and the bottom of the last one, in pixels of the page."""
        self._refresh()
        if self._cached_tops is None:
            self._cached_tops = self._page.documentMargin() + np.append(0.0, np.cumsum(self._heights))
        return self._cached_tops

    def page_height(self) -> int:
        """Height of the page in pixels, estimated until all of it is laid out."""
        return round(float(self._tops()[-1]) + self._page.documentMargin())

    def block_tops(self) -> tuple[Float64Array, Float64Array]:
        """Return where blocks start in the text and, in pixels, on the page; the last values are the ends."""
        tops = self._tops()
        return np.append(self._starts, self._page.characterCount()).astype(np.float64), tops

    def number_at(self, y: float) -> int:
        tops = self._tops()
        return max(0, min(int(tops.searchsorted(y, side="right")) - 1, len(tops) - 2))

    def top_of(self, number: int) -> float:
        return float(self._tops()[number])

    def lay_out_between(self, top: float, bottom: float) -> None:
        """Lay out the text between two heights of the page; the first paragraph does not move."""
        number = self.number_at(top)
        at = self.top_of(number)
        while number < len(self._is_laid_out) and at < bottom:
            self._lay_out_block(number)
            at += self._heights[number]
            number += 1

    def lay_out_around(self, position: int, distance: float) -> None:
        """Lay out the paragraph that contains a position, and `distance` pixels on either side of it."""
        self._refresh()
        number = int(np.searchsorted(self._starts, position, side="right")) - 1
        self._lay_out_block(number)
        above, at = number - 1, 0.0
        while above >= 0 and at < distance:
            self._lay_out_block(above)
            at += self._heights[above]
            above -= 1
        top = self.top_of(number)
        self.lay_out_between(top, top + distance)

    def position_at(self, point: QPointF) -> int:
        return self.hitTest(point, Qt.HitTestAccuracy.FuzzyHit)

    # --- interface to Qt

    def documentSize(self) -> QSizeF:
        return QSizeF(max(0.0, self._page.textWidth()), self.page_height())

    def pageCount(self) -> int:
        return 1

    def frameBoundingRect(self, frame: QTextFrame) -> QRectF:
        return QRectF(QPointF(0, 0), self.documentSize())

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        """Rectangle of the lines of a paragraph; line positions are relative to its corner."""
        # Qt calls this once more at exit, when Python has already deleted the page
        if not block.isValid() or not isValid(self._page):
            return QRectF()
        number = block.blockNumber()
        self._refresh()
        self._lay_out_block(number)
        top = self.top_of(number) + self._insets[number]
        height = self._heights[number] - self._insets[number] - block.blockFormat().bottomMargin()
        return QRectF(SIDE_PX, top, self._width(), height)

    def hitTest(  # type: ignore[override]  # Qt itself gives nothing but a QPointF
        self, point: QPointF, accuracy: Qt.HitTestAccuracy
    ) -> int:
        number = self.number_at(point.y())
        block = self._page.findBlockByNumber(number)
        place = self.blockBoundingRect(block)
        if accuracy is Qt.HitTestAccuracy.ExactHit and not place.contains(point):
            return -1
        inside = point - place.topLeft()
        layout = block.layout()
        lines = [layout.lineAt(n) for n in range(layout.lineCount())]
        line = next((each for each in lines if inside.y() < _bottom_of(each, block)), lines[-1])
        return block.position() + line.xToCursor(inside.x())

    def draw(self, painter: QPainter, context: QAbstractTextDocumentLayout.PaintContext) -> None:
        """Draw the text once in each colour: as ranges of another format, hundreds of words take 20 ms."""
        ink, rest = context.palette.color(QPalette.ColorRole.Text), QRegion(context.clip.toAlignedRect())
        for _ink, region in self.inks:
            rest -= region
        for colour, region in ((ink, rest), *self.inks):
            painter.save()
            painter.setPen(colour)
            if self.inks:
                painter.setClipRegion(region, Qt.ClipOperation.IntersectClip)
            self._draw_blocks(painter, context, region)
            painter.restore()

    def _draw_blocks(
        self, painter: QPainter, context: QAbstractTextDocumentLayout.PaintContext, region: QRegion
    ) -> None:
        number = self.number_at(context.clip.top())
        while number < len(self._is_laid_out) and self.top_of(number) < context.clip.bottom():
            block = self._page.findBlockByNumber(number)
            place = self.blockBoundingRect(block)
            if region.intersects(place.toAlignedRect()):
                drawn = self._overlays(block.position(), block.position() + block.length())
                block.layout().draw(painter, place.topLeft(), _ranges_in(block, drawn), context.clip)
            number += 1


def _set_lines(block: QTextBlock, width_px: float) -> float:
    """Break a paragraph into lines and return their total height."""
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
    """Height of a line in its paragraph: fixed once the paragraph has its format."""
    return block.blockFormat().lineHeight() or line.height()


def _bottom_of(line: QTextLine, block: QTextBlock) -> float:
    return line.y() + line.ascent() + _line_px(line, block) * (1 - BASELINE_SHARE)


def _ranges_in(block: QTextBlock, drawn: Sequence[DrawnRange]) -> list[QTextLayout.FormatRange]:
    start, end, ranges = block.position(), block.position() + block.length(), []
    for first, last, look in drawn:
        if first < end and last > start:
            part = QTextLayout.FormatRange()
            part.start = max(first, start) - start
            part.length = min(last, end) - start - part.start
            part.format = look
            ranges.append(part)
    return ranges


class ScrolledPage(QTextEdit):
    """Lays out its text incrementally and scrolls it; an overview replaces the scroll bars."""

    reflowed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._overscroll = (0, 0)
        self._block_tops: tuple[Float64Array, Float64Array] | None = None
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(MARGIN_PX)
        self.lines = PageLayout(self.document(), self._refine_heights, self._drawn_ranges)
        self.document().setDocumentLayout(self.lines)
        self.lines.finished.connect(self._use_final_heights)
        self.reflowed.connect(self._forget_block_tops)
        self.verticalScrollBar().rangeChanged.connect(self._update_scroll_range)
        self.verticalScrollBar().valueChanged.connect(self._end_overscroll)

    def _drawn_ranges(self, _start: int, _end: int) -> Sequence[DrawnRange]:
        """Ranges between two positions to draw in another format; subclasses override this."""
        return ()

    # --- positions

    def page_top_of(self, position: int) -> int:
        """Top of the line that contains a position, in pixels from the top of the page.

        The text around it is laid out as well, so that the line does not move once it is visible.
        """
        self.lines.lay_out_around(position, self.viewport().height())
        box = next(line_boxes(self.document(), position, position + 1), None)
        return round(box.top()) if box else 0

    def estimated_ys(self, positions: NDArray[np.integer]) -> Float64Array:
        """Y of positions on the page in pixels; the lines of a block count as equally long."""
        if self._block_tops is None:
            self._block_tops = self.lines.block_tops()
        ys: Float64Array = np.interp(positions, *self._block_tops)
        return ys

    def _forget_block_tops(self) -> None:
        self._block_tops = None

    def _line_px(self) -> int:
        return round(em_px(self.font()) * LINE_EM)

    def first_visible(self) -> int:
        return self.position_at(0, 0)

    def position_at(self, x: int, y: int) -> int:
        return self.lines.position_at(QPointF(x, y + self.verticalScrollBar().value()))

    def _anchor(self) -> int:
        """Position to keep in place: the first visible one; subclasses may choose another."""
        return self.first_visible()

    # --- scrolling

    def reveal(self, start: int, end: int) -> None:
        """Scroll a range to a third of the height, unless it is visible."""
        top, bottom = self.page_top_of(start), self.page_top_of(max(start, end - 1)) + self._line_px()
        scrolled = self.verticalScrollBar().value()
        visible_range = range(scrolled, scrolled + self.viewport().height() + 1)
        if top not in visible_range or bottom not in visible_range:
            rest = top - self.viewport().height() // 3
            self.scroll_to(max(0, min(rest, self._natural_maximum())))

    def scroll_to(self, value: int) -> None:
        """Scroll to `value` pixels, which may be beyond either end of the page.

        The margin beyond an end lasts until the page is scrolled back: at rest there is none, but the
        first sentence can still be aligned with one in the middle of the other text.
        """
        self._overscroll = (min(0, value), max(0, value - self._natural_maximum()))
        self._update_scroll_range()
        self.verticalScrollBar().setValue(value)

    def _natural_maximum(self) -> int:
        return max(0, self.lines.page_height() - self.viewport().height())

    def _update_scroll_range(self) -> None:
        above, below = self._overscroll
        self.verticalScrollBar().setRange(above, self._natural_maximum() + below)

    def _end_overscroll(self, value: int) -> None:
        if self._overscroll != (0, 0) and 0 <= value <= self._natural_maximum():
            self._overscroll = (0, 0)
            self._update_scroll_range()

    def _refine_heights(self, change: Callable[[], None]) -> None:
        """Make a change that refines heights without moving the visible text."""
        value = self.verticalScrollBar().value()
        first = self.lines.number_at(value)
        before = self.lines.top_of(first)
        change()
        value += round(self.lines.top_of(first) - before)
        if self._overscroll == (0, 0):
            self._update_scroll_range()
            self.verticalScrollBar().setValue(value)
        else:
            self.scroll_to(value)

    def bring_to(self, position: int, y: int) -> None:
        """Scroll until the line of a position is at `y` of the viewport, limited to the viewport."""
        y = max(0, min(y, self.viewport().height() - self._line_px()))
        self.scroll_to(self.page_top_of(position) - y)

    def keep_place(self, change: Callable[[], None]) -> None:
        """Make a change that moves lines; the visible frame, or else the first line, stays in place."""
        anchor = self._anchor()
        y = self.page_top_of(anchor) - self.verticalScrollBar().value()
        at_top = self.verticalScrollBar().value() == 0
        change()
        if not at_top:
            self.scroll_to(self.page_top_of(anchor) - y)

    # --- changes that move lines

    def resizeEvent(self, event: QResizeEvent) -> None:
        if event.size().width() == event.oldSize().width():
            self.keep_place(lambda: self._resize_height(event))
        else:
            self.keep_place(lambda: self.relayout(lambda: super(ScrolledPage, self).resizeEvent(event)))

    def _resize_height(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_scroll_range()
        self.reflowed.emit()

    def relayout(self, change: Callable[[], None]) -> None:
        """Make a change that moves lines: visible ones move at once, the rest of a long page step by step."""
        self.lines.run(change)
        if not self.lines.is_finished:
            self._update_scroll_range()
            self.reflowed.emit()

    def _use_final_heights(self) -> None:
        self._update_scroll_range()
        self.reflowed.emit()

"""Text page that keeps the visible text in place while it is laid out, resized or restyled."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QTextEdit, QWidget

from simcompare.support.arrays import Float64Array
from simcompare.ui.compare.text_pane.page_layout import DrawnRange, PageLayout
from simcompare.ui.compare.text_pane.text_lines import line_boxes
from simcompare.ui.compare.text_pane.typography import LINE_EM, MARGIN_PX, em_px

# ruff: noqa: N802 - Qt names the methods it calls


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
        """Position of the first visible character."""
        return self.position_at(0, 0)

    def position_at(self, x: int, y: int) -> int:
        """Position of the character nearest to a point of the viewport."""
        return self.lines.position_at(QPointF(x, y + self.verticalScrollBar().value()))

    def _anchor(self) -> int:
        """Position to keep in place: the first visible one; subclasses may choose another."""
        return self.first_visible()

    # --- scrolling

    def reveal(self, start: int, end: int) -> None:
        """Scroll a range to a third of the height, unless it is visible."""
        top, bottom = self.page_top_of(start), self.page_top_of(max(start, end - 1)) + self._line_px()
        visible_range = range(self.verticalScrollBar().value(), 1 + self._visible_bottom())
        if top not in visible_range or bottom not in visible_range:
            rest = top - self.viewport().height() // 3
            self.scroll_to(max(0, min(rest, self._natural_maximum())))

    def _visible_bottom(self) -> int:
        return self.verticalScrollBar().value() + self.viewport().height()

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
        """Update the scroll range once all heights are exact."""
        self._update_scroll_range()
        self.reflowed.emit()

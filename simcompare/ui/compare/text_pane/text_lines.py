"""Geometry of characters and lines of a laid-out text, in pixels of the page."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import cast

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath, QTextBlock, QTextDocument, QTextLine

from simcompare.ui.compare.text_pane.typography import BASELINE_SHARE, LINE_EM

# beside the baseline, in em of the line's font: high enough for accents, low enough for an underline
# that stays clear of descenders
_TINT_ABOVE_EM = 1.2
_TINT_BELOW_EM = 0.42
UNTINTED_SHARE = LINE_EM / (_TINT_ABOVE_EM + _TINT_BELOW_EM) - 1
"""Gap between the boxes of two lines, as a share of their height; boxes are rounded to pixels."""

_STRETCH_ABOVE_EM = (LINE_EM + _TINT_ABOVE_EM - _TINT_BELOW_EM) / 2
"""Top of a line's share of a continuous tint, above the baseline; it is as high as the line."""


@dataclass(frozen=True, slots=True)
class _PageLine:
    """A line of the page: positions of its text in the page, and pixels of the page.

    block, block_end: position of its paragraph, and of the separator after it
    x: of the left edge of its paragraph, from which the text line measures
    tint, stretch: top and bottom of the box of a tint, and of one without gaps
    """

    text: QTextLine
    start: int
    end: int
    block: int
    block_end: int
    x: float
    tint: tuple[float, float]
    stretch: tuple[int, int]

    def x_of(self, position: int) -> float:
        return _x_of(self.text, position - self.block) + self.x

    @property
    def right(self) -> float:
        """Right edge of its text without spaces at the end, which extend beyond the line."""
        return min(self.x_of(self.end), self.text.x() + self.text.width() + self.x)


class PageLines:
    """Lines of a page from one position to another, for the boxes of many ranges between these."""

    def __init__(self, page: QTextDocument, start: int, end: int) -> None:
        self._lines = list(_lines_between(page, start, end))
        self._ends = [line.end for line in self._lines]

    def boxes(self, start: int, end: int) -> Iterator[QRectF]:
        """Yield the box of each line's part of [start, end): from above letters to below the underline."""
        for line in self._from(start):
            if line.start >= end:
                return
            last = min(end, line.block_end)
            if line.start < last:
                left = line.x_of(max(start, line.start))
                right = line.right if last >= line.end else min(line.x_of(last), line.right)
                top, bottom = line.tint
                yield QRectF(left, top, right - left, bottom - top)

    def stretch(self, start: int, end: int, width_px: float) -> Iterator[QRectF]:
        """Yield a box for each line of [start, end) that together cover it without gaps.

        A box reaches to the left edge of the page unless text before `start` is in its line, and to
        `width_px` unless [start, end) ends in its line.
        """
        for place, line in enumerate(self._from(start), bisect_right(self._ends, start)):
            if line.start >= end:
                return
            if line.end <= line.block:
                continue
            left = line.x_of(start) if line.start < start else 0.0
            right = width_px if end > line.end else line.x_of(end)
            top, bottom = line.stretch
            if end > line.block_end + 1 and line.end >= line.block_end and place + 1 < len(self._lines):
                bottom = self._lines[place + 1].stretch[0]
            yield QRectF(left, top, right - left, bottom - top)

    def _from(self, start: int) -> Iterator[_PageLine]:
        return islice(self._lines, bisect_right(self._ends, start), None)


def _lines_between(page: QTextDocument, start: int, end: int) -> Iterator[_PageLine]:
    """Yield the lines from the one with `start` to the first one that begins at `end` or after it."""
    block = page.findBlock(start)
    while block.isValid():
        position, layout = block.position(), block.layout()
        origin = page.documentLayout().blockBoundingRect(block).topLeft()
        look = block.blockFormat().lineHeight()
        em, x, y = look / LINE_EM, origin.x(), origin.y()
        first = max(layout.lineForTextPosition(max(start - position, 0)).lineNumber(), 0)
        for number in range(first, layout.lineCount()):
            line = layout.lineAt(number)
            baseline = line.y() + line.ascent()
            begin = position + line.textStart()
            tint = round(baseline - _TINT_ABOVE_EM * em) + y, round(baseline + _TINT_BELOW_EM * em) + y
            stretch_top = baseline - _STRETCH_ABOVE_EM * em + y
            yield _PageLine(
                line,
                begin,
                begin + line.textLength(),
                position,
                position + block.length() - 1,
                x,
                tint,
                (round(stretch_top), round(stretch_top + look)),
            )
            if begin >= end:
                return
        block = block.next()


def line_boxes(page: QTextDocument, start: int, end: int) -> Iterator[QRectF]:
    """Yield the box of each line's part of [start, end), as in PageLines."""
    return PageLines(page, start, end).boxes(start, end)


def _stretch_top(line: QTextLine, block: QTextBlock) -> float:
    return line.y() + line.ascent() - _STRETCH_ABOVE_EM * _em_of(block)


def reading_y(page: QTextDocument, position: int, *, is_end: bool = False) -> float:
    """Y of a position on the page in reading order: within a line it grows with each character.

    Two ranges of one line get different heights by it. `is_end`: the position is the end of a range, which
    may be that of its line.
    """
    block = page.findBlock(position - is_end)
    inside = position - block.position()
    line = block.layout().lineForTextPosition(inside - is_end)
    share = (inside - line.textStart()) / max(line.textLength(), 1)
    top = page.documentLayout().blockBoundingRect(block).top() + _stretch_top(line, block)
    return float(top + min(share, 1.0) * block.blockFormat().lineHeight())


def _lines_of(block: QTextBlock) -> Iterator[QTextLine]:
    layout = block.layout()
    return (layout.lineAt(index) for index in range(layout.lineCount()))


def _em_of(block: QTextBlock) -> float:
    """Font size of a block, derived from its fixed line height."""
    return block.blockFormat().lineHeight() / LINE_EM


def _x_of(line: QTextLine, position: int) -> float:
    x, _position = cast("tuple[float, int]", line.cursorToX(position))
    return x


def character_at(page: QTextDocument, point: QPointF, near: int) -> int | None:
    """Position of the character drawn at a point of the page, or None outside the text.

    near: the position of the nearest character.
    """
    block = page.findBlock(near)
    if not block.isValid():
        return None
    inside = point - page.documentLayout().blockBoundingRect(block).topLeft()
    for line in _lines_of(block):
        top = line.y() + line.ascent() - BASELINE_SHARE * block.blockFormat().lineHeight()
        text_start = _x_of(line, line.textStart())
        text_end = _x_of(line, line.textStart() + line.textLength())
        in_height = 0 <= inside.y() - top < block.blockFormat().lineHeight()
        if in_height and text_start <= inside.x() < text_end:
            return block.position() + line.xToCursor(inside.x(), QTextLine.CursorPosition.CursorOnCharacter)
    return None


def outline(boxes: list[QRectF], gap_px: float, radius_px: float) -> QPainterPath:
    """Draw a rounded outline around boxes, each enlarged by `gap_px`."""
    joined = QPainterPath()
    for box in boxes:
        joined.addRect(box.adjusted(-gap_px, -gap_px, gap_px, gap_px))
    joined.setFillRule(Qt.FillRule.WindingFill)
    rounded = QPainterPath()
    for polygon in joined.simplified().toSubpathPolygons():
        _add_rounded(rounded, [polygon.at(i) for i in range(polygon.size() - 1)], radius_px)
    return rounded


def _add_rounded(path: QPainterPath, corners: list[QPointF], radius_px: float) -> None:
    for index, corner in enumerate(corners):
        before, after = corners[index - 1], corners[(index + 1) % len(corners)]
        start, end = _towards(corner, before, radius_px), _towards(corner, after, radius_px)
        if index == 0:
            path.moveTo(start)
        path.lineTo(start)
        path.quadTo(corner, end)
    path.closeSubpath()


def _towards(point: QPointF, target: QPointF, distance: float) -> QPointF:
    """Point `distance` away from `point`, at most half way to `target`."""
    way = QLineF(point, target)
    way.setLength(min(distance, way.length() / 2))
    return way.p2()

"""Geometry of characters and lines of a laid-out text, in pixels of the page."""

from collections.abc import Iterator
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


def line_boxes(page: QTextDocument, start: int, end: int) -> Iterator[QRectF]:
    """Yield the box of each line's part of [start, end), from above the letters to below the underline."""
    block = page.findBlock(start)
    while block.isValid() and block.position() < end:
        origin = page.documentLayout().blockBoundingRect(block).topLeft()
        first = max(start - block.position(), 0)
        last = min(end - block.position(), block.length() - 1)
        for line in _lines_of(block):
            if line.textStart() < last and line.textStart() + line.textLength() > first:
                yield _box(line, first, last, _em_of(block)).translated(origin)
        block = block.next()


def stretch_boxes(page: QTextDocument, start: int, end: int, width_px: float) -> Iterator[QRectF]:
    """Yield a box for each line of [start, end) that together cover it without gaps.

    A box reaches to the left edge of the page unless text before `start` is in its line, and to `width_px`
    unless [start, end) ends in its line.
    """
    block = page.findBlock(start)
    while block.isValid() and block.position() < end:
        origin = page.documentLayout().blockBoundingRect(block).topLeft()
        first, last = max(start - block.position(), 0), end - block.position()
        below = _stretch_bottom(page, block) if last > block.length() else None
        for line in _lines_of(block):
            line_end = line.textStart() + line.textLength()
            if line.textStart() >= last or line_end <= first:
                continue
            left = _x_of(line, first) + origin.x() if line.textStart() < first else 0.0
            right = width_px if last > line_end else _x_of(line, last) + origin.x()
            top = round(_stretch_top(line, block) + origin.y())
            bottom = round(_stretch_top(line, block) + origin.y() + block.blockFormat().lineHeight())
            if below is not None and line_end >= block.length() - 1:
                bottom = below
            yield QRectF(left, top, right - left, bottom - top)
        block = block.next()


def _stretch_top(line: QTextLine, block: QTextBlock) -> float:
    return line.y() + line.ascent() - _STRETCH_ABOVE_EM * _em_of(block)


def _stretch_bottom(page: QTextDocument, block: QTextBlock) -> int:
    """Bottom of the last line of a block, where the next block begins."""
    following = block.next()
    rect = page.documentLayout().blockBoundingRect(following)
    return round(_stretch_top(following.layout().lineAt(0), following) + rect.top())


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


def _box(line: QTextLine, first: int, last: int, em: float) -> QRectF:
    left = _x_of(line, max(first, line.textStart()))
    right = _x_of(line, min(last, line.textStart() + line.textLength()))
    baseline = line.y() + line.ascent()
    top = round(baseline - _TINT_ABOVE_EM * em)
    right = min(right, line.x() + line.width())  # spaces at the end of a line extend beyond it
    return QRectF(left, top, right - left, round(baseline + _TINT_BELOW_EM * em) - top)


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

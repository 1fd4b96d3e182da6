"""Typography of document blocks: size, weight, indents and spacing; the lines of a page."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice
from typing import cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontInfo,
    QKeySequence,
    QPainterPath,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextLine,
)

from simcompare.model.document import Block, BlockKind, Document
from simcompare.support.i18n import N_
from simcompare.ui.compare.text_pane.highlights import TextRanges, Utf16Map
from simcompare.ui.preferences import USUAL_TEXT_PERCENT, Preferences
from simcompare.ui.state.language import NamedAction
from simcompare.ui.style.theme import LATIN_FIRST_FAMILIES

MARGIN_PX = 24
"""Above and below the text."""
SIDE_PX = 10
"""Left and right of the text."""
LINE_EM = 1.7
"""Distance between baselines. In em, as CJK fonts claim a third more height than Latin ones."""
BASELINE_SHARE = 0.8
"""Position of the baseline in a line of fixed height, as Qt sets it."""

_PARAGRAPH_SPACE_EM = 0.6
_WHEEL_NOTCH = 120
_LETTERS_PER_HAN = 3  # a Chinese sentence with an English name in it stays in the Chinese font
_LATIN = (("A", "Z"), ("a", "z"), ("\u00c0", "\u024f"))
"""First and last character of each range."""
_HAN = (("\u3400", "\u9fff"), ("\U00020000", "\U0003ffff"))


@dataclass(frozen=True, slots=True, eq=False)
class BlockStyle:
    """Differences of one kind of block from a plain paragraph; lengths in em of its own font.

    Compared by identity, as there is one instance per style and thousands of blocks are grouped by it.
    """

    scale: float = 1.0
    bold: bool = False
    muted: bool = False
    latin: bool = False
    alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft
    left_em: float = 0.0
    first_line_em: float = 0.0
    above_em: float = 0.0


_PLAIN = BlockStyle()
_STYLES = {
    BlockKind.TITLE: BlockStyle(scale=1.2, bold=True, alignment=Qt.AlignmentFlag.AlignHCenter),
    BlockKind.HEADING: BlockStyle(scale=1.08, bold=True, above_em=1.2),
    BlockKind.PARAGRAPH: _PLAIN,
    BlockKind.LIST_ITEM: BlockStyle(left_em=2.0),
    BlockKind.TABLE_ROW: _PLAIN,
    BlockKind.QUOTATION: BlockStyle(muted=True, left_em=2.0),
    BlockKind.FOOTNOTE: BlockStyle(scale=0.92, muted=True),
    BlockKind.REFERENCE: BlockStyle(scale=0.92, left_em=2.0, first_line_em=-2.0),
}
_CHINESE_PARAGRAPH = BlockStyle(alignment=Qt.AlignmentFlag.AlignJustify, first_line_em=2.0)


def em_px(font: QFont) -> float:
    """Size of a font in pixels."""
    return float(QFontInfo(font).pixelSize())


@lru_cache(maxsize=500)  # asked for each row of a list that is painted
def is_latin(text: str) -> bool:
    """Check whether a text is written mostly in Latin letters."""
    latin, han = (int(_running_count(script, text)[-1]) for script in (_LATIN, _HAN))
    return latin > _LETTERS_PER_HAN * han


def _running_count(ranges: Iterable[tuple[str, str]], text: str) -> NDArray[np.int32]:
    """Count the characters within `ranges` before each position of a text; length len(text) + 1."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    inside = np.zeros(len(points) + 1, np.bool_)
    for first, last in ranges:
        inside[1:] |= (points >= ord(first)) & (points <= ord(last))
    return inside.cumsum(dtype=np.int32)


def apply_typography(
    page: QTextDocument, document: Document, styles: Sequence[BlockStyle], utf16: Utf16Map
) -> None:
    """Apply the style of each block to `page`, which holds the text of `document`.

    Muted colours are applied by the painting code: changing a colour here would cause a new layout.
    """
    font = page.defaultFont()
    common = Counter(styles).most_common(1)[0][0] if styles else _PLAIN
    formats = {style: (_block_format(style, font), _char_format(style, font)) for style in {common, *styles}}
    cursor = QTextCursor(page)
    cursor.beginEditBlock()
    cursor.select(QTextCursor.SelectionType.Document)
    _apply(cursor, *formats[common])
    for block, style in zip(document.blocks, styles, strict=True):
        if style != common:
            cursor.setPosition(utf16.to_utf16(block.span.start))
            cursor.setPosition(utf16.to_utf16(block.span.end), QTextCursor.MoveMode.KeepAnchor)
            _apply(cursor, *formats[style])
    cursor.endEditBlock()


def _apply(cursor: QTextCursor, block_format: QTextBlockFormat, char_format: QTextCharFormat) -> None:
    cursor.setBlockFormat(block_format)
    cursor.setCharFormat(char_format)


def block_styles(document: Document) -> list[BlockStyle]:
    """Style of every block, by its kind and script."""
    spans = np.array([(block.span.start, block.span.end) for block in document.blocks], np.int64)
    spans = spans.reshape(-1, 2)
    latin, han = (np.diff(_running_count(script, document.text)[spans])[:, 0] for script in (_LATIN, _HAN))
    scripts = zip((latin > _LETTERS_PER_HAN * han).tolist(), (han > latin).tolist(), strict=True)
    return [
        _style_of(block, document.text, *script)
        for block, script in zip(document.blocks, scripts, strict=True)
    ]


def muted_blocks(blocks: Iterable[Block], styles: Iterable[BlockStyle], utf16: Utf16Map) -> TextRanges:
    """Ranges of the blocks that are drawn in a muted colour."""
    both = zip(blocks, styles, strict=True)
    places = [(block.span.start, block.span.end) for block, style in both if style.muted]
    return TextRanges(np.array(places, np.int64).reshape(-1, 2), utf16)


def _style_of(block: Block, text: str, latin: bool, chinese: bool) -> BlockStyle:
    if latin:
        return _in_latin(_STYLES[block.kind])
    if block.kind is not BlockKind.PARAGRAPH:
        return _STYLES[block.kind]
    # a writer's own indent of ideographic spaces is kept, and not doubled
    return _CHINESE_PARAGRAPH if chinese and not text[block.span.start].isspace() else _PLAIN


@cache
def _in_latin(style: BlockStyle) -> BlockStyle:
    return replace(style, latin=True)


def _block_format(style: BlockStyle, font: QFont) -> QTextBlockFormat:
    em = em_px(font) * style.scale
    block_format = QTextBlockFormat()
    block_format.setLineHeight(round(em * LINE_EM), QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    block_format.setBottomMargin(round(em * _PARAGRAPH_SPACE_EM))
    block_format.setTopMargin(round(em * style.above_em))
    block_format.setAlignment(style.alignment)
    block_format.setLeftMargin(em * style.left_em)
    block_format.setTextIndent(em * style.first_line_em)
    return block_format


def _char_format(style: BlockStyle, font: QFont) -> QTextCharFormat:
    char_format = QTextCharFormat()
    if style.scale != 1.0:
        char_format.setFontPointSize(font.pointSizeF() * style.scale)
    if style.latin:
        char_format.setFontFamilies(LATIN_FIRST_FAMILIES)
    if style.bold:
        char_format.setFontWeight(QFont.Weight.Bold)
    return char_format


_PERCENTS = (80, 90, 100, 110, 125, 150, 175, 200, 225, 250)


class TextSize(QObject):
    """Text size in per cent, remembered between starts."""

    changed = Signal(int)

    def __init__(self, preferences: Preferences, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._preferences = preferences
        self.percent = preferences.text_percent
        self._wheel_angle = 0
        key = QKeySequence.StandardKey
        self._larger = NamedAction(N_("Larger text"), self, lambda: self.step(1), key.ZoomIn, "Ctrl+=")
        self._smaller = NamedAction(N_("Smaller text"), self, lambda: self.step(-1), key.ZoomOut)
        self._usual = NamedAction(
            N_("Default text size"), self, lambda: self._set(USUAL_TEXT_PERCENT), "Ctrl+0"
        )
        self.actions = (self._larger, self._smaller, self._usual)
        self._enable()

    def step(self, by: int) -> None:
        """Go to the next larger (above 0) or smaller (below 0) size; stop at either end."""
        if by > 0:
            self._set(min((each for each in _PERCENTS if each > self.percent), default=self.percent))
        else:
            self._set(max((each for each in _PERCENTS if each < self.percent), default=self.percent))

    def turn(self, angle: int) -> None:
        """Add up the angles of a fine wheel, in eighths of a degree, until they make a step."""
        self._wheel_angle += angle
        notches = int(self._wheel_angle / _WHEEL_NOTCH)
        self._wheel_angle -= notches * _WHEEL_NOTCH
        if notches:
            self.step(notches)

    def _set(self, percent: int) -> None:
        if percent == self.percent:
            return
        self.percent = self._preferences.text_percent = percent
        self._enable()
        self.changed.emit(percent)

    def _enable(self) -> None:
        self._larger.setEnabled(self.percent < _PERCENTS[-1])
        self._smaller.setEnabled(self.percent > _PERCENTS[0])
        self._usual.setEnabled(self.percent != USUAL_TEXT_PERCENT)


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

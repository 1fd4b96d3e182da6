"""Typography of document blocks: size, weight, indents and spacing; the text size setting."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QFont,
    QFontInfo,
    QKeySequence,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
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
        self._larger = self._action(N_("Larger text"), lambda: self.step(1), key.ZoomIn, "Ctrl+=")
        self._smaller = self._action(N_("Smaller text"), lambda: self.step(-1), key.ZoomOut)
        self._usual = self._action(N_("Usual text size"), lambda: self._set(USUAL_TEXT_PERCENT), "Ctrl+0")
        self.actions = (self._larger, self._smaller, self._usual)
        self._enable()

    def _action(
        self, text: str, do: Callable[[], None], *shortcuts: QKeySequence.StandardKey | str
    ) -> QAction:
        action = NamedAction(text, self, do)
        action.setShortcuts([QKeySequence(each) for each in shortcuts])
        return action

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

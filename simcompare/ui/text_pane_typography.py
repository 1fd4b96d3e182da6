"""How the blocks of a document are set: size, weight, indents and the space between them."""

import re
from dataclasses import dataclass, replace
from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)

from simcompare.document import Block, BlockKind, Document
from simcompare.ui.highlights import Utf16Map
from simcompare.ui.theme import LATIN_FIRST_FAMILIES, Theme

MARGIN_PX = 24
LINE_EM = 1.8
"""From one baseline to the next. In em, as CJK fonts claim a third more height than Latin ones."""
BASELINE_SHARE = 0.8
"""Qt sets the baseline of a line of fixed height at this share of it."""

_PARAGRAPH_SPACE_EM = 0.6
_LETTERS_PER_HAN = 3  # a Chinese sentence with an English name in it stays in the Chinese font
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_HAN = re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]")


@dataclass(frozen=True, slots=True)
class BlockLook:
    """How one kind of block differs from a plain paragraph; lengths in em of its own font."""

    scale: float = 1.0
    bold: bool = False
    muted: bool = False
    latin: bool = False
    alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft
    left_em: float = 0.0
    first_line_em: float = 0.0
    above_em: float = 0.0


_LOOKS = {
    BlockKind.TITLE: BlockLook(scale=1.2, bold=True, alignment=Qt.AlignmentFlag.AlignHCenter),
    BlockKind.HEADING: BlockLook(scale=1.08, bold=True, above_em=1.2),
    BlockKind.PARAGRAPH: BlockLook(),
    BlockKind.LIST_ITEM: BlockLook(left_em=2.0),
    BlockKind.TABLE_ROW: BlockLook(),
    BlockKind.QUOTATION: BlockLook(muted=True, left_em=2.0),
    BlockKind.FOOTNOTE: BlockLook(scale=0.92, muted=True),
    BlockKind.REFERENCE: BlockLook(scale=0.92, left_em=2.0, first_line_em=-2.0),
}
_CHINESE_PARAGRAPH = BlockLook(alignment=Qt.AlignmentFlag.AlignJustify, first_line_em=2.0)


def em_px(font: QFont) -> float:
    """Return the size of a font in pixels."""
    return float(QFontInfo(font).pixelSize())


def is_chinese(text: str) -> bool:
    """Whether Han characters make up the better part of a text."""
    return len(_HAN.findall(text)) * 2 > len(text)


def is_latin(text: str) -> bool:
    """Whether Latin letters make up the better part of a text."""
    return len(_LATIN.findall(text)) > _LETTERS_PER_HAN * len(_HAN.findall(text))


def set_type(page: QTextDocument, document: Document, utf16: Utf16Map, theme: Theme) -> None:
    """Set every block of `page`, which holds the text of `document`, as its kind asks."""
    cursor = QTextCursor(page)
    cursor.beginEditBlock()
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.setBlockFormat(_block_format(BlockLook(), page.defaultFont()))
    cursor.setCharFormat(QTextCharFormat())
    for block in document.blocks:
        look = _look_of(block, document.text)
        if look != BlockLook():
            cursor.setPosition(utf16.to_utf16(block.span.start))
            cursor.setPosition(utf16.to_utf16(block.span.end), QTextCursor.MoveMode.KeepAnchor)
            cursor.setBlockFormat(_block_format(look, page.defaultFont()))
            cursor.setCharFormat(_char_format(look, page.defaultFont(), theme))
    cursor.endEditBlock()


def _look_of(block: Block, text: str) -> BlockLook:
    words = block.span.of(text)
    if is_latin(words):
        return _in_latin(_LOOKS[block.kind])
    if block.kind is not BlockKind.PARAGRAPH:
        return _LOOKS[block.kind]
    # a writer's own indent of ideographic spaces is kept, and not doubled
    return _CHINESE_PARAGRAPH if is_chinese(words) and not words[0].isspace() else BlockLook()


@cache
def _in_latin(look: BlockLook) -> BlockLook:
    return replace(look, latin=True)


def _block_format(look: BlockLook, font: QFont) -> QTextBlockFormat:
    em = em_px(font) * look.scale
    block_format = QTextBlockFormat()
    block_format.setLineHeight(round(em * LINE_EM), QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    block_format.setBottomMargin(round(em * _PARAGRAPH_SPACE_EM))
    block_format.setTopMargin(round(em * look.above_em))
    block_format.setAlignment(look.alignment)
    block_format.setLeftMargin(em * look.left_em)
    block_format.setTextIndent(em * look.first_line_em)
    return block_format


def _char_format(look: BlockLook, font: QFont, theme: Theme) -> QTextCharFormat:
    char_format = QTextCharFormat()
    if look.scale != 1.0:
        char_format.setFontPointSize(font.pointSizeF() * look.scale)
    if look.latin:
        char_format.setFontFamilies(LATIN_FIRST_FAMILIES)
    if look.bold:
        char_format.setFontWeight(QFont.Weight.Bold)
    if look.muted:
        char_format.setForeground(QColor(theme.muted))
    return char_format

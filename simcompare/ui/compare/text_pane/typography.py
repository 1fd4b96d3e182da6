"""How the blocks of a document are set: size, weight, indents and the space between them."""

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
from simcompare.support.i18n import N_, _
from simcompare.ui.compare.text_pane.highlights import Ranges, Utf16Map
from simcompare.ui.preferences import USUAL_TEXT_PERCENT, Preferences
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.theme import LATIN_FIRST_FAMILIES

MARGIN_PX = 24
LINE_EM = 1.8
"""From one baseline to the next. In em, as CJK fonts claim a third more height than Latin ones."""
BASELINE_SHARE = 0.8
"""Qt sets the baseline of a line of fixed height at this share of it."""

_PARAGRAPH_SPACE_EM = 0.6
_LETTERS_PER_HAN = 3  # a Chinese sentence with an English name in it stays in the Chinese font
_LATIN = (("A", "Z"), ("a", "z"), ("\u00c0", "\u024f"))
"""The first and the last character of each range."""
_HAN = (("\u3400", "\u9fff"), ("\U00020000", "\U0003ffff"))


@dataclass(frozen=True, slots=True, eq=False)
class BlockLook:
    """How one kind of block differs from a plain paragraph; lengths in em of its own font.

    Each is there once: thousands of blocks are told apart by it.
    """

    scale: float = 1.0
    bold: bool = False
    muted: bool = False
    latin: bool = False
    alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft
    left_em: float = 0.0
    first_line_em: float = 0.0
    above_em: float = 0.0


_PLAIN = BlockLook()
_LOOKS = {
    BlockKind.TITLE: BlockLook(scale=1.2, bold=True, alignment=Qt.AlignmentFlag.AlignHCenter),
    BlockKind.HEADING: BlockLook(scale=1.08, bold=True, above_em=1.2),
    BlockKind.PARAGRAPH: _PLAIN,
    BlockKind.LIST_ITEM: BlockLook(left_em=2.0),
    BlockKind.TABLE_ROW: _PLAIN,
    BlockKind.QUOTATION: BlockLook(muted=True, left_em=2.0),
    BlockKind.FOOTNOTE: BlockLook(scale=0.92, muted=True),
    BlockKind.REFERENCE: BlockLook(scale=0.92, left_em=2.0, first_line_em=-2.0),
}
_CHINESE_PARAGRAPH = BlockLook(alignment=Qt.AlignmentFlag.AlignJustify, first_line_em=2.0)


def em_px(font: QFont) -> float:
    """Return the size of a font in pixels."""
    return float(QFontInfo(font).pixelSize())


def is_latin(text: str) -> bool:
    """Whether Latin letters make up the better part of a text."""
    latin, han = (int(_running_count(one, text)[-1]) for one in (_LATIN, _HAN))
    return latin > _LETTERS_PER_HAN * han


def _running_count(ranges: Iterable[tuple[str, str]], text: str) -> NDArray[np.int32]:
    """Return how many characters of some ranges stand before each place of a text."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    inside = np.zeros(len(points) + 1, np.bool_)
    for first, last in ranges:
        inside[1:] |= (points >= ord(first)) & (points <= ord(last))
    return inside.cumsum(dtype=np.int32)


def set_type(page: QTextDocument, document: Document, looks: Sequence[BlockLook], utf16: Utf16Map) -> None:
    """Set every block of `page`, which holds the text of `document`, in its look.

    Colours are left to those who paint the page: another colour would have it laid out anew.
    """
    font = page.defaultFont()
    common = Counter(looks).most_common(1)[0][0] if looks else _PLAIN
    formats = {look: (_block_format(look, font), _char_format(look, font)) for look in {common, *looks}}
    cursor = QTextCursor(page)
    cursor.beginEditBlock()
    cursor.select(QTextCursor.SelectionType.Document)
    _apply(cursor, *formats[common])
    for block, look in zip(document.blocks, looks, strict=True):
        if look != common:
            cursor.setPosition(utf16.to_utf16(block.span.start))
            cursor.setPosition(utf16.to_utf16(block.span.end), QTextCursor.MoveMode.KeepAnchor)
            _apply(cursor, *formats[look])
    cursor.endEditBlock()


def _apply(cursor: QTextCursor, block_format: QTextBlockFormat, char_format: QTextCharFormat) -> None:
    cursor.setBlockFormat(block_format)
    cursor.setCharFormat(char_format)


def looks_of(document: Document) -> list[BlockLook]:
    """Return the look of every block, by its kind and its script."""
    spans = np.array([(block.span.start, block.span.end) for block in document.blocks], np.int64)
    spans = spans.reshape(-1, 2)
    latin, han = (np.diff(_running_count(one, document.text)[spans])[:, 0] for one in (_LATIN, _HAN))
    scripts = zip(
        (latin > _LETTERS_PER_HAN * han).tolist(), (han * 2 > np.diff(spans)[:, 0]).tolist(), strict=True
    )
    return [
        _look_of(block, document.text, *script)
        for block, script in zip(document.blocks, scripts, strict=True)
    ]


def muted_blocks(blocks: Iterable[Block], looks: Iterable[BlockLook], utf16: Utf16Map) -> Ranges:
    """Return where the blocks stand that are set in a quiet colour."""
    both = zip(blocks, looks, strict=True)
    places = [(block.span.start, block.span.end) for block, look in both if look.muted]
    return Ranges(np.array(places, np.int64).reshape(-1, 2), utf16)


def _look_of(block: Block, text: str, latin: bool, chinese: bool) -> BlockLook:
    if latin:
        return _in_latin(_LOOKS[block.kind])
    if block.kind is not BlockKind.PARAGRAPH:
        return _LOOKS[block.kind]
    # a writer's own indent of ideographic spaces is kept, and not doubled
    return _CHINESE_PARAGRAPH if chinese and not text[block.span.start].isspace() else _PLAIN


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


def _char_format(look: BlockLook, font: QFont) -> QTextCharFormat:
    char_format = QTextCharFormat()
    if look.scale != 1.0:
        char_format.setFontPointSize(font.pointSizeF() * look.scale)
    if look.latin:
        char_format.setFontFamilies(LATIN_FIRST_FAMILIES)
    if look.bold:
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
        key = QKeySequence.StandardKey
        self._larger = self._action(N_("Larger text"), lambda: self.step(1), key.ZoomIn, "Ctrl+=")
        self._smaller = self._action(N_("Smaller text"), lambda: self.step(-1), key.ZoomOut)
        self._usual = self._action(N_("Usual text size"), lambda: self._set(USUAL_TEXT_PERCENT), "Ctrl+0")
        self.actions = (self._larger, self._smaller, self._usual)
        self._enable()
        follow_language(self._retranslate)

    def _action(
        self, text: str, do: Callable[[], None], *shortcuts: QKeySequence.StandardKey | str
    ) -> QAction:
        action = QAction(self)
        action.setData(text)
        action.setShortcuts([QKeySequence(each) for each in shortcuts])
        action.triggered.connect(do)
        return action

    def step(self, by: int) -> None:
        """Go to the next larger (1) or smaller (-1) size; stop at either end."""
        if by > 0:
            self._set(min((each for each in _PERCENTS if each > self.percent), default=self.percent))
        else:
            self._set(max((each for each in _PERCENTS if each < self.percent), default=self.percent))

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

    def _retranslate(self) -> None:
        for action in self.actions:
            action.setText(_(action.data()))

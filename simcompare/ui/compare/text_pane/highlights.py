"""Ranges of a text in Qt's positions, the pen that draws the line of each kind, and wrapped texts.

Documents count code points, Qt counts UTF-16 units; the two differ after the first emoji or rare Han
character. All conversions are made here.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPen, QTextCharFormat, QTextLayout

from simcompare.support.arrays import BoolArray, Int64Array
from simcompare.ui.style.text_labels import extra_px
from simcompare.ui.style.theme import KindStyle, Theme

NO_RANGES: Int64Array = np.zeros((0, 2), np.int64)

_WIDEST_GAP = 2  # sentences are separated by at most two blanks, or a line end
_LAST_OF_ONE_UNIT = "\uffff"
# in pen widths; the dots of Qt's own pattern are too far apart to look like a line under small text
_DASHES = {
    Qt.PenStyle.DashLine: (3.0, 1.5),
    Qt.PenStyle.DotLine: (1.0, 1.0),
    Qt.PenStyle.DashDotLine: (4.0, 1.5, 1.0, 1.5),
    Qt.PenStyle.DashDotDotLine: (1.0, 1.0, 1.0, 3.0),
    Qt.PenStyle.CustomDashLine: (7.0, 2.0),
}


class Utf16Map:
    """Conversion between code point offsets and UTF-16 positions of one text."""

    def __init__(self, text: str) -> None:
        code_points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
        self._astral = np.flatnonzero(code_points > ord(_LAST_OF_ONE_UNIT)).astype(np.int64)
        self._astral_positions = self._astral + np.arange(len(self._astral))

    def to_utf16(self, offset: int) -> int:
        return offset + int(np.searchsorted(self._astral, offset)) if len(self._astral) else offset

    def to_code_point(self, position: int) -> int:
        """Code point at a UTF-16 position, which may be inside a surrogate pair."""
        if not len(self._astral):
            return position
        return position - int(np.searchsorted(self._astral_positions, position))

    def all_to_utf16(self, offsets: Int64Array) -> Int64Array:
        positions: Int64Array = offsets + np.searchsorted(self._astral, offsets)
        return positions


class TextRanges:
    """Sorted ranges of one text as arrays of UTF-16 positions; they do not overlap."""

    def __init__(self, places: Int64Array, utf16: Utf16Map) -> None:
        """Convert code points, shape (n, 2), sorted."""
        self.starts = utf16.all_to_utf16(places[:, 0])
        self.ends = utf16.all_to_utf16(places[:, 1])

    def __len__(self) -> int:
        return len(self.starts)

    def at(self, position: int) -> int | None:
        index = int(np.searchsorted(self.starts, position, side="right")) - 1
        return index if index >= 0 and position < self.ends[index] else None

    def touching(self, start: int, end: int) -> range:
        """Find the ranges that reach into [start, end]; return their indices."""
        first = int(np.searchsorted(self.ends, start, side="right"))
        return range(first, int(np.searchsorted(self.starts, end, side="right")))

    def gaps_in(self, start: int, end: int, left_out: BoolArray) -> list[tuple[int, int]]:
        """Return the parts of [start, end) that are in no range, or in one that is left out."""
        touched = self.touching(start, end - 1)
        inside = touched.start + np.flatnonzero(~left_out[touched.start : touched.stop])
        starts = np.append(self.starts[inside], end)
        ends = np.append(start, self.ends[inside])
        is_gap = starts - ends > _WIDEST_GAP
        return list(zip(ends[is_gap].tolist(), starts[is_gap].tolist(), strict=True))


@cache
def underline_pen(kind_look: KindStyle, width_px: int) -> QPen:
    """Pen for the line of a kind, in its pattern."""
    pen = QPen(QColor(kind_look.ink), width_px, kind_look.underline)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if kind_look.underline in _DASHES:
        pen.setDashPattern(_DASHES[kind_look.underline])
    return pen


class ExcludedRanges:
    """Sorted excluded ranges of one text as UTF-16 positions, each with its reason in words."""

    def __init__(self, places: Int64Array, words: Sequence[str], utf16: Utf16Map) -> None:
        """Convert code points, shape (n, 2), with one text for each."""
        table = utf16.all_to_utf16(places)
        self._starts, self._ends = table[:, 0], table[:, 1]
        self._words = words
        self._runs = self._joined()

    @classmethod
    def none(cls) -> "ExcludedRanges":
        return cls(NO_RANGES, (), Utf16Map(""))

    def words_at(self, position: int) -> str:
        index = int(np.searchsorted(self._starts, position, side="right")) - 1
        return self._words[index] if index >= 0 and position < self._ends[index] else ""

    def touching(self, start: int, end: int) -> list[tuple[int, int]]:
        """Find the ranges that reach into [start, end); consecutive ones are joined."""
        first = int(self._runs[:, 1].searchsorted(start, side="right"))
        last = int(self._runs[:, 0].searchsorted(end, side="left"))
        return [(start, end) for start, end in self._runs[first:last].tolist()]

    @staticmethod
    def char_format(theme: Theme) -> QTextCharFormat:
        grey = QTextCharFormat()
        grey.setForeground(QColor(theme.muted))
        return grey

    def _joined(self) -> Int64Array:
        """Ranges with consecutive ones joined, shape (n, 2).

        Of three adjacent selections Qt does not paint the middle one.
        """
        apart = self._starts[1:] - self._ends[:-1] > _WIDEST_GAP
        firsts = np.concatenate([[True], apart])[: len(self._starts)]
        lasts = np.concatenate([apart, [True]])[: len(self._ends)]
        return np.stack([self._starts[firsts], self._ends[lasts]], axis=1)


@lru_cache(maxsize=4096)  # all rows of a class are measured whenever one has changed
def wrapped(text: str, font: QFont, width_px: int, most_lines: int) -> tuple[str, ...]:
    """Break a text into lines; the last one is elided."""
    layout = QTextLayout(text, font)
    utf16 = Utf16Map(text)
    starts: list[int] = []
    layout.beginLayout()
    while len(starts) < most_lines and (line := layout.createLine()).isValid():
        line.setLineWidth(max(width_px, 1))
        starts.append(utf16.to_code_point(line.textStart()))
    layout.endLayout()
    full_lines = [text[start:end].rstrip() for start, end in pairwise(starts)]
    rest = text[starts[-1] :]
    elided_px = width_px - extra_px(font, rest)
    last = QFontMetrics(font).elidedText(rest, Qt.TextElideMode.ElideRight, elided_px)
    return (*full_lines, last)

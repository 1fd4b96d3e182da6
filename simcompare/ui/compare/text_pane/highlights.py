"""Where highlights stand in a text, in Qt's positions, and the line that marks their kind.

Documents count code points, Qt counts UTF-16 units; the two differ after the first emoji or rare Han
character. They are converted here and nowhere else.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextEdit

from simcompare.comparison.comparison_result import MatchKind
from simcompare.model.document import Span
from simcompare.ui.style.theme import KindStyle, Theme

IntArray = NDArray[np.int64]

_LAST_OF_ONE_UNIT = "\uffff"
# in widths of the pen; Qt's own dots stand so far apart that the line falls to pieces under small text
_DASHES = {Qt.PenStyle.DashLine: (3.0, 1.5), Qt.PenStyle.DotLine: (1.0, 1.0)}


class Utf16Map:
    """Code point offsets of one text <-> UTF-16 positions."""

    def __init__(self, text: str) -> None:
        self._astral = _astral_offsets(text)
        self._astral_positions = self._astral + np.arange(len(self._astral))

    def to_utf16(self, offset: int) -> int:
        """Return the UTF-16 position of a code point."""
        return offset + int(np.searchsorted(self._astral, offset)) if len(self._astral) else offset

    def to_code_point(self, position: int) -> int:
        """Return the code point that a UTF-16 position belongs to, also from within a surrogate pair."""
        if not len(self._astral):
            return position
        return position - int(np.searchsorted(self._astral_positions, position))

    def all_to_utf16(self, offsets: IntArray) -> IntArray:
        """Return the UTF-16 positions of many code points."""
        positions: IntArray = offsets + np.searchsorted(self._astral, offsets)
        return positions


def _astral_offsets(text: str) -> IntArray:
    """Code points that take two UTF-16 units."""
    code_points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    return np.flatnonzero(code_points > ord(_LAST_OF_ONE_UNIT)).astype(np.int64)


class Ranges:
    """Ranges of one text in reading order, as UTF-16 positions in arrays; they do not overlap."""

    def __init__(self, places: IntArray, utf16: Utf16Map) -> None:
        """Take code points, shape (n, 2), in order."""
        self.starts = utf16.all_to_utf16(places[:, 0])
        self.ends = utf16.all_to_utf16(places[:, 1])

    def __len__(self) -> int:
        return len(self.starts)

    def at(self, position: int) -> int | None:
        """Return the index of the range that covers a position, or None."""
        index = int(np.searchsorted(self.starts, position, side="right")) - 1
        return index if index >= 0 and position < self.ends[index] else None

    def touching(self, start: int, end: int) -> range:
        """Return the indices of the ranges that reach into [start, end]."""
        first = int(np.searchsorted(self.ends, start, side="right"))
        return range(first, int(np.searchsorted(self.starts, end, side="right")))


class Highlights(Ranges):
    """The sentences of one text that are highlighted, each with a kind.

    starts, ends, kinds have one length.
    """

    def __init__(self, spans_and_kinds: Sequence[tuple[Span, MatchKind]], utf16: Utf16Map) -> None:
        rows = [(span.start, span.end, kind) for span, kind in spans_and_kinds]
        table = np.array(rows, np.int64).reshape(-1, 3)
        self._take(table[:, :2], table[:, 2], utf16)

    @classmethod
    def of_columns(
        cls, spans: NDArray[np.integer], kinds: NDArray[np.integer], utf16: Utf16Map
    ) -> "Highlights":
        """Make them of spans, shape (n, 2) in code points, and of their MatchKind values."""
        made = cls((), utf16)
        made._take(spans.astype(np.int64), kinds.astype(np.int64), utf16)
        return made

    def _take(self, spans: IntArray, kinds: IntArray, utf16: Utf16Map) -> None:
        order = np.argsort(spans[:, 0], kind="stable")
        super().__init__(spans[order], utf16)
        self.kinds = kinds[order]

    def range_of(self, index: int) -> tuple[int, int, MatchKind]:
        """Return start, end and kind of one highlight."""
        return int(self.starts[index]), int(self.ends[index]), MatchKind(int(self.kinds[index]))


def underline_pen(look: KindStyle, width_px: int) -> QPen:
    """Return the pen that draws the line of a kind: solid, dashed or dotted."""
    pen = QPen(QColor(look.ink), width_px, look.underline)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if look.underline in _DASHES:
        pen.setDashPattern(_DASHES[look.underline])
    return pen


_WIDEST_GAP = 2  # between sentences stand at most two blanks, or a line end


class ExcludedRanges:
    """Excluded ranges of one text in reading order, as UTF-16 positions, each with words that say why."""

    def __init__(self, places: IntArray, words: Sequence[str], utf16: Utf16Map) -> None:
        """Take code points, shape (n, 2), and as many words."""
        table = utf16.all_to_utf16(places)
        self._starts, self._ends = table[:, 0], table[:, 1]
        self._words = words
        self._runs = self._joined()

    @classmethod
    def none(cls) -> "ExcludedRanges":
        """Return what stands for a text that counts all over."""
        return cls(np.zeros((0, 2), np.int64), (), Utf16Map(""))

    def words_at(self, position: int) -> str:
        """Return why the text at a position is excluded, nothing where it counts."""
        index = int(np.searchsorted(self._starts, position, side="right")) - 1
        return self._words[index] if index >= 0 and position < self._ends[index] else ""

    def touching(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the ranges that reach into [start, end), those joined that follow each other."""
        first = int(self._runs[:, 1].searchsorted(start, side="right"))
        last = int(self._runs[:, 0].searchsorted(end, side="left"))
        return [(start, end) for start, end in self._runs[first:last].tolist()]

    @staticmethod
    def look(theme: Theme) -> QTextCharFormat:
        """Return the look of what is excluded."""
        grey = QTextCharFormat()
        grey.setForeground(QColor(theme.muted))
        return grey

    def selections(self, document: QTextDocument, theme: Theme) -> list[QTextEdit.ExtraSelection]:
        """Return what greys the ranges in a document."""
        grey = self.look(theme)
        found = []
        for start, end in self._runs.tolist():
            selection = QTextEdit.ExtraSelection()
            selection.format = grey
            selection.cursor = QTextCursor(document)
            selection.cursor.setPosition(start)
            selection.cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            found.append(selection)
        return found

    def _joined(self) -> IntArray:
        """Return the ranges with those joined that follow each other, shape (n, 2).

        Of three selections in a row Qt does not paint the middle one.
        """
        apart = self._starts[1:] - self._ends[:-1] > _WIDEST_GAP
        firsts = np.concatenate([[True], apart])[: len(self._starts)]
        lasts = np.concatenate([apart, [True]])[: len(self._ends)]
        return np.stack([self._starts[firsts], self._ends[lasts]], axis=1)

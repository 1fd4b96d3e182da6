"""The sentences of a text that are excluded: greyed, with the reason at hand."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextEdit

from simcompare.ui.looks.theme import Theme
from simcompare.ui.text_pane.highlights import IntArray, Utf16Map

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

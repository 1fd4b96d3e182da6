"""The words that were looked for in one text, and their places on its page."""

import numpy as np
from PySide6.QtGui import QPainter, QTextDocument

from simcompare.ui.looks.theme import Theme
from simcompare.ui.text_pane.highlights import IntArray, Ranges, Utf16Map
from simcompare.ui.text_pane.painting import paint_found


class FoundWords(Ranges):
    """Ranges of words that were looked for; `current` is the index of the one a person is at."""

    def __init__(self, places: IntArray, current: int | None, utf16: Utf16Map) -> None:
        super().__init__(places, utf16)
        self.current = current

    @staticmethod
    def none() -> "FoundWords":
        """Return no words."""
        return FoundWords(np.zeros((0, 2), np.int64), None, Utf16Map(""))

    def paint(self, painter: QPainter, page: QTextDocument, part: tuple[int, int], theme: Theme) -> None:
        """Mark those that reach between two positions of the page, the current ones over the others."""
        touched = self.touching(*part)
        for index in sorted(touched, key=lambda each: each == self.current):
            words = int(self.starts[index]), int(self.ends[index])
            paint_found(painter, page, words, theme, current=index == self.current)

"""What the teacher made of the highlighted sentences of a text: fine ones fade, copied ones have a flag."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect
from PySide6.QtGui import QIcon, QPainter, QTextDocument

from simcompare.comparison.values import Comparison
from simcompare.ui.looks.icons import icon
from simcompare.ui.looks.theme import Theme
from simcompare.ui.state.match_judgements import MatchJudgements
from simcompare.ui.state.side import Side
from simcompare.ui.text_pane.lines import line_boxes

FAINT_OPACITY = 0.45
_FLAG_PX = 16
_FLAG_LEFT_PX = 4

BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedSentences:
    """One row for each highlighted sentence of a text, in order.

    fine: all its matches were judged fine; copied: at least one was judged copied.
    """

    fine: BoolArray
    copied: BoolArray

    @classmethod
    def of(cls, comparison: Comparison, side: Side, judgements: MatchJudgements) -> "JudgedSentences":
        """Gather what was made of the matches of each sentence that has any."""
        best = comparison.matches.best_of_left if side is Side.LEFT else comparison.matches.best_of_right
        if not (judgements.copied.any() or judgements.fine.any()):
            return cls.none(int(np.count_nonzero(best >= 0)))
        cells = comparison.matches.cells
        sentences = cells.rows if side is Side.LEFT else cells.columns
        subject = comparison.left if side is Side.LEFT else comparison.right

        def count(chosen: BoolArray) -> NDArray[np.intp]:
            return np.bincount(sentences[chosen], minlength=subject.prepared.sentence_count)

        matched = count(np.ones(len(sentences), np.bool_))
        all_fine = count(judgements.fine) == matched
        return cls(all_fine[matched > 0], (count(judgements.copied) > 0)[matched > 0])

    def same_as(self, other: "JudgedSentences") -> bool:
        """Whether nothing looks different."""
        return np.array_equal(self.fine, other.fine) and np.array_equal(self.copied, other.copied)

    @classmethod
    def none(cls, sentences: int = 0) -> "JudgedSentences":
        """Return what stands for sentences of which nothing was judged."""
        return cls(np.zeros(sentences, np.bool_), np.zeros(sentences, np.bool_))


def flag_icon(theme: Theme) -> QIcon:
    """Return the flag of what was copied."""
    return icon("flag", theme.danger)


def paint_flag(painter: QPainter, page: QTextDocument, position: int, flag: QIcon) -> None:
    """Paint a flag in the margin beside the line of a position."""
    box = next(line_boxes(page, position, position + 1), None)
    if box is not None:
        top = round(box.center().y()) - _FLAG_PX // 2
        flag.paint(painter, QRect(_FLAG_LEFT_PX, top, _FLAG_PX, _FLAG_PX))

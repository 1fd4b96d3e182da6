"""Painting of tints, underlines, frames, search hits and flags on a page of text."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen, QRegion, QTextDocument

from simcompare.comparison.comparison_result import Comparison, MatchKind
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.session.decisions import MatchDecisions
from simcompare.support.arrays import BoolArray, Int64Array
from simcompare.ui.compare.text_pane.highlights import NO_RANGES, TextRanges, Utf16Map, underline_pen
from simcompare.ui.compare.text_pane.typography import UNTINTED_SHARE, PageLines, line_boxes, outline
from simcompare.ui.state.document_listing import Side
from simcompare.ui.style.theme import KindStyle, Theme

LINE_PX = 2
FAINT_OPACITY = 0.45
_FOUND_LINE_PX = 1
_FOUND_RADIUS_PX = 3.0
_FOUND_ABOVE_UNDERLINE_PX = 4
_FRAME_GAP_PX = 2.0
_FRAME_RADIUS_PX = 4.0


_GROUND_SHARE = 0.5
_SELECTED_SHARE = 0.9
_UNMATCHED_SHARE = 0.15


def passage_ground(
    theme: Theme, kind: PassageKind, *, fine: bool = False, selected: bool = False, matched: bool = True
) -> QColor:
    """Background of a passage: its tint, lighter. Opaque, so that overlapping ones do not darken.

    selected: beside the texts. matched: not where a sentence has no match.
    """
    share = _SELECTED_SHARE if selected else _GROUND_SHARE if matched else _UNMATCHED_SHARE
    return mixed(theme.passages[kind].tint, theme.surface, share * (FAINT_OPACITY if fine else 1.0))


def word_looks(theme: Theme) -> tuple[KindStyle, KindStyle]:
    """Return the looks of words without a partner and of synonyms."""
    return KindStyle(theme.changed, theme.surface, Qt.PenStyle.SolidLine), theme.kinds[MatchKind.SYNONYM]


def mixed(colour: str, ground: str, share: float) -> QColor:
    """Mix a share of a colour into a background colour."""
    over, under = QColor(colour), QColor(ground)
    pairs = (over.red(), under.red()), (over.green(), under.green()), (over.blue(), under.blue())
    return QColor(*(round(share * a + (1 - share) * b) for a, b in pairs))


def paint_passage(
    painter: QPainter, lines: PageLines, part: tuple[int, int], width_px: int, ground: QColor
) -> None:
    """Fill the lines between two positions without gaps; `width_px` is that of the viewport."""
    for box in lines.stretch(*part, width_px):
        painter.fillRect(box, ground)


def paint_words(painter: QPainter, lines: PageLines, part: tuple[int, int], look: KindStyle) -> QRegion:
    """Underline the words between two positions; return the region of their text."""
    region = QRegion()
    painter.setPen(underline_pen(look, LINE_PX))
    for box in lines.boxes(*part):
        y = round(box.bottom()) - 1  # a line two pixels thick covers one on either side
        painter.drawLine(round(box.left()), y, round(box.right()), y)
        region += box.toAlignedRect()
    return region


def paint_frame(painter: QPainter, page: QTextDocument, part: tuple[int, int], theme: Theme) -> None:
    """Draw a rounded frame around the text between two positions."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(theme.accent), LINE_PX))
    boxes = list(line_boxes(page, *part))
    lines_apart_px = UNTINTED_SHARE * max((box.height() for box in boxes), default=0.0) + 1
    painter.drawPath(outline(boxes, max(_FRAME_GAP_PX, lines_apart_px / 2), _FRAME_RADIUS_PX))


def paint_disguise(painter: QPainter, lines: PageLines, part: tuple[int, int], theme: Theme) -> None:
    """Draw a box around a word, or a line where invisible characters are, which have no width."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(theme.caution), 1.5))
    for box in lines.boxes(*part):
        beside = 1 if box.width() >= 1 else 0
        inside = box.adjusted(-beside, _FOUND_ABOVE_UNDERLINE_PX, beside, -_FOUND_ABOVE_UNDERLINE_PX)
        painter.drawRoundedRect(inside, LINE_PX, LINE_PX)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def paint_hit(
    painter: QPainter, lines: PageLines, part: tuple[int, int], theme: Theme, current: bool
) -> None:
    """Tint and outline a search hit, the current one with a thicker line.

    The line below a changed word stays visible.
    """
    width = LINE_PX if current else _FOUND_LINE_PX
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(theme.found), width))
    painter.setBrush(QColor(theme.found_tint))
    for box in lines.boxes(*part):
        inside = box.adjusted(0, LINE_PX, 0, -_FOUND_ABOVE_UNDERLINE_PX)
        edge = width / 2
        shape = inside.toAlignedRect().toRectF().adjusted(edge, edge, -edge, -edge)
        painter.drawRoundedRect(shape, _FOUND_RADIUS_PX, _FOUND_RADIUS_PX)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


class SearchHits(TextRanges):
    """Search hits as ranges; `current` is the index of the current one."""

    def __init__(self, places: Int64Array, current: int | None, utf16: Utf16Map) -> None:
        super().__init__(places, utf16)
        self.current = current

    @staticmethod
    def none() -> "SearchHits":
        return SearchHits(NO_RANGES, None, Utf16Map(""))

    def paint(self, painter: QPainter, lines: PageLines, part: tuple[int, int], theme: Theme) -> None:
        touched = self.touching(*part)
        for index in sorted(touched, key=lambda each: each == self.current):
            words = int(self.starts[index]), int(self.ends[index])
            paint_hit(painter, lines, words, theme, current=index == self.current)


@dataclass(frozen=True, slots=True, eq=False)
class SentenceDecisions:
    """Decisions on the highlighted sentences of a text, one row for each, in order.

    fine: all its matches are decided as fine; copied: at least one is decided as copied.
    """

    fine: BoolArray
    copied: BoolArray

    @classmethod
    def of(cls, comparison: Comparison, side: Side, decisions: MatchDecisions) -> "SentenceDecisions":
        """Summarise the decisions on the matches of each sentence that has any."""
        best = comparison.matches.best_of_left if side is Side.LEFT else comparison.matches.best_of_right
        if not (decisions.copied.any() or decisions.fine.any()):
            return cls.none(int(np.count_nonzero(best >= 0)))
        cells = comparison.matches.cells
        sentences = cells.rows if side is Side.LEFT else cells.columns
        prepared_document = comparison.left if side is Side.LEFT else comparison.right

        def count(chosen: BoolArray) -> NDArray[np.intp]:
            return np.bincount(sentences[chosen], minlength=prepared_document.prepared.sentence_count)

        matched = count(np.ones(len(sentences), np.bool_))
        all_fine = count(decisions.fine) == matched
        return cls(all_fine[matched > 0], (count(decisions.copied) > 0)[matched > 0])

    def same_as(self, other: "SentenceDecisions") -> bool:
        return np.array_equal(self.fine, other.fine) and np.array_equal(self.copied, other.copied)

    @classmethod
    def none(cls, sentences: int = 0) -> "SentenceDecisions":
        return cls(np.zeros(sentences, np.bool_), np.zeros(sentences, np.bool_))

"""What is painted on a page beside its letters: tints of matched sentences, the frame of one, words found."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPen, QTextDocument

from simcompare.ui.looks.theme import KindLook, Theme
from simcompare.ui.text_pane.highlights import underline_pen
from simcompare.ui.text_pane.lines import UNTINTED_SHARE, line_boxes, outline

LINE_PX = 2
_FOUND_LINE_PX = 1
_FOUND_RADIUS_PX = 3.0
_FOUND_ABOVE_UNDERLINE_PX = 4
_FRAME_GAP_PX = 2.0
_FRAME_RADIUS_PX = 4.0


def paint_tints(painter: QPainter, page: QTextDocument, part: tuple[int, int], look: KindLook) -> None:
    """Tint and underline the text between two positions."""
    painter.setPen(underline_pen(look, LINE_PX))
    for box in line_boxes(page, *part):
        _paint_tint(painter, box, QColor(look.tint))


def _paint_tint(painter: QPainter, box: QRectF, tint: QColor) -> None:
    box = box.adjusted(1, 0, -1, 0)  # a seam, or two sentences in a row would look like one
    painter.fillRect(box, tint)
    y = round(box.bottom()) - 1  # a line two pixels thick covers one on either side
    painter.drawLine(round(box.left()), y, round(box.right()), y)


def paint_frame(painter: QPainter, page: QTextDocument, part: tuple[int, int], theme: Theme) -> None:
    """Draw a rounded frame round the text between two positions."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(theme.accent), LINE_PX))
    boxes = list(line_boxes(page, *part))
    lines_apart_px = UNTINTED_SHARE * max((box.height() for box in boxes), default=0.0) + 1
    painter.drawPath(outline(boxes, max(_FRAME_GAP_PX, lines_apart_px / 2), _FRAME_RADIUS_PX))


def paint_found(
    painter: QPainter, page: QTextDocument, part: tuple[int, int], theme: Theme, current: bool
) -> None:
    """Tint and outline words that were looked for, the current ones with a thicker line.

    The line of a match below them stays to be seen.
    """
    width = LINE_PX if current else _FOUND_LINE_PX
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(theme.found), width))
    painter.setBrush(QColor(theme.found_tint))
    for box in line_boxes(page, *part):
        inside = box.adjusted(0, LINE_PX, 0, -_FOUND_ABOVE_UNDERLINE_PX)
        edge = width / 2
        shape = inside.toAlignedRect().toRectF().adjusted(edge, edge, -edge, -edge)
        painter.drawRoundedRect(shape, _FOUND_RADIUS_PX, _FOUND_RADIUS_PX)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

"""Painter of the rows of the list of passages."""

from dataclasses import replace

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from simcompare.comparison.comparison_result import Match, NearMiss
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.session.decisions import Decision
from simcompare.ui.access.rows_table import AnyIndex, RowsTable
from simcompare.ui.compare.matches.inspector_sentences import chip_size, paint_chip
from simcompare.ui.compare.matches.passage_filter import SIDE_PX
from simcompare.ui.compare.matches.passage_rows import PassageRow, PassageRows
from simcompare.ui.labels import NOTE_ICON, decision_icon
from simcompare.ui.style.icons import icon
from simcompare.ui.style.theme import GRID_PX, bold, current_theme

_BAR_PX = 3
_ICON_PX = 16
_ARROW_MIDDLE_PX = 9  # in the margin, beside the bar of a selected row
_ARROW_TARGET_PX = 6 * GRID_PX
_INDENTATION_PX = 4 * GRID_PX
_LINE_PX = 1.5
_PARTLY_PX = 10
_LEAST_EXCERPT_PX = 20 * GRID_PX
"""Least width for the beginning of a sentence: a few characters tell nothing."""


def row_height(metrics: QFontMetrics) -> int:
    """Height of a row in pixels: a line with a chip above a line of text."""
    return chip_size(PassageKind.IDENTICAL, metrics).height() + metrics.height() + 5 * GRID_PX


def arrow_rect(row: QRect) -> QRect:
    """Part of a passage's row that unfolds it when clicked."""
    return QRect(row.topLeft(), QSize(_ARROW_TARGET_PX, row.height()))


class PassageRowPainter(QStyledItemDelegate):
    """Paints rows of two lines.

    A passage: number, kind, decision, share of common words; length and the beginning of the left text.
    A pair of sentences, indented: sentence numbers, the beginning of the left sentence if there is room for
    it, number of synonyms, decision; how much of the two is the same.
    """

    def __init__(self, rows: PassageRows, table: RowsTable[PassageRow]) -> None:
        super().__init__(table)
        self._rows, self._table = rows, table
        self._note_icon = icon(NOTE_ICON, "muted")
        self._icons = {decision: decision_icon(decision) for decision in Decision}

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        painter.save()
        painter.setFont(option.font)
        rect: QRect = option.rect
        row = self._table.model_of_rows.rows[index.row()]
        paint_row_ground(painter, option, current_theme().accent_tint)
        line_height = chip_size(PassageKind.IDENTICAL, painter.fontMetrics()).height()
        inner = rect.adjusted(SIDE_PX, 2 * GRID_PX, -SIDE_PX, -2 * GRID_PX)
        if row.match is None and self._rows.can_unfold(row.passage):
            middle = QPointF(rect.left() + _ARROW_MIDDLE_PX, inner.top() + line_height / 2)
            _paint_arrow(painter, middle, self._rows.is_unfolded(row.passage))
        elif row.match is not None:
            inner.setLeft(inner.left() + _INDENTATION_PX)
        upper = QRect(inner.topLeft(), QSize(inner.width(), line_height))
        lower = inner.adjusted(0, line_height + GRID_PX, 0, 0)
        if row.match is None:
            self._paint_passage(painter, upper, lower, row, index.data())
        else:
            self._paint_match(painter, upper, lower, row, index.data())
        painter.restore()

    def _paint_passage(
        self, painter: QPainter, upper: QRect, lower: QRect, row: PassageRow, excerpt: str
    ) -> None:
        theme, rows = current_theme(), self._rows
        painter.setPen(QColor(theme.muted))
        painter.drawText(upper, Qt.AlignmentFlag.AlignVCenter, f"{row.passage + 1:,}")
        widest = painter.fontMetrics().horizontalAdvance(f"{rows.last_number:,}")
        corner = QPoint(upper.left() + widest + 2 * GRID_PX, upper.top())
        chip = paint_chip(painter, corner, rows.kind(row.passage), theme)
        free = _paint_bold_at_right(painter, upper, rows.common_words(row.passage))
        self._paint_decision(painter, free.adjusted(chip.right() - free.left(), 0, 0, 0), row)
        free = _paint_at_right(painter, lower, rows.length(row.passage), theme.muted)
        _paint_elided(painter, free, excerpt, theme.ink)

    def _paint_match(
        self, painter: QPainter, upper: QRect, lower: QRect, row: PassageRow, excerpt: str
    ) -> None:
        assert row.match is not None, "a row of a pair of sentences has a match"
        theme, numbers = current_theme(), sentence_numbers(self._rows.match_at(row.match))
        painter.setPen(QColor(theme.muted))
        painter.drawText(upper, Qt.AlignmentFlag.AlignVCenter, numbers)
        same, synonyms = self._rows.agreement(row.match)
        free = _paint_at_right(painter, self._paint_decision(painter, upper, row), synonyms, theme.muted)
        free.setLeft(free.left() + painter.fontMetrics().horizontalAdvance(numbers) + 2 * GRID_PX)
        if free.width() >= _LEAST_EXCERPT_PX:
            _paint_elided(painter, free, excerpt, theme.muted)
        _paint_elided(painter, lower.adjusted(0, 0, SIDE_PX // 2, 0), same, theme.ink)

    def _paint_decision(self, painter: QPainter, free: QRect, row: PassageRow) -> QRect:
        """Paint the marks of decision and note, from the right; return the free rectangle to their left.

        A pair of sentences has a mark of its own only if it differs from its passage.
        """
        noted = self._rows.decision(row)
        if row.match is not None and noted.decision is self._rows.decision(PassageRow(row.passage)).decision:
            noted = replace(noted, decision=None)
        place = QRect(free.right() - _ICON_PX, free.center().y() - _ICON_PX // 2, _ICON_PX, _ICON_PX)
        if noted.decision is not None:
            self._icons[noted.decision].paint(painter, place)
        elif self._rows.is_partly_decided(row):
            _paint_half_disc(painter, place)
        else:
            place.translate(_ICON_PX + GRID_PX, 0)
        if noted.note:
            place.translate(-_ICON_PX - GRID_PX, 0)
            self._note_icon.paint(painter, place)
        return free.adjusted(0, 0, place.left() - GRID_PX - free.right(), 0)


def sentence_numbers(match: Match | NearMiss) -> str:
    """Numbers of two sentences: "5 ↔ 6"."""
    return f"{match.left + 1:,} ↔ {match.right + 1:,}"


def _paint_arrow(painter: QPainter, middle: QPointF, unfolded: bool) -> None:
    points = [QPointF(-GRID_PX / 2, -GRID_PX), QPointF(GRID_PX / 2, 0.0), QPointF(-GRID_PX / 2, GRID_PX)]
    if unfolded:
        points = [QPointF(point.y(), point.x()) for point in points]
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(current_theme().muted), _LINE_PX))
    painter.drawPolyline([middle + point for point in points])
    painter.restore()


def _paint_half_disc(painter: QPainter, place: QRect) -> None:
    """Paint the mark of a passage that is partly decided."""
    margin = (_ICON_PX - _PARTLY_PX) / 2
    disc = QRectF(place).adjusted(margin, margin, -margin, -margin)
    ink = QColor(current_theme().muted)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(ink, _LINE_PX))
    painter.drawEllipse(disc)
    painter.setBrush(ink)
    painter.drawPie(disc, 90 * 16, 180 * 16)
    painter.restore()


def _paint_bold_at_right(painter: QPainter, line: QRect, text: str) -> QRect:
    regular = painter.font()
    painter.setFont(bold(regular))
    free = _paint_at_right(painter, line, text, current_theme().ink)
    painter.setFont(regular)
    return free


def _paint_at_right(painter: QPainter, free: QRect, text: str, ink: str) -> QRect:
    """Paint a text at the right end of a line; return the free rectangle to its left."""
    painter.setPen(QColor(ink))
    painter.drawText(free, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)
    return free.adjusted(0, 0, -painter.fontMetrics().horizontalAdvance(text) - 2 * GRID_PX, 0)


def _paint_elided(painter: QPainter, free: QRect, text: str, ink: str) -> None:
    painter.setPen(QColor(ink))
    elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, free.width())
    painter.drawText(free, Qt.AlignmentFlag.AlignVCenter, elided)


def paint_row_ground(painter: QPainter, option: QStyleOptionViewItem, chosen: str) -> None:
    """Paint the background of a list row: selected, hovered or plain; a frame for the keyboard focus."""
    theme, state = current_theme(), option.state
    rect: QRect = option.rect
    if state & QStyle.StateFlag.State_Selected:
        painter.fillRect(rect, QColor(chosen))
        painter.fillRect(QRect(rect.topLeft(), QSize(_BAR_PX, rect.height())), QColor(theme.accent))
    elif state & QStyle.StateFlag.State_MouseOver:
        painter.fillRect(rect, QColor(theme.raised))
    if state & QStyle.StateFlag.State_HasFocus and state & QStyle.StateFlag.State_KeyboardFocusChange:
        painter.setPen(QColor(theme.accent))
        painter.drawRect(rect.adjusted(0, 0, -1, -1))

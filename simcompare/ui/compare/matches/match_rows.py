"""Model of the match list, which reads the arrays of a comparison, and the painter of its rows."""

from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFontMetrics, QIcon, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from simcompare.comparison.comparison_result import Comparison, Match, MatchKind
from simcompare.report.wording import kind_name, number
from simcompare.session.decisions import Decision, NotedDecision
from simcompare.support.i18n import _
from simcompare.ui.compare.matches.kind_chip import chip_size, paint_chip
from simcompare.ui.compare.matches.match_filter import SIDE_PX
from simcompare.ui.labels import DECISION_ICONS, NOTE_ICON, decision_colour, decision_text
from simcompare.ui.state.review.match_decisions import (
    DecisionFilter,
    MatchDecisions,
    MatchIndices,
    list_position,
    no_decisions,
)
from simcompare.ui.style.appearance import current_theme, follow_theme
from simcompare.ui.style.icons import icon
from simcompare.ui.style.theme import GRID_PX, bold

# ruff: noqa: N802 - Qt names the methods it calls


AnyIndex = QModelIndex | QPersistentModelIndex
INDEX_ROLE = Qt.ItemDataRole.UserRole
MATCH_ROLE = Qt.ItemDataRole.UserRole + 1
DECISION_ROLE = Qt.ItemDataRole.UserRole + 2

_BAR_PX = 3
_MARK_PX = 16
_EXCERPT_LENGTH = 80  # more than fits into any list
_NONE = QModelIndex()


class MatchRows(QAbstractListModel):
    """The listed matches of a comparison, filtered by kind and decision, in reading order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._comparison: Comparison | None = None
        self._listed: MatchIndices = np.zeros(0, np.intp)
        self._decisions = no_decisions(0)

    def show(
        self,
        comparison: Comparison | None,
        decisions: MatchDecisions,
        kinds: frozenset[MatchKind],
        listed_decisions: DecisionFilter,
    ) -> None:
        """List the matches of these kinds and decisions."""
        self.beginResetModel()
        self._comparison = comparison
        self._decisions = decisions
        found = comparison.matches.kinds if comparison else np.zeros(0, np.int8)
        self._listed = decisions.listed(found, kinds, listed_decisions)
        self.endResetModel()

    def set_decisions(self, decisions: MatchDecisions) -> None:
        """Use other decisions for the same rows."""
        self._decisions = decisions

    def row_of(self, match_index: int) -> int | None:
        """Row of a match; None if it is not listed."""
        row = list_position(self._listed, match_index)
        return row if row < len(self._listed) and self._listed[row] == match_index else None

    @property
    def last_number(self) -> int:
        """Highest number listed, counted from 1."""
        return int(self._listed[-1]) + 1 if len(self._listed) else 0

    def rowCount(self, parent: AnyIndex = _NONE) -> int:
        """Count the listed matches."""
        return 0 if parent.isValid() else len(self._listed)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a row: text, Match, NotedDecision, or index into the matches."""
        if self._comparison is None or not index.isValid():
            return None
        match_index = int(self._listed[index.row()])
        if role == INDEX_ROLE:
            return match_index
        if role == DECISION_ROLE:
            return self._noted_decision(match_index)
        return self._text_data(self._comparison, match_index, role)

    def _text_data(self, comparison: Comparison, match_index: int, role: int) -> Any:
        match = comparison.matches[match_index]
        if role == MATCH_ROLE:
            return match
        if role == Qt.ItemDataRole.DisplayRole:
            return self._excerpt(comparison, match)
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            decided_text = decision_text(self._noted_decision(match_index))
            words = self._in_words(match_index, match)
            return f"{words}\n{decided_text}" if decided_text else words
        return None

    def _noted_decision(self, match_index: int) -> NotedDecision:
        decisions = self._decisions
        return NotedDecision(decisions.decision(match_index), decisions.notes.get(match_index, ""))

    @staticmethod
    def _excerpt(comparison: Comparison, match: Match) -> str:
        return comparison.left_span(match).of(comparison.left.document.text)[:_EXCERPT_LENGTH]

    @staticmethod
    def _in_words(match_index: int, match: Match) -> str:
        words = _("Match {number}, {kind}: sentence {left} on the left, {right} on the right, P = {p}")
        described = words.format(
            number=match_index + 1,
            kind=kind_name(match.kind),
            left=match.left + 1,
            right=match.right + 1,
            p=number(match.p),
        )
        return described if match.w is None else f"{described}, w = {number(match.w)}"


def row_height(metrics: QFontMetrics) -> int:
    """Height of a row in pixels: a line with a chip above a line of text."""
    return chip_size(MatchKind.EXACT, metrics).height() + metrics.height() + 5 * GRID_PX


class MatchRowPainter(QStyledItemDelegate):
    """Paints a match in two lines: scores; sentence numbers and the beginning of the left sentence."""

    def __init__(self, rows: MatchRows) -> None:
        super().__init__(rows)
        self._rows = rows
        follow_theme(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = current_theme()
        self._marks: dict[Decision | None, QIcon] = {None: icon(NOTE_ICON, theme.muted)}
        for decision, drawing in DECISION_ICONS.items():
            self._marks[decision] = icon(drawing, decision_colour(decision, theme))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint one row."""
        painter.save()
        painter.setFont(option.font)
        rect: QRect = option.rect
        paint_row_ground(painter, option, current_theme().accent_tint)
        inner = rect.adjusted(SIDE_PX, 2 * GRID_PX, -SIDE_PX, -2 * GRID_PX)
        match = index.data(MATCH_ROLE)
        upper = QRect(
            inner.topLeft(), QSize(inner.width(), chip_size(match.kind, painter.fontMetrics()).height())
        )
        free = self._paint_numbers(painter, upper, index.data(INDEX_ROLE), match)
        self._paint_marks(painter, free, index.data(DECISION_ROLE))
        self._paint_sentence(painter, inner.adjusted(0, upper.height() + GRID_PX, 0, 0), index.data(), match)
        painter.restore()

    def _paint_numbers(self, painter: QPainter, line: QRect, match_index: int, match: Match) -> QRect:
        """Paint number, chip and P; return the free rectangle between them."""
        painter.setPen(QColor(current_theme().muted))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, f"{match_index + 1:,}")
        widest = painter.fontMetrics().horizontalAdvance(f"{self._rows.last_number:,}")
        corner = QPoint(line.left() + widest + 2 * GRID_PX, line.top())
        chip = paint_chip(painter, corner, match.kind, current_theme())
        regular = painter.font()
        painter.setFont(bold(regular))
        free = _paint_at_right(painter, line, f"P {number(match.p)}", current_theme().ink)
        painter.setFont(regular)
        free.setLeft(chip.right() + 2 * GRID_PX)
        return free

    def _paint_marks(self, painter: QPainter, free: QRect, noted_decision: NotedDecision) -> None:
        """Paint icons of decision and note, from the right."""
        decided = [noted_decision.decision] if noted_decision.decision else []
        marks = [self._marks[decision] for decision in decided]
        if noted_decision.note:
            marks.insert(0, self._marks[None])
        place = QRect(free.right() - _MARK_PX, free.center().y() - _MARK_PX // 2, _MARK_PX, _MARK_PX)
        for mark in marks:
            mark.paint(painter, place)
            place.translate(-_MARK_PX - GRID_PX, 0)

    def _paint_sentence(self, painter: QPainter, line: QRect, excerpt: str, match: Match) -> None:
        metrics = painter.fontMetrics()
        sentences = f"{match.left + 1} ↔ {match.right + 1}"
        painter.setPen(QColor(current_theme().muted))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, sentences)
        free = line.adjusted(metrics.horizontalAdvance(sentences) + 2 * GRID_PX, 0, 0, 0)
        if match.w is not None:
            free = _paint_at_right(painter, free, f"w {number(match.w)}", current_theme().muted)
        painter.setPen(QColor(current_theme().ink))
        elided = metrics.elidedText(excerpt, Qt.TextElideMode.ElideRight, free.width())
        painter.drawText(free, Qt.AlignmentFlag.AlignVCenter, elided)


def _paint_at_right(painter: QPainter, free: QRect, text: str, ink: str) -> QRect:
    """Paint a text at the right end of a line; return the free rectangle to its left."""
    painter.setPen(QColor(ink))
    painter.drawText(free, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)
    return free.adjusted(0, 0, -painter.fontMetrics().horizontalAdvance(text) - 2 * GRID_PX, 0)


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

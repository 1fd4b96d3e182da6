"""Delegate of the table of pairs: bars for shares, icon and word for decisions."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from simcompare.session.decisions import Decision
from simcompare.support.i18n import _
from simcompare.ui.cohort.pair_order import FIELDS, RAW_SHARES, SENTENCE_SHARES, SHARES, PairColumn
from simcompare.ui.cohort.pair_table_model import NO_FIGURE, PairCell, PairTableModel, alignment
from simcompare.ui.labels import DECISION_ICONS, NOTE_ICON, decision_colour
from simcompare.ui.style.appearance import current_theme, follow_theme, scaled
from simcompare.ui.style.elided_label import elided_name
from simcompare.ui.style.icons import icon
from simcompare.ui.style.theme import GRID_PX, Theme

SIDE_PX = 2 * GRID_PX
FIRST_PX = 4 * GRID_PX
BAR_PX = 12 * GRID_PX
"""Length of a bar for a share of 1."""
ROW_PX = 8 * GRID_PX
_BAR_HEIGHT_PX = 6
_CHOSEN_PX = 3
SIGN_PX = 16
"""Side of the icons of decision and note."""
_COLUMNS = tuple(PairColumn)

_SELECTED = QStyle.StateFlag.State_Selected.value
_ALIGNED = {column: alignment(column).value for column in PairColumn}

AnyIndex = QModelIndex | QPersistentModelIndex


def header_style(theme: Theme) -> str:
    """Return the style sheet of the header of a table of the class."""
    return f"""
        QHeaderView {{ background: {theme.surface}; }}
        QHeaderView::section {{
            background: {theme.surface}; color: {theme.muted}; border: none;
            border-bottom: 1px solid {theme.line}; padding: 6px {SIDE_PX}px;
        }}
        QHeaderView::section:first {{ padding-left: {FIRST_PX}px; }}
        QHeaderView::section:hover {{ background: {theme.accent_tint}; color: {theme.ink}; }}
    """


class PairPainter(QStyledItemDelegate):
    """Paints the cells; figures that are being computed again are italic and muted."""

    def __init__(self, rows: PairTableModel) -> None:
        super().__init__(rows)
        self._rows = rows
        self._cells: dict[int, Sequence[PairCell]] = {}
        self._fonts = PairCellFonts(QFont())
        follow_theme(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = current_theme()
        self._colours = PairCellColours(theme)
        self._icons = {
            decision: icon(DECISION_ICONS[decision], decision_colour(decision, theme))
            for decision in Decision
        }
        self._note_icon = icon(NOTE_ICON, theme.muted)
        self._doubt_icon = icon("warning", theme.caution)

    def clear_cache(self) -> None:
        """Discard cached rows before a paint event."""
        self._cells.clear()

    def _cell(self, index: AnyIndex) -> PairCell:
        row = index.row()
        if row not in self._cells:
            self._cells[row] = self._rows.cells_of_row(row)
        return self._cells[row][index.column()]

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        column, cell, rect = _COLUMNS[index.column()], self._cell(index), QRect(option.rect)
        painter.save()
        self._paint_ground(painter, option, column)
        inner = rect.adjusted(FIRST_PX if column is PairColumn.A else SIDE_PX, 0, -SIDE_PX, 0)
        renewing = cell.renewing and column in FIELDS and column is not PairColumn.DISTANCE
        if self._fonts.base != option.font:
            self._fonts = PairCellFonts(option.font)
        painter.setFont(self._fonts.slanted if renewing else self._fonts.upright)
        if column in SHARES:
            share_px = self._fonts.metrics.horizontalAdvance(self._rows.widest_share)
            free = inner.width() - share_px - SIDE_PX
            self._paint_bar(painter, QRect(inner.left(), inner.top(), free, inner.height()), cell)
        if cell.decision is not None:
            self._icons[cell.decision].paint(
                painter, QRect(inner.left(), inner.top(), SIGN_PX, inner.height())
            )
            inner.adjust(SIGN_PX + GRID_PX, 0, 0, 0)
        if cell.is_noted:
            place = QRect(inner.right() - SIGN_PX + 1, inner.top(), SIGN_PX, inner.height())
            self._note_icon.paint(painter, place)
            inner.adjust(0, 0, -SIGN_PX - GRID_PX, 0)
        if cell.same:
            inner.adjust(0, 0, -self._paint_same(painter, inner, cell.same), 0)
        if cell.is_old:
            inner.adjust(0, 0, -self._paint_old(painter, inner), 0)
        if cell.is_doubtful:
            self._doubt_icon.paint(
                painter, QRect(inner.right() - SIGN_PX + 1, inner.top(), SIGN_PX, inner.height())
            )
            inner.adjust(0, 0, -SIGN_PX - GRID_PX, 0)
        pale = renewing or cell.is_old or cell.text == NO_FIGURE or column in (*RAW_SHARES, *SENTENCE_SHARES)
        pale = pale or cell.is_pale or (column is PairColumn.DECISION and cell.decision is None)
        painter.setPen(self._colours.muted if pale else self._colours.ink)
        painter.drawText(inner, _ALIGNED[column], self._fitting(column, cell, inner.width()))
        painter.restore()

    def _fitting(self, column: PairColumn, cell: PairCell, width_px: int) -> str:
        """Text elided to the free width; columns are as wide as their widest figure."""
        metrics = self._fonts.metrics
        if column in (PairColumn.A, PairColumn.B):
            return elided_name(metrics, cell.text, width_px, cell.shared)
        if column is PairColumn.DECISION:
            return metrics.elidedText(cell.text, Qt.TextElideMode.ElideRight, width_px)
        return cell.text

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, column: PairColumn) -> None:
        rect = QRect(option.rect)
        if option.state.value & _SELECTED:
            painter.fillRect(rect, self._colours.accent_tint)
            if column is PairColumn.A:
                painter.fillRect(rect.adjusted(0, 0, _CHOSEN_PX - rect.width(), 0), self._colours.accent)
        painter.fillRect(rect.adjusted(0, rect.height() - 1, 0, 0), self._colours.line)

    def _paint_same(self, painter: QPainter, free: QRect, words: str) -> int:
        """Mark B as the same as A at the right, in words if they fit; return the width used."""
        text, metrics = f"= {words}", self._fonts.metrics
        if metrics.horizontalAdvance(text) > free.width() // 2:
            text = "="
        painter.setPen(self._colours.accent)
        painter.drawText(free, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text)
        return metrics.horizontalAdvance(text) + SIDE_PX

    def _paint_old(self, painter: QPainter, free: QRect) -> int:
        """Mark earlier work at the right, in a short word if there is no space; return the width used."""
        text, metrics = _("earlier work"), self._fonts.metrics
        if metrics.horizontalAdvance(text) > free.width() // 2:
            text = _("old")
        painter.setPen(self._colours.muted)
        painter.drawText(free, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text)
        return metrics.horizontalAdvance(text) + SIDE_PX

    def _paint_bar(self, painter: QPainter, free: QRect, cell: PairCell) -> None:
        """Paint the share as a part of the bar for a whole text."""
        if cell.share is None or free.width() < scaled(BAR_PX // 4):
            return
        bar = QRectF(free.left(), free.center().y() - _BAR_HEIGHT_PX / 2 + 1, free.width(), _BAR_HEIGHT_PX)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for share, colour in ((1.0, self._colours.line), (cell.share, self._colours.accent)):
            if share:
                painter.setBrush(colour)
                part = QRectF(bar.left(), bar.top(), max(bar.width() * share, 2.0), bar.height())
                painter.drawRoundedRect(part, _BAR_HEIGHT_PX / 2, _BAR_HEIGHT_PX / 2)


class PairCellColours:
    """Colours of a theme as QColor, created once instead of for each cell."""

    def __init__(self, theme: Theme) -> None:
        self.ink, self.muted = QColor(theme.ink), QColor(theme.muted)
        self.line, self.accent = QColor(theme.line), QColor(theme.accent)
        self.accent_tint = QColor(theme.accent_tint)


class PairCellFonts:
    """Font with digits of equal width, and its metrics, created once instead of for each cell."""

    def __init__(self, base: QFont) -> None:
        self.base = QFont(base)
        self.upright, self.slanted = QFont(base), QFont(base)
        self.slanted.setItalic(True)
        for font in (self.upright, self.slanted):
            font.setFeature(QFont.Tag("tnum"), 1)
        self.metrics = QFontMetrics(self.upright)

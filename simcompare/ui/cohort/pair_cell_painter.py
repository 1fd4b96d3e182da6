"""Painting of the table of pairs: bars for shares, icon and word for decisions."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from simcompare.session.decisions import Decision
from simcompare.ui.cohort.pair_order import FIELDS, Column
from simcompare.ui.cohort.pair_table_model import NET_OF, NO_FIGURE, Look, PairRows, alignment
from simcompare.ui.labels import DECISION_ICONS, NOTE_ICON, decision_colour
from simcompare.ui.style.appearance import current_theme, follow_theme
from simcompare.ui.style.elided_label import elided_name
from simcompare.ui.style.icons import icon
from simcompare.ui.style.theme import GRID_PX, Theme

SIDE_PX = 2 * GRID_PX
FIRST_PX = 4 * GRID_PX
BAR_PX = 12 * GRID_PX
"""Length of a bar for a share of 1."""
ROW_PX = 8 * GRID_PX
WIDEST_SHARE = ">100 %"
_BAR_HEIGHT_PX = 6
_CHOSEN_PX = 3
SIGN_PX = 16
"""Side of the icons of decision and note."""
_RAW_OPACITY = 0.4
_COLUMNS = tuple(Column)
_QUIET = (Column.NET_A_IN_B, Column.NET_B_IN_A)

_SELECTED = QStyle.StateFlag.State_Selected.value
_ALIGNED = {column: alignment(column).value for column in Column}

AnyIndex = QModelIndex | QPersistentModelIndex


class PairPainter(QStyledItemDelegate):
    """Figures that are being computed again are italic and pale."""

    def __init__(self, rows: PairRows) -> None:
        super().__init__(rows)
        self._rows = rows
        self._looks: dict[int, Sequence[Look]] = {}
        self._letters = _Letters(QFont())
        follow_theme(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = current_theme()
        self._colours = _Colours(theme)
        self._icons = {
            decision: icon(DECISION_ICONS[decision], decision_colour(decision, theme))
            for decision in Decision
        }
        self._note_icon = icon(NOTE_ICON, theme.muted)

    def begin(self) -> None:
        """Discard cached rows before a paint event."""
        self._looks.clear()

    def _look(self, index: AnyIndex) -> Look:
        row = index.row()
        if row not in self._looks:
            self._looks[row] = self._rows.looks(row)
        return self._looks[row][index.column()]

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint one cell."""
        column, look, rect = _COLUMNS[index.column()], self._look(index), QRect(option.rect)
        painter.save()
        self._paint_ground(painter, option, column)
        inner = rect.adjusted(FIRST_PX if column is Column.A else SIDE_PX, 0, -SIDE_PX, 0)
        renewing = look.renewing and column in FIELDS and column is not Column.DISTANCE
        if self._letters.base != option.font:
            self._letters = _Letters(option.font)
        painter.setFont(self._letters.slanted if renewing else self._letters.upright)
        if column in NET_OF:
            free = inner.width() - self._letters.widest_share_px - SIDE_PX
            self._paint_bar(painter, QRect(inner.left(), inner.top(), free, inner.height()), look)
        if look.decision is not None:
            self._icons[look.decision].paint(
                painter, QRect(inner.left(), inner.top(), SIGN_PX, inner.height())
            )
            inner.adjust(SIGN_PX + GRID_PX, 0, 0, 0)
        if look.is_noted:
            place = QRect(inner.right() - SIGN_PX + 1, inner.top(), SIGN_PX, inner.height())
            self._note_icon.paint(painter, place)
            inner.adjust(0, 0, -SIGN_PX - GRID_PX, 0)
        if look.same:
            inner.adjust(0, 0, -self._paint_same(painter, inner, look.same), 0)
        pale = renewing or look.text == NO_FIGURE or column in _QUIET
        pale = pale or (column is Column.DECISION and look.decision is None)
        painter.setPen(self._colours.muted if pale else self._colours.ink)
        painter.drawText(inner, _ALIGNED[column], self._fitting(column, look, inner.width()))
        painter.restore()

    def _fitting(self, column: Column, look: Look, width_px: int) -> str:
        """Text elided to the free width; columns are as wide as their widest figure."""
        metrics = self._letters.metrics
        if column in (Column.A, Column.B):
            return elided_name(metrics, look.text, width_px, look.shared)
        if column is Column.DECISION:
            return metrics.elidedText(look.text, Qt.TextElideMode.ElideRight, width_px)
        return look.text

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, column: Column) -> None:
        rect = QRect(option.rect)
        if option.state.value & _SELECTED:
            painter.fillRect(rect, self._colours.accent_tint)
            if column is Column.A:
                painter.fillRect(rect.adjusted(0, 0, _CHOSEN_PX - rect.width(), 0), self._colours.accent)
        painter.fillRect(rect.adjusted(0, rect.height() - 1, 0, 0), self._colours.line)

    def _paint_same(self, painter: QPainter, free: QRect, words: str) -> int:
        """Mark B as the same as A, at the right and, if there is room, in words; return the width used."""
        text, metrics = f"= {words}", self._letters.metrics
        if metrics.horizontalAdvance(text) > free.width() // 2:
            text = "="
        painter.setPen(self._colours.accent)
        painter.drawText(free, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text)
        return metrics.horizontalAdvance(text) + SIDE_PX

    def _paint_bar(self, painter: QPainter, free: QRect, look: Look) -> None:
        """Paint the share, pale, and the net share over it."""
        if look.share is None or free.width() < BAR_PX // 4:
            return
        bar = QRectF(free.left(), free.center().y() - _BAR_HEIGHT_PX / 2 + 1, free.width(), _BAR_HEIGHT_PX)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for share, colour, opacity in (
            (1.0, self._colours.line, 1.0),
            (look.share, self._colours.accent, _RAW_OPACITY),
            (min(look.net_share or 0.0, look.share), self._colours.accent, 1.0),
        ):
            if share:
                painter.setOpacity(opacity)
                painter.setBrush(colour)
                part = QRectF(bar.left(), bar.top(), max(bar.width() * share, 2.0), bar.height())
                painter.drawRoundedRect(part, _BAR_HEIGHT_PX / 2, _BAR_HEIGHT_PX / 2)
        painter.setOpacity(1.0)


class _Colours:
    """Colours of a theme as QColor, made once and not for each cell."""

    def __init__(self, theme: Theme) -> None:
        self.ink, self.muted = QColor(theme.ink), QColor(theme.muted)
        self.line, self.accent = QColor(theme.line), QColor(theme.accent)
        self.accent_tint = QColor(theme.accent_tint)


class _Letters:
    """Font with figures of equal width, and its metrics; made once and not for each cell."""

    def __init__(self, base: QFont) -> None:
        self.base = QFont(base)
        self.upright, self.slanted = QFont(base), QFont(base)
        self.slanted.setItalic(True)
        for font in (self.upright, self.slanted):
            font.setFeature(QFont.Tag("tnum"), 1)
        self.metrics = QFontMetrics(self.upright)
        self.widest_share_px = self.metrics.horizontalAdvance(WIDEST_SHARE)

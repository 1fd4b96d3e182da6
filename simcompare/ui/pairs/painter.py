"""How the cells of the table of pairs are painted: bars for shares, a mark and a word for decisions."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from simcompare.session.review import Decision
from simcompare.ui.looks.elided_label import elided_name
from simcompare.ui.looks.icons import icon
from simcompare.ui.looks.theme import GRID_PX, LIGHT, Theme
from simcompare.ui.matches.decisions import DECISION_ICONS, NOTE_ICON, decision_colour
from simcompare.ui.pairs.arrangement import FIELDS, Column
from simcompare.ui.pairs.rows import NET_OF, NO_FIGURE, Look, PairRows, alignment

SIDE_PX = 2 * GRID_PX
FIRST_PX = 4 * GRID_PX
BAR_PX = 12 * GRID_PX
"""The length of a bar that stands for all of a text."""
ROW_PX = 8 * GRID_PX
WIDEST_SHARE = ">100 %"
_BAR_HEIGHT_PX = 6
_CHOSEN_PX = 3
SIGN_PX = 16
"""The side of the signs of a decision and of a note."""
_RAW_OPACITY = 0.4
_COLUMNS = tuple(Column)
_QUIET = (Column.NET_A_IN_B, Column.NET_B_IN_A)

AnyIndex = QModelIndex | QPersistentModelIndex


class PairPainter(QStyledItemDelegate):
    """Figures that are being renewed are slanted and pale."""

    def __init__(self, rows: PairRows) -> None:
        super().__init__(rows)
        self._rows = rows
        self._theme = LIGHT

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self._theme = theme
        self._icons = {
            decision: icon(DECISION_ICONS[decision], decision_colour(decision, theme))
            for decision in Decision
        }
        self._note_icon = icon(NOTE_ICON, theme.muted)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint one cell."""
        column = _COLUMNS[index.column()]
        look = self._rows.look(index.row(), column)
        painter.save()
        self._paint_ground(painter, option, column)
        inner = QRect(option.rect).adjusted(FIRST_PX if column is Column.A else SIDE_PX, 0, -SIDE_PX, 0)
        renewing = look.renewing and column in FIELDS and column is not Column.DISTANCE
        font = QFont(option.font)
        font.setItalic(renewing)
        font.setFeature(QFont.Tag("tnum"), 1)
        painter.setFont(font)
        if column in NET_OF:
            free = inner.width() - painter.fontMetrics().horizontalAdvance(WIDEST_SHARE) - SIDE_PX
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
        pale = renewing or look.text == NO_FIGURE or column in _QUIET
        pale = pale or (column is Column.DECISION and look.decision is None)
        painter.setPen(QColor(self._theme.muted if pale else self._theme.ink))
        if look.same:
            inner.adjust(0, 0, -self._paint_same(painter, inner, look.same), 0)
            painter.setPen(QColor(self._theme.ink))
        if column in (Column.A, Column.B):
            elided = elided_name(painter.fontMetrics(), look.text, inner.width(), look.shared)
        else:
            elided = painter.fontMetrics().elidedText(look.text, Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, int(alignment(column)), elided)
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, column: Column) -> None:
        rect = QRect(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(self._theme.accent_tint))
            if column is Column.A:
                painter.fillRect(
                    rect.adjusted(0, 0, _CHOSEN_PX - rect.width(), 0), QColor(self._theme.accent)
                )
        painter.fillRect(rect.adjusted(0, rect.height() - 1, 0, 0), QColor(self._theme.line))

    def _paint_same(self, painter: QPainter, free: QRect, words: str) -> int:
        """Mark B as the same as A, at the right and in words where there is room; return the width taken."""
        text, metrics = f"= {words}", painter.fontMetrics()
        if metrics.horizontalAdvance(text) > free.width() // 2:
            text = "="
        painter.setPen(QColor(self._theme.accent))
        painter.drawText(free, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text)
        return metrics.horizontalAdvance(text) + SIDE_PX

    def _paint_bar(self, painter: QPainter, free: QRect, look: Look) -> None:
        """Paint how much is covered, pale, and over it what of that counts."""
        if look.share is None or free.width() < BAR_PX // 4:
            return
        bar = QRectF(free.left(), free.center().y() - _BAR_HEIGHT_PX / 2 + 1, free.width(), _BAR_HEIGHT_PX)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for share, colour, opacity in (
            (1.0, self._theme.line, 1.0),
            (look.share, self._theme.accent, _RAW_OPACITY),
            (min(look.net_share or 0.0, look.share), self._theme.accent, 1.0),
        ):
            if share:
                painter.setOpacity(opacity)
                painter.setBrush(QColor(colour))
                part = QRectF(bar.left(), bar.top(), max(bar.width() * share, 2.0), bar.height())
                painter.drawRoundedRect(part, _BAR_HEIGHT_PX / 2, _BAR_HEIGHT_PX / 2)
        painter.setOpacity(1.0)

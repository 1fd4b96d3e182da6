"""How a row of the document list is painted, and what in it can be clicked."""
# ruff: noqa: N802 - Qt names the methods it calls

from itertools import pairwise

from PySide6.QtCore import QAbstractItemModel, QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPen, QTextLayout
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QToolTip

from simcompare.i18n import _
from simcompare.ui.document_list.rows import (
    BADGE_PX,
    ROW_ROLE,
    SIDES,
    AnyIndex,
    DocumentRow,
    badge_letter,
    badge_rect,
)
from simcompare.ui.looks.icons import icon
from simcompare.ui.looks.theme import GRID_PX, LIGHT, Theme
from simcompare.ui.matches.list_header import SIDE_PX
from simcompare.ui.matches.list_rows import paint_row_ground
from simcompare.ui.text_pane.highlights import Utf16Map

_MOST_LINES = {"problem": 3, "locked": 3, "doubtful": 2}
_SIGN_PX = 3 * GRID_PX
_DETAIL_SCALE = 0.92
_State = QStyle.StateFlag


class DocumentPainter(QStyledItemDelegate):
    """Paints name, detail, offer and badges; a badge is shown where it is active, and on the row in hand."""

    side_clicked = Signal(int, str)
    offer_clicked = Signal(int)
    row_double_clicked = Signal(int)

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self.apply_theme(LIGHT)

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self._theme = theme
        self._locked_sign, self._doubt_sign = (icon(name, theme.caution) for name in ("lock", "warning"))

    # --- measures

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Return the height of the name, of the detail's lines and of the offer."""
        row: DocumentRow = index.data(ROW_ROLE)
        # asked of every row whenever one has changed: only what may take several lines is wrapped
        lines = len(self._detail_lines(row, option.font)) if row.state in _MOST_LINES else 1
        lines_height = QFontMetrics(_detail_font(option.font)).lineSpacing() * (lines + bool(row.offer))
        gap = GRID_PX if row.offer else 0
        return QSize(0, option.fontMetrics.height() + lines_height + gap + 5 * GRID_PX)

    def _detail_lines(self, row: DocumentRow, font: QFont) -> list[str]:
        """Wrap a doubt and the reason of a problem; elide any other detail on its line."""
        width = self._view.viewport().width() - 2 * SIDE_PX - _detail_indent(row)
        return wrapped(row.detail, _detail_font(font), width, _MOST_LINES.get(row.state, 1))

    # --- painting

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint one row."""
        painter.save()
        row: DocumentRow = index.data(ROW_ROLE)
        if row.side:
            painter.fillRect(option.rect, QColor(self._theme.accent_tint))
        chosen = self._theme.accent_tint if row.side else self._theme.background
        paint_row_ground(painter, option, chosen, self._theme)
        inner = option.rect.adjusted(SIDE_PX, 2 * GRID_PX, -SIDE_PX, -2 * GRID_PX)
        painter.setFont(option.font)
        self._paint_name(painter, inner, row)
        in_hand = bool(option.state & (_State.State_MouseOver | _State.State_Selected))
        self._paint_badges(painter, option.rect, row, in_hand)
        self._paint_detail(painter, inner, row)
        self._paint_offer(painter, option, row)
        painter.restore()

    def _paint_name(self, painter: QPainter, inner: QRect, row: DocumentRow) -> None:
        metrics = painter.fontMetrics()
        width = inner.width() - (2 * (BADGE_PX + GRID_PX) if row.has_text else 0)
        if row.state == "problem":
            painter.setPen(QColor(self._theme.danger))
            painter.drawText(inner, Qt.AlignmentFlag.AlignRight, "!")
            width -= 4 * GRID_PX
        elif row.state == "locked":
            corner = QRect(inner.right() - _SIGN_PX, inner.top() + GRID_PX // 2, _SIGN_PX, _SIGN_PX)
            self._locked_sign.paint(painter, corner)
            painter.setPen(QColor(self._theme.ink))
            width -= _SIGN_PX + GRID_PX
        else:
            painter.setPen(QColor(self._theme.muted if row.state == "waiting" else self._theme.ink))
        name = metrics.elidedText(row.name, Qt.TextElideMode.ElideMiddle, width)
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft, name)

    def _paint_detail(self, painter: QPainter, inner: QRect, row: DocumentRow) -> None:
        top = inner.top() + painter.fontMetrics().height() + GRID_PX
        doubtful = row.state == "doubtful"
        painter.setPen(QColor(self._theme.caution if doubtful else self._theme.muted))
        lines = self._detail_lines(row, painter.font())
        painter.setFont(_detail_font(painter.font()))
        metrics = painter.fontMetrics()
        if doubtful:
            sign_top = top + (metrics.height() - _SIGN_PX) // 2
            sign = QRect(inner.left(), sign_top, _SIGN_PX, _SIGN_PX)
            self._doubt_sign.paint(painter, sign)
        left = inner.left() + _detail_indent(row)
        for number, line in enumerate(lines):
            painter.drawText(left, top + number * metrics.lineSpacing() + metrics.ascent(), line)

    def _paint_offer(self, painter: QPainter, option: QStyleOptionViewItem, row: DocumentRow) -> None:
        if row.offer:
            font = _detail_font(option.font)
            font.setUnderline(True)
            painter.setFont(font)
            painter.setPen(QColor(self._theme.accent))
            painter.drawText(offer_rect(option.rect, row, option.font), Qt.AlignmentFlag.AlignLeft, row.offer)

    def _paint_badges(self, painter: QPainter, rect: QRect, row: DocumentRow, in_hand: bool) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for side in SIDES:
            if row.side == side or (in_hand and row.has_text):
                self._paint_badge(painter, badge_rect(rect, side, SIDE_PX), side, row.side == side)

    def _paint_badge(self, painter: QPainter, rect: QRect, side: str, active: bool) -> None:
        theme = self._theme
        painter.setPen(QPen(QColor(theme.accent if active else theme.muted), 1))
        painter.setBrush(QColor(theme.accent if active else theme.surface))
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), GRID_PX, GRID_PX)
        painter.setPen(QColor(theme.accent_ink if active else theme.muted))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, badge_letter(side))

    # --- the mouse

    def _side_at(self, point: QPoint, rect: QRect, row: DocumentRow) -> str | None:
        if not row.has_text:
            return None
        return next((side for side in SIDES if badge_rect(rect, side, SIDE_PX).contains(point)), None)

    def editorEvent(
        self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        """Report a click on a badge or on the offer, and a double click on anything else."""
        if not isinstance(event, QMouseEvent) or event.button() is not Qt.MouseButton.LeftButton:
            return False
        row: DocumentRow = index.data(ROW_ROLE)
        point = event.position().toPoint()
        side = self._side_at(point, option.rect, row)
        offered = bool(row.offer) and offer_rect(option.rect, row, option.font).contains(point)
        released = event.type() == QEvent.Type.MouseButtonRelease
        if side is not None and released:
            self.side_clicked.emit(row.id, side)
        elif offered and released:
            self.offer_clicked.emit(row.id)
        elif side is None and not offered and event.type() == QEvent.Type.MouseButtonDblClick:
            self.row_double_clicked.emit(row.id)
        return side is not None or offered

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        """Explain the badge under the mouse, else the row."""
        row = index.data(ROW_ROLE)
        side = self._side_at(event.pos(), option.rect, row) if row else None
        if side is None:
            return super().helpEvent(event, view, option, index)
        tips = {"left": _("Show on the left (Ctrl+L)"), "right": _("Show on the right (Ctrl+R)")}
        QToolTip.showText(event.globalPos(), tips[side], view)
        return True


def offer_rect(row_rect: QRect, row: DocumentRow, font: QFont) -> QRect:
    """Return where the offer stands: the last line of its row."""
    metrics = QFontMetrics(_detail_font(font))
    bottom = row_rect.bottom() + 1 - 2 * GRID_PX
    size = QSize(metrics.horizontalAdvance(row.offer), metrics.lineSpacing())
    return QRect(QPoint(row_rect.left() + SIDE_PX, bottom - size.height()), size)


def _detail_indent(row: DocumentRow) -> int:
    """Return the room that the sign before a doubt takes."""
    return _SIGN_PX + GRID_PX if row.state == "doubtful" else 0


def _detail_font(font: QFont) -> QFont:
    small = QFont(font)
    small.setPointSizeF(font.pointSizeF() * _DETAIL_SCALE)
    return small


def wrapped(text: str, font: QFont, width_px: int, most_lines: int) -> list[str]:
    """Break a text into lines; what does not fit into the last one is elided."""
    layout = QTextLayout(text, font)
    utf16 = Utf16Map(text)
    starts: list[int] = []
    layout.beginLayout()
    while len(starts) < most_lines and (line := layout.createLine()).isValid():
        line.setLineWidth(max(width_px, 1))
        starts.append(utf16.to_code_point(line.textStart()))
    layout.endLayout()
    full_lines = [text[start:end].rstrip() for start, end in pairwise(starts)]
    last = QFontMetrics(font).elidedText(text[starts[-1] :], Qt.TextElideMode.ElideRight, width_px)
    return [*full_lines, last]

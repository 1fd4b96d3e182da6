"""Delegate of the document list: painting, row heights, and clicks on badges and actions."""

from functools import lru_cache
from itertools import pairwise

from PySide6.QtCore import QAbstractItemModel, QEvent, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPen, QTextLayout
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QToolTip

from simcompare.support.i18n import _
from simcompare.ui.compare.matches.passage_filter import SIDE_PX
from simcompare.ui.compare.matches.passage_row_painter import paint_row_ground
from simcompare.ui.compare.text_pane.highlights import Utf16Map
from simcompare.ui.documents.document_rows import (
    BADGE_PX,
    ROW_ROLE,
    SIDES,
    AnyIndex,
    DocumentRow,
    Offer,
    badge_letter,
    badge_rect,
)
from simcompare.ui.style.appearance import current_theme, follow_theme, scaled
from simcompare.ui.style.elided_label import elided_name
from simcompare.ui.style.icons import icon
from simcompare.ui.style.theme import GRID_PX

# ruff: noqa: N802 - Qt names the methods it calls

_MOST_LINES = {"problem": 3, "locked": 3}
_INDENTATION_PX = 4 * GRID_PX
_MOST_LINES_OF_DOUBT = 2
_ICON_PX = 3 * GRID_PX
_DETAIL_SCALE = 0.92
_StateFlag = QStyle.StateFlag


class DocumentRowPainter(QStyledItemDelegate):
    """Paints a row and its badges; that of a side is visible if active, or on the hovered or selected row."""

    side_clicked = Signal(int, str)
    heading_clicked = Signal(int)
    offer_clicked = Signal(int, str)
    row_double_clicked = Signal(int)

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self._measured: tuple[QFont, int] | None = None
        follow_theme(self._apply_theme)

    def _apply_theme(self) -> None:
        caution = current_theme().caution
        self._locked_icon, self._doubt_icon = (icon(name, caution) for name in ("lock", "warning"))
        muted = current_theme().muted
        self._fold_icons = {"folded": icon("unfold", muted), "unfolded": icon("fold", muted)}

    # --- measures

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """Height of the name and of all lines below it."""
        row: DocumentRow = index.data(ROW_ROLE)
        # called for every row whenever one has changed, so only texts of several lines are wrapped
        lines = len(self._detail_lines(row, option.font)) if row.state in _MOST_LINES else 1
        lines += len(self._doubt_lines(row, option.font)) + bool(row.remark)
        offers = len(row.offers)
        gap = GRID_PX if offers else 0
        lines_height = self._line_height(option.font) * (lines + offers)
        return QSize(0, option.fontMetrics.height() + lines_height + gap + 5 * GRID_PX)

    def _line_height(self, font: QFont) -> int:
        """Height of a line below the name, measured once per font, as hundreds of rows need it."""
        if self._measured is None or self._measured[0] != font:
            self._measured = QFont(font), QFontMetrics(_detail_font(font)).lineSpacing()
        return self._measured[1]

    def _inner_width(self, row: DocumentRow) -> int:
        return self._view.viewport().width() - 2 * SIDE_PX - _indentation_px(row)

    def _detail_lines(self, row: DocumentRow, font: QFont) -> tuple[str, ...]:
        """Wrap the reason of a problem; elide any other detail."""
        small = _detail_font(font)
        width = self._inner_width(row) - _role_px(row, QFontMetrics(small))
        return wrapped(row.detail, small, width, _MOST_LINES.get(row.state, 1))

    def _doubt_lines(self, row: DocumentRow, font: QFont) -> tuple[str, ...]:
        if not row.doubt:
            return ()
        return wrapped(
            row.doubt, _detail_font(font), self._inner_width(row) - _icon_space_px(), _MOST_LINES_OF_DOUBT
        )

    # --- painting

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        painter.save()
        row: DocumentRow = index.data(ROW_ROLE)
        if row.side:
            painter.fillRect(option.rect, QColor(current_theme().accent_tint))
        chosen = current_theme().accent_tint if row.side else current_theme().background
        paint_row_ground(painter, option, chosen)
        left = SIDE_PX + _indentation_px(row)
        inner = option.rect.adjusted(left, 2 * GRID_PX, -SIDE_PX, -2 * GRID_PX)
        painter.setFont(option.font)
        is_active = bool(option.state & (_StateFlag.State_MouseOver | _StateFlag.State_Selected))
        self._paint_name(painter, inner, row, is_active)
        self._paint_badges(painter, option.rect, row, is_active)
        self._paint_lines(painter, inner, row)
        self._paint_offers(painter, option, row)
        painter.restore()

    def _paint_name(self, painter: QPainter, inner: QRect, row: DocumentRow, is_active: bool) -> None:
        width = inner.width() - _badges_px(row, is_active)
        if row.state == "problem":
            painter.setPen(QColor(current_theme().danger))
            painter.drawText(inner, Qt.AlignmentFlag.AlignRight, "!")
            width -= 4 * GRID_PX
        elif row.state == "locked":
            corner = _corner(inner)
            self._locked_icon.paint(painter, corner)
            painter.setPen(QColor(current_theme().ink))
            width -= _icon_space_px()
        else:
            if row.is_heading:
                width -= _icon_space_px()
                corner = _corner(inner)
                self._fold_icons[row.state].paint(painter, corner)
            is_quiet = row.state == "waiting" or (row.is_aside and not row.is_heading)
            painter.setPen(QColor(current_theme().muted if is_quiet else current_theme().ink))
        name = elided_name(painter.fontMetrics(), row.name, width, row.shared)
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft, name)

    def _paint_lines(self, painter: QPainter, inner: QRect, row: DocumentRow) -> None:
        """Paint details, doubts with their sign, and the remark, below one another."""
        details, doubts = self._detail_lines(row, painter.font()), self._doubt_lines(row, painter.font())
        top = inner.top() + painter.fontMetrics().height() + GRID_PX
        painter.setFont(_detail_font(painter.font()))
        metrics = painter.fontMetrics()
        place = QPoint(inner.left(), top + metrics.ascent())
        step = QPoint(0, metrics.lineSpacing())
        painter.setPen(QColor(current_theme().muted))
        if row.badge:
            self._paint_role(painter, QPoint(place.x(), place.y() - metrics.ascent()), row.badge)
        beside_role = QPoint(_role_px(row, metrics), 0)
        for line in details:
            painter.drawText(place + beside_role, line)
            place += step
        painter.setPen(QColor(current_theme().caution))
        if doubts:
            sign_top = place.y() - metrics.ascent() + (metrics.height() - scaled(_ICON_PX)) // 2
            self._doubt_icon.paint(painter, QRect(inner.left(), sign_top, scaled(_ICON_PX), scaled(_ICON_PX)))
        for line in doubts:
            painter.drawText(place + QPoint(_icon_space_px(), 0), line)
            place += step
        painter.drawText(place, metrics.elidedText(row.remark, Qt.TextElideMode.ElideRight, inner.width()))

    def _paint_role(self, painter: QPainter, place: QPoint, words: str) -> None:
        metrics = painter.fontMetrics()
        size = QSize(metrics.horizontalAdvance(words) + 2 * GRID_PX, metrics.height())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame, ink = QRect(place, size), painter.pen()
        painter.setPen(QColor(current_theme().line))
        painter.setBrush(QColor(current_theme().raised))
        painter.drawRoundedRect(QRectF(frame).adjusted(0.5, 0.5, -0.5, -0.5), GRID_PX, GRID_PX)
        painter.setPen(ink)
        painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, words)

    def _paint_offers(self, painter: QPainter, option: QStyleOptionViewItem, row: DocumentRow) -> None:
        font = _detail_font(option.font)
        font.setUnderline(True)
        painter.setFont(font)
        painter.setPen(QColor(current_theme().accent))
        for number, offer in enumerate(row.offers):
            place = offer_rect(option.rect, row, option.font, number)
            place.setWidth(self._inner_width(row))
            words = painter.fontMetrics().elidedText(offer.text, Qt.TextElideMode.ElideRight, place.width())
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft, words)

    def _paint_badges(self, painter: QPainter, rect: QRect, row: DocumentRow, is_active: bool) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for side in SIDES:
            if row.side == side or (is_active and row.has_text):
                self._paint_badge(painter, badge_rect(rect, side, SIDE_PX), side, row.side == side)

    def _paint_badge(self, painter: QPainter, rect: QRect, side: str, active: bool) -> None:
        theme = current_theme()
        painter.setPen(QPen(QColor(theme.accent if active else theme.muted), 1))
        painter.setBrush(QColor(theme.accent if active else theme.surface))
        painter.drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), GRID_PX, GRID_PX)
        painter.setPen(QColor(theme.accent_ink if active else theme.muted))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, badge_letter(side))

    # --- mouse

    def _side_at(self, point: QPoint, rect: QRect, row: DocumentRow) -> str | None:
        if not row.has_text:
            return None
        return next((side for side in SIDES if badge_rect(rect, side, SIDE_PX).contains(point)), None)

    def editorEvent(
        self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        """Report a click on a badge or offer, and a double click on anything else."""
        if not isinstance(event, QMouseEvent) or event.button() is not Qt.MouseButton.LeftButton:
            return False
        row: DocumentRow = index.data(ROW_ROLE)
        point = event.position().toPoint()
        side = self._side_at(point, option.rect, row)
        offer = _offer_at(point, option, row)
        if row.is_heading and event.type() == QEvent.Type.MouseButtonPress:
            self.heading_clicked.emit(row.id)
        released = event.type() == QEvent.Type.MouseButtonRelease
        if side is not None and released:
            self.side_clicked.emit(row.id, side)
        elif offer is not None and released:
            self.offer_clicked.emit(row.id, offer.action)
        elif (
            side is None
            and offer is None
            and not row.is_heading
            and event.type() == QEvent.Type.MouseButtonDblClick
        ):
            self.row_double_clicked.emit(row.id)
        return side is not None or offer is not None

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        """Explain the badge under the mouse, otherwise the row."""
        row = index.data(ROW_ROLE)
        side = self._side_at(event.pos(), option.rect, row) if row else None
        if side is None:
            return super().helpEvent(event, view, option, index)
        tips = {"left": _("Show on the left (Ctrl+L)"), "right": _("Show on the right (Ctrl+R)")}
        QToolTip.showText(event.globalPos(), tips[side], view)
        return True


def _corner(inner: QRect) -> QRect:
    """Place of a sign at the right of a name."""
    side_px = scaled(_ICON_PX)
    return QRect(inner.right() - side_px, inner.top() + GRID_PX // 2, side_px, side_px)


def _icon_space_px() -> int:
    """Width of a sign with the space beside it."""
    return scaled(_ICON_PX) + GRID_PX


def _indentation_px(row: DocumentRow) -> int:
    """Indentation of a document below an essay or heading."""
    is_below = row.essay is not None or (bool(row.place) and not row.is_heading)
    return _INDENTATION_PX if is_below else 0


def _role_px(row: DocumentRow, metrics: QFontMetrics) -> int:
    """Width of the badge of a role with the space behind it."""
    return metrics.horizontalAdvance(row.badge) + 4 * GRID_PX if row.badge else 0


def _badges_px(row: DocumentRow, is_active: bool) -> int:
    """Width of the visible badges at the right of a name."""
    visible_sides = SIDES if is_active and row.has_text else tuple(side for side in SIDES if side == row.side)
    if not visible_sides:
        return 0
    return (2 if "left" in visible_sides else 1) * (scaled(BADGE_PX) + GRID_PX)


def offer_rect(row_rect: QRect, row: DocumentRow, font: QFont, number: int = 0) -> QRect:
    """Rectangle of an offer; offers are the last lines of their row."""
    metrics = QFontMetrics(_detail_font(font))
    below = len(row.offers) - 1 - number
    bottom = row_rect.bottom() + 1 - 2 * GRID_PX - below * metrics.lineSpacing()
    width = min(metrics.horizontalAdvance(row.offers[number].text), row_rect.width() - 2 * SIDE_PX)
    size = QSize(width, metrics.lineSpacing())
    return QRect(QPoint(row_rect.left() + SIDE_PX + _indentation_px(row), bottom - size.height()), size)


def _offer_at(point: QPoint, option: QStyleOptionViewItem, row: DocumentRow) -> Offer | None:
    offers = enumerate(row.offers)
    return next(
        (
            offer
            for number, offer in offers
            if offer_rect(option.rect, row, option.font, number).contains(point)
        ),
        None,
    )


def _detail_font(font: QFont) -> QFont:
    small = QFont(font)
    small.setPointSizeF(font.pointSizeF() * _DETAIL_SCALE)
    return small


@lru_cache(maxsize=4096)  # all rows of a class are measured whenever one has changed
def wrapped(text: str, font: QFont, width_px: int, most_lines: int) -> tuple[str, ...]:
    """Break a text into lines; the last one is elided."""
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
    return (*full_lines, last)

"""Rounded label with the kind of a match or passage, as a widget and as paint for lists."""

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from simcompare.comparison.comparison_result import MatchKind
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.report.wording import kind_name, passage_kind_name
from simcompare.ui.compare.text_pane.highlights import underline_pen
from simcompare.ui.state.language import follow_language
from simcompare.ui.style.appearance import current_theme
from simcompare.ui.style.theme import GRID_PX, KindStyle, Theme

# ruff: noqa: N802 - Qt names the methods it calls


AnyKind = MatchKind | PassageKind
_PADDING_PX = 2 * GRID_PX
_RADIUS_PX = GRID_PX
_LINE_PX = 2


def _name(kind: AnyKind) -> str:
    return passage_kind_name(kind) if isinstance(kind, PassageKind) else kind_name(kind)


def _style(kind: AnyKind, theme: Theme) -> KindStyle:
    return theme.passages[kind] if isinstance(kind, PassageKind) else theme.kinds[kind]


def chip_size(kind: AnyKind, metrics: QFontMetrics) -> QSize:
    """Size of a chip."""
    return QSize(metrics.horizontalAdvance(_name(kind)) + 2 * _PADDING_PX, metrics.height() + GRID_PX)


def paint_chip(painter: QPainter, corner: QPoint, kind: AnyKind, theme: Theme) -> QRect:
    """Paint a chip in the painter's font with its top left corner at `corner`; return its rectangle."""
    style = _style(kind, theme)
    rect = QRect(corner, chip_size(kind, painter.fontMetrics()))
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(style.tint))
    painter.drawRoundedRect(QRectF(rect), _RADIUS_PX, _RADIUS_PX)
    painter.setPen(QColor(style.ink))
    painter.drawText(rect.adjusted(0, 0, 0, -_LINE_PX), Qt.AlignmentFlag.AlignCenter, _name(kind))
    paint_kind_line(painter, rect.adjusted(_PADDING_PX, 0, -_PADDING_PX, -_LINE_PX), style)
    painter.restore()
    return rect


def paint_kind_line(painter: QPainter, rect: QRect, style: KindStyle) -> None:
    """Paint the line of a kind along the bottom of a rectangle."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(underline_pen(style, _LINE_PX))
    y = rect.bottom()
    painter.drawLine(rect.left(), y, rect.right() + 1, y)
    painter.restore()


class KindChip(QWidget):
    """Shows the kind of a match or passage in its colours and with its underline."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind: AnyKind = PassageKind.IDENTICAL
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        follow_language(self._show_kind)

    def set_kind(self, kind: AnyKind) -> None:
        """Show another kind."""
        self._kind = kind
        self._show_kind()

    def _show_kind(self) -> None:
        self.setAccessibleName(_name(self._kind))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return chip_size(self._kind, self.fontMetrics())

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            paint_chip(painter, QPoint(0, 0), self._kind, current_theme())

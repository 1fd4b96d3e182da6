"""Bars in the margin of a text: one for each visible passage, with its number, and flags."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QHelpEvent, QIcon, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.ui.compare.text_pane.highlights import underline_pen
from simcompare.ui.compare.text_pane.text_painting import FAINT_OPACITY, flag_icon
from simcompare.ui.style.appearance import current_theme, follow_theme

# ruff: noqa: N802 - Qt names the methods it calls

GUTTER_PX = 44
_BAR_PX = 3
_SELECTED_BAR_PX = 5
_LANE_PX = 6
_LEAST_BAR_PX = 6
_NUMBER_RIGHT_PX = 29
_NUMBER_POINTS = 8.0
_FLAG_PX = 14


@dataclass(frozen=True, slots=True)
class PassageBar:
    """Bar of one visible passage; top and bottom in pixels of the viewport, may be outside of it."""

    index: int
    kind: PassageKind
    top: float
    bottom: float
    lane: int
    is_faint: bool
    is_selected: bool


@dataclass(frozen=True, slots=True)
class VisibleBars:
    """Bars in the margin, and the heights of the flags: middles of lines in pixels of the viewport."""

    bars: Sequence[PassageBar]
    flags: Sequence[float]
    line_px: int


class PassageBars(QWidget):
    """Margin of a text. A widget of its own, as numbers stay in sight while the text scrolls."""

    clicked = Signal(int)
    """Index of the passage whose bar or number was clicked."""

    def __init__(
        self,
        source: Callable[[], VisibleBars],
        words_of: Callable[[int], str],
        parent: QWidget,
    ) -> None:
        """`source` returns the visible bars; `words_of` describes a passage for its tool tip."""
        super().__init__(parent)
        self._source = source
        self._words_of = words_of
        self._flag = QIcon()
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setMouseTracking(True)
        follow_theme(self._apply_theme)

    def _apply_theme(self) -> None:
        self._flag = flag_icon(current_theme())
        self.update()

    def sizeHint(self) -> QSize:
        """Width of the margin."""
        return QSize(GUTTER_PX, 0)

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bars, then the numbers and flags."""
        visible = self._source()
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(current_theme().surface))
        for bar in visible.bars:
            painter.setOpacity(FAINT_OPACITY if bar.is_faint else 1.0)
            self._paint_bar(painter, bar)
        self._paint_numbers(painter, visible)
        for middle in sorted(set(visible.flags)):
            self._flag.paint(painter, QRect(0, round(middle - _FLAG_PX / 2), _FLAG_PX, _FLAG_PX))

    def _paint_bar(self, painter: QPainter, bar: PassageBar) -> None:
        width = _SELECTED_BAR_PX if bar.is_selected else _BAR_PX
        pen = underline_pen(current_theme().passages[bar.kind], width)
        x = self._middle_of(bar.lane)
        # the pattern starts at the top of the passage, so that it does not move against the text
        top, bottom = _extent(bar)
        painter.setPen(pen)
        painter.drawLine(QPointF(x, top + 1), QPointF(x, bottom - 1))

    def _middle_of(self, lane: int) -> float:
        return GUTTER_PX - _SELECTED_BAR_PX / 2 - lane * _LANE_PX

    def _paint_numbers(self, painter: QPainter, visible: VisibleBars) -> None:
        """Paint each number at the first visible line of its passage, below the number before it."""
        free_px = 0.0
        for middle, bar in sorted(
            ((self._number_y(bar, visible.line_px), bar) for bar in visible.bars), key=lambda each: each[0]
        ):
            font = self._number_font(bar.is_selected)
            painter.setFont(font)
            height = painter.fontMetrics().ascent()
            top = max(middle - height / 2, free_px)
            free_px = top + height + 1
            box = QRectF(0, top, _NUMBER_RIGHT_PX, height)
            painter.setOpacity(1.0)
            theme = current_theme()
            painter.setPen(QColor(theme.muted if bar.is_faint else theme.passages[bar.kind].ink))
            alignment = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(box, alignment | Qt.TextFlag.TextDontClip, f"{bar.index + 1}")

    def _number_font(self, is_selected: bool) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(_NUMBER_POINTS)
        font.setBold(is_selected)
        return font

    def _number_y(self, bar: PassageBar, line_px: int) -> float:
        top, bottom = _extent(bar)
        return max(top, 0.0) + min(bottom - max(top, 0.0), float(line_px)) / 2

    # --- the mouse

    def _bar_at(self, point: QPointF) -> PassageBar | None:
        """Bar at a height; of several the one whose lane is nearest."""
        found = [bar for bar in self._source().bars if _extent(bar)[0] <= point.y() < _extent(bar)[1]]
        return min(found, key=lambda bar: abs(self._middle_of(bar.lane) - point.x()), default=None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Report a click on a bar."""
        bar = self._bar_at(event.position())
        if bar is not None and event.button() is Qt.MouseButton.LeftButton:
            self.clicked.emit(bar.index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show a pointing hand over a bar."""
        over_bar = self._bar_at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over_bar else Qt.CursorShape.ArrowCursor)

    def event(self, event: QEvent) -> bool:
        """Describe the passage under the mouse in a tool tip."""
        if event.type() != QEvent.Type.ToolTip:
            return super().event(event)
        assert isinstance(event, QHelpEvent)
        bar = self._bar_at(QPointF(event.pos()))
        QToolTip.showText(event.globalPos(), "" if bar is None else self._words_of(bar.index), self)
        return True


def _extent(bar: PassageBar) -> tuple[float, float]:
    """Top and bottom of a bar, high enough to be seen."""
    middle, half = (bar.top + bar.bottom) / 2, max(bar.bottom - bar.top, _LEAST_BAR_PX) / 2
    return middle - half, middle + half

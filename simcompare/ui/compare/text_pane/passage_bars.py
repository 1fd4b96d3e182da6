"""Bars in the margin of a text: one for each visible passage, with its number, and flags."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QHelpEvent, QIcon, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.ui.compare.text_pane.highlights import underline_pen
from simcompare.ui.compare.text_pane.passage_ranges import ShownPassages
from simcompare.ui.compare.text_pane.text_painting import FAINT_OPACITY, flag_icon, passage_ground
from simcompare.ui.style.appearance import APPEARANCE, current_theme, follow_theme

# ruff: noqa: N802 - Qt names the methods it calls

GUTTER_PX = 44
_BAR_PX = 3
_SELECTED_BAR_PX = 5
_LANE_PX = 6
_LEAST_BAR_PX = 6
_NUMBER_RIGHT_PX = 29
_NUMBER_POINTS = 8.0
_MOST_SCALE = 1.5
"""Text size at which three digits fill the gutter."""
_FLAG_PX = 14


@dataclass(frozen=True, slots=True)
class _Bar:
    """Bar of one visible passage, in pixels; top and bottom may be out of sight."""

    index: int
    kind: PassageKind
    top: float
    bottom: float
    line_middle: float
    """Middle of its first visible line."""
    lane: int
    is_faint: bool
    is_selected: bool


class PassageBars(QWidget):
    """Margin of a text. A widget of its own, as numbers stay in sight while the text scrolls."""

    clicked = Signal(int)
    """Index of the passage whose bar or number was clicked."""

    def __init__(
        self,
        shown: ShownPassages,
        flagged: Callable[[int, int], Iterable[int]],
        words_of: Callable[[int], str],
        parent: QWidget,
    ) -> None:
        """Take functions: positions of sentences with a flag of their own, and the tool tip of a passage."""
        super().__init__(parent)
        self._shown = shown
        self._flagged = flagged
        self._words_of = words_of
        self._flag = QIcon()
        self._painted: object = None
        """Values that the last painting used."""
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setMouseTracking(True)
        follow_theme(self._apply_theme)

    def _apply_theme(self) -> None:
        self._flag = flag_icon(current_theme())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(GUTTER_PX, 0)

    # --- painting

    def update_changed(self) -> None:
        """Paint again if this would differ."""
        if self._marks(self._shown.visible_range()) != self._painted:
            self.update()

    def _marks(self, visible: tuple[int, int]) -> object:
        """Return all that is painted in the visible range."""
        shown, passages = self._shown, self._shown.passages
        return (
            visible,
            [
                (index, *(column[index].item() for column in passages.columns), index == shown.selected)
                for index in shown.between(*visible)
            ],
            list(self._flagged(*visible)),
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bars, then the numbers and flags."""
        visible = self._shown.visible_range()
        self._painted = self._marks(visible)
        bars = self._bars(visible)
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(current_theme().surface))
        for bar in bars:
            ground = passage_ground(current_theme(), bar.kind, fine=bar.is_faint, selected=bar.is_selected)
            painter.fillRect(QRectF(0, bar.top, GUTTER_PX, bar.bottom - bar.top).toRect(), ground)
        for bar in bars:
            painter.setOpacity(FAINT_OPACITY if bar.is_faint else 1.0)
            self._paint_bar(painter, bar)
        painter.setOpacity(1.0)
        numbers = self._numbers(bars)
        self._paint_numbers(painter, numbers)
        for middle in self._flags(numbers, visible):
            self._flag.paint(painter, QRect(0, round(middle - _FLAG_PX / 2), _FLAG_PX, _FLAG_PX))

    def _bars(self, visible: tuple[int, int]) -> list[_Bar]:
        passages, indices = self._shown.passages, self._shown.between(*visible)
        bars = []
        for index, (top, bottom) in zip(indices, self._shown.extents(indices, visible), strict=True):
            missing = max(_LEAST_BAR_PX - (bottom - top), 0) / 2
            bar = _Bar(
                index,
                passages.kind_of(index),
                top - missing,
                bottom + missing,
                self._shown.line_middle(max(passages.range_of(index)[0], visible[0])),
                int(passages.lanes[index]),
                bool(passages.fine[index]),
                index == self._shown.selected,
            )
            bars.append(bar)
        return bars

    def _flags(self, numbers: Sequence[tuple[_Bar, QRectF]], visible: tuple[int, int]) -> set[float]:
        """Middles of the numbers of copied passages, and of the first lines of other copied sentences."""
        copied = (box.center().y() for bar, box in numbers if self._shown.passages.copied[bar.index])
        return {*copied, *map(self._shown.line_middle, self._flagged(*visible))}

    def _paint_bar(self, painter: QPainter, bar: _Bar) -> None:
        width = _SELECTED_BAR_PX if bar.is_selected else _BAR_PX
        pen = underline_pen(current_theme().passages[bar.kind], width)
        x = self._middle_of(bar.lane)
        # the pattern starts at the top of the passage, so that it does not move against the text
        painter.setPen(pen)
        painter.drawLine(QPointF(x, bar.top + 1), QPointF(x, bar.bottom - 1))

    def _middle_of(self, lane: int) -> float:
        return GUTTER_PX - _SELECTED_BAR_PX / 2 - lane * _LANE_PX

    def _numbers(self, bars: Sequence[_Bar]) -> list[tuple[_Bar, QRectF]]:
        """Place each number at the first visible line of its passage, below the number before it."""
        free_px, numbers = 0.0, []
        for bar in sorted(bars, key=lambda each: each.line_middle):
            height = QFontMetrics(self._number_font(bar.is_selected)).ascent()
            top = max(bar.line_middle - height / 2, free_px)
            free_px = top + height + 1
            numbers.append((bar, QRectF(0, top, _NUMBER_RIGHT_PX, height)))
        return numbers

    def _paint_numbers(self, painter: QPainter, numbers: Sequence[tuple[_Bar, QRectF]]) -> None:
        theme = current_theme()
        alignment = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for bar, box in numbers:
            painter.setFont(self._number_font(bar.is_selected))
            painter.setPen(QColor(theme.muted if bar.is_faint else theme.passages[bar.kind].ink))
            painter.drawText(box, alignment | Qt.TextFlag.TextDontClip, f"{bar.index + 1}")

    def _number_font(self, is_selected: bool) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(_NUMBER_POINTS * min(APPEARANCE.text_scale, _MOST_SCALE))
        font.setBold(is_selected)
        return font

    # --- the mouse

    def _bar_at(self, point: QPointF) -> _Bar | None:
        """Bar at a height; of several the one whose lane is nearest."""
        found = [bar for bar in self._bars(self._shown.visible_range()) if bar.top <= point.y() < bar.bottom]
        return min(found, key=lambda bar: abs(self._middle_of(bar.lane) - point.x()), default=None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        bar = self._bar_at(event.position())
        if bar is not None and event.button() is Qt.MouseButton.LeftButton:
            self.clicked.emit(bar.index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
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

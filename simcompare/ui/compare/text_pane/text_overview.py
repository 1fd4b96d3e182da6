"""Overview beside a text, in place of its scroll bar."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from simcompare.comparison.passages.passage_kinds import PASSAGE_KINDS, PassageKind
from simcompare.session.decisions import Decision
from simcompare.support.i18n import N_
from simcompare.ui.access.picture_table import Painted, PictureWithTips
from simcompare.ui.compare.text_pane.highlights import underline_pen
from simcompare.ui.compare.text_pane.passage_ranges import ShownPassages
from simcompare.ui.compare.text_pane.text_painting import FAINT_OPACITY, passage_ground
from simcompare.ui.labels import decision_icon
from simcompare.ui.state.language import translated
from simcompare.ui.style.theme import APPEARANCE, GRID_PX, current_theme, follow_theme, scaled

GUTTER_PX = 44
_BAR_PX = 3
_SELECTED_BAR_PX = 5
_LANE_PX = 6
_LEAST_BAR_PX = 6
_NUMBER_RIGHT_PX = 29
_NUMBER_POINTS = 8.0
_MOST_SCALE = 1.5
"""Text size at which three digits fill the gutter."""
_FLAG_PX, _LARGEST_FLAG_PX = 14, 18


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


class PassageBars(PictureWithTips):
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
        self._flag = decision_icon(Decision.COPIED)
        self._painted: object = None
        """Values that the last painting used, None if it was of a part only."""
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.setMouseTracking(True)
        translated(self, accessibleName=N_("Passages beside the text"))

    def sizeHint(self) -> QSize:
        return QSize(GUTTER_PX, 0)

    # --- painting

    def update_changed(self) -> None:
        if self._marks(self._shown.visible_range()) != self._painted:
            self.update()

    def _marks(self, visible: tuple[int, int]) -> object:
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
        visible = self._shown.visible_range()
        self._painted = self._marks(visible) if event.rect().contains(self.rect()) else None
        bars = self._bars(visible)
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(current_theme().surface))
        for bar in bars:
            ground = passage_ground(current_theme(), bar.kind, fine=bar.is_faint, selected=bar.is_selected)
            painter.fillRect(QRectF(0, bar.top, GUTTER_PX, bar.bottom - bar.top).toRect(), ground)
        for bar in bars:
            painter.setOpacity(FAINT_OPACITY if bar.is_faint else 1.0)
            width = _SELECTED_BAR_PX if bar.is_selected else _BAR_PX
            pen = underline_pen(current_theme().passages[bar.kind], width)
            x = self._middle_of(bar.lane)
            # the pattern starts at the top of the passage, so that it does not move against the text
            painter.setPen(pen)
            painter.drawLine(QPointF(x, bar.top + 1), QPointF(x, bar.bottom - 1))
        painter.setOpacity(1.0)
        numbers = self._numbers(bars)
        self._paint_numbers(painter, numbers)
        for middle in self._flags(numbers, visible):
            side_px = min(scaled(_FLAG_PX), _LARGEST_FLAG_PX)
            self._flag.paint(painter, QRect(0, round(middle - side_px / 2), side_px, side_px))

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

    def tip_at(self, place: QPointF) -> tuple[str, QRect]:
        bar = self._bar_at(place)
        return "" if bar is None else self._words_of(bar.index), QRect()


WIDTH_PX = 14
_TRACK_PX = 10
_MARK_PX = 4
_MARK_WIDTH_PX = 6
_NOTCH_PX = 4
_NOTCH_HEIGHT_PX = 2
_GRASP_PX = 4
"""A press up to this far from a mark counts as a press on it."""

Shares = NDArray[np.float64]


class TextOverview(Painted):
    """Overview of a text: its passages, and the visible part.

    Positions are shares of the page's height in [0, 1]. Wheel events are left to the parent.
    """

    mark_clicked = Signal(int, float)
    """Index of a mark, and the share of the page that was clicked."""
    scroll_requested = Signal(float)
    """Share of the page to be scrolled to the middle of the view."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._starts: Shares = np.zeros(0)
        self._ends: Shares = np.zeros(0)
        self._kinds: NDArray[np.integer] = np.zeros(0, np.int8)
        self._found: Shares = np.zeros(0)
        self._current_found: int | None = None
        self._selected: tuple[float, float] | None = None
        self._view = (0.0, 1.0)
        self._marks: QPixmap | None = None
        """Painted marks, kept while the text scrolls."""
        self._painted_runs: list[tuple[int, int, int]] = []
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        follow_theme(self._repaint_marks)
        tip = N_("Click a mark to choose its passage, drag to scroll")
        translated(self, tip=tip, accessibleName=N_("Overview of the passages"))

    def set_marks(self, starts: Shares, ends: Shares, kinds: NDArray[np.integer]) -> None:
        """Show a mark from each start to its end, in the colour of its kind (an index into PASSAGE_KINDS)."""
        shown, marks = (self._starts, self._ends, self._kinds), (starts, ends, kinds)
        if not all(map(np.array_equal, shown, marks)):
            self._starts, self._ends, self._kinds = marks
            if self._mark_runs() != self._painted_runs:  # thousands of marks often cover the same rows
                self._repaint_marks()

    def _repaint_marks(self) -> None:
        self._marks = None
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._repaint_marks()

    def set_hits(self, places: Shares, current: int | None) -> None:
        """Show a notch for each hit of a search, a longer one at index `current`."""
        self._found, self._current_found = places, current
        self.update()

    def set_selected(self, part: tuple[float, float] | None) -> None:
        self._selected = part
        self.update()

    def set_view(self, top: float, bottom: float) -> None:
        self._view = (max(top, 0.0), min(bottom, 1.0))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(WIDTH_PX, 0)

    def _track(self) -> QRectF:
        left = (self.width() - _TRACK_PX) / 2
        return QRectF(left, GRID_PX, _TRACK_PX, max(self.height() - 2 * GRID_PX, 1))

    def _y_of(self, place: float) -> float:
        return self._track().top() + place * self._track().height()

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(current_theme().line))
        painter.drawRoundedRect(self._track(), _TRACK_PX / 2, _TRACK_PX / 2)
        self._paint_view(painter)
        if self._marks is None:
            self._marks = self._painted_marks()
        painter.drawPixmap(0, 0, self._marks)
        self._paint_found(painter)
        self._paint_selected(painter)

    def _paint_view(self, painter: QPainter) -> None:
        top, bottom = self._view
        if (top, bottom) == (0.0, 1.0):
            return
        shade = QColor(current_theme().muted)
        shade.setAlpha(70)
        painter.setBrush(shade)
        track = self._track()
        height = max(self._y_of(bottom) - self._y_of(top), 2.0 * _TRACK_PX)
        y = min(self._y_of(top), track.bottom() - height)
        painter.drawRoundedRect(QRectF(track.left(), y, _TRACK_PX, height), _TRACK_PX / 2, _TRACK_PX / 2)

    def _painted_marks(self) -> QPixmap:
        """Paint overlapping marks of a kind as one, as there may be thousands; identical passages last."""
        ratio = self.devicePixelRatioF()
        marks = QPixmap(self.size() * ratio)
        marks.setDevicePixelRatio(ratio)
        marks.fill(Qt.GlobalColor.transparent)
        self._painted_runs = self._mark_runs()
        left, top = (self.width() - _MARK_WIDTH_PX) / 2, self._track().top()
        with QPainter(marks) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            for kind, first, end in self._painted_runs:
                painter.setBrush(QColor(current_theme().passages[PASSAGE_KINDS[kind]].ink))
                painter.drawRoundedRect(QRectF(left, top + first, _MARK_WIDTH_PX, end - first), 2, 2)
        return marks

    def _mark_runs(self) -> list[tuple[int, int, int]]:
        """Kind, first row and end of the marks in the order of painting; overlaps of a kind are one."""
        tops, bottoms = self._mark_rows()
        return [
            (kind, first, end)
            for kind in reversed(range(len(PASSAGE_KINDS)))
            for first, end in _runs(tops[self._kinds == kind], bottoms[self._kinds == kind])
        ]

    def _mark_rows(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """First row of each mark and the one after its last, with a gap to a mark that follows."""
        tops = self._rows_of(self._starts)
        bottoms = np.rint(self._ends * (self._track().height() - _MARK_PX)).astype(np.int64) + _MARK_PX - 1
        return tops, np.maximum(bottoms, tops + _MARK_PX)

    def _paint_found(self, painter: QPainter) -> None:
        """Paint notches at the inner edge, beside the marks, as passages contain hits, too."""
        painter.setBrush(QColor(current_theme().found))
        for top in np.unique(self._rows_of(self._found)).tolist():
            painter.drawRect(QRectF(0, self._track().top() + top, _NOTCH_PX, _NOTCH_HEIGHT_PX))
        if self._current_found is not None:
            (row,) = self._rows_of(self._found[[self._current_found]])
            painter.drawRect(QRectF(0, self._track().top() + row, self.width(), _NOTCH_HEIGHT_PX))

    def _rows_of(self, places: Shares) -> NDArray[np.int64]:
        return np.rint(places * (self._track().height() - _MARK_PX)).astype(np.int64)

    def _paint_selected(self, painter: QPainter) -> None:
        if self._selected is None:
            return
        first, last = (place * (self._track().height() - _MARK_PX) for place in self._selected)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(current_theme().accent), 2))
        outline = QRectF(1, self._track().top() + first - 2, self.width() - 2, last - first + _MARK_PX + 4)
        painter.drawRoundedRect(outline, 4, 4)

    # --- the mouse

    def _mark_at(self, point: QPointF) -> int | None:
        """Index of the shortest mark at a point, or else of the nearest one."""
        if not len(self._starts):
            return None
        tops, bottoms = self._mark_rows()
        y = point.y() - self._track().top()
        distances = np.maximum(np.maximum(tops - y, y - bottoms), 0)
        nearest = np.flatnonzero(distances == distances.min())
        index = int(nearest[(bottoms - tops)[nearest].argmin()])
        return index if distances[index] <= _GRASP_PX else None

    def _share_at(self, point: QPointF) -> float:
        share = (point.y() - self._track().top()) / self._track().height()
        return min(max(share, 0.0), 1.0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        mark = self._mark_at(event.position())
        if mark is None:
            self.scroll_requested.emit(self._share_at(event.position()))
        else:
            self.mark_clicked.emit(mark, self._share_at(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.scroll_requested.emit(self._share_at(event.position()))
        over_mark = self._mark_at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over_mark else Qt.CursorShape.ArrowCursor)


def _runs(tops: NDArray[np.int64], bottoms: NDArray[np.int64]) -> list[list[int]]:
    """First row, and the one after the last, of each run of rows that marks cover."""
    if not len(tops):
        return []
    steps = np.zeros(int(bottoms.max()) + 1, np.int64)
    np.add.at(steps, tops, 1)
    np.add.at(steps, bottoms, -1)
    edges = np.diff(np.cumsum(steps) > 0, prepend=False)
    runs: list[list[int]] = np.flatnonzero(edges).reshape(-1, 2).tolist()
    return runs

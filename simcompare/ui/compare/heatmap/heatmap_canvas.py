"""Contents and painting of the heatmap, and what its mouse and wheel do."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from unicodedata import east_asian_width

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QRegion,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from simcompare.comparison.comparison_result import HeatArray
from simcompare.model.settings import ComparisonSettings
from simcompare.session.decisions import Cell
from simcompare.support.arrays import BoolArray, Int32Array
from simcompare.support.display_text import UNSEEN
from simcompare.support.i18n import _, ngettext
from simcompare.ui.access.picture_table import PictureWithTips
from simcompare.ui.compare.heatmap.heatmap_geometry import (
    FITTED_CELL_PX,
    NARROWEST_MAP_PX,
    MapGeometry,
    PassageBoxes,
    fitted_geometry,
)
from simcompare.ui.compare.heatmap.heatmap_picture import (
    ColourArray,
    HeatPyramid,
    MapMarks,
    MapPainter,
    MarkPyramid,
    MatchedCells,
    heat_palette,
    pixel_image,
)
from simcompare.ui.compare.text_pane.highlights import wrapped
from simcompare.ui.style.text_labels import elided_name
from simcompare.ui.style.theme import GRID_PX, Theme, bold, current_theme, follow_theme, small_font

MARGIN_PX = 3 * GRID_PX
BAR_WIDTH_PX = 10
_TICK_PX = 3
_LABEL_GAP_PX = 2 * GRID_PX
_LEAST_BAR_HEIGHT_PX = 120
_LEAST_FRAME_PX = 10
_LEAST_WIDTH_WITH_BAR_PX = 240
_SENTENCES_ABOVE_PX = 54 * GRID_PX
_MOST_MAP_SHARE, _WIDEST_ASPECT = 0.62, 2
"""Of the width, as the rest is for the sentences at its left; and of the width of a cell to its height."""
_MOST_MEASURED, _MOST_CHARACTERS = 200, 90
"""Sentences that are measured, and their beginnings."""
_LEAST_HEIGHT_SHARE = 0.5
"""Of the height; if the map has less, the sentences above it are left out, and then the caption."""
_WRAPPED = Qt.TextFlag.TextWordWrap.value


@dataclass(frozen=True, slots=True)
class HeatmapFrame:
    """Positions of the parts of a heatmap, in pixels of the widget.

    map_area: area available for the map; caption: text below the map; caption_height_px: its height;
    is_narrow: without colour bar and caption. has_sentences: with their beginnings at the edges.
    """

    size: QSize
    map_area: QRect
    caption: str
    caption_height_px: int
    font: QFont
    is_narrow: bool
    has_sentences: bool

    @property
    def origin(self) -> QPoint:
        return self.map_area.topLeft()

    def map_rect(self, geometry: MapGeometry) -> QRect:
        rows, columns = geometry.rows, geometry.columns
        corner = self.origin + QPoint(columns.start_px, rows.start_px)
        return QRect(corner, QSize(columns.used_px, rows.used_px))

    def bar_rect(self, geometry: MapGeometry) -> QRect:
        """Rectangle of the colour bar: as high as the map, but high enough to be readable."""
        beside = self.map_rect(geometry)
        height = max(beside.height(), min(_LEAST_BAR_HEIGHT_PX, self.map_area.height()))
        return QRect(beside.right() + 1 + MARGIN_PX, beside.top(), BAR_WIDTH_PX, height)

    def caption_rect(self, geometry: MapGeometry) -> QRect:
        lowest = max(self.map_rect(geometry).bottom(), self.bar_rect(geometry).bottom())
        left = MARGIN_PX if self.has_sentences else self.map_area.left()
        width = self.size.width() - left - MARGIN_PX
        return QRect(left, lowest + 1 + _LABEL_GAP_PX, width, self.caption_height_px)


def plan_frame(
    size: QSize, font: QFont, rows: int, columns: int, *, sentences_px: int | None = None
) -> HeatmapFrame:
    """Divide a widget between a map of `rows` by `columns` sentences and the parts around it.

    sentences_px: width of the longest sentence at its left; None: there are numbers alone.
    """
    has_sentences = sentences_px is not None
    small = small_font(font)
    metrics = QFontMetrics(small)
    is_narrow = size.width() < _LEAST_WIDTH_WITH_BAR_PX
    margin = GRID_PX if is_narrow else MARGIN_PX
    left = margin + metrics.horizontalAdvance(str(rows)) + 2 * _TICK_PX
    top = 2 * GRID_PX + metrics.height() + 2 * _TICK_PX
    caption, caption_height, right = "", 0, 2 * GRID_PX
    if not is_narrow:
        right = MARGIN_PX + BAR_WIDTH_PX + 2 * _TICK_PX + metrics.horizontalAdvance("0.00") + 2 * GRID_PX
        caption_px = max(1, size.width() - (MARGIN_PX if has_sentences else left) - MARGIN_PX)
        caption = _caption(rows, columns, metrics, caption_px)
        caption_height = metrics.boundingRect(QRect(0, 0, caption_px, 1000), _WRAPPED, caption).height()
    bottom = caption_height + _LABEL_GAP_PX + GRID_PX
    if sentences_px is not None:
        # as much as leaves each row the height of a line, and in any case a fifth
        spare_px = size.height() - top - bottom - rows * metrics.ascent()
        above = max(size.height() // 5, min(spare_px, size.height() * 3 // 10))
        above = min(_SENTENCES_ABOVE_PX, above)
        most_px = size.height() * (1 - _LEAST_HEIGHT_SHARE)
        top += above if top + above + bottom <= most_px else 0
        if top + bottom > most_px:
            bottom, caption, caption_height = bottom - caption_height, "", 0
        width = size.width() - left - right
        across = _WIDEST_ASPECT * (size.height() - top - bottom) / rows
        side = min(FITTED_CELL_PX, across, width * _MOST_MAP_SHARE / columns)
        rest = max(0, int(width - max(side * columns, NARROWEST_MAP_PX)))
        beside = min(rest, sentences_px)
        left += (rest + beside) // 2  # the map and its sentences stand in the middle
        right += (rest - beside) // 2
    map_area = QSize(max(1, size.width() - left - right), max(1, size.height() - top - bottom))
    area = QRect(QPoint(left, top), map_area)
    return HeatmapFrame(size, area, caption, caption_height, small, is_narrow, has_sentences)


def _caption(rows: int, columns: int, metrics: QFontMetrics, width_px: int) -> str:
    counts = "   ".join(
        (
            ngettext("left: {count} sentence", "left: {count} sentences", rows),
            ngettext("right: {count} sentence", "right: {count} sentences", columns),
        )
    )
    how = _("wheel zooms, drag pans, click selects")
    single_line = f"{counts}   {how}"
    return single_line if metrics.horizontalAdvance(single_line) <= width_px else f"{counts}\n{how}"


def write_downwards(painter: QPainter, box: QRectF, text: str, *, to_end: bool = False) -> None:
    """Write Chinese characters below each other, Latin script turned by a right angle.

    What does not fit is left out. to_end: the text ends at the end of the box, not where it would by itself.
    """
    metrics, text = painter.fontMetrics(), UNSEEN.sub("", text)
    is_turned = not any(east_asian_width(character) in "WF" for character in text)
    step = metrics.height() if is_turned else metrics.ascent() + GRID_PX // 2
    most_lines = max(1, int(box.width() // step))
    if is_turned:
        lines = wrapped(text, painter.font(), int(box.height()), most_lines)
        length = max(map(metrics.horizontalAdvance, lines))
    else:
        most = max(1, int(box.height() // metrics.ascent()))
        text = text if len(text) <= most * most_lines else f"{text[: most * most_lines - 1]}…"
        lines = tuple(text[start : start + most] for start in range(0, len(text), most))
        length = len(lines[0]) * metrics.ascent() if lines else 0
    top = box.bottom() - length if to_end else box.top()
    right = box.center().x() + len(lines) * step / 2
    painter.save()
    for number, line in enumerate(lines):  # from the right
        place = QRectF(right - (number + 1) * step, top, step, length)
        if is_turned:
            _write_turned(painter, place, line)
        else:
            _write_below_each_other(painter, place, line)
    painter.restore()


def _write_turned(painter: QPainter, place: QRectF, line: str) -> None:
    before = painter.transform()
    painter.translate(place.topRight())
    painter.rotate(90)
    flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    painter.drawText(QRectF(0, 0, place.height() + 1, place.width()), flags, line)
    painter.setTransform(before)


def _write_below_each_other(painter: QPainter, place: QRectF, line: str) -> None:
    step, flags = painter.fontMetrics().ascent(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip
    for number, character in enumerate(line):
        painter.drawText(
            QRectF(place.left(), place.top() + number * step, place.width(), step), flags, character
        )


Beginnings = tuple[Callable[[int], str], Callable[[int], str]]
"""Return the text of a sentence of the left and of the right document."""


@dataclass(frozen=True, slots=True)
class FramePainter:
    """Paints the parts of a heatmap around and over the image of its matrix."""

    painter: QPainter
    frame: HeatmapFrame
    geometry: MapGeometry
    theme: Theme
    sentences: Beginnings | None
    names: tuple[str, str]

    def axes(self, row: int | None, column: int | None) -> None:
        metrics = QFontMetrics(self.frame.font)
        rows, columns = self.geometry.rows, self.geometry.columns
        edge, row_gap = self.frame.map_rect(self.geometry), metrics.height() * 1.4
        if self.frame.has_sentences:
            row_gap = float(metrics.ascent())  # one by one, as lines of a text
            self._names(metrics, edge)
        self._number_look(chosen=False)
        for index in _spaced(rows.ticks(row_gap), row, row_gap / rows.cell_px):
            if index in rows.visible:
                if index == row:
                    self._number_look(chosen=True)
                self._row_number(index, metrics, edge)
        column_gap = float(metrics.horizontalAdvance(str(columns.count)) + _LABEL_GAP_PX)
        if self.frame.has_sentences:
            column_gap = max(column_gap, row_gap)
        self._number_look(chosen=False)
        for index in _spaced(columns.ticks(column_gap), column, column_gap / columns.cell_px):
            if index in columns.visible:
                if index == column:
                    self._number_look(chosen=True)
                self._column_number(index, metrics, edge)

    def _names(self, metrics: QFontMetrics, edge: QRect) -> None:
        """Write at the corner whose sentences are the rows and whose the columns."""
        self.painter.setFont(bold(self.frame.font))
        self.painter.setPen(QColor(self.theme.ink))
        width = edge.left() - 2 * _TICK_PX - metrics.horizontalAdvance(f"{self.geometry.rows.count} ")
        bold_metrics = self.painter.fontMetrics()
        for above, name, arrow in ((2, self.names[1], "→"), (1, self.names[0], "↓")):
            box = QRect(2 * GRID_PX, edge.top() - GRID_PX - above * metrics.height(), width, metrics.height())
            box.setRight(width)
            name_px = box.width() - bold_metrics.horizontalAdvance(f" {arrow}")
            if box.top() >= GRID_PX and name:
                words = f"{elided_name(bold_metrics, name, name_px)} {arrow}"
                self.painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)

    def _number_look(self, *, chosen: bool) -> None:
        self.painter.setPen(self._hairline(self.theme.accent if chosen else self.theme.muted))
        self.painter.setFont(bold(self.frame.font) if chosen else self.frame.font)

    def _row_number(self, index: int, metrics: QFontMetrics, edge: QRect) -> None:
        middle = round(self.frame.origin.y() + self.geometry.rows.centre_px(index))
        middle = min(max(middle, edge.top()), edge.bottom())
        self.painter.drawLine(edge.left() - 1 - _TICK_PX, middle, edge.left() - 2, middle)
        height = metrics.height()
        box = QRect(0, middle - height // 2, edge.left() - 2 * _TICK_PX, height)
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        self.painter.drawText(box, flags, str(index + 1))
        if self.frame.has_sentences and self.sentences is not None:
            box.setLeft(2 * GRID_PX)
            box.setRight(box.right() - metrics.horizontalAdvance(f"{self.geometry.rows.count} "))
            text = metrics.elidedText(self.sentences[0](index), Qt.TextElideMode.ElideRight, box.width())
            self.painter.drawText(box, flags, text)

    def _column_number(self, index: int, metrics: QFontMetrics, edge: QRect) -> None:
        middle = round(self.frame.origin.x() + self.geometry.columns.centre_px(index))
        middle = min(max(middle, edge.left()), edge.right())
        self.painter.drawLine(middle, edge.top() - 1 - _TICK_PX, middle, edge.top() - 2)
        width, height = metrics.horizontalAdvance(str(index + 1)) + 2 * GRID_PX, metrics.height()
        box = QRect(middle - width // 2, edge.top() - 2 * _TICK_PX - height, width, height)
        self.painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(index + 1))
        if self.frame.has_sentences and self.sentences is not None:
            lines_px = max(float(height), self.geometry.columns.cell_px - GRID_PX)
            above = QRectF(middle - lines_px / 2, GRID_PX, lines_px, box.top() - 2 * GRID_PX)
            if above.height() > height:  # otherwise they are left out
                write_downwards(self.painter, above, self.sentences[1](index), to_end=True)

    def colour_bar(self, colours: ColourArray, similar_weight: float) -> None:
        """Paint the scale from 0 to 1, with a tick and the number at the threshold."""
        bar = self.frame.bar_rect(self.geometry)
        self.painter.drawImage(bar, pixel_image(colours[::-1, None]))
        self.painter.setPen(self._hairline(self.theme.line))
        self.painter.drawRect(bar.adjusted(-1, -1, 0, 0))
        threshold = bar.bottom() - round(similar_weight * (bar.height() - 1))
        self._bar_tick(bar, threshold, self.theme.ink, f"{similar_weight:.2f}")
        height = QFontMetrics(self.frame.font).height()
        for at, text in ((bar.top(), "1"), (bar.bottom(), "0")):
            if abs(at - threshold) >= height:
                self._bar_tick(bar, at, self.theme.muted, text)

    def _bar_tick(self, bar: QRect, at: int, colour: str, text: str) -> None:
        self.painter.setFont(self.frame.font)
        self.painter.setPen(self._hairline(colour))
        reach = bar.left() - 1 - _TICK_PX if colour == self.theme.ink else bar.right() + 2
        self.painter.drawLine(reach, at, bar.right() + 1 + _TICK_PX, at)
        height = QFontMetrics(self.frame.font).height()
        box = QRect(bar.right() + 2 + 2 * _TICK_PX, at - height // 2, self.frame.size.width(), height)
        self.painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)

    def caption(self) -> None:
        self.painter.setFont(self.frame.font)
        self.painter.setPen(QColor(self.theme.muted))
        centred = self.geometry.columns.start_px > 0
        side = Qt.AlignmentFlag.AlignHCenter if centred else Qt.AlignmentFlag.AlignLeft
        side = Qt.AlignmentFlag.AlignRight if self.frame.has_sentences else side
        box = self.frame.caption_rect(self.geometry)
        self.painter.drawText(box, side.value | _WRAPPED, self.frame.caption)

    def guides(self, row: int, column: int) -> None:
        tint = QColor(self.theme.accent)
        tint.setAlphaF(0.16)
        area, cell = self.frame.map_rect(self.geometry), self._cell(row, column)
        self.painter.fillRect(QRectF(area.left(), cell.top(), area.width(), max(1.0, cell.height())), tint)
        self.painter.fillRect(QRectF(cell.left(), area.top(), max(1.0, cell.width()), area.height()), tint)

    def crosshair(self, row: int, column: int) -> None:
        area, cell = self.frame.map_rect(self.geometry), self._cell(row, column)
        middle = QPointF(int(cell.center().x()), int(cell.center().y()))
        self.painter.save()
        self.painter.setPen(self._hairline(self.theme.accent, Qt.PenStyle.DashLine))
        self.painter.setClipRegion(QRegion(area) - QRegion(cell.toAlignedRect()))
        if row in self.geometry.rows.visible:
            self.painter.drawLine(QLineF(area.left(), middle.y(), area.right(), middle.y()))
        if column in self.geometry.columns.visible:
            self.painter.drawLine(QLineF(middle.x(), area.top(), middle.x(), area.bottom()))
        # the frame of a cell at the border may extend beyond the map a little
        self.painter.setClipRect(area.adjusted(-3, -3, 3, 3))
        if row in self.geometry.rows.visible and column in self.geometry.columns.visible:
            self._cell_frame(cell, QRectF(area))
        self.painter.restore()

    def _hairline(self, colour: str, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
        """Pen for the thinnest line whose width is the same at every pixel position."""
        ratio = self.geometry.rows.pixel_ratio
        return QPen(QColor(colour), max(1, int(ratio)) / ratio, style)

    def _cell_frame(self, cell: QRectF, area: QRectF) -> None:
        wider, higher = (max(0.0, _LEAST_FRAME_PX - side) / 2 for side in (cell.width(), cell.height()))
        widened = cell.adjusted(-wider, -higher, wider, higher)
        if wider and higher:
            # the frame of a tiny cell is moved inside, not clipped
            widened.moveLeft(min(max(widened.left(), area.left()), area.right() - widened.width()))
            widened.moveTop(min(max(widened.top(), area.top()), area.bottom() - widened.height()))
        framed = widened.toAlignedRect()
        for colour, width, outset in ((self.theme.surface, 4, 1), (self.theme.accent, 2, 1)):
            pen = QPen(QColor(colour), width)
            pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
            self.painter.setPen(pen)
            self.painter.drawRect(framed.adjusted(-outset, -outset, outset, outset))

    def _cell(self, row: int, column: int) -> QRectF:
        return self.geometry.cell_rect(row, column).translated(QPointF(self.frame.origin))


def _spaced(ticks: Iterable[int], chosen: int | None, least: float) -> list[int]:
    """Ticks and the chosen one, without ticks that are too close to it."""
    if chosen is None:
        return list(ticks)
    return [*(tick for tick in ticks if abs(tick - chosen) >= least), chosen]


LEAST_WIDTH_PX = 120
_AT_REST_MS = 100
"""Longer than the interval between two events of a drag, and the turn that answers each."""


_ZOOM_STEP = 1.25
_WHEEL_NOTCH = 120
STEPS = {
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
}
"""Rows and columns to move by."""
ZOOM_KEYS = {
    Qt.Key.Key_Plus: _ZOOM_STEP,
    Qt.Key.Key_Equal: _ZOOM_STEP,
    Qt.Key.Key_Minus: 1 / _ZOOM_STEP,
    Qt.Key.Key_Underscore: 1 / _ZOOM_STEP,
    Qt.Key.Key_0: 0.0,
    Qt.Key.Key_Home: 0.0,
}
"""Zoom factors; 0 shows the whole map."""


class MapView(PictureWithTips):
    """Map of cells: the wheel zooms it, a drag moves it, a click chooses a cell."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._geometry: MapGeometry | None = None
        self._hovered: Cell | None = None
        self._pressed_at: QPointF | None = None
        self._dragged_to: QPointF | None = None

    def _origin(self) -> QPointF:
        """Return where the geometry begins in the widget."""
        raise NotImplementedError

    def _cell_at(self, place: QPointF) -> Cell | None:
        raise NotImplementedError

    def _show(self, geometry: MapGeometry) -> None:
        raise NotImplementedError

    def _choose(self, cell: Cell) -> None:
        raise NotImplementedError

    def _hover(self, cell: Cell | None) -> None:
        raise NotImplementedError

    def _zoom_by(self, factor: float, about: QPointF) -> None:
        if self._geometry is not None:
            inside = about - self._origin()
            self._show(self._geometry.zoomed(factor, inside.x(), inside.y()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._zoom_by(_ZOOM_STEP ** (event.angleDelta().y() / _WHEEL_NOTCH), event.position())
        self._hover(self._cell_at(event.position()))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed_at = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if self._pressed_at is None:
            self._hover(self._cell_at(place))
            return
        is_drag = (place - self._pressed_at).manhattanLength() >= QApplication.startDragDistance()
        if self._dragged_to is not None or is_drag:
            distance = place - (self._pressed_at if self._dragged_to is None else self._dragged_to)
            self._dragged_to = place
            if self._geometry is not None:
                self._show(self._geometry.panned(distance.x(), distance.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._pressed_at is None:
            return
        clicked_at = self._pressed_at if self._dragged_to is None else None
        self._pressed_at = self._dragged_to = None
        if clicked_at is not None and (cell := self._cell_at(clicked_at)) is not None:
            self._choose(cell)
        self._hover(self._cell_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)


class HeatmapCanvas(MapView):
    """Shows the matrix, its matches and one selected cell; rows and columns count from 0."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.empty_words: Callable[[], str] = lambda: _("The comparison matrix appears here.")
        self._similar_weight = ComparisonSettings().similar_weight
        self._pyramid: HeatPyramid | None = None
        self._matched = MatchedCells.none()
        self._passages = PassageBoxes.none()
        self._excluded: tuple[BoolArray, BoolArray] | None = None
        self._selected: Cell | None = None
        self._sentences: Beginnings | None = None
        self.names: Callable[[], tuple[str, str]] = lambda: ("", "")
        """Returns whose sentences are the rows, and whose the columns."""
        self._is_large = False
        self._frame: HeatmapFrame | None = None
        self._map_painter = MapPainter()
        self._mark_pyramid = MarkPyramid(self._repaint_matrix, self)
        self._picture: QImage | None = None
        self._is_outdated = False
        """Whether the picture is only shown, as a scaled one, while the view is resized."""
        self._stretched = QTimer(self, singleShot=True, interval=_AT_REST_MS)
        self._stretched.timeout.connect(self._repaint_matrix)
        self._repainting = QTimer(self, singleShot=True, interval=0)
        self._repainting.timeout.connect(self.update)
        follow_theme(self._recolour)

    def clear(self) -> None:
        self._pyramid = None
        self._forget()

    def begin(self, rows: int, columns: int) -> None:
        self._pyramid = HeatPyramid(rows, columns) if rows and columns else None
        self._forget()

    def put_block(self, first_row: int, heat: HeatArray) -> None:
        if self._pyramid is not None:
            self._pyramid.put(first_row, heat)
            self._map_painter.forget_heat()
            self._repaint_matrix()

    def set_matches(self, rows: Int32Array, columns: Int32Array, kinds: NDArray[np.int8]) -> None:
        """Mark the matched cells, given by columns of equal length in row order; kinds: MatchKind values."""
        self._matched = MatchedCells(rows, columns, kinds)
        self._mark_pyramid.show(self._matched, self._pyramid)
        self._repaint_matrix_next()

    def set_passages(self, passages: PassageBoxes) -> None:
        self._passages = passages
        self._repaint_matrix_next()

    def set_excluded(self, rows: BoolArray, columns: BoolArray) -> None:
        """Show the cells of these left and right sentences, given as masks, in quiet colours."""
        self._excluded = (rows, columns)
        self._repaint_matrix_next()

    def show_sentences(self, sentences: Beginnings | None) -> None:
        """Give the texts that stand at the edges while it is large."""
        self._sentences = sentences
        if self._is_large:
            self._refit()
        self._repaint_matrix_next()

    def set_large(self, is_large: bool) -> None:
        """Show the beginnings of the sentences at the edges, or numbers alone."""
        self._is_large = is_large
        self._refit()

    def set_similar_weight(self, value: float) -> None:
        """Show cells below a threshold, a share in (0, 1], in pale colours."""
        if value != self._similar_weight:
            self._similar_weight = value
            self._palette = heat_palette(current_theme(), value)
            self._repaint_matrix_next()

    def set_selected(self, row: int | None, column: int | None) -> None:
        pyramid = self._pyramid
        if row is None or column is None or pyramid is None:
            self._selected = None
        elif not (0 <= row < pyramid.rows and 0 <= column < pyramid.columns):
            raise IndexError(f"no cell {row}, {column} in a matrix of {pyramid.rows} by {pyramid.columns}")
        elif self._selected != (row, column):
            self._selected = (row, column)
            if (
                self._geometry is not None
                and (shown := self._geometry.revealing(row, column)) != self._geometry
            ):
                self._geometry, self._picture = shown, None
        self._repaint_matrix_next()

    def sizeHint(self) -> QSize:
        return QSize(400, 440)

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST_WIDTH_PX, 180)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refit()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.DevicePixelRatioChange):
            self._refit()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), QColor(current_theme().surface))
        if self._frame is None or self._geometry is None:
            painter.setPen(QColor(current_theme().muted))
            box = self.rect().adjusted(MARGIN_PX, MARGIN_PX, -MARGIN_PX, -MARGIN_PX)
            flags = Qt.AlignmentFlag.AlignCenter.value | Qt.TextFlag.TextWordWrap.value
            painter.drawText(box, flags, self.empty_words())
        else:
            self._paint_map(painter, self._frame, self._geometry)
        if self.hasFocus():
            self._paint_focus(painter)

    def _paint_map(self, painter: QPainter, frame: HeatmapFrame, geometry: MapGeometry) -> None:
        row, column = (self._is_large and self._hovered) or self._selected or (None, None)
        if self._picture is not None and self._stretched.isActive():
            painter.drawImage(frame.map_rect(geometry), self._picture)
        else:
            painter.drawImage(frame.map_rect(geometry).topLeft(), self._matrix_picture(geometry))
        parts = FramePainter(painter, frame, geometry, current_theme(), self._sentences, self.names())
        parts.axes(row, column)
        if not frame.is_narrow:
            parts.colour_bar(self._palette.colours, self._similar_weight)
            parts.caption()
        if self._hovered is not None:
            parts.guides(*self._hovered)
        if self._selected is not None:
            parts.crosshair(*self._selected)

    def _matrix_picture(self, geometry: MapGeometry) -> QImage:
        assert self._pyramid is not None
        if self._picture is None or self._is_outdated:
            chosen = self._passages.containing(*self._selected) if self._selected else None
            marks = MapMarks(self._matched, self._passages, self._excluded, chosen, self._mark_pyramid.kinds)
            self._picture = self._map_painter.paint(
                geometry, self._pyramid, marks, current_theme(), self._palette
            )
            self._is_outdated = False
        return self._picture

    def _paint_focus(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(current_theme().accent), 2))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), GRID_PX, GRID_PX)

    def _forget(self) -> None:
        self._matched = MatchedCells.none()
        self._mark_pyramid.show(self._matched, None)
        self._passages = PassageBoxes.none()
        self._excluded = None
        self._hovered = self._geometry = None
        self._map_painter.forget_heat()
        self.set_selected(None, None)
        self._refit()

    def _refit(self) -> None:
        pyramid, geometry = self._pyramid, self._geometry
        if pyramid is None:
            self._frame = None
            self._show(None)
            return
        self._frame = plan_frame(
            self.size(), self.font(), pyramid.rows, pyramid.columns, sentences_px=self._sentences_px(pyramid)
        )
        width, height, ratio = (
            self._frame.map_area.width(),
            self._frame.map_area.height(),
            self.devicePixelRatioF(),
        )
        if geometry is None:
            self._show(fitted_geometry(pyramid.rows, pyramid.columns, width, height, ratio))
        else:
            self._stretch(self._picture, geometry.refitted(width, height, ratio))

    def _sentences_px(self, pyramid: HeatPyramid) -> int | None:
        if not self._is_large or self._sentences is None:
            return 0 if self._is_large else None
        advance = QFontMetrics(small_font(self.font())).horizontalAdvance
        rows = range(min(pyramid.rows, _MOST_MEASURED))
        return max(advance(self._sentences[0](row)[:_MOST_CHARACTERS]) for row in rows)

    def _show(self, geometry: MapGeometry | None) -> None:
        self._geometry, self._picture = geometry, None
        self._repaint_matrix()

    def _stretch(self, picture: QImage | None, geometry: MapGeometry) -> None:
        """Show the map in another geometry, as a scaled old image until resizing stops.

        Drawing the map takes long, and while a window is resized all its other parts are laid out and
        painted as well.
        """
        self._show(geometry)
        if picture is not None:
            self._picture = picture
            self._stretched.start()

    def _recolour(self) -> None:
        self._palette, self._picture = heat_palette(current_theme(), self._similar_weight), None
        self._repaint_matrix()
        QTimer.singleShot(0, self, self._make_picture)

    def _make_picture(self) -> None:
        if self._geometry is not None and self.isVisible():
            self._matrix_picture(self._geometry)

    def _repaint_matrix(self) -> None:
        self._repaint_matrix_next()
        self._repainting.stop()
        self.update()

    def _repaint_matrix_next(self) -> None:
        """Paint again in the next turn of the event loop, once for all changes and after the texts."""
        self._stretched.stop()
        self._is_outdated = True
        self._repainting.start()

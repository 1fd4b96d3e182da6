"""Heatmap of all essays of a class: zoom, pan, and choose pairs by mouse or keyboard."""

from collections.abc import Collection
from math import ceil

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from simcompare.comparison.comparison_result import HEAT_SCALE, HeatArray
from simcompare.comparison.passages.passage_kinds import PassageKind
from simcompare.session.decisions import Cell
from simcompare.support.i18n import N_, _
from simcompare.ui.access.picture_table import PictureTable, TableAction
from simcompare.ui.actions import key_of
from simcompare.ui.cohort.overview.class_words import shares_in_words, table_of_shares
from simcompare.ui.compare.heatmap.heatmap_canvas import STEPS, ZOOM_KEYS, MapView
from simcompare.ui.compare.heatmap.heatmap_geometry import Axis, MapGeometry
from simcompare.ui.compare.heatmap.heatmap_picture import heat_colours, pixel_image
from simcompare.ui.state.cohort.class_filter import ClassPicture
from simcompare.ui.state.language import follow_language, translated
from simcompare.ui.style.layouts import ENTER_KEYS, FocusFrame
from simcompare.ui.style.text_labels import announce, as_tooltip, draw_name, elided_name
from simcompare.ui.style.theme import GRID_PX, Theme, current_theme, follow_theme, scaled

_UNKNOWN = HEAT_SCALE + 1
"""Place in `palette` of pairs that are not compared yet, and of an essay with itself."""
CellArray = NDArray[np.uint16]


def square_geometry(count: int, side_px: int, area: QRect, left_px: int, pixel_ratio: float) -> MapGeometry:
    """Return the geometry of a square map in a wider area, which a zoomed map fills.

    left_px: place of the square from the left of the area.
    """
    cell_px = side_px / count
    free_px = area.width() - side_px
    rows = Axis(count, side_px, cell_px, 0.0, pixel_ratio)
    columns = Axis(count, area.width(), cell_px, left_px / free_px if free_px > 0 else 0.0, pixel_ratio)
    return MapGeometry(rows, columns, 1.0, (cell_px, cell_px))


def cell_colours(picture: ClassPicture) -> CellArray:
    """Return the place of each cell's colour in `palette`, shape (documents, documents), in display order.

    Colours follow the square root of the share, so that 10% differs from 0 as much as 40% from 10%.
    """
    order = picture.order
    shares = picture.figures.matrix[np.ix_(order, order)]
    heats = np.sqrt(np.nan_to_num(shares, nan=0.0)) * HEAT_SCALE
    cells = np.where(np.isnan(shares), _UNKNOWN, heats.round()).astype(np.uint16)
    np.fill_diagonal(cells, _UNKNOWN)
    return cells


def palette(theme: Theme) -> NDArray[np.uint32]:
    """Return the colours of shares, and of unknown ones."""
    return np.append(heat_colours(theme, 0.0), np.uint32(QColor(theme.background).rgb()))


def map_image(cells: CellArray, geometry: MapGeometry, theme: Theme) -> QImage:
    """Paint the visible cells; a device pixel that covers several shows the highest share."""
    down = _rows_of(cells, geometry.rows)
    across = _rows_of(down.T, geometry.columns).T
    picture = pixel_image(palette(theme).take(across))
    picture.setDevicePixelRatio(geometry.rows.pixel_ratio)
    return picture


def _rows_of(cells: CellArray, axis: Axis) -> CellArray:
    """Return the row of each device pixel; of several rows the highest share."""
    first, last = axis.pixel_cells(1)
    taken = cells[first]
    # an unknown cell beside a known one is not the highest share
    for step in range(1, int((last - first).max(initial=0)) + 1):
        other = cells[np.minimum(first + step, last)]
        known, other_known = taken <= HEAT_SCALE, other <= HEAT_SCALE
        better = np.where(known == other_known, other > taken, other_known)
        taken = np.where(better, other, taken)
    return taken


def hottest_near(cells: HeatArray | CellArray, row: int, column: int, radius: int) -> tuple[int, int]:
    """Return the cell with the highest share within `radius` cells, the cell itself if none is known."""
    rows = slice(max(row - radius, 0), row + radius + 1)
    columns = slice(max(column - radius, 0), column + radius + 1)
    near = cells[rows, columns].astype(np.int32)
    near[near > HEAT_SCALE] = -1
    if near.max() < 0:
        return row, column
    place = np.unravel_index(int(near.argmax()), near.shape)
    return rows.start + int(place[0]), columns.start + int(place[1])


def block_rects(sizes: list[int], geometry: MapGeometry) -> list[QRectF]:
    """Return the squares of groups of these sizes along the diagonal, from the first cell."""
    rects, start = [], 0
    for size in sizes:
        first, last = geometry.cell_rect(start, start), geometry.cell_rect(start + size - 1, start + size - 1)
        rects.append(QRectF(first.topLeft(), last.bottomRight()))
        start += size
    return rects


_MARGIN_PX = GRID_PX
_WIDEST_NAME_PX = 36 * GRID_PX
_LEAST_NAME_PX = 10 * GRID_PX
"""A longer name is not shortened to less."""
_LEAST_NAMED_CELL_PX = 11
_LINE_PART = 1.05
"""Least height of a line, as part of the size of its font, which is 10 px in the lowest row that is named."""
_MOST_NAMED = 60
"""Essays of a class whose names stand at the edge, some of them if not all fit."""
_LEAST_PART_OF_SIDE = 0.75
"""A map is not made smaller than this part of its largest side to leave space for names."""
_LEAST_MARK_PX = 7.0
_LEAST_DOT_PX = 1.5
_REWRITTEN_PART = 0.22
"""Radius of the dot of a rewritten pair, as part of the side of its cell."""
_NEAR_PX = 3


class EssayMap(MapView):
    """Square heatmap; rows and columns are the essays, ordered by group. Cells are places in that order.

    A zoomed map is as wide as the view. The signals give indices of documents in the picture of the class.
    pair_chosen: a cell was clicked, twice the same essay on the diagonal; pair_opened: a cell was clicked
    twice, or opened with Enter.
    """

    pair_chosen = Signal(int, int)
    pair_opened = Signal(int, int)
    hovered = Signal(str)
    """Names and shares of the cell under the pointer or the cursor, or ""."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: ClassPicture | None = None
        self._cells: CellArray = np.zeros((0, 0), np.uint16)
        self._image: QImage | None = None
        self._group_sizes: list[int] = []
        self._longest_name_px = 0
        self._cursor: Cell | None = None
        self._chosen: frozenset[int] = frozenset()
        FocusFrame(self)
        follow_theme(self._repaint)
        TableAction(self, self._as_table)
        translated(self, accessibleName=N_("Heatmap of all essays"))
        follow_language(self._describe)

    def show_class(self, picture: ClassPicture) -> None:
        """Show the shares of a class; the cursor stays at its pair, whose shares are described."""
        cursor = self._documents_at(self._cursor)
        before, self._picture = self._picture, picture
        self._cells = cell_colours(picture)
        groups = picture.figures.groups(picture.limit)
        self._group_sizes = [len(group.members) for group in groups]
        if before is None or len(before.keys) != len(picture.keys):
            self._geometry = None
        self._hovered = None
        self._cursor = None if cursor is None or before is None else self._cell_of(before, cursor)
        self._measure_names()
        self._refit()
        self._describe()

    def show_chosen(self, keys: Collection[int]) -> None:
        self._chosen = frozenset(keys)
        self.update()

    @property
    def legend(self) -> str:
        if self._picture is None or not len(self._picture.rewritten):
            return _("Stronger colour: more similar.")
        return _("Stronger: more similar · dot: rewritten?")

    def sizeHint(self) -> QSize:
        return QSize(320, 280)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 140)

    # cells

    def _documents_at(self, cell: Cell | None) -> Cell | None:
        if cell is None or self._picture is None:
            return None
        order = self._picture.order
        return int(order[cell[0]]), int(order[cell[1]])

    def _cell_of(self, before: ClassPicture, documents: Cell) -> Cell | None:
        assert self._picture is not None
        places = [self._picture.index_of(before.key_at(index)) for index in documents]
        if None in places:
            return None
        row, column = (int(np.flatnonzero(self._picture.order == place)[0]) for place in places)
        return row, column

    def _cell_at(self, place: QPointF) -> Cell | None:
        """Return the cell at a position; among cells too small to hit, the one with the highest share."""
        geometry = self._geometry
        if geometry is None:
            return None
        inside = place - QPointF(self._area.topLeft())
        row, column = geometry.rows.index_at(inside.y()), geometry.columns.index_at(inside.x())
        if row is None or column is None:
            return None
        radius = int(_NEAR_PX / geometry.rows.cell_px)
        return hottest_near(self._cells, row, column, radius) if radius else (row, column)

    # geometry

    @property
    def _side_px(self) -> int:
        """Side of the whole map, smaller if that leaves space for the names of its rows."""
        side = min(self.width(), self.height()) - 2 * _MARGIN_PX
        beside_names = max(self.width() - 2 * _MARGIN_PX - self._names_px, round(side * _LEAST_PART_OF_SIDE))
        names_all_rows = beside_names >= len(self._cells) * scaled(_LEAST_NAMED_CELL_PX)
        return max(min(side, beside_names) if names_all_rows else side, 1)

    @property
    def _area(self) -> QRect:
        """Area of a zoomed map; names are left of it if the view is wide enough."""
        side = self._side_px
        left = _MARGIN_PX + min(self.width() - side - 2 * _MARGIN_PX, scaled(_WIDEST_NAME_PX))
        return QRect(left, _MARGIN_PX, max(self.width() - _MARGIN_PX - left, side), side)

    @property
    def _names_px(self) -> int:
        """Width of the longest name with its margins, as far as it is shown."""
        return min(self._longest_name_px, scaled(_WIDEST_NAME_PX)) + 3 * GRID_PX

    @property
    def _map_rect(self) -> QRect:
        geometry, area = self._geometry, self._area
        if geometry is None:
            return area
        place = area.topLeft() + QPoint(geometry.columns.start_px, geometry.rows.start_px)
        return QRect(place, QSize(geometry.columns.used_px, geometry.rows.used_px))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._refit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._measure_names()
            self._refit()

    def _measure_names(self) -> None:
        """Keep the width of the longest name: hundreds take too long at each move of the mouse."""
        names = () if self._picture is None else self._picture.labels
        self._longest_name_px = max(map(self.fontMetrics().horizontalAdvance, names), default=0)

    def _refit(self) -> None:
        """Fit the map to size and number of essays; zoom and place stay."""
        before, count = self._geometry, len(self._cells)
        self._geometry = None
        if count:
            area, side = self._area, self._side_px
            centred, farthest = (self.width() - side) // 2, self.width() - side - _MARGIN_PX
            left = max(min(max(centred, self._names_px), farthest) - area.left(), 0)
            fitted = square_geometry(count, side, area, left, self.devicePixelRatioF())
            self._geometry = fitted
            if before is not None:
                zoomed = fitted.zoomed(before.zoom, 0, 0)
                shift = [-axis.first * zoomed.rows.cell_px for axis in (before.columns, before.rows)]
                self._geometry = zoomed.panned(*shift)
        self._repaint()

    def _repaint(self) -> None:
        self._image = None
        self.update()

    def _show(self, geometry: MapGeometry) -> None:
        self._geometry = geometry
        self._repaint()

    def _origin(self) -> QPointF:
        return QPointF(self._area.topLeft())

    def _zoom_centre(self) -> QPointF:
        rect = QRectF(self._map_rect)
        if self._cursor is None or self._geometry is None:
            return rect.center()
        return self._geometry.cell_rect(*self._cursor).center() + self._area.topLeft()

    # painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        geometry = self._geometry
        if geometry is None:
            return
        if self._image is None:
            self._image = map_image(self._cells, geometry, current_theme())
        with QPainter(self) as painter:
            rect = self._map_rect
            painter.drawImage(rect.topLeft(), self._image)
            self._paint_names(painter, geometry)
            painter.setClipRect(rect)
            painter.translate(self._area.topLeft())
            self._paint_diagonal(painter, geometry)
            self._paint_groups(painter, geometry)
            self._paint_rewritten(painter, geometry)
            self._paint_chosen(painter, geometry)
            self._paint_guides(painter, geometry)
            painter.setClipping(False)
            painter.setPen(QColor(current_theme().line))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            left = geometry.columns.start_px
            painter.drawRect(left - 1, -1, rect.width() + 1, rect.height() + 1)

    def _paint_diagonal(self, painter: QPainter, geometry: MapGeometry) -> None:
        """Strike the cells of an essay with itself, which in any grey would look like a share."""
        last = len(self._cells) - 1
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(current_theme().edge), 1.5))
        painter.drawLine(geometry.cell_rect(0, 0).topLeft(), geometry.cell_rect(last, last).bottomRight())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_groups(self, painter: QPainter, geometry: MapGeometry) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(current_theme().accent), 1))
        for rect in block_rects(self._group_sizes, geometry):
            painter.drawRect(rect.adjusted(-0.5, -0.5, 0.5, 0.5))

    def _paint_rewritten(self, painter: QPainter, geometry: MapGeometry) -> None:
        """Mark the cells of pairs with possibly rewritten passages, whose shares may be low."""
        assert self._picture is not None
        picture, places = self._picture, np.argsort(self._picture.order)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(current_theme().passages[PassageKind.MEANING].ink))
        pairs = picture.rewritten
        rows, columns = places[picture.figures.left[pairs]], places[picture.figures.right[pairs]]
        for row, column in zip([*rows, *columns], [*columns, *rows], strict=True):
            cell = geometry.cell_rect(row, column)
            radius = max(cell.width() * _REWRITTEN_PART, _LEAST_DOT_PX)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.drawEllipse(cell.center(), radius, radius)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_chosen(self, painter: QPainter, geometry: MapGeometry) -> None:
        places = self._chosen_places()
        if len(places) == 1:
            edge, area = geometry.cell_rect(places[0], places[0]), self._area
            painter.setPen(QPen(QColor(current_theme().accent), 1))
            painter.drawRect(QRectF(-2, edge.top(), area.width() + 4, edge.height()))
            painter.drawRect(QRectF(edge.left(), -2, edge.width(), area.height() + 4))
        elif len(places) == 2:
            for cell in (places, places[::-1]):
                self._outline(painter, geometry, (cell[0], cell[1]))

    def _chosen_places(self) -> list[int]:
        if self._picture is None or not self._chosen:
            return []
        indices = [self._picture.index_of(key) for key in self._chosen]
        return [
            int(np.flatnonzero(self._picture.order == index)[0]) for index in indices if index is not None
        ]

    def _paint_guides(self, painter: QPainter, geometry: MapGeometry) -> None:
        """Lead from the hovered cell to the border, and outline the cursor."""
        if self._hovered is not None:
            cell = geometry.cell_rect(*self._hovered)
            painter.setPen(QPen(QColor(current_theme().muted), 1, Qt.PenStyle.DotLine))
            painter.drawLine(QPointF(0, cell.center().y()), QPointF(cell.left(), cell.center().y()))
            painter.drawLine(QPointF(cell.center().x(), 0), QPointF(cell.center().x(), cell.top()))
        if self._cursor is not None:
            self._outline(painter, geometry, self._cursor)

    @staticmethod
    def _outline(painter: QPainter, geometry: MapGeometry, cell: Cell) -> None:
        rect = geometry.cell_rect(*cell)
        more = max(0.0, _LEAST_MARK_PX - rect.width()) / 2
        rect.adjust(-more - 1, -more - 1, more + 1, more + 1)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width in ((current_theme().surface, 4), (current_theme().accent, 2)):
            painter.setPen(QPen(QColor(colour), width))
            painter.drawRect(rect)

    def _paint_names(self, painter: QPainter, geometry: MapGeometry) -> None:
        """Name the rows, low ones smaller or not all; always both essays of the hovered cell or cursor."""
        rect, picture = self._map_rect, self._picture
        width = min(rect.left() - 2 * GRID_PX, scaled(_WIDEST_NAME_PX))
        if picture is None or width < min(self._longest_name_px, _LEAST_NAME_PX):
            return
        marked, theme = self._hovered or self._cursor, current_theme()
        cell_px, font = geometry.rows.cell_px, QFont(self.font())
        is_all = cell_px >= scaled(_LEAST_NAMED_CELL_PX)
        if is_all and cell_px < self.fontInfo().pixelSize() * _LINE_PART:
            font.setPixelSize(int(cell_px / _LINE_PART))
        metrics = self.fontMetrics() if font == self.font() else QFontMetrics(font)
        apart = 1 if is_all else ceil(metrics.height() / cell_px)
        own = sorted(set(marked or ()), key=(marked or ()).index)
        own = own[:1] if len(own) == 2 and abs(own[0] - own[1]) < apart else own
        whole = geometry.rows.whole if is_all or len(self._cells) <= _MOST_NAMED else range(0)
        # the last one as well as the first
        listed = [*(row for row in whole[::apart] if row <= whole[-1] - apart), *whole[-1:]]
        rows = [*(row for row in listed if all(abs(row - each) >= apart for each in own)), *own]
        painter.save()
        painter.setFont(font)
        painter.setClipRect(0, rect.top() - GRID_PX, rect.left(), rect.height() + 2 * GRID_PX)
        height = metrics.height()
        edge_px = height / 2 - _MARGIN_PX
        for row in rows:
            is_marked, within = marked is not None and row in marked, geometry.rows.centre_px(row)
            within = min(max(within, edge_px), rect.height() - edge_px)
            painter.setPen(QColor(theme.ink if is_marked else theme.muted))
            document = int(picture.order[row])
            label = picture.labels[document]
            is_whole = metrics.elidedText(label, Qt.TextElideMode.ElideMiddle, width) == label
            text = label if is_whole else elided_name(metrics, label, width, picture.shared[document])
            box = QRectF(rect.left() - width - GRID_PX, rect.top() + within - height / 2, width, height)
            draw_name(painter, box, Qt.AlignmentFlag.AlignRight, text)
        painter.restore()

    # mouse

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        cell = self._cell_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and cell is not None:
            self._open(cell)

    def _hover(self, cell: Cell | None) -> None:
        if cell != self._hovered:
            self._hovered = cell
            self.update()
            self.hovered.emit(self._words_of(cell or self._cursor))

    # keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = key_of(event)
        if key in STEPS:
            self._step(*STEPS[key])
        elif key in ZOOM_KEYS:
            self._zoom_by(ZOOM_KEYS[key], self._zoom_centre())
            if self._cursor is not None and self._geometry is not None:
                self._show(self._geometry.revealing(*self._cursor))
        elif self._cursor is not None and key == Qt.Key.Key_Space:
            self._choose(self._cursor)
        elif self._cursor is not None and key in ENTER_KEYS:
            self._open(self._cursor)
        else:
            super().keyPressEvent(event)

    def _step(self, down: int, right: int) -> None:
        count = len(self._cells)
        row, column = (0, 1) if self._cursor is None else (self._cursor[0] + down, self._cursor[1] + right)
        if 0 <= row < count and 0 <= column < count:
            self._move_cursor((row, column))

    def _choose(self, cell: Cell) -> None:
        if cell != self._cursor:
            self._move_cursor(cell)
        self.pair_chosen.emit(*self._documents_at(cell) or ())

    def _move_cursor(self, cell: Cell) -> None:
        self._cursor = cell
        if self._geometry is not None:
            self._show(self._geometry.revealing(*cell))
        words = self._words_of(cell)
        self.hovered.emit(words)
        self._describe()
        announce(self, words)

    def _open(self, cell: Cell) -> None:
        first, second = self._documents_at(cell) or (0, 0)
        if first != second:
            self.pair_opened.emit(first, second)

    # words

    def tip_at(self, place: QPointF) -> tuple[str, QRect]:
        under_pointer = QRect(place.toPoint() - QPoint(1, 1), QSize(3, 3))
        return as_tooltip(self._words_of(self._cell_at(place))), under_pointer

    def _words_of(self, cell: Cell | None) -> str:
        documents = self._documents_at(cell)
        if documents is None or self._picture is None:
            return ""
        return shares_in_words(self._picture, *documents)

    def _as_table(self) -> PictureTable | None:
        if self._picture is None:
            return None
        return table_of_shares(self._picture, self._choose, self._cursor or (0, 0))

    def _describe(self) -> None:
        help_text = _(
            "Rows and columns are the essays, ordered by group; the table of pairs has the same shares. "
            "Arrow keys move the cursor, the space bar lists the pair, Enter opens it; plus and minus zoom, "
            "0 shows all, T shows a table."
        )
        self.setAccessibleDescription(self._words_of(self._cursor) or help_text)

"""Image of the shares of all pairs of a class: a cell for each two essays, in the order of their groups."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QColor, QImage

from simcompare.comparison.comparison_result import HEAT_SCALE, HeatArray
from simcompare.ui.compare.heatmap.heatmap_geometry import Axis, MapGeometry
from simcompare.ui.compare.heatmap.heatmap_picture import heat_colours, pixel_image
from simcompare.ui.state.cohort.class_picture import ClassPicture
from simcompare.ui.style.theme import Theme

_UNKNOWN, _DIAGONAL = HEAT_SCALE + 1, HEAT_SCALE + 2
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

    Colours follow the square root of the share, so that 10 % differs from 0 as much as 40 % from 10 %.
    """
    order = picture.order
    shares = picture.figures.matrix[np.ix_(order, order)]
    heats = np.sqrt(np.nan_to_num(shares, nan=0.0)) * HEAT_SCALE
    cells = np.where(np.isnan(shares), _UNKNOWN, heats.round()).astype(np.uint16)
    np.fill_diagonal(cells, _DIAGONAL)
    return cells


def palette(theme: Theme) -> NDArray[np.uint32]:
    """Return the colours of shares, of unknown ones and of the diagonal."""
    others = [QColor(theme.background).rgb(), QColor(theme.line).rgb()]
    return np.concatenate([heat_colours(theme, 0.0), np.array(others, np.uint32)])


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
    # an unknown cell beside a known one, and the diagonal, are not the highest share
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

"""The matrix as a picture between two axes."""

import base64
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from simcompare.comparison.values import Comparison
from simcompare.report.heat_legend import scale_colour, ticks
from simcompare.report.heat_picture import LIGHT, MOST_CELLS_A_SIDE, heat_levels, png_data_uri
from simcompare.report.page import PageView
from simcompare.report.word.markup import TWIPS_PER_POINT, cell, paragraph, row, run

AXIS_TWIPS = 640
_MOST_PT, _MOST_CELL_PT, _LEAST_PT = 250, 16, 24
_LEAST_PIXELS = 800
_LABEL_TWIPS = 200
_SCALE_STEPS = 40


def heat_png(comparison: Comparison, page: PageView) -> bytes:
    """Return the matrix, small cells so many pixels wide that no program blurs them."""
    if max(comparison.matrix.shape) > MOST_CELLS_A_SIDE:
        return _decoded(page.heat.light)
    levels = heat_levels(comparison)
    times = -(-_LEAST_PIXELS // max(levels.shape))
    large = np.repeat(np.repeat(levels, times, axis=0), times, axis=1)
    return _decoded(png_data_uri(large, LIGHT))


def _decoded(data_uri: str) -> bytes:
    return base64.b64decode(data_uri.partition(",")[2])


def heat_size_pt(comparison: Comparison) -> tuple[float, float]:
    """Return width and height of the picture, its cells square where that leaves it visible."""
    rows, columns = comparison.matrix.shape
    size = min(_MOST_PT / columns, _MOST_PT / rows, _MOST_CELL_PT)
    return max(columns * size, _LEAST_PT), max(rows * size, _LEAST_PT)


def heat_rows(comparison: Comparison, picture: str, width: int) -> Iterator[str]:
    """Yield the axis of the right text, and the picture beside that of the left text."""
    (rows, columns), size = comparison.matrix.shape, heat_size_pt(comparison)
    wide, high = (round(extent * TWIPS_PER_POINT) for extent in size)
    places = _places(columns, wide, 38)
    stops = "".join(f'<w:tab w:val="center" w:pos="{place}"/>' for _count, place in places)
    across = "".join(run(f"\t{count:,}", "Muted", _TINY) for count, _place in places)
    head = paragraph("Small", across, properties=f"<w:tabs>{stops}</w:tabs>{_exact(0, _LABEL_TWIPS)}")
    yield row([cell(paragraph("Small"), AXIS_TWIPS), cell(head, width)])
    yield row([cell("".join(_down(rows, high)), AXIS_TWIPS), cell(picture, width)])


def heat_scale() -> str:
    """Return runs in the colours from nothing in common to all in common."""
    colours = (scale_colour(LIGHT.stops, step / (_SCALE_STEPS - 1)) for step in range(_SCALE_STEPS))
    return "".join(
        run(" ", properties=f'<w:shd w:val="clear" w:color="auto" w:fill="{colour[1:].upper()}"/>')
        for colour in colours
    )


_TINY = '<w:sz w:val="15"/><w:szCs w:val="15"/>'


def _places(count: int, extent: int, room_pt: float) -> list[tuple[int, int]]:
    """Return the numbers of an axis and where the middles of their sentences are, in twips."""
    numbers = ticks(count, round(extent / TWIPS_PER_POINT / room_pt))
    return [(number, round((number - 0.5) / count * extent)) for number in numbers]


def _down(count: int, extent: int) -> Iterator[str]:
    """Yield a paragraph a number, each so far below the one before that it stands at its sentence."""
    places = _places(count, extent, 24)
    middles = [_LABEL_TWIPS // 2, *(place for _number, place in places)]
    for (number, _place), (above, place) in zip(places, pairwise(middles), strict=True):
        room = max(place - above - (0 if number == 1 else _LABEL_TWIPS), 0)
        yield paragraph(
            "Small",
            run(f"{number:,}", "Muted", _TINY),
            properties=_exact(room, _LABEL_TWIPS) + '<w:jc w:val="right"/>',
        )


def _exact(before: int, line: int) -> str:
    return f'<w:spacing w:before="{before}" w:after="0" w:line="{line}" w:lineRule="exact"/>'

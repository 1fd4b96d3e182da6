"""Pictures of a class as drawings: histogram of shares, matrix of all essays, graph of groups."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Literal

import numpy as np

from simcompare.cohort.class_figures import (
    BIN_COUNT,
    LABEL_PLACES,
    PERCENT_PER_BIN,
    ClassFigures,
    GraphLayout,
    are_crossing,
    diagonals_of,
    lay_out_graph,
)
from simcompare.cohort.cohort_scoring import Group
from simcompare.report.heat_picture import DARK, HEAT_LEVELS, LIGHT, HeatColours, png
from simcompare.report.pair_tables import elided, terminal_width
from simcompare.support.arrays import IndexArray
from simcompare.support.display_text import percent, shared_ends, with_sign
from simcompare.support.i18n import _, joined_sentences, ngettext

Role = Literal[
    "grid",
    "usual",
    "unusual",
    "limit",
    "link",
    "rewritten",
    "node",
    "frame",
    "ink",
    "muted",
    "strong",
    "halo",
    "page",
]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class Line:
    """Line between two points; `width` is that of the stroke."""

    role: Role
    x1: float
    y1: float
    x2: float
    y2: float
    width: float = 1.0
    kind: str = "line"


@dataclass(frozen=True, slots=True)
class Box:
    """Filled rectangle; in the role "frame" only its outline, in "page" the colour of the page."""

    role: Role
    x: float
    y: float
    width: float
    height: float
    kind: str = "box"


@dataclass(frozen=True, slots=True)
class Dot:
    role: Role
    x: float
    y: float
    radius: float
    kind: str = "dot"


@dataclass(frozen=True, slots=True)
class Label:
    """Text whose baseline is at y; `anchor` says which part of it is at x."""

    role: Role
    x: float
    y: float
    text: str
    anchor: Anchor = "middle"
    kind: str = "label"


@dataclass(frozen=True, slots=True)
class Pixels:
    """Pixels as PNG, for a light and for a dark background."""

    x: float
    y: float
    width: float
    height: float
    light: bytes
    dark: bytes
    role: Role = "ink"
    kind: str = "picture"


Shape = Line | Box | Dot | Label | Pixels


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes in their order of painting, on an area in pixels; in_words: text instead; caption: above it."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    in_words: str
    caption: str = ""


LabelOf = Callable[[int], str]
_Area = tuple[float, float, float, float]
_ABOVE_PX, _BELOW_PX, _SIDE_PX = 34.0, 22.0, 24.0
_LEAST_BAR_PX = 2.0
_TICK_PERCENTS = range(0, 101, 10)
_DIGIT_PX, _HALF_LINE_PX = 3.4, 4.0
_MOST_CELL_PX, _GAP_PX = 22.0, 6.0
_FONT_PX = 11.0
_CELL_PX, _LINE_PX = (104.0, 66.0), 13.0
_ASPECTS = (8.0, 4.0, 2.0, 1.0, 0.5)
_DOT_PART, _LEAST_DOT_PX = 0.22, 1.5
_DOT_PX, _WIDEST_LINK_PX, _REWRITTEN_LINK_PX = 6.0, 5.0, 1.5
_MOST_LABELLED_LINKS = 60
_DOT_BESIDE_PX, _TEXT_PX, _ASCENT_PX = 8.0, 6.2, 10.0
_NAME_BELOW_PX, _NAME_ABOVE_PX = 20.0, 12.0
_NUMBER_STEP_PX = 15.0
_LABEL_DIGITS, _MOST_DIGITS, _FEWEST_DIGITS = 15, 20, 8
_UNKNOWN = {"light": "#ecebe6", "dark": "#2b3038"}
"""Colours of cells without a share: an essay and itself, and pairs that are not compared."""


@dataclass(frozen=True, slots=True)
class PictureSizes:
    """Sizes in pixels of 1/96 inch: width of the page and of the matrix, height of the highest bar."""

    page_px: float
    matrix_px: float
    bars_px: float


WEB, PRINT = PictureSizes(1144, 440, 140), PictureSizes(640, 330, 100)


def histogram(figures: ClassFigures, limit: float, sizes: PictureSizes) -> Drawing:
    """Draw the number of pairs by share; heights are logarithmic, so that a single pair can be seen."""
    counts = figures.histogram.tolist()
    most = max(counts, default=0)
    base = _ABOVE_PX + sizes.bars_px
    width = sizes.page_px
    bin_px = (width - 2 * _SIDE_PX) / BIN_COUNT

    def x_of(percents: float) -> float:
        return _SIDE_PX + percents / PERCENT_PER_BIN * bin_px

    limit_px = x_of(100 * limit)
    shapes: list[Shape] = [
        Line("grid", _SIDE_PX, base, width - _SIDE_PX, base),
        *(Label("muted", x_of(percents), base + 16, with_sign(percents)) for percents in _TICK_PERCENTS),
    ]
    free_px = 0.0
    for number, count in enumerate(counts):
        if not count:
            continue
        height = max(sizes.bars_px * math.log1p(count) / math.log1p(max(most, 9)), _LEAST_BAR_PX)
        left = x_of(number * PERCENT_PER_BIN)
        parts: tuple[tuple[Role, float, float], ...] = (
            ("usual", left + 0.5, min(left + bin_px - 0.5, limit_px)),
            ("unusual", max(left + 0.5, limit_px), left + bin_px - 0.5),
        )
        shapes += (
            Box(role, start, base - height, end - start, height) for role, start, end in parts if end > start
        )
        text = f"{count:,}"
        middle, half = left + bin_px / 2, len(text) * _DIGIT_PX
        if middle - half >= free_px:
            shapes.append(Label("muted", middle, base - height - 4, text))
            free_px = middle + half + 2
    shapes.append(Line("limit", limit_px, _ABOVE_PX - 18, limit_px, base, 1.5))
    words = _("limit {share}").format(share=percent(limit))
    is_beside = limit_px + 6 + _name_px(words) < width
    beside: tuple[float, Anchor] = (limit_px + 6, "start") if is_beside else (limit_px - 6, "end")
    shapes.append(Label("strong", beside[0], _ABOVE_PX - 10, words, beside[1]))
    return Drawing(width, base + _BELOW_PX, tuple(shapes), histogram_in_words(figures, limit))


def histogram_in_words(figures: ClassFigures, limit: float) -> str:
    """Return how many pairs are below and from the limit."""
    above = figures.count_from(limit)
    below = _("{count} pairs below the limit of {limit}").format(
        count=f"{figures.known_count - above:,}", limit=percent(limit)
    )
    return _("{below}, {above} at or above it").format(below=below, above=f"{above:,}")


def matrix_picture(
    figures: ClassFigures, groups: Sequence[Group], limit: float, label_of: LabelOf, sizes: PictureSizes
) -> Drawing:
    """Draw the share of each essay (row) in each other one (column), ordered by group.

    Rows have names if there is space for them; groups are framed and numbered, and pairs with possibly
    rewritten passages have a dot.
    """
    order = figures.order(limit)
    count = len(order)
    names, left = _names_beside(list(map(label_of, order.tolist())), sizes.matrix_px)
    cell = min((sizes.matrix_px - left) / max(count, 1), _MOST_CELL_PX)
    size = cell * count
    levels = _levels(figures.matrix[np.ix_(order, order)])
    colours = ((LIGHT, "light"), (DARK, "dark"))
    light, dark = (png(levels, HeatColours(look.stops, {0: _UNKNOWN[name]})) for look, name in colours)
    shapes: list[Shape] = [Pixels(left, 0.0, size, size, light, dark)]
    shapes += (
        Label("muted", left - _GAP_PX, (row + 0.5) * cell + _HALF_LINE_PX, name, "end")
        for row, name in enumerate(names)
    )
    dots = list(_dots(figures, np.argsort(order), cell, left))
    shapes += _frames(groups, cell, left, dots)
    words = _("Matrix of {count} essays, row and column for each.").format(count=f"{count:,}")
    caption = [
        _(
            "Each row and each column is an essay, in the same order. The stronger the colour of a cell, the "
            "more of the row’s essay is also in the column’s essay. Groups are framed and numbered."
        ),
        *([_("A dot marks a pair with passages that may have been rewritten.")] if dots else []),
    ]
    return Drawing(left + size, max(size, 1.0), (*shapes, *dots), words, joined_sentences(caption))


def _dots(figures: ClassFigures, places: IndexArray, cell: float, left: float) -> Iterator[Dot]:
    """Yield a dot in both cells of each pair with possibly rewritten passages; places: of the documents."""
    pairs = np.flatnonzero([] if figures.rewritten is None else figures.rewritten)
    rows, columns = (places[ends[pairs]].tolist() for ends in (figures.left, figures.right))
    for row, column in zip([*rows, *columns], [*columns, *rows], strict=True):
        x, y = left + (column + 0.5) * cell, (row + 0.5) * cell
        yield Dot("rewritten", x, y, max(cell * _DOT_PART, _LEAST_DOT_PX))


def _names_beside(labels: Sequence[str], most_px: float) -> tuple[list[str], float]:
    """Return the names of rows, as short as their lines need, and their width; [] and 0 if too short."""
    for digits in range(_MOST_DIGITS, _FEWEST_DIGITS - 1, -1):
        names = [_short(label, ends, digits) for label, ends in zip(labels, shared_ends(labels), strict=True)]
        left = max((_name_px(name) + _GAP_PX for name in names), default=0.0)
        if len(labels) * _LINE_PX <= most_px - left:
            return names, left
    return [], 0.0


def _name_px(name: str) -> float:
    """Return the width of a name in the widest of the usual fonts: what is wider is cut off."""
    widths = (
        1.0 if terminal_width(each) > 1 or each in "mwMW@%" else 0.4 if each in "fijlrtI .,-'()/" else 0.7
        for each in name
    )
    return sum(widths) * _FONT_PX


def _frames(groups: Sequence[Group], cell: float, left: float, dots: Sequence[Dot]) -> Iterator[Shape]:
    """Yield the frame of each group, and its number beside it, between the dots, as far as there is space."""
    first, free_px = 0, 0.0
    for group in groups:
        start, extent = first * cell, len(group.members) * cell
        first += len(group.members)
        yield Box("frame", left + start, start, extent, extent)
        # above the frame of the next group, which begins at the lower right corner
        usual = max(start + min(extent / 2 + _HALF_LINE_PX, extent - 1.5), _LINE_PX - 2)
        rows = [start + (row + 0.5) * cell + _HALF_LINE_PX for row in range(len(group.members) - 1)]
        numbers = [
            Label("strong", left + start + extent + _GAP_PX, baseline, f"{group.number}", "start")
            for baseline in (usual, *rows)
            if baseline >= free_px
        ]
        if numbers:
            number = next((each for each in numbers if not _is_dotted(each, dots)), numbers[0])
            yield number
            free_px = number.y + _NUMBER_STEP_PX


def _is_dotted(number: Label, dots: Sequence[Dot]) -> bool:
    right, top = number.x + 2 * _DIGIT_PX * len(number.text), number.y - 2 * _HALF_LINE_PX
    return any(
        number.x < dot.x + dot.radius
        and dot.x - dot.radius < right
        and top < dot.y + dot.radius
        and dot.y - dot.radius < number.y
        for dot in dots
    )


def _levels(
    shares: "np.ndarray[tuple[int, ...], np.dtype[np.float32]]",
) -> "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]":
    heat = np.rint(np.nan_to_num(shares) * (HEAT_LEVELS - 1))
    return np.where(np.isnan(shares), HEAT_LEVELS, heat).astype(np.uint8)


def group_graph(
    figures: ClassFigures, link_of: LabelOf, limit: float, label_of: LabelOf, sizes: PictureSizes
) -> Drawing | None:
    """Draw the essays linked by pairs from the limit on or, dashed, by rewritten passages; None without any.

    link_of: returns the label of the link of a pair, with its share.
    """
    layout = _layout(figures, limit, sizes.page_px / _CELL_PX[0])
    if not len(layout.nodes):
        return None
    across, down = _CELL_PX
    sides = [-1 if is_above else 1 for is_above in layout.are_above.tolist()]
    dots = {
        node: (x * across, y * down - side * _DOT_BESIDE_PX)
        for node, (x, y), side in zip(layout.nodes.tolist(), layout.positions.tolist(), sides, strict=True)
    }
    shapes: list[Shape] = [*_links(figures, layout, dots)]
    taken: list[_Area] = []
    size = layout.width * across, layout.height * down
    labels = list(map(label_of, dots))
    placed = zip(labels, shared_ends(labels), dots.values(), sides, strict=True)
    for label, ends, (x, y), side in placed:
        lines = _lines_of(label, ends)
        half = max(map(_name_px, lines)) / 2
        centre = max(min(x, size[0] - half), half)
        first = y + _NAME_BELOW_PX if side > 0 else y - _NAME_ABOVE_PX - (len(lines) - 1) * _LINE_PX
        names = [
            Label("ink" if line == 0 else "muted", centre, first + line * _LINE_PX, text)
            for line, text in enumerate(lines)
        ]
        areas = [_area(name) for name in names]
        shapes += (Box("page", left, top, right - left, bottom - top) for left, top, right, bottom in areas)
        shapes += [*names, Dot("node", x, y, _DOT_PX)]
        reach = _DOT_PX + 2
        taken += [*areas, (x - reach, y - reach, x + reach, y + reach)]
    if len(layout.edges) <= _MOST_LABELLED_LINKS:
        shapes += _shares(figures, link_of, layout, dots, taken)
    words = ngettext("Graph of {count} linked essay", "Graph of {count} linked essays", len(dots))
    caption = _("A line joins the two essays of an unusual pair; its width and number show the share.")
    if len(layout.edges) > layout.rewritten_start:
        dashed = _("A dashed line joins essays with passages that may have been rewritten.")
        caption = _("{first} {second}").format(first=caption, second=dashed)
    return Drawing(*size, tuple(shapes), words, caption)


def _layout(figures: ClassFigures, limit: float, most_cells: float) -> GraphLayout:
    """Return the flattest layout that is not wider than the page, so that names are not shrunk."""
    layouts = (lay_out_graph(figures, limit, aspect) for aspect in _ASPECTS)
    narrow = (layout for layout in layouts if layout.width <= most_cells)
    return next(narrow, None) or lay_out_graph(figures, limit, _ASPECTS[-1])


def _links(
    figures: ClassFigures, layout: GraphLayout, dots: dict[int, tuple[float, float]]
) -> Iterator[Shape]:
    """Yield the edges, wider for a higher share."""
    for place, edge in reversed([*enumerate(layout.edges.tolist())]):
        (x1, y1), (x2, y2) = dots[int(figures.left[edge])], dots[int(figures.right[edge])]
        if place >= layout.rewritten_start:
            yield Line("rewritten", x1, y1, x2, y2, _REWRITTEN_LINK_PX)
        else:
            yield Line("link", x1, y1, x2, y2, 1 + (_WIDEST_LINK_PX - 1) * float(figures.larger[edge]))


def _shares(
    figures: ClassFigures,
    link_of: LabelOf,
    layout: GraphLayout,
    dots: dict[int, tuple[float, float]],
    taken: Sequence[_Area],
) -> Iterator[Shape]:
    """Yield the shares on the edges, highest first, each where it covers no name, node, share or other edge.

    A share without such a place is left out; the table of pairs has it.
    """
    areas = [*taken]
    ends = [(int(figures.left[edge]), int(figures.right[edge])) for edge in layout.edges.tolist()]
    all_links = np.array([(*dots[left], *dots[right]) for left, right in ends])
    for place, edge in enumerate(layout.edges[: layout.rewritten_start].tolist()):
        x1, y1, x2, y2 = all_links[place].tolist()
        others, text = np.delete(all_links, place, axis=0), link_of(edge)
        for at in LABEL_PLACES:
            y = y1 + at * (y2 - y1) + _HALF_LINE_PX
            label = Label("halo", x1 + at * (x2 - x1), y, text)
            area = _area(label)
            is_struck = are_crossing(others, diagonals_of(*area)).any()
            if not is_struck and not any(_is_overlap(area, other) for other in areas):
                areas.append(area)
                yield label
                break


def _area(label: Label) -> _Area:
    """Return the left, top, right and bottom of a centred label with a small margin."""
    half = terminal_width(label.text) * _TEXT_PX / 2 + 3
    return label.x - half, label.y - _ASCENT_PX, label.x + half, label.y + _LINE_PX - _ASCENT_PX


def _is_overlap(first: _Area, second: _Area) -> bool:
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]


def _lines_of(label: str, shared: tuple[int, int]) -> list[str]:
    """Return a label in one line or, with a name and a number, in two."""
    name, _blank, number = label.rpartition(" ")
    if name and number.isdigit() and len(number) > 2:
        return [elided(name, _LABEL_DIGITS), elided(number, _LABEL_DIGITS)]
    return [_short(label, shared, _LABEL_DIGITS)]


def _short(label: str, shared: tuple[int, int], digits: int) -> str:
    """Shorten the name of a file in its ends that most share (`shared_ends`), then in its middle."""
    stem = label.removesuffix(PurePath(label).suffix)
    if stem == label or terminal_width(label) <= digits:
        return elided(label, digits)
    first, last = shared
    own = "…" * (first > 0) + stem[first : len(stem) - last] + "…" * (last > 0)
    while terminal_width(own) > digits:
        middle = len(own) // 2
        own = own[: middle - 1].removesuffix("…") + "…" + own[middle + 1 :].removeprefix("…")
    return own

"""The order in which the lines of a page are read, where nothing but their places tells it."""

from collections.abc import Sequence
from statistics import median

from simcompare.loading.pdf.lines import Line

# A column has this many lines, most of them this many letters wide, and wider than this share of it.
_LEAST_LINES = 4
_LEAST_LETTERS = 6.0
_FILLED = 0.5
# Titles and footers cross the gap between columns; what most lines cross is none.
_MOST_CROSSING = 0.34
_SAME_ROW = 0.5


def in_reading_order(lines: Sequence[Line]) -> list[Line]:
    """Sort lines: columns one after the other, from one line across all of them to the next."""
    upright = [line for line in lines if line.x1 - line.x0 >= line.y1 - line.y0 or len(line.text) <= 2]
    # What runs up or down beside the text is no part of it.
    beside = [line for line in lines if line not in upright]
    return [*_ordered(upright), *beside]


def _ordered(lines: Sequence[Line]) -> list[Line]:
    gap = _gap(lines)
    if gap is None:
        return _by_rows(lines)
    ordered: list[Line] = []
    left: list[Line] = []
    right: list[Line] = []
    for line in sorted(lines, key=_height, reverse=True):
        if line.x1 <= gap:
            left.append(line)
        elif line.x0 >= gap:
            right.append(line)
        else:
            ordered += [*_ordered(left), *_ordered(right), line]
            left, right = [], []
    return [*ordered, *_ordered(left), *_ordered(right)]


def _gap(lines: Sequence[Line]) -> float | None:
    """Return the x between two columns that the fewest lines cross, None where there is one column."""
    if len(lines) < 2 * _LEAST_LINES:
        return None
    found = []
    for x in sorted({line.x0 for line in lines}):
        left = [line for line in lines if line.x1 <= x]
        right = [line for line in lines if line.x0 >= x]
        crossing = len(lines) - len(left) - len(right)
        if crossing <= _MOST_CROSSING * len(lines) and _is_column(left) and _is_column(right):
            found.append((crossing, min(line.x0 for line in right) - max(line.x1 for line in left), x))
    # Where as few cross, the widest gap parts the columns.
    best = min(found, key=lambda one: (one[0], -one[1]), default=None)
    return None if best is None else best[2] - best[1] / 2


def _is_column(lines: Sequence[Line]) -> bool:
    """Whether lines fill a column, as those of a table or of a form do not."""
    if len(lines) < _LEAST_LINES:
        return False
    width = max(line.x1 for line in lines) - min(line.x0 for line in lines)
    usual = median(line.x1 - line.x0 for line in lines)
    return usual >= _FILLED * width and usual >= _LEAST_LETTERS * median(line.size for line in lines)


def _by_rows(lines: Sequence[Line]) -> list[Line]:
    """Sort from top to bottom, and what stands side by side from left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=_height, reverse=True):
        if rows and _height(rows[-1][0]) - _height(line) < _SAME_ROW * min(line.size, rows[-1][0].size):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda one: one.x0)]


def _height(line: Line) -> float:
    return (line.y0 + line.y1) / 2

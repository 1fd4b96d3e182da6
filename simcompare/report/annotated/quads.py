"""The boxes of characters, merged into a rectangle for each line that they stand in."""

from collections.abc import Iterable
from dataclasses import dataclass

Rectangle = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points of the unturned page: left, bottom, right, top."""

Point = tuple[float, float]

# Of the smaller of two characters on one line, at least this share stands beside the other; raised ones too.
_BESIDE = 0.3
# Blanks that have no box, in sizes of a character; the gap between columns is wider or steps up.
_WIDEST_GAP = 2.5


@dataclass(slots=True)
class Line:
    """Characters that follow each other on a page: what they cover, the last one, and where they run.

    runs_down is None for a single character, which runs nowhere.
    """

    around: Rectangle
    last: Rectangle
    runs_down: bool | None = None


def lines_around(boxes: Iterable[Rectangle]) -> list[Line]:
    """Return the lines that characters stand in, across or down the unturned page."""
    lines: list[Line] = []
    for box in boxes:
        if not lines or not _goes_on(lines[-1], box):
            lines.append(Line(box, box))
    return lines


def _goes_on(line: Line, box: Rectangle) -> bool:
    """Take a character into the line where it stands beside or below the last one."""
    for runs_down in (False, True):
        if line.runs_down in {None, runs_down} and _adjoins(line.last, box, runs_down):
            line.around, line.last = union([line.around, box]), box
            line.runs_down = runs_down
            return True
    return False


def _adjoins(last: Rectangle, box: Rectangle, runs_down: bool) -> bool:
    along, beside = (1, 0) if runs_down else (0, 1)
    sizes = [each[beside + 2] - each[beside] for each in (last, box)]
    shared = min(last[beside + 2], box[beside + 2]) - max(last[beside], box[beside])
    gap = max(box[along] - last[along + 2], last[along] - box[along + 2])
    return shared >= _BESIDE * min(sizes) and gap <= _WIDEST_GAP * max(sizes)


def union(boxes: Iterable[Rectangle]) -> Rectangle:
    """Return the rectangle around rectangles, of which there is at least one."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def corners(box: Rectangle, turn_degrees: int) -> list[Point]:
    """Return the corners as they are seen on a page that is shown turned clockwise.

    Upper left, upper right, lower left, lower right: the order in which programs that show PDFs take them,
    whatever ISO 32000 says.
    """
    x0, y0, x1, y1 = box
    around = [(x0, y1), (x1, y1), (x1, y0), (x0, y0)]
    # of a page turned by a quarter, what was below on the left is seen above on the left
    first = -(turn_degrees // 90) % 4
    top_left, top_right, low_right, low_left = around[first:] + around[:first]
    return [top_left, top_right, low_left, low_right]


def line_below(line: Line, box: Rectangle, turn_degrees: int) -> tuple[Point, Point]:
    """Return the ends of the edge of `box` that a line of text is underlined at.

    It is below the text as the page is seen, and beside it where the text runs down the unturned page.
    """
    is_on_its_side = turn_degrees % 180 == 90
    if line.runs_down is None or line.runs_down is is_on_its_side:
        _top_left, _top_right, low_left, low_right = corners(box, turn_degrees)
        return low_left, low_right
    if is_on_its_side:
        return (box[0], box[1]), (box[2], box[1])
    return (box[2], box[1]), (box[2], box[3])

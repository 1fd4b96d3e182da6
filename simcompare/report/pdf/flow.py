"""Pages that fill from top to bottom with strips: cells beside each other, of lines below each other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from simcompare.report.pdf.canvas import PAGE_HEIGHT_PT, PAGE_WIDTH_PT, Canvas

MARGIN_PT = 51
TOP_PT = 51
BOTTOM_PT = PAGE_HEIGHT_PT - 62
CONTENT_WIDTH_PT = PAGE_WIDTH_PT - 2 * MARGIN_PT
_ABOVE_PLACE_PT = 8


class Line(Protocol):
    """What is never cut by the end of a page."""

    @property
    def height_pt(self) -> float:
        """The way to the next line."""

    def draw(self, canvas: Canvas, x: float, y: float) -> None:
        """Draw it with its upper left corner at a point."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Lines below each other, `left_pt` from the margin."""

    left_pt: float
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class Strip:
    """Cells beside each other, with room above them. `rule` is the colour of a line on top, or nothing."""

    cells: Sequence[Cell]
    above_pt: float = 0
    rule: str = ""
    place: str = ""

    @property
    def height_pt(self) -> float:
        """The room it takes where no page ends."""
        return self.above_pt + max((_height(cell.lines) for cell in self.cells), default=0)


class Flow:
    """Puts strips on pages. `finish` is given each page once it is full."""

    def __init__(self, finish: Callable[[Canvas], None]) -> None:
        self.page_number = 1
        self._finish = finish
        self._canvas = Canvas()
        self._y = float(TOP_PT)
        self._head: Sequence[Strip] = ()

    @property
    def y(self) -> float:
        """How far from the upper edge the next strip begins."""
        return self._y

    def put(self, *strips: Strip, together_pt: float = 0) -> None:
        """Put strips below each other, on one page where they take less than `together_pt`."""
        height = sum(strip.height_pt for strip in strips)
        if height <= together_pt and not self._fits(height):
            self.turn()
        for strip in strips:
            self._put(strip)

    def keep(self, height_pt: float) -> None:
        """Turn the page where less than this room is left on it."""
        if not self._fits(height_pt):
            self.turn()

    def skip(self, height_pt: float) -> None:
        """Leave room, unless a page begins here anyway."""
        if not self._is_fresh:
            self._y += height_pt

    def under(self, head: Sequence[Strip]) -> None:
        """Put the head of a table here, and on every page until another head, or none, is given."""
        self._head = ()
        self.put(*head)
        self._head = head

    def turn(self) -> None:
        """End the page and begin the next, unless it is empty."""
        if self._is_fresh:
            return
        self._finish(self._canvas)
        self.page_number += 1
        self._canvas, self._y = Canvas(), float(TOP_PT)
        for strip in self._head:
            self._put(strip)

    def end(self) -> None:
        """Finish the last page."""
        self._finish(self._canvas)

    @property
    def _is_fresh(self) -> bool:
        return self._y <= TOP_PT + sum(strip.height_pt for strip in self._head)

    def _fits(self, height_pt: float) -> bool:
        return self._y + height_pt <= BOTTOM_PT

    def _put(self, strip: Strip) -> None:
        rest = [(cell, list(cell.lines)) for cell in strip.cells]
        self._space(strip)
        begun = False
        while any(lines for _cell, lines in rest):
            room = BOTTOM_PT - self._y
            counts = [_count(lines, room, is_fresh=self._is_fresh) for _cell, lines in rest]
            if any(lines and not count for (_cell, lines), count in zip(rest, counts, strict=True)):
                self.turn()
                if not begun:
                    self._space(strip)
                continue
            if not begun:
                self._begin(strip)
                begun = True
            self._y += max(
                self._draw(cell, lines[:count]) for (cell, lines), count in zip(rest, counts, strict=True)
            )
            rest = [(cell, lines[count:]) for (cell, lines), count in zip(rest, counts, strict=True)]
            if any(lines for _cell, lines in rest):
                self.turn()

    def _space(self, strip: Strip) -> None:
        """Leave the room above a strip; at the top of a page only under the head of a table."""
        if self._head or not self._is_fresh:
            self._y += strip.above_pt

    def _begin(self, strip: Strip) -> None:
        if strip.place:
            self._canvas.mark(self._y - _ABOVE_PLACE_PT, strip.place)
        if strip.rule and (self._head or not self._is_fresh):
            self._canvas.line(MARGIN_PT, self._y - strip.above_pt / 2, CONTENT_WIDTH_PT, strip.rule)

    def _draw(self, cell: Cell, lines: Sequence[Line]) -> float:
        y = self._y
        for line in lines:
            line.draw(self._canvas, MARGIN_PT + cell.left_pt, y)
            y += line.height_pt
        return y - self._y


def _height(lines: Sequence[Line]) -> float:
    return sum(line.height_pt for line in lines)


def _count(lines: Sequence[Line], room_pt: float, *, is_fresh: bool) -> int:
    """Return how many lines go into a room; neither the first nor the last of several stands alone."""
    count, height = 0, 0.0
    for line in lines:
        height += line.height_pt
        if height > room_pt:
            break
        count += 1
    if count == len(lines):
        return count
    if is_fresh:
        return max(count, 1)
    if count == len(lines) - 1:
        count -= 1
    return count if count > 1 else 0

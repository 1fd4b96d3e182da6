"""Pages that fill from top to bottom with strips: cells beside each other, of lines below each other."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from simcompare.report.pdf.binding import Bookmark
from simcompare.report.pdf.canvas import PAGE_HEIGHT_PT, PAGE_WIDTH_PT, Canvas
from simcompare.report.pdf.runs import Measure, Run, Style, run
from simcompare.report.pdf.typesetting import TextLine, Typesetter
from simcompare.report.print_marks import MUTED, RULE
from simcompare.support.i18n import current_language

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


BODY, BODY_LEADING_PT = Style(9.5), 14.5
SMALL, SMALL_LEADING_PT = Style(8.5, MUTED), 12.5
_HEADING, _HEADING_LEADING_PT = Style(14, is_bold=True), 20
_ABOVE_HEADING_PT, _UNDER_HEADING_PT = 22, 64
_LABEL_WIDTH_PT = 92


class Sheet:
    """A flow of pages and a typesetter, with the bookmarks set so far."""

    def __init__(self, flow: Flow, setter: Typesetter) -> None:
        self.flow = flow
        self.bookmarks: list[Bookmark] = []
        self._setter = setter

    def lines(
        self,
        runs: Sequence[Run],
        width_pt: float,
        leading_pt: float,
        *,
        language: str = "",
        indent_pt: float = 0,
        is_centred: bool = False,
    ) -> list[TextLine]:
        """Set runs in lines; without a language in that of the report."""
        measure = Measure(width_pt, leading_pt, language or current_language(), indent_pt, is_centred)
        return self._setter.lines(runs, measure)

    def heading(self, text: str, detail: str = "", *, under_pt: float = _UNDER_HEADING_PT) -> None:
        """Begin a section, with so much of it on the same page, and a bookmark."""
        self.flow.under(())
        self.flow.keep(_ABOVE_HEADING_PT + _HEADING_LEADING_PT + under_pt)
        runs = [run(text, _HEADING), run(f"  {detail}" if detail else "", Style(10, MUTED))]
        self.bookmarks.append(Bookmark(text, self.flow.page_number, self.flow.y))
        self.flow.put(
            Strip([Cell(0, self.lines(runs, CONTENT_WIDTH_PT, _HEADING_LEADING_PT))], _ABOVE_HEADING_PT)
        )
        self.flow.skip(6)

    def paragraph(self, *runs: Run, leading_pt: float = BODY_LEADING_PT, above_pt: float = 0) -> None:
        """Put a paragraph across the page."""
        self.flow.put(Strip([Cell(0, self.lines(runs, CONTENT_WIDTH_PT, leading_pt))], above_pt))

    def facts(self, facts: Iterable[tuple[str, Run]]) -> None:
        """Put names and what is said of them, with a line above each."""
        for name, said in facts:
            label = self.lines([run(name, SMALL)], _LABEL_WIDTH_PT - 8, BODY_LEADING_PT)
            value = self.lines([said], CONTENT_WIDTH_PT - _LABEL_WIDTH_PT, BODY_LEADING_PT)
            self.flow.put(Strip([Cell(0, label), Cell(_LABEL_WIDTH_PT, value)], 5, RULE))

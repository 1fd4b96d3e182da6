"""Line numbers in the margins of PDF pages, by LaTeX (lineno), Word and LibreOffice."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from simcompare.loading.dropped_text import DroppedText
from simcompare.loading.formats.pdf.page_margins import MOST_LINES
from simcompare.loading.formats.pdf.pdf_lines import LINE_BREAK_HYPHEN, PdfLine, PdfPage
from simcompare.model.receipt import DropReason, Place

_NUMBER = re.compile(r"^\d{1,4}(?!\d)|(?<!\d)\d{1,4}$")
# In font sizes: the number of a list is nearer to its text.
_MIN_GAP = 0.45
# Numbers of one margin begin or end at one x, within this many points.
_SAME_EDGE_POINTS = 4.0
# Numbers by which a margin is known on a page; other pages may have fewer.
_FEWEST = 3
# Shares: of equal steps, of lines right of the left margin, and of lines across the margin.
_REGULAR, _MOST, _MAX_ACROSS = 0.8, 0.7, 0.15
# Line numbers count most lines of a document, blank ones too. Lines are text, not cells, and many are full.
_MIN_COVERED, _MAX_COVERED, _MAX_IN_CELLS, _MIN_FULL, _FULL_WIDTH = 0.6, 1.6, 0.3, 0.3, 0.85
# Numbered answers and verses are sentences: nearly as many lines end with punctuation as have numbers.
_END, _ENDED = re.compile(r"[.,;:!?。，；：！？…][\"')\u2019\u201d」）]*\s*$"), 0.8

_Edge = tuple[str, float, int]


def without_line_numbers(pages: Sequence[PdfPage], dropped_text: DroppedText) -> list[PdfPage]:
    """Drop numbers in the margins that count the lines of the text or, for instance, every fifth of them.

    Rows of a table, items of a list, years, verses and listings have numbers too, but of few lines, beside
    lines that are not full or that end with punctuation, or within the text.
    """
    found = [list(_numbers(page)) if len(page.lines) <= MOST_LINES else [] for page in pages]
    edges = _edges_of_margins(pages, found) if sum(map(len, found)) >= _FEWEST else set()
    numbers = [[n for n in on_page if not edges.isdisjoint(_edges(n))] for on_page in found]
    for number in (number for on_page in numbers for number in on_page):
        dropped_text.add(DropReason.LINE_NUMBER, number.text, Place(number.page))
    return [
        replace(page, lines=_without(page, on_page)) if on_page else page
        for page, on_page in zip(pages, numbers, strict=True)
    ]


def _numbers(page: PdfPage) -> Iterator[PdfLine]:
    """Yield the numbers at the ends of lines that are apart from the rest, as lines."""
    for line in page.lines:
        for match in _NUMBER.finditer(line.text) if min(line.origins, default=-1) >= 0 else ():
            number = _part(page, line, range(*match.span()))
            rest = _part(page, line, [*range(match.start()), *range(match.end(), len(line.text))])
            if number is None or (
                rest and max(rest.x0 - number.x1, number.x0 - rest.x1) < _MIN_GAP * line.size
            ):
                continue
            # The boxes of a page on its side have other coordinates.
            if line.x0 - 1 < number.x0 and number.x1 < line.x1 + 1:
                yield number


def _part(page: PdfPage, line: PdfLine, places: Iterable[int]) -> PdfLine | None:
    """Return the part of a line at these places, without blanks around it; None if there is nothing else."""
    kept = [place for place in places if not line.text[place].isspace()]
    if not kept:
        return None
    boxes = page.boxes[[line.origins[place] for place in kept]]
    x0, x1 = float(boxes[:, 0].min()), float(boxes[:, 2].max())
    gaps = [gap for gap in line.gaps if x0 <= gap[1] and gap[2] <= x1]
    part = replace(line.picked(range(kept[0], kept[-1] + 1)), x0=x0, x1=x1, gaps=gaps)
    # pdfium did not see a hyphen before a number as the end of a line.
    return replace(part, hyphenated=line.hyphenated or LINE_BREAK_HYPHEN.search(part.text) is not None)


def _without(page: PdfPage, numbers: Iterable[PdfLine]) -> list[PdfLine]:
    dropped = {origin for number in numbers for origin in number.origins}
    kept = (
        _part(page, line, [p for p, o in enumerate(line.origins) if o not in dropped])
        if not dropped.isdisjoint(line.origins)
        else line
        for line in page.lines
    )
    return [line for line in kept if line is not None]


def _edges(number: PdfLine) -> Iterator[_Edge]:
    """Yield the ends of a number, rounded down and up, so that equal ones match in one of the two."""
    for name, x in (("right", number.x1), ("left", number.x0)):
        yield from ((name, half, int(x / _SAME_EDGE_POINTS + half)) for half in (0.0, 0.5))


def _edges_of_margins(pages: Sequence[PdfPage], found: Sequence[Sequence[PdfLine]]) -> set[_Edge]:
    """Return the edges of the margins, none if their numbers do not count the lines of the document."""
    edges: dict[_Edge, int] = {}
    total = covered = 0
    texts: list[PdfLine] = []
    for page, numbers in zip(pages, found, strict=True):
        lines = _without(page, numbers)
        total += len(lines)
        margins = list(_margins(numbers, lines))
        counted = {int(number.text) for _edge, _step, group in margins for number in group}
        # Numbers may go on from pages that are not in the file, but years are larger.
        if not edges and counted and min(counted) > 10 * len(counted):
            return set()
        edges.update((edge, step) for edge, step, _group in margins)
        covered += sum(step for _edge, step, _group in margins[:1]) * len(counted)
        texts += lines if margins else ()
    widths = sorted(line.x1 - line.x0 for line in texts)
    full = sum(width > _FULL_WIDTH * widths[9 * len(widths) // 10] for width in widths)
    in_cells = sum(len(line.gaps) > 0 for line in texts)
    ended = sum(_END.search(line.text) is not None for line in texts)
    is_text = full >= _MIN_FULL * len(texts) and in_cells <= _MAX_IN_CELLS * len(texts)
    is_text = is_text and ended < _ENDED * covered
    is_counted = _MIN_COVERED * total <= covered <= _MAX_COVERED * total
    return set(edges) if is_counted and (is_text or 1 not in edges.values()) else set()


def _margins(
    numbers: Sequence[PdfLine], lines: Sequence[PdfLine]
) -> Iterator[tuple[_Edge, int, list[PdfLine]]]:
    """Yield edge, step and numbers of each margin beside the lines, where numbers increase regularly."""
    groups: dict[_Edge, list[PdfLine]] = defaultdict(list)
    for number in sorted(numbers, key=lambda number: -number.y0):
        for edge in _edges(number):
            groups[edge].append(number)
    taken: set[int] = set()
    for edge, group in sorted(groups.items(), key=lambda item: -len(item[1])):
        steps = [int(after.text) - int(before.text) for before, after in pairwise(group)]
        step = Counter(steps).most_common(1)[0][0] if steps else 0
        is_regular = step > 0 and steps.count(step) >= _REGULAR * len(steps)
        if not is_regular or len(group) < _FEWEST + (step == 1) or not taken.isdisjoint(map(id, group)):
            continue
        taken.update(map(id, group))
        middle = sum(number.x0 + number.x1 for number in group) / (2 * len(group))
        across = sum(line.x0 < middle < line.x1 for line in lines)
        # On the left, line numbers end at one x, those of a list begin at one.
        is_left = sum(line.x0 > middle for line in lines) > _MOST * len(lines)
        is_list = is_left and edge[0] == "left" and len({len(number.text) for number in group}) > 1
        if not is_list and across <= _MAX_ACROSS * len(lines):
            yield edge, step, group

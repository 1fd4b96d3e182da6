"""Headers, footers, page and line numbers, watermarks, tables of contents and footnotes of PDF pages."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise, takewhile
from typing import TypeVar

from simcompare.loading.extraction import DroppedText, visible_length
from simcompare.loading.formats.pdf.pdf_lines import LINE_BREAK_HYPHEN, PdfLine, PdfPage, divided
from simcompare.model.document import DropReason, Place

_MARGIN_SHARE = 0.1
# Up to this depth, only the outermost line can be a header or footer.
_OUTER_MARGIN_SHARE = 0.15
_MIN_GAP = 0.8
# A line that is not repeated at its height is a header only if it is as short and as far from the text.
_MAX_HEADER_LENGTH = 60
_MIN_GAP_OF_HEADER = 1.2
# A page with more lines is a map or a figure.
MOST_LINES = 1000
_DIGITS = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"[-–—~·\s|]*(?:第\s*)?(?:p(?:age|\.)\s*)?(?:\d{1,4}|[ivxlc]{1,7}|[Ⅰ-ⅿ]{1,4})(?:\s*[页頁])?"
    r"(?:\s*(?:/|of|共|，共|,)\s*\d{1,4}\s*[页頁]?)?[-–—~·\s|]*",
    re.IGNORECASE,
)
# A height is that of headers or footers if so many pages, and half of all, have a repeated line there.
_MIN_PAGES_OF_SLOT = 3
# A header has the same height on each page, within this many points.
_SAME_HEIGHT_POINTS = 3.0

_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class _RunningLines:
    """Headers and footers of a document, found on pages that have other lines too.

    `places` are texts with their heights in the margins of several pages, `texts` those at any height,
    `slots` the heights and font sizes of headers and footers. `above_body` is False if there are no such
    pages.
    """

    places: frozenset[tuple[str, int]]
    texts: frozenset[str]
    slots: frozenset[tuple[int, int]]
    above_body: bool


def without_margins(pages: Sequence[PdfPage], dropped_text: DroppedText) -> list[PdfPage]:
    """Drop headers, footers, page numbers and lines off the page.

    A line in the top margin of pages without other lines is text, as on a slide.
    """
    running = _running_lines(pages)
    dropped: dict[int, DropReason] = {}
    for page in pages:
        reasons = {number: _reason(page, line, running) for number, line in enumerate(page.lines)}
        body = [line for number, line in enumerate(page.lines) if reasons[number] is None]
        for number, line in enumerate(page.lines):
            if reasons[number] is None:
                reasons[number] = _outer_reason(page, line, body, running)
            if reason := reasons[number]:
                dropped[id(line)] = reason
    return _without_lines(pages, dropped, dropped_text)


def _without_lines(
    pages: Sequence[PdfPage], reasons: Mapping[int, DropReason], dropped_text: DroppedText
) -> list[PdfPage]:
    """Drop lines for `reasons`, whose keys are the identities of the lines."""
    for page in pages:
        for line in page.lines:
            if reason := reasons.get(id(line)):
                dropped_text.add(reason, line.text, Place(page.number))
    return [replace(page, lines=[line for line in page.lines if id(line) not in reasons]) for page in pages]


def _is_outermost(line: PdfLine, body: Sequence[PdfLine], gap: float) -> bool:
    """Return whether a line is the outermost of its page, with a gap in font sizes to the others."""
    points = gap * line.size
    others = [other for other in body if other is not line]
    return all(other.y1 < line.y0 - points for other in others) or all(
        other.y0 > line.y1 + points for other in others
    )


def repeated_among(texts: set[str], pages: Sequence[PdfPage]) -> set[str]:
    """Return the texts, without numbers, that are on more than one page: headers, and watermarks too."""
    texts = {text for text in texts if not _DIGITS.search(text)}
    counts = Counter(text for page in pages for text in {line.text for line in page.lines} & texts)
    return {text for text, count in counts.items() if count > 1}


def _reason(page: PdfPage, line: PdfLine, running: _RunningLines) -> DropReason | None:
    if line.y1 < page.low or line.y0 > page.high:
        return DropReason.OUTSIDE_PAGE
    margin = _margin(page, line, _MARGIN_SHARE)
    if margin is DropReason.PAGE_HEADER and not running.above_body and any(map(str.isalpha, line.text)):
        return None
    if margin and _PAGE_NUMBER.fullmatch(line.text):
        return DropReason.PAGE_NUMBER
    return margin if margin and not running.places.isdisjoint(_places(line)) else None


def _outer_reason(
    page: PdfPage, line: PdfLine, body: Sequence[PdfLine], running: _RunningLines
) -> DropReason | None:
    """Return the reason to drop a line that is the outermost of its page.

    The first page often has its header at another height. A header that occurs once is where other pages have
    theirs.
    """
    margin = _margin(page, line, _OUTER_MARGIN_SHARE)
    if margin is None:
        return None
    if not running.places.isdisjoint(_places(line)):
        return margin if _is_outermost(line, body, _MIN_GAP) else None
    is_header = len(line.text) <= _MAX_HEADER_LENGTH and (
        line.text in running.texts or not running.slots.isdisjoint(_slots(line))
    )
    return margin if is_header and _is_outermost(line, body, _MIN_GAP_OF_HEADER) else None


def _margin(page: PdfPage, line: PdfLine, share: float) -> DropReason | None:
    depth = share * (page.high - page.low)
    if line.y0 >= page.high - depth:
        return DropReason.PAGE_HEADER
    return DropReason.PAGE_FOOTER if line.y1 <= page.low + depth else None


def _running_lines(pages: Sequence[PdfPage]) -> _RunningLines:
    divided = [[line for line in page.lines if _margin(page, line, _OUTER_MARGIN_SHARE)] for page in pages]
    margins = [margin for page, margin in zip(pages, divided, strict=True) if len(margin) < len(page.lines)]
    places = _on_several_pages({place for line in margin for place in _places(line)} for margin in margins)
    running = [
        {slot for line in margin if not places.isdisjoint(_places(line)) for slot in _slots(line)}
        for margin in margins
    ]
    return _RunningLines(
        places,
        _on_several_pages({line.text for line in margin} for margin in margins),
        _on_several_pages(running, max(_MIN_PAGES_OF_SLOT, len(pages) // 2)),
        above_body=bool(margins),
    )


def _on_several_pages(found: Iterable[set[_Found]], least: int = 2) -> frozenset[_Found]:
    counts = Counter(mark for marks in found for mark in marks)
    return frozenset(mark for mark, count in counts.items() if count >= least)


def _places(line: PdfLine) -> tuple[tuple[str, int], tuple[str, int]]:
    """Return text and height, rounded down and up, so that neighbouring heights match in one of the two."""
    step = int(line.y0 // _SAME_HEIGHT_POINTS)
    key = _key(line)
    return (key, step), (key, step + 1)


def _slots(line: PdfLine) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return height, rounded down and up, and font size in points."""
    step = int(line.y0 // _SAME_HEIGHT_POINTS)
    return (step, round(line.size)), (step + 1, round(line.size))


def _key(line: PdfLine) -> str:
    return _DIGITS.sub("#", line.text)


# In body font sizes: least size of a watermark behind the text, and of a turned one.
_LARGE_MARK, _TURNED_MARK = 1.5, 0.9


def without_watermarks(
    pages: Sequence[PdfPage], body_size: float, dropped_text: DroppedText
) -> list[PdfPage]:
    """Drop texts across or behind the lines of a page that are pale, or repeated at the same height."""
    found = [(line, _places(line)) for page in pages for line in _may_be_watermarks(page, body_size)]
    pages_of = Counter(place for place, _page in {(p, line.page) for line, places in found for p in places})
    marks = {
        (place, line.size)
        for line, places in found
        if line.pale or any(pages_of[place] > 1 for place in places)
        for place in places
    }
    dropped = {
        id(line): DropReason.WATERMARK
        for page in (pages if marks else ())
        # On a page with few lines it is not behind any.
        for line in page.lines
        if any((place, line.size) in marks for place in _places(line))
    }
    return _without_lines(pages, dropped, dropped_text)


def _may_be_watermarks(page: PdfPage, body_size: float) -> Iterator[PdfLine]:
    upright = [line for line in page.lines if not line.turned]
    if not upright or len(page.lines) > MOST_LINES:
        return
    for line in page.lines:
        least = _TURNED_MARK if line.turned else _LARGE_MARK
        is_behind = line.turned or any(
            line.y0 < (other.y0 + other.y1) / 2 < line.y1 and other.x0 < line.x1 and line.x0 < other.x1
            for other in (upright if line.size >= least * body_size else ())
            if other.size < line.size
        )
        if line.size >= least * body_size and is_behind:
            yield line


_HEADING = re.compile(r"目\s*[录錄次]|(?:table of )?contents", re.IGNORECASE)
_PAGE = r"[-–—(（·]?\s*+(?P<page>\d{1,4}|[ivxlc]{1,7}|[Ⅰ-ⅿ]{1,4})\s*+[-–—)）·]?"
_WITH_LEADERS = re.compile(rf".*\S\s*+(?:[.．·•…⋯‥_・-]\s*+){{3}}{_PAGE}", re.IGNORECASE)
_WITHOUT_LEADERS = re.compile(rf".*\S\s++{_PAGE}", re.IGNORECASE)
_MIN_ENTRIES = 3
# An entry may have a line or two before the one with the number.
_LINES_BETWEEN = 2
# Contents may list a few pages that are not in the file.
_UNNUMBERED_PAGES = 5
# A document that is mostly contents keeps them.
_MAX_SHARE = 0.5


def without_contents(pages: Sequence[PdfPage], dropped_text: DroppedText) -> list[PdfPage]:
    """Drop tables of contents, unless they are most of the document."""
    lines = [line for page in pages for line in page.lines]
    dropped = _contents(lines, len(pages))
    characters = sum(visible_length(lines[place].text) for place in dropped)
    if characters > _MAX_SHARE * sum(visible_length(line.text) for line in lines):
        return list(pages)
    contents = {id(lines[place]): DropReason.TABLE_OF_CONTENTS for place in dropped}
    return _without_lines(pages, contents, dropped_text)


def _contents(lines: Sequence[PdfLine], pages: int) -> set[int]:
    """Return the indexes of the lines of all tables of contents, including their headings."""
    dropped: set[int] = set()
    entries = {
        place: match for place, line in enumerate(lines) if (match := _WITH_LEADERS.fullmatch(line.text))
    }
    runs = divided(entries, lambda before, place: place - before > _LINES_BETWEEN + 1)
    for run in (run for run in runs if len(run) >= _MIN_ENTRIES):
        heading = _heading_before(lines, run[0])
        if heading or _are_page_numbers([entries[place]["page"] for place in run], pages):
            dropped.update(heading, range(run[0], run[-1] + 1))
    for place, line in enumerate(lines):
        if place not in dropped and _HEADING.fullmatch(line.text):
            dropped.update(_entries_after(lines, place))
    return dropped


def _are_page_numbers(numbers: Sequence[str], pages: int) -> bool:
    """Return whether numbers can be pages of the document: the lines of a form have numbers too."""
    pages_named = [int(number) for number in numbers if number.isdecimal()]
    in_order = all(earlier <= later for earlier, later in pairwise(pages_named))
    return in_order and max(pages_named, default=0) <= pages + _UNNUMBERED_PAGES


def _heading_before(lines: Sequence[PdfLine], first: int) -> range:
    for place in range(first - 1, max(-1, first - 2 - _LINES_BETWEEN), -1):
        if _HEADING.fullmatch(lines[place].text):
            return range(place, first)
    return range(0)


def _entries_after(lines: Sequence[PdfLine], heading: int) -> range:
    """Return the heading and the lines after it that end in non-decreasing page numbers."""
    last, count, page = heading, 0, 0
    for place in range(heading + 1, len(lines)):
        entry = _WITHOUT_LEADERS.fullmatch(lines[place].text)
        number = int(entry["page"]) if entry and entry["page"].isdecimal() else None
        if number is not None and number >= page:
            last, count, page = place, count + 1, number
        elif place - last > _LINES_BETWEEN:
            break
    return range(heading, last + 1) if count >= _MIN_ENTRIES else range(0)


_MARK = re.compile(
    r"(?:\[\d{1,3}\]|[（(〔]\d{1,3}[）)〕]|\d{1,3}|[\u2460-\u2473\u2776-\u277f]|[*†‡§¶]{1,3})(?=\D)"
)
_FINISHED = re.compile(r"[.!?。！？][”’」』）)\"']*$")
_SIGNS = "[]()（）〔〕 ."
# Shares of the body font size, of the page height, and of the font size.
_SMALLER = 0.93
_FOOT_SHARE = 0.7
_SAME_SIZE = 0.1
_JUMP_UP = 0.5
_MIN_GAP_ABOVE_NOTES = 1.25


@dataclass(slots=True)
class PdfFootnote:
    """A footnote and the page on which it begins."""

    page: int
    mark: str
    lines: list[PdfLine] = field(default_factory=list)


def without_footnotes(pages: Sequence[PdfPage], body_size: float) -> tuple[list[PdfPage], list[PdfFootnote]]:
    """Remove the notes from the pages, and the reference marks from their lines."""
    kept: list[PdfPage] = []
    notes: list[PdfFootnote] = []
    for page in pages:
        dropped: set[int] = set()
        marks: set[str] = set()
        for column in _columns(page.lines):
            for note, line in _note_lines(page, column, body_size, notes[-1] if notes else None):
                if not note.lines:
                    notes.append(note)
                note.lines.append(line)
                dropped.add(id(line))
                marks.add(note.mark)
        body = [line for line in page.lines if id(line) not in dropped]
        if marks:
            body = [_without_marks(line, page.raised, marks) for line in body]
            body = [
                line
                for line in body
                if line.text and not (line.text in marks and line.size < _SMALLER * body_size)
            ]
        kept.append(replace(page, lines=body))
    return kept, notes


def _columns(lines: Sequence[PdfLine]) -> Iterator[list[PdfLine]]:
    """Yield runs of lines that go down the page."""
    return divided(lines, lambda above, line: line.y0 > above.y0 + _JUMP_UP * line.size)


# In lines, in widths and heights of the smaller of two columns, and in font sizes.
_MIN_COLUMN_LINES, _SAME_WIDTH, _SAME_LEVEL, _FIGURE_GAP = 3, 0.6, 0.5, 4.0


def in_reading_order(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Put a column before the one on its right that was drawn first, for instance because it begins higher.

    A much narrower one stays, and the second part of a column that was begun before the one on the right.
    """
    ordered: list[PdfLine] = []
    for block in _columns(lines) if len(lines) <= MOST_LINES else ():
        place, top = len(ordered), block[0]
        while place and ordered[place - 1].x0 > top.x1:
            below = ordered[place] if place < len(ordered) else None
            # Above a figure over both columns are others.
            if below and below.y1 > top.y0 and ordered[place - 1].y0 - below.y1 > _FIGURE_GAP * top.size:
                break
            place -= 1
        right = ordered[place:]
        limit = min((line.x0 for line in right), default=0.0)
        left = list(takewhile(lambda line, limit=limit: line.x1 < limit, block))  # type: ignore[misc]
        if not _are_columns(left, right) or any(
            line.x1 > top.x0 and right[-1].y0 < line.y1 and line.y0 < right[0].y1 for line in ordered[:place]
        ):
            place = len(ordered)
        ordered[place:] = [*left, *ordered[place:], *block[len(left) :]]
    return ordered or list(lines)


def _are_columns(left: Sequence[PdfLine], right: Sequence[PdfLine]) -> bool:
    """Return whether lines are two columns of text of similar width, side by side."""
    if min(len(left), len(right)) < _MIN_COLUMN_LINES:
        return False
    widths = [max(line.x1 for line in lines) - min(line.x0 for line in lines) for lines in (left, right)]
    heights = [lines[0].y1 - lines[-1].y0 for lines in (left, right)]
    level = min(left[0].y1, right[0].y1) - max(left[-1].y0, right[-1].y0)
    return min(widths) > _SAME_WIDTH * max(widths) and level > _SAME_LEVEL * min(heights)


def _note_lines(
    page: PdfPage, column: Sequence[PdfLine], body_size: float, before: PdfFootnote | None
) -> Iterator[tuple[PdfFootnote, PdfLine]]:
    """Yield the lines of notes in a column, each with its note; the first may continue the note `before`."""
    unfinished = before is not None and not _FINISHED.search(before.lines[-1].text)
    note = before if unfinished else None
    for line in column[_start_of_foot(page, column, body_size, unfinished=unfinished) :]:
        mark = _MARK.match(line.text)
        if mark and (note is None or _follows(note.mark, mark[0].strip(_SIGNS))):
            note = PdfFootnote(page.number, mark[0].strip(_SIGNS))
        if note is not None:
            yield note, line


def _start_of_foot(page: PdfPage, column: Sequence[PdfLine], body_size: float, *, unfinished: bool) -> int:
    """Return the index from which a column is small print, below a gap, that begins with a mark.

    The rest of an `unfinished` note has no mark.
    """
    start = len(column)
    while start and _is_small(column[start - 1], column[-1], body_size):
        start -= 1
    for place in range(max(start, 1), len(column)):
        line, above = column[place], column[place - 1]
        low_enough = line.y1 < page.low + _FOOT_SHARE * (page.high - page.low)
        apart = above.y0 - line.y0 > _MIN_GAP_ABOVE_NOTES * line.size
        marked = _MARK.match(line.text) or (unfinished and place == start)
        if marked and low_enough and apart:
            return place
    return len(column)


def _is_small(line: PdfLine, last: PdfLine, body_size: float) -> bool:
    return line.size <= _SMALLER * body_size and abs(line.size - last.size) <= _SAME_SIZE * last.size


def _follows(before: str, mark: str) -> bool:
    """Return whether a mark can be the next one: numbers increase by one, symbols differ."""
    if before.isdecimal() and mark.isdecimal():
        return int(mark) == int(before) + 1
    return before.isdecimal() == mark.isdecimal() and before != mark


def _without_marks(line: PdfLine, raised: frozenset[int], marks: set[str]) -> PdfLine:
    if raised.isdisjoint(line.origins):
        return line
    dropped: set[int] = set()
    for is_raised, group in groupby(range(len(line.text)), lambda place: line.origins[place] in raised):
        places = list(group)
        if is_raised and "".join(line.text[place] for place in places).strip(_SIGNS) in marks:
            dropped.update(places)
    return line.picked(place for place in range(len(line.text)) if place not in dropped)


_NUMBER = re.compile(r"^\d{1,4}(?!\d)|(?<!\d)\d{1,4}$")
# In font sizes: the number of a list is nearer to its text.
_MIN_NUMBER_GAP = 0.45
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
        has_number = line.text[:1].isdecimal() or line.text[-1:].isdecimal()
        for match in _NUMBER.finditer(line.text) if has_number and min(line.origins) >= 0 else ():
            number = _extent(page, line, range(*match.span()))
            rest = _extent(page, line, [*range(match.start()), *range(match.end(), len(line.text))])
            if number is None or (
                rest and max(rest[0] - number[1], number[0] - rest[1]) < _MIN_NUMBER_GAP * line.size
            ):
                continue
            part = _part(page, line, range(*match.span()))
            # The boxes of a page on its side have other coordinates.
            if part and line.x0 - 1 < number[0] and number[1] < line.x1 + 1:
                yield part


def _part(page: PdfPage, line: PdfLine, places: Iterable[int]) -> PdfLine | None:
    """Return the part of a line at these places, without blanks around it; None if there is nothing else."""
    kept = [place for place in places if not line.text[place].isspace()]
    extent = _extent(page, line, kept)
    if extent is None:
        return None
    x0, x1 = extent
    gaps = [gap for gap in line.gaps if x0 <= gap[1] and gap[2] <= x1]
    part = replace(line.picked(range(kept[0], kept[-1] + 1)), x0=x0, x1=x1, gaps=gaps)
    # pdfium did not see a hyphen before a number as the end of a line.
    return replace(part, hyphenated=line.hyphenated or LINE_BREAK_HYPHEN.search(part.text) is not None)


def _extent(page: PdfPage, line: PdfLine, places: Iterable[int]) -> tuple[float, float] | None:
    """Return where the characters at these places, blanks excluded, begin and end; None if there are none."""
    drawn = [line.origins[place] for place in places if not line.text[place].isspace()]
    boxes = page.boxes[drawn]
    return (float(boxes[:, 0].min()), float(boxes[:, 2].max())) if drawn else None


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

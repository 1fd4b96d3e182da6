"""A table of contents repeats what the headings say, and is left out."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from simcompare.loading.extraction import visible_length
from simcompare.loading.left_out import LeftOut
from simcompare.loading.pdf.lines import Line, Page
from simcompare.receipt import DropReason, Place

_HEADING = re.compile(r"目\s*[录錄次]|(?:table of )?contents", re.IGNORECASE)
_PAGE = r"[-–—(（·]?\s*(?P<page>\d{1,4}|[ivxlc]{1,7})\s*[-–—)）·]?"
_WITH_LEADERS = re.compile(rf".*?\S\s*(?:[.．·•…⋯‥_・]\s*){{3,}}\s*{_PAGE}", re.IGNORECASE)
_WITHOUT_LEADERS = re.compile(rf".*\S\s+{_PAGE}", re.IGNORECASE)
_LEAST_ENTRIES = 3
# An entry may take a line or two more than the one with the number.
_LINES_BETWEEN = 2
# Contents may count pages that the file does not hold.
_UNNUMBERED_PAGES = 5
# What is mostly contents is about them.
_MOST_SHARE = 0.5


def without_contents(pages: Sequence[Page], left_out: LeftOut) -> list[Page]:
    """Leave out tables of contents, unless they are most of the document."""
    places = [(number, line) for number, page in enumerate(pages) for line in page.lines]
    lines = [line for _number, line in places]
    taken = _contents(lines, len(pages))
    characters = sum(visible_length(lines[place].text) for place in taken)
    if characters > _MOST_SHARE * sum(visible_length(line.text) for line in lines):
        return list(pages)
    for place in sorted(taken):
        left_out.add(DropReason.TABLE_OF_CONTENTS, lines[place].text, Place(lines[place].page))
    kept: list[list[Line]] = [[] for _page in pages]
    for place, (number, line) in enumerate(places):
        if place not in taken:
            kept[number].append(line)
    return [replace(page, lines=body) for page, body in zip(pages, kept, strict=True)]


def _contents(lines: Sequence[Line], pages: int) -> set[int]:
    """Return the places of the lines of all tables of contents, their headings among them."""
    taken: set[int] = set()
    entries = {
        place: match for place, line in enumerate(lines) if (match := _WITH_LEADERS.fullmatch(line.text))
    }
    for run in _runs(list(entries)):
        heading = _heading_before(lines, run[0])
        if heading or _names_pages([entries[place]["page"] for place in run], pages):
            taken.update(heading, range(run[0], run[-1] + 1))
    for place, line in enumerate(lines):
        if place not in taken and _HEADING.fullmatch(line.text):
            taken.update(_entries_after(lines, place))
    return taken


def _names_pages(numbers: Sequence[str], pages: int) -> bool:
    """Whether these can be pages of the document: the lines of a form have numbers too."""
    pages_named = [int(number) for number in numbers if number.isdecimal()]
    in_order = all(one <= other for one, other in pairwise(pages_named))
    return in_order and max(pages_named, default=0) <= pages + _UNNUMBERED_PAGES


def _runs(places: Sequence[int]) -> list[list[int]]:
    """Group places that are close to each other; keep the groups that are long enough."""
    runs = [[place] for place in places[:1]]
    for before, place in pairwise(places):
        if place - before <= _LINES_BETWEEN + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return [run for run in runs if len(run) >= _LEAST_ENTRIES]


def _heading_before(lines: Sequence[Line], first: int) -> range:
    for place in range(first - 1, max(-1, first - 2 - _LINES_BETWEEN), -1):
        if _HEADING.fullmatch(lines[place].text):
            return range(place, first)
    return range(0)


def _entries_after(lines: Sequence[Line], heading: int) -> range:
    """Return the heading and the lines after it that end in page numbers, which never go down."""
    last, count, page = heading, 0, 0
    for place in range(heading + 1, len(lines)):
        entry = _WITHOUT_LEADERS.fullmatch(lines[place].text)
        number = int(entry["page"]) if entry and entry["page"].isdecimal() else None
        if number is not None and number >= page:
            last, count, page = place, count + 1, number
        elif place - last > _LINES_BETWEEN:
            break
    return range(heading, last + 1) if count >= _LEAST_ENTRIES else range(0)

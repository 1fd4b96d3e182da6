"""Footnotes stand at the foot of a column, in smaller letters, and begin with a mark."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from simcompare.loading.pdf.lines import Line, Page

_MARK = re.compile(
    r"(?:\[\d{1,3}\]|[（(〔]\d{1,3}[）)〕]|\d{1,3}|[\u2460-\u2473\u2776-\u277f]|[*†‡§¶]{1,3})(?=\D)"
)
_FINISHED = re.compile(r"[.!?。！？][”’」』）)\"']*$")
_SIGNS = "[]()（）〔〕 ."
# Shares of the letter size of the body, of the height of the page, of the size of a letter.
_SMALLER = 0.93
_LOWEST_PART = 0.7
_SAME_SIZE = 0.1
_JUMP_UP = 0.5
_LEAST_GAP = 1.25


@dataclass(slots=True)
class Footnote:
    """A note, and the page at whose foot it stands."""

    page: int
    mark: str
    lines: list[Line] = field(default_factory=list)


def without_footnotes(pages: Sequence[Page], body_size: float) -> tuple[list[Page], list[Footnote]]:
    """Take the notes out of the pages, and the marks that refer to them out of their lines."""
    kept: list[Page] = []
    notes: list[Footnote] = []
    for page in pages:
        taken: set[int] = set()
        marks: set[str] = set()
        for column in _columns(page.lines):
            for note, line in _note_lines(page, column, body_size, notes[-1] if notes else None):
                if not note.lines:
                    notes.append(note)
                note.lines.append(line)
                taken.add(id(line))
                marks.add(note.mark)
        body = [line for line in page.lines if id(line) not in taken]
        if marks:
            body = [_without_marks(line, page.raised, marks) for line in body]
            body = [line for line in body if line.text and not _is_mark(line, marks, body_size)]
        kept.append(replace(page, lines=body))
    return kept, notes


def _columns(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield runs of lines that go down."""
    column: list[Line] = []
    for line in lines:
        if column and line.y0 > column[-1].y0 + _JUMP_UP * line.size:
            yield column
            column = []
        column.append(line)
    if column:
        yield column


def _note_lines(
    page: Page, column: Sequence[Line], body_size: float, before: Footnote | None
) -> Iterator[tuple[Footnote, Line]]:
    """Yield the lines of notes in a column, each with its note; the first may go on with the one `before`."""
    unfinished = before is not None and not _FINISHED.search(before.lines[-1].text)
    note = before if unfinished else None
    for line in column[_start_of_foot(page, column, body_size, unfinished=unfinished) :]:
        mark = _MARK.match(line.text)
        if mark and (note is None or _follows(note.mark, mark[0].strip(_SIGNS))):
            note = Footnote(page.number, mark[0].strip(_SIGNS))
        if note is not None:
            yield note, line


def _start_of_foot(page: Page, column: Sequence[Line], body_size: float, *, unfinished: bool) -> int:
    """Return from which line on a column is small print, below a gap, that begins with a mark.

    Where a note is `unfinished`, its rest has none.
    """
    start = len(column)
    while start and _is_small(column[start - 1], column[-1], body_size):
        start -= 1
    for place in range(max(start, 1), len(column)):
        line, above = column[place], column[place - 1]
        low_enough = line.y1 < page.low + _LOWEST_PART * (page.high - page.low)
        apart = above.y0 - line.y0 > _LEAST_GAP * line.size
        marked = _MARK.match(line.text) or (unfinished and place == start)
        if marked and low_enough and apart:
            return place
    return len(column)


def _is_small(line: Line, last: Line, body_size: float) -> bool:
    return line.size <= _SMALLER * body_size and abs(line.size - last.size) <= _SAME_SIZE * last.size


def _follows(before: str, mark: str) -> bool:
    """Whether a mark can be the next one: numbers count on, signs differ."""
    if before.isdecimal() and mark.isdecimal():
        return int(mark) == int(before) + 1
    return before.isdecimal() == mark.isdecimal() and before != mark


def _is_mark(line: Line, marks: set[str], body_size: float) -> bool:
    return line.text in marks and line.size < _SMALLER * body_size


def _without_marks(line: Line, raised: frozenset[int], marks: set[str]) -> Line:
    if raised.isdisjoint(line.origins):
        return line
    dropped: set[int] = set()
    for is_raised, group in groupby(range(len(line.text)), lambda place: line.origins[place] in raised):
        places = list(group)
        if is_raised and "".join(line.text[place] for place in places).strip(_SIGNS) in marks:
            dropped.update(places)
    return line.picked(place for place in range(len(line.text)) if place not in dropped)

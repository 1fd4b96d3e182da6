"""Where on a page somebody is named, whatever order its characters are drawn in and whatever way they run."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from simcompare.loading.formats.pdf.pdf_lines import Boxes
from simcompare.loading.formats.pdf.pdfium_characters import BROKEN_WORD
from simcompare.pseudonyms.pseudonymised_document import Replacement
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.redaction.pdf_pages.characters import PageCharacters, Places
from simcompare.support.confusables import EQUIVALENT_IDEOGRAPHS
from simcompare.text.comparable import is_han

_UNKNOWN = "\ufffd"
_SOFT_HYPHEN = "\u00ad"
# In sizes of a letter: what parts words, what a row is level within, how far apart letters of a name are.
_WORD_GAP, _LEVEL, _WIDEST_GAP = 0.25, 0.5, 2.5
# Of the characters on a page, how many are level with the one before unless the text is vertical.
_HORIZONTAL_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Part:
    """Characters of a name that follow each other in one line, across or down, and what replaces them.

    `by` is empty where it is told at another part of the name.
    """

    places: Places
    by: str
    runs_across: bool


@dataclass(frozen=True, slots=True)
class _Reading:
    """The text of a page in some order, with the place of each of its characters on the page."""

    text: str
    places: Places


def named_parts(
    characters: PageCharacters,
    names: Pseudonyms,
    file: Path,
    told: Iterable[tuple[Boxes, str]] = (),
) -> list[Part]:
    """Return what names somebody on a page of a file.

    `told` are the boxes on the page of names that stand in the text of the file as it was read, and what is
    to stand there.
    """
    readings = [*_readings(characters)]
    found = [hit for reading in readings for hit in _hits(reading, names, file)]
    found += [(places, by) for boxes, by in told if len(places := _within(characters, boxes))]
    joined = _joined([(places[characters.nonblank[places]], by) for places, by in found])
    across = _is_horizontal(characters)
    return [part for places, by in joined for part in _parts(characters, places, by, across=across)]


def _readings(characters: PageCharacters) -> Iterator[_Reading]:
    """Yield the page as it is drawn, and row by row; one whose text runs down as one line as well."""
    text = "".join(map(chr, characters.codes.tolist())).replace("\r", " ").translate(EQUIVALENT_IDEOGRAPHS)
    text = "".join(
        _UNKNOWN if is_unknown else char
        for char, is_unknown in zip(text.replace(BROKEN_WORD, _SOFT_HYPHEN), characters.unknown, strict=True)
    )
    places = np.arange(len(text))
    yield _Reading(text, places)
    inked = np.flatnonzero(characters.nonblank)
    if not _is_horizontal(characters):
        yield _Reading("".join(text[place] for place in inked.tolist()), inked)
    rows = list(_rows(characters, inked))
    yield _Reading("".join(text[place] if place >= 0 else chr(-place) for place in rows), np.array(rows, int))


def _is_horizontal(characters: PageCharacters) -> bool:
    inked = np.flatnonzero(characters.nonblank)
    if len(inked) < 2:
        return True
    y = characters.boxes[inked][:, [1, 3]].mean(axis=1)
    height = characters.boxes[inked, 3] - characters.boxes[inked, 1]
    return bool((np.abs(np.diff(y)) < _LEVEL * height[1:]).mean() >= _HORIZONTAL_SHARE)


def _rows(characters: PageCharacters, inked: Places) -> Iterator[int]:
    """Yield places from top to bottom and from left to right; a blank or line end between them as -code."""
    boxes = characters.boxes[inked]
    middles = boxes[:, [1, 3]].mean(axis=1)
    row: list[int] = []
    for number in np.argsort(-middles, kind="stable").tolist():
        if row and middles[row[0]] - middles[number] > _LEVEL * (boxes[row[0], 3] - boxes[row[0], 1]):
            yield from _spaced_row(inked, boxes, row)
            row = []
        row.append(number)
    yield from _spaced_row(inked, boxes, row)


def _spaced_row(inked: Places, boxes: Boxes, row: list[int]) -> Iterator[int]:
    end = np.inf
    for number in sorted(row, key=lambda one: float(boxes[one, 0])):
        if boxes[number, 0] - end > _WORD_GAP * (boxes[number, 3] - boxes[number, 1]):
            yield -ord(" ")
        yield int(inked[number])
        end = boxes[number, 2]
    yield -ord("\n")


# --- names


def _hits(reading: _Reading, names: Pseudonyms, file: Path) -> Iterator[tuple[Places, str]]:
    found = [*names.replacements(reading.text, file)]
    if _UNKNOWN in reading.text:
        found += _half_read(reading.text, names)
    for one in found:
        places = reading.places[one.start : one.end]
        yield places[places >= 0], one.by


def _half_read(text: str, names: Pseudonyms) -> Iterator[Replacement]:
    """Yield Chinese names some of whose characters cannot be told, as rare ones often cannot."""
    for name in (name for student in names.students for name in student.names):
        han = [char for char in name if is_han(char)]
        if len(han) < 2:
            continue
        for match in re.finditer(r"\s*".join(f"[{char}{_UNKNOWN}]" for char in han), text):
            if _UNKNOWN in match[0] and match[0].strip(_UNKNOWN).strip():
                yield Replacement(match.start(), match.end(), names.replaced(name))


def _within(characters: PageCharacters, boxes: Boxes) -> Places:
    """Return the characters whose middles are within one of the boxes, in the order of these."""
    page = characters.page_boxes
    x, y = (page[:, 0] + page[:, 2]) / 2, (page[:, 1] + page[:, 3]) / 2
    found = [
        np.flatnonzero(characters.nonblank & (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1))
        for x0, y0, x1, y1 in boxes.tolist()
    ]
    places = np.concatenate([*found, np.empty(0, int)]).astype(int)
    return places[np.sort(np.unique(places, return_index=True)[1])]


def _joined(found: Sequence[tuple[Places, str]]) -> list[tuple[Places, str]]:
    """Make one of what overlaps, the longest first: another reading may hold more of a name."""
    taken: set[int] = set()
    joined: list[tuple[Places, str]] = []
    for places, by in sorted(found, key=lambda hit: -len(hit[0])):
        left = [place for place in places.tolist() if place not in taken]
        taken.update(left)
        if left:
            joined.append((np.array(left, int), by if len(left) == len(places) else ""))
    return joined


# --- lines


def _parts(characters: PageCharacters, places: Places, by: str, *, across: bool) -> list[Part]:
    """Return the parts of a name, which its pseudonym stands in the longest of."""
    parts = list(_straight(characters, places, across=across))
    longest = max(parts, key=lambda part: len(part.places))
    return [Part(part.places, by if part is longest else "", part.runs_across) for part in parts]


def _straight(characters: PageCharacters, places: Places, *, across: bool) -> Iterator[Part]:
    """Yield runs of characters beside each other, or below each other; `across` is for one by itself."""
    steps = [_step(characters, one, other) for one, other in pairwise(places.tolist())]
    run, direction = [int(places[0])], None
    for place, step in zip(places[1:].tolist(), steps, strict=True):
        if step is None or direction not in {None, step}:
            yield _part(characters, run, across if direction is None else direction)
            run, direction = [place], None
        else:
            run.append(place)
            direction = step
    yield _part(characters, run, across if direction is None else direction)


def _part(characters: PageCharacters, run: list[int], across: bool) -> Part:
    places = np.array(run)
    return Part(places, "", across and bool(characters.upright[places].all()))


def _step(characters: PageCharacters, one: int, other: int) -> bool | None:
    """Return whether a character stands beside the one before it, False below it, None elsewhere."""
    first, second = characters.boxes[one], characters.boxes[other]
    size = max(first[3] - first[1], first[2] - first[0])
    x, y = (second[:2] + second[2:] - first[:2] - first[2:]) / 2
    if abs(y) < _LEVEL * size and abs(x) < _WIDEST_GAP * size:
        return True
    return False if abs(x) < _LEVEL * size and abs(y) < _WIDEST_GAP * size else None

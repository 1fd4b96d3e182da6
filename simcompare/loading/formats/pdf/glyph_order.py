"""Reordering of glyphs that are drawn after the line to which they belong.

A writer whose Chinese font has no quotation marks draws the line without them, then the marks in another
font. pdfium returns such marks after the text in which they belong.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from simcompare.loading.formats.pdf.pdfium_characters import PdfCharacters

_Places = NDArray[np.int64]
_Numbers = NDArray[np.float64]

# In letter heights: the largest distance of adjacent glyphs, the largest overlap of neighbours,
# the gap between words, and the gap between cells or columns.
_ABUTTING = 0.2
_MAX_OVERLAP = 0.3
_WORD_GAP = 0.25
_CELL_GAP = 0.75
# Share of the height of the lower of two glyphs that is level with the other if both are on one line.
_LEVEL_SHARE = 0.5
# Share of the glyphs of a page that are level with the one before, unless the text is vertical.
_HORIZONTAL_SHARE = 0.5
_RIGHT_TO_LEFT = ((0x590, 0x8FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFE), (0x10800, 0x10FFF), (0x1E800, 0x1EFFF))


@dataclass(frozen=True, slots=True)
class _GlyphRun:
    """Indexes of adjacent glyphs; `number` is its position among the runs of a line as drawn."""

    number: int
    places: _Places
    x0: float
    x1: float


def put_in_order(characters: PdfCharacters) -> None:
    """Move glyphs that were drawn later into the gap in which they are."""
    drawn = np.flatnonzero(~characters.generated & ~characters.line_ends)
    x0, y0, _x1, y1 = characters.boxes[drawn].T
    level = _are_level(y0[1:], y1[1:], y0[:-1], y1[:-1])
    if not level.any() or level.mean() < _HORIZONTAL_SHARE:
        return
    back = np.flatnonzero(level & (x0[1:] < x0[:-1] - _ABUTTING * (y1 - y0)[1:]))
    breaks = np.flatnonzero(~level) + 1
    bounds = np.array([0, *breaks, len(drawn)])
    order: list[_Places] = []
    done = 0
    for number in np.unique(np.searchsorted(breaks, back, side="right")).tolist():
        first, stop = bounds[number : number + 2]
        for ordered in _reordered(characters, drawn[first:stop]):
            order += [np.arange(done, ordered.min()), ordered]
            done = int(ordered.max()) + 1
    if order:
        characters.keep(np.concatenate([*order, np.arange(done, len(characters.codes))]))


def _are_level(low: _Numbers, high: _Numbers, lows: _Numbers, highs: _Numbers) -> NDArray[np.bool_]:
    common = np.minimum(high, highs) - np.maximum(low, lows)
    level: NDArray[np.bool_] = common >= _LEVEL_SHARE * np.minimum(high - low, highs - lows)
    return level


def _reordered(characters: PdfCharacters, line: _Places) -> Iterator[_Places]:
    """Yield the parts of a line that are drawn out of order, reordered and with their spaces."""
    boxes = characters.boxes[line]
    height = float(np.median(boxes[:, 3] - boxes[:, 1]))
    parts = list(_parts(_runs(boxes, line, height), _CELL_GAP * height))
    for part in sorted(parts, key=lambda runs: min(run.number for run in runs)):
        numbers = [run.number for run in part]
        whole = max(numbers) - min(numbers) + 1 == len(numbers)
        if whole and numbers != sorted(numbers) and _is_single_line(characters, part, height):
            yield _with_spaces(characters, np.concatenate([run.places for run in part]), height)


def _runs(boxes: NDArray[np.float64], line: _Places, height: float) -> list[_GlyphRun]:
    apart = np.abs(boxes[1:, 0] - boxes[:-1, 2]) > _ABUTTING * height
    cuts = [0, *(np.flatnonzero(apart) + 1).tolist(), len(line)]
    return [
        _GlyphRun(number, line[first:stop], float(boxes[first, 0]), float(boxes[first:stop, 2].max()))
        for number, (first, stop) in enumerate(pairwise(cuts))
    ]


def _parts(runs: Sequence[_GlyphRun], gap: float) -> Iterator[list[_GlyphRun]]:
    """Yield the runs from left to right, grouped between wide gaps."""
    part: list[_GlyphRun] = []
    reach = 0.0
    for run in sorted(runs, key=lambda run: run.x0):
        if part and run.x0 - reach > gap:
            yield part
            part = []
        reach = max(reach, run.x1) if part else run.x1
        part.append(run)
    yield part


def _is_single_line(characters: PdfCharacters, part: Sequence[_GlyphRun], height: float) -> bool:
    """Return whether runs are side by side, upright and left-to-right."""
    overlapping = any(after.x0 - before.x1 < -_MAX_OVERLAP * height for before, after in pairwise(part))
    # Single glyphs side by side may be columns of vertical text.
    if overlapping or all(len(run.places) == 1 for run in part):
        return False
    places = np.concatenate([run.places for run in part])
    _x0, y0, _x1, y1 = characters.boxes[places].T
    codes = characters.codes[places]
    return (
        bool(_are_level(y0, y1, np.median(y0), np.median(y1)).all())
        and not any(((codes >= first) & (codes <= last)).any() for first, last in _RIGHT_TO_LEFT)
        and all(characters.is_upright(int(run.places[0])) for run in part)
    )


def _with_spaces(characters: PdfCharacters, places: _Places, height: float) -> _Places:
    """Add the spaces that pdfium generated: within a run as they were, between runs where words are apart."""
    drawn = np.sort(places)
    follows = dict(pairwise(drawn.tolist()))
    between = np.arange(drawn[0], drawn[-1])
    spaces = between[characters.generated[between]].tolist()
    x0, x1 = characters.boxes[:, 0], characters.boxes[:, 2]
    ordered = [int(places[0])]
    for before, after in pairwise(places.tolist()):
        if follows.get(before) == after:
            ordered += range(before + 1, after)
        elif spaces and x0[after] - x1[before] > _WORD_GAP * height:
            ordered.append(spaces[0])
        ordered.append(after)
    return np.array(ordered)

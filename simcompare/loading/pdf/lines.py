"""Glyphs on a page become lines of text, the same way for both PDF readers."""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import compress
from statistics import median
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

CJK = re.compile(
    r"[\u2e80-\u303f\u3040-\u30ff\u3100-\u312f\u31a0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"
    r"\uff00-\uffef\U00020000-\U0003ffff]"
)
# Two drawings of a letter closer than this share of its size are one letter made bold.
_SAME_PLACE = 0.3
# Only letters within half a cell of this grid are compared, which is far enough for any bold.
_CELL_POINTS = 8.0
_MOST_COMPARED = 8
# A gap wider than this many letter sizes is a column or a tab, not a stretched line.
_WIDE_GAP = 1.0

_Box = Sequence[float]


class Glyph(NamedTuple):
    """A character and its box in points, y upwards; `generated` is a space the reader put in."""

    char: str
    x0: float
    y0: float
    x1: float
    y1: float
    generated: bool = False


class Glyphs(NamedTuple):
    """Characters in order, a column for each field of a `Glyph`: of a page, that is many times faster."""

    chars: Sequence[str]
    x0: Sequence[float]
    y0: Sequence[float]
    x1: Sequence[float]
    y1: Sequence[float]
    generated: Sequence[bool]

    def between(self, first: int, stop: int) -> "Glyphs":
        """Return the glyphs from position `first` to before `stop`."""
        part = slice(first, stop)
        boxes = self.x0[part], self.y0[part], self.x1[part], self.y1[part]
        return Glyphs(self.chars[part], *boxes, self.generated[part])

    def without(self, positions: Container[int], first: int) -> "Glyphs":
        """Leave out what stands at these positions, counted from `first`."""
        kept = [place not in positions for place in range(first, first + len(self.chars))]
        x0, y0, x1, y1 = (list(compress(column, kept)) for column in (self.x0, self.y0, self.x1, self.y1))
        generated = list(compress(self.generated, kept))
        return Glyphs(list(compress(self.chars, kept)), x0, y0, x1, y1, generated)


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it stands on its page.

    A `hyphenated` line ends inside a word; after a `spaced` one a space was drawn.
    """

    page: int
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool = False
    hyphenated: bool = False
    spaced: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """The lines of a page in the order of its content; `low` and `high` bound it vertically.

    `unreadable` is the share of characters whose meaning the file does not give; a page is `pictured`
    where it shows pictures and no text.
    """

    number: int
    low: float
    high: float
    lines: Sequence[Line] = field(repr=False)
    unreadable: float = 0.0
    pictured: bool = False

    @property
    def characters(self) -> int:
        """The number of characters, spaces not counted."""
        return sum(len(line.text) - line.text.count(" ") for line in self.lines)


def is_cjk(text: str) -> bool:
    """Return whether a character is Chinese, Japanese or full-width."""
    return CJK.match(text) is not None


def columns_of(glyphs: Iterable[Glyph]) -> Glyphs:
    """Return the fields of glyphs, column by column."""
    columns = list(zip(*glyphs, strict=True))
    return Glyphs(*columns) if columns else Glyphs((), (), (), (), (), ())


def line_of(page: int, glyphs: Glyphs, size: float, *, bold: bool, spaces_drawn: bool) -> Line | None:
    """Put glyphs together; None where all are spaces.

    Where spaces are not drawn on a page, those that the reader generates are the words' own.
    """
    inked = [not char.isspace() for char in glyphs.chars]
    if not any(inked):
        return None
    text = _text_of(glyphs, size, spaces_drawn=spaces_drawn)
    return Line(
        page,
        text.strip(),
        x0=min(compress(glyphs.x0, inked)),
        # Signs of another font reach lower or higher: the line is where most of it is.
        y0=median(compress(glyphs.y0, inked)),
        x1=max(compress(glyphs.x1, inked)),
        y1=median(compress(glyphs.y1, inked)),
        size=size,
        bold=bold,
        spaced=text.endswith(" "),
    )


def _text_of(glyphs: Glyphs, size: float, *, spaces_drawn: bool) -> str:
    """Justified Chinese is stretched, and the readers take each gap for a space: leave those out."""
    chars = list(glyphs.chars)
    for number in compress(range(1, len(chars) - 1), glyphs.generated[1:-1]):
        if glyphs.x0[number + 1] - glyphs.x1[number - 1] < _WIDE_GAP * size:
            chinese = is_cjk(glyphs.chars[number - 1]) + is_cjk(glyphs.chars[number + 1])
            if chinese == 2 or (chinese == 1 and spaces_drawn):
                chars[number] = ""
    return "".join(chars)


def without_doubles(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Leave out letters drawn a second time at the same place, which makes them bold."""
    letters = np.array([hash(glyph.char) for glyph in glyphs], dtype=np.int64)
    boxes = np.array([glyph[1:5] for glyph in glyphs], dtype=np.float64).reshape(-1, 4)
    inked = np.array([not glyph.char.isspace() for glyph in glyphs], dtype=np.bool_)
    doubled = doubles_among(letters, boxes, inked)
    return [glyph for position, glyph in enumerate(glyphs) if position not in doubled]


def doubles_among(
    letters: NDArray[np.int64], boxes: NDArray[np.float64], inked: NDArray[np.bool_]
) -> set[int]:
    """Return the positions of the `inked` letters that were drawn before at the same place.

    `letters` tells which are the same; `boxes` are x0, y0, x1, y1 in points.
    """
    seen: dict[tuple[int, float, float], list[_Box]] = defaultdict(list)
    doubled = set()
    drawn = inked & (boxes[:, 0] < boxes[:, 2])
    near = _near_their_like(letters, boxes, np.flatnonzero(drawn))
    for position, letter, box in zip(
        near.tolist(), letters[near].tolist(), boxes[near].tolist(), strict=True
    ):
        around = (other for cell in _cells_around(letter, box) for other in seen.get(cell, ()))
        if any(_at_same_place(box, other) for other in around):
            doubled.add(position)
        else:
            seen[letter, box[0] // _CELL_POINTS, box[1] // _CELL_POINTS].append(box)
    return doubled


def _near_their_like(
    letters: NDArray[np.int64], boxes: NDArray[np.float64], positions: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return, in order, those of the positions whose letter stands at the place of its like, and some others.

    Two letters within half a cell share a cell of at least one of four grids, set off by half a cell. On
    most pages few do, fewer are as near, and only those need be looked at one by one.
    """
    x, y = (boxes[positions, :2] // (_CELL_POINTS / 2)).astype(np.int64).T
    # Letters whose keys are equal by chance are looked at in vain, no more.
    keys = [
        (letters[positions] * 1_000_003 + (x + right) // 2) * 1_000_003 + (y + up) // 2
        for right in (0, 1)
        for up in (0, 1)
    ]
    sharing = np.logical_or.reduce([_is_repeated(key) for key in keys])
    positions = positions[sharing]
    near = [_is_near(key[sharing], boxes[positions]) for key in keys]
    return positions[np.logical_or.reduce(near)]


def _is_repeated(keys: NDArray[np.int64]) -> NDArray[np.bool_]:
    ordered = np.sort(keys)
    repeated = ordered[1:][ordered[1:] == ordered[:-1]]
    places = np.searchsorted(repeated, keys)
    is_repeated: NDArray[np.bool_] = np.append(repeated, 0)[places] == keys
    return is_repeated & (places < len(repeated))


def _is_near(keys: NDArray[np.int64], boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which boxes are as near as doubled letters are to another of the same key.

    Where more than a few have the same key, all of them count as near.
    """
    order = np.argsort(keys, kind="stable")
    near = np.zeros(len(keys), dtype=np.bool_)
    for step in range(1, _MOST_COMPARED + 1):
        same = np.flatnonzero(keys[order[step:]] == keys[order[:-step]])
        if not len(same):
            break
        one, other = order[same], order[same + step]
        extent = np.maximum(boxes[one, 2:] - boxes[one, :2], boxes[other, 2:] - boxes[other, :2])
        apart = np.abs(boxes[one, :2] - boxes[other, :2])
        found = (apart < _SAME_PLACE * extent).all(axis=1) | (step == _MOST_COMPARED)
        near[one[found]] = near[other[found]] = True
    return near


def _cells_around(letter: int, box: _Box) -> list[tuple[int, float, float]]:
    """Return the cells that reach within half a cell of a letter: four, its own among them."""
    x, y, half = box[0], box[1], _CELL_POINTS / 2
    left, right = (x - half) // _CELL_POINTS, (x + half) // _CELL_POINTS
    below, above = (y - half) // _CELL_POINTS, (y + half) // _CELL_POINTS
    return [(letter, left, below), (letter, left, above), (letter, right, below), (letter, right, above)]


def _at_same_place(one: _Box, other: _Box) -> bool:
    width, height = one[2] - one[0], one[3] - one[1]
    return abs(one[0] - other[0]) < _SAME_PLACE * width and abs(one[1] - other[1]) < _SAME_PLACE * height

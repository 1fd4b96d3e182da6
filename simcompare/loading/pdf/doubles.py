"""Letters drawn twice at nearly one place, which makes them bold: they count once."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from simcompare.loading.pdf.lines import Glyph

# Two drawings of a letter closer than this share of its size are one letter made bold.
_SAME_PLACE = 0.3
# Only letters within half a cell of this grid are compared, which is far enough for any bold.
_CELL_POINTS = 8.0
_MOST_COMPARED = 8

_Box = Sequence[float]


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

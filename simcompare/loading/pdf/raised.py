"""Small characters beside larger ones (m², marks of notes): they stay in their line, where pdfium ends it."""

from collections.abc import Sequence
from functools import partial
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from simcompare.loading.pdf.characters import Characters, Numbers

_SMALLER = 0.85
_LONGEST_MARK = 5
_MARK_CODES = [*map(ord, "0123456789*†‡§¶[](（〔"), *range(0x2460, 0x2474), *range(0x2776, 0x2780)]
# In heights of the larger letter: the most room between the two.
_WIDEST_GAP = 0.75
# In heights of the smaller: from where on the room is a space that is not drawn, and how far they overlap.
_WORD_GAP = 0.3
_MOST_OVERLAP = 0.3
# The share of the height of the smaller that is level with the larger.
_LEVEL_SHARE = 0.3

_Mask = NDArray[np.bool_]


def raised_marks(characters: Characters) -> frozenset[int]:
    """Return the places of the marks that are smaller and higher than the character before them."""
    inked = np.flatnonzero(characters.inked)
    _x0, y0, _x1, y1 = characters.boxes[inked].T
    higher = (y0[1:] > y0[:-1]) & (y1[1:] > y0[:-1] + (y1 - y0)[:-1] / 2)
    marks = np.isin(characters.codes[inked], _MARK_CODES)
    raised: set[int] = set()
    for number in np.flatnonzero(higher & marks[1:] & ~marks[:-1]).tolist():
        before, *after = inked[number : number + 1 + _LONGEST_MARK].tolist()
        size = _SMALLER * characters.size(before)
        raised.update(takewhile(partial(_is_smaller, characters, size), after))
    return frozenset(raised)


def _is_smaller(characters: Characters, size: float, place: int) -> bool:
    return characters.size(place) < size


def join_beside_raised(characters: Characters) -> None:
    """Take out the line ends between small and large characters that stand beside each other.

    Where they are apart and no space is drawn, the line end becomes one.
    """
    inked = np.flatnonzero(characters.inked)
    ended = np.diff(np.cumsum(characters.line_ends)[inked]) > 0
    dropped = np.zeros(len(characters.codes), dtype=np.bool_)
    for number in np.flatnonzero(beside_raised(characters, inked, ended)).tolist():
        before, after = inked[number : number + 2].tolist()
        places = np.arange(before + 1, after)
        ends = places[characters.line_ends[places]]
        if not characters.drawn_spaces[places].any() and _are_apart(characters, before, after):
            characters.make_space(int(ends[0]))
            ends = ends[1:]
        dropped[ends] = True
    if dropped.any():
        characters.keep(~dropped)


def beside_raised(characters: Characters, inked: Numbers, asked: _Mask) -> _Mask:
    """Tell which glyphs, of those asked for, stand beside the one before, one of them small and one large.

    `asked` and the answer are about the glyphs with ink but the first. The small one is raised, lowered, or
    neither.
    """
    x0, y0, x1, y1 = characters.boxes[inked].T
    heights = y1 - y0
    higher, lower = np.maximum(heights[1:], heights[:-1]), np.minimum(heights[1:], heights[:-1])
    gap = x0[1:] - x1[:-1]
    common = np.minimum(y1[1:], y1[:-1]) - np.maximum(y0[1:], y0[:-1])
    found: _Mask = (
        asked
        & (lower < _SMALLER * higher)
        & (gap > -_MOST_OVERLAP * lower)
        & (gap < _WIDEST_GAP * higher)
        & (common > _LEVEL_SHARE * lower)
    )
    for number in np.flatnonzero(found).tolist():
        found[number] = _differ_in_size(characters, inked[number : number + 2].tolist())
    return found


def _differ_in_size(characters: Characters, places: Sequence[int]) -> bool:
    """Whether it is not only that one is a low letter, or of a font whose signs are lower."""
    small, large = sorted(map(characters.size, places))
    return small < _SMALLER * large


def _are_apart(characters: Characters, before: int, after: int) -> bool:
    boxes = characters.boxes[[before, after]]
    height = float((boxes[:, 3] - boxes[:, 1]).min())
    return bool(boxes[1, 0] - boxes[0, 2] > _WORD_GAP * height)

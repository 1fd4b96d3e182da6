"""Repair of text that fonts and layout of a PDF distort: spaced Chinese, mojibake, radicals, doubles."""

import codecs
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from simcompare.loading.formats.pdf.pdf_lines import CJK, Glyph, PdfLine
from simcompare.loading.formats.plain.encodings import likelihood
from simcompare.support.confusables import EQUIVALENT_IDEOGRAPHS

_SPACED_CJK = re.compile(rf"(?<={CJK.pattern}) +(?={CJK.pattern})")
_CJK_PAIR = re.compile(rf"{CJK.pattern} *(?={CJK.pattern})")
_ACCENTED = re.compile("[\xa1-\xff]")
# An author separates few pairs of Chinese characters on a page by spaces; a layout many.
_LAYOUT_SHARE = 0.1
_MIN_OF_LAYOUT = 4
# No Western text has so many accented letters.
_MOJIBAKE_SHARE = 0.6
# Nats per byte: Chinese text has 3 to 5, accented letters read as pairs of bytes 6 and more.
_STILL_CHINESE = -5.5
_RADICAL = re.compile("[\u2e80-\u2fdf]")
# This many radicals in the order of their code points are a table of radicals, not words.
_TABLE_RADICALS = 5
_DOUBLED_SHARE = 0.8
# The ideographs of some Kangxi radicals are old forms.
_MODERN_FORMS = str.maketrans("戶靑黃麥龜", "户青黄麦龟")


def repaired(lines: Iterable[PdfLine]) -> list[PdfLine]:
    return without_layout_spaces(without_radicals(without_mojibake(lines)))


def without_layout_spaces(lines: Iterable[PdfLine]) -> list[PdfLine]:
    """Remove the spaces between Chinese characters if the page has many of them."""
    lines = list(lines)
    page = "\n".join(line.text for line in lines)
    spaced = 0 if page.isascii() else len(_SPACED_CJK.findall(page))
    if spaced < _MIN_OF_LAYOUT or spaced <= _LAYOUT_SHARE * len(_CJK_PAIR.findall(page)):
        return lines
    return [_closed_up(line) for line in lines]


def _closed_up(line: PdfLine) -> PdfLine:
    spaces = {place for match in _SPACED_CJK.finditer(line.text) for place in range(*match.span())}
    return line.picked(place for place in range(len(line.text)) if place not in spaces)


def without_mojibake(lines: Iterable[PdfLine]) -> list[PdfLine]:
    """Decode Chinese again whose font declares a Western encoding, so that it became accented letters."""
    lines = list(lines)
    whole = "".join(line.text for line in lines).replace(" ", "")
    if whole.isascii() or len(_ACCENTED.findall(whole)) <= _MOJIBAKE_SHARE * len(whole):
        return lines
    decoded = [_as_gb18030(line) for line in lines]
    score = likelihood("".join(line.text for line in decoded), ("simplified", "traditional"))
    is_table = all(first < other for first, other in pairwise(whole))
    return lines if is_table or score < _STILL_CHINESE * len(whole) else decoded


def _as_gb18030(line: PdfLine) -> PdfLine:
    """Decode the letters as bytes; each character gets the position of its first byte."""
    letters = line.picked(place for place, char in enumerate(line.text) if char != " ")
    decoder = codecs.getincrementaldecoder("gb18030")("replace")
    text, origins, begin = "", [], 0
    data = letters.text.encode("latin-1", "replace")
    for place in range(len(data)):
        decoded = decoder.decode(data[place : place + 1], final=place == len(data) - 1)
        if decoded:
            text += decoded
            origins += [letters.origins[begin]] * len(decoded)
            begin = place + 1
    return replace(line, text=text, origins=origins)


def without_radicals(lines: Iterable[PdfLine]) -> list[PdfLine]:
    """Replace radicals by the ideographs whose glyphs they share, except in tables of radicals.

    Quartz of macOS 10.10 and 10.11 writes radical and ideograph for one glyph: if nearly all radicals of a
    page are beside their ideographs, each pair becomes one ideograph.
    """
    lines = list(lines)
    texts = [line.text for line in lines if _RADICAL.search(line.text) and not _lists_radicals(line.text)]
    radicals = sum(len(_RADICAL.findall(text)) for text in texts)
    if radicals and sum(len(_pairs(text)) for text in texts) >= _DOUBLED_SHARE * radicals:
        lines = [line if _lists_radicals(line.text) else _without_pairs(line) for line in lines]
    return [_with_ideographs(line) if _RADICAL.search(line.text) else line for line in lines]


def _pairs(text: str) -> list[int]:
    """Return the indexes of the first characters of pairs of a radical and its ideograph, in any order."""
    found: list[int] = []
    for radical in _RADICAL.finditer(text):
        for place in (radical.start() - 1, radical.start()):
            apart = place > found[-1] + 1 if found else place >= 0
            if apart and _is_pair(text[place : place + 2]):
                found.append(place)
    return found


def _is_pair(text: str) -> bool:
    alike = len(text) == 2 and _ideograph(text[0]) == _ideograph(text[1])
    return alike and len(_RADICAL.findall(text)) == 1


@cache
def _ideograph(char: str) -> str:
    return char.translate(EQUIVALENT_IDEOGRAPHS).translate(_MODERN_FORMS)


def _without_pairs(line: PdfLine) -> PdfLine:
    """Keep the ideograph of each pair, at the position of the first character, which has the whole glyph."""
    chars, pairs = list(line.text), _pairs(line.text)
    for place in pairs:
        if _RADICAL.match(chars[place]):
            chars[place] = chars[place + 1]
    dropped = {place + 1 for place in pairs}
    merged = replace(line, text="".join(chars))
    return merged.picked(place for place in range(len(chars)) if place not in dropped)


def _with_ideographs(line: PdfLine) -> PdfLine:
    return (
        line if _lists_radicals(line.text) else replace(line, text=line.text.translate(EQUIVALENT_IDEOGRAPHS))
    )


def _lists_radicals(text: str) -> bool:
    radicals = _RADICAL.findall(text)
    return len(radicals) >= _TABLE_RADICALS and all(first < other for first, other in pairwise(radicals))


# Two drawings of a letter closer than this share of its size are one letter in synthetic bold.
_SAME_PLACE = 0.3
# Only letters within half a cell of this grid are compared, which suffices for any bold.
_CELL_POINTS = 8.0
# With more rows that are drawn apart, letters are compared instead.
_MAX_ROWS = 500
# A prime far above the letters of a page, few of which have the same remainder by chance.
_HASHES = 65_521

_Box = Sequence[float]


def without_doubles(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Remove letters drawn a second time at the same place, which is synthetic bold."""
    letters = np.array([hash(glyph.char) for glyph in glyphs], dtype=np.int64)
    boxes = np.array([glyph[1:5] for glyph in glyphs], dtype=np.float64).reshape(-1, 4)
    nonblank = np.array([not glyph.char.isspace() for glyph in glyphs], dtype=np.bool_)
    doubled = doubles_among(letters, boxes, nonblank)
    return [glyph for position, glyph in enumerate(glyphs) if position not in doubled]


def doubles_among(
    letters: NDArray[np.int64], boxes: NDArray[np.float64], nonblank: NDArray[np.bool_]
) -> set[int]:
    """Return the indexes of the `nonblank` letters that were drawn before at the same place.

    Equal `letters` are the same letter; `boxes` are x0, y0, x1, y1 in points.
    """
    seen: dict[tuple[int, float, float], list[_Box]] = defaultdict(list)
    doubled: set[int] = set()
    drawn = np.flatnonzero(nonblank & (boxes[:, 0] < boxes[:, 2]))
    if _are_apart(letters[drawn], boxes[drawn]):
        return doubled
    near = _near_equal_letters(letters, boxes, drawn)
    for position, letter, box in zip(
        near.tolist(), letters[near].tolist(), boxes[near].tolist(), strict=True
    ):
        around = (other for cell in _cells_around(letter, box) for other in seen.get(cell, ()))
        if any(_at_same_place(box, other) for other in around):
            doubled.add(position)
        else:
            seen[letter, box[0] // _CELL_POINTS, box[1] // _CELL_POINTS].append(box)
    return doubled


def _are_apart(letters: NDArray[np.int64], boxes: NDArray[np.float64]) -> bool:
    """Return whether letters are side by side in lines below each other, so that none is drawn twice."""
    x0, y0, x1, y1 = boxes.T
    step, near = np.diff(x0), _SAME_PLACE * (x1 - x0)[1:]
    is_beside = step >= near
    # A comma may be below the quotation mark that follows.
    is_beside[1:] |= (np.diff(letters)[1:] != 0) & (step[1:] > 0) & (x0[2:] - x0[:-2] >= near[1:])
    is_beside &= np.abs(np.diff(y0)) < (y1 - y0).max(initial=0.0)
    starts = np.concatenate([[0], np.flatnonzero(~is_beside) + 1])[: len(boxes)]
    if len(starts) > _MAX_ROWS:
        return False
    level = np.ones((len(starts), len(starts)), dtype=np.bool_)
    for places, extent in ((x0, x1 - x0), (y0, y1 - y0)):
        first, last = np.minimum.reduceat(places, starts), np.maximum.reduceat(places, starts)
        reached = first < last[:, np.newaxis] + _SAME_PLACE * extent.max(initial=0.0)
        level &= reached & reached.T
    return int(level.sum()) == len(starts)


def _near_equal_letters(
    letters: NDArray[np.int64], boxes: NDArray[np.float64], positions: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return, in order, the positions of letters near an equal one, and some others.

    Two letters within half a cell share a cell of at least one of four grids, offset by half a cell. On
    most pages few do and fewer are as near, so only those are compared one by one.
    """
    x, y = (boxes[positions, :2] // (_CELL_POINTS / 2)).astype(np.int64).T
    # Keys that are equal by chance only cost an additional comparison.
    keys = [
        (letters[positions] * 1_000_003 + (x + right) // 2) * 1_000_003 + (y + up) // 2
        for right in (0, 1)
        for up in (0, 1)
    ]
    # Counting is faster than sorting.
    return positions[np.any([np.bincount(key % _HASHES)[key % _HASHES] > 1 for key in keys], axis=0)]


def _cells_around(letter: int, box: _Box) -> list[tuple[int, float, float]]:
    """Return the four cells within half a cell of a letter, including its own."""
    x, y, half = box[0], box[1], _CELL_POINTS / 2
    left, right = (x - half) // _CELL_POINTS, (x + half) // _CELL_POINTS
    below, above = (y - half) // _CELL_POINTS, (y + half) // _CELL_POINTS
    return [(letter, left, below), (letter, left, above), (letter, right, below), (letter, right, above)]


def _at_same_place(first: _Box, other: _Box) -> bool:
    width, height = first[2] - first[0], first[3] - first[1]
    return abs(first[0] - other[0]) < _SAME_PLACE * width and abs(first[1] - other[1]) < _SAME_PLACE * height

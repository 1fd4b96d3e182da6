"""Phonetic guides above Chinese characters (ruby): pinyin, bopomofo or kana in small print."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from simcompare.loading.formats.pdf.pdfium_characters import Numbers, PdfCharacters

_IDEOGRAPHS = ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))
# Largest size of a guide and range of its foot, as shares of the size of the characters below.
_MAX_SIZE = 0.7
_MAX_HEIGHT = 0.65
_MIN_FOOT = 0.6
_MAX_FOOT = 1.7
_OVERHANG = 1.0
_OFF_MIDDLE = 0.1
_SHARED_GAP = 0.5
# In heights of a letter of a guide.
_GAP = 0.1
# Guides leave gaps in a line, but none as wide as between columns.
_MAX_GAP = 1.5
_LEVEL = 0.3
# A page with more lines is a map or a hostile file.
_MAX_ROWS = 500
_PINYIN = re.compile(
    r"(?>(?:[zcs]h|[bpmfdtnlgkhjqxzcsryw])?+"
    r"(?>[iu]ang|iong|ueng|[aeio]ng|ia[no]|ua[in]|[ae]i|[ao]o|ou|[aeiu]n|i[aeu]|u[aoie]|er|[aeiouv])r?+['’]?+\d?+)++"
)
_SYLLABLE_SIGNS = re.compile(r"[\u3041-\u30ff\u3105-\u312f\u31a0-\u31bfˊˇˋ˙]+")
_LATIN_FORMS = str.maketrans({"ɑ": "a", "ɡ": "g"})

_Mask = NDArray[np.bool_]


def remove_phonetic_guides(characters: PdfCharacters) -> str:
    """Remove phonetic guides, and the line ends that they caused, from the characters; return their text."""
    nonblank = np.flatnonzero(characters.nonblank)
    found = list(_phonetic_guides(characters, nonblank))
    if not found:
        return ""
    dropped = np.zeros(len(characters.codes), dtype=np.bool_)
    for places in found:
        dropped[places] = True
    text = " ".join(_text(characters, places) for places in found)
    characters.keep(~(dropped | _breaks_around(characters, nonblank, dropped)))
    return text


def _phonetic_guides(characters: PdfCharacters, nonblank: Numbers) -> Iterator[Numbers]:
    """Yield the indexes of each guide, line by line; record their height as headroom."""
    ideographs = _are_ideographs(characters.codes[nonblank])
    base = nonblank[ideographs]
    low = _low_among(characters, nonblank[~ideographs], base)
    for line in _lines_below(characters, base, low) if len(low) else ():
        runs = list(_runs(characters, _above(characters, line, low)))
        # Small print above a line is a guide only if all of it is.
        if runs and all(
            _is_phonetic_guide(_text(characters, places)) and _is_above(characters, places, line)
            for places in runs
        ):
            tops = characters.boxes[np.concatenate(runs), 3]
            characters.headroom[line] = max(0.0, tops.max() - np.median(characters.boxes[line, 3]))
            yield from runs


def _are_ideographs(codes: Numbers) -> _Mask:
    found: _Mask = np.any([(codes >= first) & (codes <= last) for first, last in _IDEOGRAPHS], axis=0)
    return found


def _low_among(characters: PdfCharacters, others: Numbers, base: Numbers) -> Numbers:
    """Return the glyphs that are low compared with most ideographs: on most pages there are none."""
    if not len(base) or not len(others):
        return others[:0]
    heights = characters.boxes[:, 3] - characters.boxes[:, 1]
    return others[heights[others] < _MAX_HEIGHT * np.median(heights[base])]


def _lines_below(characters: PdfCharacters, base: Numbers, low: Numbers) -> Iterator[Numbers]:
    """Yield the lines of ideographs, from the top, that may have some of the low glyphs above them.

    On most pages with low glyphs these are marks of notes, and too low for a guide.
    """
    levels = np.round(characters.boxes[base, 1])
    order = np.argsort(levels, kind="stable")
    rows, starts = np.unique(levels[order], return_index=True)
    if len(rows) > _MAX_ROWS:
        return
    heights = (characters.boxes[base, 3] - characters.boxes[base, 1])[order]
    least, most = np.minimum.reduceat(heights, starts), np.maximum.reduceat(heights, starts)
    feet = np.sort(characters.boxes[low, 1])
    first = np.searchsorted(feet, rows - 1 + _MIN_FOOT * np.maximum(least, 1.0))
    stop = np.searchsorted(feet, rows + 1 + _MAX_FOOT * np.maximum(most, 1.0))
    lines = np.split(base[order], starts[1:])
    yield from (lines[number] for number in np.flatnonzero(first < stop)[::-1].tolist())


def _above(characters: PdfCharacters, line: Numbers, others: Numbers) -> Numbers:
    """Return the small glyphs directly above a line of ideographs."""
    x0, y0, x1, y1 = characters.boxes[line].T
    height, reach = float(np.median(y1 - y0)), _OVERHANG * float(np.median(x1 - x0))
    left, _low, right, _high = characters.boxes[others].T
    foot = (characters.boxes[others, 1] - float(np.median(y0))) / max(height, 1.0)
    near = (foot > _MIN_FOOT) & (foot < _MAX_FOOT)
    near &= (left > x0.min() - reach) & (right < x1.max() + reach)
    most = _MAX_SIZE * characters.size(int(line[0]))
    small = [place for place in others[near].tolist() if characters.size(place) <= most]
    return np.array(small, dtype=np.int64)


def _runs(characters: PdfCharacters, places: Numbers) -> Iterator[Numbers]:
    """Yield groups of adjacent glyphs, from left to right."""
    if not len(places):
        return
    ordered = places[np.argsort(characters.boxes[places, 0], kind="stable")]
    x0, y0, x1, y1 = characters.boxes[ordered].T
    apart = x0[1:] - np.maximum.accumulate(x1)[:-1] > _GAP * float(np.median(y1 - y0))
    cuts = [0, *(np.flatnonzero(apart) + 1).tolist(), len(ordered)]
    yield from (ordered[first:stop] for first, stop in pairwise(cuts))


def _is_above(characters: PdfCharacters, places: Numbers, line: Numbers) -> bool:
    """Return whether the middle of a guide is above a character, or above the gap of two that share it."""
    x0, _y0, x1, _y1 = characters.boxes[line].T
    left, right = characters.boxes[places, 0].min(), characters.boxes[places, 2].max()
    middle, width = (left + right) / 2, float(np.median(x1 - x0))
    off = np.maximum(x0 - middle, middle - x1).min()
    return bool(off < (_OFF_MIDDLE if right - left < width else _SHARED_GAP) * width)


def _text(characters: PdfCharacters, places: Numbers) -> str:
    return unicodedata.normalize("NFC", "".join(map(chr, characters.codes[places].tolist())))


def _is_phonetic_guide(text: str) -> bool:
    if _SYLLABLE_SIGNS.fullmatch(text):
        return True
    letters = unicodedata.normalize("NFD", text.lower().translate(_LATIN_FORMS))
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _PINYIN.fullmatch(plain) is not None


def _breaks_around(characters: PdfCharacters, nonblank: Numbers, dropped: _Mask) -> _Mask:
    """Return which line ends and generated spaces are superfluous once the guides are removed."""
    breaks = np.zeros(len(dropped), dtype=np.bool_)
    kept = nonblank[~dropped[nonblank]]
    counts = np.cumsum(dropped)
    parted = counts[kept[1:]] > counts[kept[:-1]]
    x0, y0, x1, y1 = characters.boxes[kept].T
    height = np.minimum((y1 - y0)[1:], (y1 - y0)[:-1])
    gap = x0[1:] - x1[:-1]
    level = np.abs(y0[1:] - y0[:-1]) < _LEVEL * height
    beside = parted & level & (gap > -_LEVEL * height) & (gap < _MAX_GAP * height)
    for number in np.flatnonzero(beside).tolist():
        breaks[kept[number] + 1 : kept[number + 1]] = True
    return breaks & (characters.line_ends | characters.generated)

"""Characters of a page as pdfium provides them, fetched for a whole page at a time, and their order."""

import ctypes
import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, repeat

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from pypdfium2 import raw

from simcompare.loading.formats.pdf.page_drawing import by_address, unchecked

Numbers = NDArray[np.int64]
Boxes = NDArray[np.float64]

# Code for a hyphen at which a word was broken; pdfium uses several codes for it.
BROKEN_WORD = "\ufffe"
_BROKEN_WORD_CODE = ord(BROKEN_WORD)
_CODES_IN_TABLE = 0x10000
_REPLACEMENT_CODE = 0xFFFD
_LAST_CODE = 0x10FFFF
# Distance of the characters of a page that are asked whether they are mapped, besides one of each kind.
_MAPPED_STEP = 8
_SPACE = 0x20
_MAX_POINTS = 1e9
# A line within a few degrees is upright.
UPRIGHT_ANGLE = math.pi / 36
_FONT_NAME_BYTES = 128
_EMOJI_NAMES = ("emoji",)
_BOLD_NAMES = ("bold", "black", "heavy", "simhei", "黑")


def _table(codes: Iterable[int]) -> NDArray[np.bool_]:
    """Return for each code below 0x10000 whether it is one of these, and False for all higher ones."""
    table = np.zeros(_CODES_IN_TABLE + 1, dtype=np.bool_)
    table[list(codes)] = True
    return table


def _are_in(table: NDArray[np.bool_], codes: Numbers) -> NDArray[np.bool_]:
    """Return which codes are in a table; many times faster than `numpy.isin`."""
    return table[np.minimum(codes, _CODES_IN_TABLE)]


_LINE_ENDS = _table([0x0A, 0x0D])
_SPACES = _table(code for code in range(_SPACE, 0x3001) if chr(code).isspace())
_HYPHENS = _table([0x02, 0xAD, 0xFFFE])

_unicode = unchecked(raw.FPDFText_GetUnicode)
_is_generated = unchecked(raw.FPDFText_IsGenerated)
_is_hyphen = unchecked(raw.FPDFText_IsHyphen)
_has_map_error = unchecked(raw.FPDFText_HasUnicodeMapError)
_loose_box = unchecked(raw.FPDFText_GetLooseCharBox)
_text_object = by_address(raw.FPDFText_GetTextObject, ctypes.c_int, result=ctypes.c_void_p)
_matrix = by_address(raw.FPDFText_GetMatrix, ctypes.c_int, ctypes.c_void_p)
_font_info = by_address(
    raw.FPDFText_GetFontInfo, ctypes.c_int, *[ctypes.c_void_p, ctypes.c_ulong, ctypes.c_void_p]
)
_font_size = by_address(raw.FPDFText_GetFontSize, ctypes.c_int, result=ctypes.c_double)


class PdfCharacters:
    """Characters of a page, as arrays of equal length with one entry per character.

    `codes` are as drawn, U+FFFE for a hyphen that breaks a word and U+FFFD for an unreadable character.
    `boxes` are x0, y0, x1, y1 in points on the page rotated so that most of the text is upright; `page_boxes`
    are the same on the unrotated page, NaN for characters without a position. `generated` are the spaces that
    pdfium added, `drawn_spaces` the others; `nonblank` is all except spaces and line ends. `headroom` is the
    height in points of the phonetic guides removed above a character. `quarter_turns` is the rotation of most
    of the text, counterclockwise.
    """

    def __init__(self, textpage: pypdfium2.PdfTextPage) -> None:
        self._textpage = textpage.raw
        self._pointer = ctypes.cast(textpage.raw, ctypes.c_void_p)
        self._handle = self._pointer.value
        self._count = textpage.count_chars()
        codes = self._codes()
        self._numbers = _without_second_halves(codes)
        self.codes = codes[self._numbers]
        self.line_ends = _are_in(_LINE_ENDS, self.codes)
        spaces = _are_in(_SPACES, self.codes)
        self.generated = self._where(self.codes == _SPACE, _is_generated)
        self.drawn_spaces = spaces & ~self.generated
        self.nonblank = ~spaces & ~self.line_ends
        self.unreadable_share = self._normalise_codes()
        self.quarter_turns = _quarter_turns(textpage)
        self.boxes = self._boxes()
        self.headroom = np.zeros(len(self.codes))

    @property
    def draws_spaces(self) -> bool:
        return bool((self.drawn_spaces & (self.codes == _SPACE)).any())

    def turned(self, boxes: Boxes) -> Boxes:
        """Return boxes of the page, shape (n, 4), rotated so that most of the text is upright."""
        return _turned(boxes, self.quarter_turns)

    @property
    def page_boxes(self) -> Boxes:
        """Boxes on the unrotated page; a generated space fills the gap."""
        boxes = self.boxes.copy()
        gaps = np.flatnonzero(self.generated[1:-1]) + 1
        before, after = boxes[gaps - 1], boxes[gaps + 1]
        boxes[gaps] = np.stack([before[:, 2], before[:, 1], after[:, 0], before[:, 3]], axis=1)
        # No position, or a gap between the end of one line and the beginning of another.
        boxes[(boxes[:, 0] > boxes[:, 2]) | (boxes == 0).all(axis=1)] = np.nan
        return _turned(boxes, -self.quarter_turns)

    def size(self, position: int) -> float:
        """Return the font size in points."""
        return self.size_and_angle(position)[0]

    def size_and_angle(self, position: int) -> tuple[float, float]:
        """Return the font size in points, and the direction of the line against that of most lines."""
        number = self._numbers.item(position)
        size: float = _font_size(self._handle, number)
        matrix = raw.FS_MATRIX()
        if _matrix(self._handle, number, ctypes.addressof(matrix)):
            size *= math.hypot(matrix.c, matrix.d)
        turned = math.atan2(matrix.b, matrix.a) - self.quarter_turns * math.pi / 2
        return size, math.remainder(turned, 2 * math.pi)

    def is_bold(self, position: int) -> bool:
        """Return whether the font is bold, by its name: pdfium reports weight 400 for every font."""
        return _has_part(self._font_name(position), _BOLD_NAMES)

    def is_emoji(self, position: int) -> bool:
        return _has_part(self._font_name(position), _EMOJI_NAMES)

    def _font_name(self, position: int) -> bytes:
        name = ctypes.create_string_buffer(_FONT_NAME_BYTES)
        _font_info(self._handle, self._numbers.item(position), ctypes.addressof(name), _FONT_NAME_BYTES, None)
        return name.value

    def text_objects(self, positions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the address of the text object that draws each of these characters, 0 if there is none."""
        found = map(_text_object, repeat(self._handle), self._numbers[positions].tolist())
        return np.array([address or 0 for address in found], dtype=np.int64)

    def is_upright(self, position: int) -> bool:
        """Return whether a character's line has the direction of most lines, within a few degrees."""
        return abs(self.size_and_angle(position)[1]) < UPRIGHT_ANGLE

    def keep(self, kept: NDArray[np.bool_] | Numbers) -> None:
        """Keep only these characters, in the order of the indexes if `kept` are indexes."""
        self._numbers, self.codes, self.boxes = self._numbers[kept], self.codes[kept], self.boxes[kept]
        self.line_ends, self.generated = self.line_ends[kept], self.generated[kept]
        self.drawn_spaces, self.nonblank = self.drawn_spaces[kept], self.nonblank[kept]
        self.headroom = self.headroom[kept]

    def make_space(self, place: int) -> None:
        self.codes[place] = _SPACE
        self.line_ends[place], self.generated[place] = False, True

    def _codes(self) -> Numbers:
        """Return the UTF-16 unit of each character."""
        units = (ctypes.c_ushort * (self._count + 1))()
        written = raw.FPDFText_GetText(self._textpage, 0, self._count, units)
        codes = np.frombuffer(units, dtype=np.uint16)[: self._count].astype(np.int64)
        if written != self._count + 1:
            # The text omits some characters, so that indexes do not match; ask for each character.
            codes = np.array(self._each(_unicode, range(self._count)), dtype=np.int64)
            # Damaged fonts have codes that are no characters.
            return np.where((codes < 0) | (codes > _LAST_CODE), _REPLACEMENT_CODE, codes)
        for number in np.flatnonzero(codes == _BROKEN_WORD_CODE).tolist():
            codes[number] = _unicode(self._pointer, number)
        return codes

    def _each(self, function: Callable[..., int], numbers: Sequence[int]) -> list[int]:
        return list(map(function, repeat(self._pointer), numbers))

    def _where(self, candidates: NDArray[np.bool_], function: Callable[..., int]) -> NDArray[np.bool_]:
        """Return for which of the `candidates` pdfium's function is true."""
        answers = np.zeros(len(candidates), dtype=np.bool_)
        answers[candidates] = (
            np.array(self._each(function, self._numbers[candidates].tolist()), dtype=np.int64) == 1
        )
        return answers

    def _normalise_codes(self) -> float:
        """Assign the codes for hyphens and unreadable characters; return the share of the latter."""
        broken = self._where(_are_in(_HYPHENS, self.codes), _is_hyphen)
        self.codes[broken] = _BROKEN_WORD_CODE
        readable = self.nonblank & ~broken
        # A control character is a visible glyph whose meaning is unknown.
        control = readable & (self.codes < _SPACE)
        private = (self.codes >= 0xE000) & (self.codes <= 0xF8FF)
        unknown = control | private | (self.codes == _REPLACEMENT_CODE) | self._unmapped(readable)
        self.codes[control | ((self.codes >= 0xD800) & (self.codes <= 0xDFFF))] = _REPLACEMENT_CODE
        return float((unknown & readable).sum() / max(readable.sum(), 1))

    def _unmapped(self, readable: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which characters have no meaning in their font; a sample shows if there are none."""
        last, places = np.zeros(_CODES_IN_TABLE + 1, dtype=np.int64), np.arange(len(readable))
        kinds = np.minimum(self.codes, _CODES_IN_TABLE)
        last[kinds] = places
        sample = (last[kinds] == places) | (places % _MAPPED_STEP == 0)
        found = self._where(sample & readable, _has_map_error)
        return self._where(readable, _has_map_error) if found.any() else found

    def _boxes(self) -> Boxes:
        """Return the boxes; those of line ends and generated spaces are empty."""
        drawn = np.flatnonzero(~self.generated & ~self.line_ends)
        buffer, rectangles = _rectangles(1 << len(drawn).bit_length())
        ctypes.memset(buffer, 0, ctypes.sizeof(buffer))
        deque(map(_loose_box, repeat(self._pointer), self._numbers[drawn].tolist(), rectangles), 0)
        boxes = np.zeros((len(self._numbers), 4))
        boxes[drawn] = np.ctypeslib.as_array(buffer).reshape(-1, 4)[: len(drawn)]
        # Damaged files have coordinates beyond any page, and NaN.
        if not (np.abs(boxes) <= _MAX_POINTS).all():
            boxes = np.nan_to_num(boxes).clip(-_MAX_POINTS, _MAX_POINTS)
        low, high = boxes[:, 3].copy(), boxes[:, 1].copy()
        np.minimum(low, high, out=boxes[:, 1])
        np.maximum(low, high, out=boxes[:, 3])
        boxes = self.turned(boxes)
        # pdfium assigns the box of the whole ligature to its second letter.
        doubled = (boxes[1:, 2] == boxes[:-1, 2]) & (boxes[1:, 1] == boxes[:-1, 1])
        boxes[1:, 0][doubled] = boxes[1:, 2][doubled]
        return boxes


@lru_cache(maxsize=2)
def _rectangles(count: int) -> tuple[ctypes.Array[ctypes.c_float], list[object]]:
    """Return memory for rectangles, and a reference to each; most pages share it."""
    buffer = (ctypes.c_float * (4 * count))()
    return buffer, [ctypes.byref(buffer, 16 * number) for number in range(count)]


@lru_cache(maxsize=256)
def _has_part(name: bytes, parts: Sequence[str]) -> bool:
    lowered = name.decode("utf-8", errors="replace").lower()
    return any(part in lowered for part in parts)


def text_of(page: pypdfium2.PdfPage) -> pypdfium2.PdfTextPage:
    """Return the text of a page; if most of it is not upright, the page is rotated first, permanently.

    pdfium returns the lines of an upside-down page backwards, and those of a page on its side in any
    order.
    """
    textpage = page.get_textpage()
    upright = 90 * _quarter_turns(textpage) % 360
    if page.get_rotation() == upright:
        return textpage
    textpage.close()
    page.set_rotation(upright)
    return page.get_textpage()


def _quarter_turns(textpage: pypdfium2.PdfTextPage) -> int:
    """Return the rotation of most of the text, counterclockwise, from some twenty sample characters."""
    count = textpage.count_chars()
    handle = ctypes.cast(textpage.raw, ctypes.c_void_p).value
    angles = []
    for number in range(0, count, max(1, count // 20)):
        # pdfium's own angle is that of the letter's stem, which is slanted in synthetic italics
        matrix = raw.FS_MATRIX()
        _matrix(handle, number, ctypes.addressof(matrix))
        angles.append(math.atan2(matrix.b, matrix.a))
    turns = [round(angle / (math.pi / 2)) % 4 for angle in angles if math.isfinite(angle)]
    return max(set(turns), key=turns.count) if turns else 0


def _turned(boxes: Boxes, quarters: int) -> Boxes:
    if quarters % 4 == 0:
        return boxes
    x0, y0, x1, y1 = boxes.T
    turns = ((x0, y0, x1, y1), (y0, -x1, y1, -x0), (-x1, -y1, -x0, -y0), (-y1, x0, -y0, x1))
    return np.stack(turns[quarters % 4], axis=1)


def _without_second_halves(codes: Numbers) -> Numbers:
    """Combine surrogate pairs into one code, in place; return the indexes that remain."""
    high = (codes[:-1] >= 0xD800) & (codes[:-1] < 0xDC00) & (codes[1:] >= 0xDC00) & (codes[1:] < 0xE000)
    pairs = np.flatnonzero(high)
    codes[pairs] = 0x10000 + ((codes[pairs] - 0xD800) << 10) + (codes[pairs + 1] - 0xDC00)
    return np.delete(np.arange(len(codes)), pairs + 1)


_SMALLER = 0.85
_MAX_MARK_LENGTH = 5
_MARKS = _table([*map(ord, "0123456789*†‡§¶[](（〔"), *range(0x2460, 0x2474), *range(0x2776, 0x2780)])
# In heights of the larger letter: the widest gap between the two.
_MAX_GAP = 0.75
# In heights of the smaller letter: the gap that is an undrawn space, and the largest overlap.
_WORD_GAP = 0.3
_MAX_OVERLAP = 0.3
# Share of the height of the smaller letter that is level with the larger.
_LEVEL_SHARE = 0.3

_Mask = NDArray[np.bool_]


def raised_marks(characters: PdfCharacters) -> frozenset[int]:
    """Return the indexes of marks that are smaller and higher than the character before them."""
    nonblank = np.flatnonzero(characters.nonblank)
    _x0, y0, _x1, y1 = characters.boxes[nonblank].T
    higher = (y0[1:] > y0[:-1]) & (y1[1:] > y0[:-1] + (y1 - y0)[:-1] / 2)
    marks = _are_in(_MARKS, characters.codes[nonblank])
    raised: set[int] = set()
    for number in np.flatnonzero(higher & marks[1:] & ~marks[:-1]).tolist():
        before, *after = nonblank[number : number + 1 + _MAX_MARK_LENGTH].tolist()
        size = _SMALLER * characters.size(before)
        for place in after:
            if characters.size(place) >= size:
                break
            raised.add(place)
    return frozenset(raised)


def join_beside_raised(characters: PdfCharacters) -> None:
    """Remove line ends between small and large characters that are side by side.

    If they are apart and no space is drawn, the line end becomes a space.
    """
    nonblank = np.flatnonzero(characters.nonblank)
    ended = np.diff(np.cumsum(characters.line_ends)[nonblank]) > 0
    dropped = np.zeros(len(characters.codes), dtype=np.bool_)
    for number in np.flatnonzero(beside_raised(characters, nonblank, ended)).tolist():
        before, after = nonblank[number : number + 2].tolist()
        places = np.arange(before + 1, after)
        ends = places[characters.line_ends[places]]
        left, right = characters.boxes[[before, after]]
        are_apart = right[0] - left[2] > _WORD_GAP * min(left[3] - left[1], right[3] - right[1])
        if are_apart and not characters.drawn_spaces[places].any():
            characters.make_space(int(ends[0]))
            ends = ends[1:]
        dropped[ends] = True
    if dropped.any():
        characters.keep(~dropped)


def beside_raised(characters: PdfCharacters, nonblank: Numbers, candidates: _Mask) -> _Mask:
    """Return which candidate glyphs are beside the one before, one of them small and one large.

    `candidates` and the result concern the non-blank glyphs except the first. The small one may be
    raised, lowered, or on the baseline.
    """
    numbers = np.flatnonzero(candidates)
    _x0, y0, x1, y1 = characters.boxes[nonblank[numbers]].T
    next_x0, next_y0, _next_x1, next_y1 = characters.boxes[nonblank[numbers + 1]].T
    higher, lower = np.maximum(next_y1 - next_y0, y1 - y0), np.minimum(next_y1 - next_y0, y1 - y0)
    gap = next_x0 - x1
    common = np.minimum(next_y1, y1) - np.maximum(next_y0, y0)
    near = (
        (lower < _SMALLER * higher)
        & (gap > -_MAX_OVERLAP * lower)
        & (gap < _MAX_GAP * higher)
        & (common > _LEVEL_SHARE * lower)
    )
    found: _Mask = np.zeros(len(candidates), dtype=np.bool_)
    for number in numbers[near].tolist():
        # the font sizes must differ too, not only the heights of the glyphs
        small, large = sorted(map(characters.size, nonblank[number : number + 2].tolist()))
        found[number] = small < _SMALLER * large
    return found


_Places = NDArray[np.int64]
_Numbers = NDArray[np.float64]

# In letter heights: the largest distance of adjacent glyphs, the largest overlap of neighbours,
# the gap between words, and the gap between cells or columns.
_ABUTTING = 0.2
_MAX_RUN_OVERLAP = 0.3
_GAP_OF_WORDS = 0.25
_CELL_GAP = 0.75
# Share of the height of the lower of two glyphs that is level with the other if both are on one line.
_SAME_LINE_SHARE = 0.5
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
    level: NDArray[np.bool_] = common >= _SAME_LINE_SHARE * np.minimum(high - low, highs - lows)
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
    overlapping = any(after.x0 - before.x1 < -_MAX_RUN_OVERLAP * height for before, after in pairwise(part))
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
        elif spaces and x0[after] - x1[before] > _GAP_OF_WORDS * height:
            ordered.append(spaces[0])
        ordered.append(after)
    return np.array(ordered)

"""Glyphs on a page become lines of text, the same way for both PDF readers."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import NamedTuple

_CJK = re.compile(
    r"[\u2e80-\u303f\u3040-\u30ff\u3100-\u312f\u31a0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"
    r"\uff00-\uffef\U00020000-\U0003ffff]"
)
_SPACED_CJK = re.compile(rf"(?<={_CJK.pattern}) +(?={_CJK.pattern})")
_CJK_PAIR = re.compile(rf"{_CJK.pattern} *(?={_CJK.pattern})")
# Of the pairs of Chinese characters on a page, an author sets few apart; a layout sets many.
_LAYOUT_SHARE = 0.1
# No Western text has so many accented letters.
_MOJIBAKE_SHARE = 0.6
# Two drawings of a letter closer than this share of its size are one letter made bold.
_SAME_PLACE = 0.3
# Only letters within half a cell of this grid are compared, which is far enough for any bold.
_CELL_POINTS = 8.0
# A gap wider than this many letter sizes is a column or a tab, not a stretched line.
_WIDE_GAP = 1.0


class Glyph(NamedTuple):
    """A character and its box in points, y upwards; `generated` is a space the reader put in."""

    char: str
    x0: float
    y0: float
    x1: float
    y1: float
    generated: bool = False


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
    return _CJK.match(text) is not None


def line_of(
    page: int, glyphs: Sequence[Glyph], size: float, *, bold: bool, spaces_drawn: bool
) -> Line | None:
    """Put glyphs together; None where all are spaces.

    Where spaces are not drawn on a page, those that the reader generates are the words' own.
    """
    inked = [glyph for glyph in glyphs if not glyph.char.isspace()]
    if not inked:
        return None
    text = _text_of(glyphs, size, spaces_drawn=spaces_drawn)
    return Line(
        page,
        text.strip(),
        x0=min(glyph.x0 for glyph in inked),
        # Signs of another font reach lower or higher: the line is where most of it is.
        y0=median(glyph.y0 for glyph in inked),
        x1=max(glyph.x1 for glyph in inked),
        y1=median(glyph.y1 for glyph in inked),
        size=size,
        bold=bold,
        spaced=text.endswith(" "),
    )


def _text_of(glyphs: Sequence[Glyph], size: float, *, spaces_drawn: bool) -> str:
    """Justified Chinese is stretched, and the readers take each gap for a space: leave those out."""
    chars: list[str] = []
    for number, glyph in enumerate(glyphs):
        if glyph.generated and 0 < number < len(glyphs) - 1:
            before, after = glyphs[number - 1], glyphs[number + 1]
            stretched = after.x0 - before.x1 < _WIDE_GAP * size
            chinese = is_cjk(before.char) + is_cjk(after.char)
            if stretched and (chinese == 2 or (chinese == 1 and spaces_drawn)):
                continue
        chars.append(glyph.char)
    return "".join(chars)


def without_layout_spaces(texts: Iterable[str]) -> list[str]:
    """Take the spaces between Chinese characters away where the page sets many of them apart."""
    texts = list(texts)
    pairs = [pair for text in texts for pair in _CJK_PAIR.findall(text)]
    spaced = sum(pair.endswith(" ") for pair in pairs)
    if spaced <= _LAYOUT_SHARE * len(pairs):
        return texts
    return [_SPACED_CJK.sub("", text) for text in texts]


def without_mojibake(texts: Iterable[str]) -> list[str]:
    """Read Chinese again whose font calls itself Western, so that it came out as accented letters."""
    texts = list(texts)
    whole = "".join(texts).replace(" ", "")
    if sum("\xa1" <= char <= "\xff" for char in whole) <= _MOJIBAKE_SHARE * len(whole):
        return texts
    return [text.replace(" ", "").encode("latin-1", "replace").decode("gb18030", "replace") for text in texts]


def without_doubles(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Leave out letters drawn a second time at the same place, which makes them bold."""
    seen: dict[tuple[str, float, float], Glyph] = {}
    kept = []
    for glyph in glyphs:
        if not glyph.char.isspace():
            if any(_at_same_place(glyph, seen[cell]) for cell in _cells_around(glyph) if cell in seen):
                continue
            seen[glyph.char, glyph.x0 // _CELL_POINTS, glyph.y0 // _CELL_POINTS] = glyph
        kept.append(glyph)
    return kept


def _cells_around(glyph: Glyph) -> list[tuple[str, float, float]]:
    """Return the cells that reach within half a cell of a glyph: four, its own among them."""
    char, x, y, half = glyph.char, glyph.x0, glyph.y0, _CELL_POINTS / 2
    left, right = (x - half) // _CELL_POINTS, (x + half) // _CELL_POINTS
    below, above = (y - half) // _CELL_POINTS, (y + half) // _CELL_POINTS
    return [(char, left, below), (char, left, above), (char, right, below), (char, right, above)]


def _at_same_place(one: Glyph, other: Glyph) -> bool:
    width, height = one.x1 - one.x0, one.y1 - one.y0
    return (
        width > 0
        and abs(one.x0 - other.x0) < _SAME_PLACE * width
        and abs(one.y0 - other.y0) < _SAME_PLACE * height
    )

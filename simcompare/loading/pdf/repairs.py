"""What the fonts and the layout of a PDF put in place of the text its reader sees, put right again."""

import codecs
import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from simcompare.loading.pdf.lines import CJK, Line
from simcompare.radicals import EQUIVALENT_IDEOGRAPHS

_SPACED_CJK = re.compile(rf"(?<={CJK.pattern}) +(?={CJK.pattern})")
_CJK_PAIR = re.compile(rf"{CJK.pattern} *(?={CJK.pattern})")
# Of the pairs of Chinese characters on a page, an author sets few apart; a layout sets many.
_LAYOUT_SHARE = 0.1
_FEWEST_OF_LAYOUT = 4
# No Western text has so many accented letters.
_MOJIBAKE_SHARE = 0.6
_RADICAL = re.compile("[\u2e80-\u2fdf]")
# As many radicals in the order of their code points are a table of radicals, not words.
_TABLE_RADICALS = 5


def repaired(lines: Iterable[Line]) -> list[Line]:
    """Return the lines of a page as its reader sees them."""
    return without_layout_spaces(without_radicals(without_mojibake(lines)))


def without_layout_spaces(lines: Iterable[Line]) -> list[Line]:
    """Take the spaces between Chinese characters away where the page sets many of them apart."""
    lines = list(lines)
    pairs = [pair for line in lines for pair in _CJK_PAIR.findall(line.text)]
    spaced = sum(pair.endswith(" ") for pair in pairs)
    if spaced < _FEWEST_OF_LAYOUT or spaced <= _LAYOUT_SHARE * len(pairs):
        return lines
    return [_closed_up(line) for line in lines]


def _closed_up(line: Line) -> Line:
    spaces = {place for match in _SPACED_CJK.finditer(line.text) for place in range(*match.span())}
    return line.picked(place for place in range(len(line.text)) if place not in spaces)


def without_mojibake(lines: Iterable[Line]) -> list[Line]:
    """Read Chinese again whose font calls itself Western, so that it came out as accented letters."""
    lines = list(lines)
    whole = "".join(line.text for line in lines).replace(" ", "")
    if sum("\xa1" <= char <= "\xff" for char in whole) <= _MOJIBAKE_SHARE * len(whole):
        return lines
    return [_as_gb18030(line) for line in lines]


def _as_gb18030(line: Line) -> Line:
    """Read the letters as bytes; each character is where the first of its bytes is."""
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


def without_radicals(lines: Iterable[Line]) -> list[Line]:
    """Name the ideographs where a font names radicals, whose glyphs it shares; keep tables of radicals."""
    return [_with_ideographs(line) if _RADICAL.search(line.text) else line for line in lines]


def _with_ideographs(line: Line) -> Line:
    return (
        line if _lists_radicals(line.text) else replace(line, text=line.text.translate(EQUIVALENT_IDEOGRAPHS))
    )


def _lists_radicals(text: str) -> bool:
    radicals = _RADICAL.findall(text)
    return len(radicals) >= _TABLE_RADICALS and all(one < other for one, other in pairwise(radicals))

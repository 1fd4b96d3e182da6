"""What the fonts and the layout of a PDF put in place of the text its reader sees, put right again."""

import re
from collections.abc import Iterable
from itertools import pairwise

from simcompare.loading.pdf.lines import CJK
from simcompare.radicals import EQUIVALENT_IDEOGRAPHS

_SPACED_CJK = re.compile(rf"(?<={CJK.pattern}) +(?={CJK.pattern})")
_CJK_PAIR = re.compile(rf"{CJK.pattern} *(?={CJK.pattern})")
# Of the pairs of Chinese characters on a page, an author sets few apart; a layout sets many.
_LAYOUT_SHARE = 0.1
# No Western text has so many accented letters.
_MOJIBAKE_SHARE = 0.6
_RADICAL = re.compile("[\u2e80-\u2fdf]")
# As many radicals in the order of their code points are a table of radicals, not words.
_TABLE_RADICALS = 5


def repaired(texts: Iterable[str]) -> list[str]:
    """Return the lines of a page as its reader sees them."""
    return without_layout_spaces(without_radicals(without_mojibake(texts)))


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


def without_radicals(texts: Iterable[str]) -> list[str]:
    """Name the ideographs where a font names radicals, whose glyphs it shares; keep tables of radicals."""
    return [text if _lists_radicals(text) else text.translate(EQUIVALENT_IDEOGRAPHS) for text in texts]


def _lists_radicals(text: str) -> bool:
    radicals = _RADICAL.findall(text)
    return len(radicals) >= _TABLE_RADICALS and all(one < other for one, other in pairwise(radicals))

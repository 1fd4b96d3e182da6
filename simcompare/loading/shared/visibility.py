"""Visibility of characters: colours and inherited appearance; kinds of paragraphs by names of styles."""

import colorsys
import re
from collections.abc import Callable, Collection
from functools import lru_cache, reduce
from typing import NamedTuple, TypeVar

from simcompare.model.document import BlockKind, DropReason

Style = TypeVar("Style")

# Word stores the English names of built-in styles in every language; WPS, Pages and templates localised ones.
_HEADING = re.compile(
    r"(?:heading|标题|標題|見出し|제목|заголовок|titre|überschrift|título|titolo)\s?(?:[1-9]|10)?"
    r"|[1-9一二三四五][级級](?:标题|標題)|[章节節]标题|subtitle|副标题|副標題|toc heading"
)
_TITLE = frozenset({"title", "标题", "標題", "文档标题", "论文标题", "论文题目"})
_QUOTATION = frozenset(
    {
        *("quote", "intense quote", "block text", "block quote", "block quotation", "quotations"),
        *("引用", "明显引用", "鮮明引文", "引文"),
    }
)
_REFERENCES = frozenset({"bibliography", "endnote bibliography", "书目", "書目", "参考文献", "參考文獻"})
_MAX_ANCESTORS = 50
_CONTENTS = re.compile(r"(?:toc|contents|目录|目錄|wpsoffice手动目录)\s?(?:[1-9]|10)")


def style_chain(style: Style | None, base_of: Callable[[Style], Style | None]) -> list[Style]:
    """Return a style followed by its ancestors; a style may be its own ancestor."""
    chain: list[Style] = []
    while style is not None and style not in chain and len(chain) < _MAX_ANCESTORS:
        chain.append(style)
        style = base_of(style)
    return chain


def kind_by_names(names: Collection[str]) -> BlockKind | None:
    """Return the block kind for a style whose own and inherited names, in lower case, are `names`.

    A title takes precedence over a heading: title styles are based on heading styles.
    """
    if any(name in _TITLE for name in names):
        return BlockKind.TITLE
    if any(_HEADING.fullmatch(name) for name in names):
        return BlockKind.HEADING
    if any(name in _REFERENCES for name in names):
        return BlockKind.REFERENCE
    return BlockKind.QUOTATION if any(name in _QUOTATION for name in names) else None


def is_contents_style(name: str) -> bool:
    """Return whether a style name, in lower case, is for the lines of a table of contents."""
    return _CONTENTS.fullmatch(name) is not None


_HEX = re.compile(r"#(?:([0-9a-f]{3,4})|([0-9a-f]{6}(?:[0-9a-f]{2})?))(?![0-9a-z])")
_FUNCTION = re.compile(r"(?P<space>rgb|hsl)a?\((?P<values>[^()]*)\)")
_NUMBER = re.compile(r"([-+]?\d*\.?\d+)(%?)")
_WORD = re.compile(r"(?<![\w#-])[a-z]+(?![\w(-])")
# Usual text and background colours; another name is unknown, and unknown colours never hide text.
_NAMED = {
    "black": "#000000", "windowtext": "#000000", "white": "#ffffff", "window": "#ffffff", "snow": "#fffafa",
    "ivory": "#fffff0", "ghostwhite": "#f8f8ff", "whitesmoke": "#f5f5f5", "floralwhite": "#fffaf0",
    "azure": "#f0ffff", "mintcream": "#f5fffa", "aliceblue": "#f0f8ff", "seashell": "#fff5ee",
    "lightyellow": "#ffffe0", "gainsboro": "#dcdcdc", "lightgray": "#d3d3d3", "lightgrey": "#d3d3d3",
    "silver": "#c0c0c0", "darkgray": "#a9a9a9", "darkgrey": "#a9a9a9", "gray": "#808080", "grey": "#808080",
    "dimgray": "#696969", "red": "#ff0000", "darkred": "#8b0000", "maroon": "#800000", "orange": "#ffa500",
    "yellow": "#ffff00", "olive": "#808000", "lime": "#00ff00", "green": "#008000", "darkgreen": "#006400",
    "aqua": "#00ffff", "cyan": "#00ffff", "teal": "#008080", "blue": "#0000ff", "darkblue": "#00008b",
    "navy": "#000080", "midnightblue": "#191970", "fuchsia": "#ff00ff", "magenta": "#ff00ff",
    "purple": "#800080", "brown": "#a52a2a", "pink": "#ffc0cb", "gold": "#ffd700",
}  # fmt: skip
# Colours that differ by less than this in red, green and blue (of 255) are indistinguishable.
_MAX_DIFFERENCE = 20

Colour = tuple[int, int, int]
BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
LINK: Colour = (0, 0, 238)


def are_alike(left: Colour, right: Colour) -> bool:
    return all(abs(a - b) < _MAX_DIFFERENCE for a, b in zip(left, right, strict=True))


@lru_cache(maxsize=4096)
def colour_in(value: str) -> tuple[Colour, float] | None:
    """Return the first colour in a lower-case CSS value, and its opacity in [0, 1]."""
    if "transparent" in value:
        return BLACK, 0.0
    if match := _HEX.search(value):
        return _from_hex(match[1] or match[2])
    if match := _FUNCTION.search(value):
        return _from_numbers(match["values"], in_hues=match["space"] == "hsl")
    found = (_NAMED.get(word) for word in _WORD.findall(value))
    named = next((name for name in found if name), None)
    return _from_hex(named[1:]) if named else None


def _from_hex(digits: str) -> tuple[Colour, float]:
    if len(digits) < 6:
        digits = "".join(digit * 2 for digit in digits)
    red, green, blue, *alpha = bytes.fromhex(digits)
    return (red, green, blue), alpha[0] / 255 if alpha else 1.0


def _from_numbers(values: str, *, in_hues: bool) -> tuple[Colour, float] | None:
    parts = [(float(number), unit) for number, unit in _NUMBER.findall(values)]
    if len(parts) < 3:
        return None
    colour = _from_hue if in_hues else _from_rgb
    opacity, unit = parts[3] if len(parts) > 3 else (1.0, "")
    return colour(parts[:3]), opacity / 100 if unit else opacity


def _from_rgb(parts: list[tuple[float, str]]) -> Colour:
    red, green, blue = (round(number * 2.55 if unit else number) for number, unit in parts)
    return red, green, blue


def _from_hue(parts: list[tuple[float, str]]) -> Colour:
    """Return the colour of a hue in degrees, and saturation and lightness in percent."""
    hue, saturation, lightness = (number for number, _unit in parts)
    share = (min(max(number / 100, 0.0), 1.0) for number in (lightness, saturation))
    red, green, blue = (round(255 * part) for part in colorsys.hls_to_rgb(hue / 360 % 1, *share))
    return red, green, blue


# Two points: smaller letters look like a line.
_MIN_HALF_POINTS = 4
# So do letters squeezed to less than this share of their width.
_MIN_WIDTH_PERCENT = 10
# AUTOMATIC is chosen by the program for contrast, UNKNOWN cannot be determined.
AUTOMATIC = "automatic"
UNKNOWN = "unknown"
ColourOrUnknown = Colour | str


class TextAppearance(NamedTuple):
    """Appearance that run properties specify; None means unspecified.

    `background` is the shading or highlight of the characters themselves.
    """

    hidden: bool | None = None
    colour: ColourOrUnknown | None = None
    half_points: int | None = None
    width_percent: int | None = None
    outlined: bool | None = None
    background: ColourOrUnknown | None = None

    def over(self, lower: "TextAppearance") -> "TextAppearance":
        """Return the appearance with unspecified values taken from `lower`."""
        if self is UNSPECIFIED or lower is UNSPECIFIED:
            return lower if self is UNSPECIFIED else self
        return TextAppearance(
            lower.hidden if self.hidden is None else self.hidden,
            lower.colour if self.colour is None else self.colour,
            lower.half_points if self.half_points is None else self.half_points,
            lower.width_percent if self.width_percent is None else self.width_percent,
            lower.outlined if self.outlined is None else self.outlined,
            lower.background if self.background is None else self.background,
        )

    def hidden_reason(self, background: ColourOrUnknown) -> DropReason | None:
        """Return why characters of this appearance are hidden on `background`, None if they are visible."""
        if self.hidden:
            return DropReason.HIDDEN_TEXT
        if self.half_points is not None and self.half_points < _MIN_HALF_POINTS:
            return DropReason.TINY_TEXT
        if self.width_percent is not None and self.width_percent < _MIN_WIDTH_PERCENT:
            return DropReason.TINY_TEXT
        behind = self.background if self.background is not None else background
        if isinstance(self.colour, tuple) and isinstance(behind, tuple) and not self.outlined:
            return DropReason.WHITE_TEXT if are_alike(self.colour, behind) else None
        return None


UNSPECIFIED = TextAppearance()


def stacked(appearances: list[TextAppearance]) -> TextAppearance:
    """Return the combination of appearances, the one of highest precedence first."""
    return reduce(TextAppearance.over, appearances, UNSPECIFIED)

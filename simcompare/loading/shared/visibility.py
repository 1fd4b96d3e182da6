"""Whether characters can be seen: what properties say of their look, one above the other."""

import colorsys
import re
from dataclasses import dataclass
from functools import lru_cache, reduce

from simcompare.model.receipt import DropReason

_HEX = re.compile(r"#(?:([0-9a-f]{3,4})|([0-9a-f]{6}(?:[0-9a-f]{2})?))(?![0-9a-z])")
_FUNCTION = re.compile(r"(?P<space>rgb|hsl)a?\((?P<values>[^()]*)\)")
_NUMBER = re.compile(r"([-+]?\d*\.?\d+)(%?)")
_WORD = re.compile(r"(?<![\w#-])[a-z]+(?![\w(-])")
# The names that texts and papers are given; one that is not here is unknown, and unknown accuses nobody.
_NAMED = {
    "black": "#000000",
    "windowtext": "#000000",
    "white": "#ffffff",
    "window": "#ffffff",
    "snow": "#fffafa",
    "ivory": "#fffff0",
    "ghostwhite": "#f8f8ff",
    "whitesmoke": "#f5f5f5",
    "floralwhite": "#fffaf0",
    "azure": "#f0ffff",
    "mintcream": "#f5fffa",
    "aliceblue": "#f0f8ff",
    "seashell": "#fff5ee",
    "lightyellow": "#ffffe0",
    "gainsboro": "#dcdcdc",
    "lightgray": "#d3d3d3",
    "lightgrey": "#d3d3d3",
    "silver": "#c0c0c0",
    "darkgray": "#a9a9a9",
    "darkgrey": "#a9a9a9",
    "gray": "#808080",
    "grey": "#808080",
    "dimgray": "#696969",
    "red": "#ff0000",
    "darkred": "#8b0000",
    "maroon": "#800000",
    "orange": "#ffa500",
    "yellow": "#ffff00",
    "olive": "#808000",
    "lime": "#00ff00",
    "green": "#008000",
    "darkgreen": "#006400",
    "aqua": "#00ffff",
    "cyan": "#00ffff",
    "teal": "#008080",
    "blue": "#0000ff",
    "darkblue": "#00008b",
    "navy": "#000080",
    "midnightblue": "#191970",
    "fuchsia": "#ff00ff",
    "magenta": "#ff00ff",
    "purple": "#800080",
    "brown": "#a52a2a",
    "pink": "#ffc0cb",
    "gold": "#ffd700",
}
# The eye does not part two colours that differ by less in red, in green and in blue, of 255.
_ALIKE = 20

Colour = tuple[int, int, int]
BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
LINK: Colour = (0, 0, 238)


def are_alike(one: Colour, other: Colour) -> bool:
    """Return whether text of one colour cannot be seen on the other."""
    return all(abs(a - b) < _ALIKE for a, b in zip(one, other, strict=True))


@lru_cache(maxsize=4096)
def colour_in(value: str) -> tuple[Colour, float] | None:
    """Return the first colour that a value in small letters names, and how opaque it is, from 0 to 1."""
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
    """Return the colour of a hue in degrees, a saturation and a lightness in percent."""
    hue, saturation, lightness = (number for number, _unit in parts)
    share = (min(max(number / 100, 0.0), 1.0) for number in (lightness, saturation))
    red, green, blue = (round(255 * part) for part in colorsys.hls_to_rgb(hue / 360 % 1, *share))
    return red, green, blue


# Two points: letters of less are a line.
_LEAST_HALF_POINTS = 4
# Letters squeezed to less of their width are a line too.
_LEAST_WIDTH_PERCENT = 10
# The colour that a program chooses by the ground, so that it can be seen; and a ground that cannot be known.
AUTOMATIC = "automatic"
UNKNOWN = "unknown"
Hue = Colour | str


@dataclass(frozen=True, slots=True)
class Ink:
    """What run properties say of the look; None is what they are silent about.

    `ground` is the shading or the highlight behind the characters themselves.
    """

    hidden: bool | None = None
    colour: Hue | None = None
    half_points: int | None = None
    width_percent: int | None = None
    outlined: bool | None = None
    ground: Hue | None = None

    def over(self, lower: "Ink") -> "Ink":
        """Return what holds where these properties stand above those of `lower`."""
        if self is SILENT or lower is SILENT:
            return lower if self is SILENT else self
        return Ink(
            lower.hidden if self.hidden is None else self.hidden,
            lower.colour if self.colour is None else self.colour,
            lower.half_points if self.half_points is None else self.half_points,
            lower.width_percent if self.width_percent is None else self.width_percent,
            lower.outlined if self.outlined is None else self.outlined,
            lower.ground if self.ground is None else self.ground,
        )

    def unseen(self, ground: Hue) -> DropReason | None:
        """Return why nobody sees characters of this look on such a ground, None where they are seen."""
        if self.hidden:
            return DropReason.HIDDEN_TEXT
        if self.half_points is not None and self.half_points < _LEAST_HALF_POINTS:
            return DropReason.TINY_TEXT
        if self.width_percent is not None and self.width_percent < _LEAST_WIDTH_PERCENT:
            return DropReason.TINY_TEXT
        behind = self.ground if self.ground is not None else ground
        if isinstance(self.colour, tuple) and isinstance(behind, tuple) and not self.outlined:
            return DropReason.WHITE_TEXT if are_alike(self.colour, behind) else None
        return None


SILENT = Ink()


def stacked(inks: list[Ink]) -> Ink:
    """Return what holds of properties that stand above each other, the uppermost first."""
    return reduce(Ink.over, inks, SILENT)

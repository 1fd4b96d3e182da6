"""Outlines and shadows that make text visible even if it has the colour of the background."""

import re

from simcompare.loading.formats.web.css_cascade import Declarations
from simcompare.loading.shared.visibility import Colour, colour_in

Edges = tuple[Colour | None, ...]
"""Colours of outlines and shadows of letters; None is an unknown colour."""

_UNKNOWN: Edges = (None,)
_PARTS = re.compile(r",(?![^()]{0,99}\))")
_COLOURS = re.compile(r"#[0-9a-f]+|(?<![a-z])[a-z]++\([^()]*\)")
_LENGTH = re.compile(r"(?<![\w.])([-+]?(?:\d++\.?\d*+|\.\d++))(px|pt|em|rem|ex|mm|cm|in)?(?![\w%])")
_PIXELS = {"em": 16.0, "rem": 16.0, "ex": 8.0, "pt": 4 / 3, "mm": 3.8, "cm": 37.8, "in": 96.0}
_NAMED_WIDTHS = {"thin": 1.0, "medium": 3.0, "thick": 5.0}
_LEAST_OPACITY = 0.2
_LEAST_PX = 0.4
# A shadow with a larger offset is not next to its letter.
_MOST_PX = 50.0
_NOTHING = frozenset({"none", "initial", "unset", "revert", ""})
_EFFECTS_OF_WORD = frozenset({"outline", "emboss", "engrave"})


def shadows_of(declared: Declarations, inherited: Edges) -> Edges:
    """Return the colours of the shadows that are visible beside their letters."""
    value = declared.get("text-shadow")
    if value is None or value == "inherit":
        return inherited
    if value in _NOTHING:
        return ()
    found = (_shadow(part) for part in _PARTS.split(value))
    return tuple(colour for colours in found for colour in colours)


def _shadow(value: str) -> Edges:
    lengths = _lengths(value)
    if len(lengths) < 2:
        # Word's "auto", a variable, or an unknown notation
        return _UNKNOWN
    blur = lengths[2] if len(lengths) > 2 else 0.0
    offset = max(map(abs, lengths[:2]))
    seen = offset <= _MOST_PX and (offset >= _LEAST_PX or blur >= _LEAST_PX)
    return _colours(value) if seen else ()


def outlines_of(declared: Declarations, inherited: Edges) -> Edges:
    """Return the colour of the outline of the letters; empty if they have none."""
    if declared.get("text-effect") in _EFFECTS_OF_WORD:
        return _UNKNOWN
    stroke = declared.get("-webkit-text-stroke", "")
    width = declared.get("-webkit-text-stroke-width", stroke)
    colour = declared.get("-webkit-text-stroke-color", stroke)
    if not width or "inherit" in {width, colour}:
        return inherited
    return _colours(colour) if max([0.0, *_lengths(width)]) >= _LEAST_PX else ()


def _lengths(value: str) -> list[float]:
    """Return the lengths in pixels, without the numbers in colour functions."""
    plain = _COLOURS.sub(" ", value)
    named = [width for name, width in _NAMED_WIDTHS.items() if re.search(rf"\b{name}\b", plain)]
    return named + [float(number) * _PIXELS.get(unit, 1.0) for number, unit in _LENGTH.findall(plain)]


def _colours(value: str) -> Edges:
    """Return the named colour; empty if it is the letter's own, (None,) if it is unknown."""
    found = colour_in(value)
    if found is not None:
        return (found[0],) if found[1] >= _LEAST_OPACITY else ()
    words = re.findall(r"[a-z-]{3,}", _LENGTH.sub(" ", value))
    return () if set(words) <= {"currentcolor", *_NAMED_WIDTHS} else _UNKNOWN

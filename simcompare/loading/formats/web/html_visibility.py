"""Visibility of the text of an element, from its own and its inherited style."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from lxml import etree

from simcompare.loading.formats.web.css_cascade import Declarations
from simcompare.loading.shared.visibility import BLACK, LINK, WHITE, Colour, are_alike, colour_in
from simcompare.model.document import DropReason

Edges = tuple[Colour | None, ...]
"""Colours of outlines and shadows of letters; None is an unknown colour."""

_UNKNOWN: Edges = (None,)
_PARTS = re.compile(r",(?![^()]{0,99}\))")
_COLOURS = re.compile(r"#[0-9a-f]+|(?<![a-z])[a-z]++\([^()]*\)")
_OUTLINE_LENGTH = re.compile(r"(?<![\w.])([-+]?(?:\d++\.?\d*+|\.\d++))(px|pt|em|rem|ex|mm|cm|in)?(?![\w%])")
_OUTLINE_PIXELS = {"em": 16.0, "rem": 16.0, "ex": 8.0, "pt": 4 / 3, "mm": 3.8, "cm": 37.8, "in": 96.0}
_NAMED_WIDTHS = {"thin": 1.0, "medium": 3.0, "thick": 5.0}
_LEAST_OUTLINE_OPACITY = 0.2
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
    return named + [
        float(number) * _OUTLINE_PIXELS.get(unit, 1.0) for number, unit in _OUTLINE_LENGTH.findall(plain)
    ]


def _colours(value: str) -> Edges:
    """Return the named colour; empty if it is the letter's own, (None,) if it is unknown."""
    found = colour_in(value)
    if found is not None:
        return (found[0],) if found[1] >= _LEAST_OUTLINE_OPACITY else ()
    words = re.findall(r"[a-z-]{3,}", _OUTLINE_LENGTH.sub(" ", value))
    return () if set(words) <= {"currentcolor", *_NAMED_WIDTHS} else _UNKNOWN


_LENGTH = re.compile(r"([-+]?(?:\d++\.?\d*+|\.\d++))\s*+(px|pt|pc|em|rem|ex|ch|in|cm|mm|vw|vh|%)?")
_PIXELS = {"px": 1.0, "pt": 4 / 3, "pc": 16.0, "rem": 16.0, "in": 96.0, "cm": 37.8, "mm": 3.78}
_FONT_SIZE = re.compile(r"(?:^|\s)([-+]?(?:\d++\.?\d*+|\.\d++)\s*+(?:px|pt|pc|em|rem|%|in|cm|mm))")
_NAMED_SIZES = {"xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0}
_DEFAULT_FONT_PX = 16.0
# Two points: smaller letters look like a line.
_LEAST_FONT_PX = 2 * 4 / 3
_LEAST_OPACITY = 0.05
# Ordinary letters that are scaled down further look like lines.
_LEAST_SCALE = 0.1
_MOST_BESIDE_PX = -500.0
_SLIVER_PX = 1.0
_TAKEN_FROM_FLOW = frozenset({"absolute", "fixed"})
_MOVED = _TAKEN_FROM_FLOW | {"relative", "sticky"}
_CLIPPING = frozenset({"hidden", "clip"})
_EMPTY_CLIP = re.compile(
    r"rect\(\s*([01](?:px)?[\s,]+){3}[01](?:px)?\s*\)|inset\(\s*(?:50|100)%|circle\(\s*0"
)
_SCALE = re.compile(r"scale[xy]?\(\s*([\d.]+%?)")
_FILTERED = re.compile(r"opacity\(\s*([\d.]+%?)")
_MOVED_AWAY = re.compile(r"translate\w*\([^)]*-\d{4,}px")
_LOOK_ATTRIBUTES = frozenset({"color", "text", "bgcolor", "background", "face"})
_SYMBOL_FONT = re.compile(r"wingdings|webdings")
_PICTURE = re.compile(r"url\(|gradient\(|image\(")


@dataclass(frozen=True, slots=True)
class HtmlLook:
    """Appearance of the text directly inside an element; None means unknown without other files."""

    visible: bool = True
    font_px: float | None = _DEFAULT_FONT_PX
    colour: Colour | None = BLACK
    paper: Colour | None = WHITE
    in_symbol_font: bool = False
    shadows: Edges = ()
    outlines: Edges = ()

    def hidden_reason(self) -> DropReason | None:
        if not self.visible:
            return DropReason.HIDDEN_TEXT
        if self.in_symbol_font:
            return DropReason.SYMBOL_FONT
        if self.font_px is not None and self.font_px < _LEAST_FONT_PX:
            return DropReason.TINY_TEXT
        return None if self._is_visible() else DropReason.WHITE_TEXT

    def _is_visible(self) -> bool:
        """Return whether the letters or their outlines differ from the background; unknown colours differ."""
        paper = self.paper
        drawn = (self.colour, *self.shadows, *self.outlines)
        return paper is None or any(colour is None or not are_alike(colour, paper) for colour in drawn)

    def inside(self, element: etree._Element, declared: Declarations, *, may_be_styled: bool) -> "HtmlLook":
        """Return the appearance of the text inside `element`, a child of an element with this appearance.

        With `may_be_styled`, an unavailable style sheet may apply to the element.
        """
        look = replace(self, font_px=None, colour=None, paper=None) if may_be_styled else self
        if not declared and element.tag != "a" and _LOOK_ATTRIBUTES.isdisjoint(element.keys()):
            return look
        visibility = declared.get("visibility")
        return HtmlLook(
            visible=self.visible if visibility in {None, "inherit"} else visibility == "visible",
            font_px=_font_px(declared, self.font_px, look.font_px),
            colour=_colour(element, declared, look),
            paper=_paper(element, declared, look.paper),
            in_symbol_font=_is_symbol_font(element, declared, self.in_symbol_font),
            shadows=shadows_of(declared, self.shadows),
            outlines=outlines_of(declared, self.outlines),
        )


def reason_to_hide(element: etree._Element, declared: Declarations) -> DropReason | None:
    """Return why an element and its content are invisible, or None if they are shown."""
    if element.get("hidden") is not None or (element.tag == "dialog" and element.get("open") is None):
        return DropReason.HIDDEN_TEXT
    if not declared:
        return None
    if declared.get("display") == "none" or declared.get("mso-hide") == "all" or _has_no_extent(declared):
        return DropReason.HIDDEN_TEXT
    return DropReason.OUTSIDE_PAGE if _is_beside_the_page(declared) else None


def _has_no_extent(declared: Declarations) -> bool:
    opacities = [declared.get("opacity", ""), *_FILTERED.findall(declared.get("filter", ""))]
    scales = _SCALE.findall(declared.get("transform", ""))
    if _is_any_below(_LEAST_OPACITY, opacities) or _is_any_below(_LEAST_SCALE, scales):
        return True
    if _EMPTY_CLIP.match(declared.get("clip-path", "")):
        return True
    if declared.get("position") in _TAKEN_FROM_FLOW and _EMPTY_CLIP.match(declared.get("clip", "")):
        return True
    if declared.get("overflow") not in _CLIPPING:
        return False
    extents = (_pixels(declared.get(name, "")) for name in ("width", "height", "max-width", "max-height"))
    return any(extent is not None and extent <= _SLIVER_PX for extent in extents)


def _is_any_below(least: float, shares: Iterable[str]) -> bool:
    """Return whether any of the numbers or percentages, as fractions of 1, is below `least`."""
    found = (_pixels(share, 1.0) for share in shares)
    return any(share is not None and share < least for share in found)


def _is_beside_the_page(declared: Declarations) -> bool:
    moved = ["text-indent", "margin-left", "margin-top"]
    if declared.get("position") in _MOVED:
        moved += ["left", "top", "right", "bottom"]
    distances = (_pixels(declared.get(name, "")) for name in moved)
    return any(distance is not None and distance <= _MOST_BESIDE_PX for distance in distances) or bool(
        _MOVED_AWAY.search(declared.get("transform", ""))
    )


def _pixels(length: str, around_px: float = _DEFAULT_FONT_PX) -> float | None:
    """Return a length in pixels, or None if it is no length.

    Relative units are multiples of `around_px`; a number without a unit is in pixels.
    """
    match = _LENGTH.match(length)
    if match is None:
        return None
    number, unit = float(match[1]), match[2]
    if unit is None:
        return number
    return number * (_PIXELS[unit] if unit in _PIXELS else around_px / (100 if unit == "%" else 1))


def _font_px(declared: Declarations, around_px: float | None, inherited: float | None) -> float | None:
    size = declared.get("font-size") or ""
    if not size and "font" in declared:
        match = _FONT_SIZE.search(declared["font"])
        size = match[1] if match else ""
    if size in _NAMED_SIZES:
        return _NAMED_SIZES[size]
    pixels = _pixels(size, around_px or _DEFAULT_FONT_PX)
    return inherited if pixels is None else pixels


def _colour(element: etree._Element, declared: Declarations, look: HtmlLook) -> Colour | None:
    value = declared.get("color") or _attribute(element, "text" if element.tag == "body" else "color")
    if not value or value in {"inherit", "currentcolor"}:
        return LINK if element.tag == "a" and element.get("href") and not value else look.colour
    found = colour_in(value)
    if found is None:
        return None
    colour, opacity = found
    return colour if opacity >= _LEAST_OPACITY else look.paper


def _paper(element: etree._Element, declared: Declarations, inherited: Colour | None) -> Colour | None:
    values = [declared[name] for name in ("background", "background-color") if name in declared]
    if any(_PICTURE.search(value) for value in [*values, declared.get("background-image", "")]):
        return None
    if element.get("background"):
        return None
    value = values[-1] if values else _attribute(element, "bgcolor")
    if not value or value in {"inherit", "none", "initial", "unset"}:
        return inherited
    found = colour_in(value)
    if found is None:
        return None
    colour, opacity = found
    if opacity < _LEAST_OPACITY:
        return inherited
    return colour if opacity > 1 - _LEAST_OPACITY else None


def _is_symbol_font(element: etree._Element, declared: Declarations, inherited: bool) -> bool:
    font = declared.get("font-family") or declared.get("font") or (element.get("face") or "").lower()
    return bool(_SYMBOL_FONT.search(font)) if font else inherited


def _attribute(element: etree._Element, name: str) -> str:
    """Return the colour in an attribute, where the "#" before hexadecimal digits may be missing."""
    value = (element.get(name) or "").strip().lower()
    return f"#{value}" if re.fullmatch(r"[0-9a-f]{6}", value) else value

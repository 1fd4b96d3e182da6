"""Whether the characters of a run can be seen: what its properties and its styles say of their look."""

from dataclasses import dataclass
from functools import reduce

from lxml import etree

from simcompare.loading.docx.elements import Properties, attribute, child, is_on, local_name, number_of
from simcompare.loading.web.colours import WHITE, Colour, are_alike, colour_in
from simcompare.receipt import DropReason

# Two points: letters of less are a line.
_LEAST_HALF_POINTS = 4
# Letters squeezed to less of their width are a line too.
_LEAST_WIDTH_PERCENT = 10
_LEAST_OPACITY = 0.05
_HIGHLIGHTS = {"darkYellow": "olive", "darkCyan": "teal", "darkMagenta": "purple"}
_WHITE_THEME = frozenset({"bg1", "lt1", "background1", "light1"})
_THEME_CHANGES = ("themeTint", "themeShade", "themeFillTint", "themeFillShade")
_OUTLINES = frozenset({"outline", "emboss", "imprint", "shadow"})
_SPEAKING = frozenset(
    {"vanish", "color", "sz", "w", "shd", "highlight", "textFill", "textOutline", *_OUTLINES}
)
# The colour that Word chooses by the ground, so that it can be seen; and a ground that cannot be known.
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


def ink_of(properties: Properties) -> Ink:
    """Return what run properties say themselves."""
    if _SPEAKING.isdisjoint(properties):
        return SILENT
    outlines = [is_on(properties, name) for name in _OUTLINES & properties.keys()]
    if "textOutline" in properties:
        outlines.append(child(properties["textOutline"], "noFill") is None)
    return Ink(
        hidden=is_on(properties, "vanish"),
        colour=_effect_colour(properties.get("textFill")) or _colour(properties.get("color")),
        half_points=_number(properties.get("sz")),
        width_percent=_number(properties.get("w")),
        outlined=any(outlines) if outlines else None,
        ground=_highlight(properties.get("highlight")) or shading(properties),
    )


def shading(properties: Properties) -> Hue | None:
    """Return the ground that the properties of a run, a paragraph, a cell or a table give; None for none."""
    shade = properties.get("shd")
    if shade is None:
        return None
    fill, pattern = _hex(attribute(shade, "fill")), attribute(shade, "val") or "clear"
    if pattern in {"clear", "nil"}:
        return UNKNOWN if fill is None and attribute(shade, "themeFill") else fill
    front = _hex(attribute(shade, "color")) or (0, 0, 0)
    if pattern == "solid":
        return front
    share = number_of(pattern.removeprefix("pct"), -1) / 100 if pattern.startswith("pct") else -1.0
    return _mixed(front, fill or WHITE, share) if 0 <= share <= 1 else UNKNOWN


def _mixed(front: Colour, back: Colour, share: float) -> Colour:
    red, green, blue = (round(f * share + b * (1 - share)) for f, b in zip(front, back, strict=True))
    return red, green, blue


def _number(element: etree._Element | None) -> int | None:
    value = attribute(element, "val")
    return None if value is None else number_of(value.removesuffix("%"), 100)


def _hex(value: str | None) -> Colour | None:
    """Return a colour of six digits; "auto" is none."""
    found = colour_in(f"#{value.lower()}") if value and value != "auto" else None
    return found[0] if found else None


def _colour(element: etree._Element | None) -> Hue | None:
    """Return a text colour. Word writes the one that a theme gives beside the theme's name for it."""
    if element is None:
        return None
    colour = _hex(attribute(element, "val"))
    if colour is None and attribute(element, "themeColor") in _WHITE_THEME:
        changed = any(attribute(element, change) for change in _THEME_CHANGES)
        return UNKNOWN if changed else WHITE
    return colour or AUTOMATIC


def _highlight(element: etree._Element | None) -> Hue | None:
    name = attribute(element, "val")
    if name is None or name == "none":
        return None
    found = colour_in(_HIGHLIGHTS.get(name, name).lower())
    return found[0] if found else UNKNOWN


def _effect_colour(fill: etree._Element | None) -> Hue | None:
    """Return the colour that a text effect fills the letters with; none at all is that of the paper."""
    if fill is None:
        return None
    if child(fill, "noFill") is not None:
        return WHITE
    return solid_colour(child(fill, "solidFill"))


def solid_colour(fill: etree._Element | None) -> Hue | None:
    """Return the colour of a DrawingML fill, UNKNOWN where only the theme knows it; see-through is white."""
    colour = next(iter(fill), None) if fill is not None else None
    if colour is None:
        return None
    if (alpha := child(colour, "alpha")) is not None and _is_transparent(alpha):
        return WHITE
    if len(colour) > (alpha is not None):
        return UNKNOWN
    value = attribute(colour, "lastClr") or attribute(colour, "val") or ""
    if local_name(colour) in {"srgbClr", "sysClr"}:
        return _hex(value) or UNKNOWN
    is_white = value in _WHITE_THEME if local_name(colour) == "schemeClr" else value == "white"
    return WHITE if is_white else UNKNOWN


def _is_transparent(alpha: etree._Element) -> bool:
    """Tell by the share that is seen; the effects of Word 2010 give the share that is not."""
    share = number_of(attribute(alpha, "val"), 100_000) / 100_000
    opacity = 1 - share if "office/word" in str(alpha.tag) else share
    return opacity < _LEAST_OPACITY

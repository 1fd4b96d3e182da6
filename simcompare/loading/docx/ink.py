"""What the properties of a run in a Word document say of its look."""

from lxml import etree

from simcompare.loading.common.colours import WHITE, Colour, colour_in
from simcompare.loading.common.elements import Properties, attribute, child, is_on, local_name, number_of
from simcompare.loading.common.ink import AUTOMATIC, SILENT, UNKNOWN, Hue, Ink

_LEAST_OPACITY = 0.05
_HIGHLIGHTS = {"darkYellow": "olive", "darkCyan": "teal", "darkMagenta": "purple"}
_WHITE_THEME = frozenset({"bg1", "lt1", "background1", "light1"})
_THEME_CHANGES = ("themeTint", "themeShade", "themeFillTint", "themeFillShade")
_OUTLINES = frozenset({"outline", "emboss", "imprint", "shadow"})
_SPEAKING = frozenset(
    {"vanish", "color", "sz", "w", "shd", "highlight", "textFill", "textOutline", *_OUTLINES}
)


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

"""Styles of an OpenDocument text: kind, format and appearance of paragraphs and characters."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from lxml import etree

from simcompare.loading.shared.style_names import is_contents_style, kind_by_names, style_chain
from simcompare.loading.shared.visibility import (
    AUTOMATIC,
    UNKNOWN,
    UNSPECIFIED,
    WHITE,
    ColourOrUnknown,
    TextAppearance,
    colour_in,
)
from simcompare.loading.shared.xml_elements import attribute, child, local_name, number_of
from simcompare.model.document import BlockKind

_HEADING_OF_CONTENTS = frozenset({"contents heading", "toc heading"})
_ENCODED = re.compile(r"_([0-9a-f]{2,4})_")
_LENGTH = re.compile(r"(-?(?:\d++\.?\d*+|\.\d++))\s*+(pt|cm|mm|in|inch|px|pc|%)?")
_POINTS = {"pt": 1.0, "cm": 28.35, "mm": 2.835, "in": 72.0, "inch": 72.0, "px": 0.75, "pc": 12.0}
_DEFAULT_POINTS = 12.0
_MIN_OPACITY_PERCENT = 5
_BACKGROUND_PROPERTIES = (
    "paragraph-properties",
    "table-cell-properties",
    "table-row-properties",
    "table-properties",
)
_BODY_STYLES = ("Standard", "Normal", "Text_20_body")


def points_of(length: str | None, whole: float = _DEFAULT_POINTS) -> float | None:
    """Return a length in points; a percentage is relative to `whole`."""
    match = _LENGTH.fullmatch((length or "").strip())
    if match is None:
        return None
    number = float(match[1])
    return number * whole / 100 if match[2] == "%" else number * _POINTS[match[2] or "pt"]


@dataclass(frozen=True, slots=True)
class OdtParagraphStyle:
    """A paragraph style with inherited values; `kind` and `background` are None if unspecified."""

    kind: BlockKind | None
    contents: bool
    appearance: TextAppearance
    bold: bool
    centred: bool
    background: ColourOrUnknown | None
    list_style: str


class OdtStyles:
    """Styles of a document, with inheritance."""

    def __init__(self, roots: list[etree._Element]) -> None:
        """Collect the styles below `roots`; the first of equal names takes precedence."""
        self._named: dict[tuple[str, str], etree._Element] = {}
        self._defaults: dict[str, etree._Element] = {}
        for style in (style for root in roots for style in root.iter("{*}style", "{*}default-style")):
            family = attribute(style, "family") or ""
            if local_name(style) == "style":
                self._named.setdefault((family, attribute(style, "name") or ""), style)
            else:
                self._defaults.setdefault(family, style)
        self.page_background = _page_background(roots)
        self.paragraph = lru_cache(maxsize=None)(self._paragraph)
        self.background = lru_cache(maxsize=None)(self._background)
        self.nested_appearance = lru_cache(maxsize=10_000)(self._nested_appearance)

    def body_half_points(self) -> float:
        name = next((name for name in _BODY_STYLES if ("paragraph", name) in self._named), "")
        return self.paragraph(name).appearance.half_points or 2 * _DEFAULT_POINTS

    def _paragraph(self, name: str) -> OdtParagraphStyle:
        chain = self._chain("paragraph", name)
        names = [readable for style in chain for readable in _names(style)]
        # in OpenOffice 1 text and paragraph properties are one element
        common = [child(style, "properties") for style in chain]
        attributes = [child(style, "text-properties") for style in chain] + common
        weights = (attribute(part, "font-weight") for part in attributes)
        laid_out = [child(style, "paragraph-properties") for style in chain] + common
        alignments = (attribute(part, "text-align") for part in laid_out)
        lists = (attribute(style, "list-style-name") for style in chain)
        return OdtParagraphStyle(
            kind=kind_by_names(names),
            contents=any(is_contents_style(name) or name in _HEADING_OF_CONTENTS for name in names),
            appearance=self.nested_appearance(UNSPECIFIED, "paragraph", name),
            bold=next((weight in {"bold", "700", "800", "900"} for weight in weights if weight), False),
            centred=next((alignment for alignment in alignments if alignment), "") == "center",
            background=self.background("paragraph", name),
            list_style=next((name for name in lists if name), ""),
        )

    def _nested_appearance(self, context: TextAppearance, family: str, name: str) -> TextAppearance:
        """Return the appearance of text with a style within text of the appearance `context`."""
        appearance = context
        default = [self._defaults[family]] if family == "paragraph" and family in self._defaults else []
        for style in (*default, *reversed(self._chain(family, name))):
            for part in style:
                if local_name(part) in {"text-properties", "properties"}:
                    appearance = _appearance_of(part, appearance).over(appearance)
        return appearance

    def _background(self, family: str, name: str) -> ColourOrUnknown | None:
        """Return the background of a paragraph, cell, table or frame style, or None."""
        for style in self._chain(family, name):
            for part in style:
                found = _background_of(part)
                if found is not None:
                    return found if found != "" else None
        return None

    def _chain(self, family: str, name: str) -> list[etree._Element]:
        """Return a style followed by its ancestors; a style may be its own ancestor."""
        return style_chain(
            self._named.get((family, name)),
            lambda style: self._named.get((family, attribute(style, "parent-style-name") or "")),
        )


def _names(style: etree._Element) -> Iterator[str]:
    for name in (attribute(style, "display-name"), attribute(style, "name")):
        if name:
            yield _ENCODED.sub(lambda match: chr(int(match[1], 16)), name).strip().lower()


def _appearance_of(part: etree._Element, context: TextAppearance) -> TextAppearance:
    """Return the appearance that text properties specify; sizes may be relative to `context`."""
    attributes = {str(key).rpartition("}")[2]: str(value) for key, value in part.attrib.items()}
    display = attributes.get("display")
    outlines = [
        attributes[name] for name in ("text-outline", "text-shadow", "font-relief") if name in attributes
    ]
    background = attributes.get("text-background-color")
    if not background and local_name(part) == "text-properties":
        # in OpenOffice 1 it is that of the paragraph
        background = attributes.get("background-color")
    return TextAppearance(
        hidden=True if _is_transparent(attributes) else None if display is None else display == "none",
        colour=_colour(attributes),
        half_points=_half_points(attributes, context),
        width_percent=number_of(attributes["text-scale"].rstrip("%"), 100)
        if "text-scale" in attributes
        else None,
        outlined=any(value not in {"false", "none"} for value in outlines) if outlines else None,
        background=_colour_value(background),
    )


def _is_transparent(attributes: dict[str, str]) -> bool:
    """Return whether text is transparent; the automatic colour is always written as transparent."""
    opacity = number_of(attributes.get("opacity", "100%").rstrip("%"), 100)
    return opacity < _MIN_OPACITY_PERCENT and attributes.get("use-window-font-color") != "true"


def _half_points(attributes: dict[str, str], context: TextAppearance) -> int | None:
    """Return the font size, also of superscripts and subscripts, which are smaller."""
    before = (context.half_points or 2 * _DEFAULT_POINTS) / 2
    points = points_of(attributes.get("font-size"), before) if "font-size" in attributes else None
    raised = attributes.get("text-position", "").split()
    if len(raised) == 2 and (smaller := points_of(raised[1], points or before)) is not None:
        points = smaller
    return None if points is None else round(2 * points)


def _colour(attributes: dict[str, str]) -> ColourOrUnknown | None:
    if attributes.get("use-window-font-color") == "true":
        return AUTOMATIC
    return _colour_value(attributes.get("color"))


def _colour_value(value: str | None) -> ColourOrUnknown | None:
    if not value or value == "transparent":
        return None
    found = colour_in(value.lower())
    return found[0] if found else UNKNOWN


def _background_of(part: etree._Element) -> ColourOrUnknown | None:
    """Return the background in properties, None if unspecified, "" if it is removed."""
    name = local_name(part)
    if name == "graphic-properties":
        return _fill(part)
    if name not in {*_BACKGROUND_PROPERTIES, "properties", "page-layout-properties"}:
        return None
    if attribute(child(part, "background-image"), "href"):
        return UNKNOWN
    value = attribute(part, "background-color")
    return "" if value == "transparent" else _colour_value(value)


def _fill(part: etree._Element) -> ColourOrUnknown | None:
    fill = attribute(part, "fill")
    if fill == "solid":
        return _colour_value(attribute(part, "fill-color"))
    if fill in {"bitmap", "gradient", "hatch"}:
        return UNKNOWN
    value = attribute(part, "background-color")
    return "" if fill == "none" or value == "transparent" else _colour_value(value)


def _page_background(roots: list[etree._Element]) -> ColourOrUnknown:
    """Return the background of all pages, UNKNOWN if they differ."""
    layouts = (layout for root in roots for layout in root.iter("{*}page-layout-properties"))
    backgrounds = {_fill(layout) or _background_of(layout) or WHITE for layout in layouts}
    return backgrounds.pop() if len(backgrounds) == 1 else UNKNOWN if backgrounds else WHITE

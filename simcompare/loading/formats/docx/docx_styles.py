"""Styles of paragraphs and runs, with inheritance and their appearance; numbers of lists and headings.

Word displays the numbers but does not store them in the text. A PDF of the same essay has them as text, so
without them the two would differ.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from itertools import islice

from lxml import etree

from simcompare.loading.extraction import OpeningLine
from simcompare.loading.shared.list_numbers import FORMS_BY_CODE, LEVELS, CountedList, ListLevel, label_parts
from simcompare.loading.shared.visibility import (
    AUTOMATIC,
    UNKNOWN,
    UNSPECIFIED,
    WHITE,
    Colour,
    ColourOrUnknown,
    TextAppearance,
    colour_in,
    is_contents_style,
    kind_by_names,
    stacked,
    style_chain,
)
from simcompare.loading.shared.xml_elements import (
    NO_PROPERTIES,
    Properties,
    attribute,
    child,
    is_on,
    local_name,
    number_of,
    properties_of,
    value,
    value_of,
)
from simcompare.model.document import BlockKind

_MIN_OPACITY = 0.05
_HIGHLIGHTS = {"darkYellow": "olive", "darkCyan": "teal", "darkMagenta": "purple"}
_WHITE_THEME = frozenset({"bg1", "lt1", "background1", "light1"})
_THEME_CHANGES = ("themeTint", "themeShade", "themeFillTint", "themeFillShade")
_OUTLINES = frozenset({"outline", "emboss", "imprint", "shadow"})
_RELEVANT_PROPERTIES = frozenset(
    {"vanish", "color", "sz", "w", "shd", "highlight", "textFill", "textOutline", *_OUTLINES}
)


def appearance_of(properties: Properties) -> TextAppearance:
    """Return the appearance that run properties specify themselves."""
    if _RELEVANT_PROPERTIES.isdisjoint(properties):
        return UNSPECIFIED
    outlines = [is_on(properties, name) for name in _OUTLINES & properties.keys()]
    if "textOutline" in properties:
        outlines.append(child(properties["textOutline"], "noFill") is None)
    return TextAppearance(
        hidden=is_on(properties, "vanish"),
        colour=_effect_colour(properties.get("textFill")) or _colour(properties.get("color")),
        half_points=_number(properties.get("sz")),
        width_percent=_number(properties.get("w")),
        outlined=any(outlines) if outlines else None,
        background=_highlight(properties.get("highlight")) or shading(properties),
    )


def shading(properties: Properties) -> ColourOrUnknown | None:
    """Return the background in run, paragraph, cell or table properties, or None."""
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
    if not 0 <= share <= 1:
        return UNKNOWN
    red, green, blue = (round(f * share + b * (1 - share)) for f, b in zip(front, fill or WHITE, strict=True))
    return red, green, blue


def _number(element: etree._Element | None) -> int | None:
    value = attribute(element, "val")
    return None if value is None else number_of(value.removesuffix("%"), 100)


def _hex(value: str | None) -> Colour | None:
    """Return a colour of six hex digits; None for "auto"."""
    found = colour_in(f"#{value.lower()}") if value and value != "auto" else None
    return found[0] if found else None


def _colour(element: etree._Element | None) -> ColourOrUnknown | None:
    """Return a text colour; Word writes the resolved value beside a theme colour."""
    if element is None:
        return None
    colour = _hex(attribute(element, "val"))
    if colour is None and attribute(element, "themeColor") in _WHITE_THEME:
        changed = any(attribute(element, change) for change in _THEME_CHANGES)
        return UNKNOWN if changed else WHITE
    return colour or AUTOMATIC


def _highlight(element: etree._Element | None) -> ColourOrUnknown | None:
    name = attribute(element, "val")
    if name is None or name == "none":
        return None
    found = colour_in(_HIGHLIGHTS.get(name, name).lower())
    return found[0] if found else UNKNOWN


def _effect_colour(fill: etree._Element | None) -> ColourOrUnknown | None:
    """Return the fill colour of a text effect; no fill counts as the colour of the page."""
    if fill is None:
        return None
    if child(fill, "noFill") is not None:
        return WHITE
    return solid_colour(child(fill, "solidFill"))


def solid_colour(fill: etree._Element | None) -> ColourOrUnknown | None:
    """Return the colour of a DrawingML fill; UNKNOWN if only the theme has it, white if transparent."""
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
    """Return whether a fill is transparent: alpha is opacity, in Word 2010 text effects transparency."""
    share = number_of(attribute(alpha, "val"), 100_000) / 100_000
    opacity = 1 - share if "office/word" in str(alpha.tag) else share
    return opacity < _MIN_OPACITY


_OTHER_CONTENTS = frozenset({"table of figures", "图表目录", "toc heading"})
_LIST = re.compile(r"list (?:bullet|number)(?: [1-9])?")
_FIRST_RUNS = 8
_BODY_LEVEL = 9
# This list number removes an inherited numbering.
NO_LIST = "0"


@dataclass(frozen=True, slots=True)
class ListReference:
    """List and level of a paragraph; None if unspecified."""

    number: str | None = None
    level: int | None = None

    def over(self, lower: "ListReference") -> "ListReference":
        """Return the reference with unspecified values taken from `lower`."""
        if self is _NO_REFERENCE:
            return lower
        return ListReference(
            lower.number if self.number is None else self.number,
            lower.level if self.level is None else self.level,
        )


_NO_REFERENCE = ListReference()


@dataclass(frozen=True, slots=True)
class DocxParagraphStyle:
    """A paragraph style with inherited values; `kind` is None if it determines none."""

    kind: BlockKind | None
    outline_level: int | None
    list_reference: ListReference
    ids: tuple[str, ...]
    is_contents: bool
    appearance: TextAppearance
    background: ColourOrUnknown | None


class DocxStyles:
    def __init__(self, roots: list[etree._Element]) -> None:
        styles = [style for root in roots for style in root if local_name(style) == "style"]
        # A style with an empty identifier is no ancestor of those that name none.
        self._by_id = {name: style for style in styles if (name := attribute(style, "styleId"))}
        self._default = next((s for s in styles if _is_default_paragraph(s)), None)
        defaults = [inner for root in roots for inner in root if local_name(inner) == "docDefaults"]
        run_default = properties_of(child(defaults[0], "rPrDefault"), "rPr") if defaults else NO_PROPERTIES
        self._default_size = _size(run_default) or 20.0
        self.default_appearance = appearance_of(run_default)
        self._paragraph_styles: dict[str | None, DocxParagraphStyle] = {}
        self._character_appearances: dict[str, TextAppearance] = {}

    def paragraph(self, properties: Properties) -> DocxParagraphStyle:
        name = value(properties, "pStyle")
        style = self._paragraph_styles.get(name)
        if style is None:
            style = self._paragraph_styles[name] = self._read_paragraph_style(name)
        return style

    def run_appearance(self, properties: Properties, paragraph: TextAppearance) -> TextAppearance:
        own, name = appearance_of(properties), value(properties, "rStyle")
        if name is not None:
            own = own.over(self.style_appearance(name))
        return own.over(paragraph)

    def style_appearance(self, name: str) -> TextAppearance:
        if name not in self._character_appearances:
            chain = self.chain(name)
            self._character_appearances[name] = stacked(
                [appearance_of(properties_of(style, "rPr")) for style in chain]
            )
        return self._character_appearances[name]

    def list_of_style(self, name: str) -> str | None:
        return list_reference(properties_of(self._by_id.get(name), "pPr")).number

    def opening_line(self, paragraph: etree._Element, text: str) -> OpeningLine:
        """Return a paragraph of this text with its size, weight and alignment, taken from its first runs."""
        properties = properties_of(paragraph, "pPr")
        chain = self._paragraph_chain(value(properties, "pStyle"))
        written = (run for run in paragraph.iter("{*}r") if run.find("{*}t") is not None)
        runs = [properties_of(run, "rPr") for run in islice(written, _FIRST_RUNS)]
        styled = [properties_of(style, "rPr") for style in chain]
        size = max((s for s in map(_size, runs) if s), default=None) or next(
            (s for s in map(_size, styled) if s), self._default_size
        )
        weights = [is_on(part, "b") for part in (*runs, *styled)]
        alignments = [value(part, "jc") for part in (properties, *(properties_of(s, "pPr") for s in chain))]
        centred = next((alignment for alignment in alignments if alignment), "") == "center"
        bold = next((bold for bold in weights if bold is not None), False)
        return OpeningLine(text, size, bold, centred)

    def body_half_points(self) -> float:
        styled = [_size(properties_of(style, "rPr")) for style in self._paragraph_chain(None)]
        return next((size for size in styled if size), self._default_size)

    def chain(self, name: str | None) -> list[etree._Element]:
        """Return a style followed by its ancestors; a style may be its own ancestor."""
        return self._based(self._by_id.get(name) if name else None)

    def _paragraph_chain(self, name: str | None) -> list[etree._Element]:
        return self._based(self._by_id.get(name, self._default) if name else self._default)

    def _based(self, style: etree._Element | None) -> list[etree._Element]:
        return style_chain(style, lambda style: self._by_id.get(value_of(style, "basedOn") or ""))

    def _read_paragraph_style(self, name: str | None) -> DocxParagraphStyle:
        chain = self._paragraph_chain(name)
        parts = [properties_of(style, "pPr") for style in chain]
        names = [(value_of(style, "name") or "").strip().lower() for style in chain]
        if name is not None and name not in self._by_id:
            # For a style that the file does not define, only the id is known.
            names = [name.lower()]
        levels = (outline_level(part) for part in parts)
        return DocxParagraphStyle(
            kind=kind_by_names(names) or (BlockKind.LIST_ITEM if any(map(_LIST.fullmatch, names)) else None),
            outline_level=next((level for level in levels if level is not None), None),
            list_reference=reduce(ListReference.over, map(list_reference, parts), _NO_REFERENCE),
            ids=tuple(attribute(style, "styleId") or "" for style in chain),
            is_contents=any(is_contents_style(name) or name in _OTHER_CONTENTS for name in names),
            appearance=stacked([appearance_of(properties_of(style, "rPr")) for style in chain]),
            background=next(
                (background for background in map(shading, parts) if background is not None), None
            ),
        )


def outline_level(properties: Properties) -> int | None:
    """Return the outline level of a paragraph, or None if unspecified."""
    level = value(properties, "outlineLvl")
    return int(level) if level is not None and level.isdecimal() else None


def kind_of(properties: Properties, style: DocxParagraphStyle) -> BlockKind:
    """Return the block kind of a paragraph from its style, outline level and list."""
    level = outline_level(properties)
    level = style.outline_level if level is None else level
    if style.kind in {BlockKind.TITLE, BlockKind.HEADING}:
        return style.kind
    if level is not None and level < _BODY_LEVEL:
        return BlockKind.HEADING
    if style.kind is not None and style.kind is not BlockKind.LIST_ITEM:
        return style.kind
    number = list_reference(properties).over(style.list_reference).number
    if number is None:
        return style.kind or BlockKind.PARAGRAPH
    return BlockKind.PARAGRAPH if number == NO_LIST else BlockKind.LIST_ITEM


def list_reference(properties: Properties) -> ListReference:
    part = properties.get("numPr", properties.get("listPr"))
    if part is None:
        return _NO_REFERENCE
    level = value_of(part, "ilvl")
    number = value_of(part, "numId") or value_of(part, "ilfo")
    return ListReference(number, None if level is None else number_of(level, 0))


def _is_default_paragraph(style: etree._Element) -> bool:
    return attribute(style, "type") == "paragraph" and (attribute(style, "default") or "0") not in {
        *("0", "false", "off")
    }


def _size(properties: Properties) -> float | None:
    return float(number_of(value(properties, "sz"), 0)) or None


_PLACE = re.compile(r"%([1-9])")
_MAX_LABEL_LENGTH = 100
_SUFFIXES = {"space": " ", "nothing": ""}


class _DocxList:
    """A list definition; all of its instances are counted together."""

    def __init__(self, definition: etree._Element) -> None:
        self.levels = dict(_levels(definition))
        self.styles = {
            value_of(level, "pStyle") or "": number_of(attribute(level, "ilvl"), 0)
            for level in definition
            if local_name(level) == "lvl"
        }
        self.numbers: dict[int, int] = {}

    def instance(self, element: etree._Element) -> CountedList:
        """Return an instance of the list; it may restart and override levels."""
        levels, restart_numbers = dict(self.levels), dict[int, int]()
        for override in (inner for inner in element if local_name(inner) == "lvlOverride"):
            level = number_of(attribute(override, "ilvl"), 0)
            start = value_of(override, "startOverride")
            if start is not None:
                restart_numbers[level] = number_of(start, 0)
            levels |= dict(_levels(override))
        return CountedList(levels, restart_numbers, self.numbers)


class DocxNumbering:
    def __init__(self, roots: Iterable[etree._Element], list_of_style: Callable[[str], str | None]) -> None:
        elements = [element for root in roots for element in root]
        definitions = {
            attribute(element, "abstractNumId") or attribute(element, "listDefId") or "": element
            for element in elements
            if local_name(element) in {"abstractNum", "listDef"}
        }
        part_data = {
            attribute(element, "numId") or attribute(element, "ilfo") or "": element
            for element in elements
            if local_name(element) in {"num", "list"}
        }
        lists: dict[str, _DocxList] = {}
        self._instances: dict[str, tuple[CountedList, _DocxList]] = {}
        for number, element in part_data.items():
            name = _definition_of(element, definitions, part_data, list_of_style)
            if name is not None:
                definition = lists.setdefault(name, _DocxList(definitions[name]))
                self._instances[number] = definition.instance(element), definition

    def label(self, properties: Properties, style: DocxParagraphStyle) -> str:
        stored = value_of(properties.get("listPr"), "t")
        if stored is not None:
            # Word 2003 XML stores the label.
            return f"{stored} " if any(char.isalnum() for char in stored) else ""
        own = list_reference(properties)
        number = own.over(style.list_reference).number
        if number is None or number == NO_LIST or number not in self._instances:
            return ""
        counted, definition = self._instances[number]
        # A list may assign levels to styles.
        of_styles = (definition.styles[name] for name in style.ids if name in definition.styles)
        level = next(of_styles, style.list_reference.level or 0) if own.level is None else own.level
        return counted.next_label(level)


def _definition_of(
    element: etree._Element,
    definitions: dict[str, etree._Element],
    part_data: dict[str, etree._Element],
    list_of_style: Callable[[str], str | None],
) -> str | None:
    """Return the definition of an instance, which may be given indirectly by a list style."""
    seen: set[str] = set()
    while True:
        name = value_of(element, "abstractNumId") or value_of(element, "ilst")
        definition = definitions.get(name or "")
        if name is None or definition is None or name in seen:
            return None
        seen.add(name)
        link = value_of(definition, "numStyleLink")
        linked = part_data.get(list_of_style(link) or "") if link else None
        if linked is None:
            return name
        element = linked


def _levels(parent: etree._Element) -> Iterable[tuple[int, ListLevel]]:
    for element in parent:
        if local_name(element) == "lvl":
            level = number_of(attribute(element, "ilvl"), 0)
            if 0 <= level < LEVELS:
                yield level, _level(element, level)


def _level(element: etree._Element, level: int) -> ListLevel:
    code = number_of(value_of(element, "nfc"), 0)
    form = attribute(_number_format(element), "val") or FORMS_BY_CODE.get(code)
    hidden = is_on(properties_of(element, "rPr"), "vanish")
    restart = value_of(element, "lvlRestart")
    return ListLevel(
        start=number_of(value_of(element, "start"), 0),
        form="none" if hidden else form or "none",
        parts=label_parts((value_of(element, "lvlText") or "")[:_MAX_LABEL_LENGTH], _PLACE),
        restarts_after=level if restart is None else number_of(restart, level),
        in_digits=child(element, "isLgl") is not None,
        suffix=_SUFFIXES.get((value_of(element, "suff") or "").lower(), " "),
    )


def _number_format(level: etree._Element) -> etree._Element | None:
    """Return the number format of a level; a Word 2010 format has a fallback for older programs."""
    found = child(level, "numFmt")
    if found is not None:
        return found
    return child(child(child(level, "AlternateContent"), "Fallback"), "numFmt")

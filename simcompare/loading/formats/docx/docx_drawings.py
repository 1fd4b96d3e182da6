"""Visibility, backgrounds and sizes of drawings, pages, paragraphs and table cells."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lxml import etree

from simcompare.loading.formats.docx.docx_styles import DocxStyles, appearance_of, shading, solid_colour
from simcompare.loading.shared.visibility import (
    UNKNOWN,
    WHITE,
    ColourOrUnknown,
    TextAppearance,
    colour_in,
    stacked,
)
from simcompare.loading.shared.xml_elements import (
    Properties,
    attribute,
    child,
    is_on,
    local_name,
    number_of,
    properties_of,
    value_of,
)
from simcompare.model.document import DropReason

_UNITS_PER_POINT = 12_700
_MIN_POINTS = 2
_MIN_UNITS = _MIN_POINTS * _UNITS_PER_POINT
_MIN_TWENTIETHS = _MIN_POINTS * 20
# Pages in Word are at most 22 inches long, and so are margins.
_MAX_PAGE_POINTS = 22 * 72
_MAX_PAGE_TWIPS = _MAX_PAGE_POINTS * 20
_MAX_PAGE_UNITS = _MAX_PAGE_POINTS * _UNITS_PER_POINT
_UNITS_PER_CENTIMETRE = 360_000
# A picture of text takes at least this much of the page's width and height.
_LARGE_UNITS = 6 * _UNITS_PER_CENTIMETRE
_WHOLE_PAGE_UNITS = 15 * _UNITS_PER_CENTIMETRE
_VML_SHAPES = frozenset({"shape", "rect", "roundrect", "oval", "polyline", "line", "group"})
_SHAPES = _VML_SHAPES | {"wsp", "sp"}
_VML_LENGTH = re.compile(
    r"(?<![\w-])(?P<name>width|height|left|top|margin-left|margin-top)\s*:\s*"
    r"(?P<value>-?\d+(?:\.\d+)?)(?P<unit>pt|in|cm|mm|px)?"
)
_VML_UNIT_POINTS = {"in": 72.0, "cm": 72 / 2.54, "mm": 72 / 25.4, "px": 0.75}
_FILLS = frozenset({"solidFill", "gradFill", "blipFill", "pattFill", "grpFill", "noFill"})


def drawing_hidden_reason(drawing: etree._Element) -> DropReason | None:
    """Return why a drawing and its text are hidden, or None if they are visible."""
    frame = next((inner for inner in drawing if local_name(inner) in {"anchor", "inline"}), None)
    if frame is None:
        return None
    if attribute(child(frame, "docPr"), "hidden") in {"1", "true"} or attribute(frame, "hidden") in {
        "1",
        "true",
    }:
        return DropReason.HIDDEN_TEXT
    width, height = _extent(frame)
    if 0 <= width < _MIN_UNITS and 0 <= height < _MIN_UNITS:
        return DropReason.HIDDEN_TEXT
    beside = _is_off_page(frame, "positionH", width) or _is_off_page(frame, "positionV", height)
    return DropReason.OUTSIDE_PAGE if beside else None


def _extent(frame: etree._Element) -> tuple[int, int]:
    extent = child(frame, "extent")
    return number_of(attribute(extent, "cx"), -1), number_of(attribute(extent, "cy"), -1)


def _is_off_page(frame: etree._Element, name: str, extent: int) -> bool:
    """Return whether an anchored drawing ends before the page or begins after it."""
    position = child(frame, name)
    offset = child(position, "posOffset")
    if offset is None:
        return False
    begin = number_of(offset.text, 0)
    nearest = 0 if attribute(position, "relativeFrom") == "page" else -_MAX_PAGE_UNITS
    return begin + max(extent, 0) <= nearest or begin >= _MAX_PAGE_UNITS


def shape_around(box: etree._Element) -> etree._Element | None:
    """Return the shape that contains a text box or WordArt text."""
    shape = box.getparent()
    while shape is not None and local_name(shape) not in _SHAPES:
        if local_name(shape) in {"p", "body"}:
            return None
        shape = shape.getparent()
    return shape


def shape_hidden_reason(shape: etree._Element | None) -> DropReason | None:
    """Return why a VML shape and its text are hidden; DrawingML shapes are checked by their frame."""
    style = attribute(shape, "style") or ""
    if shape is None or not style or local_name(shape) not in _VML_SHAPES:
        return None
    if "visibility:hidden" in style.replace(" ", ""):
        return DropReason.HIDDEN_TEXT
    parent = shape.getparent()
    if local_name(shape) == "group" or (parent is not None and local_name(parent) == "group"):
        # Lengths within a group are in group units.
        return None
    points = _vml_points(style)
    if max(points.get("width", 100.0), points.get("height", 100.0)) < _MIN_POINTS:
        return DropReason.HIDDEN_TEXT
    left = points.get("margin-left", points.get("left", 0.0))
    top = points.get("margin-top", points.get("top", 0.0))
    return DropReason.OUTSIDE_PAGE if max(abs(left), abs(top)) >= _MAX_PAGE_POINTS else None


def _vml_points(style: str) -> dict[str, float]:
    return {
        match["name"]: float(match["value"]) * _VML_UNIT_POINTS.get(match["unit"] or "px", 1.0)
        for match in _VML_LENGTH.finditer(style)
    }


def background_of(shape: etree._Element | None) -> ColourOrUnknown | None:
    """Return the background of a shape's text, or None if the shape is transparent."""
    if shape is None:
        return UNKNOWN
    return _vml_background(shape) if local_name(shape) in _VML_SHAPES else _drawingml_background(shape)


def _drawingml_background(shape: etree._Element) -> ColourOrUnknown | None:
    properties = child(shape, "spPr")
    fills = (inner for inner in properties if local_name(inner) in _FILLS) if properties is not None else ()
    fill = next(iter(fills), None)
    if fill is None:
        style = attribute(child(child(shape, "style"), "fillRef"), "idx")
        return None if style in {None, "0"} else UNKNOWN
    if local_name(fill) == "noFill":
        return None
    return solid_colour(fill) or UNKNOWN if local_name(fill) == "solidFill" else UNKNOWN


def _vml_background(shape: etree._Element) -> ColourOrUnknown | None:
    fill = child(shape, "fill")
    if (attribute(shape, "filled") or attribute(fill, "on")) in {"f", "false"}:
        return None
    if attribute(fill, "type") not in {None, "solid"}:
        return UNKNOWN
    colour = colour_in((attribute(shape, "fillcolor") or "white").lower())
    return colour[0] if colour else UNKNOWN


def page_background(
    main: etree._Element, headers: Iterable[etree._Element], settings: Iterable[etree._Element]
) -> ColourOrUnknown:
    """Return the page colour, UNKNOWN if a picture of page width is behind the text."""
    for part in (main, *headers):
        for anchor in part.iter("{*}anchor"):
            is_behind = attribute(anchor, "behindDoc") in {"1", "true"}
            if is_behind and max(_extent(anchor)) >= _WHOLE_PAGE_UNITS:
                return UNKNOWN
    colour = attribute(child(main, "background"), "color")
    is_displayed = any(child(part, "displayBackgroundShape") is not None for part in settings)
    if colour is None or not is_displayed:
        return WHITE
    found = colour_in(f"#{colour.lower()}")
    return found[0] if found else UNKNOWN


def has_drawings(root: etree._Element) -> bool:
    """Return whether a part has a drawing that could be the background of another."""
    return next(root.iter("{*}blip", "{*}imagedata", "{*}solidFill", "{*}gradFill"), None) is not None


def large_pictures(drawing: etree._Element) -> int:
    """Count the pictures in a drawing that are large enough to hold text."""
    frame = next((inner for inner in drawing if local_name(inner) in {"anchor", "inline"}), None)
    if frame is not None:
        return sum(1 for _blip in frame.iter("{*}blip")) if min(_extent(frame)) >= _LARGE_UNITS else 0
    shapes = (image.getparent() for image in drawing.iter("{*}imagedata"))
    sizes = (_vml_points(attribute(shape, "style") or "") for shape in shapes)
    large = _LARGE_UNITS / _UNITS_PER_POINT
    return sum(min(size.get("width", 0.0), size.get("height", 0.0)) >= large for size in sizes)


def paragraph_hidden_reason(properties: Properties, page_twips: int) -> DropReason | None:
    """Return why a paragraph is hidden: lines or a frame without height, or a position off the page."""
    frame, spacing, indent = properties.get("framePr"), properties.get("spacing"), properties.get("ind")
    if frame is spacing is indent is None:
        return None
    if _is_without_height(frame, "hRule", "h") or _is_without_height(spacing, "lineRule", "line"):
        return DropReason.TINY_TEXT
    begins = (attribute(frame, "x"), attribute(indent, "left"), attribute(indent, "start"))
    is_beside = any(number_of(begin, 0) >= page_twips for begin in begins if begin)
    return DropReason.OUTSIDE_PAGE if is_beside else None


def page_width_twips(main: etree._Element) -> int:
    widths = [number_of(attribute(size, "w"), 0) for size in main.iter("{*}pgSz")]
    return max(widths, default=0) or _MAX_PAGE_TWIPS


def is_row_without_height(properties: Properties) -> bool:
    """Return whether a table row is hidden or has an exact height below 2 points."""
    return _is_without_height(properties.get("trHeight"), "hRule", "val") or bool(is_on(properties, "hidden"))


def _is_without_height(element: etree._Element | None, rule: str, height: str) -> bool:
    if element is None or attribute(element, rule) != "exact":
        return False
    return number_of(attribute(element, height), _MIN_TWENTIETHS) < _MIN_TWENTIETHS


NOT_IN_ROWS = frozenset({"del", "moveFrom", "tblPr", "tblGrid", "trPr", "tcPr", "sdtPr", "tbl", "p"})
"""Elements of a table in which none of its rows and cells is, unlike in a content control."""
# A cell with more blocks belongs to a layout table.
_MAX_BLOCKS_IN_CELL = 3
_LOOK_BITS = {"firstRow": 0x20, "lastRow": 0x40, "firstColumn": 0x80, "lastColumn": 0x100}
_TYPES = {"firstRow": "firstRow", "lastRow": "lastRow", "firstCol": "firstColumn", "lastCol": "lastColumn"}


@dataclass(frozen=True, slots=True)
class CellFormat:
    """Appearance of a cell's text; `background` is None if the table is transparent."""

    appearance: TextAppearance
    background: ColourOrUnknown | None


class TableFormat:
    def __init__(self, table: etree._Element, styles: DocxStyles) -> None:
        properties = child(table, "tblPr")
        chain = styles.chain(value_of(properties, "tblStyle"))
        self._conditions = [
            (
                attribute(part, "type") or "",
                CellFormat(appearance_of(properties_of(part, "rPr")), shading(properties_of(part, "tcPr"))),
            )
            for style in chain
            for part in style
            if local_name(part) == "tblStylePr"
        ]
        self._formats: dict[frozenset[str], CellFormat] = {}
        self._look = child(properties, "tblLook")
        self._appearance = stacked([appearance_of(properties_of(style, "rPr")) for style in chain])
        backgrounds = [shading(properties_of(table, "tblPr"))]
        backgrounds += [shading(properties_of(style, name)) for style in chain for name in ("tcPr", "tblPr")]
        self._background = next((background for background in backgrounds if background is not None), None)

    def cell(self, cell: etree._Element, edges: frozenset[str]) -> CellFormat:
        """Return the format of a cell; `edges` are the edges of the table at which it is."""
        if edges not in self._formats:
            self._formats[edges] = self._at(edges)
        own, found = shading(properties_of(cell, "tcPr")), self._formats[edges]
        return found if own is None else CellFormat(found.appearance, own)

    def _at(self, edges: frozenset[str]) -> CellFormat:
        held = [part for kind, part in self._conditions if self._holds(kind, edges)]
        appearance = stacked([*(part.appearance for part in held), self._appearance])
        backgrounds = {part.background for part in held if part.background is not None}
        if any(kind.startswith("band") and part.background for kind, part in self._conditions):
            # Row banding is not evaluated: the band may be a dark one.
            backgrounds.add(UNKNOWN)
        if backgrounds:
            return CellFormat(appearance, backgrounds.pop() if len(backgrounds) == 1 else UNKNOWN)
        return CellFormat(appearance, self._background)

    def _holds(self, kind: str, edges: frozenset[str]) -> bool:
        """Return whether a conditional format applies at these edges and is switched on."""
        if kind == "wholeTable":
            return True
        return kind in edges and self._is_switched_on(_TYPES.get(kind, kind))

    def _is_switched_on(self, name: str) -> bool:
        switch = attribute(self._look, name)
        if switch is not None:
            return switch not in {"0", "false", "off"}
        bits = attribute(self._look, "val")
        try:
            return bits is None or bool(int(bits, 16) & _LOOK_BITS.get(name, -1))
        except ValueError:
            return True


def edges_of(row: int, rows: int, column: int, columns: int) -> frozenset[str]:
    """Return the edges of a table at which a cell is, in the names of table styles."""
    edges = {"firstRow": row == 0, "lastRow": row == rows - 1, "firstCol": column == 0}
    edges["lastCol"] = column == columns - 1
    return frozenset(name for name, is_there in edges.items() if is_there)


def lays_out_a_page(cell: etree._Element) -> bool:
    """Return whether a cell holds body text rather than a table entry."""
    paragraphs = 0
    for element in cell.iter("{*}p", "{*}tbl"):
        if local_name(element) == "tbl":
            return True
        paragraphs += any(text.text for text in element.iter("{*}t"))
    return paragraphs > _MAX_BLOCKS_IN_CELL

"""Split the runs of a Word file at the ends of sentences, and apply styles to them."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from lxml import etree

from simcompare.loading.shared.xml_elements import attribute, child, local_name, value_of
from simcompare.report.annotated.annotation_marks import MarkStyle
from simcompare.report.annotated.word.word_package import XML_SPACE

# Order of run properties in the schema, up to shading and underline (ECMA-376, 17.3.2.28).
_ORDER = (
    *("rStyle", "rFonts", "b", "bCs", "i", "iCs", "caps", "smallCaps", "strike", "dstrike", "outline"),
    *("shadow", "emboss", "imprint", "noProof", "snapToGrid", "vanish", "webHidden", "color", "spacing", "w"),
    *("kern", "position", "sz", "szCs", "highlight", "u", "effect", "bdr", "shd"),
)
_PLACES = {name: place for place, name in enumerate(_ORDER)}
_LIGHT = 0x90
_NONE = frozenset({None, "none", "nil", "auto"})
_LIGHT_THEME = frozenset({"background1", "background2", "light1", "light2"})


@dataclass(frozen=True, slots=True)
class MarkedRange:
    """Characters [start, end) of a text element that belong to the mark with this number."""

    start: int
    end: int
    mark: int


def split_run(
    run: etree._Element, ranges: dict[etree._Element, Sequence[MarkedRange]]
) -> list[tuple[int, etree._Element]]:
    """Split a run at the ends of marks; return the numbers and runs of the marks, in order.

    All parts keep the properties of the run. Content other than text, such as a tab, belongs to a mark if the
    mark is on both sides of it.
    """
    properties = child(run, "rPr")
    parts = [
        part
        for inner in list(run)
        if inner is not properties
        for part in _parts(inner, ranges.get(inner, ()))
    ]
    marks = _with_enclosed([mark for mark, _part in parts], [part for _mark, part in parts])
    grouped = [
        (mark, [part for _mark, part in group])
        for mark, group in groupby(
            zip(marks, (part for _m, part in parts), strict=True), lambda pair: pair[0]
        )
    ]
    found: list[tuple[int, etree._Element]] = []
    place = run
    for number, (mark, inner) in enumerate(grouped):
        if number:
            place = _like(run, properties, place)
        place.extend(inner)
        if mark is not None:
            found.append((mark, place))
    return found


def _parts(inner: etree._Element, ranges: Sequence[MarkedRange]) -> list[tuple[int | None, etree._Element]]:
    """Split an element into parts with the numbers of their marks."""
    if not ranges:
        return [(None, inner)]
    text = inner.text or ""
    parts: list[tuple[int | None, etree._Element]] = []
    end = 0
    for marked in ranges:
        parts.append((None, _text_like(inner, text[end : marked.start])))
        parts.append((marked.mark, _text_like(inner, text[marked.start : marked.end])))
        end = marked.end
    parts.append((None, _text_like(inner, text[end:])))
    inner.getparent().remove(inner)  # type: ignore[union-attr]
    return [(mark, part) for mark, part in parts if part.text]


def _text_like(inner: etree._Element, text: str) -> etree._Element:
    part = _empty_like(inner)
    part.text = text
    if text != text.strip():
        part.set(XML_SPACE, "preserve")
    return part


def _empty_like(element: etree._Element) -> etree._Element:
    return etree.Element(element.tag, {str(name): str(value) for name, value in element.attrib.items()})


def _with_enclosed(marks: Sequence[int | None], parts: Sequence[etree._Element]) -> list[int | None]:
    """Assign a tab or break inside a mark to the mark."""
    found = list(marks)
    for place in range(1, len(found) - 1):
        if found[place] is None and local_name(parts[place]) != "t":
            following = next(
                (m for m, p in zip(marks[place:], parts[place:], strict=True) if local_name(p) == "t"), None
            )
            found[place] = found[place - 1] if following == found[place - 1] else None
    return found


def _like(run: etree._Element, properties: etree._Element | None, after: etree._Element) -> etree._Element:
    """Insert an empty run with these properties after another."""
    new = _empty_like(run)
    if properties is not None:
        new.append(copy.deepcopy(properties))
    new.tail, after.tail = after.tail, None
    after.addnext(new)
    return new


class RunFormatter:
    """Apply the style of a mark to runs, without replacing their own shading and underlines."""

    def __init__(self, styles: etree._Element | None) -> None:
        self._shaded_styles = _styles_with_shading(styles)

    def apply(self, run: etree._Element, style: MarkStyle) -> None:
        """Shade a run unless it is shaded or its text is light, and underline it unless it is underlined."""
        word = etree.QName(run).namespace
        properties = child(run, "rPr")
        if properties is None:
            properties = etree.Element(f"{{{word}}}rPr")
            run.insert(0, properties)
        if style.underline and value_of(properties, "u") in _NONE:
            _put(properties, "u", val=style.word_line, color=style.underline.upper())
        if not self._has_own_shading(run, properties):
            _put(properties, "shd", val="clear", color="auto", fill=style.background.upper())

    def _has_own_shading(self, run: etree._Element, properties: etree._Element) -> bool:
        if _has_shading_or_light_text(properties) or value_of(properties, "rStyle") in self._shaded_styles:
            return True
        for around in run.iterancestors():
            name = local_name(around)
            own = child(around, f"{name}Pr") if name in {"p", "tc", "tbl"} else None
            if own is not None:
                styles = {value_of(own, "pStyle"), value_of(own, "tblStyle")}
                if _is_shaded(own) or styles & self._shaded_styles:
                    return True
        return False


def _put(properties: etree._Element, name: str, **values: str) -> None:
    """Set a property at its position in the order of the schema."""
    word = etree.QName(properties).namespace
    old = child(properties, name)
    if old is not None:
        properties.remove(old)
    element = etree.Element(f"{{{word}}}{name}")
    for key, value in values.items():
        element.set(f"{{{word}}}{key}", value)
    before = [
        existing for existing in properties if _PLACES.get(local_name(existing), len(_ORDER)) < _PLACES[name]
    ]
    properties.insert(0 if not before else properties.index(before[-1]) + 1, element)


def _has_shading_or_light_text(properties: etree._Element) -> bool:
    """Return whether run properties set a background, or light text for a dark background."""
    return value_of(properties, "highlight") not in _NONE or _is_shaded(properties) or _is_light(properties)


def _is_shaded(properties: etree._Element) -> bool:
    shade = child(properties, "shd")
    if shade is None:
        return False
    fill, pattern = attribute(shade, "fill"), attribute(shade, "val")
    is_plain = fill in _NONE or (fill or "").upper() == "FFFFFF"
    return not is_plain or attribute(shade, "themeFill") is not None or pattern not in {None, "clear", "nil"}


def _is_light(properties: etree._Element) -> bool:
    colour = child(properties, "color")
    digits = attribute(colour, "val") or ""
    try:
        channels = [int(digits[place : place + 2], 16) for place in (0, 2, 4)]
    except ValueError:
        return attribute(colour, "themeColor") in _LIGHT_THEME
    return min(channels) > _LIGHT


def _styles_with_shading(styles: etree._Element | None) -> frozenset[str | None]:
    """Return the styles that have a background or light text, directly or inherited."""
    bases: dict[str, str | None] = {}
    found: set[str | None] = set()
    for style in [] if styles is None else styles:
        name = attribute(style, "styleId")
        if local_name(style) == "style" and name is not None:
            bases[name] = value_of(style, "basedOn")
            inner = (part for part in style.iter() if local_name(part).endswith("Pr"))
            if any(_has_shading_or_light_text(part) for part in inner):
                found.add(name)
    size = -1
    while size != len(found):
        size = len(found)
        found |= {name for name, base in bases.items() if base in found}
    return frozenset(found)

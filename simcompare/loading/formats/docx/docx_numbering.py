"""List and heading numbers, which Word displays but does not store in the text.

A PDF of the same essay has them as text, so without them the two would differ.
"""

import re
from collections.abc import Callable, Iterable

from lxml import etree

from simcompare.loading.formats.docx.docx_styles import NO_LIST, DocxParagraphStyle, list_reference
from simcompare.loading.shared.list_numbers import FORMS_BY_CODE, LEVELS, CountedList, ListLevel, label_parts
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
    """Counts list paragraphs in document order."""

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
        """Count a paragraph in its list and return the label that Word displays."""
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

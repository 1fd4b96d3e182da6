"""List and heading numbers, which are displayed but not stored in the text."""

import re
from dataclasses import dataclass, field

from lxml import etree

from simcompare.loading.shared.list_numbers import written_number
from simcompare.loading.shared.xml_elements import attribute, child, local_name, number_of

_PLACE = re.compile(r"%(\d+)%")
_MAX_LEVELS = 10
# Limit for hostile files: the label is repeated before every item.
_MAX_LABEL_LENGTH = 100
# A number format is named by its first number.
_FORMS = {
    "1": "decimal", "i": "lowerRoman", "I": "upperRoman", "a": "lowerLetter", "A": "upperLetter",
    "一": "chineseCounting", "壹": "chineseLegalSimplified", "①": "decimalEnclosedCircle",
    "甲": "ideographTraditional", "子": "ideographZodiac", "１": "decimalFullWidth", "〇": "ideographDigital",
}  # fmt: skip
_SUFFIXES = {"space": " ", "nothing": ""}


@dataclass(frozen=True, slots=True)
class _OdtLevel:
    """Numbering of a level; `text` has the numbers of the levels as %1%, %2% ..."""

    text: str
    form: str
    start: int
    suffix: str


@dataclass(slots=True)
class ListCounter:
    """Current numbers of a list by level."""

    numbers: dict[int, int] = field(default_factory=dict)


class OdtNumbering:
    """Counts list items and headings in document order."""

    def __init__(self, roots: list[etree._Element]) -> None:
        self._styles: dict[str, dict[int, _OdtLevel]] = {}
        self._outline: dict[int, _OdtLevel] = {}
        for root in reversed(roots):
            for style in root.iter("{*}list-style"):
                self._styles[attribute(style, "name") or ""] = _levels(style)
            for style in root.iter("{*}outline-style"):
                self._outline = _levels(style)
        self._headings = ListCounter()
        self._counters: dict[str, ListCounter] = {}
        self._last: dict[str, ListCounter] = {}

    def begin(self, element: etree._Element, style: str) -> ListCounter:
        """Begin a top-level list, or continue an earlier one."""
        earlier = attribute(element, "continue-list")
        if earlier in self._counters:
            counter = self._counters[earlier]
        elif attribute(element, "continue-numbering") == "true" and style in self._last:
            counter = self._last[style]
        else:
            counter = ListCounter()
        self._counters[attribute(element, "id") or ""] = self._last[style] = counter
        return counter

    def next_label(self, counter: ListCounter, style: str, level: int, start: str | None) -> str:
        """Count a list item and return its label; "" for a bullet."""
        return _next_label(counter, self._styles.get(style, {}), level, start)

    def heading_label(self, heading: etree._Element) -> str:
        """Count a heading that is in no list and return its label."""
        if attribute(heading, "is-list-header") == "true":
            return ""
        level = number_of(attribute(heading, "outline-level") or attribute(heading, "level"), 1)
        start = attribute(heading, "start-value") if attribute(heading, "restart-numbering") else None
        return _next_label(self._headings, self._outline, level, start)


def _next_label(counter: ListCounter, levels: dict[int, _OdtLevel], level: int, start: str | None) -> str:
    definition = levels.get(level)
    if definition is None:
        return ""
    if start is not None:
        counter.numbers[level] = number_of(start, 1)
    else:
        counter.numbers[level] = counter.numbers.get(level, definition.start - 1) + 1
    for deeper in [other for other in counter.numbers if other > level]:
        del counter.numbers[deeper]
    label = _PLACE.sub(lambda match: _number(counter, levels, int(match[1])), definition.text)
    return label[:_MAX_LABEL_LENGTH] + definition.suffix if label.strip() else ""


def _number(counter: ListCounter, levels: dict[int, _OdtLevel], level: int) -> str:
    definition = levels.get(level)
    if definition is None or not definition.form:
        return ""
    number = counter.numbers.get(level, definition.start)
    return written_number(number, definition.form) or str(number)


def _levels(style: etree._Element) -> dict[int, _OdtLevel]:
    """Return the numbered levels; bullets and pictures have no number."""
    return {
        level: _level(element, level)
        for element in style
        if local_name(element) in {"list-level-style-number", "outline-level-style"}
        and 1 <= (level := number_of(attribute(element, "level"), 0)) <= _MAX_LEVELS
    }


def _level(element: etree._Element, level: int) -> _OdtLevel:
    form = attribute(element, "num-format") or ""
    alignment = child(child(element, "list-level-properties"), "list-level-label-alignment")
    return _OdtLevel(
        text=(attribute(element, "num-list-format") or _text(element, level, form))[:_MAX_LABEL_LENGTH],
        form=_FORMS.get(form[:1], "decimal") if form else "",
        start=number_of(attribute(element, "start-value"), 1),
        suffix=_SUFFIXES.get(attribute(alignment, "label-followed-by") or "", " "),
    )


def _text(element: etree._Element, level: int, form: str) -> str:
    """Return the label text of a level from prefix, displayed levels and suffix (before ODF 1.3)."""
    display_levels = min(max(number_of(attribute(element, "display-levels"), 1), 1), level)
    numbers = ".".join(f"%{number}%" for number in range(level - display_levels + 1, level + 1))
    before, suffix = (attribute(element, name) or "" for name in ("num-prefix", "num-suffix"))
    return f"{before}{numbers if form else ''}{suffix}"

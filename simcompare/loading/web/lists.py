"""The numbers of lists, which a browser shows and the text of a page does not hold.

A PDF of the same page has them as text; bullets are no text anywhere.
"""

import re

from lxml import etree

from simcompare.loading.common.numerals import written_number
from simcompare.loading.web.cascade import Declarations
from simcompare.loading.web.counters import FORM_OF_STYLE, Counters

_FORM_OF_TYPE = {
    "1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman",
}  # fmt: skip
_BEHIND = {"chineseCounting": "、"}
_STYLE = re.compile("|".join([*FORM_OF_STYLE, "none", "disc", "circle", "square"]))
_WHOLE_NUMBER = re.compile(r"\s*([-+]?\d{1,6})")


class ListNumbers:
    """Counts the items of numbered lists, one within the other."""

    def __init__(self) -> None:
        self._lists: list[tuple[etree._Element, str]] = []
        self._next: list[int] = []
        self._counters = Counters()

    def enter(self, element: etree._Element, tag: str, declared: Declarations) -> str:
        """Enter an element; return the number that stands before it, with a blank, or nothing."""
        counted = self._counters.before(declared) if declared else ""
        return self._number(element, tag, declared) or counted

    def _number(self, element: etree._Element, tag: str, declared: Declarations) -> str:
        if tag == "ol":
            self._lists.append((element, _form(element, declared) or "decimal"))
            self._next.append(_whole_number(element.get("start"), 1))
        elif tag == "li" and self._lists and element.getparent() is self._lists[-1][0]:
            number = _whole_number(element.get("value"), self._next[-1])
            self._next[-1] = number + 1
            form = _form(element, declared) or self._lists[-1][1]
            written = written_number(number, form)
            return f"{written}{_BEHIND.get(form, '.')} " if written else ""
        return ""

    def leave(self, element: etree._Element) -> None:
        """Leave an element."""
        if self._lists and self._lists[-1][0] is element:
            self._lists.pop()
            self._next.pop()


def _form(element: etree._Element, declared: Declarations) -> str | None:
    """Return the form of the numbers, "none" where none are shown, None where nothing is said of them."""
    if declared.get("display", "list-item") != "list-item" and element.tag == "li":
        return "none"
    match = _STYLE.search(declared.get("list-style-type") or declared.get("list-style") or "")
    if match is not None:
        return FORM_OF_STYLE.get(match[0], "none")
    return _FORM_OF_TYPE.get(element.get("type") or "")


def _whole_number(value: str | None, otherwise: int) -> int:
    match = _WHOLE_NUMBER.match(value or "")
    return int(match[1]) if match else otherwise

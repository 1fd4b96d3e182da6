"""Numbers that style sheets count and write before elements, as Google Docs does with those of lists.

A name counts over the whole page: which element a counter was made for is passed over.
"""

import re

from simcompare.loading.common.numerals import written_number
from simcompare.loading.web.cascade import CONTENT_BEFORE, Declarations

FORM_OF_STYLE = {
    "decimal": "decimal",
    "decimal-leading-zero": "decimalZero",
    "lower-alpha": "lowerLetter",
    "lower-latin": "lowerLetter",
    "upper-alpha": "upperLetter",
    "upper-latin": "upperLetter",
    "lower-roman": "lowerRoman",
    "upper-roman": "upperRoman",
    "cjk-ideographic": "chineseCounting",
    "simp-chinese-informal": "chineseCounting",
    "trad-chinese-informal": "chineseCounting",
}
"""The forms of numbers by what style sheets call them."""

_STEP = re.compile(r"([a-z_][\w-]*)(?:\s+([-+]?\d{1,6})(?![\d%]))?")
_PART = re.compile(r""""([^"]*)"|'([^']*)'|counter\(\s*([\w-]+)\s*(?:,\s*([a-z-]+)\s*)?\)""", re.IGNORECASE)
_ESCAPE = re.compile(r"\\([0-9a-f]{1,6})\s?", re.IGNORECASE)
_HIGHEST_CODE = 0x10FFFF


class Counters:
    """The counters of a page, as its elements are entered one after the other."""

    def __init__(self) -> None:
        self._values: dict[str, int] = {}

    def before(self, declared: Declarations) -> str:
        """Count an element; return what is written before it, with a blank, nothing without a number."""
        for name, value in _STEP.findall(declared.get("counter-reset", "")):
            self._values[name] = int(value or 0)
        for name, value in _STEP.findall(declared.get("counter-increment", "")):
            self._values[name] = self._values.get(name, 0) + int(value or 1)
        content = declared.get(CONTENT_BEFORE, "")
        return self._written(content) if "counter(" in content.lower() else ""

    def _written(self, content: str) -> str:
        parts = _PART.findall(content)
        text = "".join(
            self._number(counter, style) if counter else _ESCAPE.sub(_character, double or single)
            for double, single, counter, style in parts
        )
        return f"{text.strip()} " if text.strip() else ""

    def _number(self, counter: str, style: str) -> str:
        form = FORM_OF_STYLE.get((style or "decimal").lower(), "")
        return written_number(self._values.get(counter.lower(), 0), form) or ""


def _character(escape: re.Match[str]) -> str:
    code = int(escape[1], 16)
    return chr(code) if 0 < code <= _HIGHEST_CODE else ""

"""How Word counts the paragraphs of a list, and what it shows before each."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from simcompare.loading.common.numerals import written_number

LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
# The forms of numbers by their codes in .doc files and in the XML of Word 2003.
FORMS_BY_CODE = {
    0: "decimal", 1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter",
    5: "ordinal", 8: "hex", 10: "ideographDigital", 11: "japaneseCounting", 14: "decimalFullWidth",
    15: "decimalHalfWidth", 17: "japaneseDigitalTenThousand", 18: "decimalEnclosedCircle",
    19: "decimalFullWidth2", 22: "decimalZero", 23: "bullet", 26: "decimalEnclosedFullstop",
    27: "decimalEnclosedParen", 28: "decimalEnclosedCircleChinese", 29: "ideographEnclosedCircle",
    30: "ideographTraditional", 31: "ideographZodiac", 33: "taiwaneseCounting",
    34: "ideographLegalTraditional", 35: "taiwaneseCountingThousand", 36: "taiwaneseDigital",
    37: "chineseCounting", 38: "chineseLegalSimplified", 39: "chineseCountingThousand",
    57: "numberInDash", 255: "none",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Level:
    """How one level of a list is numbered; in `text` "%1" is the number of the first level.

    `restarts_after` counts levels from 1; 0 is never. `behind` stands between the number and the text.
    """

    start: int
    form: str
    text: str
    restarts_after: int
    in_digits: bool
    behind: str


@dataclass(slots=True)
class CountedList:
    """A list as paragraphs name it. Several that are counted as one share their `numbers`.

    `restarts` has the number with which a level begins anew when it is first met.
    """

    levels: Mapping[int, Level]
    restarts: dict[int, int] = field(default_factory=dict)
    numbers: dict[int, int] = field(default_factory=dict)

    def next_label(self, level: int) -> str:
        """Count a paragraph of that level and return what Word shows before it; nothing for a bullet."""
        shape = self.levels.get(level)
        if shape is None:
            return ""
        self._count(level, shape)
        label = self._label(level, shape)
        return label + shape.behind if label else ""

    def _count(self, level: int, shape: Level) -> None:
        numbers = self.numbers
        if level in self.restarts:
            numbers[level] = self.restarts.pop(level)
        else:
            numbers[level] = numbers[level] + 1 if level in numbers else shape.start
        for deeper in range(level + 1, LEVELS):
            below = self.levels.get(deeper)
            if below is None or level < below.restarts_after:
                numbers.pop(deeper, None)

    def _label(self, level: int, shape: Level) -> str:
        if shape.form in {"bullet", "none"} and not _PLACE.search(shape.text):
            return "" if shape.form == "bullet" else shape.text
        if shape.form == "bullet":
            return ""
        return _PLACE.sub(lambda match: self._number(int(match[1]) - 1, level, shape), shape.text)

    def _number(self, place: int, level: int, shape: Level) -> str:
        of = self.levels.get(place)
        if of is None or place > level:
            return ""
        number = self.numbers.get(place, self.restarts.get(place, of.start))
        return written_number(number, "decimal" if shape.in_digits else of.form) or ""

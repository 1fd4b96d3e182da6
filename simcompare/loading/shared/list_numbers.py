"""Number formats of Word lists, and the counting of list paragraphs."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

_DIGITS = "〇一二三四五六七八九"
_LEGAL_DIGITS = "零壹贰叁肆伍陆柒捌玖"
_LEGAL_TRADITIONAL_DIGITS = "零壹貳參肆伍陸柒捌玖"
_STEMS = "甲乙丙丁戊己庚辛壬癸"
_BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_LETTERS = 26
# Word itself writes digits above this.
_MAX_IN_WORDS = 9999
_MAX_REPEATED = 30


def written_number(number: int, form: str) -> str | None:
    """Return a number in a format that Word names, such as "lowerRoman"; None for an unknown format."""
    writer = _WRITERS.get(form)
    if writer is None:
        return None
    return writer(number) if 0 < number <= _MAX_IN_WORDS or form in _OF_ANY_SIZE else str(number)


def _roman(number: int) -> str:
    text = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        text += letters * count
    return text


def _letter(number: int) -> str:
    """Return a ... z, aa, bb ... zz, aaa, as Word counts."""
    repeats, letter = divmod(number - 1, _LETTERS)
    return chr(ord("a") + letter) * min(repeats + 1, _MAX_REPEATED)


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _in_chinese(digits: str, units: str, *, short_ten: bool) -> Callable[[int], str]:
    def write(number: int) -> str:
        text, gap = "", False
        for power in (3, 2, 1, 0):
            digit = number // 10**power % 10
            if digit == 0:
                gap = bool(text)
                continue
            text += (digits[0] if gap else "") + digits[digit] + (units[power - 1] if power else "")
            gap = False
        return text[1:] if short_ten and 10 <= number < 20 else text

    return write


def _digit_by_digit(number: int) -> str:
    return "".join(_DIGITS[int(digit)] for digit in str(number))


def _sign_at(signs: str) -> Callable[[int], str]:
    return lambda number: signs[number - 1] if number <= len(signs) else str(number)


def _sign_range(first: str, count: int) -> Callable[[int], str]:
    return _sign_at("".join(chr(ord(first) + place) for place in range(count)))


_counting = _in_chinese("零一二三四五六七八九", "十百千", short_ten=True)
_legal = _in_chinese(_LEGAL_DIGITS, "拾佰仟", short_ten=False)
_legal_traditional = _in_chinese(_LEGAL_TRADITIONAL_DIGITS, "拾佰仟", short_ten=False)
_WRITERS: dict[str, Callable[[int], str]] = {
    "decimal": str,
    "decimalHalfWidth": str,
    "decimalZero": lambda number: f"{number:02}",
    "decimalFullWidth": lambda number: str(number).translate({48 + n: 0xFF10 + n for n in range(10)}),
    "decimalFullWidth2": lambda number: str(number).translate({48 + n: 0xFF10 + n for n in range(10)}),
    "numberInDash": lambda number: f"- {number} -",
    "ordinal": _ordinal,
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
    "lowerLetter": _letter,
    "upperLetter": lambda number: _letter(number).upper(),
    "hex": lambda number: f"{number:X}",
    "chineseCounting": _counting,
    "chineseCountingThousand": _counting,
    "taiwaneseCounting": _counting,
    "taiwaneseCountingThousand": _counting,
    "japaneseCounting": _counting,
    "chineseLegalSimplified": _legal,
    "ideographLegalTraditional": _legal_traditional,
    "ideographDigital": _digit_by_digit,
    "japaneseDigitalTenThousand": _digit_by_digit,
    "taiwaneseDigital": _digit_by_digit,
    "ideographTraditional": _sign_at(_STEMS),
    "ideographZodiac": _sign_at(_BRANCHES),
    "decimalEnclosedCircle": _sign_range("①", 20),
    "decimalEnclosedCircleChinese": _sign_range("①", 20),
    "decimalEnclosedFullstop": _sign_range("⒈", 20),
    "decimalEnclosedParen": _sign_range("⑴", 20),
    "ideographEnclosedCircle": _sign_range("㊀", 10),
    "ideographParenthesesTraditional": _sign_range("㈠", 10),
}
_OF_ANY_SIZE = frozenset({"decimal", "decimalHalfWidth", "decimalZero", "hex"})


LEVELS = 9
# Number formats by their codes in .doc files and Word 2003 XML.
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
class ListLevel:
    """Numbering of one level of a list.

    `parts` are the texts of the label, and levels, from 0, whose numbers are put between them.
    `restarts_after` counts levels from 1; 0 means never. `suffix` is put between number and text.
    """

    start: int
    form: str
    parts: Sequence[str | int]
    restarts_after: int
    in_digits: bool
    suffix: str


def label_parts(text: str, place: re.Pattern[str]) -> list[str | int]:
    """Divide the text of a label at its places for numbers; the group of `place` is the level, from 1."""
    return [int(part) - 1 if number % 2 else part for number, part in enumerate(place.split(text))]


@dataclass(slots=True)
class CountedList:
    """A list as paragraphs refer to it. Lists that are counted together share `numbers`.

    `restart_numbers` has the number with which a level restarts on its first use.
    """

    levels: Mapping[int, ListLevel]
    restart_numbers: dict[int, int] = field(default_factory=dict)
    numbers: dict[int, int] = field(default_factory=dict)

    def next_label(self, level: int) -> str:
        """Count a paragraph of that level and return the label before it; "" for a bullet."""
        definition = self.levels.get(level)
        if definition is None:
            return ""
        self._count(level, definition)
        if definition.form == "bullet":
            return ""
        label = "".join(
            self._number(part, level, definition) if isinstance(part, int) else part
            for part in definition.parts
        )
        return label + definition.suffix if label else ""

    def _count(self, level: int, definition: ListLevel) -> None:
        numbers = self.numbers
        if level in self.restart_numbers:
            numbers[level] = self.restart_numbers.pop(level)
        else:
            numbers[level] = numbers[level] + 1 if level in numbers else definition.start
        for deeper in [other for other in numbers if other > level]:
            below = self.levels.get(deeper)
            if below is None or level < below.restarts_after:
                del numbers[deeper]

    def _number(self, place: int, level: int, definition: ListLevel) -> str:
        level_definition = self.levels.get(place)
        if level_definition is None or place > level:
            return ""
        number = self.numbers.get(place, self.restart_numbers.get(place, level_definition.start))
        return written_number(number, "decimal" if definition.in_digits else level_definition.form) or ""

"""Numbers as the lists of Word write them."""

from collections.abc import Callable

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
# Above this no list goes, and Word itself writes digits.
_MOST_IN_WORDS = 9999
_MOST_REPEATED = 30


def written_number(number: int, form: str) -> str | None:
    """Return a number in a form that Word names, such as "lowerRoman"; None for a form not known here."""
    writer = _WRITERS.get(form)
    if writer is None:
        return None
    return writer(number) if 0 < number <= _MOST_IN_WORDS or form in _OF_ANY_SIZE else str(number)


def _roman(number: int) -> str:
    text = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        text += letters * count
    return text


def _letter(number: int) -> str:
    """Return a ... z, aa, bb ... zz, aaa, as Word counts."""
    repeats, letter = divmod(number - 1, _LETTERS)
    return chr(ord("a") + letter) * min(repeats + 1, _MOST_REPEATED)


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


def _one_of(signs: str) -> Callable[[int], str]:
    return lambda number: signs[number - 1] if number <= len(signs) else str(number)


def _from(first: str, count: int) -> Callable[[int], str]:
    return _one_of("".join(chr(ord(first) + place) for place in range(count)))


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
    "ideographTraditional": _one_of(_STEMS),
    "ideographZodiac": _one_of(_BRANCHES),
    "decimalEnclosedCircle": _from("①", 20),
    "decimalEnclosedCircleChinese": _from("①", 20),
    "decimalEnclosedFullstop": _from("⒈", 20),
    "decimalEnclosedParen": _from("⑴", 20),
    "ideographEnclosedCircle": _from("㊀", 10),
    "ideographParenthesesTraditional": _from("㈠", 10),
}
_OF_ANY_SIZE = frozenset({"decimal", "decimalHalfWidth", "decimalZero", "hex"})

"""Which characters make up units, and look-alike letters of other scripts."""

import unicodedata
from collections.abc import Collection
from functools import cache

# Cyrillic and Greek letters whose usual glyph is that of a Latin letter, lower case (forms are casefolded).
_LATIN_LOOKS = {
    "а": "a", "ӓ": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "ё": "e", "ѐ": "e", "һ": "h", "н": "h",
    "і": "i", "ї": "i", "ј": "j", "к": "k", "ӏ": "l", "м": "m", "п": "n", "о": "o", "р": "p", "ԛ": "q",
    "г": "r", "ѕ": "s", "т": "t", "ц": "u", "ѵ": "v", "ԝ": "w", "х": "x", "у": "y", "ү": "y",
    "α": "a", "β": "b", "ε": "e", "η": "n", "ι": "i", "κ": "k", "μ": "m", "ν": "v", "ο": "o", "ρ": "p",
    "τ": "t", "υ": "u", "χ": "x", "γ": "y", "ω": "w",
}  # fmt: skip
_TO_LATIN = str.maketrans(_LATIN_LOOKS)
# The way back: a Latin letter slipped into a Cyrillic or Greek word.
_FROM_LATIN = {
    "CYRILLIC": str.maketrans("abcehikmopstxyj", "авсенікморѕтхуј"),
    "GREEK": str.maketrans("abehikmnoptuvxyz", "αβεηικμνορτυνχυζ"),
}

_SINGLE_SCRIPTS = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "IDEOGRAPHIC", "BOPOMOFO", "TANGUT", "NUSHU")


@cache
def class_of(character: str) -> str:
    """Return the class that decides where units begin and end.

    H for a character that is a unit by itself, W for a part of a run, M for a mark that belongs to the
    letter before it, - for what separates.
    """
    category = unicodedata.category(character)
    if category in {"Mc", "Mn"}:
        return "M"
    if category[0] in "LN":
        return "H" if _stands_alone(character) else "W"
    return "-"


def _stands_alone(character: str) -> bool:
    if character.isascii():
        return False
    return unicodedata.name(character, "").startswith(_SINGLE_SCRIPTS)


@cache
def _script(character: str) -> str:
    if not character.isalpha():
        return ""
    return unicodedata.name(character, "").partition(" ")[0]


@cache
def fold_look_alikes(word: str) -> str:
    """Return a word of mixed scripts in the script that most of its letters have.

    A word wholly of one script stays as it is: Cyrillic prose is no disguise.
    """
    if word.isascii():
        return word
    scripts = [_script(c) for c in word if c.isalpha()]
    foreign = max(_FROM_LATIN, key=scripts.count)
    latin = scripts.count("LATIN")
    if not latin or foreign not in scripts:
        return word
    return word.translate(_TO_LATIN if latin >= scripts.count(foreign) else _FROM_LATIN[foreign])


def any_han(units: Collection[str]) -> bool:
    """Whether any of the units is a Han character."""
    return not "".join(units).isascii() and any(map(is_han, units))


@cache
def is_han(unit: str) -> bool:
    """Whether a unit is one Han character, which jieba can cut into words with its neighbours."""
    return (
        len(unit) == 1
        and not unit.isascii()
        and unicodedata.name(unit, "").startswith(("CJK UNIFIED", "IDEOGRAPHIC NUMBER"))
    )

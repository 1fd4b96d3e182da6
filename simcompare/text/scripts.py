"""Which characters make up units."""

import unicodedata
from collections.abc import Collection
from functools import cache

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

"""Bullets and numbers with which a line begins a list item: "•", "（1）", "2.", "[3]", "四、"."""

import re

_BULLETS = "•●■▪◦‣∙○□◆◇➢\uf0b7"
_BULLET = re.compile(rf"[{_BULLETS}]\s*")
# Further signs that begin items or notes below each other, but also lines within a paragraph.
_SIGN = re.compile(rf"[{_BULLETS}*–]")
# A cell with nothing but the sign, number or letter of an item.
_MARK = re.compile(rf"{_SIGN.pattern}|[\[(（]?[\dA-Za-z一二三四五六七八九十]{{1,3}}[\])）.、]")
_CHINESE_DIGITS = "一二三四五六七八九"
_NUMBER = re.compile(
    rf"(?P<opening>[(（\[]?)(?P<number>\d{{1,3}}|[{_CHINESE_DIGITS}十]{{1,3}})(?P<closing>[)）\]、．]|\.(?!\d))"
)


def bullet_length(text: str) -> int:
    """Return the number of characters of the bullet that begins a text and the blanks after it; 0 without."""
    match = _BULLET.match(text)
    return match.end() if match else 0


def is_mark(text: str) -> bool:
    """Return whether a text is only the bullet, number or letter of a list item."""
    return _MARK.fullmatch(text) is not None


def is_item(text: str) -> bool:
    """Return whether a text begins as a list item does."""
    return _SIGN.match(text) is not None or item_number(text) is not None


def is_next_item(first: str, text: str) -> bool:
    """Return whether a text begins with the sign, or the next number, of the item `first`."""
    if _SIGN.match(text):
        return first[:1] == text[:1]
    before, number = item_number(first), item_number(text)
    return before is not None and number == (before[0], before[1] + 1)


def item_number(text: str) -> tuple[str, int] | None:
    """Return the form and the value of the number of a list item: ("()", 2) of "(2) The bridge"."""
    match = _NUMBER.match(text)
    if match is None or (match["opening"] == "[") != (match["closing"] == "]"):
        return None
    number = match["number"]
    value = int(number) if number.isdecimal() else _chinese_value(number)
    return match["opening"] + match["closing"], value


def _chinese_value(number: str) -> int:
    """Return the value of a Chinese number below 100."""
    tens, ten, ones = number.rpartition("十")
    value = _CHINESE_DIGITS.find(ones) + 1 if ones else 0
    return value + (10 * (_CHINESE_DIGITS.find(tens) + 1 if tens else 1) if ten else 0)

"""A line of Markdown without the marks of emphasis, links and code; every step is linear in the line."""

import html
import re
from dataclasses import dataclass

HARD_BREAK = "\x1e"
"""Stands where a line is broken within a paragraph."""

_CODE = re.compile(r"(?<!`)(`{1,3})(?!`)([^`\n]++)\1(?!`)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_PICTURE = re.compile(r"!\[([^\[\]]*+)\](?:\((?:[^()\n]|\([^()\n]*+\))*+\)|\[[^\[\]]*+\])")
_LINK = re.compile(r"\[([^\[\]]++)\](?:\((?:[^()\n]|\([^()\n]*+\))*+\)|\[[^\[\]]*+\])")
_FOOTNOTE_SIGN = re.compile(r"\[\^[^\[\]\s]{1,50}\]")
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]++)>")
_BREAK = re.compile(r"<br[ \t]*/?>", re.IGNORECASE)
_UNSEEN = re.compile(r"<(script|style)\b[^<>]*+>[^<]*+</\1>", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][\w-]*+(?:[ \t][^<>]*+)?/?>")
_DELIMITER = re.compile(r"\*{1,3}|_{1,3}|~~|==")
# Literal characters are set aside as characters for private use, which come back at the end.
_ASIDE = 0x10F000
_FROM_ASIDE = re.compile("[\U0010f000-\U0010f07f]")


@dataclass(slots=True)
class _Opener:
    mark: str
    place: int


def rendered(line: str) -> str:
    """Return what a reader sees of a line."""
    line = _ESCAPE.sub(lambda match: _aside(match[1]), line)
    line = _CODE.sub(lambda match: "".join(map(_aside, match[2])), line)
    line = _AUTOLINK.sub(lambda match: "".join(map(_aside, match[1])), line)
    line = _PICTURE.sub("", _FOOTNOTE_SIGN.sub("", line))
    # a picture within a link is gone by now; a link within brackets comes free when it is read
    line = _LINK.sub(r"\1", line)
    line = _TAG.sub("", _UNSEEN.sub("", _BREAK.sub(HARD_BREAK, line)))
    return _FROM_ASIDE.sub(lambda match: chr(ord(match.group()) - _ASIDE), html.unescape(_unmarked(line)))


def _aside(character: str) -> str:
    return chr(_ASIDE + ord(character)) if character.isascii() else character


def _unmarked(line: str) -> str:
    """Take out the marks of emphasis that come in pairs; others are signs of their own."""
    openers: list[_Opener] = []
    gone: set[int] = set()
    marks = list(_DELIMITER.finditer(line))
    for number, match in enumerate(marks):
        before, after = line[match.start() - 1 : match.start()], line[match.end() : match.end() + 1]
        within = match.group()[0] == "_" and before.isalnum() and after.isalnum()
        closes = bool(before.strip()) and not within
        opens = bool(after.strip()) and not within
        # with another kind of mark in between, emphasis crosses emphasis: only the last one counts
        if closes and openers and openers[-1].mark == match.group():
            gone |= {openers.pop().place, number}
        elif opens:
            openers.append(_Opener(match.group(), number))
    kept, end = [], 0
    for number, match in enumerate(marks):
        if number in gone:
            kept.append(line[end : match.start()])
            end = match.end()
    return "".join(kept) + line[end:]

"""Rich Text as a sequence of words, signs, groups and bytes (RTF 1.9.1, "Contents of an RTF File")."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_WORD = re.compile(rb"\\(?P<name>[a-zA-Z]{1,40})(?P<number>-?\d{1,10})?[ ]?")
_CONTROLS = rb"\\[a-zA-Z]{1,40}(?:-?\d{1,10})?[ ]?|\\'[0-9a-fA-F]{2}|\\[^a-zA-Z]|[{}]|\\"
_TOKEN = re.compile(_CONTROLS + rb"|[^\\{}]+", re.DOTALL)
# The second byte of a Chinese character that is not escaped may look like a sign.
_TOKEN_OF_PAIRS = re.compile(
    rb"(?:[\x81-\xfe][\x40-\x7e\x80-\xfe]|[^\\{}])+|" + _CONTROLS,
    re.DOTALL,
)
_CHINESE = re.compile(rb"\\ansicpg(?:936|949|950)(?!\d)")
_HEAD_BYTES = 4096
_CONTROL_STARTS = frozenset(b"\\{}")
_LINE_ENDS = b"\r\n"
_BINARY = "bin"


@dataclass(frozen=True, slots=True)
class Word:
    r"""A control word such as `\fs24`, or a sign such as `\~`, whose `number` is None."""

    name: str
    number: int | None = None


Token = Word | bytes
OPEN, CLOSE = Word("begin of a group"), Word("end of a group")
_BRACES = {b"{": OPEN, b"}": CLOSE}


def tokens(data: bytes) -> Iterator[Token]:
    r"""Yield the words and signs, and between them the bytes, written as they are or as `\'hh`.

    Bytes of one character may come apart. What stands behind `\bin` is left out.
    """
    pattern = _TOKEN_OF_PAIRS if _CHINESE.search(data, 0, _HEAD_BYTES) else _TOKEN
    place = 0
    while place < len(data):
        for match in pattern.finditer(data, place):
            written = match[0]
            token = (
                _control(written) if written[0] in _CONTROL_STARTS else written.translate(None, _LINE_ENDS)
            )
            if isinstance(token, Word) and token.name == _BINARY:
                place = match.end() + max(token.number or 0, 0)
                break
            if token:
                yield token
        else:
            return


@lru_cache(maxsize=8192)
def _control(written: bytes) -> Token:
    if written in _BRACES:
        return _BRACES[written]
    word = _WORD.fullmatch(written)
    if word is not None:
        return Word(word["name"].decode("ascii"), int(word["number"]) if word["number"] else None)
    if written.startswith(b"\\'") and len(written) > len(b"\\'"):
        return bytes.fromhex(written[2:].decode("ascii"))
    return Word(written[1:].decode("latin-1"))

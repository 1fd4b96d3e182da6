"""Rich Text as a sequence of words, signs, groups and bytes (RTF 1.9.1, "Contents of an RTF File")."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    rb"\\(?P<word>[a-zA-Z]{1,40})(?P<number>-?\d{1,10})?[ ]?"
    rb"|\\'(?P<hex>[0-9a-fA-F]{2})"
    rb"|\\(?P<sign>[^a-zA-Z])"
    rb"|(?P<brace>[{}])"
    rb"|(?P<text>[^\\{}]+)"
    rb"|\\",
    re.DOTALL,
)
_LINE_ENDS = b"\r\n"
_BINARY = "bin"


@dataclass(frozen=True, slots=True)
class Word:
    r"""A control word such as `\fs24`, or a sign such as `\~`, whose `number` is None."""

    name: str
    number: int | None = None


Token = Word | bytes
OPEN, CLOSE = Word("{"), Word("}")


def tokens(data: bytes) -> Iterator[Token]:
    r"""Yield the words and signs, and between them the bytes, written as they are or as `\'hh`.

    Bytes of one character may come apart. What stands behind `\bin` is left out.
    """
    place = 0
    while place < len(data):
        for match in _TOKEN.finditer(data, place):
            token = _token(match)
            if isinstance(token, Word) and token.name == _BINARY:
                place = match.end() + max(token.number or 0, 0)
                break
            if token:
                yield token
        else:
            return


def _token(match: re.Match[bytes]) -> Token:
    kind = match.lastgroup
    if kind == "text":
        return match["text"].translate(None, _LINE_ENDS)
    if kind in {"word", "number"}:
        return Word(match["word"].decode("ascii"), int(match["number"]) if match["number"] else None)
    if kind == "hex":
        return bytes.fromhex(match["hex"].decode("ascii"))
    if kind == "brace":
        return OPEN if match["brace"] == b"{" else CLOSE
    return Word(match["sign"].decode("latin-1")) if kind == "sign" else b""

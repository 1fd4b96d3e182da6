"""Tokens of Rich Text and their meanings (RTF 1.9.1, "Contents of an RTF File")."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from simcompare.loading.formats.rtf.rtf_state import Destination, RtfCharacterFormat, RtfParagraphFormat
from simcompare.loading.shared.text_flow import LINE_END
from simcompare.model.document import DropReason

_WORD = re.compile(rb"\\(?P<name>[a-zA-Z]{1,40})(?P<number>-?\d{1,10})?[ ]?")
_CONTROLS = rb"\\[a-zA-Z]{1,40}(?:-?\d{1,10})?[ ]?|\\'[0-9a-fA-F]{2}|\\[^a-zA-Z]|[{}]|\\"
_TOKEN = re.compile(_CONTROLS + rb"|[^\\{}]+", re.DOTALL)
# The second byte of an unescaped Chinese character may equal a control character such as a brace.
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
class ControlWord:
    r"""A control word such as `\fs24`, or a control symbol such as `\~`, whose `number` is None."""

    name: str
    number: int | None = None


Token = ControlWord | bytes
OPEN, CLOSE = ControlWord("begin of a group"), ControlWord("end of a group")
_BRACES = {b"{": OPEN, b"}": CLOSE}


def tokens(data: bytes) -> Iterator[Token]:
    r"""Yield control words and symbols, and the bytes between them, literal or as `\'hh`.

    Bytes of one character may be split. Data after `\bin` is skipped.
    """
    pattern = _TOKEN_OF_PAIRS if _CHINESE.search(data, 0, _HEAD_BYTES) else _TOKEN
    place = 0
    while place < len(data):
        for match in pattern.finditer(data, place):
            written = match[0]
            token = (
                _control(written) if written[0] in _CONTROL_STARTS else written.translate(None, _LINE_ENDS)
            )
            if isinstance(token, ControlWord) and token.name == _BINARY:
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
        return ControlWord(word["name"].decode("ascii"), int(word["number"]) if word["number"] else None)
    if written.startswith(b"\\'") and len(written) > len(b"\\'"):
        return bytes.fromhex(written[2:].decode("ascii"))
    return ControlWord(written[1:].decode("latin-1"))


# Groups without visible text. So is every group after `\*` that is not listed below.
_IGNORED = (
    "aftncn aftnsep aftnsepc atnauthor atndate atnicn atnid atnparent atnref atntime atrfend atrfstart "
    "bkmkend bkmkstart blipuid buptim category colorschememapping comment company "
    "datafield datastore defchp defpap doccomm falt ffdeftext ffentrymcr ffexitmcr ffformat ffhelptext "
    "ffl ffname ffstattext filetbl formfield ftncn ftnsep ftnsepc hlinkbase keywords "
    "latentstyles listoverridetable listpicture listtable manager mmathPict mmathPr nonesttables "
    "nonshppict objclass objdata objname panose pgptbl pn pnseclvl printim private revtbl "
    "rsidtbl rxe shprslt subject tc tcn template themedata txe userprops xe xmlnstbl"
)
# Groups whose own text is dropped, but not that of nested groups.
_CONTAINERS = "background do info object shp shpgrp shpinst shppict sp"
_TEXT_GROUPS = "dptxbxtext fldrslt mmath moMath moMathPara nesttableprops result rtf shptxt"
DESTINATIONS = (
    dict.fromkeys(_IGNORED.split(), Destination.OUT)
    | dict.fromkeys(_CONTAINERS.split(), Destination.NOTHING)
    | dict.fromkeys(_TEXT_GROUPS.split(), Destination.TEXT)
    | {
        "fonttbl": Destination.FONTS,
        "colortbl": Destination.COLOURS,
        "stylesheet": Destination.STYLES,
        "title": Destination.TITLE,
        "author": Destination.AUTHOR,
        "operator": Destination.LAST_AUTHOR,
        "generator": Destination.PROGRAM,
        "creatim": Destination.CREATED,
        "revtim": Destination.LAST_SAVED,
        "fldinst": Destination.COMMAND,
        "sn": Destination.SHAPE_NAME,
        "sv": Destination.SHAPE_VALUE,
        "pict": Destination.PICTURE,
    }
)
DROPPED_DESTINATIONS = (
    dict.fromkeys(("header", "headerl", "headerr", "headerf"), DropReason.PAGE_HEADER)
    | dict.fromkeys(("footer", "footerl", "footerr", "footerf"), DropReason.PAGE_FOOTER)
    | {"annotation": DropReason.COMMENT}
)
NOTES = "footnote"
BOXES = frozenset({"shptxt", "dptxbxtext"})
LIST_NUMBERS = frozenset({"listtext", "pntext"})
GROUP_WORDS = frozenset(
    {*DESTINATIONS, *DROPPED_DESTINATIONS, NOTES, *BOXES, *LIST_NUMBERS, "field", "upr", "ud"}
)
EQUATIONS = frozenset({"mmath", "moMath", "moMathPara"})


CHARACTER_OF_WORD = {
    "line": LINE_END,
    "page": LINE_END,
    "column": LINE_END,
    "tab": " ",
    "emspace": "\u2003",
    "enspace": "\u2002",
    "qmspace": "\u2005",
    "emdash": "—",
    "endash": "–",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "bullet": "•",
    "zwj": "\u200d",
    "zwnj": "\u200c",
    "zwbo": "\u200b",
    "zwnbo": "\u2060",
    "~": "\xa0",
    "_": "-",
}
# Control characters that are literal when escaped.
ESCAPED_BYTES = frozenset("\\{}")
# An escaped line end also ends a paragraph.
PARAGRAPH_ENDS = frozenset({"par", "sect", "\n", "\r"})

_CharacterChange = Callable[[RtfCharacterFormat, int | None], RtfCharacterFormat]
_ParagraphChange = Callable[[RtfParagraphFormat, int | None], RtfParagraphFormat]

# A toggle without a number is on, a value without one is 0.
CHARACTER_WORDS: dict[str, _CharacterChange] = {
    "plain": lambda _now, _by: RtfCharacterFormat(),
    "f": lambda current, number: replace(current, font=number),
    "fs": lambda current, number: replace(current, half_points=24 if number is None else number),
    "b": lambda current, number: replace(current, bold=number != 0),
    "dbch": lambda current, _by: replace(current, applies_to_chinese=True),
    "loch": lambda current, _by: replace(current, applies_to_chinese=False),
    "hich": lambda current, _by: replace(current, applies_to_chinese=False),
    "rtlch": lambda current, _by: replace(current, applies_to_chinese=False),
    "ltrch": lambda current, _by: replace(current, applies_to_chinese=False),
    "afs": lambda current, number: (
        replace(current, chinese_half_points=number) if current.applies_to_chinese else current
    ),
    "ab": lambda current, number: (
        replace(current, chinese_bold=number != 0) if current.applies_to_chinese else current
    ),
    "v": lambda current, number: replace(current, hidden=number != 0),
    "deleted": lambda current, number: replace(current, deleted=number != 0),
    "cf": lambda current, number: replace(current, colour=number or 0),
    "cb": lambda current, number: replace(current, background=number or 0),
    "chcbpat": lambda current, number: replace(current, background=number or 0),
    "highlight": lambda current, number: replace(current, background=number or 0),
    "chshdng": lambda current, number: replace(current, pattern=number or 0),
}
PARAGRAPH_WORDS: dict[str, _ParagraphChange] = {
    "pard": lambda _now, _by: RtfParagraphFormat(),
    "s": lambda current, number: replace(current, style=number or 0),
    "outlinelevel": lambda current, number: replace(current, level=number or 0),
    "qc": lambda current, _by: replace(current, centred=True),
    "ql": lambda current, _by: replace(current, centred=False),
    "qr": lambda current, _by: replace(current, centred=False),
    "qj": lambda current, _by: replace(current, centred=False),
    "qd": lambda current, _by: replace(current, centred=False),
    "ls": lambda current, number: replace(current, is_listed=bool(number)),
    "cbpat": lambda current, number: replace(current, background=number or 0),
    "shading": lambda current, number: replace(current, pattern=number or 0),
    "dropcapt": lambda current, number: replace(current, is_drop_cap=bool(number)),
    "intbl": lambda current, number: replace(current, depth=max(current.depth, 1) if number != 0 else 0),
    "itap": lambda current, number: replace(current, depth=max(number or 0, 0)),
}

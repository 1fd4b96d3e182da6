"""Rich Text as a sequence of words, signs, groups and bytes (RTF 1.9.1, "Contents of an RTF File")."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from simcompare.loading.formats.rtf.rtf_state import Characters, Into, ParagraphState
from simcompare.loading.shared.text_flow import LINE_END
from simcompare.model.receipt import DropReason

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


# What nobody sees. So is every group behind `\*` that is not named below.
_OUT = (
    "aftncn aftnsep aftnsepc atnauthor atndate atnicn atnid atnparent atnref atntime atrfend atrfstart "
    "bkmkend bkmkstart blipuid buptim category colorschememapping comment company "
    "datafield datastore defchp defpap doccomm falt ffdeftext ffentrymcr ffexitmcr ffformat ffhelptext "
    "ffl ffname ffstattext filetbl formfield ftncn ftnsep ftnsepc hlinkbase keywords "
    "latentstyles listoverridetable listpicture listtable manager mmathPict mmathPr nonesttables "
    "nonshppict objclass objdata objname panose pgptbl pn pnseclvl printim private revtbl "
    "rsidtbl rxe shprslt subject tc tcn template themedata txe userprops xe xmlnstbl"
)
# Their own text is not for reading, but that of groups within them is.
_AROUND = "background do info object shp shpgrp shpinst shppict sp"
_TEXT = "dptxbxtext fldrslt mmath moMath moMathPara nesttableprops result rtf shptxt"
PURPOSES = (
    dict.fromkeys(_OUT.split(), Into.OUT)
    | dict.fromkeys(_AROUND.split(), Into.NOTHING)
    | dict.fromkeys(_TEXT.split(), Into.TEXT)
    | {
        "fonttbl": Into.FONTS,
        "colortbl": Into.COLOURS,
        "stylesheet": Into.STYLES,
        "title": Into.TITLE,
        "author": Into.AUTHOR,
        "operator": Into.LAST_AUTHOR,
        "generator": Into.PROGRAM,
        "creatim": Into.CREATED,
        "revtim": Into.LAST_SAVED,
        "fldinst": Into.COMMAND,
        "sn": Into.SHAPE_NAME,
        "sv": Into.SHAPE_VALUE,
        "pict": Into.PICTURE,
    }
)
BESIDE_THE_TEXT = (
    dict.fromkeys(("header", "headerl", "headerr", "headerf"), DropReason.PAGE_HEADER)
    | dict.fromkeys(("footer", "footerl", "footerr", "footerf"), DropReason.PAGE_FOOTER)
    | {"annotation": DropReason.COMMENT}
)
NOTES = "footnote"
BOXES = frozenset({"shptxt", "dptxbxtext"})
LIST_NUMBERS = frozenset({"listtext", "pntext"})
NAMES = frozenset({*PURPOSES, *BESIDE_THE_TEXT, NOTES, *BOXES, *LIST_NUMBERS, "field", "upr", "ud"})
EQUATIONS = frozenset({"mmath", "moMath", "moMathPara"})


SHOWN = {
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
# Signs that are bytes like any other once they are escaped.
ESCAPED = frozenset("\\{}")
# An escaped line end ends a paragraph.
PARAGRAPH_ENDS = frozenset({"par", "sect", "\n", "\r"})

_CharacterChange = Callable[[Characters, int | None], Characters]
_ParagraphChange = Callable[[ParagraphState, int | None], ParagraphState]

# A switch without a number is on, a value without one is 0.
CHARACTER_WORDS: dict[str, _CharacterChange] = {
    "plain": lambda _now, _by: Characters(),
    "f": lambda now, by: replace(now, font=by),
    "fs": lambda now, by: replace(now, half_points=24 if by is None else by),
    "b": lambda now, by: replace(now, bold=by != 0),
    "dbch": lambda now, _by: replace(now, tells_of_chinese=True),
    "loch": lambda now, _by: replace(now, tells_of_chinese=False),
    "hich": lambda now, _by: replace(now, tells_of_chinese=False),
    "rtlch": lambda now, _by: replace(now, tells_of_chinese=False),
    "ltrch": lambda now, _by: replace(now, tells_of_chinese=False),
    "afs": lambda now, by: replace(now, chinese_half_points=by) if now.tells_of_chinese else now,
    "ab": lambda now, by: replace(now, chinese_bold=by != 0) if now.tells_of_chinese else now,
    "v": lambda now, by: replace(now, hidden=by != 0),
    "deleted": lambda now, by: replace(now, deleted=by != 0),
    "cf": lambda now, by: replace(now, colour=by or 0),
    "cb": lambda now, by: replace(now, ground=by or 0),
    "chcbpat": lambda now, by: replace(now, ground=by or 0),
    "highlight": lambda now, by: replace(now, ground=by or 0),
    "chshdng": lambda now, by: replace(now, pattern=by or 0),
}
PARAGRAPH_WORDS: dict[str, _ParagraphChange] = {
    "pard": lambda _now, _by: ParagraphState(),
    "s": lambda now, by: replace(now, style=by or 0),
    "outlinelevel": lambda now, by: replace(now, level=by or 0),
    "qc": lambda now, _by: replace(now, centred=True),
    "ql": lambda now, _by: replace(now, centred=False),
    "qr": lambda now, _by: replace(now, centred=False),
    "qj": lambda now, _by: replace(now, centred=False),
    "qd": lambda now, _by: replace(now, centred=False),
    "ls": lambda now, by: replace(now, is_listed=bool(by)),
    "cbpat": lambda now, by: replace(now, ground=by or 0),
    "shading": lambda now, by: replace(now, pattern=by or 0),
    "dropcapt": lambda now, by: replace(now, is_drop_cap=bool(by)),
    "intbl": lambda now, by: replace(now, depth=max(now.depth, 1) if by != 0 else 0),
    "itap": lambda now, by: replace(now, depth=max(by or 0, 0)),
}

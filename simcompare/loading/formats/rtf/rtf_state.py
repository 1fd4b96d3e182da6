"""Tokens of Rich Text, and the state while it is read: fonts, colours, styles, rows, formats of a group."""

import re
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import lru_cache

from simcompare.loading.formats.plain.encodings import encoding_of_charset, encoding_of_code_page
from simcompare.loading.shared.text_flow import LINE_END, TextFlow
from simcompare.loading.shared.visibility import is_contents_style, kind_by_names, style_chain
from simcompare.loading.shared.word_fields import WordField
from simcompare.model.document import BlockKind, DropReason

_SYMBOLS = "symbols"
_SYMBOL_CHARSET = 2
_SYMBOLS_START = 0xF000
_WHITE_NEAR = 0xF0
_BODY_LEVEL = 9
_PAIR = re.compile(rb"[\x81-\xfe][\x40-\x7e\x80-\xfe]")
_PAIRS = re.compile(rb"(?:[\x00-\x7f]|[\x81-\xfe][\x40-\x7e\x80-\xfe])*")
_DOUBLE_BYTE = frozenset({"gb18030", "cp950", "cp932", "cp949"})


class RtfFonts:
    """Encodings of the fonts, and the default encoding."""

    def __init__(self) -> None:
        self.default = "cp1252"
        self.first: int | None = None
        self._encodings: dict[int, str] = {}

    def set_charset(self, font: int, set_charset: int) -> None:
        found = _SYMBOLS if set_charset == _SYMBOL_CHARSET else encoding_of_charset(set_charset)
        if found:
            self._encodings[font] = found

    def set_code_page(self, font: int, number: int) -> None:
        self._encodings[font] = encoding_of_code_page(number)

    def decoded(self, data: bytes, font: int | None) -> str:
        font = self.first if font is None else font
        encoding = self.default if font is None else self._encodings.get(font, self.default)
        if encoding == _SYMBOLS:
            return "".join(chr(_SYMBOLS_START + byte) for byte in data)
        if encoding == "cp1252" and self.default in _DOUBLE_BYTE and _is_of_pairs(data):
            # Some programs declare a Western font for Chinese text.
            encoding = self.default
        return data.decode(encoding, "replace")


def _is_of_pairs(data: bytes) -> bool:
    """Return whether bytes are pairs, mostly of two high bytes: Chinese rather than accented letters."""
    if not _PAIRS.fullmatch(data):
        return False
    pairs: list[bytes] = _PAIR.findall(data)
    return 2 * sum(pair[1] >= 0x80 for pair in pairs) >= len(pairs)


class RtfColours:
    """Colour table; colour 0 is chosen by the program."""

    def __init__(self) -> None:
        self._colours: list[dict[str, int]] = [{}]

    def part(self, name: str, value: int) -> None:
        self._colours[-1][name] = value

    def end(self, count: int) -> None:
        self._colours += [{} for _colour in range(min(count, 10_000))]

    def is_white(self, number: int) -> bool:
        """Return whether a colour is white or nearly white."""
        parts = self._colours[number] if 0 <= number < len(self._colours) else {}
        return len(parts) == 3 and all(value >= _WHITE_NEAR for value in parts.values())

    def is_dark(self, number: int) -> bool:
        """Return whether a colour is defined and not white."""
        return 0 <= number < len(self._colours) and bool(self._colours[number]) and not self.is_white(number)


@dataclass(slots=True)
class RtfStyle:
    number: int = 0
    # none by default
    base: int = -1
    level: int = _BODY_LEVEL
    half_points: int | None = None
    is_of_paragraphs: bool = True
    name: str = ""


class RtfStyles:
    """Styles by number, with inheritance."""

    def __init__(self) -> None:
        self._styles: dict[int, RtfStyle] = {}
        self.kind = lru_cache(maxsize=None)(self._kind)
        self.is_contents = lru_cache(maxsize=None)(self._is_contents)

    def add(self, style: RtfStyle) -> None:
        """Add a style; character styles are ignored."""
        if style.is_of_paragraphs:
            self._styles[style.number] = style
            self.kind.cache_clear()
            self.is_contents.cache_clear()

    def _kind(self, number: int) -> BlockKind | None:
        chain = style_chain(self._styles.get(number), lambda style: self._styles.get(style.base))
        if kind := kind_by_names([_name(style) for style in chain]):
            return kind
        return BlockKind.HEADING if any(style.level < _BODY_LEVEL for style in chain) else None

    def _is_contents(self, number: int) -> bool:
        style = self._styles.get(number)
        return style is not None and is_contents_style(_name(style))

    def body_half_points(self) -> float:
        return (self._styles.get(0) or RtfStyle()).half_points or 24


def _name(style: RtfStyle) -> str:
    """Return a style's name in lower case, without its aliases."""
    return style.name.partition(";")[0].partition(",")[0].strip().lower()


class RtfRow:
    r"""Cell properties of a row, set by `\trowd` and the words after it."""

    def __init__(self, colours: RtfColours) -> None:
        self._colours = colours
        self.shaded: list[bool] = []
        self.merged: list[bool] = []
        self._is_shaded = self._is_merged = False

    def word(self, name: str, number: int) -> None:
        r"""Apply a control word; `\cellx` ends the properties of a cell."""
        if name == "trowd":
            self.shaded, self.merged = [], []
            self._is_shaded = self._is_merged = False
        elif name == "clcbpat":
            self._is_shaded = self._is_shaded or self._colours.is_dark(number)
        elif name == "clshdng":
            self._is_shaded = self._is_shaded or number > 0
        elif name == "clmrg":
            self._is_merged = True
        elif name == "cellx":
            self.shaded.append(self._is_shaded)
            self.merged.append(self._is_merged)
            self._is_shaded = self._is_merged = False


ROW_WORDS = frozenset({"trowd", "clcbpat", "clshdng", "clmrg", "cellx"})


class Destination(Enum):
    TEXT = auto()
    # The group's own text is dropped, that of nested groups may be kept.
    NOTHING = auto()
    # The group is dropped with all nested groups.
    OUT = auto()
    FONTS = auto()
    COLOURS = auto()
    STYLES = auto()
    TITLE = auto()
    AUTHOR = auto()
    LAST_AUTHOR = auto()
    PROGRAM = auto()
    CREATED = auto()
    LAST_SAVED = auto()
    COMMAND = auto()
    SHAPE_NAME = auto()
    SHAPE_VALUE = auto()
    PICTURE = auto()


@dataclass(frozen=True, slots=True)
class RtfCharacterFormat:
    r"""Character format; colours are indexes of the colour table.

    LibreOffice writes size and weight of Chinese characters separately, after `\dbch`.
    """

    font: int | None = None
    half_points: int = 24
    bold: bool = False
    hidden: bool = False
    deleted: bool = False
    colour: int = 0
    background: int = 0
    pattern: int = 0
    applies_to_chinese: bool = False
    chinese_half_points: int | None = None
    chinese_bold: bool | None = None

    def for_chinese(self) -> "RtfCharacterFormat":
        size, bold = self.chinese_half_points, self.chinese_bold
        return replace(
            self,
            half_points=self.half_points if size is None else size,
            bold=self.bold if bold is None else bold,
        )


@dataclass(frozen=True, slots=True)
class RtfParagraphFormat:
    """Paragraph format. `depth` counts the enclosing tables; `level` is a heading level, from 0.

    A drop cap is the large initial of the next paragraph.
    """

    style: int = 0
    level: int = _BODY_LEVEL
    centred: bool = False
    is_listed: bool = False
    background: int = 0
    pattern: int = 0
    depth: int = 0
    is_drop_cap: bool = False

    @property
    def is_heading(self) -> bool:
        return self.level < _BODY_LEVEL


@dataclass(slots=True)
class RtfGroupState:
    """State within a group. `at_end` is called with the final state at the end of this group."""

    flow: TextFlow
    destination: Destination = Destination.TEXT
    # Outside of an \upr group, which holds its text twice, for old and for new programs.
    outer_destination: Destination = Destination.TEXT
    characters: RtfCharacterFormat = RtfCharacterFormat()
    paragraph: RtfParagraphFormat = RtfParagraphFormat()
    skipped_after_unicode: int = 1
    in_contents: bool = False
    in_equation: bool = False
    is_page: bool = False
    is_endnote: bool = False
    has_text: bool = False
    field: WordField | None = None
    at_end: "Callable[[RtfGroupState], None] | None" = None

    def inner_state(self) -> "RtfGroupState":
        inner = copy(self)
        inner.at_end = None
        inner.has_text = False
        return inner


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

"""What a Rich Text file says beforehand of its fonts, colours and styles."""

import re
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import lru_cache

from simcompare.loading.formats.plain.text_likelihood import encoding_of_charset, encoding_of_code_page
from simcompare.loading.shared.style_names import is_contents_style, kind_by_names
from simcompare.loading.shared.text_flow import TextFlow
from simcompare.loading.shared.word_fields import WordField
from simcompare.model.document import BlockKind

_SYMBOLS = "symbols"
_SYMBOL_CHARSET = 2
_SYMBOLS_START = 0xF000
_WHITE_NEAR = 0xF0
_BODY_LEVEL = 9
_MOST_ANCESTORS = 12
_PAIR = re.compile(rb"[\x81-\xfe][\x40-\x7e\x80-\xfe]")
_PAIRS = re.compile(rb"(?:[\x00-\x7f]|[\x81-\xfe][\x40-\x7e\x80-\xfe])*")
_DOUBLE_BYTE = frozenset({"gb18030", "cp950", "cp932", "cp949"})


class RtfFonts:
    """The encodings of the fonts, and that of all the others."""

    def __init__(self) -> None:
        self.default = "cp1252"
        self.first: int | None = None
        self._encodings: dict[int, str] = {}

    def set_charset(self, font: int, set_charset: int) -> None:
        """Take in the character set of a font."""
        found = _SYMBOLS if set_charset == _SYMBOL_CHARSET else encoding_of_charset(set_charset)
        if found:
            self._encodings[font] = found

    def set_code_page(self, font: int, number: int) -> None:
        """Take in the code page of a font."""
        self._encodings[font] = encoding_of_code_page(number)

    def decoded(self, data: bytes, font: int | None) -> str:
        """Return bytes in a font as text."""
        font = self.first if font is None else font
        encoding = self.default if font is None else self._encodings.get(font, self.default)
        if encoding == _SYMBOLS:
            return "".join(chr(_SYMBOLS_START + byte) for byte in data)
        if encoding == "cp1252" and self.default in _DOUBLE_BYTE and _is_of_pairs(data):
            # Some programs call the font of a Chinese text a Western one.
            encoding = self.default
        return data.decode(encoding, "replace")


def _is_of_pairs(data: bytes) -> bool:
    """Return whether bytes are pairs, most of two high ones, as Chinese has them and accented letters not."""
    if not _PAIRS.fullmatch(data):
        return False
    pairs: list[bytes] = _PAIR.findall(data)
    return 2 * sum(pair[1] >= 0x80 for pair in pairs) >= len(pairs)


class RtfColours:
    """The colours by their numbers; 0 is what the reader's program chooses."""

    def __init__(self) -> None:
        self._colours: list[dict[str, int]] = [{}]

    def part(self, name: str, value: int) -> None:
        """Take in the red, green or blue of the colour that is being told."""
        self._colours[-1][name] = value

    def end(self, count: int) -> None:
        """End so many colours."""
        self._colours += [{} for _colour in range(min(count, 10_000))]

    def is_white(self, number: int) -> bool:
        """Return whether a colour is white or next to it."""
        parts = self._colours[number] if 0 <= number < len(self._colours) else {}
        return len(parts) == 3 and all(value >= _WHITE_NEAR for value in parts.values())

    def is_dark(self, number: int) -> bool:
        """Return whether a colour is told and is not white."""
        return 0 <= number < len(self._colours) and bool(self._colours[number]) and not self.is_white(number)


@dataclass(slots=True)
class RtfStyle:
    """A style of paragraphs."""

    number: int = 0
    base: int | None = None
    level: int = _BODY_LEVEL
    half_points: int | None = None
    is_of_paragraphs: bool = True
    name: str = ""


class RtfStyles:
    """The styles by their numbers."""

    def __init__(self) -> None:
        self._styles: dict[int, RtfStyle] = {}
        self.kind = lru_cache(maxsize=None)(self._kind)
        self.is_contents = lru_cache(maxsize=None)(self._is_contents)

    def add(self, style: RtfStyle) -> None:
        """Take in a style that has been told."""
        if style.is_of_paragraphs:
            self._styles[style.number] = style
            self.kind.cache_clear()
            self.is_contents.cache_clear()

    def _kind(self, number: int) -> BlockKind | None:
        """Return what paragraphs of a style are, None where it says nothing of it."""
        chain = self._chain(number)
        if kind := kind_by_names([_name(style) for style in chain]):
            return kind
        return BlockKind.HEADING if any(style.level < _BODY_LEVEL for style in chain) else None

    def _is_contents(self, number: int) -> bool:
        """Return whether paragraphs of a style are lines of a table of contents."""
        style = self._styles.get(number)
        return style is not None and is_contents_style(_name(style))

    def body_half_points(self) -> float:
        """Return the size of ordinary text."""
        return (self._styles.get(0) or RtfStyle()).half_points or 24

    def _chain(self, number: int | None) -> list[RtfStyle]:
        """Return a style and what it is based on; it may name itself."""
        chain: list[RtfStyle] = []
        while number is not None and (style := self._styles.get(number)) and len(chain) < _MOST_ANCESTORS:
            chain.append(style)
            number = style.base
        return chain


def _name(style: RtfStyle) -> str:
    """Return a style's name in small letters, without its aliases."""
    return style.name.partition(";")[0].partition(",")[0].strip().lower()


class RtfRow:
    r"""The cells of a row, as `\trowd` and what follows it tells of them."""

    def __init__(self, colours: RtfColours) -> None:
        self._colours = colours
        self.shaded: list[bool] = []
        self.merged: list[bool] = []
        self._is_shaded = self._is_merged = False

    def word(self, name: str, number: int) -> None:
        r"""Take a word; `\cellx` ends what is told of a cell."""
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
    """Where the text of a group goes."""

    TEXT = auto()
    # The text here is not for reading, that of groups within may be.
    NOTHING = auto()
    # Nothing within is for reading.
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
    r"""How characters look. Colours are numbers of the table.

    Beside what holds for all, LibreOffice tells size and weight of Chinese characters, behind `\dbch`.
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
        """Return how Chinese characters look."""
        size, bold = self.chinese_half_points, self.chinese_bold
        return replace(
            self,
            half_points=self.half_points if size is None else size,
            bold=self.bold if bold is None else bold,
        )


@dataclass(frozen=True, slots=True)
class RtfParagraphFormat:
    """What a paragraph is. `depth` counts the tables outer it; `level` is that of a heading, from 0.

    A drop cap is the large letter that the next paragraph begins with.
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
        """Whether the paragraph has a heading's level of its own."""
        return self.level < _BODY_LEVEL


@dataclass(slots=True)
class RtfGroupState:
    """What holds inside a group. `at_end` is done when just this group ends, with what then holds."""

    flow: TextFlow
    destination: Destination = Destination.TEXT
    # Where the text went around the group that gives it twice, for old programs and for new ones.
    outer_destination: Destination = Destination.TEXT
    characters: RtfCharacterFormat = RtfCharacterFormat()
    paragraph: RtfParagraphFormat = RtfParagraphFormat()
    skipped_after_unicode: int = 1
    in_contents: bool = False
    in_equation: bool = False
    is_page: bool = False
    is_endnote: bool = False
    field: WordField | None = None
    at_end: "Callable[[RtfGroupState], None] | None" = None

    def inner_state(self) -> "RtfGroupState":
        """Return what holds at the beginning of a group within."""
        inner = copy(self)
        inner.at_end = None
        return inner

"""Lines of text on a page, built from glyphs in the same way for both PDF readers."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from statistics import median
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from simcompare.model.document import DropReason

Boxes = NDArray[np.float64]
Item = TypeVar("Item")

CJK = re.compile(
    r"[\u2e80-\u303f\u3040-\u30ff\u3100-\u312f\u31a0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f"
    r"\uff00-\uffef\U00020000-\U0003ffff]"
)
FIRST_CJK = "\u2e80"
# A hyphen behind a letter at the end of a line.
LINE_BREAK_HYPHEN = re.compile(r"[^\W\d_]-$")
# "1990-", "10–" and "town—" at the end of a line: the next line follows without a space.
_JOINING_SIGN = re.compile(r"(?:\d[-‐‑]|\w[–—])$")
# Lines do not break at quotation marks of this form: programs cannot know whether they open or close.
_WORD_WITH_SIGNS = r"(?:[^\s\u2e80-\uffef“”‘’]+|.)[，。、；：？！」』）》〉】…]*"
UNBROKEN = re.compile(rf"[“”‘’「『（《〈【]*{_WORD_WITH_SIGNS}(?:[“”‘’]+{_WORD_WITH_SIGNS})*[“”‘’]*")
# A gap wider than this many font sizes is a column or a tab, not a stretched line.
_WIDE_GAP = 1.0
# Programs set a quarter of the font size between Chinese and Latin letters.
_TAB_GAP = 0.4


class Glyph(NamedTuple):
    """A character and its box in points, y upwards; `generated` is a space that the reader added.

    `origin` is the index of its box among those of the page.
    """

    char: str
    x0: float
    y0: float
    x1: float
    y1: float
    generated: bool = False
    origin: int = -1


@dataclass(slots=True)
class PdfLine:
    """A line on its page; not frozen, which would make the thousands of a document slow to build.

    A `hyphenated` line ends within a word; after a `spaced` line a space was drawn. `origins` has the
    index of the box of each character among those of the page, -1 for none. `gaps` are wide spaces: the
    origin of the next character, and the ends of the gap. Lines of a table have a `row` above 0.
    `headroom` is the height in points of phonetic guides above its characters. `first_width` is the width of
    its first word or Chinese character with its signs, 0 if unknown. A `turned` line has another direction
    than most lines of the page; `pale` is known only of turned and large ones. A `typed` line was typed into
    a form field or an annotation.
    """

    page: int
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool = False
    hyphenated: bool = False
    spaced: bool = False
    origins: Sequence[int] = field(default=(), repr=False)
    gaps: Sequence[tuple[int, float, float]] = field(default=(), repr=False)
    row: int = 0
    cell: int = 0
    headroom: float = 0.0
    first_width: float = 0.0
    turned: bool = False
    pale: bool = False
    typed: bool = False

    def __post_init__(self) -> None:
        if not self.origins:
            self.origins = [-1] * len(self.text)

    def picked(self, places: Iterable[int]) -> "PdfLine":
        places = list(places)
        text = "".join(self.text[place] for place in places)
        return replace(self, text=text, origins=[self.origins[place] for place in places], first_width=0.0)

    def parts(self) -> "list[PdfLine]":
        gaps = [gap for gap in self.gaps if gap[0] in self.origins]
        places = [0, *(self.origins.index(origin) for origin, _x1, _x0 in gaps), len(self.text)]
        begins = [self.x0, *(x0 for _origin, _x1, x0 in gaps)]
        ends = [*(x1 for _origin, x1, _x0 in gaps), self.x1]
        parts = []
        for (first, stop), x0, x1 in zip(pairwise(places), begins, ends, strict=True):
            kept = range(first, first + len(self.text[first:stop].rstrip()))
            parts.append(self.picked(kept))
            parts[-1].x0, parts[-1].x1, parts[-1].gaps = x0, x1, ()
        return parts


@dataclass(frozen=True, slots=True)
class TypedText:
    """Lines that a user typed into a form field or an annotation.

    `box` has x0, y0, x1, y1 in the coordinates of lines, `page_box` on the unrotated page; `size` is the
    font size, 0 if automatic. `is_field`: typed into a field, not anywhere on the page.
    """

    lines: tuple[str, ...]
    box: tuple[float, float, float, float]
    page_box: tuple[float, float, float, float]
    size: float
    is_field: bool


@dataclass(frozen=True, slots=True)
class PdfPage:
    """Lines of a page in content order; `low` and `high` are its vertical bounds.

    `boxes`, shape (n, 4), are x0, y0, x1, y1 on the unrotated page; the `origins` of lines are their
    indexes. `unreadable` is the share of characters whose meaning is unknown; a page `is_picture_only` if
    it has pictures and no text. `dropped` is text that is in none of the lines, with the reason; `raised`
    are the origins of small characters above the line. `typed` is the text of form fields and annotations
    that is not yet among the lines; `annotations` is that which is not taken, with the reason.
    """

    number: int
    low: float
    high: float
    lines: Sequence[PdfLine] = field(repr=False)
    boxes: Boxes = field(default_factory=lambda: np.empty((0, 4)), repr=False)
    unreadable: float = 0.0
    is_picture_only: bool = False
    dropped: Sequence[tuple[DropReason, str]] = ()
    raised: frozenset[int] = frozenset()
    typed: Sequence[TypedText] = ()
    annotations: Sequence[tuple[DropReason, str]] = ()

    @property
    def characters(self) -> int:
        """Number of characters without spaces."""
        return sum(len(line.text) - line.text.count(" ") for line in self.lines)


def divided(items: Iterable[Item], begins: Callable[[Item, Item], bool]) -> Iterator[list[Item]]:
    """Yield runs of items; `begins` returns whether the second of two neighbours begins another run."""
    run: list[Item] = []
    for item in items:
        if run and begins(run[-1], item):
            yield run
            run = []
        run.append(item)
    if run:
        yield run


def weighted_median(weighted: Iterable[tuple[float, float]]) -> float:
    """Return the median of values with weights, 0 if there are none."""
    ordered = sorted(weighted)
    half = sum(weight for _value, weight in ordered) / 2
    for value, weight in ordered:
        half -= weight
        if half <= 0:
            return value
    return 0.0


def is_cjk(text: str) -> bool:
    """Return whether a character is Chinese, Japanese or full-width."""
    return CJK.match(text) is not None


def unbroken_length(text: str) -> int:
    """Return the length of the first word or Chinese character of a text, with its signs."""
    unbroken = UNBROKEN.match(text)
    return unbroken.end() if unbroken else 1


def line_of(
    page: int, glyphs: Sequence[Glyph], size: float, *, bold: bool, spaces_drawn: bool
) -> PdfLine | None:
    """Join glyphs to a line; None if all are spaces.

    On a page where spaces are not drawn, the generated spaces between words are kept.
    """
    drawn = [glyph for glyph in glyphs if not glyph.char.isspace()]
    if not drawn:
        return None
    chars = chars_of(glyphs, size, spaces_drawn=spaces_drawn)
    text = "".join(chars)
    origins = [glyph.origin for char, glyph in zip(chars, glyphs, strict=True) for _ in char]
    begin, end = len(text) - len(text.lstrip()), len(text.rstrip())
    last = unbroken_length(text[begin:end]) - 1
    return PdfLine(
        page,
        text[begin:end],
        x0=min(glyph.x0 for glyph in drawn),
        # Glyphs of another font are lower or higher; the median is the line's position.
        y0=median(glyph.y0 for glyph in drawn),
        x1=max(glyph.x1 for glyph in drawn),
        y1=median(glyph.y1 for glyph in drawn),
        size=size,
        bold=bold,
        spaced=text.endswith(" "),
        origins=origins[begin:end],
        first_width=max(0.0, (drawn[last].x1 if last < len(drawn) else 0) - drawn[0].x0),
    )


def chars_of(glyphs: Sequence[Glyph], size: float, *, spaces_drawn: bool) -> list[str]:
    """Drop the spaces that readers generate in the gaps of justified Chinese.

    Beside a word, a gap wider than the usual one of the line is kept: a tab after a list number.
    """
    chars = [glyph.char for glyph in glyphs]
    usual_gap: float | None = None
    for number, (before, space, after) in enumerate(zip(glyphs, glyphs[1:], glyphs[2:], strict=False), 1):
        if not space.generated or chars[number - 1] < FIRST_CJK > after.char:
            continue
        gap = after.x0 - before.x1
        chinese = is_cjk(before.char) + is_cjk(after.char)
        if gap >= _WIDE_GAP * size or not (chinese == 2 or (chinese == 1 and spaces_drawn)):
            continue
        if chinese == 1 and gap >= _TAB_GAP * size:
            usual_gap = _usual_gap(glyphs) if usual_gap is None else usual_gap
            if gap - usual_gap >= _TAB_GAP * size:
                continue
        chars[number] = ""
    return chars


def _usual_gap(glyphs: Iterable[Glyph]) -> float:
    """Return the median gap between neighbouring characters."""
    drawn = [glyph for glyph in glyphs if not glyph.char.isspace()]
    return median(after.x0 - before.x1 for before, after in pairwise(drawn))


_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


class JoinedText(NamedTuple):
    """Text of a paragraph; `origins` locate the boxes of its parts on `pages`, 0 for a part on no page."""

    text: str
    pages: Sequence[int]
    origins: Sequence[Sequence[int]]


def places_of(
    texts: Sequence[JoinedText], pages: Sequence[PdfPage]
) -> list[tuple[NDArray[np.int32], NDArray[np.float32]]]:
    """Return pages and boxes of the characters of each text; page 0 and no box for those that have none."""
    if not texts:
        return []
    parts = [
        np.arange(part.start, part.stop) if isinstance(part, range) else np.array(part, dtype=np.int64)
        for text in texts
        for part in text.origins
    ]
    lengths = list(map(len, parts))
    origins = np.concatenate(parts)
    numbers = np.repeat(np.array([page for text in texts for page in text.pages], dtype=np.int32), lengths)
    nowhere = np.full((1, 4), np.nan)
    table = np.concatenate([nowhere, *(page.boxes for page in pages)]).astype(np.float32)
    starts = np.cumsum([0, 1, *(len(page.boxes) for page in pages)])[:-1]
    boxes = table[np.where(origins >= 0, starts[numbers] + origins, 0)]
    numbers[np.isnan(boxes[:, 0])] = 0
    cuts = np.cumsum([len(text.text) for text in texts])[:-1]
    return list(zip(np.split(numbers, cuts), np.split(boxes, cuts), strict=True))


def joined_text(lines: Sequence[PdfLine], words: "WordStatistics") -> JoinedText:
    """Join the lines of a paragraph: hyphens at line ends removed, no space within Chinese."""
    texts, pages, origins = [lines[0].text], [lines[0].page], [lines[0].origins]
    for before, line in pairwise(lines):
        if line.cell != before.cell:
            between = "\t"
        else:
            between = "" if before.hyphenated else words.separator(before, line)
        if not between and before.hyphenated and words.is_broken(before.text, line.text):
            texts[-1], origins[-1] = texts[-1][:-1], origins[-1][:-1]
        texts += between, line.text
        pages += 0, line.page
        origins += [-1] * len(between), line.origins
    return JoinedText("".join(texts), pages, origins)


class WordStatistics:
    """Word usage in the document: whether words are hyphenated, and whether scripts are spaced."""

    _BORDER = re.compile(r"[\u4e00-\u9fff]( ?)[A-Za-z]|[A-Za-z%]( ?)[\u4e00-\u9fff]")

    def __init__(self, lines: Sequence[PdfLine]) -> None:
        self._lines = lines

    @cached_property
    def _known(self) -> Counter[str]:
        words = _whole_words(self._lines)
        return Counter([*words, *(part for word in words if "-" in word for part in word.split("-"))])

    @cached_property
    def _spaced_borders(self) -> bool:
        text = "\n".join(line.text for line in self._lines)
        borders = [before or after for before, after in self._BORDER.findall(text)]
        return borders.count(" ") * 2 > len(borders)

    def is_broken(self, text: str, following: str) -> bool:
        """Return whether a word was broken at the hyphen, rather than written with it."""
        stem, rest = _last_word(text.removesuffix("-")), _first_word(following)
        if not rest:
            # "COVID-" before "19"
            return False
        whole, with_hyphen = self._known[(stem + rest).lower()], self._known[f"{stem}-{rest}".lower()]
        both_are_words = self._known[stem.lower()] > 0 and self._known[rest.lower()] > 0
        # No program breaks a word before a capital: "Anglo-" before "American".
        is_compound = rest[0].isupper() and not (stem + rest).isupper()
        return with_hyphen <= whole and (whole > 0 or not (both_are_words or is_compound))

    def separator(self, before: PdfLine, after: PdfLine) -> str:
        """Return the replacement of a line end: a space, nothing within Chinese, otherwise as drawn."""
        left, right = before.text[-1:], after.text[:1]
        if is_cjk(left) != is_cjk(right):
            return " " if before.spaced or self._is_spaced(left, right) else ""
        is_joined = not before.spaced and right.isalnum() and _JOINING_SIGN.search(before.text)
        return "" if is_cjk(left) or is_joined else " "

    def _is_spaced(self, left: str, right: str) -> bool:
        """Return whether the document mostly sets spaces between Chinese and Latin letters."""
        return (left.isalnum() or left == "%") and right.isalnum() and self._spaced_borders


def _whole_words(lines: Sequence[PdfLine]) -> list[str]:
    """Return the words that are complete in a line, not those broken at a line end, in lower case."""
    broken = False
    texts = []
    for line in lines:
        text = line.text.partition(" ")[2] if broken else line.text
        broken = line.hyphenated
        texts.append(text.rpartition(" ")[0] if broken else text)
    return _WORD.findall("\n".join(texts).lower())


def _last_word(text: str) -> str:
    match = re.search(r"(?<![^\W\d_])[^\W\d_]++$", text)
    return match[0] if match else ""


def _first_word(text: str) -> str:
    match = re.match(r"[^\W\d_]+", text)
    return match[0] if match else ""

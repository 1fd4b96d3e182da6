"""PDF pages by pdfium: fast, and right on nearly all."""

import ctypes
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pypdfium2
from pypdfium2 import raw

from simcompare.loading.pdf_lines import (
    Glyph,
    Line,
    Page,
    line_of,
    without_doubles,
    without_layout_spaces,
    without_mojibake,
)

_LINE_ENDS = frozenset({0x0A, 0x0D})
_SPACE = 0x20
# Our sign for a hyphen at which a word was broken; pdfium has signs of its own for it.
_BROKEN_WORD = "\ufffe"
_HYPHEN_CODES = frozenset({0x02, 0xAD, 0xFFFE})
# How far down, in heights of a letter, something stands on a line of its own; further left, up as well.
# Rising text (a watermark) goes up and to the right within its line.
_OTHER_LINE = 0.6
_REPLACEMENT = "\ufffd"
_BOLD_NAMES = ("bold", "black", "heavy", "simhei", "黑")
_DEEPEST_FORM = 4


def pdfium_pages(document: pypdfium2.PdfDocument) -> Iterator[Page]:
    """Yield the pages of an open document."""
    for index in range(len(document)):
        page = document[index]
        textpage = page.get_textpage()
        try:
            yield _page(index + 1, page, textpage)
        finally:
            textpage.close()
            page.close()


def has_text_objects(document: pypdfium2.PdfDocument, number: int) -> bool:
    """Return whether a page draws text, whatever comes out of it."""
    page = document[number - 1]
    try:
        return _holds(page, raw.FPDF_PAGEOBJ_TEXT)
    finally:
        page.close()


def _begins_line(before: Glyph, glyph: Glyph) -> bool:
    """Tell a line end that pdfium passes over: after a broken word, and where a small sign ends a line.

    Where a writer draws words one by one and scales them down, pdfium scales the step that it asks for
    after a full stop up once too often, so that no line is as far below.
    """
    if glyph.char.isspace():
        return False
    height = max(before.y1 - before.y0, glyph.y1 - glyph.y0)
    lower = before.y0 - glyph.y0
    moved = abs(lower) if glyph.x0 < before.x0 else lower
    return before.char == _BROKEN_WORD or moved > _OTHER_LINE * height or abs(lower) > 2 * height


def _holds(page: pypdfium2.PdfPage, kind: int) -> bool:
    return next(iter(page.get_objects((kind,), max_depth=_DEEPEST_FORM)), None) is not None


def _page(number: int, page: pypdfium2.PdfPage, textpage: Any) -> Page:
    reader = _PageReader(number, textpage)
    lines = reader.lines()
    low, high = reader.vertical_bounds(page)
    texts = without_layout_spaces(without_mojibake(line.text for line in lines))
    lines = [_with_text(line, text) for line, text in zip(lines, texts, strict=True)]
    pictured = not lines and _holds(page, raw.FPDF_PAGEOBJ_IMAGE)
    return Page(number, low, high, lines, reader.unreadable_share(), pictured)


class _PageReader:
    """Reads the characters of one page through pdfium's C interface."""

    def __init__(self, number: int, textpage: Any) -> None:
        self._number = number
        self._textpage = textpage
        self._count = textpage.count_chars()
        self._quarter_turns = self._most_quarter_turns()
        self._unreadable = 0
        self._inked = 0

    def lines(self) -> list[Line]:
        """Return the lines of the page in the order of its content."""
        numbered = list(self._glyph_lines())
        glyphs = [glyph for line in numbered for _number, glyph in line]
        once = set(map(id, without_doubles(glyphs)))
        drawn = any(glyph.char == " " and not glyph.generated for glyph in glyphs)
        found = []
        for line in numbered:
            kept = [glyph for _number, glyph in line if id(glyph) in once]
            first, last = line[0][0], line[-1][0]
            bold = self._is_bold(first) and self._is_bold(last)
            found.append(line_of(self._number, kept, self._size(first), bold=bold, spaces_drawn=drawn))
        return [line for line in found if line is not None]

    def unreadable_share(self) -> float:
        return self._unreadable / self._inked if self._inked else 0.0

    def vertical_bounds(self, page: pypdfium2.PdfPage) -> tuple[float, float]:
        """Return the page's lower and upper edge as the turned text sees them."""
        left, bottom, right, top = page.get_bbox()
        _x0, low, _x1, high = self._turned(left, bottom, right, top)
        return low, high

    def _glyph_lines(self) -> Iterator[list[tuple[int, Glyph]]]:
        """Yield the glyphs of each line with their numbers, from the first to the last with ink."""
        line: list[tuple[int, Glyph]] = []
        spaces: list[tuple[int, Glyph]] = []
        for number in range(self._count):
            code = raw.FPDFText_GetUnicode(self._textpage, number)
            glyph = None if code in _LINE_ENDS else self._glyph(number, code, line[-1][1] if line else None)
            if line and (glyph is None or _begins_line(line[-1][1], glyph)):
                # A space that was drawn at the end tells later whether the words were apart.
                yield line + [space for space in spaces if not space[1].generated]
                line, spaces = [], []
            if glyph is None or glyph.char.isspace():
                spaces += [(number, glyph)] if glyph and line else []
            else:
                line += [*spaces, (number, glyph)]
                spaces = []
        if line:
            yield line

    def _glyph(self, number: int, code: int, before: Glyph | None) -> Glyph:
        if code == _SPACE and raw.FPDFText_IsGenerated(self._textpage, number) == 1:
            return Glyph(" ", 0, 0, 0, 0, generated=True)
        box = raw.FS_RECTF()
        raw.FPDFText_GetLooseCharBox(self._textpage, number, ctypes.byref(box))
        x0, y0, x1, y1 = self._turned(box.left, min(box.bottom, box.top), box.right, max(box.bottom, box.top))
        if before is not None and (before.x1, before.y0) == (x1, y0):
            # The second letter of a ligature is given the box of the whole.
            x0 = x1
        return Glyph(self._char(number, code), x0, y0, x1, y1)

    def _char(self, number: int, code: int) -> str:
        if code in _HYPHEN_CODES and raw.FPDFText_IsHyphen(self._textpage, number) == 1:
            return _BROKEN_WORD
        char = chr(code)
        if char.isspace() and code >= _SPACE:
            return char
        self._inked += 1
        unknown = raw.FPDFText_HasUnicodeMapError(self._textpage, number) == 1
        self._unreadable += unknown or code < _SPACE or 0xE000 <= code <= 0xF8FF or char == _REPLACEMENT
        # A control character stands for a glyph that is seen on the page and cannot be told.
        return _REPLACEMENT if code < _SPACE or 0xD800 <= code <= 0xDFFF else char

    def _turned(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        """Return the box as someone sees it who turns the sheet until the text is upright."""
        if self._quarter_turns == 1:
            return y0, -x1, y1, -x0
        if self._quarter_turns == 2:
            return -x1, -y1, -x0, -y0
        if self._quarter_turns == 3:
            return -y1, x0, -y0, x1
        return x0, y0, x1, y1

    def _most_quarter_turns(self) -> int:
        """How far most of the text is turned, of some twenty characters looked at."""
        looked_at = range(0, self._count, max(1, self._count // 20))
        angles = [raw.FPDFText_GetCharAngle(self._textpage, number) for number in looked_at]
        turns = [round(angle / (math.pi / 2)) % 4 for angle in angles if angle >= 0]
        return max(set(turns), key=turns.count) if turns else 0

    def _size(self, number: int) -> float:
        matrix = raw.FS_MATRIX()
        size = float(raw.FPDFText_GetFontSize(self._textpage, number))
        if raw.FPDFText_GetMatrix(self._textpage, number, ctypes.byref(matrix)):
            size *= math.hypot(matrix.c, matrix.d)
        return size

    def _is_bold(self, number: int) -> bool:
        """By the font's name: pdfium says weight 400 of every font."""
        name = ctypes.create_string_buffer(128)
        raw.FPDFText_GetFontInfo(self._textpage, number, name, 128, ctypes.byref(ctypes.c_int()))
        lowered = name.value.decode("utf-8", errors="replace").lower()
        return any(part in lowered for part in _BOLD_NAMES)


def _with_text(line: Line, text: str) -> Line:
    broken = text.endswith(_BROKEN_WORD)
    text = text.replace(_BROKEN_WORD, "-")
    return replace(line, text=text, hyphenated=broken)

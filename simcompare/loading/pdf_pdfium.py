"""PDF pages by pdfium: fast, and right on nearly all."""

import ctypes
import math
from collections.abc import Iterator
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


def _holds(page: pypdfium2.PdfPage, kind: int) -> bool:
    return next(iter(page.get_objects((kind,), max_depth=_DEEPEST_FORM)), None) is not None


def _page(number: int, page: pypdfium2.PdfPage, textpage: Any) -> Page:
    reader = _PageReader(number, textpage)
    lines = reader.lines()
    width, height = page.get_size()
    low, high = reader.vertical_bounds(width, height)
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
        glyph_lines = list(self._glyph_lines())
        once = set(map(id, without_doubles([glyph for line, *_ends in glyph_lines for glyph in line])))
        found = []
        for glyphs, first, last in glyph_lines:
            kept = [glyph for glyph in glyphs if id(glyph) in once]
            bold = self._is_bold(first) and self._is_bold(last)
            line = line_of(self._number, kept, self._size(first), bold=bold)
            if line is not None:
                found.append(line)
        return found

    def unreadable_share(self) -> float:
        return self._unreadable / self._inked if self._inked else 0.0

    def vertical_bounds(self, width: float, height: float) -> tuple[float, float]:
        """Return the page's lower and upper edge as the turned text sees them."""
        return {0: (0.0, height), 1: (-width, 0.0), 2: (-height, 0.0), 3: (0.0, width)}[self._quarter_turns]

    def _glyph_lines(self) -> Iterator[tuple[list[Glyph], int, int]]:
        """Yield the glyphs of each line with the numbers of its first and last character of ink."""
        glyphs: list[Glyph] = []
        first = last = None
        for number in range(self._count):
            code = raw.FPDFText_GetUnicode(self._textpage, number)
            if code not in _LINE_ENDS:
                glyph = self._glyph(number, code)
                glyphs.append(glyph)
                if not glyph.char.isspace():
                    first, last = number if first is None else first, number
                if glyph.char != _BROKEN_WORD:
                    continue
            # A broken word ends a line too: pdfium leaves the line end out there.
            if first is not None and last is not None:
                yield glyphs, first, last
            glyphs, first, last = [], None, None
        if first is not None and last is not None:
            yield glyphs, first, last

    def _glyph(self, number: int, code: int) -> Glyph:
        if code == _SPACE and raw.FPDFText_IsGenerated(self._textpage, number) == 1:
            return Glyph(" ", 0, 0, 0, 0, generated=True)
        box = raw.FS_RECTF()
        raw.FPDFText_GetLooseCharBox(self._textpage, number, ctypes.byref(box))
        x0, y0, x1, y1 = self._turned(box.left, min(box.bottom, box.top), box.right, max(box.bottom, box.top))
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
    return Line(line.page, text, line.x0, line.y0, line.x1, line.y1, line.size, line.bold, broken)

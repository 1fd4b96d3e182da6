"""PDF pages by pdfminer.six: slower, and right on some that pdfium cannot read."""

import io
import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from pdfminer.converter import PDFPageAggregator
from pdfminer.layout import (
    LAParams,
    LTAnno,
    LTChar,
    LTFigure,
    LTImage,
    LTPage,
    LTTextBox,
    LTTextLine,
    LTTextLineVertical,
)
from pdfminer.pdfdocument import PDFDocument
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage
from pdfminer.pdfparser import PDFParser

from simcompare.loading.pdf.lines import (
    Glyph,
    Line,
    Page,
    columns_of,
    line_of,
    without_doubles,
)
from simcompare.loading.pdf.repairs import repaired

# For Chinese: with 0.5 none of 40 paragraphs came out exact, with 1.0 thirty did.
_LINE_MARGIN = 1.0
# Grouping boxes takes the square of their number: above this a page is read without.
_MOST_GROUPED_CHARACTERS = 12_000
_UNKNOWN = re.compile(r"\(cid:\d+\)")
_LINE_BREAK_HYPHEN = re.compile(r"[^\W\d_]-$")


def miner_pages(
    data: bytes, numbers: Collection[int] | None = None, *, vertical: bool = False
) -> Iterator[Page]:
    """Yield the pages with these numbers, or all.

    `vertical` looks for lines that run from top to bottom. Raises what pdfminer raises, which is nearly
    anything.
    """
    document = PDFDocument(PDFParser(io.BytesIO(data)))
    resources = PDFResourceManager()
    device = PDFPageAggregator(resources, laparams=None)
    interpreter = PDFPageInterpreter(resources, device)
    for number, page in enumerate(PDFPage.create_pages(document), start=1):
        if numbers is None or number in numbers:
            interpreter.process_page(page)
            yield _page(number, device.get_result(), vertical=vertical)


def _page(number: int, layout: LTPage, *, vertical: bool) -> Page:
    drawn = [item for item in layout if isinstance(item, LTChar)]
    spaces_drawn = any(item.get_text() == " " for item in drawn)
    flow = 0.5 if len(drawn) < _MOST_GROUPED_CHARACTERS else None
    layout.analyze(LAParams(line_margin=_LINE_MARGIN, boxes_flow=flow, detect_vertical=vertical))
    boxes = (box for box in layout if isinstance(box, LTTextBox))
    text_lines = (line for box in boxes for line in box if isinstance(line, LTTextLine))
    found = [_line(number, line, spaces_drawn=spaces_drawn) for line in text_lines]
    lines = [line for line in found if line is not None]
    texts = repaired(line.text for line in lines)
    unknown = sum(len(_UNKNOWN.findall(text)) for text in texts)
    lines = [_with_text(line, text) for line, text in zip(lines, texts, strict=True)]
    inked = sum(len(line.text) for line in lines)
    pictured = not lines and any(isinstance(item, LTImage | LTFigure) for item in layout)
    return Page(number, layout.y0, layout.y1, lines, unknown / inked if inked else 0.0, pictured)


def _line(number: int, line: LTTextLine, *, spaces_drawn: bool) -> Line | None:
    """Lay a vertical line on its side, so that paragraphs form as in horizontal text."""
    is_vertical = isinstance(line, LTTextLineVertical)
    glyphs: list[Glyph] = []
    for item in line:
        if isinstance(item, LTChar):
            box = (-item.y1, item.x0, -item.y0, item.x1) if is_vertical else item.bbox
            glyphs.append(Glyph(item.get_text(), *box))
        elif isinstance(item, LTAnno) and item.get_text() == " ":
            glyphs.append(Glyph(" ", 0, 0, 0, 0, generated=True))
    drawn = [item for item in line if isinstance(item, LTChar)]
    size = max((item.size for item in drawn[:3]), default=0.0)
    bold = any("bold" in item.fontname.lower() for item in drawn[:1])
    columns = columns_of(without_doubles(glyphs))
    return line_of(number, columns, size, bold=bold, spaces_drawn=spaces_drawn)


def _with_text(line: Line, text: str) -> Line:
    text = _UNKNOWN.sub("\ufffd", text)
    hyphenated = _LINE_BREAK_HYPHEN.search(text) is not None
    return replace(line, text=text, hyphenated=hyphenated)

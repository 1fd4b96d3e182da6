"""Pages read by pdfminer.six: slower, but correct on some files that pdfium cannot read."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from pdfminer.cmapdb import FileUnicodeMap
from pdfminer.converter import PDFPageAggregator
from pdfminer.layout import (
    LAParams,
    LTAnno,
    LTChar,
    LTComponent,
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
from pdfminer.pdfparser import PDFSyntaxError
from pdfminer.psparser import PSLiteral

from simcompare.loading.formats.pdf.pdf_lines import (
    LINE_BREAK_HYPHEN,
    Boxes,
    Glyph,
    PdfLine,
    PdfPage,
    line_of,
)
from simcompare.loading.formats.pdf.text_repairs import repaired, without_doubles
from simcompare.support.clock import ProcessorDeadline

# For Chinese: with 0.5 none of 40 paragraphs was exact, with 1.0 thirty were.
_LINE_MARGIN = 1.0
# Grouping boxes is quadratic in their number: above this a page is read without grouping.
_MAX_GROUPED_BOXES = 250
# More than on the densest newspaper page; a page with more is not a page of text.
MOST_CHARACTERS = 15_000
_UNMAPPED_GLYPH = re.compile(r"\(cid:\d+\)")
_UNKNOWN = "\ufffd"

_Box = tuple[float, float, float, float]


# No font has more glyphs; a damaged table may name four billion.
_MAX_GLYPHS = 70_000
_add_glyph = FileUnicodeMap.add_cid2unichr


def _add_glyph_within_limit(table: FileUnicodeMap, cid: int, code: PSLiteral | bytes | int) -> None:
    if len(table.cid2unichr) > _MAX_GLYPHS:
        raise PDFSyntaxError("a table of glyphs is too long")
    _add_glyph(table, cid, code)


setattr(FileUnicodeMap, "add_cid2unichr", _add_glyph_within_limit)  # noqa: B010 - mypy rejects assignment


class _OutOfTimeError(Exception):
    """The deadline passed within a page."""


class _TimedDevice(PDFPageAggregator):
    """Collects what a page draws, until a deadline."""

    def __init__(self, resources: PDFResourceManager, deadline: ProcessorDeadline) -> None:
        super().__init__(resources, laparams=None)
        self._deadline = deadline

    def render_char(self, *arguments: Any, **keywords: Any) -> float:
        if self._deadline.is_past:
            raise _OutOfTimeError
        return super().render_char(*arguments, **keywords)

    def paint_path(self, *arguments: Any, **keywords: Any) -> None:
        if self._deadline.is_past:
            raise _OutOfTimeError
        super().paint_path(*arguments, **keywords)


def miner_pages(
    document: PDFDocument,
    deadline: ProcessorDeadline,
    numbers: Collection[int] | None = None,
    *,
    vertical: bool = False,
) -> Iterator[PdfPage]:
    """Yield all pages, or those of `numbers`, that can be read before the deadline.

    `vertical` detects lines that run from top to bottom, also where few are drawn so. Raises what pdfminer
    raises, which is nearly any error.
    """
    resources = PDFResourceManager()
    device = _TimedDevice(resources, deadline)
    interpreter = PDFPageInterpreter(resources, device)
    for number, page in enumerate(PDFPage.create_pages(document), start=1):
        if deadline.is_past:
            return
        if numbers is None or number in numbers:
            try:
                interpreter.process_page(page)
                layout = device.get_result()
                if turns := _most_quarter_turns(layout):
                    page.rotate = (page.rotate + 90 * turns) % 360
                    interpreter.process_page(page)
                    layout = device.get_result()
            except _OutOfTimeError:
                return
            yield _page(number, page, layout, vertical=vertical)


def _most_quarter_turns(layout: LTPage) -> int:
    """Return the rotation of most of the text, counterclockwise."""
    angles = (math.atan2(item.matrix[1], item.matrix[0]) for item in layout if isinstance(item, LTChar))
    turns = Counter(round(angle / (math.pi / 2)) % 4 for angle in angles)
    return turns.most_common(1)[0][0] if turns else 0


def _page(number: int, page: PDFPage, layout: LTPage, *, vertical: bool) -> PdfPage:
    drawn = [item for item in layout if isinstance(item, LTChar)]
    spaces_drawn = any(item.get_text() == " " for item in drawn)
    text_boxes = _text_boxes(layout, vertical=vertical or _are_drawn_downwards(drawn))
    text_lines = (line for box in text_boxes for line in box if isinstance(line, LTTextLine))
    boxes: list[_Box] = []
    found = [_line(number, line, boxes, spaces_drawn=spaces_drawn) for line in text_lines]
    lines = [
        replace(line, hyphenated=True) if LINE_BREAK_HYPHEN.search(line.text) else line
        for line in repaired(line for line in found if line is not None)
    ]
    nonblank = sum(len(line.text) for line in lines)
    unknown = sum(line.text.count(_UNKNOWN) for line in lines)
    is_picture_only = not lines and any(isinstance(item, LTImage | LTFigure) for item in layout)
    return PdfPage(
        number,
        layout.y0,
        layout.y1,
        lines,
        _on_sheet(boxes, page),
        unknown / nonblank if nonblank else 0.0,
        is_picture_only,
    )


def _are_drawn_downwards(drawn: Sequence[LTChar]) -> bool:
    """Return whether most characters stand right below the one drawn before them.

    Fonts do not tell: columns are often set in those of horizontal text.
    """
    below = sum(
        after.y1 <= before.y1 - before.height / 2 and abs(after.x0 - before.x0) < before.height / 2
        for before, after in pairwise(drawn)
    )
    return 2 * below > len(drawn)


def _text_boxes(layout: LTPage, *, vertical: bool) -> list[LTTextBox]:
    """Return the text boxes of a page, in reading order if there are few enough to group."""
    layout._objs = items = _without_repeated(layout)
    for flow in (None, 0.5):
        layout._objs = list(items)
        layout.analyze(LAParams(line_margin=_LINE_MARGIN, boxes_flow=flow, detect_vertical=vertical))
        boxes = [box for box in layout if isinstance(box, LTTextBox)]
        if len(boxes) > _MAX_GROUPED_BOXES:
            break
    return boxes


def _without_repeated(layout: LTPage) -> list[LTComponent]:
    """Drop characters drawn again at exactly one place.

    Grouping characters at one place is quadratic in their number.
    """
    once: dict[object, LTComponent] = {}
    for item in layout:
        once.setdefault((item.get_text(), *item.bbox) if isinstance(item, LTChar) else id(item), item)
    return list(once.values())


def _line(number: int, line: LTTextLine, boxes: list[_Box], *, spaces_drawn: bool) -> PdfLine | None:
    """Convert a line; a vertical one is rotated so that paragraphs form as in horizontal text.

    The boxes of its characters are appended to `boxes`.
    """
    is_vertical = isinstance(line, LTTextLineVertical)
    glyphs: list[Glyph] = []
    for item in line:
        if isinstance(item, LTChar):
            box = (-item.y1, item.x0, -item.y0, item.x1) if is_vertical else item.bbox
            text = _UNMAPPED_GLYPH.sub(_UNKNOWN, item.get_text())
            glyphs.append(Glyph(text, *box, origin=len(boxes)))
            boxes.append(item.bbox)
        elif isinstance(item, LTAnno) and item.get_text() == " ":
            glyphs.append(Glyph(" ", 0, 0, 0, 0, generated=True))
    drawn = [item for item in line if isinstance(item, LTChar)]
    size = max((item.size for item in drawn[:3]), default=0.0)
    bold = any("bold" in item.fontname.lower() for item in drawn[:1])
    return line_of(number, without_doubles(glyphs), size, bold=bold, spaces_drawn=spaces_drawn)


def _on_sheet(boxes: Sequence[_Box], page: PDFPage) -> Boxes:
    """Undo pdfminer's rotation of a page and its shift of the lower left corner to the origin."""
    x0, y0, x1, y1 = np.array(boxes, dtype=np.float64).reshape(-1, 4).T
    left, low, right, high = page.mediabox
    sides = {
        90: (right - y1, x0 + low, right - y0, x1 + low),
        180: (right - x1, high - y1, right - x0, high - y0),
        270: (y0 + left, high - x1, y1 + left, high - x0),
    }.get(page.rotate, (x0 + left, y0 + low, x1 + left, y1 + low))
    return np.stack(sides, axis=1)

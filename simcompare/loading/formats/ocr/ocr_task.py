"""Worker task that recognises one page: render it or open its picture, recognise, lay out."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

import numpy as np
import pypdfium2
from numpy.typing import NDArray

from simcompare.loading.archive import bytes_of
from simcompare.loading.extraction import ReadingOptions, Source
from simcompare.loading.formats.ocr.ocr_engine import (
    Image,
    Quads,
    RecognisedLine,
    RecognisedLines,
    RecognisedPage,
    recognise,
)
from simcompare.loading.formats.ocr.picture_reader import picture_of
from simcompare.loading.formats.pdf.page_annotations import remove_typed_text
from simcompare.loading.formats.pdf.pdf_lines import (
    LINE_BREAK_HYPHEN,
    Boxes,
    PdfLine,
    PdfPage,
    is_cjk,
    weighted_median,
)
from simcompare.loading.formats.pdf.pdf_reader import opened_by_pdfium
from simcompare.loading.sniffing import sniff
from simcompare.model.errors import DamagedFileError
from simcompare.support.i18n import N_
from simcompare.support.workers.worker_process import allowing_memory

# A column has at least this many lines, mostly of this many letters, filling this share of its width.
_MIN_LINES = 4
_MIN_LETTERS = 6.0
_FILLED = 0.5
# Titles and footers cross the gap between columns; a gap that more lines cross is none.
_MAX_CROSSING = 0.34
_SAME_ROW = 0.5


def in_reading_order(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Sort lines: column after column, between lines that extend across all columns."""
    upright = [line for line in lines if line.x1 - line.x0 >= line.y1 - line.y0 or len(line.text) <= 2]
    # Vertical text at the side does not belong to a column.
    beside = [line for line in lines if line not in upright]
    return [*_ordered(upright), *beside]


def _ordered(lines: Sequence[PdfLine]) -> list[PdfLine]:
    gap = _gap(lines)
    if gap is None:
        return _by_rows(lines)
    ordered: list[PdfLine] = []
    left: list[PdfLine] = []
    right: list[PdfLine] = []
    for line in sorted(lines, key=_height, reverse=True):
        if line.x1 <= gap:
            left.append(line)
        elif line.x0 >= gap:
            right.append(line)
        else:
            ordered += [*_ordered(left), *_ordered(right), line]
            left, right = [], []
    return [*ordered, *_ordered(left), *_ordered(right)]


def _gap(lines: Sequence[PdfLine]) -> float | None:
    """Return the x of the column gap that the fewest lines cross, or None if there is one column."""
    if len(lines) < 2 * _MIN_LINES:
        return None
    found = []
    for x in sorted({line.x0 for line in lines}):
        left = [line for line in lines if line.x1 <= x]
        right = [line for line in lines if line.x0 >= x]
        crossing = len(lines) - len(left) - len(right)
        if crossing <= _MAX_CROSSING * len(lines) and _is_column(left) and _is_column(right):
            found.append((crossing, min(line.x0 for line in right) - max(line.x1 for line in left), x))
    # Among gaps that equally few lines cross, choose the widest.
    best = min(found, key=lambda candidate: (candidate[0], -candidate[1]), default=None)
    return None if best is None else best[2] - best[1] / 2


def _is_column(lines: Sequence[PdfLine]) -> bool:
    """Return whether lines fill a column, unlike those of a table or a form."""
    if len(lines) < _MIN_LINES:
        return False
    width = max(line.x1 for line in lines) - min(line.x0 for line in lines)
    usual = median(line.x1 - line.x0 for line in lines)
    return usual >= _FILLED * width and usual >= _MIN_LETTERS * median(line.size for line in lines)


def _by_rows(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Sort from top to bottom, and lines side by side from left to right."""
    rows: list[list[PdfLine]] = []
    for line in sorted(lines, key=_height, reverse=True):
        if rows and _height(rows[-1][0]) - _height(line) < _SAME_ROW * min(line.size, rows[-1][0].size):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda candidate: candidate.x0)]


def _height(line: PdfLine) -> float:
    return (line.y0 + line.y1) / 2


_MAX_SKEW_DEGREES = 20
# Measured heights and widths of lines in one font size differ by up to this share.
_SIMILARITY = 0.18
_MIN_RELIABLE_LETTERS = 10
_NARROW = 0.55


def page_of(
    number: int, recognised: RecognisedLines, size_pixels: tuple[int, int], points_per_pixel: float
) -> tuple[PdfPage, Boxes]:
    """Return the page in reading order, and the boxes of its characters in pixels of the picture.

    `size_pixels` are width and height of the picture; the origins of the lines are indexes of these boxes.
    """
    width, height = size_pixels
    if recognised.quarter_turns % 2:
        width, height = height, width
    upright = [_turned(line.corners, recognised.quarter_turns, size_pixels) for line in recognised.lines]
    straight = _straightened(upright, width, height)
    lines, boxes = [], [np.empty((0, 4))]
    for found, corners in zip(recognised.lines, straight, strict=True):
        lines.append(_line(number, found, corners, height, points_per_pixel, sum(map(len, boxes))))
        boxes.append(_character_boxes(found))
    ordered = in_reading_order(_with_sizes(lines))
    return PdfPage(number, 0.0, height * points_per_pixel, ordered), np.concatenate(boxes)


def _turned(corners: Quads, quarter_turns: int, size_pixels: tuple[int, int]) -> Quads:
    """Rotate points of a picture counterclockwise, together with the picture."""
    (x, y), (width, height) = corners.T, size_pixels
    turned = ((x, y), (y, width - x), (width - x, height - y), (height - y, x))
    return np.stack(turned[quarter_turns % 4], axis=1)


def _straightened(quads: Sequence[Quads], width: float, height: float) -> list[Quads]:
    """Rotate all points about the centre, by the slope of most lines."""
    runs = [corners[1] - corners[0] for corners in quads]
    most = math.radians(_MAX_SKEW_DEGREES)
    angles = [(math.atan2(y, x), math.hypot(x, y)) for x, y in runs if abs(math.atan2(y, x)) < most]
    angle = weighted_median(angles)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    middle = np.array([width / 2, height / 2])
    return [(corners - middle) @ turn + middle for corners in quads]


def _line(
    number: int,
    found: RecognisedLine,
    corners: Quads,
    height: float,
    points_per_pixel: float,
    first_origin: int,
) -> PdfLine:
    (x0, top), (x1, bottom) = corners.min(axis=0), corners.max(axis=0)
    x0, y0, x1, y1 = (float(side) * points_per_pixel for side in (x0, height - bottom, x1, height - top))
    return PdfLine(
        number,
        found.text,
        x0,
        y0,
        x1,
        y1,
        size=y1 - y0,
        hyphenated=LINE_BREAK_HYPHEN.search(found.text) is not None,
        origins=range(first_origin, first_origin + len(found.text)),
    )


def _with_sizes(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Set font sizes: one for all lines whose character pitch is like that of most of the page.

    Sizes of the others, which are measured roughly, are merged if they differ little.
    """
    if not lines:
        return []
    height = median(line.size for line in lines for _char in line.text)
    pitch = median(_pitch(line) for line in lines for _char in line.text)
    sizes = [height]
    sized = {}
    for place, line in sorted(enumerate(lines), key=lambda placed: placed[1].size):
        is_short = len(line.text) < _MIN_RELIABLE_LETTERS
        usual = _is_similar(_pitch(line), pitch) or (is_short and _is_similar(line.size, height))
        own = height if usual else math.sqrt(line.size * height * _pitch(line) / pitch)
        known = next((size for size in sizes if _is_similar(own, size)), None)
        sized[place] = own if known is None else known
        sizes += [own] if known is None else []
    return [replace(line, size=sized[place]) for place, line in enumerate(lines)]


def _is_similar(value: float, usual: float) -> bool:
    return abs(value - usual) < _SIMILARITY * usual


def _pitch(line: PdfLine) -> float:
    return (line.x1 - line.x0) / sum(_widths(line.text))


def _character_boxes(found: RecognisedLine) -> Boxes:
    """Divide a line among its characters; shape (n, 4): left, top, right, bottom in pixels."""
    start_top, end_top, end_bottom, start_bottom = found.corners
    ends = _ends(found.text)[:, np.newaxis]
    above = start_top + ends * (end_top - start_top)
    below = start_bottom + ends * (end_bottom - start_bottom)
    corners = np.stack([above[:-1], above[1:], below[:-1], below[1:]])
    return np.concatenate([corners.min(axis=0), corners.max(axis=0)], axis=1)


def _ends(text: str) -> NDArray[np.float64]:
    """Return the ends of the characters along the line, from 0 to 1."""
    widths = _widths(text)
    return np.cumsum([0.0, *widths]) / sum(widths)


def _widths(text: str) -> list[float]:
    return [1.0 if is_cjk(char) else _NARROW for char in text]


_POINTS_PER_INCH = 72
_DOTS_PER_INCH = 200
_A4_WIDTH_POINTS = 595
# About an A2 sheet.
_MAX_PIXELS = 16_000_000
# Models and their computations take 1.5 GiB, besides the readers in the worker.
_MEMORY_BYTES = 3 * 1024**3


def recognise_page(path: Path, number: int, options: ReadingOptions) -> RecognisedPage:
    """Recognise the text of a page, counted from 1, of a PDF or a picture; runs in a worker.

    Raises FileError if the page cannot be rendered.
    """
    source = Source(path, bytes_of(path))
    with allowing_memory(_MEMORY_BYTES):
        if sniff(source.data) == "pdf":
            return _page_of_pdf(source, number, options)
        return _page_of_picture(source, number)


def _page_of_picture(source: Source, number: int) -> RecognisedPage:
    picture = picture_of(source, number)
    height, width = picture.shape[:2]
    recognised = recognise(picture)
    page, _boxes = page_of(number, recognised, (width, height), _A4_WIDTH_POINTS / min(width, height))
    # A picture file has no page on which positions could be shown.
    lines = [replace(line, origins=()) for line in page.lines]
    return RecognisedPage(replace(page, lines=lines), _confidence(recognised))


def _page_of_pdf(source: Source, number: int, options: ReadingOptions) -> RecognisedPage:
    document = opened_by_pdfium(source, options)
    if document is None or number > len(document):
        raise DamagedFileError(source.path, cause=N_("its structure is broken"))
    try:
        sheet = document[number - 1]
        picture = _drawn(sheet)
        height, width = picture.shape[:2]
        recognised = recognise(picture)
        page, boxes = page_of(number, recognised, (width, height), sheet.get_width() / width)
        page = replace(page, boxes=_on_sheet(boxes / (width, height, width, height), sheet))
    finally:
        document.close()
    return RecognisedPage(page, _confidence(recognised))


def _drawn(sheet: pypdfium2.PdfPage) -> Image:
    width, height = sheet.get_size()
    dots = _DOTS_PER_INCH / _POINTS_PER_INCH
    scale = min(dots, (_MAX_PIXELS / max(width * height, 1.0)) ** 0.5)
    remove_typed_text(sheet)
    bitmap = sheet.render(scale=scale)
    picture = np.ascontiguousarray(bitmap.to_numpy()[:, :, :3])
    bitmap.close()
    return picture


def _on_sheet(boxes: Boxes, sheet: pypdfium2.PdfPage) -> Boxes:
    """Convert boxes in shares of the displayed page to points of the unrotated page."""
    left, low, right, high = sheet.get_bbox()
    x0, y0, x1, y1 = boxes.T
    sides = {
        90: (y0, x0, y1, x1),
        180: (1 - x1, y0, 1 - x0, y1),
        270: (1 - y1, 1 - x1, 1 - y0, 1 - x0),
    }.get(sheet.get_rotation(), (x0, 1 - y1, x1, 1 - y0))
    scale, origin = (right - left, high - low), (left, low)
    on_sheet: Boxes = np.stack(sides, axis=1) * (scale * 2) + origin * 2
    return on_sheet


def _confidence(recognised: RecognisedLines) -> float:
    characters = sum(len(line.text) for line in recognised.lines)
    return sum(line.confidence * len(line.text) for line in recognised.lines) / max(characters, 1)

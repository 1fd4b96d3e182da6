"""Worker task that recognises one page: render it or open its picture, recognise, lay out."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pypdfium2

from simcompare.loading.archive import bytes_of
from simcompare.loading.extraction import ReadingOptions, Source
from simcompare.loading.formats.ocr.ocr_engine import Image, RecognisedLines, recognise
from simcompare.loading.formats.ocr.ocr_layout import page_of
from simcompare.loading.formats.ocr.ocr_pages import RecognisedPage
from simcompare.loading.formats.ocr.picture_reader import picture_of
from simcompare.loading.formats.pdf.annotations.page_annotations import remove_typed_text
from simcompare.loading.formats.pdf.pdf_lines import Boxes
from simcompare.loading.formats.pdf.pdf_opening import opened_by_pdfium
from simcompare.loading.sniffing import sniff
from simcompare.model.errors import DamagedFileError
from simcompare.support.i18n import N_
from simcompare.support.workers.worker_process import allowing_memory

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

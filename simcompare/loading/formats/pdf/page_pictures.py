"""Pictures on the pages of a PDF, for comparison with those of other files."""

import ctypes
from functools import partial
from typing import TYPE_CHECKING

import pypdfium2
from pypdfium2 import raw

from simcompare.loading.formats.pdf.page_drawing import objects_of, pictures_of
from simcompare.loading.shared.pictures import MOST_PIXELS, PictureCollector

if TYPE_CHECKING:
    from PIL.Image import Image

# A picture of more of the page is the page itself: a scan, whose text is recognised.
_MOST_OF_PAGE = 0.7
_JPEG = b"DCTDecode\0"


def add_pictures(
    page: pypdfium2.PdfPage, document: pypdfium2.PdfDocument, number: int, collector: PictureCollector
) -> None:
    """Add the pictures that a page shows."""
    left, low, right, high = page.get_bbox()
    most = _MOST_OF_PAGE * (right - left) * (high - low)
    for address, (x0, y0, x1, y1) in pictures_of(objects_of(page)):
        if (x1 - x0) * (y1 - y0) > most:
            continue
        item = ctypes.cast(address, raw.FPDF_PAGEOBJECT)
        data = ctypes.create_string_buffer(raw.FPDFImageObj_GetImageDataRaw(item, None, 0))
        raw.FPDFImageObj_GetImageDataRaw(item, data, len(data))
        if _is_jpeg(item):
            collector.add(data.raw, number)
        else:
            collector.add_drawn(data.raw, partial(_drawn, item, page, document, (x1 - x0, y1 - y0)), number)


def _is_jpeg(item: object) -> bool:
    if raw.FPDFImageObj_GetImageFilterCount(item) != 1:
        return False
    name = ctypes.create_string_buffer(len(_JPEG))
    raw.FPDFImageObj_GetImageFilter(item, 0, name, len(name))
    return bool(name.raw == _JPEG)


def _drawn(
    item: object, page: pypdfium2.PdfPage, document: pypdfium2.PdfDocument, size_pt: tuple[float, float]
) -> "Image":
    """Return a picture in its own size, with its mask; size_pt: on the page."""
    picture = pypdfium2.PdfImage(item, page=page, pdf=document)
    width, height = picture.get_px_size()
    # it is drawn in the proportions that it has on the page
    scale = max(width / max(size_pt[0], 1e-6), height / max(size_pt[1], 1e-6))
    if max(width * height, scale * size_pt[0] * scale * size_pt[1]) > MOST_PIXELS:
        raise ValueError((width, height))
    drawn: Image = picture.get_bitmap(render=True, scale_to_original=True).to_pil()
    return drawn.crop((0, 0, width, height))

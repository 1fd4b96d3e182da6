"""What a page draws of all it holds: the text that was read, and lines and areas along its edges."""

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import pypdfium2
from pypdfium2 import raw

from simcompare.loading.pdf.drawing import box_on_page, objects_within, set_active, type_of
from simcompare.loading.pdf.lines import Boxes
from simcompare.report.annotated.quads import Rectangle

# pdfium itself follows forms within forms less far
_DEEPEST_FORM = 64
_MOST_OBJECTS = 100_000
# A drawing of more parts is looked at as a picture.
_MOST_SEGMENTS = 200
_SAME_POINTS = 0.01
# A dot before an item, which is no letter that anybody reads.
_DOT_POINTS = 5.0


@dataclass(frozen=True, slots=True)
class Shown:
    """Boxes on the page, shape (n, 4), in points: of the lines and areas it draws, and of what is left out.

    `addresses` are those of the lines and areas; is_all: whether everything was looked at, as what was not
    may be anything.
    """

    plain: Boxes
    addresses: Sequence[int]
    left_out: Boxes
    is_all: bool


def show_only_read(page: pypdfium2.PdfPage, texts: set[int], *, texts_alone: bool) -> Shown:
    """Leave undrawn what is not among the `texts` (addresses) that were read, and no line or area.

    `texts_alone`: lines and areas are undrawn as well.
    """
    plain: dict[int, Rectangle] = {}
    left_out: list[Rectangle] = []
    count = 0
    for address, matrix in islice(objects_within(page, _DEEPEST_FORM), _MOST_OBJECTS):
        count += 1
        kind = type_of(address)
        if address in texts or kind == raw.FPDF_PAGEOBJ_FORM:
            continue
        x0, y0, x1, y1 = box_on_page(address, matrix)
        box = (x0, y0, x1, y1)
        if not texts_alone and _tells_nothing(kind, address, box):
            plain[address] = box
            continue
        if kind != raw.FPDF_PAGEOBJ_TEXT:
            left_out.append(box)
        set_active(address, active=False)
    return Shown(_boxes(plain.values()), list(plain), _boxes(left_out), count < _MOST_OBJECTS)


def _boxes(boxes: Iterable[Rectangle]) -> Boxes:
    return np.array([*boxes], dtype=np.float64).reshape(-1, 4)


def _tells_nothing(kind: int, address: int, box: Rectangle) -> bool:
    is_path = kind == raw.FPDF_PAGEOBJ_PATH
    return kind == raw.FPDF_PAGEOBJ_SHADING or (is_path and (_is_dot(box) or _is_plain(address)))


def _is_dot(box: Rectangle) -> bool:
    return max(box[2] - box[0], box[3] - box[1]) <= _DOT_POINTS


def _is_plain(address: int) -> bool:
    """Whether a path runs along the edges of the page alone, as rules and frames do and letters do not."""
    path = ctypes.cast(address, raw.FPDF_PAGEOBJECT)
    count = raw.FPDFPath_CountSegments(path)
    return 0 <= count <= _MOST_SEGMENTS and all(_steps(path, count))


def _steps(path: raw.FPDF_PAGEOBJECT, count: int) -> Iterator[bool]:
    """Yield for each step of a path whether it goes across or down."""
    x, y = ctypes.c_float(), ctypes.c_float()
    begin = at = (0.0, 0.0)
    for number in range(count):
        segment = raw.FPDFPath_GetPathSegment(path, number)
        raw.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
        kind, to = raw.FPDFPathSegment_GetType(segment), (x.value, y.value)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            begin = to
        else:
            yield kind == raw.FPDF_SEGMENT_LINETO and _is_straight(at, to)
        at = to
        if raw.FPDFPathSegment_GetClose(segment):
            yield _is_straight(at, begin)
            at = begin


def _is_straight(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return min(abs(one[0] - other[0]), abs(one[1] - other[1])) <= _SAME_POINTS

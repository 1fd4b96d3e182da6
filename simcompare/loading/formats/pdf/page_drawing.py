"""Objects that a page draws, in drawing order, with their boxes and colours."""

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice, repeat
from typing import Any

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from pypdfium2 import raw

from simcompare.loading.formats.pdf.pdf_lines import Boxes

Colour = tuple[int, int, int, int]
_Matrix = tuple[float, float, float, float, float, float]

_UNTURNED: _Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_MAX_FORM_DEPTH = 4
# A drawing with this many parts is a map or a figure; covered labels in it are not searched.
_MAX_OBJECTS = 20_000
_MAX_AREAS = 500


def by_address(function: Any, *arguments: Any, result: Any = ctypes.c_int) -> Callable[..., Any]:
    """Return a pdfium function that takes, and with `result=c_void_p` returns, addresses as numbers.

    Checking pointer types and releasing the GIL takes longer than most of these functions, which are
    called for each character.
    """
    address = ctypes.cast(function, ctypes.c_void_p).value
    return ctypes.PYFUNCTYPE(result, ctypes.c_void_p, *arguments)(address or 0)


def unchecked(function: Any) -> Callable[..., int]:
    """Return a pdfium function that takes pointers as pointers and indexes as numbers, without checks.

    For functions called for each character of a page: checking the types takes half of their time.
    """
    address = ctypes.cast(function, ctypes.c_void_p).value
    return ctypes.PYFUNCTYPE(ctypes.c_int)(address or 0)


_page_object = by_address(raw.FPDFPage_GetObject, ctypes.c_int, result=ctypes.c_void_p)
_form_object = by_address(raw.FPDFFormObj_GetObject, ctypes.c_ulong, result=ctypes.c_void_p)
_type = by_address(raw.FPDFPageObj_GetType)
"""Type of the object at an address."""
_mode = by_address(raw.FPDFTextObj_GetTextRenderMode)
_fill = by_address(raw.FPDFPageObj_GetFillColor, *[ctypes.c_void_p] * 4)
_stroke = by_address(raw.FPDFPageObj_GetStrokeColor, *[ctypes.c_void_p] * 4)
_bounds = by_address(raw.FPDFPageObj_GetBounds, *[ctypes.c_void_p] * 4)
_draw_mode = by_address(raw.FPDFPath_GetDrawMode, *[ctypes.c_void_p] * 2)
_form_matrix = by_address(raw.FPDFPageObj_GetMatrix, ctypes.c_void_p)
_set_active = by_address(raw.FPDFPageObj_SetIsActive, ctypes.c_int)
_INVISIBLE_MODE = raw.FPDF_TEXTRENDERMODE_INVISIBLE
_STROKE_MODE, _STROKE_CLIP_MODE = raw.FPDF_TEXTRENDERMODE_STROKE, raw.FPDF_TEXTRENDERMODE_STROKE_CLIP


@dataclass(frozen=True, slots=True)
class PageObjects:
    """Objects of a page by address, in drawing order; those within a form follow it.

    `texts` are the text objects, `others` the places of all others with the matrix of their form.
    `is_complete` is False if a page has more or more deeply nested objects.
    """

    addresses: list[int]
    texts: NDArray[np.int64]
    others: list[tuple[int, _Matrix]]
    is_complete: bool


@dataclass(frozen=True, slots=True)
class FilledAreas:
    """Filled areas of a page, as columns of n entries: boxes, drawing order, and which are pictures.

    `colours` has red, green and blue, -1 for a picture.
    """

    boxes: Boxes
    orders: NDArray[np.int64]
    colours: NDArray[np.int64]
    pictures: NDArray[np.bool_]


def objects_of(page: pypdfium2.PdfPage) -> PageObjects:
    handle = ctypes.cast(page.raw, ctypes.c_void_p).value
    count = max(0, raw.FPDFPage_CountObjects(page))
    drawn = [address for address in map(_page_object, repeat(handle), range(count)) if address]
    kinds = np.array(list(map(_type, drawn)), dtype=np.int64)
    texts = np.array(drawn, dtype=np.int64)[kinds == raw.FPDF_PAGEOBJ_TEXT].tolist()
    addresses: list[int] = []
    others: list[tuple[int, _Matrix]] = []
    is_complete, start = True, 0
    for place in np.flatnonzero(kinds != raw.FPDF_PAGEOBJ_TEXT).tolist():
        addresses += drawn[start:place]
        start = place + 1
        for address, matrix, depth in islice(_with_parts(drawn[place], _UNTURNED), _MAX_OBJECTS):
            kind = _type(address)
            if kind == raw.FPDF_PAGEOBJ_TEXT:
                texts.append(address)
            else:
                others.append((len(addresses), matrix))
            is_complete &= kind != raw.FPDF_PAGEOBJ_FORM or depth < _MAX_FORM_DEPTH
            addresses.append(address)
        if len(addresses) >= _MAX_OBJECTS:
            is_complete = False
            break
    addresses += drawn[start:]
    within = [other for other in others if other[0] < _MAX_OBJECTS]
    return PageObjects(addresses[:_MAX_OBJECTS], np.array(texts, dtype=np.int64), within, is_complete)


def areas_of(objects: PageObjects, least_points: float) -> FilledAreas:
    """Return the areas of at least this width and height."""
    found: list[tuple[list[float], int, Colour]] = []
    for order, matrix in objects.others:
        address = objects.addresses[order]
        if (colour := _area_colour(address)) is not None:
            box = _box_on_page(address, matrix)
            if min(box[2] - box[0], box[3] - box[1]) >= least_points:
                found.append((box, order, colour))
    found = nlargest(_MAX_AREAS, found, key=lambda a: (a[0][2] - a[0][0]) * (a[0][3] - a[0][1]))
    colours = np.array([colour[:3] for _box, _order, colour in found], dtype=np.int64).reshape(-1, 3)
    return FilledAreas(
        np.array([box for box, _order, _colour in found], dtype=np.float64).reshape(-1, 4),
        np.array([order for _box, order, _colour in found], dtype=np.int64),
        colours,
        colours[:, 0] < 0,
    )


def pictures_of(objects: PageObjects) -> Iterator[tuple[int, list[float]]]:
    """Yield the addresses of the pictures, each with its box."""
    for order, matrix in objects.others:
        if _type(address := objects.addresses[order]) == raw.FPDF_PAGEOBJ_IMAGE:
            yield address, _box_on_page(address, matrix)


def _with_parts(address: int, matrix: _Matrix, depth: int = 0) -> Iterator[tuple[int, _Matrix, int]]:
    """Yield an object and those within it, each with the matrix of its form and its depth."""
    yield address, matrix, depth
    if depth < _MAX_FORM_DEPTH and _type(address) == raw.FPDF_PAGEOBJ_FORM:
        own = raw.FS_MATRIX()
        has_own = _form_matrix(address, ctypes.addressof(own))
        inner = _product((own.a, own.b, own.c, own.d, own.e, own.f), matrix) if has_own else matrix
        form = ctypes.cast(address, raw.FPDF_PAGEOBJECT)
        for number in range(max(0, raw.FPDFFormObj_CountObjects(form))):
            if part := _form_object(address, number):
                yield from _with_parts(part, inner, depth + 1)


def _product(inner: _Matrix, outer: _Matrix) -> _Matrix:
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (
        *(a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s),
        *(e * p + f * r + t, e * q + f * s + u),
    )


def _area_colour(address: int) -> Colour | None:
    """Return the colour with which an object covers others; -1 for a picture; None if it covers nothing."""
    kind = _type(address)
    if kind in {raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING}:
        return -1, -1, -1, 255
    if kind != raw.FPDF_PAGEOBJ_PATH:
        return None
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    if not _draw_mode(address, ctypes.addressof(fill), ctypes.addressof(stroke)) or not fill.value:
        return None
    return _colour(_fill, address)


def _colour(function: Callable[..., int], address: int) -> Colour | None:
    values = (ctypes.c_uint * 4)()
    start = ctypes.addressof(values)
    if not function(address, start, start + 4, start + 8, start + 12):
        return None
    return values[0], values[1], values[2], values[3]


def _box_on_page(address: int, matrix: _Matrix) -> list[float]:
    """Return x0, y0, x1, y1 of an object on its page, in points; `matrix` is that of its form."""
    values = (ctypes.c_float * 4)()
    start = ctypes.addressof(values)
    _bounds(address, start, start + 4, start + 8, start + 12)
    left, low, right, high = values
    a, b, c, d, e, f = matrix
    x = [a * x + c * y + e for x in (left, right) for y in (low, high)]
    y = [b * x + d * y + f for x in (left, right) for y in (low, high)]
    return [min(x), min(y), max(x), max(y)]


def text_colours(addresses: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return red, green, blue and opacity (0 to 255) of text objects, shape (n, 4).

    An object without a colour counts as black.
    """
    colours = np.zeros((len(addresses), 4), dtype=np.uint32)
    colours[:, 3] = 255
    objects = addresses.tolist()
    modes = np.array(list(map(_mode, objects)), dtype=np.int64)
    stroked = (modes == _STROKE_MODE) | (modes == _STROKE_CLIP_MODE)
    columns = [(colours.ctypes.data + 4 * part + 16 * np.arange(len(objects))).tolist() for part in range(4)]
    list(map(_fill, objects, *columns))
    for place in np.flatnonzero(stroked).tolist():
        colours[place] = _colour(_stroke, objects[place]) or (0, 0, 0, 255)
    colours[modes == _INVISIBLE_MODE] = 0
    return colours.astype(np.int64)


def set_active(address: int, *, active: bool) -> None:
    """Switch the drawing of an object on or off."""
    _set_active(address, int(active))

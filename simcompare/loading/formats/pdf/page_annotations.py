"""Values of form fields, typed text (FreeText annotations) and comments of a page, read by pdfium."""

import ctypes
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from pypdfium2 import raw

from simcompare.loading.extraction import clean
from simcompare.loading.formats.pdf.hidden_text import RenderBudget, rendered
from simcompare.loading.formats.pdf.pdf_lines import TypedText
from simcompare.model.document import DropReason

Box = tuple[float, float, float, float]

# No form has more fields on a page, or longer lists of choices; a damaged or hostile file may.
_MAX_ANNOTATIONS = 5_000
_MAX_OPTIONS = 1_000
_CHOICES = (raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX)
_NOT_SHOWN = raw.FPDF_ANNOT_FLAG_HIDDEN | raw.FPDF_ANNOT_FLAG_NOVIEW
_PASSWORD = 1 << 13
# The description of a link is not on the page; a popup window shows the comment of another annotation.
_WITHOUT_COMMENT = (raw.FPDF_ANNOT_UNKNOWN, raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP)
_LINE_END = re.compile(r"\r\n|[\r\n\x0b\x0c\u2028\u2029]")
_NUMBER = r"[-+]?(?:\d++\.?\d*+|\.\d++)"
_SIZE = re.compile(rf"/[^\s/]++\s++({_NUMBER})\s++Tf")
_FILL = re.compile(rf"(?<![\d.])((?:{_NUMBER}\s++){{1,4}})(g|rg|k)\b")
_TINY_POINTS = 2.0
_MAX_SIZE = 200.0
_MAX_POINTS = 1e6
# A longer appearance is a drawing.
_MAX_APPEARANCE = 20_000
# Share of full brightness above which a colour is light.
_LIGHT = 0.78


@dataclass(slots=True)
class PageAnnotations:
    """Typed text of a page, and text that is not taken, with the reason."""

    typed: list[TypedText] = field(default_factory=list)
    dropped: list[tuple[DropReason, str]] = field(default_factory=list)


class AnnotationReader:
    """Reads the annotations of the pages of a document; `close` it before the document."""

    def __init__(self, document: pypdfium2.PdfDocument, budget: RenderBudget) -> None:
        self._document = document
        self._budget = budget
        self._config = raw.FPDF_FORMFILLINFO(version=2)
        self._form: raw.FPDF_FORMHANDLE | None = None

    def close(self) -> None:
        if self._form is not None:
            raw.FPDFDOC_ExitFormFillEnvironment(self._form)
            self._form = None

    def read(self, page: pypdfium2.PdfPage) -> PageAnnotations:
        found = PageAnnotations()
        for number in range(min(raw.FPDFPage_GetAnnotCount(page), _MAX_ANNOTATIONS)):
            with _annotation(page, number) as annotation:
                if annotation:
                    self._add(page, annotation, found)
        return found

    def _add(self, page: pypdfium2.PdfPage, annotation: raw.FPDF_ANNOTATION, found: PageAnnotations) -> None:
        kind = raw.FPDFAnnot_GetSubtype(annotation)
        if kind == raw.FPDF_ANNOT_WIDGET:
            text, hidden = self._field_text(annotation)
            reason = DropReason.FORM_FIELD if hidden else None
        elif kind not in _WITHOUT_COMMENT:
            text, reason = _string(annotation, "Contents"), DropReason.COMMENT
            if kind == raw.FPDF_ANNOT_FREETEXT:
                reason = None
        else:
            return
        lines = tuple(line for part in _LINE_END.split(text) if (line := clean(part)))
        if not lines:
            return
        box = _box(annotation)
        if kind == raw.FPDF_ANNOT_WIDGET and _is_flat(box):
            reason = DropReason.FORM_FIELD
        reason = reason or _hidden_reason(page, annotation, box)
        if reason is None and self._is_white(page, annotation, box):
            reason = DropReason.WHITE_TEXT
        if reason is None:
            found.typed.append(TypedText(lines, box, box, _size(annotation), kind == raw.FPDF_ANNOT_WIDGET))
        else:
            found.dropped.append((reason, " ".join(lines)))

    def _is_white(self, page: pypdfium2.PdfPage, annotation: raw.FPDF_ANNOTATION, box: Box) -> bool:
        """Return whether typed text and all that is drawn with it is as light as the page below."""
        look = f"{_string(annotation, 'DA')} {_appearance(annotation)}"
        colours = [_brightness(match[1], match[2]) for match in _FILL.finditer(look)]
        if min(colours, default=0.0) < _LIGHT or not self._budget.take():
            return False
        below = _part(rendered(page), page, box)
        return float(np.median(below)) >= _LIGHT * 255 if below.size else False

    def _field_text(self, annotation: raw.FPDF_ANNOTATION) -> tuple[str, bool]:
        """Return the value of a text field or the chosen entries of a list, and whether it is hidden."""
        if self._form is None:
            self._form = raw.FPDFDOC_InitFormFillEnvironment(self._document, self._config)
        form = self._form
        kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
        if kind != raw.FPDF_FORMFIELD_TEXTFIELD and kind not in _CHOICES:
            return "", False
        chosen = self._chosen(form, annotation) if kind in _CHOICES else ""
        text = chosen or _wide_text(partial(raw.FPDFAnnot_GetFormFieldValue, form, annotation))
        is_password = kind == raw.FPDF_FORMFIELD_TEXTFIELD and bool(
            raw.FPDFAnnot_GetFormFieldFlags(form, annotation) & _PASSWORD
        )
        return text, is_password or bool(raw.FPDFAnnot_GetFlags(annotation) & _NOT_SHOWN)

    def _chosen(self, form: raw.FPDF_FORMHANDLE, annotation: raw.FPDF_ANNOTATION) -> str:
        options = range(min(raw.FPDFAnnot_GetOptionCount(form, annotation), _MAX_OPTIONS))
        return "\n".join(
            _wide_text(partial(raw.FPDFAnnot_GetOptionLabel, form, annotation, number))
            for number in options
            if raw.FPDFAnnot_IsOptionSelected(form, annotation, number)
        )


def remove_typed_text(page: pypdfium2.PdfPage) -> None:
    """Remove the FreeText annotations of an open page, before text recognition: their text is known."""
    for number in reversed(range(min(raw.FPDFPage_GetAnnotCount(page), _MAX_ANNOTATIONS))):
        with _annotation(page, number) as annotation:
            kind = raw.FPDFAnnot_GetSubtype(annotation) if annotation else raw.FPDF_ANNOT_UNKNOWN
        if kind == raw.FPDF_ANNOT_FREETEXT:
            raw.FPDFPage_RemoveAnnot(page, number)


@contextmanager
def _annotation(page: pypdfium2.PdfPage, number: int) -> Iterator[raw.FPDF_ANNOTATION]:
    annotation = raw.FPDFPage_GetAnnot(page, number)
    try:
        yield annotation
    finally:
        if annotation:
            raw.FPDFPage_CloseAnnot(annotation)


def _wide_text(function: Callable[[object, int], int]) -> str:
    """Return the text that a pdfium function writes as UTF-16 into a buffer of a given length in bytes."""
    length = function(None, 0)
    if length <= 2:
        return ""
    buffer = (raw.FPDF_WCHAR * (length // 2))()
    function(buffer, length)
    return bytes(buffer).decode("utf-16-le", errors="replace").rstrip("\0")


def _string(annotation: raw.FPDF_ANNOTATION, key: str) -> str:
    return _wide_text(partial(raw.FPDFAnnot_GetStringValue, annotation, key.encode()))


def _appearance(annotation: raw.FPDF_ANNOTATION) -> str:
    normal = raw.FPDF_ANNOT_APPEARANCEMODE_NORMAL
    return _wide_text(partial(raw.FPDFAnnot_GetAP, annotation, normal))[:_MAX_APPEARANCE]


def _box(annotation: raw.FPDF_ANNOTATION) -> Box:
    """Return x0, y0, x1, y1; damaged files have coordinates beyond any page, and NaN."""
    rectangle = raw.FS_RECTF()
    raw.FPDFAnnot_GetRect(annotation, ctypes.byref(rectangle))
    sides = np.array([rectangle.left, rectangle.right, rectangle.bottom, rectangle.top])
    left, right, low, high = np.nan_to_num(sides).clip(-_MAX_POINTS, _MAX_POINTS).tolist()
    return min(left, right), min(low, high), max(left, right), max(low, high)


def _is_flat(box: Box) -> bool:
    return min(box[2] - box[0], box[3] - box[1]) < _TINY_POINTS


def _size(annotation: raw.FPDF_ANNOTATION) -> float:
    match = _SIZE.search(_string(annotation, "DA"))
    return min(abs(float(match[1])), _MAX_SIZE) if match else 0.0


def _hidden_reason(page: pypdfium2.PdfPage, annotation: raw.FPDF_ANNOTATION, box: Box) -> DropReason | None:
    left, low, right, high = page.get_bbox()
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    if not (left <= x <= right and low <= y <= high):
        return DropReason.OUTSIDE_PAGE
    if raw.FPDFAnnot_GetFlags(annotation) & _NOT_SHOWN or _is_flat(box):
        return DropReason.HIDDEN_TEXT
    if 0 < _size(annotation) < _TINY_POINTS:
        return DropReason.TINY_TEXT
    return None


def _brightness(numbers: str, operator: str) -> float:
    """Return the brightness, in [0, 1], of the colour that an operator of a content stream sets."""
    values = [float(number) for number in numbers.split()]
    return 1.0 - min(1.0, max(values[:3]) + values[-1]) if operator == "k" else min(values)


def _part(pixels: NDArray[np.int16], page: pypdfium2.PdfPage, box: Box) -> NDArray[np.int16]:
    left, low, right, high = page.get_bbox()
    height, width = pixels.shape[:2]
    columns = [round((x - left) * width / max(right - left, 1.0)) for x in (box[0], box[2])]
    rows = [round((high - y) * height / max(high - low, 1.0)) for y in (box[3], box[1])]
    return pixels[max(0, rows[0]) : rows[1] + 1, max(0, columns[0]) : columns[1] + 1]

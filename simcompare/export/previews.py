"""Previews of exports: first pages as images, first lines, first rows; and the worker tasks for them."""

# ruff: noqa: PLC0415 - a worker loads the libraries of a form when it first needs them

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.export.export_tasks import Contents, copy_and_marks, load_chunked, rendering_in
from simcompare.report.annotated.annotation_marks import Mark, Side, prepared_document_of
from simcompare.report.evidence import Evidence
from simcompare.report.report_forms import CASE_SUFFIX
from simcompare.support.display_text import escape_invisible

PAGED_FORMS = frozenset({".html", ".pdf", ".docx"})
"""Forms with the same contents as the PDF; the first page of the PDF is their preview."""
_PIXELS_PER_POINT = 2.0
_MOST_WIDTH_PX = 1_400
_MOST_LINES = 200
_MOST_CHARACTERS_PER_LINE = 400
_MOST_MARKS = 4


@dataclass(frozen=True, slots=True)
class PageImage:
    """Image of a page: three bytes per pixel (red, green, blue), rows `stride` bytes apart."""

    width_px: int
    height_px: int
    stride: int
    pixels: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class PreviewPart:
    """Part of a preview: a heading, text, a remark and an image; each may be missing."""

    heading: str = ""
    text: str = ""
    remark: str = ""
    image: PageImage | None = None


@dataclass(frozen=True, slots=True)
class PartsPreview:
    """Parts, shown one below the other."""

    parts: tuple[PreviewPart, ...]


@dataclass(frozen=True, slots=True)
class TextPreview:
    """Beginning of a text file; `is_all` if nothing is omitted."""

    text: str
    is_all: bool


@dataclass(frozen=True, slots=True)
class RowsPreview:
    """First rows of a table, column headings first; `is_all` if nothing is omitted."""

    rows: tuple[tuple[str, ...], ...]
    is_all: bool


Preview = PartsPreview | TextPreview | RowsPreview


def previewed_form(form: str) -> str:
    return ".pdf" if form in PAGED_FORMS else ".csv" if form == ".xlsx" else form


def preview(
    contents: Contents, render: Callable[[Any, str, str], bytes], suffix: str, class_name: str
) -> Preview:
    """Preview what `render` makes of the contents: the first page of a PDF, or the beginning of a text."""
    if suffix not in {".pdf", CASE_SUFFIX}:
        return text_preview(render(contents, suffix, class_name), suffix)
    if isinstance(contents, Evidence):
        from simcompare.report.pdf_report import render_first_page

        pdf = render_first_page(contents, is_case=suffix == CASE_SUFFIX)
    else:
        pdf = render(contents, suffix, class_name)
    return PartsPreview((PreviewPart(image=page_image(pdf)),))


def preview_copy(
    path: Path, packed: bytes, side: Side, language: str, password: str | None
) -> tuple[PreviewPart, ...]:
    """Preview the annotated copy of a file: the first page with a mark of a PDF, else the first marks."""
    from simcompare.report.annotated.annotate import placed_in_words, remarks_in_words

    with rendering_in(language):
        evidence, pseudonyms = load_chunked(packed)
        copy, marks = copy_and_marks(path, side, password, evidence, pseudonyms)
        remark = "\n".join([placed_in_words(copy), *remarks_in_words(copy, path)])
        prepared_document = prepared_document_of(evidence.comparison, side)
        if prepared_document.document.receipt.format == "pdf":
            image = page_image(copy.data, _first_marked_page(marks, prepared_document), password)
            return (PreviewPart(remark=remark, image=image),)
        marked_parts = [
            PreviewPart(text=escape_invisible(mark.text), remark="\n".join(mark.lines[:2]))
            for mark in marks[:_MOST_MARKS]
        ]
        return (PreviewPart(remark=remark), *marked_parts)


def text_preview(data: bytes, suffix: str) -> TextPreview | RowsPreview:
    """Preview a text file; comma-separated values as rows."""
    text = data.decode("utf-8-sig", "replace")
    if suffix == ".csv":
        import csv
        from itertools import islice

        reader = csv.reader(text.splitlines(keepends=True))
        rows = tuple(tuple(map(_shortened, row)) for row in islice(reader, _MOST_LINES))
        return RowsPreview(rows, is_all=next(reader, None) is None)
    lines = text.splitlines()
    excerpt = "\n".join(map(_shortened, lines[:_MOST_LINES]))
    return TextPreview(escape_invisible(excerpt), is_all=len(lines) <= _MOST_LINES)


def _shortened(text: str) -> str:
    most = _MOST_CHARACTERS_PER_LINE
    return text if len(text) <= most else text[: most - 1] + "…"


def _first_marked_page(marks: Sequence[Mark], prepared_document: PreparedDocument) -> int:
    boxes = prepared_document.document.character_boxes
    if boxes is None or not marks:
        return 0
    span = marks[0].span
    pages = boxes.pages[span.start : span.end]
    return max(int(pages.max(initial=1)) - 1, 0)


def page_image(pdf: bytes, page: int = 0, password: str | None = None) -> PageImage:
    """Render a page of a PDF with its annotations."""
    import pypdfium2

    with pypdfium2.PdfDocument(pdf, password) as document:
        pdf_page = document[min(page, len(document) - 1)]
        scale = min(_PIXELS_PER_POINT, _MOST_WIDTH_PX / max(pdf_page.get_width(), 1))
        pixels = pdf_page.render(scale=scale, rev_byteorder=True).to_numpy()
        height, width, _channels = pixels.shape
        return PageImage(width, height, pixels.strides[0], pixels.tobytes())

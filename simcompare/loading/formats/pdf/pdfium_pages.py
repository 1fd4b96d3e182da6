"""Pages read by pdfium: fast, and correct on nearly all files."""

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from statistics import median

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from pypdfium2 import raw

from simcompare.loading.formats.pdf.hidden_text import REASONS, RenderBudget, hidden_reasons
from simcompare.loading.formats.pdf.page_annotations import AnnotationReader, PageAnnotations
from simcompare.loading.formats.pdf.page_drawing import text_colours
from simcompare.loading.formats.pdf.page_pictures import add_pictures
from simcompare.loading.formats.pdf.pdf_lines import GlyphColumns, PdfLine, PdfPage, line_of
from simcompare.loading.formats.pdf.pdf_phonetic_guides import remove_phonetic_guides
from simcompare.loading.formats.pdf.pdfium_characters import (
    BROKEN_WORD,
    PdfCharacters,
    beside_raised,
    join_beside_raised,
    put_in_order,
    raised_marks,
    text_of,
)
from simcompare.loading.formats.pdf.text_repairs import doubles_among, repaired
from simcompare.loading.shared.pictures import PictureCollector
from simcompare.model.document import DropReason
from simcompare.support.processor_time import ProcessorDeadline

# Vertical distance, in letter heights, from which a glyph is on another line; upwards only if to the left.
# Rising text (a watermark) goes up and to the right within its line.
_OTHER_LINE = 0.6
_MAX_FORM_DEPTH = 4
# Gap between the cells of a row, in font sizes.
_CELL_GAP = 1.5
# A line this much larger than others may be a watermark; these are of 255 steps.
_LARGE = 1.4
_FAINT_OPACITY, _PALE = 160, 150


def pdfium_pages(
    document: pypdfium2.PdfDocument, deadline: ProcessorDeadline, pictures: PictureCollector
) -> Iterator[PdfPage]:
    """Yield the pages of an open document that can be read before the deadline, and collect its pictures.

    A page that cannot be loaded has no lines and is unreadable.
    """
    budget = RenderBudget()
    spaces_drawn = False
    with closing(AnnotationReader(document, budget)) as annotations:
        for index in range(len(document)):
            if deadline.is_past:
                return
            try:
                page = document[index]
                textpage = text_of(page)
            except pypdfium2.PdfiumError:
                yield PdfPage(index + 1, 0.0, 0.0, [], unreadable=1.0)
                continue
            try:
                characters = PdfCharacters(textpage)
                spaces_drawn |= characters.draws_spaces
                read = _page(index + 1, page, characters, budget, spaces_drawn=spaces_drawn)
                add_pictures(page, document, index + 1, pictures)
                yield _with_annotations(read, characters, annotations.read(page))
            finally:
                textpage.close()
                page.close()


def has_text_objects(document: pypdfium2.PdfDocument, number: int) -> bool:
    """Return whether a page draws text, readable or not."""
    page = document[number - 1]
    try:
        return _holds(page, raw.FPDF_PAGEOBJ_TEXT)
    finally:
        page.close()


def _holds(page: pypdfium2.PdfPage, kind: int) -> bool:
    return next(iter(page.get_objects((kind,), max_depth=_MAX_FORM_DEPTH)), None) is not None


def _page(
    number: int,
    page: pypdfium2.PdfPage,
    characters: PdfCharacters,
    budget: RenderBudget,
    *,
    spaces_drawn: bool,
) -> PdfPage:
    dropped = _remove_hidden(characters, hidden_reasons(page, characters, budget))
    if phonetic_guides := remove_phonetic_guides(characters):
        dropped.append((DropReason.PHONETIC_GUIDE, phonetic_guides))
    join_beside_raised(characters)
    put_in_order(characters)
    ((_x0, low, _x1, high),) = characters.turned(np.array([page.get_bbox()])).tolist()
    lines = _lines(number, characters, spaces_drawn=spaces_drawn)
    lines = [_with_hyphen(line) for line in repaired(lines)]
    is_picture_only = not lines and _holds(page, raw.FPDF_PAGEOBJ_IMAGE)
    return PdfPage(
        number,
        low,
        high,
        lines,
        characters.page_boxes,
        characters.unreadable_share,
        is_picture_only,
        dropped,
        raised_marks(characters),
    )


def _with_annotations(page: PdfPage, characters: PdfCharacters, found: PageAnnotations) -> PdfPage:
    if not found.typed and not found.dropped:
        return page
    boxes = characters.turned(np.array([typed.page_box for typed in found.typed]).reshape(-1, 4))
    typed = [
        replace(text, box=(x0, y0, x1, y1))
        for text, (x0, y0, x1, y1) in zip(found.typed, boxes.tolist(), strict=True)
    ]
    return replace(page, typed=typed, annotations=found.dropped)


def _remove_hidden(characters: PdfCharacters, reasons: NDArray[np.int8]) -> list[tuple[DropReason, str]]:
    """Remove hidden characters, with the spaces between them; return their text by reason."""
    if not reasons.any():
        return []
    nonblank = np.flatnonzero(characters.nonblank)
    places = np.searchsorted(nonblank, np.arange(len(reasons)))
    before = reasons[nonblank[np.maximum(places - 1, 0)]]
    after = reasons[nonblank[np.minimum(places, len(nonblank) - 1)]]
    reasons = np.where(~characters.nonblank & (before == after), before, reasons)
    text = np.where(characters.nonblank, characters.codes, ord(" "))
    dropped = []
    for number, reason in enumerate(REASONS):
        found = np.flatnonzero(reasons == number)
        if reason is not None and len(found):
            runs = np.split(found, np.flatnonzero(np.diff(found) > 1) + 1)
            dropped += [(reason, "".join(map(chr, text[run].tolist()))) for run in runs]
    characters.keep(reasons == 0)
    return dropped


def _lines(page: int, characters: PdfCharacters, *, spaces_drawn: bool) -> list[PdfLine]:
    x0, y0, x1, y1 = characters.boxes.T.tolist()
    chars = list(map(chr, characters.codes.tolist()))
    glyphs = GlyphColumns(chars, x0, y0, x1, y1, characters.generated.tolist(), range(len(chars)))
    doubled = doubles_among(characters.codes, characters.boxes, characters.nonblank)
    gaps = _wide_gaps(characters)
    has_headroom = bool(characters.headroom.any())
    found: list[PdfLine] = []
    usual_places: list[int] = []
    for first, usual, last, stop in _places_of_lines(characters):
        kept = glyphs.between(first, stop)
        if doubled and not doubled.isdisjoint(range(first, stop)):
            kept = kept.without(doubled, first)
        bold = characters.is_bold(first) and characters.is_bold(last)
        line = line_of(page, kept, characters.size(usual), bold=bold, spaces_drawn=spaces_drawn)
        if line is not None:
            within = gaps[bisect_left(gaps, (first + 1,)) : bisect_left(gaps, (stop,))]
            headroom = float(characters.headroom[first:stop].max()) if has_headroom else 0.0
            found.append(replace(line, gaps=within, headroom=headroom) if within or headroom else line)
            usual_places.append(usual)
    large = _LARGE * median(line.size for line in found) if found else 0.0
    return [_with_looks(*pair, characters, large) for pair in zip(found, usual_places, strict=True)]


def _with_looks(line: PdfLine, place: int, characters: PdfCharacters, large: float) -> PdfLine:
    """Set whether a line is turned and pale, by one of its glyphs."""
    turned = not characters.is_upright(place)
    if not turned and line.size < large:
        return line
    *colour, opacity = text_colours(characters.text_objects(np.array([place])))[0].tolist()
    return replace(line, turned=turned, pale=opacity < _FAINT_OPACITY or min(colour) > _PALE)


def _wide_gaps(characters: PdfCharacters) -> list[tuple[int, float, float]]:
    """Return (index of the next character, start x, end x) of the wide gaps between words."""
    nonblank = np.flatnonzero(characters.nonblank)
    if not len(nonblank):
        return []
    x0, y0, x1, y1 = characters.boxes[nonblank].T
    far = x0[1:] - x1[:-1] > _CELL_GAP * np.median(y1 - y0)
    apart = zip(nonblank[1:][far].tolist(), x1[:-1][far].tolist(), x0[1:][far].tolist(), strict=True)
    return [gap for gap in apart if gap[2] - gap[1] > _CELL_GAP * characters.size(gap[0])]


def _places_of_lines(characters: PdfCharacters) -> Iterator[tuple[int, int, int, int]]:
    """Yield the first non-blank glyph of each line, one of usual height, the last one, and its end.

    The upper quartile of the heights is usual: in a short line most glyphs may be a raised mark. Drawn
    spaces at the end belong to the line: they show later whether words were separated.
    """
    nonblank = np.flatnonzero(characters.nonblank)
    if not len(nonblank):
        return
    begins = np.flatnonzero(_begins_line(characters, nonblank)) + 1
    starts, ends = np.array([0, *begins]), np.array([*(begins - 1), len(nonblank) - 1])
    _x0, y0, _x1, y1 = characters.boxes[nonblank].T
    numbers = np.repeat(np.arange(len(starts)), ends - starts + 1)
    usuals = nonblank[np.lexsort((y1 - y0, numbers))[(starts + 3 * ends) // 4]].tolist()
    firsts, lasts = nonblank[starts].tolist(), nonblank[ends].tolist()
    drawn_spaces = characters.drawn_spaces.tolist()
    for first, usual, last in zip(firsts, usuals, lasts, strict=True):
        stop = last + 1
        while stop < len(drawn_spaces) and drawn_spaces[stop]:
            stop += 1
        yield first, usual, last, stop


def _begins_line(characters: PdfCharacters, nonblank: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which non-blank glyphs, the first excluded, are on another line than the one before.

    pdfium omits some line ends: after a hyphenated word, and if a writer draws words one by one and
    scales them down. In that case it applies the scale twice to the distance that it requires after a
    full stop, so that no line is far enough below.
    """
    x0, y0, _x1, y1 = characters.boxes[nonblank].T
    height = np.maximum((y1 - y0)[:-1], (y1 - y0)[1:])
    lower = y0[:-1] - y0[1:]
    moved = np.where(x0[1:] < x0[:-1], np.abs(lower), lower)
    ended = np.diff(np.cumsum(characters.line_ends)[nonblank]) > 0
    broken = characters.codes[nonblank[:-1]] == ord(BROKEN_WORD)
    begins: NDArray[np.bool_] = ended | broken
    begins |= (moved > _OTHER_LINE * height) | (np.abs(lower) > 2 * height)
    return begins & ~beside_raised(characters, nonblank, begins)


def _with_hyphen(line: PdfLine) -> PdfLine:
    if BROKEN_WORD not in line.text:
        return line
    broken = line.text.endswith(BROKEN_WORD)
    return replace(line, text=line.text.replace(BROKEN_WORD, "-"), hyphenated=broken)

"""PDF pages by pdfium: fast, and right on nearly all."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from pypdfium2 import raw

from simcompare.loading.formats.pdf.glyph_order import put_in_order
from simcompare.loading.formats.pdf.hidden_text import REASONS, Looks, reasons_unseen
from simcompare.loading.formats.pdf.pdf_lines import Glyphs, Line, Page, line_of
from simcompare.loading.formats.pdf.pdf_opening import take_readings
from simcompare.loading.formats.pdf.pdfium_characters import (
    BROKEN_WORD,
    Characters,
    beside_raised,
    join_beside_raised,
    raised_marks,
    text_of,
)
from simcompare.loading.formats.pdf.text_repairs import doubles_among, repaired
from simcompare.model.receipt import DropReason

# How far down, in heights of a letter, something stands on a line of its own; further left, up as well.
# Rising text (a watermark) goes up and to the right within its line.
_OTHER_LINE = 0.6
_DEEPEST_FORM = 4
# Letter sizes between the cells of a row.
_CELL_GAP = 1.5


def pdfium_pages(document: pypdfium2.PdfDocument) -> Iterator[Page]:
    """Yield the pages of an open document; one that cannot be loaded has no lines and is unreadable."""
    looks = Looks()
    spaces_drawn = False
    for index in range(len(document)):
        try:
            page = document[index]
            textpage = text_of(page)
        except pypdfium2.PdfiumError:
            yield Page(index + 1, 0.0, 0.0, [], unreadable=1.0)
            continue
        try:
            characters = Characters(textpage)
            spaces_drawn |= characters.draws_spaces
            yield _page(index + 1, page, characters, looks, spaces_drawn=spaces_drawn)
        finally:
            textpage.close()
            page.close()


def has_text_objects(document: pypdfium2.PdfDocument, number: int) -> bool:
    """Return whether a page draws text, whatever comes out of it."""
    page = document[number - 1]
    try:
        return _holds(page, raw.FPDF_PAGEOBJ_TEXT)
    finally:
        page.close()


def _holds(page: pypdfium2.PdfPage, kind: int) -> bool:
    return next(iter(page.get_objects((kind,), max_depth=_DEEPEST_FORM)), None) is not None


def _page(
    number: int, page: pypdfium2.PdfPage, characters: Characters, looks: Looks, *, spaces_drawn: bool
) -> Page:
    taken = _take_unseen(characters, reasons_unseen(page, characters, looks))
    if readings := take_readings(characters):
        taken.append((DropReason.PHONETIC_GUIDE, readings))
    join_beside_raised(characters)
    put_in_order(characters)
    ((_x0, low, _x1, high),) = characters.turned(np.array([page.get_bbox()])).tolist()
    lines = _lines(number, characters, spaces_drawn=spaces_drawn)
    lines = [_with_hyphen(line) for line in repaired(lines)]
    pictured = not lines and _holds(page, raw.FPDF_PAGEOBJ_IMAGE)
    return Page(
        number,
        low,
        high,
        lines,
        characters.page_boxes,
        characters.unreadable_share,
        pictured,
        taken,
        raised_marks(characters),
    )


def _take_unseen(characters: Characters, reasons: NDArray[np.int8]) -> list[tuple[DropReason, str]]:
    """Take what is not seen out of the characters, with the spaces within; return it with its reason."""
    if not reasons.any():
        return []
    inked = np.flatnonzero(characters.inked)
    places = np.searchsorted(inked, np.arange(len(reasons)))
    before = reasons[inked[np.maximum(places - 1, 0)]]
    after = reasons[inked[np.minimum(places, len(inked) - 1)]]
    reasons = np.where(~characters.inked & (before == after), before, reasons)
    text = np.where(characters.inked, characters.codes, ord(" "))
    taken = [
        (reason, "".join(map(chr, text[reasons == number].tolist())))
        for number, reason in enumerate(REASONS)
        if reason is not None and (reasons == number).any()
    ]
    characters.keep(reasons == 0)
    return taken


def _lines(page: int, characters: Characters, *, spaces_drawn: bool) -> list[Line]:
    """Return the lines of a page in the order of its content."""
    glyphs = _glyphs(characters)
    doubled = doubles_among(characters.codes, characters.boxes, characters.inked)
    gaps = _wide_gaps(characters)
    found = []
    for first, middle, last, stop in _places_of_lines(characters):
        kept = glyphs.between(first, stop)
        if not doubled.isdisjoint(range(first, stop)):
            kept = kept.without(doubled, first)
        bold = characters.is_bold(first) and characters.is_bold(last)
        line = line_of(page, kept, characters.size(middle), bold=bold, spaces_drawn=spaces_drawn)
        if line is not None:
            within = gaps[bisect_left(gaps, (first + 1,)) : bisect_left(gaps, (stop,))]
            headroom = float(characters.headroom[first:stop].max())
            found.append(replace(line, gaps=within, headroom=headroom))
    return found


def _glyphs(characters: Characters) -> Glyphs:
    x0, y0, x1, y1 = characters.boxes.T.tolist()
    chars = list(map(chr, characters.codes.tolist()))
    return Glyphs(chars, x0, y0, x1, y1, characters.generated.tolist(), range(len(chars)))


def _wide_gaps(characters: Characters) -> list[tuple[int, float, float]]:
    """Return where words stand far apart: the place of the character after the gap, and the gap's ends."""
    inked = np.flatnonzero(characters.inked)
    if not len(inked):
        return []
    x0, y0, x1, y1 = characters.boxes[inked].T
    far = x0[1:] - x1[:-1] > _CELL_GAP * np.median(y1 - y0)
    apart = zip(inked[1:][far].tolist(), x1[:-1][far].tolist(), x0[1:][far].tolist(), strict=True)
    return [gap for gap in apart if gap[2] - gap[1] > _CELL_GAP * characters.size(gap[0])]


def _places_of_lines(characters: Characters) -> Iterator[tuple[int, int, int, int]]:
    """Yield where each line has its first, middle and last glyph with ink, and where it stops.

    Spaces that were drawn at the end belong to it: they tell later whether the words were apart.
    """
    inked = np.flatnonzero(characters.inked)
    if not len(inked):
        return
    begins = np.flatnonzero(_begins_line(characters, inked)) + 1
    starts, ends = np.array([0, *begins]), np.array([*(begins - 1), len(inked) - 1])
    middles = inked[(starts + ends) // 2].tolist()
    firsts, lasts = inked[starts].tolist(), inked[ends].tolist()
    drawn_spaces = characters.drawn_spaces.tolist()
    for first, middle, last in zip(firsts, middles, lasts, strict=True):
        stop = last + 1
        while stop < len(drawn_spaces) and drawn_spaces[stop]:
            stop += 1
        yield first, middle, last, stop


def _begins_line(characters: Characters, inked: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which of the glyphs with ink, the first left out, stand on another line than the one before.

    pdfium passes over some line ends: after a broken word, and where a writer draws words one by one and
    scales them down. There it scales the step down that it asks for after a full stop up once too often,
    so that no line is as far below.
    """
    x0, y0, _x1, y1 = characters.boxes[inked].T
    height = np.maximum((y1 - y0)[:-1], (y1 - y0)[1:])
    lower = y0[:-1] - y0[1:]
    moved = np.where(x0[1:] < x0[:-1], np.abs(lower), lower)
    ended = np.diff(np.cumsum(characters.line_ends)[inked]) > 0
    broken = characters.codes[inked[:-1]] == ord(BROKEN_WORD)
    begins: NDArray[np.bool_] = ended | broken
    begins |= (moved > _OTHER_LINE * height) | (np.abs(lower) > 2 * height)
    return begins & ~beside_raised(characters, inked, begins)


def _with_hyphen(line: Line) -> Line:
    if BROKEN_WORD not in line.text:
        return line
    broken = line.text.endswith(BROKEN_WORD)
    return replace(line, text=line.text.replace(BROKEN_WORD, "-"), hyphenated=broken)

"""Pages read by pdfium: fast, and correct on nearly all files; their pictures and phonetic guides."""

import ctypes
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import compress, pairwise
from statistics import median
from typing import TYPE_CHECKING

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from pypdfium2 import raw

from simcompare.loading.formats.pdf.hidden_text import REASONS, RenderBudget, hidden_reasons
from simcompare.loading.formats.pdf.page_annotations import AnnotationReader, PageAnnotations
from simcompare.loading.formats.pdf.page_drawing import PageObjects, objects_of, pictures_of, text_colours
from simcompare.loading.formats.pdf.pdf_lines import (
    FIRST_CJK,
    Glyph,
    PdfLine,
    PdfPage,
    chars_of,
    unbroken_length,
)
from simcompare.loading.formats.pdf.pdfium_characters import (
    BROKEN_WORD,
    UPRIGHT_ANGLE,
    Numbers,
    PdfCharacters,
    beside_raised,
    join_beside_raised,
    put_in_order,
    raised_marks,
    text_of,
)
from simcompare.loading.formats.pdf.text_repairs import doubles_among, repaired
from simcompare.loading.shared.pictures import MOST_PIXELS, PictureCollector
from simcompare.model.document import DropReason
from simcompare.support.clock import ProcessorDeadline

if TYPE_CHECKING:
    from PIL.Image import Image


# A picture of more of the page is the page itself: a scan, whose text is recognised.
_MOST_OF_PAGE = 0.7
_JPEG = b"DCTDecode\0"


def add_pictures(
    page: pypdfium2.PdfPage, number: int, objects: PageObjects, collector: PictureCollector
) -> None:
    left, low, right, high = page.get_bbox()
    most = _MOST_OF_PAGE * (right - left) * (high - low)
    for address, (x0, y0, x1, y1) in pictures_of(objects):
        if (x1 - x0) * (y1 - y0) > most:
            continue
        item = ctypes.cast(address, raw.FPDF_PAGEOBJECT)
        data = ctypes.create_string_buffer(raw.FPDFImageObj_GetImageDataRaw(item, None, 0))
        raw.FPDFImageObj_GetImageDataRaw(item, data, len(data))
        if _is_jpeg(item):
            collector.add(data.raw, number)
        else:
            collector.add_drawn(data.raw, partial(_drawn, item, page, (x1 - x0, y1 - y0)), number)


def _is_jpeg(item: object) -> bool:
    if raw.FPDFImageObj_GetImageFilterCount(item) != 1:
        return False
    name = ctypes.create_string_buffer(len(_JPEG))
    raw.FPDFImageObj_GetImageFilter(item, 0, name, len(name))
    return bool(name.raw == _JPEG)


def _drawn(item: object, page: pypdfium2.PdfPage, size_pt: tuple[float, float]) -> "Image":
    """Return a picture in its own size, with its mask; size_pt: on the page."""
    picture = pypdfium2.PdfImage(item, page=page, pdf=page.pdf)
    width, height = picture.get_px_size()
    # it is drawn in the proportions that it has on the page
    scale = max(width / max(size_pt[0], 1e-6), height / max(size_pt[1], 1e-6))
    if max(width * height, scale * size_pt[0] * scale * size_pt[1]) > MOST_PIXELS:
        raise ValueError((width, height))
    drawn: Image = picture.get_bitmap(render=True, scale_to_original=True).to_pil()
    return drawn.crop((0, 0, width, height))


_IDEOGRAPHS = ((0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))
# Largest size of a guide and range of its foot, as shares of the size of the characters below.
_MAX_SIZE = 0.7
_MAX_HEIGHT = 0.65
_MIN_FOOT = 0.6
_MAX_FOOT = 1.7
_OVERHANG = 1.0
_OFF_MIDDLE = 0.1
_SHARED_GAP = 0.5
# In heights of a letter of a guide.
_GAP = 0.1
# Guides leave gaps in a line, but none as wide as between columns.
_MAX_GAP = 1.5
_LEVEL = 0.3
# A page with more lines is a map or a hostile file.
_MAX_ROWS = 500
_PINYIN = re.compile(
    r"(?>(?:[zcs]h|[bpmfdtnlgkhjqxzcsryw])?+"
    r"(?>[iu]ang|iong|ueng|[aeio]ng|ia[no]|ua[in]|[ae]i|[ao]o|ou|[aeiu]n|i[aeu]|u[aoie]|er|[aeiouv])r?+['’]?+\d?+)++"
)
_SYLLABLE_SIGNS = re.compile(r"[\u3041-\u30ff\u3105-\u312f\u31a0-\u31bfˊˇˋ˙]+")
_LATIN_FORMS = str.maketrans({"ɑ": "a", "ɡ": "g"})

_Mask = NDArray[np.bool_]


def remove_phonetic_guides(characters: PdfCharacters) -> str:
    """Remove phonetic guides, and the line ends that they caused, from the characters; return their text."""
    nonblank = np.flatnonzero(characters.nonblank)
    found = list(_phonetic_guides(characters, nonblank))
    if not found:
        return ""
    dropped = np.zeros(len(characters.codes), dtype=np.bool_)
    for places in found:
        dropped[places] = True
    text = " ".join(_text(characters, places) for places in found)
    characters.keep(~(dropped | _breaks_around(characters, nonblank, dropped)))
    return text


def _phonetic_guides(characters: PdfCharacters, nonblank: Numbers) -> Iterator[Numbers]:
    """Yield the indexes of each guide, line by line; record their height as headroom."""
    codes = characters.codes[nonblank]
    ideographs: _Mask = np.any([(codes >= first) & (codes <= last) for first, last in _IDEOGRAPHS], axis=0)
    base = nonblank[ideographs]
    low = _low_among(characters, nonblank[~ideographs], base)
    for line in _lines_below(characters, base, low) if len(low) else ():
        runs = list(_runs(characters, _above(characters, line, low)))
        # Small print above a line is a guide only if all of it is.
        if runs and all(
            _is_phonetic_guide(_text(characters, places)) and _is_above(characters, places, line)
            for places in runs
        ):
            tops = characters.boxes[np.concatenate(runs), 3]
            characters.headroom[line] = max(0.0, tops.max() - np.median(characters.boxes[line, 3]))
            yield from runs


def _low_among(characters: PdfCharacters, others: Numbers, base: Numbers) -> Numbers:
    """Return the glyphs that are low compared with most ideographs: on most pages there are none."""
    if not len(base) or not len(others):
        return others[:0]
    heights = characters.boxes[:, 3] - characters.boxes[:, 1]
    return others[heights[others] < _MAX_HEIGHT * np.median(heights[base])]


def _lines_below(characters: PdfCharacters, base: Numbers, low: Numbers) -> Iterator[Numbers]:
    """Yield the lines of ideographs, from the top, that may have some of the low glyphs above them.

    On most pages with low glyphs these are marks of notes, and too low for a guide.
    """
    levels = np.round(characters.boxes[base, 1])
    order = np.argsort(levels, kind="stable")
    rows, starts = np.unique(levels[order], return_index=True)
    if len(rows) > _MAX_ROWS:
        return
    heights = (characters.boxes[base, 3] - characters.boxes[base, 1])[order]
    least, most = np.minimum.reduceat(heights, starts), np.maximum.reduceat(heights, starts)
    feet = np.sort(characters.boxes[low, 1])
    first = np.searchsorted(feet, rows - 1 + _MIN_FOOT * np.maximum(least, 1.0))
    stop = np.searchsorted(feet, rows + 1 + _MAX_FOOT * np.maximum(most, 1.0))
    lines = np.split(base[order], starts[1:])
    yield from (lines[number] for number in np.flatnonzero(first < stop)[::-1].tolist())


def _above(characters: PdfCharacters, line: Numbers, others: Numbers) -> Numbers:
    """Return the small glyphs directly above a line of ideographs."""
    x0, y0, x1, y1 = characters.boxes[line].T
    height, reach = float(np.median(y1 - y0)), _OVERHANG * float(np.median(x1 - x0))
    left, _low, right, _high = characters.boxes[others].T
    foot = (characters.boxes[others, 1] - float(np.median(y0))) / max(height, 1.0)
    near = (foot > _MIN_FOOT) & (foot < _MAX_FOOT)
    near &= (left > x0.min() - reach) & (right < x1.max() + reach)
    most = _MAX_SIZE * characters.size(int(line[0]))
    small = [place for place in others[near].tolist() if characters.size(place) <= most]
    return np.array(small, dtype=np.int64)


def _runs(characters: PdfCharacters, places: Numbers) -> Iterator[Numbers]:
    """Yield groups of adjacent glyphs, from left to right."""
    if not len(places):
        return
    ordered = places[np.argsort(characters.boxes[places, 0], kind="stable")]
    x0, y0, x1, y1 = characters.boxes[ordered].T
    apart = x0[1:] - np.maximum.accumulate(x1)[:-1] > _GAP * float(np.median(y1 - y0))
    cuts = [0, *(np.flatnonzero(apart) + 1).tolist(), len(ordered)]
    yield from (ordered[first:stop] for first, stop in pairwise(cuts))


def _is_above(characters: PdfCharacters, places: Numbers, line: Numbers) -> bool:
    """Return whether the middle of a guide is above a character, or above the gap of two that share it."""
    x0, _y0, x1, _y1 = characters.boxes[line].T
    left, right = characters.boxes[places, 0].min(), characters.boxes[places, 2].max()
    middle, width = (left + right) / 2, float(np.median(x1 - x0))
    off = np.maximum(x0 - middle, middle - x1).min()
    return bool(off < (_OFF_MIDDLE if right - left < width else _SHARED_GAP) * width)


def _text(characters: PdfCharacters, places: Numbers) -> str:
    return unicodedata.normalize("NFC", "".join(map(chr, characters.codes[places].tolist())))


def _is_phonetic_guide(text: str) -> bool:
    if _SYLLABLE_SIGNS.fullmatch(text):
        return True
    letters = unicodedata.normalize("NFD", text.lower().translate(_LATIN_FORMS))
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return _PINYIN.fullmatch(plain) is not None


def _breaks_around(characters: PdfCharacters, nonblank: Numbers, dropped: _Mask) -> _Mask:
    """Return which line ends and generated spaces are superfluous once the guides are removed."""
    breaks = np.zeros(len(dropped), dtype=np.bool_)
    kept = nonblank[~dropped[nonblank]]
    counts = np.cumsum(dropped)
    parted = counts[kept[1:]] > counts[kept[:-1]]
    x0, y0, x1, y1 = characters.boxes[kept].T
    height = np.minimum((y1 - y0)[1:], (y1 - y0)[:-1])
    gap = x0[1:] - x1[:-1]
    level = np.abs(y0[1:] - y0[:-1]) < _LEVEL * height
    beside = parted & level & (gap > -_LEVEL * height) & (gap < _MAX_GAP * height)
    for number in np.flatnonzero(beside).tolist():
        breaks[kept[number] + 1 : kept[number + 1]] = True
    return breaks & (characters.line_ends | characters.generated)


_Values = NDArray[np.float64]

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
                objects = objects_of(page)
                read = _page(index + 1, page, characters, objects, budget, spaces_drawn=spaces_drawn)
                add_pictures(page, index + 1, objects, pictures)
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
    objects: PageObjects,
    budget: RenderBudget,
    *,
    spaces_drawn: bool,
) -> PdfPage:
    dropped = _remove_hidden(characters, hidden_reasons(page, characters, objects, budget))
    if phonetic_guides := remove_phonetic_guides(characters):
        dropped.append((DropReason.PHONETIC_GUIDE, phonetic_guides))
    join_beside_raised(characters)
    put_in_order(characters)
    ((_x0, low, _x1, high),) = characters.turned(np.array([page.get_bbox()])).tolist()
    lines = repaired(_lines(number, characters, spaces_drawn=spaces_drawn))
    for line in lines:
        if BROKEN_WORD in line.text:
            line.hyphenated = line.text.endswith(BROKEN_WORD)
            line.text = line.text.replace(BROKEN_WORD, "-")
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
    nonblank = np.flatnonzero(characters.nonblank)
    if not len(nonblank):
        return []
    begins = np.flatnonzero(_begins_line(characters, nonblank)) + 1
    starts, ends = np.array([0, *begins]), np.array([*(begins - 1), len(nonblank) - 1])
    numbers = np.repeat(np.arange(len(starts)), ends - starts + 1)
    heights = characters.boxes[nonblank, 3] - characters.boxes[nonblank, 1]
    # The upper quartile of the heights is usual: in a short line most glyphs may be a raised mark.
    usuals = nonblank[np.lexsort((heights, numbers))[(starts + 3 * ends) // 4]]
    marked = np.stack([nonblank[starts], usuals, nonblank[ends]])
    if doubled := doubles_among(characters.codes, characters.boxes, characters.nonblank):
        kept = np.isin(nonblank, list(doubled), invert=True)
        nonblank, numbers = nonblank[kept], numbers[kept]
        present, starts, counts = np.unique(numbers, return_index=True, return_counts=True)
        marked, ends = marked[:, present], starts + counts - 1
    x0, y0, x1, y1 = characters.boxes[nonblank].T
    columns = (
        *(*marked, starts, ends, np.minimum.reduceat(x0, starts), np.maximum.reduceat(x1, starts)),
        # Glyphs of another font are lower or higher; the median is the line's position.
        *(_medians(values, numbers, starts, ends) for values in (y0, y1)),
    )
    text = characters.codes.astype("<u4").tobytes().decode("utf-32-le")
    drawn_spaces = characters.drawn_spaces.tobytes()
    changed = sorted(doubled | _beside_chinese(characters))
    gaps = _wide_gaps(characters)
    has_headroom = bool(characters.headroom.any())
    found: list[PdfLine] = []
    looks: list[tuple[int, float]] = []
    for first, usual, last, start, end, left, right, low, high in zip(
        *(column.tolist() for column in columns), strict=True
    ):
        # Drawn spaces at the end belong to the line: they show later whether words were separated.
        stop = last + 1
        while stop < len(drawn_spaces) and drawn_spaces[stop]:
            stop += 1
        size, angle = characters.size_and_angle(usual)
        bold = characters.is_bold(first) and characters.is_bold(last)
        signs = text[first:stop]
        origins: Sequence[int] = range(first, stop)
        if bisect_left(changed, first) < bisect_left(changed, stop):
            places = [place for place in origins if place not in doubled]
            boxes, generated = characters.boxes[places].T.tolist(), characters.generated[places].tolist()
            glyphs = list(map(Glyph, map(text.__getitem__, places), *boxes, generated))
            chars = chars_of(glyphs, size, spaces_drawn=spaces_drawn)
            signs = "".join(chars).lstrip()
            origins = list(compress(places, chars))[-len(signs) :]
        line = PdfLine(page, signs.rstrip(), left, low, right, high, size, bold)
        line.spaced, line.origins = signs.endswith(" "), origins[: len(line.text)]
        of_first_word = start + unbroken_length(line.text) - 1
        word_end = x1.item(of_first_word) if of_first_word <= end else 0
        line.first_width = max(0.0, word_end - x0.item(start))
        if gaps:
            line.gaps = gaps[bisect_left(gaps, (first + 1,)) : bisect_left(gaps, (stop,))]
        if has_headroom:
            line.headroom = float(characters.headroom[first:stop].max())
        found.append(line)
        looks.append((usual, angle))
    large = _LARGE * median(line.size for line in found)
    for line, (place, angle) in zip(found, looks, strict=True):
        line.turned = not abs(angle) < UPRIGHT_ANGLE
        if line.turned or line.size >= large:
            *colour, opacity = text_colours(characters.text_objects(np.array([place])))[0].tolist()
            line.pale = opacity < _FAINT_OPACITY or min(colour) > _PALE
    return found


def _medians(values: _Values, numbers: Numbers, starts: Numbers, ends: Numbers) -> _Values:
    """Return the median of the values of each line; `numbers` are those of the lines."""
    ordered = values[np.lexsort((values, numbers))]
    medians: _Values = (ordered[(starts + ends) // 2] + ordered[(starts + ends + 1) // 2]) / 2
    return medians


def _beside_chinese(characters: PdfCharacters) -> set[int]:
    """Return the indexes of the generated spaces beside a Chinese character, which may be no spaces."""
    wide = characters.codes >= ord(FIRST_CJK)
    return set((np.flatnonzero(characters.generated[1:-1] & (wide[:-2] | wide[2:])) + 1).tolist())


def _wide_gaps(characters: PdfCharacters) -> list[tuple[int, float, float]]:
    """Return (index of the next character, start x, end x) of the wide gaps between words."""
    nonblank = np.flatnonzero(characters.nonblank)
    if not len(nonblank):
        return []
    x0, y0, x1, y1 = characters.boxes[nonblank].T
    far = x0[1:] - x1[:-1] > _CELL_GAP * np.median(y1 - y0)
    apart = zip(nonblank[1:][far].tolist(), x1[:-1][far].tolist(), x0[1:][far].tolist(), strict=True)
    return [gap for gap in apart if gap[2] - gap[1] > _CELL_GAP * characters.size(gap[0])]


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

"""The picture of a page: as it is drawn without names, with pseudonyms in their lines."""

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from pypdfium2 import raw

from simcompare.loading.formats.pdf.page_drawing import (
    box_on_page,
    objects_within,
    set_active,
    text_colours,
    type_of,
)
from simcompare.loading.formats.pdf.pdf_lines import Boxes
from simcompare.redaction.pdf_pages.characters import PageCharacters, Places
from simcompare.redaction.pdf_pages.lettering import Cover, lettered
from simcompare.redaction.pdf_pages.lines import NewLine
from simcompare.redaction.pdf_pages.named import Part
from simcompare.report.annotated.pdf_annotator import Rectangle

Pixels = NDArray[np.uint8]
_Number = TypeVar("_Number", np.int16, np.float32)
_Difference = NDArray[np.int16]

DOTS_A_POINT = 200 / 72
_MOST_PIXELS = 12_000_000
# How far around the box of a character its ink may reach, in heights of it.
_AROUND = 0.3
# Of the ink of texts with names, at most this share stands apart from their characters where boxes are right.
_MOST_ASTRAY = 0.005
_INK = 24
_COLOURLESS = 8
_PAPER_GREY, _FRAME_GREY, _WORDS_GREY = 240, 214, 110
_CAPTION_POINTS = 10.0


@dataclass(frozen=True, slots=True)
class Frame:
    """How points of a turned page become pixels: its left and upper edge, pixels a point across and down."""

    left: float
    top: float
    across: float
    down: float

    def pixels(self, boxes: Boxes) -> NDArray[np.int64]:
        """Return boxes, shape (n, 4), as first column and row, last column and row of pixels, outward."""
        x0, y0, x1, y1 = np.nan_to_num(boxes).T
        rows = np.floor((self.top - y1) * self.down), np.ceil((self.top - y0) * self.down)
        columns = np.floor((x0 - self.left) * self.across), np.ceil((x1 - self.left) * self.across)
        whole = np.stack([columns[0], rows[0], columns[1], rows[1]], axis=1)
        return whole.clip(0, 1_000_000).astype(np.int64)

    def column(self, x: float) -> int:
        """Return the column of pixels at a place."""
        return round((x - self.left) * self.across)

    def row(self, y: float) -> int:
        """Return the row of pixels at a place."""
        return round((self.top - y) * self.down)


class Canvas:
    """The picture of a page, turned as its text is."""

    def __init__(self, page: pypdfium2.PdfPage, characters: PageCharacters) -> None:
        self._page = page
        self._characters = characters
        width, height = page.get_size()
        self._scale = min(DOTS_A_POINT, (_MOST_PIXELS / max(width * height, 1.0)) ** 0.5)
        self._channels = 3
        self._pixels = self._drawn()
        if _is_grey(self._pixels):
            self._channels = 1
            self._pixels = self._pixels[:, :, :1].copy()
        self.frame = self._framed()

    def _drawn(self) -> Pixels:
        """Draw the page, without remarks and fields of forms, turned until its text is upright."""
        upright = -self._page.get_rotation() % 360
        bitmap = self._page.render(
            scale=self._scale, rotation=upright, may_draw_forms=False, draw_annots=False, rev_byteorder=True
        )
        drawn = bitmap.to_numpy()[:, :, : self._channels]
        pixels: Pixels = np.rot90(drawn, -self._characters.quarter_turns).copy()
        bitmap.close()
        return pixels

    def _framed(self) -> Frame:
        ((x0, y0, x1, y1),) = self._characters.turned(np.array([self._page.get_bbox()])).tolist()
        height, width = self._pixels.shape[:2]
        return Frame(x0, y1, width / (x1 - x0), height / (y1 - y0))

    @property
    def unturned(self) -> Pixels:
        """The picture of the page as it is without being turned, shape (height, width, 3, or 1 for greys)."""
        return np.ascontiguousarray(np.rot90(self._pixels, self._characters.quarter_turns))

    def has_ink(self, places: Places) -> bool:
        """Whether anything is seen where one of these characters stands."""
        boxes = self.frame.pixels(self._characters.boxes[places])
        parts = (self._pixels[y0 : y1 + 1, x0 : x1 + 1] for x0, y0, x1, y1 in boxes.tolist())
        return any(part.size and int(np.ptp(part, axis=(0, 1)).max()) > _INK for part in parts)

    # --- names

    def replace(
        self, parts: Sequence[Part], lines: Sequence[NewLine], unknown: Places, rules: set[int]
    ) -> None:
        """Set pseudonyms in place of names; what is `unknown` is painted over.

        `rules` are the addresses of what goes with the lines.

        No text that has to do with them is drawn, and of what it drew only that is put back which stands
        where characters of no name do.
        """
        hidden = np.concatenate([unknown, *(part.places for part in parts)]).astype(np.int64)
        touched = np.unique(np.concatenate([hidden, *(line.places for line in lines)]))
        addresses = self._characters.addresses(touched)
        with_names = self._pixels
        for address in addresses | rules:
            set_active(address, active=False)
        self._pixels = self._drawn()
        ink = with_names.astype(np.int16) - self._pixels
        drawn = self._drawn_by(addresses)
        self._remove_hidden(ink, hidden, drawn)
        in_lines = np.concatenate([np.empty(0, int), *(line.places for line in lines)])
        self._put_back(ink, np.setdiff1d(drawn, np.concatenate([hidden, in_lines])))
        kept = [self._rows_of(line, lines) for line in lines]
        for line, (top, bottom) in zip(lines, kept, strict=True):
            self._set_line(line, ink[top:bottom], top)
        for part in parts:
            if not part.runs_across and part.by:
                self._set_part(part)

    def _drawn_by(self, addresses: set[int]) -> Places:
        """Return all characters that these objects draw."""
        inked = np.flatnonzero(self._characters.nonblank)
        return inked[np.isin(self._characters.text_objects(inked), list(addresses))]

    def _remove_hidden(self, ink: _Difference, hidden: Places, drawn: Places) -> None:
        """Take the ink of what is hidden out, and all of it where characters have their ink elsewhere."""
        boxes = self._characters.boxes
        around = np.zeros(ink.shape[:2], np.bool_)
        for x0, y0, x1, y1 in self.frame.pixels(_widened(boxes[drawn])).tolist():
            around[y0:y1, x0:x1] = True
        inked = np.zeros(ink.shape[:2], np.bool_)
        for channel in range(self._channels):
            inked |= np.abs(ink[:, :, channel]) > _INK
        if (inked & ~around).sum() > _MOST_ASTRAY * inked.sum():
            ink[:] = 0
        for x0, y0, x1, y1 in self.frame.pixels(boxes[hidden]).tolist():
            ink[y0:y1, x0:x1] = 0

    def _put_back(self, ink: _Difference, places: Places) -> None:
        kept = np.zeros(ink.shape[:2], np.bool_)
        for x0, y0, x1, y1 in self.frame.pixels(_widened(self._characters.boxes[places])).tolist():
            kept[y0:y1, x0:x1] = True
        self._pixels[kept] = (self._pixels[kept] + ink[kept]).clip(0, 255)
        # what stood there is not put back a second time with the line beside it
        ink[kept] = 0

    def _rows_of(self, line: NewLine, lines: Sequence[NewLine]) -> tuple[int, int]:
        """Return the rows of pixels of a line, with what reaches above and below, up to the next lines."""
        x0, low, x1, high = line.box
        most = _AROUND * (high - low)
        beside = [one.box for one in lines if one is not line and one.box[0] < x1 and one.box[2] > x0]
        above = min((box[1] - high for box in beside if box[1] + box[3] > low + high), default=2 * most)
        below = min((low - box[3] for box in beside if box[1] + box[3] < low + high), default=2 * most)
        top, bottom = high + min(most, above / 2), low - min(most, below / 2)
        return max(0, self.frame.row(top)), max(0, self.frame.row(bottom))

    def _set_line(self, line: NewLine, ink: _Difference, top: int) -> None:
        """Put the ink of a line back where it goes, and pseudonyms between it."""
        for piece in line.pieces:
            begin, end = self.frame.column(piece.new_x0), self.frame.column(piece.new_x1)
            if piece.by is None:
                source = ink[:, max(0, self.frame.column(piece.x0)) : max(0, self.frame.column(piece.x1))]
                self._add(_as_wide(source, end - begin), begin, top)
            elif piece.by:
                cover, baseline = lettered(
                    piece.by, round(line.letter_size * self.frame.down, 1), self._characters.style(piece.like)
                )
                row = self.frame.row(line.baseline) - baseline
                self._letter(_as_wide(cover, end - begin), begin, row, piece.like)

    def _set_part(self, part: Part) -> None:
        """Set a pseudonym into the box of a name that does not run across, along its longer side."""
        boxes = self.frame.pixels(self._characters.boxes[part.places])
        (x0, y0), (x1, y1) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
        runs_down = y1 - y0 > 1.5 * (x1 - x0)
        across, along = sorted((x1 - x0, y1 - y0)) if runs_down else (y1 - y0, x1 - x0)
        size = max(6, min(across, round(self._characters.size(int(part.places[0])) * self.frame.down)))
        cover, _baseline = lettered(part.by, float(size), self._characters.style(int(part.places[0])))
        rows = np.flatnonzero(cover.any(axis=1))
        cover = cover[rows[0] : rows[-1] + 1] if len(rows) else cover
        if cover.shape[1] > along:
            cover = _as_wide(cover, along)
        turned: Cover = np.rot90(cover, -1) if runs_down else cover
        height, width = turned.shape
        column, row = (x0 + x1 - width) // 2, (y0 + y1 - height) // 2
        self._letter(turned, column, row, int(part.places[0]))

    def _add(self, ink: _Difference, column: int, row: int) -> None:
        here = self._pixels[row : row + ink.shape[0], max(column, 0) : column + ink.shape[1]]
        ink = ink[: here.shape[0], max(-column, 0) :][:, : here.shape[1]]
        here[:] = (here + ink).clip(0, 255)

    def _letter(self, cover: Cover, column: int, row: int, like: int) -> None:
        """Draw letters in the colour of a character."""
        address = self._characters.text_objects(np.array([like]))
        red, green, blue, _opacity = text_colours(address)[0].tolist()
        self._paint(cover, column, row, (red, green, blue))

    def _paint(self, cover: Cover, column: int, row: int, colour: tuple[int, int, int]) -> None:
        cover = cover[max(-row, 0) :, max(-column, 0) :]
        row, column = max(row, 0), max(column, 0)
        here = self._pixels[row : row + cover.shape[0], column : column + cover.shape[1]]
        share = cover[: here.shape[0], : here.shape[1], np.newaxis]
        here[:] = np.round(here * (1 - share) + np.array(colour[: self._channels]) * share).astype(np.uint8)

    # --- what is left out

    def leave_out(self, boxes: Iterable[Sequence[float]], caption: str) -> None:
        """Paint a quiet area behind what is written, for each box, in points of the turned page."""
        found = np.array([*boxes], dtype=np.float64).reshape(-1, 4)
        for x0, y0, x1, y1 in self.frame.pixels(found).tolist():
            here = self._pixels[y0:y1, x0:x1]
            if not here.size:
                continue
            is_free = bool((here.min(axis=(0, 1)) == here.max(axis=(0, 1))).all())
            np.minimum(here, _PAPER_GREY, out=here)
            for edge in (here[:2], here[-2:], here[:, :2], here[:, -2:]):
                np.minimum(edge, _FRAME_GREY, out=edge)
            cover, _line = lettered(caption, round(_CAPTION_POINTS * self.frame.down, 1))
            rows, columns = here.shape[0] - cover.shape[0], here.shape[1] - cover.shape[1]
            if is_free and min(rows, columns) > 0:
                grey = (_WORDS_GREY, _WORDS_GREY, _WORDS_GREY)
                self._paint(cover, x0 + columns // 2, y0 + rows // 2, grey)

    def clear(self) -> None:
        """Leave nothing of the page but white paper."""
        self._pixels[:] = 255


def _is_grey(pixels: Pixels) -> bool:
    # in whole channels: the largest of three numbers at a time takes forty times as long
    red, green, blue = (pixels[:, :, channel].astype(np.int16) for channel in range(3))
    return all(int(np.abs(green - other).max(initial=0)) <= _COLOURLESS for other in (red, blue))


def _widened(boxes: Boxes) -> Boxes:
    """Return boxes with what the ink of their characters may reach above and below."""
    more = _AROUND * (boxes[:, 3] - boxes[:, 1])
    aside = more / 3
    return np.stack(
        [boxes[:, 0] - aside, boxes[:, 1] - more, boxes[:, 2] + aside, boxes[:, 3] + more], axis=1
    )


def _as_wide(pixels: NDArray[_Number], width: int) -> NDArray[_Number]:
    """Return a picture as wide as asked."""
    own = pixels.shape[1]
    if width <= 0 or not own or own == width:
        return pixels[:, : max(width, 0)]
    places = (np.arange(width) + 0.5) * own / width - 0.5
    first = np.floor(places).clip(0, own - 1).astype(int)
    second = np.minimum(first + 1, own - 1)
    share = (places - first).clip(0, 1).astype(np.float32).reshape(-1, *[1] * (pixels.ndim - 2))
    mixed = pixels[:, first] * (1 - share) + pixels[:, second] * share
    found: NDArray[_Number] = (np.round(mixed) if pixels.dtype.kind == "i" else mixed).astype(pixels.dtype)
    return found


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

"""A new PDF from the pictures of another's pages: nothing else of that one is in it."""

import io
import re
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pikepdf
import pypdfium2
from numpy.typing import NDArray
from pikepdf import Array, Dictionary, Name, Object, Stream

from simcompare.loading.formats.pdf.pdf_lines import Boxes
from simcompare.loading.formats.pdf.pdfium_characters import text_of
from simcompare.model.document import CharacterBoxes, Document
from simcompare.pseudonyms.pseudonyms import Pseudonyms
from simcompare.redaction.pdf_pages.canvas import Canvas, Pixels, Shown, show_only_read
from simcompare.redaction.pdf_pages.characters import PageCharacters, Places
from simcompare.redaction.pdf_pages.lines import NewLine, new_lines
from simcompare.redaction.pdf_pages.named import named_parts
from simcompare.report.annotated.pdf_annotator import Rectangle, opened, union
from simcompare.support.i18n import N_, _

_Holder: TypeAlias = Dictionary | Stream
# words that stand in for what is drawn, which readers of text take instead of it
_TOLD_INSTEAD, _UNKNOWN_INSTEAD = b"/ActualText", b"/UnknownText"
_CLIPPING_MODE = re.compile(rb"(?<![\d.])[4-7]\s+Tr\b")
_TILING = 1
_NO_CONTENT = frozenset({"/ObjStm", "/XRef", "/Metadata", "/EmbeddedFile", "/CMap"})


@dataclass(frozen=True, slots=True)
class Bare:
    """A PDF without encryption; whether it took a password; whether it draws through holes of letters."""

    data: bytes
    is_locked: bool
    clips_by_text: bool


def bare(path: Path, data: bytes, password: str | None) -> Bare:
    """Return a PDF whose text is all that its pages tell beside pictures, lines and areas.

    Tiles that areas are filled with and masks made of pages draw nothing any more: what is written in them is
    found by no reader of text. Raises FileError for a password, and what pikepdf raises.
    """
    with opened(path, data, password) as pdf:
        clips, is_locked = False, pdf.is_encrypted and _needs_password(data)
        for held in pdf.objects:
            if isinstance(held, Stream):
                clips |= _mend_content(held)
            if isinstance(held, Dictionary | Stream):
                _mend_resources(held)
        saved = io.BytesIO()
        pdf.save(saved, encryption=False)
    return Bare(saved.getvalue(), is_locked, clips)


def _needs_password(data: bytes) -> bool:
    try:
        pikepdf.open(io.BytesIO(data)).close()
    except pikepdf.PasswordError:
        return True
    return False


def _mend_content(held: Stream) -> bool:
    """Mend what a stream draws; return whether it clips by text."""
    if held.get(Name.PatternType) == _TILING:
        held.write(b"")
        return False
    is_font = Name.Length1 in held
    if is_font or held.get(Name.Subtype) == Name.Image or str(held.get(Name.Type)) in _NO_CONTENT:
        return False
    try:
        content = held.read_bytes()
    except pikepdf.PdfError:
        return False
    if _TOLD_INSTEAD in content:
        held.write(content.replace(_TOLD_INSTEAD, _UNKNOWN_INSTEAD))
    return _CLIPPING_MODE.search(content) is not None


def _mend_resources(holder: _Holder) -> None:
    """Take masks and words that stand in for text out of resources: the holder itself, or what it has."""
    for resources in (holder, holder.get(Name.Resources)):
        if isinstance(resources, Dictionary | Stream):
            for state in _values(resources, Name.ExtGState):
                if isinstance(state.get(Name.SMask), Dictionary):
                    state.SMask = Name("/None")
            for marked in _values(resources, Name.Properties):
                if Name.ActualText in marked:
                    del marked[Name.ActualText]


def _values(resources: _Holder, key: Name) -> Iterator[Dictionary]:
    values = resources.get(key)
    if isinstance(values, Dictionary):
        yield from (value for value in values.values() if isinstance(value, Dictionary))


# Letters look the same in sixteen greys, and take half the room.
_LEVELS = 16
_MOST_COLOURS = 256
# of zlib: twice as fast as what packs best, for three hundredths more
_PACKED = 4


def picture_stream(pdf: pikepdf.Pdf, pixels: Pixels) -> pikepdf.Stream:
    """Return a picture, shape (height, width, 3 or 1), as an object of a PDF, rounded to 16 steps."""
    height, width = pixels.shape[:2]
    space: Object
    if pixels.shape[2] == 1:
        space, bits, data = Name.DeviceGray, 4, _nibbles(_steps(pixels[:, :, 0]))
    else:
        space, bits, data = _coloured(_steps(pixels))
    stream = pdf.make_stream(b"")
    stream.write(zlib.compress(data, _PACKED), filter=Name.FlateDecode)
    for key, value in {
        "/Type": Name.XObject, "/Subtype": Name.Image, "/Width": width, "/Height": height,
        "/ColorSpace": space, "/BitsPerComponent": bits,
    }.items():  # fmt: skip
        stream[key] = value
    return stream


def _steps(pixels: Pixels) -> Pixels:
    table = np.round(np.arange(256) * (_LEVELS - 1) / 255).astype(np.uint8)
    return table[pixels]


def _nibbles(steps: Pixels) -> bytes:
    """Return two pixels a byte, each row from a byte of its own."""
    even = np.pad(steps, ((0, 0), (0, steps.shape[1] % 2)))
    return ((even[:, ::2] << 4) | even[:, 1::2]).tobytes()


def _coloured(steps: Pixels) -> tuple[Object, int, bytes]:
    """Return the colours, bits for each part of one, and data of a picture in colours."""
    numbers = (steps.astype(np.uint16) * np.array([256, 16, 1], np.uint16)).sum(axis=2, dtype=np.uint16)
    colours: NDArray[np.int64] = np.flatnonzero(np.bincount(numbers.ravel(), minlength=4096))
    if len(colours) > _MOST_COLOURS:
        return Name.DeviceRGB, 8, (steps * 17).tobytes()
    place_of = np.zeros(4096, np.uint8)
    place_of[colours] = np.arange(len(colours))
    table = np.stack([colours >> 8, colours >> 4 & 15, colours & 15], axis=1).astype(np.uint8) * 17
    places = place_of[numbers]
    packed = (4, _nibbles(places)) if len(colours) <= _LEVELS else (8, places.tobytes())
    return Array([Name.Indexed, Name.DeviceRGB, len(colours) - 1, pikepdf.String(table.tobytes())]), *packed


# What is nearer is one drawing; what is smaller leaves no gap that anybody sees.
_NEAR_POINTS = 6.0
_SMALLEST_POINTS = 8.0
_MOST_BOXES = 400


def regions_of(boxes: Boxes, page: Sequence[float]) -> list[Rectangle]:
    """Return areas around boxes, shape (n, 4), within a page; those that meet are one."""
    x0, y0, x1, y1 = page
    within = np.nan_to_num(boxes).clip((x0, y0, x0, y0), (x1, y1, x1, y1))
    seen = [tuple(box) for box in within.tolist() if box[0] < box[2] or box[1] < box[3]]
    if len(seen) > _MOST_BOXES:
        seen = [union(seen)]
    regions: list[Rectangle] = []
    for box in seen:
        region = box
        while near := [one for one in regions if _are_near(one, region)]:
            regions = [one for one in regions if one not in near]
            region = union([region, *near])
        regions.append(region)
    return sorted(one for one in regions if min(one[2] - one[0], one[3] - one[1]) >= _SMALLEST_POINTS)


def _are_near(one: Rectangle, other: Rectangle) -> bool:
    return all(
        one[low] <= other[low + 2] + _NEAR_POINTS and other[low] <= one[low + 2] + _NEAR_POINTS
        for low in (0, 1)
    )


PICTURE_LEFT_OUT = N_("Picture left out")
PAGE_LEFT_OUT = N_("This page is left out: names on it cannot be found")
_SUBJECT = N_("Each page is a picture of the original, in which names are replaced by pseudonyms.")
# A page with more characters that cannot be told is left out; fewer are painted over.
_MOST_UNKNOWN = 0.05
# No Western text has so many accented letters: it is another in disguise.
_MOST_ACCENTED = 0.6
_A4 = (0.0, 0.0, 595.0, 842.0)
_INSET_POINTS = 18.0
_RULE_POINTS = 2.0
_TOUCHING = 0.5
# In sizes of a letter, how far below the line the rule under it is.
_UNDERLINED = 0.2


@dataclass(frozen=True, slots=True)
class Pages:
    """A PDF of pictures; where the characters of the document stand in it; the pages that show nothing."""

    data: bytes = field(repr=False)
    boxes: CharacterBoxes
    left_out: tuple[int, ...]
    is_locked: bool


def anonymous_pages(
    path: Path, data: bytes, document: Document, names: Pseudonyms, password: str | None
) -> Pages:
    """Return the pages of a PDF, which became `document`, as pictures without names.

    Raises what `bare` raises, and PdfiumError where pdfium cannot open what pikepdf can.
    """
    source = bare(path, data, password)
    boxes = document.character_boxes or CharacterBoxes(np.zeros(0, np.int32), np.zeros((0, 4), np.float32))
    moved = CharacterBoxes(boxes.pages.copy(), boxes.boxes.copy())
    told = _told_boxes(path, document, boxes, names)
    left_out: list[int] = []
    with pikepdf.new() as pdf:
        for number, sheet in enumerate(_sheets(path, source, names, told), start=1):
            _add(pdf, sheet)
            own = moved.pages == number
            if sheet.is_left_out:
                left_out.append(number)
                moved.pages[own], moved.boxes[own] = 0, np.nan
            elif sheet.lines and own.any():
                moved.boxes[own] = sheet.moved(moved.boxes[own])
        pdf.docinfo[Name.Title] = names.path_of(path).stem
        pdf.docinfo[Name.Subject] = _(_SUBJECT)
        saved = io.BytesIO()
        pdf.save(saved, deterministic_id=True)
    return Pages(saved.getvalue(), moved, tuple(left_out), source.is_locked)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A page as a picture: its box and by how many degrees it is shown turned, and what was moved on it."""

    pixels: Pixels
    box: Sequence[float]
    is_left_out: bool
    lines: Sequence[NewLine] = ()
    characters: PageCharacters | None = None
    turn: int = 0

    def moved(self, boxes: Boxes) -> Boxes:
        """Return boxes of characters where the lines that were set anew have them."""
        if self.characters is None:
            return boxes
        old = self.characters.turned(boxes.astype(np.float64))
        new, y = old.copy(), (old[:, 1] + old[:, 3]) / 2
        for line in self.lines:
            x0, low, x1, high = line.box
            # each side by itself: a blank may reach from one line to the next beside it
            for side in (0, 2):
                x = old[:, side]
                within = (x > x0 - _TOUCHING) & (x < x1 + _TOUCHING) & (y >= low) & (y <= high)
                new[within, side] = line.moved(x[within])
        return self.characters.turned_back(new)


def _told_boxes(
    path: Path, document: Document, boxes: CharacterBoxes, names: Pseudonyms
) -> Mapping[int, list[tuple[Boxes, str]]]:
    """Return for each page the boxes of names in the text as it was read, and what is to stand there."""
    found: defaultdict[int, list[tuple[Boxes, str]]] = defaultdict(list)
    for one in names.replacements(document.text, path):
        pages, places = boxes.pages[one.start : one.end], boxes.boxes[one.start : one.end]
        for page in np.unique(pages[pages > 0]).tolist():
            found[page].append((places[pages == page].astype(np.float64), one.by))
    return found


def _add(pdf: pikepdf.Pdf, sheet: _Sheet) -> None:
    """Add a page with a picture that fills it; places on it are those on the original."""
    x0, y0, x1, y1 = (round(side, 3) for side in sheet.box)
    drawn = f"q {x1 - x0:.3f} 0 0 {y1 - y0:.3f} {x0} {y0} cm /P Do Q"
    page = Dictionary(
        Type=Name.Page,
        MediaBox=Array([x0, y0, x1, y1]),
        Rotate=sheet.turn,
        Resources=Dictionary(XObject=Dictionary(P=picture_stream(pdf, sheet.pixels))),
        Contents=pdf.make_stream(drawn.encode("ascii")),
    )
    pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))


def _sheets(
    path: Path, source: Bare, names: Pseudonyms, told: Mapping[int, list[tuple[Boxes, str]]]
) -> Iterator[_Sheet]:
    document = pypdfium2.PdfDocument(source.data)
    try:
        for index in range(len(document)):
            try:
                page = document[index]
                turn = page.get_rotation()
                textpage = text_of(page)
            except pypdfium2.PdfiumError:
                yield _Sheet(np.full((1, 1, 1), 255, np.uint8), _A4, is_left_out=True)
                continue
            try:
                sheet = _sheet(path, page, PageCharacters(textpage), names, told.get(index + 1, ()), source)
                # its text was read from it as it may not be shown
                yield replace(sheet, turn=turn)
            finally:
                textpage.close()
                page.close()
    finally:
        document.close()


def _sheet(
    path: Path,
    page: pypdfium2.PdfPage,
    characters: PageCharacters,
    names: Pseudonyms,
    told: Sequence[tuple[Boxes, str]],
    source: Bare,
) -> _Sheet:
    inked = np.flatnonzero(characters.nonblank)
    shown = show_only_read(page, characters.addresses(inked), texts_alone=source.clips_by_text)
    canvas = Canvas(page, characters)
    (turned,) = characters.turned(np.array([page.get_bbox()])).tolist()
    box = page.get_bbox()
    if not shown.is_all or _is_garbled(characters) or not canvas.has_ink(inked):
        is_blank = shown.is_all and not len(inked) and not len(shown.left_out)
        if not is_blank:
            x0, y0, x1, y1 = turned
            inset = _INSET_POINTS
            canvas.clear()
            canvas.leave_out([(x0 + inset, y0 + inset, x1 - inset, y1 - inset)], _(PAGE_LEFT_OUT))
        return _Sheet(canvas.unturned, box, is_left_out=not is_blank)
    lines = _without_names(path, canvas, characters, names, told, shown, turned)
    regions = regions_of(characters.turned(shown.left_out), turned)
    canvas.leave_out(regions, _(PICTURE_LEFT_OUT))
    return _Sheet(canvas.unturned, box, False, lines, characters)


def _without_names(
    path: Path,
    canvas: Canvas,
    characters: PageCharacters,
    names: Pseudonyms,
    told: Sequence[tuple[Boxes, str]],
    shown: Shown,
    turned_page: Sequence[float],
) -> list[NewLine]:
    parts = named_parts(characters, names, path, told)
    unknown = _telling_unknown(characters)
    if not parts and not len(unknown):
        return []
    edges = characters.turned(shown.plain)
    x0, y0, x1, y1 = turned_page
    lines = new_lines(characters, parts, (x0, y0, x1, y1), edges)
    canvas.replace(parts, lines, unknown, _rules_of(lines, edges, shown.addresses))
    return lines


def _rules_of(lines: Sequence[NewLine], boxes: Boxes, addresses: Sequence[int]) -> set[int]:
    """Return the addresses of the rules that underline lines or strike them out: they go with the words."""
    found: set[int] = set()
    for line in lines:
        x0, _low, x1, high = line.box
        least = line.baseline - _UNDERLINED * line.letter_size
        across = (boxes[:, 0] >= x0 - 1) & (boxes[:, 2] <= x1 + 1)
        within = across & (boxes[:, 1] >= least) & (boxes[:, 3] <= high)
        is_thin = boxes[:, 3] - boxes[:, 1] <= _RULE_POINTS
        found.update(addresses[place] for place in np.flatnonzero(within & is_thin).tolist())
    return found


def _is_garbled(characters: PageCharacters) -> bool:
    told = characters.codes[characters.nonblank]
    accented = ((told >= 0xA1) & (told <= 0xFF)).mean() if len(told) else 0.0
    return bool(characters.unreadable_share > _MOST_UNKNOWN or accented > _MOST_ACCENTED)


def _telling_unknown(characters: PageCharacters) -> Places:
    """Return characters that cannot be told and may be of a name; not the sign that begins an item."""
    blank = np.concatenate([[True], ~characters.nonblank, [True]])
    ends = np.concatenate([[True], characters.line_ends])
    alone = blank[:-2] & blank[2:] & ends[:-1]
    return np.flatnonzero(characters.unknown & ~alone)

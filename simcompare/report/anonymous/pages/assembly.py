"""A new PDF from the pictures of another's pages: nothing else of that one is in it."""

import io
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pikepdf
import pypdfium2
from pikepdf import Array, Dictionary, Name

from simcompare.anonymity.pseudonyms import Pseudonyms
from simcompare.document import CharacterBoxes, Document
from simcompare.i18n import N_, _
from simcompare.loading.pdf.characters import text_of
from simcompare.loading.pdf.lines import Boxes
from simcompare.report.anonymous.pages.bare import Bare, bare
from simcompare.report.anonymous.pages.canvas import Canvas, Pixels
from simcompare.report.anonymous.pages.characters import PageCharacters, Places
from simcompare.report.anonymous.pages.drawing import Shown, show_only_read
from simcompare.report.anonymous.pages.lines import NewLine, new_lines
from simcompare.report.anonymous.pages.named import named_parts
from simcompare.report.anonymous.pages.pictures import picture_stream
from simcompare.report.anonymous.pages.regions import regions_of

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
    inked = np.flatnonzero(characters.inked)
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
    told = characters.codes[characters.inked]
    accented = ((told >= 0xA1) & (told <= 0xFF)).mean() if len(told) else 0.0
    return bool(characters.unreadable_share > _MOST_UNKNOWN or accented > _MOST_ACCENTED)


def _telling_unknown(characters: PageCharacters) -> Places:
    """Return characters that cannot be told and may be of a name; not the sign that begins an item."""
    blank = np.concatenate([[True], ~characters.inked, [True]])
    ends = np.concatenate([[True], characters.line_ends])
    alone = blank[:-2] & blank[2:] & ends[:-1]
    return np.flatnonzero(characters.unknown & ~alone)

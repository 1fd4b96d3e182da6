"""Highlights in a PDF, with words that a reader opens: everything else in the file stays as it is."""

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
import pikepdf
from pikepdf import Array, Dictionary, Name, String

from simcompare.model.document import CharacterBoxes
from simcompare.model.errors import PasswordNeededError
from simcompare.report.annotated.annotation_errors import BROKEN, PASSWORD, NotAnnotatedError
from simcompare.report.annotated.annotation_marks import MARK_STYLES, Mark, MarkStyle
from simcompare.report.annotated.copies import SIGNED, AnnotatedCopy

Rectangle = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points of the unturned page: left, bottom, right, top."""

Point = tuple[float, float]

# Of the smaller of two characters on one line, at least this share stands beside the other; raised ones too.
_BESIDE = 0.3
# Blanks that have no box, in sizes of a character; the gap between columns is wider or steps up.
_WIDEST_GAP = 2.5


@dataclass(slots=True)
class MarkedLine:
    """Characters that follow each other on a page: what they cover, the last one, and where they run.

    runs_down is None for a single character, which runs nowhere.
    """

    around: Rectangle
    last: Rectangle
    runs_down: bool | None = None


def lines_around(boxes: Iterable[Rectangle]) -> list[MarkedLine]:
    """Return the lines that characters stand in, across or down the unturned page."""
    lines: list[MarkedLine] = []
    for box in boxes:
        if not lines or not _goes_on(lines[-1], box):
            lines.append(MarkedLine(box, box))
    return lines


def _goes_on(line: MarkedLine, box: Rectangle) -> bool:
    """Take a character into the line where it stands beside or below the last one."""
    for runs_down in (False, True):
        if line.runs_down in {None, runs_down} and _adjoins(line.last, box, runs_down):
            line.around, line.last = union([line.around, box]), box
            line.runs_down = runs_down
            return True
    return False


def _adjoins(last: Rectangle, box: Rectangle, runs_down: bool) -> bool:
    along, beside = (1, 0) if runs_down else (0, 1)
    sizes = [each[beside + 2] - each[beside] for each in (last, box)]
    shared = min(last[beside + 2], box[beside + 2]) - max(last[beside], box[beside])
    gap = max(box[along] - last[along + 2], last[along] - box[along + 2])
    return shared >= _BESIDE * min(sizes) and gap <= _WIDEST_GAP * max(sizes)


def union(boxes: Iterable[Rectangle]) -> Rectangle:
    """Return the rectangle around rectangles, of which there is at least one."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def corners(box: Rectangle, turn_degrees: int) -> list[Point]:
    """Return the corners as they are seen on a page that is shown turned clockwise.

    Upper left, upper right, lower left, lower right: the order in which programs that show PDFs take them,
    whatever ISO 32000 says.
    """
    x0, y0, x1, y1 = box
    around = [(x0, y1), (x1, y1), (x1, y0), (x0, y0)]
    # of a page turned by a quarter, what was below on the left is seen above on the left
    first = -(turn_degrees // 90) % 4
    top_left, top_right, low_right, low_left = around[first:] + around[:first]
    return [top_left, top_right, low_left, low_right]


def line_below(line: MarkedLine, box: Rectangle, turn_degrees: int) -> tuple[Point, Point]:
    """Return the ends of the edge of `box` that a line of text is underlined at.

    It is below the text as the page is seen, and beside it where the text runs down the unturned page.
    """
    is_on_its_side = turn_degrees % 180 == 90
    if line.runs_down is None or line.runs_down is is_on_its_side:
        _top_left, _top_right, low_left, low_right = corners(box, turn_degrees)
        return low_left, low_right
    if is_on_its_side:
        return (box[0], box[1]), (box[2], box[1])
    return (box[2], box[1]), (box[2], box[3])


_AUTHOR = "simcompare"
_PRINTED = 4
_LINE_POINTS = 1.0
_SIGNATURES_EXIST = 1


@dataclass(frozen=True, slots=True)
class _PageHighlight:
    """What a mark covers on one page."""

    number: int
    mark: Mark
    lines: Sequence[MarkedLine]


def annotated_pdf(
    path: Path, data: bytes, boxes: CharacterBoxes, marks: Sequence[Mark], password: str | None
) -> AnnotatedCopy:
    """Return the file with a highlight annotation for each mark and page; `boxes` are those of its text.

    The same file and marks give the same bytes, unless it is encrypted: its copy is so too, by the same
    password. Raises NotAnnotatedError.
    """
    try:
        with _opened(path, data, password) as pdf:
            by_page = _by_page(boxes, marks, len(pdf.pages))
            for number, highlights in by_page.items():
                _annotate(pdf, pdf.pages[number - 1], highlights)
            placed = {one.number for highlights in by_page.values() for one in highlights}
            return AnnotatedCopy(
                _saved(pdf),
                len(placed),
                tuple(mark for number, mark in enumerate(marks) if number not in placed),
                (SIGNED,) if _is_signed(pdf) else (),
            )
    except (pikepdf.PdfError, ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        # qpdf repairs what it can; what is left has a page or a catalogue that is none
        raise NotAnnotatedError(path, cause=BROKEN) from error


def _opened(path: Path, data: bytes, password: str | None) -> pikepdf.Pdf:
    """Open a file, first without a password, which opens what was only locked against changes.

    Raises PasswordNeededError, and NotAnnotatedError for a wrong one.
    """
    for word in ("", *([password] if password else [])):
        try:
            return pikepdf.open(io.BytesIO(data), password=word)
        except pikepdf.PasswordError:
            continue
    if password:
        raise NotAnnotatedError(path, cause=PASSWORD)
    raise PasswordNeededError(path)


def _saved(pdf: pikepdf.Pdf) -> bytes:
    saved = io.BytesIO()
    # what encrypts must not repeat itself, so that qpdf gives no fixed name to an encrypted file
    pdf.save(saved, deterministic_id=not pdf.is_encrypted, encryption=pdf.is_encrypted)
    return saved.getvalue()


def _is_signed(pdf: pikepdf.Pdf) -> bool:
    form = pdf.Root.get(Name.AcroForm)
    if not isinstance(form, Dictionary):
        return False
    return bool(int(form.get(Name.SigFlags, 0)) & _SIGNATURES_EXIST)


def _by_page(
    boxes: CharacterBoxes, marks: Sequence[Mark], pages: int
) -> Mapping[int, Sequence[_PageHighlight]]:
    """Return the highlights of each page, from 1."""
    found: dict[int, list[_PageHighlight]] = {}
    for number, mark in enumerate(marks):
        for page, lines in _places(boxes, mark):
            if page <= pages:
                found.setdefault(page, []).append(_PageHighlight(number, mark, lines))
    return found


def _places(boxes: CharacterBoxes, mark: Mark) -> Iterator[tuple[int, Sequence[MarkedLine]]]:
    """Yield each page that a mark stands on with its lines there."""
    rows = slice(mark.span.start, mark.span.end)
    pages, places = boxes.pages[rows], boxes.boxes[rows]
    drawn = (pages > 0) & ~np.isnan(places).any(axis=1)
    characters = zip(pages[drawn].tolist(), map(tuple, places[drawn].tolist()), strict=True)
    for page, group in groupby(characters, lambda character: character[0]):
        yield page, lines_around(box for _page, box in group)


def _annotate(pdf: pikepdf.Pdf, page: pikepdf.Page, highlights: Sequence[_PageHighlight]) -> None:
    turn = int(page.obj.get(Name.Rotate, _inherited_turn(page)))
    own = page.obj.get(Name.Annots)
    before = list(own) if isinstance(own, Array) else []
    added = [pdf.make_indirect(_annotation(pdf, page, one, turn)) for one in highlights]
    page.obj.Annots = Array([*before, *added])


def _inherited_turn(page: pikepdf.Page) -> int:
    """Return by how many degrees the nearest of the nodes above a page has it shown turned."""
    node = page.obj.get(Name.Parent)
    seen = 0
    while isinstance(node, Dictionary) and seen < 50:
        if Name.Rotate in node:
            return int(node[Name.Rotate])
        node, seen = node.get(Name.Parent), seen + 1
    return 0


def _annotation(pdf: pikepdf.Pdf, page: pikepdf.Page, highlight: _PageHighlight, turn: int) -> Dictionary:
    look = MARK_STYLES[highlight.mark.kind]
    around = union(line.around for line in highlight.lines)
    quads = [corner for line in highlight.lines for point in corners(line.around, turn) for corner in point]
    return Dictionary(
        Type=Name.Annot,
        Subtype=Name.Highlight,
        P=page.obj,
        Rect=_numbers(around),
        QuadPoints=_numbers(quads),
        C=_numbers(_rgb(look.ground)),
        F=_PRINTED,
        NM=String(f"{_AUTHOR}-{highlight.number + 1}"),
        T=String(_AUTHOR),
        Contents=String("\r".join(highlight.mark.lines)),
        AP=Dictionary(N=_appearance(pdf, highlight.lines, around, look, turn)),
    )


def _appearance(
    pdf: pikepdf.Pdf, lines: Sequence[MarkedLine], around: Rectangle, look: MarkStyle, turn: int
) -> pikepdf.Stream:
    """Return how the highlight is drawn, so that it is not left to the program that shows it."""
    multiplied = Dictionary(ExtGState=Dictionary(G=Dictionary(Type=Name.ExtGState, BM=Name.Multiply)))
    drawn = pdf.make_stream("\n".join(_drawn(lines, look, turn)).encode("ascii"))
    drawn.stream_dict = Dictionary(
        Type=Name.XObject,
        Subtype=Name.Form,
        BBox=_numbers(around),
        Resources=multiplied,
        Group=Dictionary(Type=Name.Group, S=Name.Transparency),
    )
    return drawn


def _drawn(lines: Sequence[MarkedLine], look: MarkStyle, turn: int) -> Iterator[str]:
    yield f"/G gs {_spoken(_rgb(look.ground))} rg"
    for line in lines:
        x0, y0, x1, y1 = line.around
        yield f"{_spoken((x0, y0, x1 - x0, y1 - y0))} re f"
    yield f"{_spoken(_rgb(look.line))} RG {_LINE_POINTS} w [{_spoken(look.dashes_points)}] 0 d"
    for line in lines:
        begin, end = line_below(line, _inset(line.around), turn)
        yield f"{_spoken(begin)} m {_spoken(end)} l S"


def _inset(box: Rectangle) -> Rectangle:
    """Return a rectangle whose edge, drawn as a line, stays within `box`."""
    x0, y0, x1, y1 = box
    return x0 + _LINE_POINTS / 2, y0 + _LINE_POINTS / 2, x1 - _LINE_POINTS / 2, y1 - _LINE_POINTS / 2


def _rgb(colour: str) -> tuple[float, ...]:
    return tuple(round(int(colour[place : place + 2], 16) / 255, 3) for place in (0, 2, 4))


def _numbers(values: Sequence[float]) -> Array:
    return Array([round(value, 2) for value in values])


def _spoken(values: Sequence[float]) -> str:
    return " ".join(f"{value:.2f}" for value in values)

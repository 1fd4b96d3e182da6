"""Highlights in a PDF, with words that a reader opens: everything else in the file stays as it is."""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
import pikepdf
from pikepdf import Array, Dictionary, Name, String

from simcompare.document import CharacterBoxes
from simcompare.errors import PasswordNeededError
from simcompare.report.annotated.copies import SIGNED, AnnotatedCopy
from simcompare.report.annotated.errors import BROKEN, PASSWORD, NotAnnotatedError
from simcompare.report.annotated.looks import LOOKS, Look
from simcompare.report.annotated.marks import Mark
from simcompare.report.annotated.quads import Line, Rectangle, corners, line_below, lines_around, union

_AUTHOR = "simcompare"
_PRINTED = 4
_LINE_POINTS = 1.0
_SIGNATURES_EXIST = 1


@dataclass(frozen=True, slots=True)
class _Highlight:
    """What a mark covers on one page."""

    number: int
    mark: Mark
    lines: Sequence[Line]


def annotated_pdf(
    path: Path, data: bytes, boxes: CharacterBoxes, marks: Sequence[Mark], password: str | None
) -> AnnotatedCopy:
    """Return the file with a highlight annotation for each mark and page; `boxes` are those of its text.

    The same file and marks give the same bytes, unless it is encrypted: its copy is so too, by the same
    password. Raises NotAnnotatedError.
    """
    try:
        with opened(path, data, password) as pdf:
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


def opened(path: Path, data: bytes, password: str | None) -> pikepdf.Pdf:
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


def _by_page(boxes: CharacterBoxes, marks: Sequence[Mark], pages: int) -> Mapping[int, Sequence[_Highlight]]:
    """Return the highlights of each page, from 1."""
    found: dict[int, list[_Highlight]] = {}
    for number, mark in enumerate(marks):
        for page, lines in _places(boxes, mark):
            if page <= pages:
                found.setdefault(page, []).append(_Highlight(number, mark, lines))
    return found


def _places(boxes: CharacterBoxes, mark: Mark) -> Iterator[tuple[int, Sequence[Line]]]:
    """Yield each page that a mark stands on with its lines there."""
    rows = slice(mark.span.start, mark.span.end)
    pages, places = boxes.pages[rows], boxes.boxes[rows]
    drawn = (pages > 0) & ~np.isnan(places).any(axis=1)
    characters = zip(pages[drawn].tolist(), map(tuple, places[drawn].tolist()), strict=True)
    for page, group in groupby(characters, lambda character: character[0]):
        yield page, lines_around(box for _page, box in group)


def _annotate(pdf: pikepdf.Pdf, page: pikepdf.Page, highlights: Sequence[_Highlight]) -> None:
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


def _annotation(pdf: pikepdf.Pdf, page: pikepdf.Page, highlight: _Highlight, turn: int) -> Dictionary:
    look = LOOKS[highlight.mark.kind]
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
    pdf: pikepdf.Pdf, lines: Sequence[Line], around: Rectangle, look: Look, turn: int
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


def _drawn(lines: Sequence[Line], look: Look, turn: int) -> Iterator[str]:
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

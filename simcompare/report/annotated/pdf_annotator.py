"""Add highlight annotations with comments to a PDF, and compute their rectangles line by line."""

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
from simcompare.report.annotated.annotation_marks import (
    BROKEN,
    PASSWORD,
    SIGNED,
    AnnotatedCopy,
    Mark,
    MarkStyle,
    NotAnnotatedError,
    style_of,
)

Rectangle = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points of the unrotated page: left, bottom, right, top."""

Point = tuple[float, float]

# Least overlap of two characters on one line, as a share of the smaller one; raised characters included.
_BESIDE = 0.3
# Widest gap, for blanks without a box, in sizes of a character; columns are further apart or step up.
_WIDEST_GAP = 2.5


@dataclass(slots=True)
class MarkedLine:
    """Consecutive characters on a page: their bounding box, the last box, and the direction.

    runs_down is None for a single character, which has no direction.
    """

    around: Rectangle
    last: Rectangle
    runs_down: bool | None = None


def lines_around(boxes: Iterable[Rectangle]) -> list[MarkedLine]:
    """Group the boxes of characters into horizontal or vertical lines on the unrotated page."""
    lines: list[MarkedLine] = []
    for box in boxes:
        if not lines or not _extend(lines[-1], box):
            lines.append(MarkedLine(box, box))
    return lines


def _extend(line: MarkedLine, box: Rectangle) -> bool:
    """Add a character to the line if it is beside or below the last one; return whether it was added."""
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
    """Return the bounding box of at least one rectangle."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def corners(box: Rectangle, turn_degrees: int) -> list[Point]:
    """Return the corners as seen on a page that is displayed rotated clockwise.

    Upper left, upper right, lower left, lower right: the order that PDF viewers use, unlike ISO 32000.
    """
    x0, y0, x1, y1 = box
    around = [(x0, y1), (x1, y1), (x1, y0), (x0, y0)]
    # on a page rotated by 90 degrees, the lower left corner is seen at the upper left
    first = -(turn_degrees // 90) % 4
    top_left, top_right, low_right, low_left = around[first:] + around[:first]
    return [top_left, top_right, low_left, low_right]


def line_below(line: MarkedLine, box: Rectangle, turn_degrees: int) -> tuple[Point, Point]:
    """Return the end points of the underline of a line of text, on an edge of `box`.

    The edge is below the text as the page is displayed, or beside text that runs vertically.
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
    number: int
    mark: Mark
    lines: Sequence[MarkedLine]


def annotated_pdf(
    path: Path, data: bytes, boxes: CharacterBoxes, marks: Sequence[Mark], password: str | None
) -> AnnotatedCopy:
    """Return the file with a highlight annotation for each mark and page.

    `boxes`: the boxes of the characters of its text. The same input gives the same bytes unless the file is
    encrypted; the copy is then encrypted with the same password. Raises NotAnnotatedError.
    """
    try:
        with _opened(path, data, password) as pdf:
            by_page = _by_page(boxes, marks, len(pdf.pages))
            for number, highlights in by_page.items():
                _annotate(pdf, pdf.pages[number - 1], highlights)
            placed = {highlight.number for highlights in by_page.values() for highlight in highlights}
            return AnnotatedCopy(
                _saved(pdf),
                len(placed),
                tuple(mark for number, mark in enumerate(marks) if number not in placed),
                (SIGNED,) if _is_signed(pdf) else (),
            )
    except (pikepdf.PdfError, ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
        # qpdf repairs most files; the rest have an invalid page or catalogue
        raise NotAnnotatedError(path, cause=BROKEN) from error


def _opened(path: Path, data: bytes, password: str | None) -> pikepdf.Pdf:
    """Open a file, first without a password, as a file locked only against changes needs none.

    Raises PasswordNeededError, or NotAnnotatedError if the password is wrong.
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
    # qpdf refuses a deterministic ID for encrypted files, as the key depends on it
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
    """Return the highlights of each page, numbered from 1."""
    found: dict[int, list[_PageHighlight]] = {}
    for number, mark in enumerate(marks):
        for page, lines in _lines_by_page(boxes, mark):
            if page <= pages:
                found.setdefault(page, []).append(_PageHighlight(number, mark, lines))
    return found


def _lines_by_page(boxes: CharacterBoxes, mark: Mark) -> Iterator[tuple[int, Sequence[MarkedLine]]]:
    rows = slice(mark.span.start, mark.span.end)
    pages, places = boxes.pages[rows], boxes.boxes[rows]
    drawn = (pages > 0) & ~np.isnan(places).any(axis=1)
    characters = zip(pages[drawn].tolist(), map(tuple, places[drawn].tolist()), strict=True)
    for page, group in groupby(characters, lambda character: character[0]):
        yield page, lines_around(box for _page, box in group)


def _annotate(pdf: pikepdf.Pdf, page: pikepdf.Page, highlights: Sequence[_PageHighlight]) -> None:
    rotation = int(page.obj.get(Name.Rotate, _inherited_rotation(page)))
    own = page.obj.get(Name.Annots)
    before = list(own) if isinstance(own, Array) else []
    added = [pdf.make_indirect(_annotation(pdf, page, highlight, rotation)) for highlight in highlights]
    page.obj.Annots = Array([*before, *added])


def _inherited_rotation(page: pikepdf.Page) -> int:
    """Return the rotation in degrees that a page inherits from the nearest node above it."""
    node = page.obj.get(Name.Parent)
    seen = 0
    while isinstance(node, Dictionary) and seen < 50:
        if Name.Rotate in node:
            return int(node[Name.Rotate])
        node, seen = node.get(Name.Parent), seen + 1
    return 0


def _annotation(pdf: pikepdf.Pdf, page: pikepdf.Page, highlight: _PageHighlight, rotation: int) -> Dictionary:
    style = style_of(highlight.mark)
    around = union(line.around for line in highlight.lines)
    quads = [
        corner for line in highlight.lines for point in corners(line.around, rotation) for corner in point
    ]
    return Dictionary(
        Type=Name.Annot,
        Subtype=Name.Highlight,
        P=page.obj,
        Rect=_numbers(around),
        QuadPoints=_numbers(quads),
        C=_numbers(_rgb(style.background)),
        F=_PRINTED,
        NM=String(f"{_AUTHOR}-{highlight.number + 1}"),
        T=String(_AUTHOR),
        Contents=String("\r".join(highlight.mark.lines)),
        AP=Dictionary(N=_appearance(pdf, highlight.lines, around, style, rotation)),
    )


def _appearance(
    pdf: pikepdf.Pdf, lines: Sequence[MarkedLine], around: Rectangle, style: MarkStyle, rotation: int
) -> pikepdf.Stream:
    """Return the appearance stream of a highlight, so that all viewers draw it alike."""
    multiplied = Dictionary(ExtGState=Dictionary(G=Dictionary(Type=Name.ExtGState, BM=Name.Multiply)))
    drawn = pdf.make_stream("\n".join(_drawing_operators(lines, style, rotation)).encode("ascii"))
    drawn.stream_dict = Dictionary(
        Type=Name.XObject,
        Subtype=Name.Form,
        BBox=_numbers(around),
        Resources=multiplied,
        Group=Dictionary(Type=Name.Group, S=Name.Transparency),
    )
    return drawn


def _drawing_operators(lines: Sequence[MarkedLine], style: MarkStyle, rotation: int) -> Iterator[str]:
    yield f"/G gs {_operands(_rgb(style.background))} rg"
    for line in lines:
        x0, y0, x1, y1 = line.around
        yield f"{_operands((x0, y0, x1 - x0, y1 - y0))} re f"
    if not style.underline:
        return
    yield f"{_operands(_rgb(style.underline))} RG {_LINE_POINTS} w [{_operands(style.dashes_points)}] 0 d"
    for line in lines:
        begin, end = line_below(line, _inset(line.around), rotation)
        yield f"{_operands(begin)} m {_operands(end)} l S"


def _inset(box: Rectangle) -> Rectangle:
    """Shrink a rectangle so that a line drawn on its edge stays inside `box`."""
    x0, y0, x1, y1 = box
    return x0 + _LINE_POINTS / 2, y0 + _LINE_POINTS / 2, x1 - _LINE_POINTS / 2, y1 - _LINE_POINTS / 2


def _rgb(colour: str) -> tuple[float, ...]:
    return tuple(round(int(colour[place : place + 2], 16) / 255, 3) for place in (0, 2, 4))


def _numbers(values: Sequence[float]) -> Array:
    return Array([round(value, 2) for value in values])


def _operands(values: Sequence[float]) -> str:
    return " ".join(f"{value:.2f}" for value in values)

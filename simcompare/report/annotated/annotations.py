"""Marks of annotated copies of files, and those of a PDF: highlights, underlines and comments."""

import io
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, starmap
from pathlib import Path
from typing import Literal

import numpy as np
import pikepdf
from pikepdf import Array, Dictionary, Name, String

from simcompare.comparison.comparison_result import Comparison, Match, MatchKind
from simcompare.comparison.passages.numbered_passages import KINDS_OF_PASSAGES, NumberedPassage
from simcompare.comparison.prepared_document import PreparedDocument
from simcompare.model.document import CharacterBoxes, Span
from simcompare.model.errors import FileError, PasswordNeededError
from simcompare.report.evidence import Evidence, decided_sentences
from simcompare.report.facing_passages import decided_title, is_single, passage_title
from simcompare.report.wording import (
    by_sentence,
    decision_name,
    enumerated,
    kind_name,
    listed_matches,
    named,
    note_in_words,
    number,
)
from simcompare.session.decisions import Decision, outcome_of
from simcompare.support.arrays import IndexArray
from simcompare.support.display_text import escape_invisible
from simcompare.support.i18n import N_, _, ngettext

Side = Literal["left", "right"]
_KINDS_OF_MATCHES = {of_passage: kind for kind, of_passage in KINDS_OF_PASSAGES.items()}
_MOST_LISTED = 5
_MOST_CHARACTERS = 600
SIGNED = N_("{name} is signed: its signature is valid for the original only, not for the annotated copy.")
OTHER_FORMAT = N_(
    "only PDF and Word files (.docx, .docm, .dotx) can be. "
    "Save it in one of these formats and compare the new file"
)
CHANGED = N_("it is no longer the file that was compared. Compare it again")
PASSWORD = N_("the password is wrong. Give the password with which it was read")
BROKEN = N_(
    "its structure is broken, although its text can be read. "
    "Open it in the program that made it, save it again and compare the new file"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A matched sentence, or a part of a passage without matches: its span and text.

    kind: of the best match of the sentence, or that of the passage; None for a reordered passage and a
    summary. lines: of its comment, if there is one. is_fine: decided to be of no concern. is_between: beside
    the matched sentences of a passage.
    """

    span: Span
    text: str
    kind: MatchKind | None
    lines: tuple[str, ...]
    is_fine: bool = False
    is_between: bool = False


@dataclass(frozen=True, slots=True)
class AnnotatedCopy:
    """Content of an annotated copy, the number of marks placed, and the marks that have no position in it."""

    data: bytes = field(repr=False)
    placed: int
    unplaced: tuple[Mark, ...]
    remarks: tuple[str, ...] = ()
    """Untranslated gettext ids about the copy, with {name} for the file."""


class NotAnnotatedError(FileError):
    """A compared file cannot be annotated. Values: cause, including what the user can do."""

    template = N_("{name} cannot be annotated: {cause}.")


def marks_of(evidence: Evidence, side: Side) -> list[Mark]:
    """Return the marks of a text in order: what is marked in the window, whole passages.

    Marks do not overlap: each matched sentence has one, and each part of a passage between these. Matches and
    passages are numbered as in other reports. The title of a passage, with the decision and the note on it,
    is at its first mark.
    """
    matches = evidence.comparison.matches
    listed = listed_matches(matches)
    numbers = {index: count for count, index in enumerate(listed, start=1)}
    cells = matches.cells
    sentences = (cells.rows if side == "left" else cells.columns).tolist()
    found = by_sentence(sentences, listed, matches)
    spans = evidence.passages.left_spans if side == "left" else evidence.passages.right_spans
    bounds = prepared_document_of(evidence.comparison, side).prepared.sentences_in(spans)
    parts = _parts_of_passages(evidence, side, found, bounds)
    begins = {
        each: first for first, (_owner, _first, last) in parts.items() for each in range(first, last + 1)
    } | {each: each for each in found}
    lines, decided = _titles(evidence, side, bounds, begins), decided_sentences(evidence)[side == "right"]
    return [
        _mark(evidence, side, found[sentence], numbers, lines[sentence], decided.get(sentence))
        if sentence in found
        else _mark_of_part(evidence, side, parts[sentence], lines[sentence])
        for sentence in sorted([*found, *parts])
    ]


def prepared_document_of(comparison: Comparison, side: Side) -> PreparedDocument:
    return comparison.left if side == "left" else comparison.right


def _parts_of_passages(
    evidence: Evidence, side: Side, matched: Collection[int], bounds: IndexArray
) -> dict[int, tuple[int, int, int]]:
    """Find the parts of passages without matched sentences: passage, first and last sentence, by the first.

    bounds: sentences of each passage. A sentence in several passages belongs to the shortest, to one of no
    concern only if no other has it, as in the window.
    """
    excluded = evidence.comparison.excluded[side == "right"]
    owners = np.full(len(excluded.kept), -1)
    for index in np.lexsort((bounds[:, 0] - bounds[:, 1], ~evidence.passage_decisions.fine)).tolist():
        owners[slice(*bounds[index])] = index
    owners[~excluded.kept] = owners[list(matched)] = -1
    groups = (list(group) for _owner, group in groupby(range(len(owners)), owners.__getitem__))
    return {
        group[0]: (int(owners[group[0]]), group[0], group[-1]) for group in groups if owners[group[0]] >= 0
    }


def _titles(
    evidence: Evidence, side: Side, bounds: IndexArray, begins: Mapping[int, int]
) -> defaultdict[int, list[str]]:
    """Return the titles of passages by the first sentence of the mark that has them.

    begins: first sentence of the mark of each marked sentence.
    """
    comparison, passages = evidence.comparison, evidence.passages
    lines: defaultdict[int, list[str]] = defaultdict(list)
    for passage, inside in zip(passages, starmap(range, bounds.tolist()), strict=True):
        place = next((begins[sentence] for sentence in inside if sentence in begins), None)
        # a match alone in its passage has the decision and the note of the passage
        if place is not None and len(passage.matches) != 1:
            lines[place].append(decided_title(evidence, passage))
        elif place is not None and not is_single(comparison, passage):
            citation = evidence.citations[passage.number - 1]
            lines[place].append(passage_title(comparison, passages, passage, evidence.thesaurus, citation))
        if place is not None and not passage.matches:
            lines[place].append(_other_text(comparison, side, passage))
    return lines


def _other_text(comparison: Comparison, side: Side, passage: NumberedPassage) -> str:
    is_left = side == "left"
    span, other = (passage.right, comparison.right) if is_left else (passage.left, comparison.left)
    return named(comparison.names[is_left], shortened(span.of(other.document.text), _MOST_CHARACTERS))


def _mark_of_part(evidence: Evidence, side: Side, part: tuple[int, int, int], lines: Sequence[str]) -> Mark:
    """Return the mark of a part of a passage: passage, first and last sentence."""
    document, passage = prepared_document_of(evidence.comparison, side), evidence.passages[part[0]]
    first, last = map(document.prepared.sentence_span, part[1:])
    whole = passage.left if side == "left" else passage.right
    span = Span(max(first.start, whole.start), min(last.end, whole.end))
    return Mark(
        span,
        span.of(document.document.text),
        _KINDS_OF_MATCHES.get(passage.kind),
        tuple(map(escape_invisible, lines)),
        outcome_of(evidence.decision_on(passage).decision) is Decision.FINE,
        bool(passage.matches),
    )


def _mark(
    evidence: Evidence,
    side: Side,
    indices: Sequence[int],
    numbers: dict[int, int],
    lines_on_passages: Sequence[str],
    decision: Decision | None,
) -> Mark:
    comparison = evidence.comparison
    best = comparison.matches[indices[0]]
    span = comparison.left_span(best) if side == "left" else comparison.right_span(best)
    document = prepared_document_of(comparison, side).document
    lines = [
        *lines_on_passages,
        *(line for index in indices[:_MOST_LISTED] for line in _lines(evidence, side, index, numbers[index])),
    ]
    rest = len(indices) - _MOST_LISTED
    if rest > 0:
        lines.append(
            ngettext("{count} more match of this sentence", "{count} more matches of this sentence", rest)
        )
    is_fine = outcome_of(decision) is Decision.FINE
    return Mark(span, span.of(document.text), best.kind, tuple(map(escape_invisible, lines)), is_fine)


def _lines(evidence: Evidence, side: Side, index: int, count: int) -> list[str]:
    """Return the lines about a match: figures and other sentence, decision, note."""
    comparison, noted_decision = evidence.comparison, evidence.decision_of(index)
    match = comparison.matches[index]
    name, prepared_document = comparison.names[0], comparison.left
    sentence, span = match.left, comparison.left_span(match)
    if side == "left":
        name, prepared_document = comparison.names[1], comparison.right
        sentence, span = match.right, comparison.right_span(match)
    description = _("Match {number} ({facts}): sentence {sentence} of {file}: {text}").format(
        number=count,
        facts=_facts(match),
        sentence=sentence + 1,
        file=name,
        text=shortened(span.of(prepared_document.document.text), _MOST_CHARACTERS),
    )
    note = note_in_words(noted_decision.note)
    decided = [_("Decision: {decision}").format(decision=decision_name(noted_decision.decision))]
    return [description, *(decided if noted_decision.decision else []), *([note] if note else [])]


def _facts(match: Match) -> str:
    """Describe a match: "edited, P = 0.78"."""
    w = [] if match.w is None else [f"w = {number(match.w)}"]
    return enumerated([kind_name(match.kind), f"P = {number(match.p)}", *w])


def shortened(text: str, most_characters: int) -> str:
    """Join a text into one line, truncated with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= most_characters else f"{line[: most_characters - 1]}…"


@dataclass(frozen=True, slots=True)
class MarkStyle:
    """Background and underline, as six hexadecimal digits; the underline distinguishes kinds without colour.

    Black text on the background has a contrast of at least 11:1. underline: "" for none; dashes_points:
    lengths of dashes and gaps, empty for a solid line; word_line: the name of this underline in Word.
    """

    background: str
    underline: str
    dashes_points: tuple[float, ...]
    word_line: str


MARK_STYLES: Mapping[MatchKind | None, MarkStyle] = {
    MatchKind.EXACT: MarkStyle("f9c6cb", "b93042", (), "single"),
    MatchKind.EDITED: MarkStyle("fce2a0", "985500", (4, 2), "dash"),
    MatchKind.SYNONYM: MarkStyle("b8e6e4", "0f7277", (1, 1.5), "dotted"),
    None: MarkStyle("e6e6eb", "6a6a76", (4, 1.5, 1, 1.5), "dotDash"),
}
_PALE_LINE, _PALE, _PALEST = "a9b0bc", 0.5, 0.75


def style_of(mark: Mark) -> MarkStyle:
    """Return the style of a mark: pale if it is beside sentences, then without a line, or fine."""
    style = MARK_STYLES[mark.kind]
    share = _PALEST if mark.is_fine else _PALE if mark.is_between else 0.0
    parts = (int(style.background[place : place + 2], 16) for place in (0, 2, 4))
    pale = "".join(f"{round(part + (255 - part) * share):02x}" for part in parts)
    line = "" if mark.is_between else _PALE_LINE if mark.is_fine else style.underline
    return replace(style, background=pale, underline=line)


_MOST_REMAINING = 10


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
    for index, mark in enumerate(marks):
        for page, lines in _lines_by_page(boxes, mark):
            if page <= pages:
                found.setdefault(page, []).append(_PageHighlight(index, mark, lines))
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

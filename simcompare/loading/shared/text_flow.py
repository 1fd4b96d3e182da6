"""Runs, paragraphs, cells and rows of .doc and .rtf, gathered into pieces.

The two formats say the same things in different bytes: characters with a look, then a mark that ends a
paragraph, a cell or a row. Whether white text is on white paper is known only where its row ends.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from simcompare.loading.extraction import Line, Piece, clean, is_visible
from simcompare.loading.left_out_text import LeftOut, gap_of
from simcompare.model.document import BlockKind
from simcompare.model.receipt import DropReason, Place

LINE_END = "\n"
# Below about 2 points nobody reads.
_LEAST_HALF_POINTS = 4
_DEEPEST_TABLE = 30
# What a cell of a table proper holds at most; more, and the table lays out a page.
_MOST_BLOCKS_IN_CELL = 3
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Look:
    """How characters look, as far as it decides whether they are read, and what stands out."""

    half_points: float = 20
    bold: bool = False
    white: bool = False
    hidden: bool = False
    deleted: bool = False

    def unseen(self) -> DropReason | None:
        """Return why a reader does not see the characters; white ones may yet stand on a dark ground."""
        if self.deleted:
            return DropReason.DELETED_REVISION
        if self.hidden:
            return DropReason.HIDDEN_TEXT
        if self.half_points < _LEAST_HALF_POINTS:
            return DropReason.TINY_TEXT
        return DropReason.WHITE_TEXT if self.white else None


@dataclass(frozen=True, slots=True)
class Format:
    """What a paragraph is. `depth` counts the tables around it, `shaded` is whether its ground is dark."""

    kind: BlockKind = BlockKind.PARAGRAPH
    centred: bool = False
    shaded: bool = False
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """Characters, and why they are left out, if they are."""

    text: str
    reason: DropReason | None = None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph or a table row before it has a place in the document."""

    format: Format
    runs: Sequence[Run]
    half_points: float = 20
    bold: bool = False

    def text(self) -> str:
        """Return what its reader sees."""
        return whole("".join(run.text for run in self.runs if run.reason is None))

    def on_dark_ground(self) -> "Paragraph":
        """Return the paragraph with its white text to be seen."""
        white = DropReason.WHITE_TEXT
        return replace(self, runs=[Run(r.text) if r.reason is white else r for r in self.runs])


@dataclass(slots=True)
class _Table:
    cells: list[list[Paragraph]] = field(default_factory=list)
    cell: list[Paragraph] = field(default_factory=list)


def whole(text: str) -> str:
    """Join the surrogates that stand for one character; what has no partner goes."""
    if not _SURROGATES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


class Flow:
    """Takes a text as it comes and collects its paragraphs, the rows of its tables among them."""

    def __init__(self) -> None:
        self.paragraphs: list[Paragraph] = []
        self._runs: list[Run] = []
        self._seen: Look | None = None
        self._tables: list[_Table] = []
        self._boxes: list[Paragraph] = []

    def text(self, text: str, look: Look, reason: DropReason | None = None) -> None:
        """Take characters; `reason` leaves them out whatever they look like."""
        reason = look.unseen() or reason
        if text and (reason is None) and self._seen is None and not text.isspace():
            self._seen = look
        if text:
            self._runs.append(Run(text, reason))
        if gap := gap_of(reason, text):
            self._runs.append(Run(gap))

    def put_aside(self, box: Iterable[Paragraph]) -> None:
        """Take a text box, which stands after the paragraph that it is anchored in."""
        self._boxes += box

    def end_paragraph(self, form: Format) -> None:
        """End a paragraph at the depth of its table."""
        self._at_depth(form.depth)
        self._end_runs(form)

    def end_cell(self, form: Format) -> None:
        """End a cell of the table at that depth, and its last paragraph."""
        form = replace(form, depth=max(form.depth, 1))
        self.end_paragraph(form)
        table = self._tables[-1]
        table.cells.append(table.cell)
        table.cell = []

    def end_row(self, depth: int, *, shaded: Sequence[bool] = (), merged: Sequence[bool] = ()) -> None:
        """End a row of the table at that depth; its cells may be shaded, or merged with the one before."""
        depth = max(depth, 1)
        self._at_depth(depth)
        self._end_runs(Format(depth=depth), only_if_text=True)
        table = self._tables.pop()
        dark, rests = _numbers_of(shaded), _numbers_of(merged)
        cells = [*table.cells, table.cell] if table.cell else table.cells
        cells = [
            [paragraph.on_dark_ground() for paragraph in cell] if n in dark else cell
            for n, cell in enumerate(cells)
            if n not in rests or _has_text(cell)
        ]
        if len(cells) == 1 or any(_lays_out_a_page(cell, depth) for cell in cells):
            # A frame around text, or columns of text, and not a row of cells.
            self._add([paragraph for cell in cells for paragraph in cell])
        elif cells:
            self._add([_row(cells)])

    def finish(self) -> list[Paragraph]:
        """End what is still open and return all paragraphs."""
        self._at_depth(0)
        self._end_runs(Format(), only_if_text=True)
        return self.paragraphs

    def _end_runs(self, form: Format, *, only_if_text: bool = False) -> None:
        runs, self._runs = self._runs, []
        if only_if_text and not any(run.text.strip() for run in runs) and not self._boxes:
            return
        look = self._seen or Look()
        self._seen = None
        paragraph = Paragraph(form, runs, look.half_points, look.bold)
        boxes, self._boxes = self._boxes, []
        self._add([paragraph.on_dark_ground() if form.shaded else paragraph, *boxes])

    def _add(self, paragraphs: list[Paragraph]) -> None:
        (self._tables[-1].cell if self._tables else self.paragraphs).extend(paragraphs)

    def _at_depth(self, depth: int) -> None:
        """Open or close tables until the text stands in so many of them."""
        depth = min(depth, _DEEPEST_TABLE)
        while len(self._tables) > depth:
            table = self._tables.pop()
            cells = [*table.cells, table.cell] if table.cell else table.cells
            self._add([_row(cells)] if len(cells) > 1 else [p for cell in cells for p in cell])
        while len(self._tables) < depth:
            self._tables.append(_Table())


def _numbers_of(switches: Sequence[bool]) -> set[int]:
    return {number for number, is_on in enumerate(switches) if is_on}


def _has_text(cell: list[Paragraph]) -> bool:
    return any(run.text.strip() for paragraph in cell for run in paragraph.runs)


def _lays_out_a_page(cell: list[Paragraph], depth: int) -> bool:
    """Return whether a cell holds a table or many paragraphs: a part of the text rather than an entry."""
    filled = [paragraph for paragraph in cell if any(run.text.strip() for run in paragraph.runs)]
    return len(filled) > _MOST_BLOCKS_IN_CELL or any(
        p.format.depth > depth or p.format.kind is BlockKind.TABLE_ROW for p in filled
    )


def _row(cells: Sequence[Sequence[Paragraph]]) -> Paragraph:
    runs: list[Run] = []
    for number, cell in enumerate(cells):
        runs += [Run("\t")] if number else []
        for paragraph in cell:
            runs += [
                Run(run.text.replace("\t", " ").replace(LINE_END, " "), run.reason) for run in paragraph.runs
            ]
            runs.append(Run(" "))
    return Paragraph(Format(BlockKind.TABLE_ROW), runs)


def pieces_of(paragraphs: Iterable[Paragraph], left_out: LeftOut) -> list[Piece]:
    """Return the pieces that a reader sees; the rest goes to `left_out`."""
    pieces: list[Piece] = []
    for paragraph in paragraphs:
        for line in _lines(paragraph):
            text = clean(line, keep_tabs=paragraph.format.kind is BlockKind.TABLE_ROW)
            if is_visible(text):
                pieces.append(Piece(paragraph.format.kind, text))
        place = Place(paragraph=max(1, len(pieces)))
        for reason, runs in groupby(paragraph.runs, lambda run: run.reason):
            if reason is not None:
                left_out.add(reason, whole("".join(run.text for run in runs)), place)
    return pieces


def _lines(paragraph: Paragraph) -> list[str]:
    text = paragraph.text()
    return [text] if paragraph.format.kind is BlockKind.TABLE_ROW else text.split(LINE_END)


def as_notes(paragraphs: Iterable[Paragraph]) -> list[Paragraph]:
    """Return the paragraphs of footnotes and endnotes as such."""
    return [replace(one, format=replace(one.format, kind=BlockKind.FOOTNOTE)) for one in paragraphs]


def lines_of(paragraphs: Iterable[Paragraph]) -> Iterator[Line]:
    """Yield the paragraphs with text as the eye meets them; rows of tables are none."""
    for paragraph in paragraphs:
        text = clean(paragraph.text())
        if text and paragraph.format.kind is not BlockKind.TABLE_ROW:
            yield Line(text, paragraph.half_points, paragraph.bold, paragraph.format.centred)


def written_text(paragraphs: Iterable[Paragraph]) -> str:
    """Return all characters, seen or not."""
    return whole(" ".join("".join(run.text for run in paragraph.runs) for paragraph in paragraphs))

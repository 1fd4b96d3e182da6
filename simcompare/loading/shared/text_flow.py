"""Build pieces from the runs, paragraphs, cells and rows of .doc, .rtf and .odt.

The formats encode the same structure: characters with a format, then a mark that ends a paragraph, a cell
or a row. Whether white text is on a dark background is known only when its row ends.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from simcompare.loading.extraction import (
    DroppedText,
    OpeningLine,
    Piece,
    clean,
    cleaned,
    gap_of,
    is_visible,
    note_mark,
)
from simcompare.model.document import BlockKind, DropReason, Place

LINE_END = "\n"
# Text below about 2 points is unreadable.
_MIN_HALF_POINTS = 4
_MAX_TABLE_DEPTH = 30
# A cell with more blocks belongs to a layout table.
_MAX_BLOCKS_IN_CELL = 3
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class TextFormat:
    """Character format, as far as it determines visibility and prominence; `hidden` is the font attribute."""

    half_points: float = 20
    bold: bool = False
    white: bool = False
    hidden: bool = False
    deleted: bool = False

    def hidden_reason(self) -> DropReason | None:
        """Return the reason why characters are dropped; white ones may still be on a dark background."""
        if self.deleted:
            return DropReason.DELETED_REVISION
        if self.hidden:
            return DropReason.HIDDEN_TEXT
        if self.half_points < _MIN_HALF_POINTS:
            return DropReason.TINY_TEXT
        return DropReason.WHITE_TEXT if self.white else None


@dataclass(frozen=True, slots=True)
class ParagraphFormat:
    """Kind and format of a paragraph. `depth` counts the enclosing tables, `shaded` is a dark background."""

    kind: BlockKind = BlockKind.PARAGRAPH
    centred: bool = False
    shaded: bool = False
    depth: int = 0


@dataclass(frozen=True, slots=True)
class TextRun:
    """Characters and, if they are dropped, the reason."""

    text: str
    reason: DropReason | None = None


@dataclass(frozen=True, slots=True)
class FlowParagraph:
    """A paragraph or a table row before it has an offset in the document."""

    format: ParagraphFormat
    runs: Sequence[TextRun]
    half_points: float = 20
    bold: bool = False

    def text(self) -> str:
        return without_lone_surrogates("".join(run.text for run in self.runs if run.reason is None))

    def with_white_text(self) -> "FlowParagraph":
        """Return the paragraph with its white text kept, as on a dark background."""
        white = DropReason.WHITE_TEXT
        return replace(self, runs=[TextRun(r.text) if r.reason is white else r for r in self.runs])


@dataclass(slots=True)
class _OpenTable:
    cells: list[list[FlowParagraph]] = field(default_factory=list)
    cell: list[FlowParagraph] = field(default_factory=list)


def without_lone_surrogates(text: str) -> str:
    if not _SURROGATES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


class TextFlow:
    """Collect paragraphs and table rows from a stream of characters and end marks."""

    def __init__(self) -> None:
        self.paragraphs: list[FlowParagraph] = []
        self._runs: list[TextRun] = []
        self._first_format: TextFormat | None = None
        self._tables: list[_OpenTable] = []
        self._text_boxes: list[FlowParagraph] = []

    def text(self, text: str, text_format: TextFormat, reason: DropReason | None = None) -> None:
        """Add characters; with `reason` they are dropped whatever their format."""
        reason = text_format.hidden_reason() or reason
        if text and (reason is None) and self._first_format is None and not text.isspace():
            self._first_format = text_format
        if text:
            self._runs.append(TextRun(text, reason))
        if gap := gap_of(reason, text):
            self._runs.append(TextRun(gap))

    def note(self, number: int) -> None:
        """Mark the place of a note, or the beginning of its text."""
        self._runs.append(TextRun(note_mark(number)))

    def add_text_box(self, paragraphs: Iterable[FlowParagraph]) -> None:
        """Add a text box; it is put after the paragraph in which it is anchored."""
        self._text_boxes += paragraphs

    def end_paragraph(self, paragraph_format: ParagraphFormat) -> None:
        self._set_depth(paragraph_format.depth)
        self._end_runs(paragraph_format)

    def end_cell(self, paragraph_format: ParagraphFormat) -> None:
        """End a cell of the table at that depth, and its last paragraph."""
        paragraph_format = replace(paragraph_format, depth=max(paragraph_format.depth, 1))
        self.end_paragraph(paragraph_format)
        table = self._tables[-1]
        table.cells.append(table.cell)
        table.cell = []

    def end_row(self, depth: int, *, shaded: Sequence[bool] = (), merged: Sequence[bool] = ()) -> None:
        """End a row of the table at that depth; cells may be shaded or merged with the one before."""
        depth = max(depth, 1)
        self._set_depth(depth)
        self._end_runs(ParagraphFormat(depth=depth), only_if_text=True)
        table = self._tables.pop()
        shaded_cells, merged_cells = _indexes_of(shaded), _indexes_of(merged)
        cells = [*table.cells, table.cell] if table.cell else table.cells
        cells = [
            [paragraph.with_white_text() for paragraph in cell] if n in shaded_cells else cell
            for n, cell in enumerate(cells)
            if n not in merged_cells or any(run.text.strip() for paragraph in cell for run in paragraph.runs)
        ]
        if len(cells) == 1 or any(_is_layout_cell(cell, depth) for cell in cells):
            # A frame or text columns rather than a row of cells.
            self._add([paragraph for cell in cells for paragraph in cell])
        elif cells:
            self._add([_row(cells)])

    def finish(self) -> list[FlowParagraph]:
        self._set_depth(0)
        self._end_runs(ParagraphFormat(), only_if_text=True)
        return self.paragraphs

    def _end_runs(self, paragraph_format: ParagraphFormat, *, only_if_text: bool = False) -> None:
        runs, self._runs = self._runs, []
        if only_if_text and not any(run.text.strip() for run in runs) and not self._text_boxes:
            return
        text_format = self._first_format or TextFormat()
        self._first_format = None
        paragraph = FlowParagraph(paragraph_format, runs, text_format.half_points, text_format.bold)
        text_boxes, self._text_boxes = self._text_boxes, []
        self._add([paragraph.with_white_text() if paragraph_format.shaded else paragraph, *text_boxes])

    def _add(self, paragraphs: list[FlowParagraph]) -> None:
        (self._tables[-1].cell if self._tables else self.paragraphs).extend(paragraphs)

    def _set_depth(self, depth: int) -> None:
        """Open or close tables until `depth` of them are open."""
        depth = min(depth, _MAX_TABLE_DEPTH)
        while len(self._tables) > depth:
            table = self._tables.pop()
            cells = [*table.cells, table.cell] if table.cell else table.cells
            self._add([_row(cells)] if len(cells) > 1 else [p for cell in cells for p in cell])
        while len(self._tables) < depth:
            self._tables.append(_OpenTable())


def _indexes_of(switches: Sequence[bool]) -> set[int]:
    return {number for number, is_on in enumerate(switches) if is_on}


def _is_layout_cell(cell: list[FlowParagraph], depth: int) -> bool:
    """Return whether a cell holds a table or many paragraphs: body text rather than an entry."""
    filled = [paragraph for paragraph in cell if any(run.text.strip() for run in paragraph.runs)]
    return len(filled) > _MAX_BLOCKS_IN_CELL or any(
        p.format.depth > depth or p.format.kind is BlockKind.TABLE_ROW for p in filled
    )


def _row(cells: Sequence[Sequence[FlowParagraph]]) -> FlowParagraph:
    runs: list[TextRun] = []
    for number, cell in enumerate(cells):
        runs += [TextRun("\t")] if number else []
        for paragraph in cell:
            runs += [
                TextRun(run.text.replace("\t", " ").replace(LINE_END, " "), run.reason)
                for run in paragraph.runs
            ]
            runs.append(TextRun(" "))
    return FlowParagraph(ParagraphFormat(BlockKind.TABLE_ROW), runs)


def pieces_of(paragraphs: Iterable[FlowParagraph], dropped_text: DroppedText) -> list[Piece]:
    """Return the visible text as pieces; the rest is added to `dropped_text`."""
    pieces: list[Piece] = []
    for paragraph in paragraphs:
        is_row = paragraph.format.kind is BlockKind.TABLE_ROW
        for line in [paragraph.text()] if is_row else paragraph.text().split(LINE_END):
            piece = cleaned(Piece(paragraph.format.kind, line))
            if is_visible(piece.text):
                pieces.append(piece)
        place = Place(paragraph=max(1, len(pieces)))
        for reason, runs in groupby(paragraph.runs, lambda run: run.reason):
            if reason is not None:
                dropped_text.add(reason, without_lone_surrogates("".join(run.text for run in runs)), place)
    return pieces


def as_footnotes(paragraphs: Iterable[FlowParagraph]) -> list[FlowParagraph]:
    return [
        replace(paragraph, format=replace(paragraph.format, kind=BlockKind.FOOTNOTE))
        for paragraph in paragraphs
    ]


def opening_lines(paragraphs: Iterable[FlowParagraph]) -> Iterator[OpeningLine]:
    """Yield the paragraphs with text as candidates for the title; table rows are skipped."""
    for paragraph in paragraphs:
        text = clean(paragraph.text())
        if text and paragraph.format.kind is not BlockKind.TABLE_ROW:
            yield OpeningLine(text, paragraph.half_points, paragraph.bold, paragraph.format.centred)


def written_text(paragraphs: Iterable[FlowParagraph]) -> str:
    """Return all characters, dropped ones too."""
    return without_lone_surrogates(
        " ".join("".join(run.text for run in paragraph.runs) for paragraph in paragraphs)
    )

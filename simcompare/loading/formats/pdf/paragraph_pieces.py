"""Convert pages to pieces: paragraphs, headings, lists, table rows, notes."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

import numpy as np

from simcompare.loading.extraction import DroppedText, Piece, clean
from simcompare.loading.formats.pdf.page_margins import (
    in_reading_order,
    repeated_among,
    without_contents,
    without_footnotes,
    without_line_numbers,
    without_margins,
    without_watermarks,
)
from simcompare.loading.formats.pdf.pdf_lines import (
    Boxes,
    PdfLine,
    PdfPage,
    TypedText,
    WordStatistics,
    divided,
    is_cjk,
    joined_text,
    places_of,
    weighted_median,
)
from simcompare.loading.formats.pdf.pdf_paragraphs import (
    PdfParagraph,
    bullet_length,
    ends_sentence,
    is_mark,
    paragraphs_of,
)
from simcompare.loading.shared.character_alignment import clean_piece
from simcompare.loading.shared.title_lines import is_never_title, looks_like_title
from simcompare.model.document import BlockKind, CharacterBoxes

# Font size of a field that leaves it to the program: at most this, and this share of the height of its box.
_AUTOMATIC_POINTS = 12.0
_SHARE_OF_BOX = 0.7
# In font sizes: distance of lines, most of double-spaced ones, the highest box of one line, gap to words of
# the same line, gap of cells.
_PITCH = 1.2
_MAX_PITCH = 2.5
_MAX_SINGLE_HEIGHT = 2.5
_MAX_GAP = 8.0
_CELL_GAP = 1.5
_LATIN_WIDTH = 0.5
_LABEL_ENDS = (":", "：", "_", "＿")
_LONGEST_LABEL = 24
# Share of the height of the lower of two boxes that is level with the other.
_LEVEL_SHARE = 0.5


def with_typed_text(page: PdfPage) -> PdfPage:
    """Return a page with its typed text among its lines; the boxes of typed characters are estimated."""
    lines, boxes = list(page.lines), [page.boxes]
    for typed in sorted(page.typed, key=lambda typed: (-typed.box[3], typed.box[0])):
        new = _lines_of(page.number, typed, sum(map(len, boxes)))
        boxes += (_character_boxes(line, typed) for line in new)
        beside = _beside(lines, new[0]) if len(new) == 1 else None
        if beside is not None and not typed.is_field and not _is_label(beside, new[0]):
            lines += new  # a remark beside a line of running text, in which it would be read
        elif beside is not None:
            lines[lines.index(beside)] = _merged(beside, new[0])
        else:
            place = _place_below(lines, new[0])
            lines[place:place] = new
    return replace(page, lines=lines, boxes=np.concatenate(boxes), typed=())


def typed_after_paragraphs(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Move typed lines from within a sentence of running text to the end of its paragraph: remarks on it."""
    printed = [line for line in lines if not line.typed]
    if len(printed) == len(lines):
        return list(lines)
    going_on = {
        id(line)
        for paragraph in paragraphs_of(printed)
        for line, following in pairwise(paragraph.lines)
        if line.page != following.page or line.y0 - following.y0 < _MAX_PITCH * line.size
    }
    found: list[PdfLine] = []
    remarks: list[PdfLine] = []
    is_inside = False
    for line in lines:
        if line.typed:
            (remarks if is_inside else found).append(line)
            continue
        found.append(line)
        if id(line) not in going_on:
            found += remarks
            remarks = []
        # below a label the typed text belongs to it
        is_inside = id(line) in going_on and not ends_sentence(line) and len(line.text) > _LONGEST_LABEL
    return found


def _lines_of(number: int, typed: TypedText, first: int) -> list[PdfLine]:
    """Return a line for each typed line; the index of the box of the first character is `first`."""
    x0, low, x1, high = typed.box
    size = typed.size or max(1.0, min(_AUTOMATIC_POINTS, _SHARE_OF_BOX * (high - low)))
    pitch = min(_PITCH * size, (high - low) / len(typed.lines))
    top = (low + high + size) / 2 if high - low < _MAX_SINGLE_HEIGHT * size else high
    found = []
    for row, text in enumerate(typed.lines):
        y1 = top - row * pitch
        end = min(x1, x0 + _width(text, size))
        origins = range(first, first + len(text))
        found.append(PdfLine(number, text, x0, y1 - size, end, y1, size, origins=origins, typed=True))
        first += len(text)
    return found


def _width(text: str, size: float) -> float:
    return sum(size if is_cjk(char) else _LATIN_WIDTH * size for char in text)


def _character_boxes(line: PdfLine, typed: TypedText) -> Boxes:
    """Return a box for each character, on the unrotated page: the whole box for wrapped and rotated text."""
    count = len(line.text)
    if typed.box != typed.page_box or _width(line.text, line.size) > typed.box[2] - typed.box[0]:
        return np.tile(np.array(typed.page_box, dtype=np.float64), (count, 1))
    sides = np.linspace(line.x0, line.x1, count + 1)
    rows = np.tile(np.array([line.y0, line.y1]), (count, 1))
    return np.stack([sides[:-1], rows[:, 0], sides[1:], rows[:, 1]], axis=1)


def _beside(lines: Sequence[PdfLine], typed: PdfLine) -> PdfLine | None:
    """Return the nearest line on the same level; one that is typed too may be any distance away."""
    level = [line for line in lines if _are_level(line, typed)]
    near = [line for line in level if line.typed or _gap(line, typed) < _MAX_GAP * line.size]
    return min(near, key=partial(_gap, typed), default=None)


def _is_label(line: PdfLine, typed: PdfLine) -> bool:
    """Return whether typed text belongs to the line beside it: a label, a gap to fill in, or typed too."""
    middle = (typed.x0 + typed.x1) / 2
    is_in_gap = any(left <= middle <= right for _origin, left, right in line.gaps)
    return line.typed or is_in_gap or line.text.endswith(_LABEL_ENDS) or len(line.text) <= _LONGEST_LABEL


def _are_level(line: PdfLine, other: PdfLine) -> bool:
    common = min(line.y1, other.y1) - max(line.y0, other.y0)
    return common >= _LEVEL_SHARE * min(line.y1 - line.y0, other.y1 - other.y0)


def _gap(line: PdfLine, other: PdfLine) -> float:
    return max(0.0, line.x0 - other.x1, other.x0 - line.x1)


def _place_below(lines: Sequence[PdfLine], typed: PdfLine) -> int:
    """Return the index after the lowest line above, or before the highest line below."""
    overlapping = [line for line in lines if line.x0 < typed.x1 and line.x1 > typed.x0]
    for candidates in (overlapping, lines):
        above = [line for line in candidates if line.y0 >= typed.y0]
        if above:
            return lines.index(min(above, key=lambda line: line.y0)) + 1
        if candidates:
            return lines.index(max(candidates, key=lambda line: line.y0))
    return 0


def _merged(line: PdfLine, typed: PdfLine) -> PdfLine:
    """Insert typed text into a line, at the end, at the beginning, or into the gap in which it is."""
    place, left, right = _place_in(line, typed)
    before, after = line.text[:place].rstrip(), line.text[place:].lstrip()
    start = len(line.text) - len(after)
    text, origins = before, list(line.origins[: len(before)])
    gaps = [gap for gap in line.gaps if gap[0] not in line.origins[start : start + 1]]
    for added, added_origins, gap in (
        (typed.text, list(typed.origins), (left, typed.x0)),
        (after, list(line.origins[start:]), (typed.x1, right)),
    ):
        if text and added:
            if gap[1] - gap[0] > _CELL_GAP * line.size:
                gaps.append((added_origins[0], *gap))
            if not (is_cjk(text[-1]) or is_cjk(added[0])):
                text, origins = f"{text} ", [*origins, -1]
        text, origins = text + added, origins + added_origins
    return replace(
        line,
        text=text,
        origins=origins,
        gaps=sorted(gaps, key=lambda gap: gap[1]),
        x0=min(line.x0, typed.x0),
        x1=max(line.x1, typed.x1),
        hyphenated=line.hyphenated and bool(after),
    )


def _place_in(line: PdfLine, typed: PdfLine) -> tuple[int, float, float]:
    """Return where in a line typed text belongs, and the ends of the words on both sides."""
    for origin, left, right in line.gaps:
        if origin in line.origins and left <= (typed.x0 + typed.x1) / 2 <= right:
            return list(line.origins).index(origin), left, right
    if typed.x0 >= line.x1 - line.size / 2:
        return len(line.text), line.x1, typed.x1
    if typed.x0 <= line.x0:
        return 0, typed.x0, line.x0
    share = (typed.x0 - line.x0) / (line.x1 - line.x0)
    borders = [
        place
        for place, (before, after) in enumerate(pairwise(line.text), start=1)
        if not (before.isalnum() and after.isalnum()) or is_cjk(before) or is_cjk(after)
    ]
    nearest = min(borders, key=lambda place: abs(place - share * len(line.text)), default=len(line.text))
    return nearest, typed.x0, typed.x1


# A cell with more lines is a text column.
_MAX_LINES_IN_CELL = 8
# Shares of the font size.
_SAME_TOP = 0.6
_SAME_PLACE = 0.5
# Columns of running text, of which programs draw one line each in turn: least number of rows, least width in
# font sizes, and the share of rows that are nearly as wide as the column, which cells of a table seldom are.
_TEXT_ROWS, _TEXT_WIDTH, _FULL_WIDTH, _FULL_ROWS = 6, 14, 0.8, 0.7


class _TableCell:
    """Lines below each other, and where they begin and end; the font size is that of the first."""

    def __init__(self, line: PdfLine) -> None:
        self.lines = [line]
        self.x0, self.x1, self.size = line.x0, line.x1, line.size

    def add(self, line: PdfLine) -> None:
        self.lines.append(line)
        self.x0, self.x1 = min(self.x0, line.x0), max(self.x1, line.x1)


@dataclass(slots=True)
class _TableRow:
    """Cells side by side, and the lines before they were cut into cells."""

    cells: list[_TableCell] = field(default_factory=list)
    whole_lines: list[PdfLine] = field(default_factory=list)

    def numbered(self, row: int) -> Iterator[PdfLine]:
        """Yield the lines of the cells, with row and cell numbers."""
        for number, cell in enumerate(self.cells):
            yield from (replace(line, row=row, cell=number) for line in cell.lines)


def with_rows(lines: Sequence[PdfLine]) -> list[PdfLine]:
    """Return the lines of a page; those of tables are cut into cells with row and cell numbers."""
    found: list[PdfLine] = []
    number = 0
    # A row whose cells are not aligned with those of the one before is no part of the same table.
    for table in divided(_rows(lines), lambda before, row: not _fits(before, row)):
        if len(table) >= _TEXT_ROWS and len({len(row.cells) for row in table}) == 1:
            columns = list(zip(*(row.cells for row in table), strict=True))
            if all(map(_is_running_text, columns)):
                found += (line for column in columns for cell in column for line in cell.lines)
                continue
        for row in table:
            if len(table) > 1:
                number += 1
                found += row.numbered(number)
            else:
                found += row.whole_lines
    return found


def _is_running_text(column: Sequence[_TableCell]) -> bool:
    width = max(cell.x1 for cell in column) - min(cell.x0 for cell in column)
    full = sum(cell.x1 - cell.x0 > _FULL_WIDTH * width for cell in column)
    return width > _TEXT_WIDTH * column[0].size and full > _FULL_ROWS * len(column)


def _rows(lines: Iterable[PdfLine]) -> Iterator[_TableRow]:
    """Yield rows of cells: parts of a line, and groups of lines below each other."""
    row = _TableRow()
    for line in lines:
        parts = _parts(line)
        if row.cells and len(parts) == 1 and _continues(row.cells[-1].lines[-1], line):
            row.cells[-1].add(line)
        else:
            if row.cells and not _is_beside(row.cells[-1], parts[0]):
                yield row
                row = _TableRow()
            row.cells += map(_TableCell, parts)
        row.whole_lines.append(line)
    if row.cells:
        yield row


def _parts(line: PdfLine) -> list[PdfLine]:
    """Cut a line at its wide gaps, except the gap after a list marker."""
    if not line.gaps:
        return [line]
    parts = line.parts()
    if len(parts) > 1 and is_mark(parts[0].text):
        return replace(line, gaps=line.gaps[1:]).parts()
    return parts


def _continues(before: PdfLine, line: PdfLine) -> bool:
    below = 0 < before.y0 - line.y0 < 2 * max(line.size, before.size)
    return below and _aligned(before, line)


def _aligned(item: PdfLine | _TableCell, other: PdfLine | _TableCell) -> bool:
    near = _SAME_PLACE * item.size
    if abs(item.x0 - other.x0) < near or abs(item.x1 - other.x1) < near:
        return True
    return abs((item.x0 + item.x1) / 2 - (other.x0 + other.x1) / 2) < near


def _is_beside(cell: _TableCell, line: PdfLine) -> bool:
    first = cell.lines[0]
    level = abs(first.y0 - line.y0) < _SAME_TOP * max(first.size, line.size)
    return level and line.x0 > cell.x1 and len(cell.lines) <= _MAX_LINES_IN_CELL


def _fits(before: _TableRow, row: _TableRow) -> bool:
    """Return whether each cell of the row with fewer, at least two, is aligned with one of the other."""
    fewer, more = sorted((before.cells, row.cells), key=len)
    return len(fewer) > 1 and all(any(_aligned(item, other) for other in more) for item in fewer)


_LARGER = 1.1
# Indent of a quotation on both sides, in font sizes.
_BLOCK_INDENT = 1.2
_NUMBER = re.compile(r"[(（]?(\d{1,3})[.)、．）](?!\d)")


def pieces_of(pages: Sequence[PdfPage], dropped_text: DroppedText) -> tuple[list[Piece], str | None]:
    """Return the pieces of a document and its title; margins and contents are added to `dropped_text`."""
    body_size = _body_size(line for page in pages for line in page.lines)
    body = without_watermarks(pages, body_size, dropped_text)
    body = without_line_numbers(body, dropped_text)
    body = without_contents(without_margins(body, dropped_text), dropped_text)
    body = [replace(page, lines=in_reading_order(page.lines)) for page in body]
    body_size = _body_size(line for page in body for line in page.lines)
    body, notes = without_footnotes(body, body_size)
    lines = [line for page in body for line in with_rows(page.lines)]
    words = WordStatistics([*lines, *(line for note in notes for line in note.lines)])
    paragraphs = paragraphs_of(typed_after_paragraphs(lines))
    title = _title_of(paragraphs, body_size, pages)
    found: list[tuple[BlockKind, Sequence[PdfLine]]] = []
    for before, paragraph in pairwise([None, *paragraphs]):
        if paragraph is None:
            continue
        while notes and notes[0].page < paragraph.lines[0].page:
            found.append((BlockKind.FOOTNOTE, notes.pop(0).lines))
        kind = BlockKind.TITLE if paragraph is title else _kind(paragraph, before, body_size)
        found.append((kind, paragraph.lines))
    numbered = len(found)
    found += ((BlockKind.FOOTNOTE, note.lines) for note in notes)
    pieces = _clean_pieces(found, words, pages)
    pieces = [*_with_numbered_lists(pieces[:numbered]), *pieces[numbered:]]
    return pieces, clean(joined_text(title.lines, words).text) if title else None


def _clean_pieces(
    found: Sequence[tuple[BlockKind, Sequence[PdfLine]]], words: WordStatistics, pages: Sequence[PdfPage]
) -> list[Piece]:
    """Return the lines of each piece as clean text, without a bullet."""
    joined = [joined_text(lines, words) for _kind, lines in found]
    places = places_of(joined, pages)
    pieces = []
    for (kind, lines), text, (numbers, boxes) in zip(found, joined, places, strict=True):
        begin = bullet_length(text.text) if kind is BlockKind.LIST_ITEM else 0
        at = CharacterBoxes(numbers[begin:], boxes[begin:])
        pieces.append(clean_piece(Piece(kind, text.text[begin:], lines[0].page, at)))
    return pieces


def _body_size(lines: Iterable[PdfLine]) -> float:
    """Return the font size of the median character."""
    return weighted_median((line.size, len(line.text)) for line in lines)


def _with_numbered_lists(pieces: Sequence[Piece]) -> list[Piece]:
    """Make consecutive paragraphs with consecutive numbers list items."""
    matches = [_NUMBER.match(piece.text) if piece.kind is BlockKind.PARAGRAPH else None for piece in pieces]
    numbers = [int(match[1]) if match else -2 for match in matches]
    items: set[int] = set()
    for place, (number, following) in enumerate(pairwise(numbers)):
        if number >= 0 and following == number + 1:
            items.update((place, place + 1))
    return [
        replace(piece, kind=BlockKind.LIST_ITEM) if place in items else piece
        for place, piece in enumerate(pieces)
    ]


def _kind(paragraph: PdfParagraph, before: PdfParagraph | None, body_size: float) -> BlockKind:
    first = paragraph.lines[0]
    if first.row:
        return BlockKind.TABLE_ROW
    if bullet_length(first.text):
        return BlockKind.LIST_ITEM
    is_emphasised = paragraph.size > _LARGER * body_size or all(line.bold for line in paragraph.lines)
    if _is_quotation(paragraph, before):
        return BlockKind.QUOTATION
    is_short = looks_like_title("".join(line.text for line in paragraph.lines))
    return BlockKind.HEADING if is_emphasised and is_short else BlockKind.PARAGRAPH


def _is_quotation(paragraph: PdfParagraph, before: PdfParagraph | None) -> bool:
    """Return whether several lines are indented on both sides, after a full-width paragraph."""
    column, lines = paragraph.column, paragraph.lines
    if before is None or column is None or before.column is not column or len(lines) < 3:
        return False
    inset = _BLOCK_INDENT * paragraph.size
    full = before.lines[:-1]
    return (
        len(full) > 0
        and min(line.x0 for line in full) < column.left + inset / 2
        and max(line.x1 for line in full) > column.right - inset / 2
        and min(line.x0 for line in lines) > column.left + inset
        and max(line.x1 for line in lines) < column.right - inset
        and min(line.x1 for line in lines[:-1]) > max(line.x1 for line in lines) - 2 * inset
    )


def _title_of(
    paragraphs: Sequence[PdfParagraph], body_size: float, pages: Sequence[PdfPage]
) -> PdfParagraph | None:
    """Return the largest paragraph of the first page that may be a title and is not repeated (watermarks)."""
    first = [p for p in paragraphs if p.lines[0].page == 1 and len(p.lines) <= 4 and not p.lines[0].row]
    repeated = repeated_among({line.text for p in first for line in p.lines}, pages)
    candidates = [p for p in first if not any(line.text in repeated for line in p.lines)]
    candidates = [p for p in candidates if not is_never_title(" ".join(line.text for line in p.lines))]
    if not candidates:
        return None
    largest = max(candidates, key=lambda p: p.size)
    if largest.size > _LARGER * body_size:
        return largest
    opening = paragraphs[0]
    alone = opening in candidates and len(opening.lines) == 1 and len(paragraphs) > 1
    return opening if alone and looks_like_title(opening.lines[0].text) else None

"""Table rows of a page: several rows of cells side by side with aligned positions."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from simcompare.loading.formats.pdf.pdf_lines import PdfLine

# A cell with more lines is a text column.
_MAX_LINES_IN_CELL = 8
_MARK = re.compile(r"[•●■▪◦‣∙○□◆◇➢*–\uf0b7]|[\[(（]?[\dA-Za-z一二三四五六七八九十]{1,3}[\])）.、]")
# Shares of the font size.
_SAME_TOP = 0.6
_SAME_PLACE = 0.5


@dataclass(slots=True)
class _TableCell:
    lines: list[PdfLine]

    @property
    def x0(self) -> float:
        return min(line.x0 for line in self.lines)

    @property
    def x1(self) -> float:
        return max(line.x1 for line in self.lines)


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
    for table in _tables(_rows(lines)):
        for row in table:
            if len(table) > 1:
                number += 1
                found += row.numbered(number)
            else:
                found += row.whole_lines
    return found


def _rows(lines: Iterable[PdfLine]) -> Iterator[_TableRow]:
    """Yield rows of cells: parts of a line, and groups of lines below each other."""
    row = _TableRow()
    for line in lines:
        parts = _parts(line)
        if row.cells and len(parts) == 1 and _continues(row.cells[-1].lines[-1], line):
            row.cells[-1].lines.append(line)
        else:
            if row.cells and not _is_beside(row.cells[-1], parts[0]):
                yield row
                row = _TableRow()
            row.cells += (_TableCell([part]) for part in parts)
        row.whole_lines.append(line)
    if row.cells:
        yield row


def _parts(line: PdfLine) -> list[PdfLine]:
    """Cut a line at its wide gaps, except the gap after a list marker."""
    if not line.gaps:
        return [line]
    parts = line.parts()
    if len(parts) > 1 and _MARK.fullmatch(parts[0].text):
        return replace(line, gaps=line.gaps[1:]).parts()
    return parts


def _continues(before: PdfLine, line: PdfLine) -> bool:
    below = 0 < before.y0 - line.y0 < 2 * max(line.size, before.size)
    return below and _aligned(before, line)


def _aligned(item: PdfLine | _TableCell, other: PdfLine | _TableCell) -> bool:
    first = item if isinstance(item, PdfLine) else item.lines[0]
    near = _SAME_PLACE * first.size
    middles = (item.x0 + item.x1) / 2 - (other.x0 + other.x1) / 2
    return abs(item.x0 - other.x0) < near or abs(item.x1 - other.x1) < near or abs(middles) < near


def _is_beside(cell: _TableCell, line: PdfLine) -> bool:
    first = cell.lines[0]
    level = abs(first.y0 - line.y0) < _SAME_TOP * max(first.size, line.size)
    return level and line.x0 > cell.x1 and len(cell.lines) <= _MAX_LINES_IN_CELL


def _tables(rows: Iterable[_TableRow]) -> Iterator[list[_TableRow]]:
    """Yield runs of rows with aligned cells; every other row alone."""
    table: list[_TableRow] = []
    for row in rows:
        if table and not _fits(table[-1], row):
            yield table
            table = []
        table.append(row)
    if table:
        yield table


def _fits(before: _TableRow, row: _TableRow) -> bool:
    """Return whether each cell of the row with fewer, at least two, is aligned with one of the other."""
    fewer, more = sorted((before.cells, row.cells), key=len)
    return len(fewer) > 1 and all(any(_aligned(item, other) for other in more) for item in fewer)

"""Table of pairs as an Excel workbook, with documents and settings on separate sheets."""

import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC
from functools import lru_cache
from io import BytesIO
from typing import Any

import xlsxwriter

from simcompare import __version__
from simcompare.cohort.cohort_data import Cohort
from simcompare.model.errors import SimcompareError
from simcompare.report.cohort.cohort_rows import (
    CohortDocumentRow,
    ColumnKind,
    Figure,
    columns_of,
    document_rows,
    facts_of,
    meanings_of,
    rows_of,
)
from simcompare.report.csv_text import cut_to_cell, terminal_width
from simcompare.report.wording import decision_name, detailed
from simcompare.session.decisions import Decision
from simcompare.support.i18n import N_, _

Column = tuple[str, ColumnKind]
Cells = Sequence[str | Figure]

MOST_PAIRS = 1_048_575
"""Rows of an Excel sheet, without the header."""
_ACCENT, _HEAD, _BAR, _DANGER = "#2D5B8F", "#E7EEF7", "#B9CFE8", "#B42335"
_CELL_FORMATS: Mapping[ColumnKind, dict[str, Any]] = {
    ColumnKind.TEXT: {"text_wrap": True, "align": "left", "indent": 1},
    ColumnKind.LONG_TEXT: {"text_wrap": True, "align": "left", "indent": 1},
    ColumnKind.DIGEST: {"align": "left", "indent": 1, "font_name": "Consolas", "font_size": 9},
    ColumnKind.PERCENTAGE: {"num_format": "0.0%"},
    ColumnKind.COUNT: {"num_format": "#,##0"},
}
_NARROWEST, _WIDEST, _LONG_TEXT, _FIGURE = 10, 34, 44, 13
"""Widths in digits; a Chinese character takes two."""
_LINE_POINTS, _MOST_POINTS = 15, 409
_BARS = {
    "type": "data_bar",
    "bar_solid": True,
    "bar_color": _BAR,
    "bar_border_color": _BAR,
    "min_type": "num",
    "max_type": "num",
    "min_value": 0,
    "max_value": 1,
}
_TITLE = {"bold": True, "text_wrap": True, "valign": "top", "bg_color": _HEAD, "font_color": _ACCENT}
_FIGURES = frozenset({ColumnKind.PERCENTAGE, ColumnKind.COUNT})
_DIGEST = 66
_SHARE_COLUMNS = (2, 3)
"""Columns with a data bar: the shares after exclusions, which the index page and the window emphasise too."""
_DECISION_COLUMN = 12
_A4 = 9


class WorkbookFullError(SimcompareError):
    """There are more pairs than a sheet has rows, as with 1,449 documents. Values: count, most."""

    template = N_(
        "A workbook can hold {most} pairs, but there are {count}. Save them as CSV, or choose fewer pairs."
    )


def pairs_as_xlsx(cohort: Cohort) -> bytes:
    """Return the workbook. A text stays text, whatever it starts with; one too long for a cell ends in "…".

    Raises WorkbookFullError.
    """
    if len(cohort.pairs) > MOST_PAIRS:
        raise WorkbookFullError(count=f"{len(cohort.pairs):,}", most=f"{MOST_PAIRS:,}")
    file = BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        created = cohort.made_at.astimezone(UTC).replace(tzinfo=None)
        book.set_properties({"author": f"simcompare {__version__}", "created": created})
        _add_pairs(book, cohort)
        _add_documents(book, cohort)
        _add_facts(book, cohort)
    return file.getvalue()


def _add_pairs(book: Any, cohort: Cohort) -> None:
    rows = rows_of(cohort)
    columns = columns_of(rows)
    sheet = _add_table(book, _("Pairs"), columns, [row.cells[: len(columns)] for row in rows])
    sheet.freeze_panes(1, 2)
    for column in _SHARE_COLUMNS:
        sheet.conditional_format(1, column, max(len(rows), 1), column, _BARS)
    copied = {
        "type": "cell",
        "criteria": "==",
        "value": f'"{decision_name(Decision.COPIED)}"',
        "format": book.add_format({"font_color": _DANGER, "bold": True}),
    }
    sheet.conditional_format(1, _DECISION_COLUMN, max(len(rows), 1), _DECISION_COLUMN, copied)


def _add_documents(book: Any, cohort: Cohort) -> None:
    columns = (
        (_("Document"), ColumnKind.TEXT),
        (_("Characters or words"), ColumnKind.COUNT),
        (_("Sentences"), ColumnKind.COUNT),
        (detailed(_("Size"), _("bytes")), ColumnKind.COUNT),
        (_("SHA-256"), ColumnKind.DIGEST),
        (_("To be checked"), ColumnKind.LONG_TEXT),
    )
    sheet = _add_table(book, _("Documents"), columns, map(_document, document_rows(cohort)))
    sheet.freeze_panes(1, 1)


def _document(row: CohortDocumentRow) -> Cells:
    return row.name, row.units, row.sentences, row.size_bytes, row.sha256, row.problems


def _add_facts(book: Any, cohort: Cohort) -> None:
    sheet = book.add_worksheet(_("Settings"))
    sheet.hide_gridlines(2)
    name = book.add_format({"bold": True, "valign": "top"})
    fact = book.add_format({"text_wrap": True, "valign": "top"})
    facts = [*facts_of(cohort), ("", ""), *meanings_of(cohort)]
    widths = _width([text for text, _fact in facts]), 2 * _LONG_TEXT
    for column, width in enumerate(widths):
        sheet.set_column(column, column, width)
    for row, (text, value) in enumerate(facts):
        sheet.set_row(row, _height((text, value), widths))
        if text:
            sheet.write_string(row, 0, text, name)
            sheet.write_string(row, 1, value, fact)
    _set_up_printing(sheet)


def _add_table(book: Any, name: str, columns: Sequence[Column], rows: Iterable[Cells]) -> Any:
    """Add a sheet with a frozen header row, filters and fitted column widths."""
    sheet, lines = book.add_worksheet(name), list(rows)
    widths = [
        _column_width(title, kind, [line[number] for line in lines])
        for number, (title, kind) in enumerate(columns)
    ]
    for number, ((title, kind), width) in enumerate(zip(columns, widths, strict=True)):
        sheet.set_column(number, number, width, book.add_format(_CELL_FORMATS[kind] | {"valign": "top"}))
        at = {"align": "right"} if kind in _FIGURES else {"align": "left", "indent": 1}
        sheet.write_string(0, number, title, book.add_format(_TITLE | at))
    # leave space for the filter button
    sheet.set_row(0, _height([title for title, _kind in columns], [width - 3 for width in widths]))
    for row, line in enumerate(lines, start=1):
        sheet.set_row(row, _height(line, widths))
        for number, (cell, (_title, kind)) in enumerate(zip(line, columns, strict=True)):
            _write(sheet, row, number, cell, kind)
    sheet.autofilter(0, 0, max(len(lines), 1), len(columns) - 1)
    _set_up_printing(sheet)
    sheet.repeat_rows(0)
    return sheet


def _write(sheet: Any, row: int, column: int, cell: str | Figure, kind: ColumnKind) -> None:
    if isinstance(cell, str):
        if cell:
            sheet.write_string(row, column, cut_to_cell(cell))
    elif cell is not None:
        sheet.write_number(row, column, cell / 100 if kind is ColumnKind.PERCENTAGE else cell)


def _column_width(title: str, kind: ColumnKind, cells: Sequence[str | Figure]) -> int:
    if kind in _FIGURES:
        return _FIGURE
    if kind is ColumnKind.LONG_TEXT:
        return _LONG_TEXT
    width = _width([title, *(cell for cell in cells if isinstance(cell, str))])
    return width if kind is ColumnKind.TEXT else _DIGEST


def _width(texts: Sequence[str]) -> int:
    return min(max(*map(terminal_width, texts), _NARROWEST) + 2, _WIDEST)


def _height(cells: Cells, widths: Sequence[int]) -> int:
    """Return the height of a row with its texts wrapped, as not every program computes it."""
    lines = max(map(_lines, map(_as_text, cells), widths))
    return min(lines * _LINE_POINTS, _MOST_POINTS)


@lru_cache(maxsize=4096)  # names of documents are repeated in many rows
def _lines(text: str, width: int) -> int:
    return sum(max(1, math.ceil(terminal_width(line) / width)) for line in text.splitlines() or [""])


def _as_text(cell: str | Figure) -> str:
    return cell if isinstance(cell, str) else ""


def _set_up_printing(sheet: Any) -> None:
    sheet.set_paper(_A4)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.set_footer("&L&A&R&P / &N")

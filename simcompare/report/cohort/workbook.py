"""Table of pairs as an Excel workbook, with documents and settings on separate sheets."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from io import BytesIO
from typing import Any

from simcompare import __version__
from simcompare.cohort.cohort_scoring import Cohort
from simcompare.model.errors import SimcompareError
from simcompare.report.cohort.cohort_rows import (
    CohortDocumentRow,
    ColumnKind,
    Field,
    Number,
    document_rows,
    facts_of,
    filled,
    meanings_of,
    table_of,
)
from simcompare.report.pair_tables import cut_to_cell, terminal_width
from simcompare.report.wording import decision_name, detailed
from simcompare.session.decisions import Decision
from simcompare.support.i18n import N_, _

Column = tuple[str, ColumnKind]
Cells = Sequence[str | Number]

MOST_PAIRS = 1_048_575
"""Rows of an Excel sheet, without the header."""
LONG_TEXT_DIGITS = 44
"""Width of a column in digits; a Chinese character takes two."""
_ACCENT, _HEAD, _BAR, _DANGER = "#2D5B8F", "#E7EEF7", "#B9CFE8", "#B42335"
_CELL_FORMATS: Mapping[ColumnKind, dict[str, Any]] = {
    ColumnKind.TEXT: {"text_wrap": True, "align": "left", "indent": 1},
    ColumnKind.LONG_TEXT: {"text_wrap": True, "align": "left", "indent": 1},
    ColumnKind.DIGEST: {"align": "left", "indent": 1, "font_name": "Consolas", "font_size": 9},
    # as `percent` writes shares, but for 99.5 to 99.9%; a format has no more than two conditions
    ColumnKind.PERCENTAGE: {"num_format": "[<0.0995]0.0%;[<0.995]0%;0.0%"},
    ColumnKind.COUNT: {"num_format": "#,##0"},
}
_WHOLE = {"num_format": "0%", "valign": "top"}
"""Format of 100%."""
_NARROWEST, _WIDEST, _FIGURE = 10, 34, 13
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
_A4 = 9


class WorkbookFullError(SimcompareError):
    template = N_(
        "A workbook can hold {most} pairs, but there are {count}. Save them as CSV, or choose fewer pairs."
    )


def workbook(made_at: datetime, fill: Callable[[Any], object]) -> bytes:
    """Return a workbook with the sheets that `fill` adds; its creation time is `made_at`."""
    import xlsxwriter  # noqa: PLC0415 - the window needs none

    file = BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        created = made_at.astimezone(UTC).replace(tzinfo=None)
        book.set_properties({"author": f"simcompare {__version__}", "created": created})
        fill(book)
    return file.getvalue()


def add_table(
    book: Any,
    name: str,
    columns: Sequence[Column],
    rows: Iterable[Cells],
    frozen_columns: int = 1,
    bar_columns: Iterable[int] = (),
    decision_column: int | None = None,
) -> None:
    """Add a sheet with a frozen header row and columns, filters and fitted column widths.

    A text stays text, whatever it starts with; one too long for a cell ends in "…". bar_columns: shares shown
    as data bars; decision_column: "copied" in it is emphasised.
    """
    sheet, lines = book.add_worksheet(name), list(rows)
    last = max(len(lines), 1)
    widths = [
        _column_width(title, kind, [line[number] for line in lines])
        for number, (title, kind) in enumerate(columns)
    ]
    for number, ((title, kind), width) in enumerate(zip(columns, widths, strict=True)):
        sheet.set_column(number, number, width, book.add_format(_CELL_FORMATS[kind] | {"valign": "top"}))
        at = {"align": "right"} if kind in _FIGURES else {"align": "left", "indent": 1}
        sheet.write_string(0, number, title, book.add_format(_TITLE | at))
    # leave space for the filter button
    sheet.set_row(0, row_height([title for title, _kind in columns], [width - 3 for width in widths]))
    whole = book.add_format(_WHOLE)
    for row, line in enumerate(lines, start=1):
        sheet.set_row(row, row_height(line, widths))
        for number, (cell, (_title, kind)) in enumerate(zip(line, columns, strict=True)):
            _write(sheet, row, number, cell, kind, whole)
    sheet.freeze_panes(1, frozen_columns)
    sheet.autofilter(0, 0, last, len(columns) - 1)
    # numbers of students are texts, as they may start with zeros
    sheet.ignore_errors({"number_stored_as_text": f"A1:XFD{last + 1}"})
    for column in bar_columns:
        sheet.conditional_format(1, column, last, column, _BARS)
    if decision_column is not None:
        copied = {
            "type": "cell",
            "criteria": "==",
            "value": f'"{decision_name(Decision.COPIED)}"',
            "format": book.add_format({"font_color": _DANGER, "bold": True}),
        }
        sheet.conditional_format(1, decision_column, last, decision_column, copied)
    set_up_printing(sheet)
    sheet.repeat_rows(0)


def _write(sheet: Any, row: int, column: int, cell: str | Number, kind: ColumnKind, whole: Any) -> None:
    if isinstance(cell, str):
        if cell:
            sheet.write_string(row, column, cut_to_cell(cell))
    elif cell is not None:
        is_share = kind is ColumnKind.PERCENTAGE
        own_format = whole if is_share and cell == 1 else None  # otherwise that of the column
        sheet.write_number(row, column, _distinct(cell) if is_share else cell, own_format)


def _distinct(share: float) -> float:
    """Keep a share apart from 0 and 100% unless it is exactly that."""
    return min(max(share, 0.001), 0.999) if 0 < share < 1 else share


def _column_width(title: str, kind: ColumnKind, cells: Sequence[str | Number]) -> int:
    if kind in _FIGURES:
        return _FIGURE
    if kind is ColumnKind.LONG_TEXT:
        return LONG_TEXT_DIGITS
    width = text_width([title, *(cell for cell in cells if isinstance(cell, str))])
    return width if kind is ColumnKind.TEXT else _DIGEST


def text_width(texts: Sequence[str]) -> int:
    """Return the width in digits of a column for texts, within limits."""
    return min(max(*map(terminal_width, texts), _NARROWEST) + 2, _WIDEST)


def row_height(cells: Cells, widths: Sequence[int]) -> int:
    """Return the height in points of a row with its texts wrapped, as not every program computes it."""
    lines = max(map(_lines, (cell if isinstance(cell, str) else "" for cell in cells), widths))
    return min(lines * _LINE_POINTS, _MOST_POINTS)


@lru_cache(maxsize=4096)  # names of documents are repeated in many rows
def _lines(text: str, width: int) -> int:
    return sum(max(1, math.ceil(terminal_width(line) / width)) for line in text.splitlines() or [""])


def set_up_printing(sheet: Any) -> None:
    """Print a sheet on A4 pages of its width, with its name and page numbers."""
    sheet.set_paper(_A4)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.set_footer("&L&A&R&P / &N")


_SHARE_COLUMNS = (2, 3)
"""Columns with a data bar: the shares that the index page and the window emphasise, too."""


def pairs_as_xlsx(cohort: Cohort) -> bytes:
    """Return the workbook. Raises WorkbookFullError."""

    def fill(book: Any) -> None:
        add_pair_sheet(book, *table_of(cohort))
        _add_documents(book, cohort)
        _add_facts(book, cohort)

    return workbook(cohort.made_at, fill)


def add_pair_sheet(book: Any, columns: Sequence[Column], lines: Sequence[Cells]) -> None:
    """Add the sheet of the pairs. Raises WorkbookFullError."""
    if len(lines) > MOST_PAIRS:
        raise WorkbookFullError(count=f"{len(lines):,}", most=f"{MOST_PAIRS:,}")
    decision_column = [title for title, _kind in columns].index(_("Decision"))
    add_table(book, _("Pairs"), columns, lines, 2, _SHARE_COLUMNS, decision_column)


def _add_documents(book: Any, cohort: Cohort) -> None:
    fields: list[Field[CohortDocumentRow]] = [
        (_("Document"), ColumnKind.TEXT, lambda row: row.name),
        (_("Characters or words"), ColumnKind.COUNT, lambda row: row.units),
        (_("Sentences"), ColumnKind.COUNT, lambda row: row.sentences),
        (detailed(_("Size"), _("bytes")), ColumnKind.COUNT, lambda row: row.size_bytes),
        (_("SHA-256"), ColumnKind.DIGEST, lambda row: row.sha256),
        (_("To be checked"), ColumnKind.LONG_TEXT, lambda row: row.problems),
    ]
    add_table(book, _("Documents"), *filled(fields, document_rows(cohort)))


def _add_facts(book: Any, cohort: Cohort) -> None:
    sheet = book.add_worksheet(_("Settings"))
    sheet.hide_gridlines(2)
    name = book.add_format({"bold": True, "valign": "top"})
    fact = book.add_format({"text_wrap": True, "valign": "top"})
    facts = [*facts_of(cohort), ("", ""), *meanings_of(cohort)]
    widths = text_width([text for text, _fact in facts]), 2 * LONG_TEXT_DIGITS
    for column, width in enumerate(widths):
        sheet.set_column(column, column, width)
    for row, (text, value) in enumerate(facts):
        sheet.set_row(row, row_height((text, value), widths))
        if text:
            sheet.write_string(row, 0, text, name)
            sheet.write_string(row, 1, value, fact)
    set_up_printing(sheet)

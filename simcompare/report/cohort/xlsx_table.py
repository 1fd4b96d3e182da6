"""Table of pairs as an Excel workbook, with documents and settings on separate sheets."""

from collections.abc import Sequence
from typing import Any

from simcompare.cohort.cohort_data import Cohort
from simcompare.report.cohort.cohort_rows import (
    CohortDocumentRow,
    ColumnKind,
    document_rows,
    facts_of,
    meanings_of,
    rows_of,
    table_of,
)
from simcompare.report.cohort.xlsx_sheets import (
    LONG_TEXT_DIGITS,
    MOST_PAIRS,
    Cells,
    Column,
    WorkbookFullError,
    add_table,
    row_height,
    set_up_printing,
    text_width,
    workbook,
)
from simcompare.report.wording import detailed
from simcompare.support.i18n import _

_SHARE_COLUMNS = (2, 3)
"""Columns with a data bar: the shares that the index page and the window emphasise, too."""


def pairs_as_xlsx(cohort: Cohort) -> bytes:
    """Return the workbook. Raises WorkbookFullError."""

    def fill(book: Any) -> None:
        add_pair_sheet(book, *table_of(rows_of(cohort)))
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
    columns = (
        (_("Document"), ColumnKind.TEXT),
        (_("Characters or words"), ColumnKind.COUNT),
        (_("Sentences"), ColumnKind.COUNT),
        (detailed(_("Size"), _("bytes")), ColumnKind.COUNT),
        (_("SHA-256"), ColumnKind.DIGEST),
        (_("To be checked"), ColumnKind.LONG_TEXT),
    )
    add_table(book, _("Documents"), columns, map(_document, document_rows(cohort)))


def _document(row: CohortDocumentRow) -> Cells:
    return row.name, row.units, row.sentences, row.size_bytes, row.sha256, row.problems


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

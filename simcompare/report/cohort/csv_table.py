"""The table of pairs as CSV, for spreadsheets and for programs."""

import csv
import io

from simcompare.report.cohort.rows import Figure, Kind, columns_of, rows_of
from simcompare.report.cohort.values import Cohort
from simcompare.report.phrases import detailed

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# A spreadsheet takes a cell that begins so for a formula, also behind blanks and in full width; what a
# formula does, such as opening an address with the cells beside it, nobody is asked about.
_BEGINS_A_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
_KEPT_AS_TEXT = "'"


def pairs_as_csv(cohort: Cohort) -> bytes:
    """Return the table of pairs: UTF-8 with a byte order mark, commas, a line of titles, lines end in CR LF.

    Percentages are bare numbers with a point, 62.1; what is not known is empty. A text that a spreadsheet
    would take for a formula has an apostrophe before it.
    """
    rows = rows_of(cohort)
    columns = columns_of(rows)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([_title(*column) for column in columns])
    for row in rows:
        writer.writerow(list(map(_cell, row.cells[: len(columns)])))
    return _BYTE_ORDER_MARK + text.getvalue().encode("utf-8")


def _title(title: str, kind: Kind) -> str:
    return detailed(title, "%") if kind is Kind.PERCENTAGE else title


def _cell(value: str | Figure) -> str:
    if isinstance(value, str):
        return without_formula(value)
    return "" if value is None else f"{value:.1f}".removesuffix(".0")


def without_formula(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: an apostrophe stands before such a beginning."""
    return _KEPT_AS_TEXT + text if text.lstrip(" \u3000").startswith(_BEGINS_A_FORMULA) else text

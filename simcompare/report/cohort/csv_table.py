"""The table of pairs as CSV, for spreadsheets and for programs."""

from simcompare.report.cohort.rows import Figure, Kind, columns_of, rows_of
from simcompare.report.cohort.values import Cohort
from simcompare.report.csv_text import as_csv
from simcompare.report.phrases import detailed


def pairs_as_csv(cohort: Cohort) -> bytes:
    """Return the table of pairs with a line of titles, as `csv_text` writes tables.

    Percentages are bare numbers with a point, 62.1; what is not known is empty.
    """
    rows = rows_of(cohort)
    columns = columns_of(rows)
    head = [_title(*column) for column in columns]
    return as_csv([head, *(list(map(_cell, row.cells[: len(columns)])) for row in rows)])


def _title(title: str, kind: Kind) -> str:
    return detailed(title, "%") if kind is Kind.PERCENTAGE else title


def _cell(value: str | Figure) -> str | None:
    return value if value is None or isinstance(value, str) else f"{value:.1f}".removesuffix(".0")

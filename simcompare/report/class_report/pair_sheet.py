"""Table of the pairs of a checked class, as CSV and as a sheet: also whether a pair is unusual."""

from collections.abc import Sequence
from typing import Any

from simcompare.cohort.class_check import ClassCheck
from simcompare.cohort.cohort_data import CohortPair, larger_share
from simcompare.report.cohort.cohort_rows import ColumnKind, figure_name, rows_of, table_as_csv, table_of
from simcompare.report.cohort.xlsx_sheets import Cells, Column
from simcompare.report.cohort.xlsx_table import add_pair_sheet
from simcompare.report.wording import detailed
from simcompare.support.i18n import _
from simcompare.support.percentages import percent


def class_pairs_as_csv(check: ClassCheck, least: float = 0.0) -> bytes:
    """Return the pairs with at least the share `least` as CSV, as `pairs_as_csv` does."""
    return table_as_csv(*_table(check, least))


def add_class_pairs(book: Any, check: ClassCheck, least: float) -> None:
    """Add the sheet of the pairs with at least the share `least`. Raises WorkbookFullError."""
    add_pair_sheet(book, *_table(check, least))


def _table(check: ClassCheck, least: float) -> tuple[Sequence[Column], Sequence[Cells]]:
    cohort = check.above(least).cohort
    known, cells = table_of(rows_of(cohort))
    group, limit = figure_name("group"), percent(check.limit)
    titled = [
        (
            detailed(title, _("links of {limit} or more").format(limit=limit)) if title == group else title,
            kind,
        )
        for title, kind in known
    ]
    at = [title for title, _kind in known].index(figure_name("left_in_right"))
    columns = [*titled[:at], *_added_columns(check), *titled[at:]]
    lines = [
        [*row[:at], *_added_cells(check, pair), *row[at:]]
        for row, pair in zip(cells, cohort.pairs, strict=True)
    ]
    return columns, lines


def _added_columns(check: ClassCheck) -> Sequence[Column]:
    limit = percent(check.limit)
    unusual = detailed(_("Unusual"), _("{limit} or more").format(limit=limit))
    return (unusual, ColumnKind.TEXT), (_("Times the usual share"), ColumnKind.COUNT)


def _added_cells(check: ClassCheck, pair: CohortPair) -> Cells:
    """Return whether a pair is unusual, and its share as a multiple of the usual one, to 0.1."""
    share = larger_share(pair)
    if share is None:
        return "", None
    return _("yes") if check.is_unusual(pair) else _("no"), round(check.shares.rarity(share).times_usual, 1)

"""The table of pairs as an Excel workbook, with the documents and the settings on sheets of their own."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC
from io import BytesIO
from typing import Any

import xlsxwriter

from simcompare import __version__
from simcompare.i18n import _
from simcompare.report.cohort.facts import DocumentRow, document_rows, facts_of
from simcompare.report.cohort.rows import Figure, Kind, columns_of, rows_of
from simcompare.report.cohort.values import Cohort
from simcompare.report.phrases import detailed
from simcompare.report.table import terminal_width
from simcompare.report.wording import decision_name
from simcompare.session.review import Decision

Column = tuple[str, Kind]
Cells = Sequence[str | Figure]

_MOST_CHARACTERS = 32_767
"""What a cell can hold."""
_ACCENT, _HEAD, _BAR, _DANGER = "#2D5B8F", "#E7EEF7", "#B9CFE8", "#B42335"
_LOOKS: Mapping[Kind, dict[str, Any]] = {
    Kind.TEXT: {"text_wrap": True},
    Kind.LONG_TEXT: {"text_wrap": True},
    Kind.PERCENTAGE: {"num_format": "0.0%"},
    Kind.COUNT: {"num_format": "#,##0"},
}
_NARROWEST, _WIDEST, _LONG_TEXT, _FIGURE = 10, 44, 60, 13
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
_NET_COLUMNS = (3, 5)
_DECISION_COLUMN = 9
_A4 = 9


def pairs_as_xlsx(cohort: Cohort) -> bytes:
    """Return the workbook. Every text is kept as text, whatever it begins with.

    Raises nothing for what a cell cannot hold: a text of more than 32,767 characters ends in "…".
    """
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
    for column in _NET_COLUMNS:
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
        (_("Document"), Kind.TEXT),
        (_("Characters or words"), Kind.COUNT),
        (_("Sentences"), Kind.COUNT),
        (detailed(_("Size"), _("bytes")), Kind.COUNT),
        (_("SHA-256"), Kind.TEXT),
        (_("To be checked"), Kind.LONG_TEXT),
    )
    sheet = _add_table(book, _("Documents"), columns, map(_document, document_rows(cohort)))
    sheet.freeze_panes(1, 1)


def _document(row: DocumentRow) -> Cells:
    return row.name, row.units, row.sentences, row.size_bytes, row.sha256, row.problems


def _add_facts(book: Any, cohort: Cohort) -> None:
    sheet = book.add_worksheet(_("Settings"))
    sheet.hide_gridlines(2)
    name, fact = book.add_format({"bold": True, "valign": "top"}), book.add_format({"text_wrap": True})
    facts = list(facts_of(cohort))
    sheet.set_column(0, 0, _width([text for text, _fact in facts]))
    sheet.set_column(1, 1, _LONG_TEXT)
    for row, (text, value) in enumerate(facts):
        sheet.write_string(row, 0, text, name)
        sheet.write_string(row, 1, value, fact)


def _add_table(book: Any, name: str, columns: Sequence[Column], rows: Iterable[Cells]) -> Any:
    """Add a sheet with a line of titles that stays in sight, filters and columns that suit."""
    sheet, lines = book.add_worksheet(name), list(rows)
    head = book.add_format(
        {"bold": True, "text_wrap": True, "valign": "vcenter", "bg_color": _HEAD, "font_color": _ACCENT}
    )
    for number, (title, kind) in enumerate(columns):
        look = book.add_format(_LOOKS[kind] | {"valign": "top"})
        cells = [line[number] for line in lines]
        sheet.set_column(number, number, _column_width(title, kind, cells), look)
        sheet.write_string(0, number, title, head)
        for row, cell in enumerate(cells, start=1):
            _write(sheet, row, number, cell, kind)
    sheet.autofilter(0, 0, max(len(lines), 1), len(columns) - 1)
    _set_up_printing(sheet)
    return sheet


def _write(sheet: Any, row: int, column: int, cell: str | Figure, kind: Kind) -> None:
    if isinstance(cell, str):
        if cell:
            sheet.write_string(row, column, _fitting(cell))
    elif cell is not None:
        sheet.write_number(row, column, cell / 100 if kind is Kind.PERCENTAGE else cell)


def _fitting(text: str) -> str:
    return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + "…"


def _column_width(title: str, kind: Kind, cells: Sequence[str | Figure]) -> int:
    if kind in {Kind.PERCENTAGE, Kind.COUNT}:
        return _FIGURE
    width = _width([title, *(cell for cell in cells if isinstance(cell, str))])
    return max(width, _LONG_TEXT) if kind is Kind.LONG_TEXT else width


def _width(texts: Sequence[str]) -> int:
    return min(max(*map(terminal_width, texts), _NARROWEST) + 2, _WIDEST)


def _set_up_printing(sheet: Any) -> None:
    sheet.set_paper(_A4)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)
    sheet.set_footer("&L&A&R&P / &N")

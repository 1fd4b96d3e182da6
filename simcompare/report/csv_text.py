"""Tables as CSV, safe for spreadsheets, and as aligned columns for a terminal."""

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence

from simcompare.support.display_text import escape_invisible

Cell = str | float | int | None
"""Value of a cell; None for an empty one."""

# Spreadsheets run cells that start like this as formulas without asking, also after blanks and in full width;
# a formula can, for example, send neighbouring cells to a web address.
_FORMULA_STARTS = tuple("=+-@＝＋－＠")
_LEADING_CONTROLS = tuple("\t\r\n")
_TEXT_PREFIX = "'"
# Excel's limit; the rest of a longer text would spill into the next rows
_LONGEST_CELL = 32_767
_CUT = "…"


def as_csv(rows: Iterable[Sequence[Cell]]) -> bytes:
    """Encode a table as CSV: UTF-8 with a byte order mark, which Excel needs; commas; CR LF.

    Texts are made visible, safe (`without_formula`) and short enough for a cell; numbers are written as
    Python formats them.
    """
    table = io.BytesIO()
    # the codec writes the byte order mark; a StringIO would take four bytes a character
    text = io.TextIOWrapper(table, "utf-8-sig", newline="")
    csv.writer(text).writerows([_cell(value) for value in row] for row in rows)
    text.flush()
    return table.getvalue()


def _cell(value: Cell) -> Cell:
    if not isinstance(value, str):
        return value
    return cut_to_cell(without_formula(escape_invisible(value)))


def cut_to_cell(text: str) -> str:
    """Cut a text to the length of an Excel cell, with "…" at the end if it is longer."""
    return text if len(text) <= _LONGEST_CELL else text[: _LONGEST_CELL - len(_CUT)] + _CUT


def without_formula(text: str) -> str:
    """Prefix a text with an apostrophe if a spreadsheet would run it as a formula.

    As recommended against CWE-1236 and by OWASP (ASVS, "CSV and formula injection"). Excel shows the
    apostrophe.
    """
    acts = text.startswith(_LEADING_CONTROLS) or text.lstrip().startswith(_FORMULA_STARTS)
    return _TEXT_PREFIX + text if acts else text


_GAP = 3


def text_table(rows: Sequence[Sequence[str]]) -> str:
    """Align rows of cells in columns, the first column to the left, the others to the right.

    A Chinese character takes two columns of a terminal. There is no final line end.
    """
    widths = [max(map(terminal_width, column)) for column in zip(*rows, strict=True)]
    return "\n".join(_line(row, widths) for row in rows)


def terminal_width(text: str) -> int:
    """Return the width of a text in columns of a terminal."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def elided(text: str, width: int) -> str:
    """Shorten a text to at most `width` terminal columns, with "…" at the end."""
    if terminal_width(text) <= width:
        return text
    while terminal_width(text) > width - 1:
        text = text[:-1]
    return text + "…"


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    spaces = [" " * (width - terminal_width(cell)) for cell, width in zip(row, widths, strict=True)]
    cells = [row[0] + spaces[0], *(space + cell for cell, space in zip(row[1:], spaces[1:], strict=True))]
    return (" " * _GAP).join(cells).rstrip()

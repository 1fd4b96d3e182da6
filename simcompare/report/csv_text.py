"""Tables as CSV that Excel opens rightly and without harm, and that programs read."""

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence

from simcompare.support.display_text import escape_invisible

Cell = str | float | int | None
"""What a cell holds; None: it is empty."""

# A spreadsheet takes a cell that begins so for a formula, also behind blanks and in full width; what a
# formula does, such as opening an address with the cells beside it, nobody is asked about.
_BEGINS_A_FORMULA = tuple("=+-@＝＋－＠")
_BLANKS_THAT_ACT = tuple("\t\r\n")
_KEPT_AS_TEXT = "'"
# what a cell of Excel takes; the rest of a longer one would spill into the next rows
_LONGEST_CELL = 32_767
_CUT = "…"


def as_csv(rows: Iterable[Sequence[Cell]]) -> bytes:
    """Return a table: UTF-8 with a byte order mark, by which Excel knows it; commas; lines end in CR LF.

    Texts are made visible, safe (`without_formula`) and short enough for a cell; numbers stand as Python
    writes them.
    """
    table = io.BytesIO()
    # the mark is written by the codec; a StringIO would take four bytes for each character
    text = io.TextIOWrapper(table, "utf-8-sig", newline="")
    csv.writer(text).writerows([_cell(value) for value in row] for row in rows)
    text.flush()
    return table.getvalue()


def _cell(value: Cell) -> Cell:
    if not isinstance(value, str):
        return value
    return cut_to_cell(without_formula(escape_invisible(value)))


def cut_to_cell(text: str) -> str:
    """Return a text that a cell of Excel takes; one that is too long ends in "…"."""
    return text if len(text) <= _LONGEST_CELL else text[: _LONGEST_CELL - len(_CUT)] + _CUT


def without_formula(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: an apostrophe stands before such a beginning.

    That is what CWE-1236 and OWASP (ASVS, "CSV and formula injection") ask for. Excel shows the apostrophe.
    """
    acts = text.startswith(_BLANKS_THAT_ACT) or text.lstrip().startswith(_BEGINS_A_FORMULA)
    return _KEPT_AS_TEXT + text if acts else text


_GAP = 3


def text_table(rows: Sequence[Sequence[str]]) -> str:
    """Set rows of cells in columns, the first one to the left, all others to the right.

    A Chinese character takes two places of a terminal. Ends without a line end.
    """
    widths = [max(map(terminal_width, column)) for column in zip(*rows, strict=True)]
    return "\n".join(_line(row, widths) for row in rows)


def terminal_width(text: str) -> int:
    """Return the places that a terminal gives to `text`."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def elided(text: str, width: int) -> str:
    """Return `text`, shortened with "…" where it takes more places than `width`."""
    if terminal_width(text) <= width:
        return text
    while terminal_width(text) > width - 1:
        text = text[:-1]
    return text + "…"


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    spaces = [" " * (width - terminal_width(cell)) for cell, width in zip(row, widths, strict=True)]
    cells = [row[0] + spaces[0], *(space + cell for cell, space in zip(row[1:], spaces[1:], strict=True))]
    return (" " * _GAP).join(cells).rstrip()

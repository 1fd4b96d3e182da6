"""Tables of plain text, as a terminal shows them."""

import unicodedata
from collections.abc import Sequence

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

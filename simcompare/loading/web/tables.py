"""Telling the tables of a text from those that lay out a page."""

import math

from lxml import etree

from simcompare.document import BlockKind
from simcompare.loading.web.tags import BLOCKS, CELLS, KINDS, tag_of

# A cell with more blocks than this, or with a table or heading, lays out a page rather than a table.
_MOST_BLOCKS_IN_CELL = 3


def is_row_of_cells(row: etree._Element) -> bool:
    """Return whether a row of a table has several cells that hold no pages of their own."""
    cells = [cell for cell in row if tag_of(cell) in CELLS]
    return len(cells) > 1 and not any(_lays_out_a_page(cell) for cell in cells)


def _lays_out_a_page(cell: etree._Element) -> bool:
    most_blocks = math.inf if _is_ruled(cell) else _MOST_BLOCKS_IN_CELL
    blocks = 0
    for element in cell.iterdescendants():
        tag = tag_of(element)
        blocks += tag in BLOCKS
        if blocks > most_blocks or tag == "table" or KINDS.get(tag) is BlockKind.HEADING:
            return True
    return False


def _is_ruled(cell: etree._Element) -> bool:
    """Return whether a cell has lines around it, which the eye needs in a table and not in a layout."""
    if "solid" in (cell.get("style") or "").lower():
        return True
    table = next(cell.iterancestors("table"), None)
    return table is not None and (table.get("border") or "0") != "0"

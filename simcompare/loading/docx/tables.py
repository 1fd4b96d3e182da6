"""What a table and its style give to the text in its cells: colours, and the grounds they stand on."""

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from simcompare.loading.common.elements import attribute, child, local_name, properties_of, value_of
from simcompare.loading.common.ink import UNKNOWN, Hue, Ink, stacked
from simcompare.loading.docx.ink import ink_of, shading
from simcompare.loading.docx.styles import Styles

_SKIPPED = frozenset({"del", "moveFrom", "tblPr", "tblGrid", "trPr", "tcPr", "sdtPr", "tbl", "p"})
# What a cell of a table proper holds at most; more, and the table lays out a page.
_MOST_BLOCKS_IN_CELL = 3
_LOOK_BITS = {"firstRow": 0x20, "lastRow": 0x40, "firstColumn": 0x80, "lastColumn": 0x100}
_TYPES = {"firstRow": "firstRow", "lastRow": "lastRow", "firstCol": "firstColumn", "lastCol": "lastColumn"}


@dataclass(frozen=True, slots=True)
class CellLook:
    """The look that a cell gives its text; `ground` is None where what is behind the table shines through."""

    ink: Ink
    ground: Hue | None


class TableLook:
    """The look of the cells of one table."""

    def __init__(self, table: etree._Element, styles: Styles) -> None:
        properties = child(table, "tblPr")
        chain = styles.chain(value_of(properties, "tblStyle"))
        self._conditions = [
            (attribute(part, "type") or "", part)
            for style in chain
            for part in style
            if local_name(part) == "tblStylePr"
        ]
        self._look = child(properties, "tblLook")
        self._ink = stacked([ink_of(properties_of(style, "rPr")) for style in chain])
        grounds = [shading(properties_of(table, "tblPr"))]
        grounds += [shading(properties_of(style, name)) for style in chain for name in ("tcPr", "tblPr")]
        self._ground = next((ground for ground in grounds if ground is not None), None)

    def cell(self, cell: etree._Element, places: frozenset[str]) -> CellLook:
        """Return the look of a cell; `places` says whether it stands in a first or last row or column."""
        held = [part for kind, part in self._conditions if self._holds(kind, places)]
        ink = stacked([*(ink_of(properties_of(part, "rPr")) for part in held), self._ink])
        own = shading(properties_of(cell, "tcPr"))
        if own is not None:
            return CellLook(ink, own)
        grounds = {ground for part in held if (ground := shading(properties_of(part, "tcPr"))) is not None}
        if any(kind.startswith("band") and shading(properties_of(p, "tcPr")) for kind, p in self._conditions):
            # Which band a row belongs to is not worked out: it may be a dark one.
            grounds.add(UNKNOWN)
        if grounds:
            return CellLook(ink, grounds.pop() if len(grounds) == 1 else UNKNOWN)
        return CellLook(ink, self._ground)

    def _holds(self, kind: str, places: frozenset[str]) -> bool:
        """Return whether a part of the style holds for a cell there and is not switched off."""
        if kind == "wholeTable":
            return True
        return kind in places and self._is_switched_on(_TYPES.get(kind, kind))

    def _is_switched_on(self, name: str) -> bool:
        switch = attribute(self._look, name)
        if switch is not None:
            return switch not in {"0", "false", "off"}
        bits = attribute(self._look, "val")
        try:
            return bits is None or bool(int(bits, 16) & _LOOK_BITS.get(name, -1))
        except ValueError:
            return True


def nearest(parent: etree._Element, name: str) -> Iterator[etree._Element]:
    """Yield the rows of a table, the cells of a row: within content controls too, not within inner tables."""
    for element in parent:
        if local_name(element) == name:
            yield element
        elif local_name(element) not in _SKIPPED:
            yield from nearest(element, name)


def places_of(row: int, rows: int, column: int, columns: int) -> frozenset[str]:
    """Return which edges of a table a cell stands at, in the words of table styles."""
    edges = {"firstRow": row == 0, "lastRow": row == rows - 1, "firstCol": column == 0}
    edges["lastCol"] = column == columns - 1
    return frozenset(name for name, is_there in edges.items() if is_there)


def lays_out_a_page(cell: etree._Element) -> bool:
    """Return whether a cell holds a part of the text rather than an entry of a table."""
    paragraphs = 0
    for element in cell.iter("{*}p", "{*}tbl"):
        if local_name(element) == "tbl":
            return True
        paragraphs += any(text.text for text in element.iter("{*}t"))
    return paragraphs > _MOST_BLOCKS_IN_CELL

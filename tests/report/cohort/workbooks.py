"""Read workbooks from their XML parts."""

import io
import zipfile

from lxml import etree

SPACES = {"s": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}


class Workbook:
    """Cells of a workbook, read from its XML parts."""

    def __init__(self, data: bytes) -> None:
        self.parts = zipfile.ZipFile(io.BytesIO(data))
        strings = self.xml("xl/sharedStrings.xml")
        self.strings = ["".join(item.itertext()) for item in strings.iterfind("s:si", SPACES)]

    def xml(self, name: str) -> etree._Element:
        return etree.fromstring(self.parts.read(name))

    def cells(self, sheet: int) -> list[list[str | float]]:
        rows = self.xml(f"xl/worksheets/sheet{sheet}.xml").iterfind("s:sheetData/s:row", SPACES)
        return [[self._value(cell) for cell in row.iterfind("s:c", SPACES)] for row in rows]

    def _value(self, cell: etree._Element) -> str | float:
        value = cell.findtext("s:v", "", SPACES)
        return self.strings[int(value)] if cell.get("t") == "s" else float(value)

"""Rows of a table: a text file with any separator, or the first filled sheet of an Excel file (.xlsx)."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from lxml import etree

from simcompare.loading.archive import Archive, bytes_of
from simcompare.loading.formats.plain.encodings import decode
from simcompare.loading.sniffing import sniff

_LARGEST_BYTES = 2_000_000
_SEPARATORS = re.compile("[\t;，；、,|]")
# "20250001 王伟华", and "王伟华 20250001"
_NUMBER_AND_REST = re.compile(r"(?P<number>[A-Za-z]{0,3}\d+)[.、)]?\s+(?P<rest>\D+)")
_REST_AND_NUMBER = re.compile(r"(?P<rest>\D+)\s(?P<number>[A-Za-z]{0,3}\d+)")
_CELL = re.compile(r"([A-Z]{1,3})[0-9]+")
_MOST_COLUMNS = 100


def table_rows(path: Path) -> list[tuple[int, list[str]]] | None:
    """Return the rows as (number from 1, stripped fields); None if the file is no table of at most 2 MB.

    Raises the errors of reading a file.
    """
    data = bytes_of(path)
    if len(data) > _LARGEST_BYTES:
        return None
    kind = sniff(data)
    if kind == "xlsx":
        return list(_sheet_rows(path, data))
    text = decode(data).text if kind in {"text", "html"} else "\0"
    if "\0" in text:
        return None
    return [(number, _fields(line)) for number, line in enumerate(text.splitlines(), start=1)]


def _fields(line: str) -> list[str]:
    """Split a line into fields; a separator in quotation marks does not split."""
    if '"' in line:
        rows = list(csv.reader(io.StringIO(line)))
        return [field.strip() for row in rows for field in row]
    fields = [field.strip() for field in _SEPARATORS.split(line)]
    if len(fields) == 1 and (match := _NUMBER_AND_REST.fullmatch(fields[0])):
        return [match["number"], match["rest"].strip()]
    if len(fields) == 1 and (match := _REST_AND_NUMBER.fullmatch(fields[0])):
        return [match["rest"].strip(), match["number"]]
    return fields


def _sheet_rows(path: Path, data: bytes) -> Iterator[tuple[int, list[str]]]:
    archive = Archive(path, data)
    try:
        shared = archive.parsed("xl/sharedStrings.xml")
        strings = [] if shared is None else ["".join(_texts(item)) for item in shared]
        for name in sorted(filter(_is_sheet, archive), key=lambda name: (len(name), name)):
            sheet = archive.parsed(name)
            rows = [] if sheet is None else [_cells(row, strings) for row in sheet.iter("{*}row")]
            if any(map(any, rows)):
                yield from enumerate(rows, start=1)
                return
    finally:
        archive.close()


def _is_sheet(name: str) -> bool:
    path = PurePosixPath(name.lower())
    return path.parent.name == "worksheets" and path.suffix == ".xml"


def _cells(row: etree._Element, strings: list[str]) -> list[str]:
    cells: list[str] = []
    for cell in row.iter("{*}c"):
        column = _column(cell.get("r") or "")
        if column is not None and column < _MOST_COLUMNS:
            # empty cells are left out of the file
            cells += [""] * (column - len(cells))
        cells.append(_value(cell, strings).strip())
    return cells


def _column(reference: str) -> int | None:
    """Return the column of a cell such as "C7", from 0."""
    match = _CELL.fullmatch(reference)
    if match is None:
        return None
    number = 0
    for letter in match[1]:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _value(cell: etree._Element, strings: list[str]) -> str:
    kind = cell.get("t")
    if kind == "inlineStr":
        return "".join(_texts(cell))
    value = next((element.text or "" for element in cell.iter("{*}v")), "")
    if kind == "s":
        return strings[int(value)] if value.isdigit() and int(value) < len(strings) else ""
    return _plain_number(value) if kind in {None, "n"} else value


def _plain_number(value: str) -> str:
    """Return "20250001" for "2.0250001E7"."""
    try:
        number = float(value)
    except ValueError:
        return value
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else value


def _texts(element: etree._Element) -> Iterator[str]:
    """Yield the texts of runs, without phonetic guides."""
    for text in element.iter("{*}t"):
        parent = text.getparent()
        if parent is None or etree.QName(parent).localname != "rPh":
            yield text.text or ""

"""Recognise and read a class roster: a text, CSV or Excel file with one student per line."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, zip_longest
from pathlib import Path, PurePosixPath

from lxml import etree

from simcompare.loading.archive import Archive, bytes_of
from simcompare.loading.formats.plain.encodings import decode
from simcompare.loading.sniffing import sniff
from simcompare.model.errors import FileError
from simcompare.pseudonyms.chinese_names import has_name_form, is_name_alone, readings_of
from simcompare.pseudonyms.latin_names import MOST_LATIN_WORDS, given_first, has_capital, name_words
from simcompare.pseudonyms.name_folding import folded, is_ordinary_word, listed_words
from simcompare.pseudonyms.students import Student
from simcompare.support.i18n import N_

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


class StudentListError(FileError):
    template = N_(
        "{name} cannot be used as a list of students: {cause}. "
        "Provide a text, CSV or Excel (.xlsx) file with one student per line: name, number, other "
        "spellings."
    )


class NamelessLineError(StudentListError):
    template = N_(
        "{name} cannot be used as a list of students: line {line} contains neither a name nor a number. "
        "Add a name, a number and other spellings, separated by commas, or remove the line."
    )


_NO_TEXT = N_("it is neither a text nor an Excel table")
_NO_STUDENTS = N_("it contains no students")
_MOST_TITLE_LINES = 3
_BLANKS_BETWEEN_HAN = re.compile(r"(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])")
_KINDS = "name", "first", "last", "number", "preferred", "other"
_HEADS_OF = {kind: {head.replace("_", " ") for head in listed_words(f"{kind}-heads")} for kind in _KINDS}
"""Headings by kind; preferred: a given name, before the surname of the student."""
_HEADS = frozenset[str]().union(*_HEADS_OF.values())
# values of other columns of a school's list
_NO_NAMES = frozenset({"男", "女", "male", "female", "m", "f", "boy", "girl", "男生", "女生"})
_CLASS = re.compile(
    r"(?:[初高大]?[一二三四五六七八九十\d]+(?:年级|级|班|组|届))+\W*|(?:class|grade|year)\s*\w+"
)
_SHORTEST_NUMBER_WITHOUT_HEAD = 3
_LIST_NAME = re.compile(r"名单|花名册|名册|roster|class.?list|student|participant|^list", re.IGNORECASE)
_SUFFIXES = frozenset({"", ".csv", ".tsv", ".txt", ".md", ".xlsx"})
_MOST_STUDENTS = 3000
_LONGEST_FIELD = 60
_FEWEST_LINES = 3
_FEWEST_NAMES = 5
_NEARLY_ALL = 0.9
_MOST = 0.8
_MOST_WITHOUT_MARKS = 0.3
_NUMBER = re.compile(r"[A-Za-z]{0,3}\d{1,20}")
_LATIN_WORD = re.compile("[A-Z][A-Za-z'-]*")
_MARK = re.compile(r"\d{1,3}(?:\.\d{1,2})?")


def read_students(path: Path) -> tuple[Student, ...]:
    """Read the students of a roster, in its order.

    A first line of headings (姓名, 学号, name, number …), below a title if there is one, assigns the
    columns. Without headings a field of at least three digits is a number, the first other field the name,
    and the rest other spellings, except for single letters and values that several lines share. Raises
    FileError: StudentListError if the file is not a roster, otherwise the errors of reading a file.
    """
    lines = _rows(path)
    if not lines:
        raise StudentListError(path, cause=_NO_STUDENTS)
    place = _place_of_heads(lines)
    if place is None:
        return _without_heads(path, lines)
    if len(lines) == place + 1:
        raise StudentListError(path, cause=_NO_STUDENTS)
    heads = _heads(lines[place][1])
    return tuple(_with_heads(path, number, heads, fields) for number, fields in lines[place + 1 :])


def _place_of_heads(lines: Sequence[tuple[int, Sequence[str]]]) -> int | None:
    """Return the index of the line of headings; only a title such as "三年级2班" may precede it."""
    for place, (_number, fields) in enumerate(lines[: _MOST_TITLE_LINES + 1]):
        filled = _heads(filter(None, fields))
        are_usual = not (_HEADS_OF["name"].isdisjoint(filled) or _HEADS_OF["number"].isdisjoint(filled))
        if are_usual or sum(head in _HEADS for head in filled) * 2 >= len(filled):
            return place
        if len(filled) > 1:
            return None
    return None


def _heads(fields: Iterable[str]) -> list[str]:
    """Return fields as headings: in lower case, without blanks between Chinese characters and a unit."""
    return [_BLANKS_BETWEEN_HAN.sub("", field.casefold()) for field in fields]


def is_roster(path: Path) -> bool:
    """Return whether a file is a class list and not an essay, a table of marks or another text.

    Nearly each line needs one name, and a number of its own or a place below headings; without these, at
    least five lines of names are needed, or a file named as a list with nothing but names. Marks rule a
    class list out. Never raises a FileError.
    """
    try:
        if path.suffix.lower() not in _SUFFIXES:
            return False
        rows = table_rows(path) or []
    except FileError:
        return False
    lines = [(number, fields) for number, fields in rows if any(fields)]
    if not 2 <= len(lines) <= _MOST_STUDENTS or any(
        len(field) > _LONGEST_FIELD for _line, fields in lines for field in fields
    ):
        return False
    place = _place_of_heads(lines)
    table = [fields for _line, fields in lines[0 if place is None else place + 1 :]]
    if _has_marks(table):
        return False
    if place is not None:
        return _are_below_heads(table, _heads(lines[place][1]))
    names = ["".join(_names_and_numbers(fields)[0][:1]) for fields in table]
    is_list = _LIST_NAME.search(path.stem) and all(_has_form_of_name(name, is_listed=True) for name in names)
    return bool(is_list) or _are_students(table, names)


def _are_below_heads(table: Sequence[Sequence[str]], heads: Sequence[str]) -> bool:
    """Return whether nearly each line has a name in the column of names."""
    named = _HEADS_OF["name"] | _HEADS_OF["first"] | _HEADS_OF["last"]
    columns = [n for n, head in enumerate(heads) if head in named]
    names = [fields[columns[0]] for fields in table if columns and columns[0] < len(fields)]
    count = sum(any(c.isalpha() for c in name) and not any(c.isdigit() for c in name) for name in names)
    is_of_several = len(columns) > 1 or any(h in _HEADS for n, h in enumerate(heads) if n not in columns)
    # names of ordinary words, such as Ann Fields, are among others
    are_most_names = sum(map(_has_form_of_name, names)) * 2 > len(table) >= _FEWEST_LINES
    return bool(table) and count >= _NEARLY_ALL * len(table) and (is_of_several or are_most_names)


def _are_students(table: Sequence[Sequence[str]], names: Sequence[str]) -> bool:
    """Return whether nearly each line has a name, and a number of its own, without headings."""
    if sum(map(_has_form_of_name, names)) < _NEARLY_ALL * len(table):
        return False
    if all(len(list(filter(None, fields))) == 1 for fields in table):
        alone = sum(name.isascii() or is_name_alone(folded(name).characters) for name in names)
        return len(table) >= _FEWEST_NAMES and alone >= _MOST * len(table) and len(set(names)) == len(names)
    # four digits or more, or else the number in the list
    numbers = [max(filter(_NUMBER.fullmatch, fields), key=len, default="") for fields in table]
    known = [number for number in numbers if number]
    is_distinct = len(set(known)) == len(known)
    return len(table) >= _FEWEST_LINES and len(known) >= _NEARLY_ALL * len(table) and is_distinct


def _has_form_of_name(name: str, *, is_listed: bool = False) -> bool:
    words = name_words(name) if name else []
    if name.isascii():
        is_written = 2 - is_listed <= len(words) <= MOST_LATIN_WORDS and all(map(has_capital, words))
        return is_written and (is_listed or not all(is_ordinary_word(word.casefold()) for word in words))
    return has_name_form(folded("".join(name.split())).characters) or (
        len(words) > 1 and all(word[0].isupper() for word in words)
    )


def _has_marks(table: Sequence[Sequence[str]]) -> bool:
    """Return whether a column has small numbers for most lines that do not just count the lines."""
    for column in zip_longest(*table, fillvalue=""):
        values = [float(value) for value in column if _MARK.fullmatch(value)]
        is_list = all(a < b for a, b in pairwise(values))
        if len(values) > _MOST_WITHOUT_MARKS * len(table) and not (is_list and len(values) > 1):
            return True
    return False


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    rows = table_rows(path)
    if rows is None:
        is_locked = sniff(bytes_of(path)) == "encrypted"
        raise StudentListError(path, cause=N_("it is protected by a password") if is_locked else _NO_TEXT)
    return [(number, fields) for number, fields in rows if any(fields)]


def _with_heads(path: Path, line: int, heads: Sequence[str], fields: Sequence[str]) -> Student:
    by_kind: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    for head, field in zip(heads, fields, strict=False):
        kind = next((kind for kind, known in _HEADS_OF.items() if head in known), None)
        if kind is not None and field:
            by_kind[kind].append(field)
    first, last, preferred = by_kind["first"], by_kind["last"], by_kind["preferred"]
    both = " ".join([*first, *last]) if "".join(first).isascii() else "".join([*last, *first])
    names = [*by_kind["name"], *filter(None, [both])]
    surname = "".join(last) or "".join(map(_surname_in_latin, names[:1]))
    names += [f"{name} {surname}" for name in preferred if surname and name.isascii() and name.isalpha()]
    names += preferred + by_kind["other"]
    # fields beyond the headings are further spellings
    return _student(
        path, line, [*names, *(field for field in fields[len(heads) :] if field)], by_kind["number"]
    )


def _surname_in_latin(name: str) -> str:
    """Return the surname, for which "Emma" of 王小明 is "Emma Wang"; empty if the name is a single word."""
    if not name.isascii():
        return next(("".join(reading.words[0]).capitalize() for reading in readings_of(name)), "")
    return name_words(given_first(name))[-1] if " " in name else ""


def _without_heads(path: Path, lines: Sequence[tuple[int, Sequence[str]]]) -> tuple[Student, ...]:
    """Read one student per line; columns of groups, such as towns, are not spellings of names."""
    rows = [(line, *_names_and_numbers(fields)) for line, fields in lines]
    others = [names[1:] for _line, names, _numbers in rows]
    counts = Counter(value for own in others for value in dict.fromkeys(own))
    columns = zip_longest(*others)
    groups = {place for place, column in enumerate(columns) if _is_group_column(column, counts)}

    def is_spelling(place: int, value: str) -> bool:
        return place not in groups and counts[value] == 1 and len(value) > 1

    return tuple(
        _student(
            path, line, [*names[:1], *(v for n, v in enumerate(names[1:]) if is_spelling(n, v))], numbers
        )
        for line, names, numbers in rows
    )


def _is_group_column(column: Sequence[str | None], counts: Counter[str]) -> bool:
    """Return whether most values of a column occur more than once."""
    values = [value for value in column if value is not None]
    return sum(counts[value] > 1 for value in values) * 2 > len(values)


def _names_and_numbers(fields: Sequence[str]) -> tuple[list[str], list[str]]:
    kept = [f for f in fields if f and f.casefold() not in _NO_NAMES and not _CLASS.fullmatch(f.casefold())]
    numbers = [f for f in kept if _is_number(f)]
    names = [f for f in kept if any(c.isalpha() for c in f) and not _is_number(f)]
    if len(names) > 1 and all(_LATIN_WORD.fullmatch(name) for name in names[:2]):
        # "Smith, John" without quotation marks
        names = [f"{names[0]}, {names[1]}", *names[2:]]
    return names, numbers


def _is_number(field: str) -> bool:
    digits = sum(c.isdigit() for c in field)
    return digits >= _SHORTEST_NUMBER_WITHOUT_HEAD and digits * 2 > len(field) and "@" not in field


def _student(path: Path, line: int, names: Sequence[str], numbers: Sequence[str]) -> Student:
    if not names and not numbers:
        raise NamelessLineError(path, line=line)
    return Student(tuple(dict.fromkeys(names)), tuple(dict.fromkeys(numbers)))

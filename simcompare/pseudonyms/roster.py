"""Read a class roster: a text or CSV file with one student per line."""

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

from simcompare.loading.archive import bytes_of
from simcompare.loading.formats.plain.encodings import decode
from simcompare.loading.sniffing import sniff
from simcompare.model.errors import FileError
from simcompare.pseudonyms.students import Student
from simcompare.support.i18n import N_


class StudentListError(FileError):
    """A file cannot be used as a class roster. Values: cause."""

    template = N_(
        "{name} cannot be used as a list of students: {cause}. "
        "Provide a text or CSV file with one student per line: name, number, other spellings."
    )


class NamelessLineError(StudentListError):
    """A line of the roster has neither name nor number. Values: line."""

    template = N_(
        "{name} cannot be used as a list of students: line {line} contains neither a name nor a number. "
        "Add a name, a number and other spellings, separated by commas, or remove the line."
    )


_NO_TEXT = N_("it is not a text file")
_NO_STUDENTS = N_("it contains no students")
_LARGEST_BYTES = 2_000_000
_SEPARATORS = re.compile("[\t;，；、,]")
_NAME_HEADS = frozenset({"姓名", "学生姓名", "名字", "name", "student", "student name", "full name"})
_FIRST_HEADS = frozenset({"first name", "given name", "firstname", "forename"})
_LAST_HEADS = frozenset({"last name", "surname", "family name", "lastname"})
_NUMBER_HEADS = frozenset(
    {
        "学号",
        "学籍号",
        "学生编号",
        "考号",
        "编号",
        "number",
        "no",
        "no.",
        "id",
        "student id",
        "student number",
    }
)
_OTHER_HEADS = frozenset(
    {"别名", "曾用名", "英文名", "拼音", "其他", "其他写法", "其它", "昵称", "other", "other spellings",
     "alias", "aliases", "nickname", "email", "e-mail", "login", "邮箱"}
)  # fmt: skip
_HEADS = _NAME_HEADS | _FIRST_HEADS | _LAST_HEADS | _NUMBER_HEADS | _OTHER_HEADS
# values of other columns of a school's list
_NO_NAMES = frozenset({"男", "女", "male", "female", "m", "f", "boy", "girl", "男生", "女生"})
_CLASS = re.compile(
    r"(?:[初高大]?[一二三四五六七八九十\d]+(?:年级|级|班|组|届))+\W*|(?:class|grade|year)\s*\w+"
)
_SHORTEST_NUMBER_WITHOUT_HEAD = 3


def read_students(path: Path) -> tuple[Student, ...]:
    """Read the students of a roster, in its order.

    A first line of headings (姓名, 学号, name, number …) assigns the columns. Without headings a field of at
    least three digits is a number, the first other field the name, and the rest other spellings, except for
    single letters and values that several lines share. Raises FileError: StudentListError if the file is
    not a roster, otherwise the errors of reading a file.
    """
    lines = [(number, fields) for number, fields in _lines(path) if any(fields)]
    if not lines:
        raise StudentListError(path, cause=_NO_STUDENTS)
    heads = [field.casefold() for field in lines[0][1]]
    if sum(head in _HEADS for head in heads) * 2 < len(heads):
        return _without_heads(path, lines)
    if len(lines) == 1:
        raise StudentListError(path, cause=_NO_STUDENTS)
    return tuple(_with_heads(path, number, heads, fields) for number, fields in lines[1:])


def _lines(path: Path) -> list[tuple[int, list[str]]]:
    data = bytes_of(path)
    text = decode(data).text
    if len(data) > _LARGEST_BYTES or sniff(data) not in {"text", "html"} or "\0" in text:
        raise StudentListError(path, cause=_NO_TEXT)
    return [(number, _fields(line)) for number, line in enumerate(text.splitlines(), start=1)]


def _fields(line: str) -> list[str]:
    """Split a line into fields; a separator in quotation marks does not split."""
    if '"' in line:
        rows = list(csv.reader(io.StringIO(line)))
        return [field.strip() for row in rows for field in row]
    return [field.strip() for field in _SEPARATORS.split(line)]


def _with_heads(path: Path, line: int, heads: Sequence[str], fields: Sequence[str]) -> Student:
    by_kind: dict[str, list[str]] = {"name": [], "number": [], "other": [], "first": [], "last": []}
    kinds = {
        "name": _NAME_HEADS, "number": _NUMBER_HEADS, "other": _OTHER_HEADS, "first": _FIRST_HEADS,
        "last": _LAST_HEADS,
    }  # fmt: skip
    for head, field in zip(heads, fields, strict=False):
        kind = next((kind for kind, known in kinds.items() if head in known), None)
        if kind is not None and field:
            by_kind[kind].append(field)
    both = " ".join([*by_kind["first"], *by_kind["last"]])
    names = [*by_kind["name"], *([both] if both else []), *by_kind["other"]]
    # fields beyond the headings are further spellings
    return _student(
        path, line, [*names, *(field for field in fields[len(heads) :] if field)], by_kind["number"]
    )


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
    if len(names) > 1 and all(_is_one_latin_word(name) for name in names[:2]):
        # "Smith, John" without quotation marks
        names = [f"{names[0]}, {names[1]}", *names[2:]]
    return names, numbers


def _is_number(field: str) -> bool:
    digits = sum(c.isdigit() for c in field)
    return digits >= _SHORTEST_NUMBER_WITHOUT_HEAD and digits * 2 > len(field) and "@" not in field


def _is_one_latin_word(name: str) -> bool:
    return name.replace("-", "").replace("'", "").isalpha() and name[0].isupper() and name.isascii()


def _student(path: Path, line: int, names: Sequence[str], numbers: Sequence[str]) -> Student:
    if not names and not numbers:
        raise NamelessLineError(path, line=line)
    return Student(tuple(dict.fromkeys(names)), tuple(dict.fromkeys(numbers)))

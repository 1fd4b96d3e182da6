"""Students and owners of pseudonyms: assign files to students, and merge and correct assignments."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from simcompare.model.file_kinds import language_neutral_name, localised_name
from simcompare.pseudonyms.chinese_names import pinyin_keys
from simcompare.pseudonyms.name_folding import folded

LITERAL = "="
"""Before a spelling that is replaced wherever it is written, even if it is an ordinary word."""


@dataclass(frozen=True, slots=True)
class Student:
    """A student: names, the usual one first and then other spellings, and student numbers."""

    names: tuple[str, ...]
    numbers: tuple[str, ...] = ()

    @property
    def display_name(self) -> str:
        return " ".join([*self.names[:1], *self.numbers[:1]]).removeprefix(LITERAL)


class RecognitionReason(StrEnum):
    """Reason why a text was recognised as a student's name or number; the values are stable identifiers."""

    LISTED = "listed"
    SEVERAL = "several"
    PERSONAL_NAME = "personal_name"
    BESIDE_NUMBER = "beside_number"
    SAME_PLACE = "same_place"
    DIGITS = "digits"
    FOLDER = "folder"
    OPENING = "opening"


@dataclass(frozen=True, slots=True)
class RecognisedStudent:
    """Name and number recognised for the student of a file: a proposal that the teacher may correct.

    name and number are empty if not recognised, and their reasons None. also: names of co-authors, or
    other names in the first lines that are not that of the student. is_written: the name is in the name
    of the file, folder or text in full; False if the roster completes a number or a part of a name.
    spellings: the student's name in another script.
    """

    path: Path
    name: str = ""
    number: str = ""
    name_reason: RecognitionReason | None = None
    number_reason: RecognitionReason | None = None
    also: tuple[str, ...] = ()
    is_written: bool = True
    spellings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Owner:
    """Holder of a pseudonym: a student with all files of the student, or a file without a known student.

    number: of the pseudonym, from 1; 0 before one is assigned. student: None for a file without one. files:
    pasted texts by their language-independent key (`language_neutral_name`). is_listed: the student is
    in the roster. former: numbers that these files had before their student was known; other files may still
    have them.
    """

    number: int
    student: Student | None
    files: tuple[Path, ...] = ()
    is_listed: bool = False
    former: tuple[int, ...] = ()

    @property
    def display_name(self) -> str:
        """The real name of the student, or of the file."""
        return self.student.display_name if self.student else localised_name(self.files[0]).name

    @property
    def numbers(self) -> tuple[int, ...]:
        """All numbers of this owner, the current one first; empty before one is assigned."""
        return (*(self.number,) * bool(self.number), *self.former)


class Owners:
    """Collection of owners that merges added files and students with the student they belong to."""

    def __init__(self, owners: Iterable[Owner]) -> None:
        self.all = list(owners)
        self._by_name: defaultdict[str, list[int]] = defaultdict(list)
        self._by_pinyin: defaultdict[str, list[int]] = defaultdict(list)
        self._by_number: dict[str, int] = {}
        for place in range(len(self.all)):
            self._index(place)

    def add_file(self, recognised: RecognisedStudent, number: int = 0, former: tuple[int, ...] = ()) -> None:
        """Assign a file to its student; a new student gets `number`.

        The file has no student if none was recognised or several match.
        """
        names = (recognised.name, *recognised.spellings) if recognised.name else ()
        student = Student(names, (recognised.number,) * bool(recognised.number))
        files = (language_neutral_name(recognised.path),)
        places = self._places_of(student)
        if len(places) > 1 or not (recognised.name or recognised.number):
            self.all.append(Owner(number, None, files, former=former))
        else:
            self._merge(Owner(number, student, files, former=former), places)

    def add_listed(self, student: Student) -> None:
        self._merge(Owner(0, student, is_listed=True), self._places_of(student))

    def add_known(self, owner: Owner) -> None:
        """Merge an owner without a number with the student of the roster; split it if several match."""
        assert owner.student is not None, "an owner without a number has a student"
        places = [place for place in self._places_of(owner.student) if self.all[place].is_listed]
        if len(places) > 1:
            first, *others = owner.files
            self.all.append(Owner(owner.number, None, (first,), former=owner.former))
            self.all += [Owner(0, None, (file,), former=owner.numbers) for file in others]
        else:
            self._merge(owner, places)

    def add_named(self, name: str) -> None:
        """Add a co-author of a file unless the student is known."""
        student = Student((name,))
        if not self._places_of(student):
            self._merge(Owner(0, student, is_listed=True), [])

    def _merge(self, added: Owner, places: list[int]) -> None:
        if len(places) == 1:
            self.all[places[0]] = _merged(self.all[places[0]], added)
            self._index(places[0])
        else:
            self.all.append(added)
            self._index(len(self.all) - 1)

    def _places_of(self, student: Student) -> list[int]:
        """Return the indices of owners who may be this student, by number, otherwise by name."""
        for number in student.numbers:
            if number in self._by_number:
                return [self._by_number[number]]
        places = dict.fromkeys(
            place for name in student.names for place in self._by_name.get(name_key(name), [])
        )
        # students of the same name differ by their numbers
        return [
            place for place in places or self._places_by_pinyin(student)
            if not student.numbers or not self._numbers_at(place)
        ]  # fmt: skip

    def _places_by_pinyin(self, student: Student) -> list[int]:
        keys = frozenset().union(*map(pinyin_keys, student.names))
        places = dict.fromkeys(place for key in keys for place in self._by_pinyin.get(key, []))
        # two names in characters are different names even if they have the same reading
        students = ((place, self.all[place].student) for place in places)
        is_han = _has_characters(student)
        return [place for place, other in students if not (is_han and other and _has_characters(other))]

    def _numbers_at(self, place: int) -> tuple[str, ...]:
        student = self.all[place].student
        return student.numbers if student is not None else ()

    def _index(self, place: int) -> None:
        student = self.all[place].student
        for name in student.names if student is not None else ():
            for places in (
                self._by_name[name_key(name)],
                *(self._by_pinyin[key] for key in pinyin_keys(name)),
            ):
                if place not in places:
                    places.append(place)
        self._by_number.update(dict.fromkeys(self._numbers_at(place), place))


def _merged(existing: Owner, added: Owner) -> Owner:
    """Merge two owners; the number of the first, if any, stays the current one."""
    number = existing.number or added.number
    ever = dict.fromkeys((*existing.numbers, *added.numbers))
    return Owner(
        number,
        _both(existing.student, added.student),
        (*existing.files, *added.files),
        is_listed=existing.is_listed or added.is_listed,
        former=tuple(former for former in ever if former != number),
    )


def _both(some: Student | None, more: Student | None) -> Student | None:
    if some is None or more is None:
        return some or more
    names, numbers = (*some.names, *more.names), (*some.numbers, *more.numbers)
    return Student(tuple(dict.fromkeys(names)), tuple(dict.fromkeys(numbers)))


def with_list(owners: Iterable[Owner], listed: Iterable[Student]) -> Owners:
    """Add the students of a roster, and merge the owners without a number with them."""
    by_name: list[Owner] = []
    others: list[Owner] = []
    for owner in owners:
        is_sure = owner.student is None or owner.is_listed or bool(owner.student.numbers)
        (others if is_sure or not owner.files else by_name).append(owner)
    result = Owners(others)
    for student in listed:
        result.add_listed(student)
    for owner in by_name:
        result.add_known(owner)
    return result


OwnFiles = Sequence[tuple[Student, Sequence[Path]]]
"""Students that a class has, each with the own files."""


def with_namesakes_apart(owners: Iterable[Owner], students: OwnFiles) -> Iterator[Owner]:
    """Divide owners whose files are those of several students of the same name; the first one stays."""
    files_of = [(student, {language_neutral_name(file) for file in files}) for student, files in students]
    for owner in owners:
        keys = set() if owner.student is None else set(map(name_key, owner.student.names))
        own = [
            Owner(0, replace(owner.student, numbers=student.numbers), held, former=owner.numbers)
            for student, files in files_of
            if owner.student is not None and not keys.isdisjoint(map(name_key, student.names))
            and (held := tuple(file for file in owner.files if file in files))
        ]  # fmt: skip
        moved = {file for other in own[1:] for file in other.files}
        kept = tuple(file for file in owner.files if file not in moved)
        yield replace(owner, student=own[0].student, files=kept) if moved else owner
        yield from own[1:]


def corrected(
    owners: Iterable[Owner], rows: Iterable[RecognisedStudent], listed: Iterable[Student]
) -> list[Owner]:
    """Apply a teacher's corrections (`rows`) and a roster to owners.

    A number follows its files: if all files of an owner move to another student, the number moves too; if
    only some do, it is a former number of the new owner.
    """
    moved = {language_neutral_name(row.path): row for row in rows}
    owners = list(owners)
    known = {file for owner in owners for file in owner.files}
    kept, emptied = [], []
    leaving: list[tuple[RecognisedStudent, tuple[int, ...]]]
    leaving = [(row, ()) for file, row in moved.items() if file not in known]
    for owner in owners:
        gone = [moved[file] for file in owner.files if file in moved]
        left = tuple(file for file in owner.files if file not in moved)
        if left or not gone:
            kept.append(replace(owner, files=left))
            leaving += [(row, owner.numbers) for row in gone]
        else:
            emptied.append((owner, gone))
    # a student of the roster stays an owner even without files
    students = [Owner(0, owner.student, is_listed=True) for owner, _rows in emptied if owner.is_listed]
    result = with_list([*kept, *students], listed)
    for owner, (first, *others) in emptied:
        result.add_file(first, owner.number, owner.former)
        leaving += [(row, owner.numbers) for row in others]
    for row, former in leaving:
        result.add_file(row, former=former)
    return result.all


def name_key(name: str) -> str:
    """Return the key of a name, independent of spelling, case, accents and the order of Latin words."""
    form = folded(name).characters
    words = re.findall(r"[^\W_]+", form)
    return " ".join(sorted(words)) if form.isascii() else "".join(words)


def _has_characters(student: Student) -> bool:
    return any(not folded(name).characters.isascii() for name in student.names)

"""Whom each pseudonym stands for, while files and students are put to each other."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from simcompare.model.untitled import language_neutral_name, localised_name
from simcompare.pseudonyms.name_folding import folded
from simcompare.pseudonyms.pinyin import pinyin_keys


@dataclass(frozen=True, slots=True)
class Student:
    """A student: names, the usual one first and other spellings behind it, and numbers."""

    names: tuple[str, ...]
    numbers: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """What a teacher calls the student: the usual name, and the first number behind it."""
        return " ".join([*self.names[:1], *self.numbers[:1]])


class Ground(StrEnum):
    """Why something was taken for the name or the number of a file's student. The values are stable words."""

    LISTED = "listed"
    SEVERAL = "several"
    PERSONAL_NAME = "personal_name"
    BESIDE_NUMBER = "beside_number"
    SAME_PLACE = "same_place"
    DIGITS = "digits"
    FOLDER = "folder"
    OPENING = "opening"


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a file says of its student: a proposal that a teacher may correct.

    name and number are empty where none was recognised; their grounds are None then. also: names of others
    who wrote it as well, or whom its first lines name in place of the student.
    """

    path: Path
    name: str = ""
    number: str = ""
    name_ground: Ground | None = None
    number_ground: Ground | None = None
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Owner:
    """Whom a pseudonym stands for: a student with the files that are his, or a file nobody is known of.

    number: from 1, that of the pseudonym, 0 before there is one; student: None for a file without a student;
    is_listed: whether a teacher's list has the student, whosever the files are; former: numbers of pseudonyms
    that were in use for these files before it was known whose they are, which others of them may have
    still; files: pasted texts by a name that
    no language changes (`language_neutral_name`).
    """

    number: int
    student: Student | None
    files: tuple[Path, ...] = ()
    is_listed: bool = False
    former: tuple[int, ...] = ()

    @property
    def shown(self) -> str:
        """What a teacher calls whom the pseudonym stands for."""
        return self.student.shown if self.student else localised_name(self.files[0]).name

    @property
    def numbers(self) -> tuple[int, ...]:
        """All numbers that stand for this owner, none before there is one."""
        return (*(self.number,) * bool(self.number), *self.former)


class Owners:
    """Owners to whom files and students are added; what is said of a student who is known is added to it."""

    def __init__(self, owners: Iterable[Owner]) -> None:
        self.all = list(owners)
        self._by_name: defaultdict[str, list[int]] = defaultdict(list)
        self._by_pinyin: defaultdict[str, list[int]] = defaultdict(list)
        self._by_number: dict[str, int] = {}
        for place in range(len(self.all)):
            self._know(place)

    def add_file(self, one: Recognised, number: int = 0, former: tuple[int, ...] = ()) -> None:
        """Put a file to its student, who may be new and gets the number then.

        It is nobody's where nothing was recognised, or where its student may be one of several.
        """
        student = Student((one.name,) * bool(one.name), (one.number,) * bool(one.number))
        files = (language_neutral_name(one.path),)
        places = self._places_of(student)
        if len(places) > 1 or not (one.name or one.number):
            self.all.append(Owner(number, None, files, former=former))
        else:
            self._put(Owner(number, student, files, former=former), places)

    def add_listed(self, student: Student) -> None:
        """Add a student of a list."""
        self._put(Owner(0, student, is_listed=True), self._places_of(student))

    def add_known(self, owner: Owner) -> None:
        """Add an owner who is known by name alone: a student of the list, or who may be one of several."""
        assert owner.student is not None, "it has a name"
        places = [place for place in self._places_of(owner.student) if self.all[place].is_listed]
        if len(places) > 1:
            first, *others = owner.files
            self.all.append(Owner(owner.number, None, (first,), former=owner.former))
            self.all += [Owner(0, None, (file,), former=owner.numbers) for file in others]
        else:
            self._put(owner, places)

    def add_named(self, name: str) -> None:
        """Add somebody whom a file names beside its student, unless there is such a student."""
        student = Student((name,))
        if not self._places_of(student):
            self._put(Owner(0, student, is_listed=True), [])

    def _put(self, given: Owner, places: list[int]) -> None:
        if len(places) == 1:
            self.all[places[0]] = _joined(self.all[places[0]], given)
            self._know(places[0])
        else:
            self.all.append(given)
            self._know(len(self.all) - 1)

    def _places_of(self, given: Student) -> list[int]:
        """Return where a student may be known already: by a number, else by a name."""
        for number in given.numbers:
            if number in self._by_number:
                return [self._by_number[number]]
        having = dict.fromkeys(place for name in given.names for place in self._by_name.get(_key(name), []))
        # two of the same name are told apart by their numbers
        return [
            place for place in having or self._places_by_pinyin(given)
            if not given.numbers or not self._numbers_at(place)
        ]  # fmt: skip

    def _places_by_pinyin(self, given: Student) -> list[int]:
        """Return where a student may be known whose name is written in the other script there."""
        keys = frozenset().union(*map(pinyin_keys, given.names))
        having = dict.fromkeys(place for key in keys for place in self._by_pinyin.get(key, []))
        # of two names in characters each is another's, however alike they are read
        return [place for place in having if not (_has_characters(given) and self._has_characters_at(place))]

    def _has_characters_at(self, place: int) -> bool:
        student = self.all[place].student
        return student is not None and _has_characters(student)

    def _numbers_at(self, place: int) -> tuple[str, ...]:
        student = self.all[place].student
        return student.numbers if student is not None else ()

    def _know(self, place: int) -> None:
        student = self.all[place].student
        for name in student.names if student is not None else ():
            for places in (self._by_name[_key(name)], *(self._by_pinyin[key] for key in pinyin_keys(name))):
                if place not in places:
                    places.append(place)
        self._by_number.update(dict.fromkeys(self._numbers_at(place), place))


def _joined(held: Owner, given: Owner) -> Owner:
    """Return one owner for two; the number that was there first is the one in use, and no former one."""
    number = held.number or given.number
    ever = dict.fromkeys((*held.numbers, *given.numbers))
    return Owner(
        number,
        _both(held.student, given.student),
        (*held.files, *given.files),
        is_listed=held.is_listed or given.is_listed,
        former=tuple(one for one in ever if one != number),
    )


def _both(some: Student | None, more: Student | None) -> Student | None:
    if some is None or more is None:
        return some or more
    names, numbers = (*some.names, *more.names), (*some.numbers, *more.numbers)
    return Student(tuple(dict.fromkeys(names)), tuple(dict.fromkeys(numbers)))


def with_list(owners: Iterable[Owner], listed: Iterable[Student]) -> Owners:
    """Return owners with the students of a list, whom those that are known by name alone may be."""
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


def corrected(owners: Iterable[Owner], rows: Iterable[Recognised], listed: Iterable[Student]) -> list[Owner]:
    """Return owners after a teacher has said whose some files are, and who else there is.

    A number goes with its files: where all files of an owner are somebody else's, it is theirs now, and
    where some are, it is one that they had.
    """
    moved = {language_neutral_name(row.path): row for row in rows}
    owners = list(owners)
    known = {file for owner in owners for file in owner.files}
    kept, emptied = [], []
    leaving: list[tuple[Recognised, tuple[int, ...]]]
    leaving = [(row, ()) for file, row in moved.items() if file not in known]
    for owner in owners:
        gone = [moved[file] for file in owner.files if file in moved]
        left = tuple(file for file in owner.files if file not in moved)
        if left or not gone:
            kept.append(replace(owner, files=left))
            leaving += [(row, owner.numbers) for row in gone]
        else:
            emptied.append((owner, gone))
    # a student of a list stays one, whatever became of the files
    students = [Owner(0, owner.student, is_listed=True) for owner, _rows in emptied if owner.is_listed]
    result = with_list([*kept, *students], listed)
    for owner, (first, *others) in emptied:
        result.add_file(first, owner.number, owner.former)
        leaving += [(row, owner.numbers) for row in others]
    for row, former in leaving:
        result.add_file(row, former=former)
    return result.all


def _key(name: str) -> str:
    """Return what spellings of a name have alike, in whatever order its words stand."""
    form = folded(name).characters
    words = re.findall(r"[^\W_]+", form)
    return " ".join(sorted(words)) if form.isascii() else "".join(words)


def _has_characters(student: Student) -> bool:
    return any(not folded(name).characters.isascii() for name in student.names)

"""A school class: its students and their documents, the roles of these, class lists, and the limit."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import combinations, product
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from simcompare.pseudonyms.students import OwnFiles, Student

Pair = tuple[int, int]
"""Numbers of the left and the right document in `Session.documents`, from 0."""


class DocumentRole(StrEnum):
    """Role of a document in a check; the values are stable identifiers.

    DRAFT is any other file of a student: also an appendix or a duplicate.
    """

    CURRENT = "current"
    DRAFT = "draft"
    OLD = "old"
    TEMPLATE = "template"


APART = frozenset({DocumentRole.OLD, DocumentRole.TEMPLATE})
"""Roles of documents that no student of the class handed in."""


class FileRole(StrEnum):
    """Role of a file of a student; the values are stable identifiers."""

    CURRENT = "current"
    DRAFT = "draft"
    APPENDIX = "appendix"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class Roster:
    """A class list: the path that it was read from, and the students on it."""

    path: Path
    students: tuple[Student, ...]


@dataclass(frozen=True, slots=True)
class ClassStudent:
    """A student with all documents handed in, or a document whose student is unknown.

    id: number, else name, else name of the file; unique in the class. name, number: "" if unknown. is_listed:
    the student is in the class list. files: role of each document, those that count first. other_names:
    further ones in the files, or of the number in the class list, to be checked by the teacher.
    """

    id: str
    name: str
    number: str
    is_listed: bool
    files: Mapping[int, FileRole]
    other_names: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Name and number, or the id if neither is known."""
        return " ".join(filter(None, (self.name, self.number))) or self.id

    @property
    def current(self) -> int:
        return next(iter(self.files))


@dataclass(frozen=True, slots=True)
class CommonSentence:
    """A sentence that many essays have, in one wording or several.

    text: its most frequent wording, or the label of a name line. documents: all that have it, ascending, also
    those that do not count as essays. digest: key of its text.
    """

    digest: Annotated[str, Meta(pattern=r"\A[0-9a-f]{16}\Z")]
    text: str
    documents: tuple[Annotated[int, Meta(ge=0)], ...]

    def renumbered(self, numbers: Mapping[int, int]) -> "CommonSentence":
        """Return the sentence with these numbers of documents, by those before, without other documents."""
        documents = sorted(numbers[number] for number in self.documents if number in numbers)
        return replace(self, documents=tuple(documents))


@dataclass(frozen=True)
class SchoolClass:
    """A class whose documents are named by numbers, such as their places in a session or their keys.

    roles: chosen by the teacher; of an arranged class those of all its documents. limit: share from which
    pairs are unusual, if the teacher chose it. students: in the order of their first documents; missing:
    those of the class lists without any. common: sentences. All three can be found again.
    """

    roles: Mapping[int, DocumentRole] = field(default_factory=dict)
    rosters: tuple[Roster, ...] = ()
    limit: float | None = None
    students: tuple[ClassStudent, ...] = field(default=(), compare=False)
    missing: tuple[Student, ...] = field(default=(), compare=False)
    common: tuple[CommonSentence, ...] = field(default=(), compare=False)

    def role_of(self, number: int) -> DocumentRole:
        """Return the role of a document, CURRENT until it is known."""
        return self.roles.get(number, DocumentRole.CURRENT)

    def are_essays(self, pair: tuple[int, int]) -> tuple[bool, bool]:
        return self.role_of(pair[0]) not in APART, self.role_of(pair[1]) not in APART

    @cached_property
    def owners(self) -> Mapping[int, ClassStudent]:
        return {number: student for student in self.students for number in student.files}

    def with_role(self, role: DocumentRole, numbers: Iterable[int] | None = None) -> list[int]:
        """Return those of these documents that have a role, by default of those whose role is known."""
        return [
            number for number in (self.roles if numbers is None else numbers) if self.role_of(number) is role
        ]

    def own_files(self, paths: Mapping[int, Path]) -> OwnFiles:
        """Return the students that have files among these, each with them."""
        return [
            (Student((each.name,), (each.number,) * bool(each.number)), files)
            for each in self.students
            if (files := [paths[number] for number in each.files if number in paths])
        ]

    @property
    def not_compared(self) -> set[int]:
        """Drafts and templates."""
        return {*self.with_role(DocumentRole.DRAFT), *self.with_role(DocumentRole.TEMPLATE)}

    def pairs(self, numbers: Collection[int]) -> list[tuple[int, int]]:
        """Return the pairs that count among these documents: old ones are not compared with each other."""
        current, old = (self.with_role(role, numbers) for role in (DocumentRole.CURRENT, DocumentRole.OLD))
        with_old = ((min(pair), max(pair)) for pair in product(current, old))
        return [*combinations(current, 2), *with_old]

    def arranged(self, unreadable: Collection[int] = (), no_essays: Collection[int] = ()) -> "SchoolClass":
        """Return the class with the roles of all documents; a chosen role replaces the one that was found.

        unreadable: documents without a text, which count only if a student has nothing else; no_essays: those
        of them that cannot be essays. Without an essay, only a student of a class list counts, or one who is
        known and handed in something else that could not be read. Of a student whose documents have no chosen
        role for it, one document is current.
        """
        roles: dict[int, DocumentRole] = {
            n: role for n, role in self.roles.items() if role is not DocumentRole.CURRENT
        }
        students = []
        for student in self.students:
            own = {n: role for n, role in student.files.items() if self.roles.get(n) not in APART}
            has_essay = bool(student.name or student.number) and any(n not in no_essays for n in own)
            if not (own and (student.is_listed or has_essay)) and all(n in unreadable for n in own):
                continue
            current = self._current(own, unreadable)
            files = dict.fromkeys((n for n in own if n in current), FileRole.CURRENT)
            drafts = ((n, role) for n, role in own.items() if n not in current)
            files |= {n: FileRole.DRAFT if role is FileRole.CURRENT else role for n, role in drafts}
            roles |= {n: DocumentRole.CURRENT if n in current else DocumentRole.DRAFT for n in own}
            students.append(replace(student, files=files))
        return replace(self, roles=roles, students=tuple(students))

    def _current(self, own: Iterable[int], unreadable: Collection[int]) -> set[int]:
        """Return the documents of a student that count; `own` in the order in which they would."""
        if chosen := {number for number in own if self.roles.get(number) is DocumentRole.CURRENT}:
            return chosen
        free = [number for number in own if number not in self.roles]
        readable = [number for number in free if number not in unreadable]
        return set((readable or free)[:1])

    def read_first(self, count: int) -> "SchoolClass":
        """Return the class with the documents of each student that are numbered below `count` first."""
        students = (
            replace(student, files=dict(sorted(student.files.items(), key=lambda file: file[0] >= count)))
            for student in self.students
        )
        return replace(self, students=tuple(students))

    def renumbered(self, numbers: Mapping[int, int]) -> "SchoolClass":
        """Return the class with these numbers of documents, by those before, without other documents."""
        roles = {numbers[n]: role for n, role in self.roles.items() if n in numbers}
        students = tuple(
            replace(student, files=files)
            for student in self.students
            if (files := {numbers[n]: role for n, role in student.files.items() if n in numbers})
        )
        common = tuple(sentence.renumbered(numbers) for sentence in self.common)
        return replace(self, roles=roles, students=students, common=common)

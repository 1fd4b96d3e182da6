"""The class of a session: roles of documents, class lists, limit, and the students found so far."""

from dataclasses import asdict
from typing import Annotated, Any

from msgspec import Meta, Struct

from simcompare.pseudonyms.students import Student
from simcompare.session.class_data import Roster, SavedClass, SavedRole, SavedStudent
from simcompare.session.document_parts import path_as_text
from simcompare.session.json_fields import BrokenValueError
from simcompare.session.session_limits import MOST_DOCUMENTS

_DocumentNumber = Annotated[int, Meta(ge=0, lt=MOST_DOCUMENTS)]


class _RolePart(Struct, array_like=True, forbid_unknown_fields=True):
    document: _DocumentNumber
    role: SavedRole


class ClassMember(Struct):
    """The member `class` of session.json."""

    roles: tuple[_RolePart, ...]
    rosters: tuple[Roster, ...]
    limit: Annotated[float, Meta(ge=0, le=1)] | None
    students: tuple[SavedStudent, ...]
    missing: tuple[Student, ...]


def class_as_json(saved: SavedClass) -> dict[str, Any]:
    """Convert the class."""
    return {
        "roles": [[number, saved.roles[number]] for number in sorted(saved.roles)],
        "rosters": [
            {"path": path_as_text(roster.path), "students": list(map(asdict, roster.students))}
            for roster in saved.rosters
        ],
        "limit": saved.limit,
        "students": list(map(asdict, saved.students)),
        "missing": list(map(asdict, saved.missing)),
    }


def class_from(part: ClassMember, documents: int) -> SavedClass:
    """Assemble the class of this number of documents. Raises BrokenValueError."""
    roles = {each.document: each.role for each in part.roles}
    numbers = [number for student in part.students for number in student.documents]
    if len(roles) < len(part.roles) or len(set(numbers)) < len(numbers):
        raise BrokenValueError("class")
    if any(number >= documents for number in (*roles, *numbers)):
        raise BrokenValueError("class")
    if not all(student.documents for student in part.students):
        raise BrokenValueError("class")
    if any(student.roles and len(student.roles) != len(student.documents) for student in part.students):
        raise BrokenValueError("class")
    return SavedClass(roles, part.rosters, part.limit, part.students, part.missing)

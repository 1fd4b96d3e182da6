"""The pseudonyms of a session as JSON, and back."""

import re
from typing import Any

from simcompare.anonymity.owners import Owner
from simcompare.anonymity.pseudonyms import Pseudonyms
from simcompare.anonymity.students import Student
from simcompare.session.document_parts import path_as_text, path_from
from simcompare.session.fields import BrokenValueError, Fields, checked_text, checked_whole

_SECRET = re.compile("[0-9a-f]{32}")
_MOST_OWNERS = 100_000


def pseudonyms_as_json(pseudonyms: Pseudonyms) -> dict[str, Any]:
    """Return who stands behind each pseudonym, and the secret by which they are in order."""
    return {"secret": pseudonyms.secret, "owners": [_owner_as_json(owner) for owner in pseudonyms.owners]}


def _owner_as_json(owner: Owner) -> dict[str, Any]:
    student = owner.student
    return {
        "number": owner.number,
        "student": None
        if student is None
        else {"names": list(student.names), "numbers": list(student.numbers)},
        "files": [path_as_text(file) for file in owner.files],
        "listed": owner.is_listed,
        "former": list(owner.former),
    }


def pseudonyms_from(given: Fields) -> Pseudonyms:
    """Return the pseudonyms; raises BrokenValueError."""
    secret = given.text("secret")
    if not _SECRET.fullmatch(secret):
        raise BrokenValueError("secret")
    owners = tuple(_owner_from(Fields(value)) for value in given.items("owners"))
    numbers = [owner.number for owner in owners]
    given_ever = {number for owner in owners for number in owner.numbers}
    # files that were one student's may have the same former number
    is_twofold = any(len(set(owner.numbers)) < len(owner.numbers) for owner in owners)
    if numbers != sorted(set(numbers)) or given_ever != set(range(1, len(given_ever) + 1)) or is_twofold:
        raise BrokenValueError("owners")
    return Pseudonyms(secret, owners)


def _owner_from(given: Fields) -> Owner:
    files = tuple(path_from(checked_text(file)) for file in given.items("files"))
    student = _student_from(given.fields("student")) if given.has("student") else None
    if student is None and len(files) != 1:
        raise BrokenValueError("files")
    return Owner(
        given.whole("number", 1, _MOST_OWNERS),
        student,
        files,
        is_listed=given.has("listed") and given.truth("listed"),
        former=_former_from(given) if given.has("former") else (),
    )


def _former_from(given: Fields) -> tuple[int, ...]:
    return tuple(checked_whole(number, 1, _MOST_OWNERS) for number in given.items("former"))


def _student_from(given: Fields) -> Student:
    names, numbers = (tuple(map(checked_text, given.items(name))) for name in ("names", "numbers"))
    if not names and not numbers:
        raise BrokenValueError("student")
    return Student(names, numbers)

"""The pseudonyms of a session as JSON, and back."""

import re
from typing import Any

from simcompare.anonymity.pseudonyms import Owner, Pseudonyms
from simcompare.anonymity.students import Student
from simcompare.session.document_parts import path_as_text, path_from
from simcompare.session.fields import BrokenValueError, Fields, checked_text

_SECRET = re.compile("[0-9a-f]{32}")
_MOST_OWNERS = 100_000


def pseudonyms_as_json(pseudonyms: Pseudonyms) -> dict[str, Any]:
    """Return who stands behind each pseudonym, and the secret by which they are in order."""
    return {
        "secret": pseudonyms.secret,
        "owners": [
            {
                "number": owner.number,
                "student": None
                if owner.student is None
                else {"names": list(owner.student.names), "numbers": list(owner.student.numbers)},
                "files": [path_as_text(file) for file in owner.files],
            }
            for owner in pseudonyms.owners
        ],
    }


def pseudonyms_from(given: Fields) -> Pseudonyms:
    """Return the pseudonyms; raises BrokenValueError."""
    secret = given.text("secret")
    if not _SECRET.fullmatch(secret):
        raise BrokenValueError("secret")
    owners = tuple(_owner_from(Fields(value)) for value in given.items("owners"))
    if [owner.number for owner in owners] != list(range(1, len(owners) + 1)):
        raise BrokenValueError("owners")
    return Pseudonyms(secret, owners)


def _owner_from(given: Fields) -> Owner:
    files = tuple(path_from(checked_text(file)) for file in given.items("files"))
    student = _student_from(given.fields("student")) if given.has("student") else None
    if student is None and len(files) != 1:
        raise BrokenValueError("files")
    return Owner(given.whole("number", 1, _MOST_OWNERS), student, files)


def _student_from(given: Fields) -> Student:
    names, numbers = (tuple(map(checked_text, given.items(name))) for name in ("names", "numbers"))
    if not names and not numbers:
        raise BrokenValueError("student")
    return Student(names, numbers)

"""Students of the files that are added, as tags: by name or by a pseudonym, never by student number.

The pseudonym of a name is its keyed digest, the same in every class and year. Without the key, which is a
file of this computer and not of the library, it cannot be computed from a list of names.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from secrets import token_bytes

from simcompare.cohort.student_groups import SubmittedText, group_by_student
from simcompare.library.library_errors import PseudonymKeyError
from simcompare.library.store.stored_documents import stored_name
from simcompare.library.tags import STUDENT, Tag, make_tag
from simcompare.loading.platform_names import submissions
from simcompare.model.errors import os_errors_as
from simcompare.pseudonyms.students import Student, name_key
from simcompare.support.atomic_file import write_atomically
from simcompare.support.i18n import N_
from simcompare.support.resources import user_data_path

_KEY_FILE = "library-pseudonyms.key"
_KEY_BYTES = 32
_PSEUDONYM_BYTES = 6
_PSEUDONYM = "S-{digest}"
_NUMBER = re.compile(r"(?<![^\W\d_])[A-Za-z]{0,2}\d{3,}|\d{3,}")
_SEPARATORS = " _-.()（）"
_NO_NAMES = frozenset({"participant", "参与者", "参加者"})
"""What Moodle writes instead of names if they are hidden from the teacher."""


class StudentNaming(StrEnum):
    """How the student of a file is stored; the values are those of the command line."""

    NAME = "name"
    PSEUDONYM = "pseudonym"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class FileLabels:
    """Name and tags under which a file is stored."""

    name: str
    tags: tuple[Tag, ...]


def file_labels(
    paths: Sequence[Path],
    places: Iterable[Path],
    tags: Sequence[Tag],
    naming: StudentNaming,
    listed: Sequence[Student] = (),
) -> dict[Path, FileLabels]:
    """Return name and tags of each file, with the student of files in folders and archives.

    places: what was given to be added; a file that was given itself, and files whose tags name a student, get
    no further tag. With pseudonyms no file keeps its name, as names of files name students.
    Raises PseudonymKeyError.
    """
    given = set(places)
    in_folders = [path for path in paths if path not in given] if has_recognised(tags, naming) else []
    students = students_of(in_folders, listed)
    return {path: _labels(path, tags, naming, students.get(path)) for path in paths}


def has_recognised(tags: Iterable[Tag], naming: StudentNaming) -> bool:
    """Return whether `file_labels` recognises students: not if they are given by a tag, or not stored."""
    return naming is not StudentNaming.NONE and all(tag.name != STUDENT for tag in tags)


def _labels(path: Path, tags: Sequence[Tag], naming: StudentNaming, student: str | None) -> FileLabels:
    own_tags = () if student is None else (student_tag(student, naming),)
    name = stored_name(path)
    if naming is StudentNaming.PSEUDONYM:
        name = f"{pseudonym_of(student or path.stem)}{path.suffix}"
    return FileLabels(name, (*tags, *own_tags))


def students_of(paths: Sequence[Path], listed: Sequence[Student] = ()) -> dict[Path, str]:
    """Return the name of the student of each file of a class for which it is known.

    It is taken from names of files and folders, as platforms give them, and from class lists; not from the
    text, whose first lines a copy has as well. Student numbers beside a name are left out.
    """
    # a platform's name needs no search, which takes 10 ms a file; a class list spells it better
    named = {} if listed else dict(zip(paths, submissions(paths), strict=True))
    found = {path: parts.student for path, parts in named.items() if parts is not None}
    others = [SubmittedText(path) for path in paths if path not in found]
    for student in group_by_student(others, listed).students:
        found |= {others[place].path: student.name for place in student.files}
    plain = {path: _without_number(name) for path, name in found.items()}
    return {path: name for path, name in plain.items() if name}


def _without_number(name: str) -> str:
    """Return a name without student numbers; "" if no name is left, as in blind marking."""
    words = " ".join(_NUMBER.sub(" ", name).split()).strip(_SEPARATORS)
    return "" if words.rstrip("0123456789 ").casefold() in _NO_NAMES else words


def student_tag(name: str, naming: StudentNaming) -> Tag:
    """Return the tag of a student. Raises PseudonymKeyError, TagError."""
    return make_tag(STUDENT, pseudonym_of(name) if naming is StudentNaming.PSEUDONYM else name)


def tag_values(name: str) -> list[str]:
    """Return the values of the tag that entries of a student may have: the name, and the pseudonym.

    On a computer on which no pseudonym was made there is none. Raises PseudonymKeyError, TagError.
    """
    names = [StudentNaming.NAME, *([StudentNaming.PSEUDONYM] if _key_path().exists() else [])]
    return [student_tag(name, naming).value for naming in names]


def pseudonym_of(name: str) -> str:
    """Return the pseudonym of a student on this computer; case and order of Latin names do not count.

    Raises PseudonymKeyError.
    """
    digest = blake2b(name_key(name).encode(), key=_key(), digest_size=_PSEUDONYM_BYTES)
    return _PSEUDONYM.format(digest=digest.hexdigest())


def _key() -> bytes:
    """Return the key of this computer, which is made when it is first needed."""
    path = _key_path()
    with os_errors_as(PseudonymKeyError, path):
        if not path.exists():
            write_atomically(path, lambda file: file.write(token_bytes(_KEY_BYTES)), private=True)
        key = path.read_bytes()
    if len(key) != _KEY_BYTES:
        raise PseudonymKeyError(path, cause=N_("its content is damaged"))
    return key


def _key_path() -> Path:
    with os_errors_as(PseudonymKeyError, Path(_KEY_FILE)):
        return user_data_path(_KEY_FILE)

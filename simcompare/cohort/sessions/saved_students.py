"""Students of a class as a session holds them, and back."""

from collections.abc import Mapping, Sequence
from itertools import repeat
from pathlib import Path

from simcompare.cohort.students.file_roles import FileRole
from simcompare.cohort.students.student_groups import ClassStudent, StudentFile
from simcompare.session.class_data import SavedStudent


def saved_student(student: ClassStudent, places: Mapping[Path, int]) -> SavedStudent:
    """Convert a student with those files that the session has; places: numbers of the documents by path."""
    files = [file for file in student.files if file.path in places]
    return SavedStudent(
        student.id,
        student.name,
        student.number,
        student.is_listed,
        tuple(places[file.path] for file in files),
        tuple(file.role.value for file in files),
    )


def class_student(saved: SavedStudent, paths: Sequence[Path]) -> ClassStudent:
    """Convert a student of a session back; paths: of its documents in order.

    In sessions of earlier programs, which have no roles, all files but the first count as drafts.
    """
    without_roles = (FileRole.CURRENT, *repeat(FileRole.DRAFT, len(saved.documents) - 1))
    roles = tuple(map(FileRole, saved.roles)) or without_roles
    files = (StudentFile(paths[place], role) for place, role in zip(saved.documents, roles, strict=True))
    return ClassStudent(saved.id, saved.name, saved.number, tuple(files), saved.is_listed)

"""Pseudonyms made in a process of its own, as what they are made with takes a second to load."""
# ruff: noqa: PLC0415 - it is loaded there alone

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simcompare.anonymity.pseudonyms import Pseudonyms
    from simcompare.anonymity.students import Recognised, Student


def made_pseudonyms(_path: Path, openings: Mapping[Path, str], known: "Pseudonyms | None") -> "Pseudonyms":
    """Return pseudonyms for files with the beginnings of their texts.

    Those that are known already stay what they are.
    """
    from simcompare.anonymity.pseudonyms import make_pseudonyms

    return (known or make_pseudonyms(())).knowing(openings)


def corrected_pseudonyms(
    _path: Path, known: "Pseudonyms", recognised: "Sequence[Recognised]", listed: "Sequence[Student]"
) -> "Pseudonyms":
    """Return pseudonyms after a teacher has said whose files are, and who is on a list."""
    return known.corrected(recognised, listed)


def listed_students(path: Path, files: Sequence[Path]) -> "tuple[Sequence[Student], Sequence[Recognised]]":
    """Return the students of a list, and what the names of files say of their students with its help.

    Raises FileError, as `read_students` does.
    """
    from simcompare.anonymity.file_names import propose
    from simcompare.anonymity.roster import read_students

    students = read_students(path)
    return students, propose(files, students)

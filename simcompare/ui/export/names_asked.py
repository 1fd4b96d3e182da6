"""What is asked about names of a process of its own, and what is told where that breaks off."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from simcompare.anonymity.pseudonyms import Pseudonyms
from simcompare.anonymity.students import Recognised, Student
from simcompare.errors import DamagedFileError, FileError, SimcompareError
from simcompare.i18n import N_
from simcompare.ui.export.jobs import DIED, Bench
from simcompare.ui.export.making_names import corrected_pseudonyms, listed_students, made_pseudonyms


class NamesBrokeOffError(SimcompareError):
    """The process that looks for names died, or took too long."""

    template = N_(
        "Whose the files are could not be found out: the search for names ended unexpectedly, perhaps as "
        "memory was short. Close other programs and try again."
    )


class NameBrokeOffError(FileError):
    """The process that looks for names dies at one file."""

    template = N_(
        "Whose {name} is could not be found out: the search for names ended unexpectedly at this file. "
        "Take it off the list, or save it again in the program that made it and add the new file."
    )


def pseudonyms_for(openings: Mapping[Path, str], known: Pseudonyms | None, bench: Bench) -> Pseudonyms:
    """Return pseudonyms for files with the beginnings of their texts; those known already stay what they are.

    Raises NameBrokeOffError where one file is to blame that the process died, else NamesBrokeOffError.
    """
    try:
        return bench.begin(made_pseudonyms, Path(), openings, known)()
    except DIED as error:
        blamed = _first_that_ends_it(openings, bench) if isinstance(error, DamagedFileError) else None
        raise NamesBrokeOffError if blamed is None else NameBrokeOffError(blamed) from error


def _first_that_ends_it(openings: Mapping[Path, str], bench: Bench) -> Path | None:
    for path, opening in openings.items():
        try:
            bench.begin(made_pseudonyms, path, {path: opening}, None)()
        except DIED:
            return path
    return None


def corrected(
    known: Pseudonyms, recognised: Sequence[Recognised], listed: Sequence[Student], bench: Bench
) -> Pseudonyms:
    """Return pseudonyms after a teacher has said whose files are. Raises NamesBrokeOffError."""
    try:
        return bench.begin(corrected_pseudonyms, Path(), known, recognised, listed)()
    except DIED as error:
        raise NamesBrokeOffError from error


def students_listed(
    path: Path, files: Sequence[Path], bench: Bench
) -> tuple[Sequence[Student], Sequence[Recognised]]:
    """Return the students of a list, and whose files are with its help. Raises FileError, which names it."""
    return bench.begin(listed_students, path, files)()

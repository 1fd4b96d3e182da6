"""`simcompare library add`: read files and add them to the library."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from simcompare.cli.library.options import LibraryFile, Tags, library_files, opened_library, parsed_tags
from simcompare.cli.options import Language, Password, WholePage, read_in_order
from simcompare.cli.output import INPUT_FAILED, print_error, progress_bar
from simcompare.model.errors import FileError, SimcompareError
from simcompare.support.i18n import N_, _

if TYPE_CHECKING:
    from simcompare.library.new_entry import NewEntry, SubmissionKey
    from simcompare.library.students import FileLabels, StudentNaming
    from simcompare.loading.extraction import ReadingOptions
    from simcompare.pseudonyms.students import Student


def add_command(
    places: Annotated[
        list[Path],
        typer.Argument(
            metavar="FOLDER|ZIP|FILE...",
            help=N_("What to add: folders, zip archives or files. Class lists in them are not added."),
            show_default=False,
        ),
    ],
    tag: Tags = None,
    students: Annotated[
        Literal["name", "pseudonym", "none"],
        typer.Option(
            help=N_(
                "How to store the students of files in folders and archives, as the tag student: by name, by "
                "pseudonym, which also replaces names of files, or not at all."
            )
        ),
    ] = "name",
    library: LibraryFile = None,
    password: Password = None,
    whole_page: WholePage = False,
    language: Language = "",
) -> None:
    """Add files, each as an entry of its own; say how many were known, and which could not be read."""
    # loads the readers and numpy, which --help does not need
    from simcompare.cohort.document_preparation import ClassListFoundError, submitted_files  # noqa: PLC0415
    from simcompare.library.adding import add_entries  # noqa: PLC0415
    from simcompare.library.known_submissions import unknown_files  # noqa: PLC0415
    from simcompare.library.students import StudentNaming, file_labels, has_recognised  # noqa: PLC0415
    from simcompare.loading.extraction import ReadingOptions  # noqa: PLC0415
    from simcompare.report.library.library_text import additions_in_words  # noqa: PLC0415

    tags = parsed_tags(tag)
    submitted = submitted_files(places)
    by_place = {path.resolve(): path for path in submitted.documents}
    for own_file in library_files(library):
        by_place.pop(own_file.resolve(), None)
    failed: list[SimcompareError] = list(submitted.refused)
    listed = _listed(submitted.rosters, failed)
    naming = StudentNaming(students)
    labels = file_labels(list(by_place.values()), places, tags, naming, listed)
    with opened_library(library, create=True) as opened:
        submissions = _submissions(labels)
        unknown = set(unknown_files(opened, submissions, students_recognised=has_recognised(tags, naming)))
        new = {path: own for path, own in labels.items() if path in unknown or path not in submissions}
        options = ReadingOptions(password, whole_page)
        with closing(_read(new, naming, options, language, failed)) as entries:
            numbers = list(add_entries(opened, entries))
    for error in (*map(ClassListFoundError, submitted.rosters), *failed):
        print_error(error)
    known = len(labels) - len(new) + numbers.count(None)
    typer.echo(additions_in_words(len(numbers) - numbers.count(None), known, len(failed)))
    if failed:
        raise typer.Exit(INPUT_FAILED)


def _listed(rosters: Sequence[Path], failed: list[SimcompareError]) -> "list[Student]":
    """Return the students of the class lists; add the errors of those that cannot be read to `failed`."""
    from simcompare.pseudonyms.roster import read_students  # noqa: PLC0415

    students: list[Student] = []
    for path in rosters:
        try:
            students += read_students(path)
        except FileError as error:
            failed.append(error)
    return students


def _submissions(labels: "Mapping[Path, FileLabels]") -> "dict[Path, SubmissionKey]":
    """Return the submissions of the files that can be opened."""
    from simcompare.library.new_entry import submission_of  # noqa: PLC0415

    submissions: dict[Path, SubmissionKey] = {}
    with progress_bar(_("Looking for known files")) as tick:
        for done, (path, own_labels) in enumerate(labels.items(), start=1):
            with suppress(FileError):  # reading it will give the error
                submissions[path] = submission_of(path, own_labels)
            tick(done, len(labels))
    return submissions


def _read(
    labels: "Mapping[Path, FileLabels]",
    naming: "StudentNaming",
    options: "ReadingOptions",
    language: str,
    failed: list[SimcompareError],
) -> "Generator[NewEntry, None, None]":
    """Read the files in worker processes; add the errors to `failed`."""
    from simcompare.cohort.document_preparation import PRELOADED  # noqa: PLC0415
    from simcompare.library.new_entry import labelled, read_new_entry, read_unnamed_entry  # noqa: PLC0415
    from simcompare.library.students import StudentNaming  # noqa: PLC0415

    read = read_unnamed_entry if naming is StudentNaming.PSEUDONYM else read_new_entry
    for path, outcome in read_in_order(read, list(labels), (), options, language=language, preload=PRELOADED):
        if isinstance(outcome, SimcompareError):
            failed.append(outcome)
        else:
            yield labelled(outcome, labels[path])

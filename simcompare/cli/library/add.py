"""`simcompare library add`: read files and add them to the library."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from simcompare.cli.library.cluster import (
    Handover,
    Scheduler,
    add_on_cluster,
    optional_cluster,
    submissions_on_cluster,
)
from simcompare.cli.library.options import Libraries, Tags, library_files, opened_libraries, parsed_tags
from simcompare.cli.options import Language, Password, WholePage, read_in_order
from simcompare.cli.output import INPUT_FAILED, print_error, progress_bar
from simcompare.model.errors import FileError, SimcompareError
from simcompare.support.i18n import N_, _

if TYPE_CHECKING:
    from simcompare.library.adding import Additions
    from simcompare.library.new_entry import NewEntry, SubmissionKey
    from simcompare.library.store.open_library import Library
    from simcompare.library.students import FileLabels
    from simcompare.loading.extraction import ReadingOptions
    from simcompare.pseudonyms.students import Student


def add_command(  # noqa: PLR0913, PLR0917 - a parameter is an option of the command
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
    library: Libraries = None,
    scheduler: Scheduler = None,
    handover: Handover = None,
    password: Password = None,
    whole_page: WholePage = False,
    language: Language = "",
) -> None:
    """Add files, each as an entry of its own; say how many were known, and which could not be read."""
    # loads the readers and numpy, which --help does not need
    from simcompare.cohort.document_preparation import ClassListFoundError, submitted_files  # noqa: PLC0415
    from simcompare.library.known_submissions import unknown_files  # noqa: PLC0415
    from simcompare.library.new_entry import read_new_entry, read_unnamed_entry  # noqa: PLC0415
    from simcompare.library.students import StudentNaming, file_labels, has_recognised  # noqa: PLC0415
    from simcompare.loading.extraction import ReadingOptions  # noqa: PLC0415
    from simcompare.report.library.library_text import additions_in_words  # noqa: PLC0415

    tags = parsed_tags(tag)
    if scheduler is not None:
        # workers have working folders of their own
        places = [place.absolute() for place in places]
    submitted = submitted_files(places)
    by_place = {path.resolve(): path for path in submitted.documents}
    for own_file in library_files(library):
        by_place.pop(own_file.resolve(), None)
    failed: list[SimcompareError] = list(submitted.refused)
    listed = _listed(submitted.rosters, failed)
    naming = StudentNaming(students)
    labels = file_labels(list(by_place.values()), places, tags, naming, listed)
    with optional_cluster(scheduler) as cluster, opened_libraries(library, create=True) as opened:
        submissions = _submissions(labels) if cluster is None else submissions_on_cluster(cluster, labels)
        unknown = set(unknown_files(opened, submissions, students_recognised=has_recognised(tags, naming)))
        new = {path: own for path, own in labels.items() if path in unknown or path not in submissions}
        options = ReadingOptions(password, whole_page)
        read = read_unnamed_entry if naming is StudentNaming.PSEUDONYM else read_new_entry
        if cluster is None:
            additions = _add(opened, new, read, options, language)
        else:
            additions = add_on_cluster(cluster, opened, new, read, options, language, handover)
    failed += additions.errors
    for error in (*map(ClassListFoundError, submitted.rosters), *failed):
        print_error(error)
    known = len(labels) - len(new) + additions.known
    typer.echo(additions_in_words(additions.added, known, len(failed)))
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


def _add(
    libraries: "Sequence[Library]",
    labels: "Mapping[Path, FileLabels]",
    read: "Callable[..., NewEntry]",
    options: "ReadingOptions",
    language: str,
) -> "Additions":
    """Read files in worker processes with `read(path, tags, options)`, and add them."""
    from simcompare.library.adding import Additions, add_to_libraries  # noqa: PLC0415

    errors: list[SimcompareError] = []
    with closing(_entries(labels, read, options, language, errors)) as entries:
        numbers = list(add_to_libraries(libraries, entries))
    known = numbers.count(None)
    return Additions(len(numbers) - known, known, errors)


def _entries(
    labels: "Mapping[Path, FileLabels]",
    read: "Callable[..., NewEntry]",
    options: "ReadingOptions",
    language: str,
    errors: list[SimcompareError],
) -> "Generator[NewEntry, None, None]":
    """Read the files in worker processes; add the errors to `errors`."""
    from simcompare.library.new_entry import PRELOADED, labelled  # noqa: PLC0415

    for path, outcome in read_in_order(read, list(labels), (), options, language=language, preload=PRELOADED):
        if isinstance(outcome, SimcompareError):
            errors.append(outcome)
        else:
            yield labelled(outcome, labels[path])

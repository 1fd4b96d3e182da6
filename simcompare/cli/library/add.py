"""`simcompare library add`: read files and add them to the library."""

# ruff: noqa: PLC0415 - these load the readers, numpy and the database toolkit, which --help does not need

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from simcompare.cli.library.options import (
    Libraries,
    Scheduler,
    Tags,
    library_files,
    opened_libraries,
    optional_cluster,
    parsed_tags,
)
from simcompare.cli.options import FileOptions, argument, option, read_in_order, typer_command
from simcompare.cli.output import INPUT_FAILED, print_error, progress_bar
from simcompare.model.errors import FileError, SimcompareError
from simcompare.support.i18n import N_, _, current_language

if TYPE_CHECKING:
    from simcompare.library.adding import Additions, NewEntry, SubmissionKey
    from simcompare.library.store.open_library import Library
    from simcompare.library.students import FileLabels
    from simcompare.loading.extraction import ReadingOptions
    from simcompare.model.progress import Tick
    from simcompare.pseudonyms.students import Student


@typer_command(
    N_(
        "Add files to the library. A file that it has under the same name and with the same tags is skipped, "
        "so an interrupted run can be repeated. The exit status is 0 when all were read, 1 when not."
    )
)
def add_command(
    *,
    places: Annotated[
        list[Path],
        argument(
            N_("What to add: folders, zip archives or files. Class lists in them are not added."),
            "FOLDER|ZIP|FILE...",
        ),
    ],
    tag: Tags = None,
    students: Annotated[
        Literal["name", "pseudonym", "none"],
        option(
            N_(
                "How to store the students of files in folders and archives, as the tag student: by name, by "
                "pseudonym, which also replaces names of files, or not at all."
            )
        ),
    ] = "name",
    library: Libraries = None,
    scheduler: Scheduler = None,
    handover: Annotated[
        Path | None,
        option(
            N_(
                "With --scheduler: a folder that this computer and all workers share, for what the workers "
                "hand over; by default the temporary folder, which is enough if all run on this computer."
            ),
            "FOLDER",
        ),
    ] = None,
    reading: FileOptions,
) -> None:
    """Add files, each as an entry of its own; say how many were known, and which could not be read."""
    from simcompare.cohort.document_preparation import ClassListFoundError, submitted_files
    from simcompare.library.adding import read_new_entry, read_unnamed_entry, unknown_files
    from simcompare.library.students import StudentNaming, file_labels, has_recognised
    from simcompare.report.library_text import additions_in_words

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
        with progress_bar(_("Looking for known files")) as tick:
            if cluster is None:
                submissions = _submissions(labels, tick)
            else:
                from simcompare.library.cluster.cluster_work import add_files, submissions_on
                from simcompare.library.cluster.reading_tasks import Reading

                submissions = submissions_on(cluster, labels, tick)
        unknown = set(unknown_files(opened, submissions, students_recognised=has_recognised(tags, naming)))
        new = {path: own for path, own in labels.items() if path in unknown or path not in submissions}
        read = read_unnamed_entry if naming is StudentNaming.PSEUDONYM else read_new_entry
        if cluster is None:
            additions = _add(opened, new, read, reading.options())
        else:
            task = Reading(read, ((),), reading.options(), current_language())
            with progress_bar(_("Reading")) as tick:
                additions = add_files(cluster, opened, new, task, handover, tick)
    failed += additions.errors
    for error in (*map(ClassListFoundError, submitted.rosters), *failed):
        print_error(error)
    known = len(labels) - len(new) + additions.known
    typer.echo(additions_in_words(additions.added, known, len(failed)))
    if failed:
        raise typer.Exit(INPUT_FAILED)


def _listed(rosters: Sequence[Path], failed: list[SimcompareError]) -> "list[Student]":
    """Return the students of the class lists; add the errors of those that cannot be read to `failed`."""
    from simcompare.pseudonyms.roster import read_students

    students: list[Student] = []
    for path in rosters:
        try:
            students += read_students(path)
        except FileError as error:
            failed.append(error)
    return students


def _submissions(labels: "Mapping[Path, FileLabels]", tick: "Tick") -> "dict[Path, SubmissionKey]":
    """Return the submissions of the files that can be opened."""
    from simcompare.library.adding import submission_of

    submissions: dict[Path, SubmissionKey] = {}
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
) -> "Additions":
    """Read files in worker processes with `read(path, tags, options)`, and add them."""
    from simcompare.library.adding import PRELOADED, Additions, add_to_libraries, labelled

    errors: list[SimcompareError] = []

    def entries() -> "Generator[NewEntry, None, None]":
        for path, outcome in read_in_order(read, list(labels), (), options, preload=PRELOADED):
            if isinstance(outcome, SimcompareError):
                errors.append(outcome)
            else:
                yield labelled(outcome, labels[path])

    with closing(entries()) as new:
        numbers = list(add_to_libraries(libraries, new))
    known = numbers.count(None)
    return Additions(len(numbers) - known, known, errors)

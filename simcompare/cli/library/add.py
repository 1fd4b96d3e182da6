"""`simcompare library add`: read files and add them to the library."""

from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcompare.cli.library.options import LibraryFile, Tags, library_files, opened_library, parsed_tags
from simcompare.cli.options import Language, Password, WholePage, read_in_order
from simcompare.cli.output import INPUT_FAILED, print_error, progress_bar
from simcompare.model.errors import FileError, SimcompareError
from simcompare.support.i18n import N_, _

if TYPE_CHECKING:
    from simcompare.library.new_entry import NewEntry, Submission
    from simcompare.library.store.open_library import Library
    from simcompare.library.tags import Tag
    from simcompare.loading.extraction import ReadingOptions


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
    library: LibraryFile = None,
    password: Password = None,
    whole_page: WholePage = False,
    language: Language = "",
) -> None:
    """Add files, each as an entry of its own; say how many were known, and which could not be read."""
    # loads the readers and numpy, which --help does not need
    from simcompare.cohort.document_preparation import ClassListFoundError, submitted_files  # noqa: PLC0415
    from simcompare.library.adding import add_entries  # noqa: PLC0415
    from simcompare.loading.extraction import ReadingOptions  # noqa: PLC0415
    from simcompare.report.library.library_text import additions_in_words  # noqa: PLC0415

    tags = parsed_tags(tag)
    submitted = submitted_files(places)
    by_place = {path.resolve(): path for path in submitted.documents}
    for own_file in library_files(library):
        by_place.pop(own_file.resolve(), None)
    paths = list(by_place.values())
    failed: list[SimcompareError] = list(submitted.refused)
    with opened_library(library, create=True) as opened:
        new = _not_known(opened, paths, tags)
        options = ReadingOptions(password, whole_page)
        with closing(_read(new, tags, options, language, failed)) as entries:
            numbers = list(add_entries(opened, entries))
    for error in (*map(ClassListFoundError, submitted.rosters), *failed):
        print_error(error)
    known = len(paths) - len(new) + numbers.count(None)
    typer.echo(additions_in_words(len(numbers) - numbers.count(None), known, len(failed)))
    if failed:
        raise typer.Exit(INPUT_FAILED)


def _not_known(library: "Library", paths: Sequence[Path], tags: "Sequence[Tag]") -> list[Path]:
    """Return the files of submissions that the library has less often, and those that cannot be opened."""
    from simcompare.library.adding import stored_submissions  # noqa: PLC0415
    from simcompare.library.new_entry import submission_of  # noqa: PLC0415

    submissions: dict[Path, Submission] = {}
    with progress_bar(_("Looking for known files")) as tick:
        for done, path in enumerate(paths, start=1):
            with suppress(FileError):  # reading it will give the error
                submissions[path] = submission_of(path, tags)
            tick(done, len(paths))
    with library.reading() as connection:
        stored = stored_submissions(connection, [each.file_sha256 for each in submissions.values()])
    known = {each for each, count in Counter(submissions.values()).items() if count <= stored[each]}
    return [path for path in paths if submissions.get(path) not in known]


def _read(
    paths: Sequence[Path],
    tags: "Sequence[Tag]",
    options: "ReadingOptions",
    language: str,
    failed: list[SimcompareError],
) -> "Generator[NewEntry, None, None]":
    """Read the files in worker processes; add the errors to `failed`."""
    from simcompare.cohort.document_preparation import PRELOADED  # noqa: PLC0415
    from simcompare.library.new_entry import read_new_entry  # noqa: PLC0415

    for _path, outcome in read_in_order(
        read_new_entry, paths, tags, options, language=language, preload=PRELOADED
    ):
        if isinstance(outcome, SimcompareError):
            failed.append(outcome)
        else:
            yield outcome

"""Commands of `simcompare library` for files, add and search; options of all of its commands."""

# ruff: noqa: PLC0415 - these load the readers, numpy and the database toolkit, which --help does not need

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from simcompare.cli.options import (
    FileOptions,
    Meaning,
    Output,
    TextOrJson,
    argument,
    option,
    read_in_order,
    typer_command,
)
from simcompare.cli.output import INPUT_FAILED, deliver, deliver_parts, print_error, progress_bar
from simcompare.export.output_paths import check_output
from simcompare.model.errors import FileError, NoUnitsError, SimcompareError
from simcompare.support.i18n import N_, _, current_language

if TYPE_CHECKING:
    from simcompare.library.changes import Additions, NewEntry, SubmissionKey
    from simcompare.library.cluster.connection import Cluster
    from simcompare.library.search.search import LibrarySearch
    from simcompare.library.store.open_library import Library
    from simcompare.library.students import FileLabels
    from simcompare.library.tags import Tag
    from simcompare.loading.extraction import ReadingOptions
    from simcompare.model.progress import Tick
    from simcompare.pseudonyms.students import Student
    from simcompare.report.library_text import SearchedText


def _without_password(
    context: typer.Context, parameter: typer.CallbackParam, value: str | None
) -> str | None:
    """Refuse a password in an argument; the environment variable may have one."""
    source = context.get_parameter_source(parameter.name or "")
    if source is not None and source.name == "COMMANDLINE":
        from simcompare.library.store.library_place import check_argument

        check_argument(value)
    return value


def library_option(metavar: str, text: str) -> Any:
    """Make the option --library with the help `text`."""
    return typer.Option(
        "--library", metavar=metavar, envvar="SIMCOMPARE_LIBRARY", callback=_without_password, help=text
    )


LibraryFile = Annotated[
    str | None,
    library_option(
        "FILE|URL",
        N_(
            "The file of the library, by default one in your folder of program data, or a database of "
            "PostgreSQL: postgresql://user@host/database."
        ),
    ),
]
Libraries = Annotated[
    str | None,
    library_option(
        "FILE|URL|LIST",
        N_(
            "The file of the library, by default one in your folder of program data, a database of "
            "PostgreSQL: postgresql://user@host/database, or a list of several libraries: a text file "
            "(.libraries) with one in each line."
        ),
    ),
]
Tags = Annotated[
    list[str] | None,
    option(
        N_("A tag such as class=3, year=2025, assignment=2 or student=Li; may be repeated."),
        "NAME=VALUE",
        "--tag",
    ),
]
Scheduler = Annotated[
    str | None, option(N_("Work on the Dask cluster of this scheduler, such as tcp://host:8786."), "ADDRESS")
]


def parsed_tags(tags: Sequence[str] | None) -> "list[Tag]":
    """Parse the values of --tag. Raises TagError."""
    from simcompare.library.tags import parsed_tag

    return list(map(parsed_tag, tags or ()))


def library_files(library: str | None) -> list[Path]:
    """Return the files of the libraries that are in files, given the value of --library.

    No command may overwrite them or read them as documents. Raises LibraryListError, LibraryAddressError.
    """
    from simcompare.library.store.library_place import library_places

    return [place for place in library_places(library) if isinstance(place, Path)]


def opened_library(library: str | None, *, create: bool = False) -> "Library":
    """Open the library, given the value of --library.

    Raises LibraryListGivenError for a list, LibraryError, LibraryAddressError.
    """
    from simcompare.library.store.library_place import single_place
    from simcompare.library.store.open_library import open_library

    return open_library(single_place(library), create=create)


@contextmanager
def opened_libraries(library: str | None, *, create: bool = False) -> "Iterator[list[Library]]":
    """Open all libraries of a list, or the one given. Raises LibraryListError, and as `opened_library`."""
    from simcompare.library.store.library_place import library_places
    from simcompare.library.store.open_library import open_library

    with ExitStack() as stack:
        places = library_places(library)
        yield [stack.enter_context(open_library(place, create=create)) for place in places]


def encode_libraries(libraries: "Sequence[Library]") -> None:
    """Prepare libraries for a search by meaning; of one that cannot be written, say what may be missed."""
    from simcompare.library.library_errors import NotEncodedError
    from simcompare.library.search.meaning_search import encode_entries

    try:
        with progress_bar(_("Preparing the library for the search by meaning")) as tick:
            encode_entries(libraries, tick)
    except NotEncodedError as error:
        print_error(error)


@contextmanager
def optional_cluster(scheduler: str | None) -> "Iterator[Cluster | None]":
    """Connect to the cluster of --scheduler, if it is given. Raises ClusterError."""
    if scheduler is None:
        yield None
        return
    from simcompare.library.cluster.connection import connected

    with connected(scheduler) as cluster:
        yield cluster


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
    from simcompare.library.changes import read_new_entry, read_unnamed_entry, unknown_files
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
                from simcompare.library.cluster.cluster_work import Reading, add_files, submissions_on

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
    from simcompare.library.changes import submission_of

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
    from simcompare.library.changes import PRELOADED, Additions, add_to_libraries, labelled

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


class NothingToSearchError(SimcompareError):
    template = N_("There is nothing to search. Name files, or give a sentence with --sentence.")


@typer_command(N_("Find the entries that share text with files or a sentence."))
def search_command(  # noqa: PLR0913 - a parameter is an option of the command
    *,
    files: Annotated[list[Path] | None, argument(N_("The files to search."), "FILE")] = None,
    sentence: Annotated[str | None, option(N_("Search the entries that have this sentence."), "TEXT")] = None,
    by: Annotated[
        Literal["words", "fingerprints"],
        option(
            N_(
                "How entries are found. words: by passages and rare words in common; fingerprints: by a "
                "document, paragraph or sentence whose fingerprint differs in at most 3 bits."
            )
        ),
    ] = "words",
    top: Annotated[int, option(N_("Number of entries that are compared with each text."), "N", min=1)] = 10,
    to: TextOrJson = "text",
    output: Output = None,
    library: Libraries = None,
    scheduler: Scheduler = None,
    meaning: Meaning = None,
    reading: FileOptions,
) -> None:
    """Search each file in the library, and the sentence; errors do not stop the others."""
    from simcompare.library.search.level_search import fingerprint_entries
    from simcompare.library.search.meaning_search import is_searched_by_meaning
    from simcompare.library.search.search import LibrarySearch
    from simcompare.report.comparison_json import as_json
    from simcompare.report.library_text import hits_as_text, search_as_dict

    if not files and sentence is None:
        raise NothingToSearchError
    check_output(output, [*(files or ()), *library_files(library)])
    failed: list[SimcompareError] = []
    with optional_cluster(scheduler) as cluster, opened_libraries(library) as opened:
        search = LibrarySearch(*opened, by_fingerprints=by == "fingerprints")
        if by == "fingerprints":
            # entries added since the last search, or all
            with progress_bar(_("Fingerprinting the library")) as tick:
                fingerprint_entries(opened, tick)
        by_meaning = bool(files) and is_searched_by_meaning(meaning, opened)
        if by_meaning:
            encode_libraries(opened)
        options = reading.options(meaning=by_meaning)
        searched = [] if sentence is None else [_sentence_hits(search, sentence, top)]
        if cluster is None:
            searched += _file_hits(search, files or (), top, options)
        else:
            searched += _hits_on_cluster(cluster, search, files or (), top, options)
    for _text, result in searched:
        if isinstance(result, SimcompareError):
            failed.append(result)
            print_error(result)
    if to == "json":
        deliver(as_json(search_as_dict(searched)), output)
    else:
        found = ((text, result) for text, result in searched if not isinstance(result, SimcompareError))
        deliver_parts((hits_as_text(text, hits, top) for text, hits in found), output)
    if failed:
        raise typer.Exit(INPUT_FAILED)


def _sentence_hits(search: "LibrarySearch", sentence: str, top: int) -> "SearchedText":
    """Return the hits of a sentence, or its error."""
    try:
        return sentence, search.search_sentence(sentence, top)
    except (FileError, NoUnitsError) as error:
        return sentence, error


def _file_hits(
    search: "LibrarySearch", files: Sequence[Path], top: int, options: "ReadingOptions"
) -> "Iterator[SearchedText]":
    """Yield the hits of each file, or its error."""
    from simcompare.cohort.document_preparation import PRELOADED, read_prepared_document
    from simcompare.library.changes import LIBRARY_RECIPE

    read = read_in_order(read_prepared_document, files, LIBRARY_RECIPE, options, preload=PRELOADED)
    for path, document in read:
        if isinstance(document, SimcompareError):
            yield str(path), document
        else:
            yield str(path), search.search(document, top)


def _hits_on_cluster(
    cluster: "Cluster", search: "LibrarySearch", files: Sequence[Path], top: int, options: "ReadingOptions"
) -> "Iterator[SearchedText]":
    """Yield the hits of each file, or its error."""
    from simcompare.cohort.document_preparation import read_prepared_document
    from simcompare.library.changes import LIBRARY_RECIPE
    from simcompare.library.cluster.cluster_work import Reading, search_files

    # workers have working folders of their own
    paths = list(dict.fromkeys(file.absolute() for file in files))
    task = Reading(read_prepared_document, (LIBRARY_RECIPE,), options, current_language())
    with progress_bar(_("Searching the library")) as tick:
        found = search_files(cluster, search, paths, task, top, tick)
    for file in files:
        yield str(file), found[file.absolute()]

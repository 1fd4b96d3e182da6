"""`simcompare library search` for files or a sentence, and `check --library` for a class."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from simcompare.cli.library.cluster import Scheduler, optional_cluster, search_on_cluster
from simcompare.cli.library.options import (
    Libraries,
    library_files,
    opened_libraries,
    opened_library,
    parsed_tags,
)
from simcompare.cli.options import Language, Output, Password, TextOrJson, WholePage, read_in_order
from simcompare.cli.output import INPUT_FAILED, deliver, deliver_parts, print_error, progress_bar
from simcompare.export.output_paths import check_output
from simcompare.model.errors import FileError, NoUnitsError, SimcompareError
from simcompare.support.i18n import N_, _
from simcompare.support.interrupts import interruptible

if TYPE_CHECKING:
    from simcompare.cohort.class_check import ClassCheck
    from simcompare.library.search.search import LibrarySearch
    from simcompare.loading.extraction import ReadingOptions
    from simcompare.report.library.library_json import SearchedText


class NothingToSearchError(SimcompareError):
    """Neither a file nor a sentence is given."""

    template = N_("There is nothing to search. Name files, or give a sentence with --sentence.")


def search_command(  # noqa: PLR0913, PLR0917 - a parameter is an option of the command
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help=N_("The files to search."), show_default=False),
    ] = None,
    sentence: Annotated[
        str | None,
        typer.Option(
            metavar="TEXT", help=N_("Search the entries that have this sentence."), show_default=False
        ),
    ] = None,
    by: Annotated[
        Literal["words", "fingerprints"],
        typer.Option(
            help=N_(
                "How entries are found. words: by passages and rare words in common; fingerprints: by a "
                "document, paragraph or sentence whose fingerprint differs in at most 3 bits."
            )
        ),
    ] = "words",
    top: Annotated[
        int, typer.Option(min=1, metavar="N", help=N_("Number of entries that are compared with each text."))
    ] = 10,
    to: TextOrJson = "text",
    output: Output = None,
    library: Libraries = None,
    scheduler: Scheduler = None,
    password: Password = None,
    whole_page: WholePage = False,
    language: Language = "",
) -> None:
    """Search each file in the library, and the sentence; errors do not stop the others."""
    # loads the readers and numpy, which --help does not need
    from simcompare.library.search.level_search import fingerprint_entries  # noqa: PLC0415
    from simcompare.library.search.search import LibrarySearch  # noqa: PLC0415
    from simcompare.loading.extraction import ReadingOptions  # noqa: PLC0415
    from simcompare.report.comparison_json import as_json  # noqa: PLC0415
    from simcompare.report.library.library_json import search_as_dict  # noqa: PLC0415
    from simcompare.report.library.library_text import hits_as_text  # noqa: PLC0415

    if not files and sentence is None:
        raise NothingToSearchError
    check_output(output, [*(files or ()), *library_files(library)])
    failed: list[SimcompareError] = []
    options = ReadingOptions(password, whole_page)
    with optional_cluster(scheduler) as cluster, opened_libraries(library) as opened:
        search = LibrarySearch(*opened, by_fingerprints=by == "fingerprints")
        if by == "fingerprints":
            # entries added since the last search, or all
            with progress_bar(_("Fingerprinting the library")) as tick:
                fingerprint_entries(opened, tick)
        searched = [] if sentence is None else [_sentence_hits(search, sentence, top)]
        if cluster is None:
            searched += _file_hits(search, files or (), top, options, language)
        else:
            searched += search_on_cluster(cluster, search, files or (), top, options, language)
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
    search: "LibrarySearch", files: Sequence[Path], top: int, options: "ReadingOptions", language: str
) -> "Iterator[SearchedText]":
    """Yield the hits of each file, or its error."""
    from simcompare.cohort.document_preparation import PRELOADED, read_prepared_document  # noqa: PLC0415
    from simcompare.library.new_entry import LIBRARY_RECIPE  # noqa: PLC0415

    read = read_in_order(
        read_prepared_document, files, LIBRARY_RECIPE, options, language=language, preload=PRELOADED
    )
    for path, document in read:
        if isinstance(document, SimcompareError):
            yield str(path), document
        else:
            yield str(path), search.search(document, top)


# a class


def check_library(library: str | None, tags: Sequence[str] | None) -> None:
    """Raise the errors of a library that cannot be searched, if one is given, before anything is read."""
    if library is not None:
        parsed_tags(tags)
        opened_library(library).close()


def with_library_hits(check: "ClassCheck", library: str | None, tags: Sequence[str] | None) -> "ClassCheck":
    """Return a check with what the library has of the class, if one is given; `tags`: those of the class.

    Raises TagError, LibraryError.
    """
    if library is None:
        return check
    from simcompare.library.class_search import search_class  # noqa: PLC0415

    with opened_library(library) as opened, progress_bar(_("Searching the library")) as tick:
        hits = interruptible(lambda stop: search_class(opened, check, tick, stop, parsed_tags(tags)))
    return replace(check, library_hits=hits)

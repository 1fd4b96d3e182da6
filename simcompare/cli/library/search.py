"""`simcompare library search` for files or a sentence."""

# ruff: noqa: PLC0415 - these load the readers, numpy and the database toolkit, which --help does not need

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from simcompare.cli.library.options import (
    Libraries,
    Scheduler,
    encode_libraries,
    library_files,
    opened_libraries,
    optional_cluster,
)
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
    from simcompare.library.cluster.connection import Cluster
    from simcompare.library.search.search import LibrarySearch
    from simcompare.loading.extraction import ReadingOptions
    from simcompare.report.library_text import SearchedText


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
    from simcompare.library.adding import LIBRARY_RECIPE

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
    from simcompare.library.adding import LIBRARY_RECIPE
    from simcompare.library.cluster.cluster_work import search_files
    from simcompare.library.cluster.reading_tasks import Reading

    # workers have working folders of their own
    paths = list(dict.fromkeys(file.absolute() for file in files))
    task = Reading(read_prepared_document, (LIBRARY_RECIPE,), options, current_language())
    with progress_bar(_("Searching the library")) as tick:
        found = search_files(cluster, search, paths, task, top, tick)
    for file in files:
        yield str(file), found[file.absolute()]

"""`--scheduler`: the commands `add` and `search` of the library on a cluster."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simcompare.cli.output import progress_bar
from simcompare.support.i18n import N_, _

if TYPE_CHECKING:
    from simcompare.library.adding import Additions
    from simcompare.library.cluster.connection import Cluster
    from simcompare.library.new_entry import NewEntry, SubmissionKey
    from simcompare.library.search.search import LibrarySearch
    from simcompare.library.store.open_library import Library
    from simcompare.library.students import FileLabels
    from simcompare.loading.extraction import ReadingOptions
    from simcompare.report.library.library_json import SearchedText

Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help=N_("Work on the Dask cluster of this scheduler, such as tcp://host:8786."),
        show_default=False,
    ),
]
Handover = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help=N_(
            "With --scheduler: a folder that this computer and all workers share, for what the workers hand "
            "over; by default the temporary folder, which is enough if all run on this computer."
        ),
        show_default=False,
    ),
]


@contextmanager
def optional_cluster(scheduler: str | None) -> "Iterator[Cluster | None]":
    """Connect to the cluster of --scheduler, if it is given. Raises ClusterError."""
    if scheduler is None:
        yield None
        return
    # loads the readers
    from simcompare.library.cluster.connection import connected  # noqa: PLC0415

    with connected(scheduler) as cluster:
        yield cluster


def submissions_on_cluster(
    cluster: "Cluster", labels: "Mapping[Path, FileLabels]"
) -> "dict[Path, SubmissionKey]":
    """Return the submissions of the files that the workers can open."""
    from simcompare.library.cluster.cluster_adding import submissions_on  # noqa: PLC0415

    with progress_bar(_("Looking for known files")) as tick:
        return submissions_on(cluster, labels, tick)


def add_on_cluster(
    cluster: "Cluster",
    libraries: "Sequence[Library]",
    labels: "Mapping[Path, FileLabels]",
    read: "Callable[..., NewEntry]",
    options: "ReadingOptions",
    language: str,
    folder: Path | None,
) -> "Additions":
    """Read files on the workers with `read(path, tags, options)`, and add them."""
    from simcompare.library.cluster.cluster_adding import add_files  # noqa: PLC0415
    from simcompare.library.cluster.reading_tasks import Reading  # noqa: PLC0415

    reading = Reading(read, ((),), options, language)
    with progress_bar(_("Reading")) as tick:
        return add_files(cluster, libraries, labels, reading, folder, tick)


def search_on_cluster(
    cluster: "Cluster",
    search: "LibrarySearch",
    files: Sequence[Path],
    top: int,
    options: "ReadingOptions",
    language: str,
) -> "Iterator[SearchedText]":
    """Yield the hits of each file, or its error."""
    from simcompare.cohort.document_preparation import read_prepared_document  # noqa: PLC0415
    from simcompare.library.cluster.cluster_search import search_files  # noqa: PLC0415
    from simcompare.library.cluster.reading_tasks import Reading  # noqa: PLC0415
    from simcompare.library.new_entry import LIBRARY_RECIPE  # noqa: PLC0415

    # workers have working folders of their own
    paths = list(dict.fromkeys(file.absolute() for file in files))
    reading = Reading(read_prepared_document, (LIBRARY_RECIPE,), options, language)
    with progress_bar(_("Searching the library")) as tick:
        found = search_files(cluster, search, paths, reading, top, tick)
    for file in files:
        yield str(file), found[file.absolute()]

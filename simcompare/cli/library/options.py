"""Options of all commands of the library, and opening the library and the cluster that they name."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simcompare.cli.options import option
from simcompare.cli.output import print_error, progress_bar
from simcompare.support.i18n import N_, _

if TYPE_CHECKING:
    from simcompare.library.cluster.connection import Cluster
    from simcompare.library.store.open_library import Library
    from simcompare.library.tags import Tag


def _without_password(
    context: typer.Context, parameter: typer.CallbackParam, value: str | None
) -> str | None:
    """Refuse a password in an argument; the environment variable may have one."""
    source = context.get_parameter_source(parameter.name or "")
    if source is not None and source.name == "COMMANDLINE":
        from simcompare.library.store.library_place import check_argument  # noqa: PLC0415

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
    from simcompare.library.tags import parsed_tag  # noqa: PLC0415 - loads the database toolkit

    return list(map(parsed_tag, tags or ()))


def library_files(library: str | None) -> list[Path]:
    """Return the files of the libraries that are in files, given the value of --library.

    No command may overwrite them or read them as documents. Raises LibraryListError, LibraryAddressError.
    """
    from simcompare.library.store.library_place import library_places  # noqa: PLC0415

    return [place for place in library_places(library) if isinstance(place, Path)]


def opened_library(library: str | None, *, create: bool = False) -> "Library":
    """Open the library, given the value of --library.

    Raises LibraryListGivenError for a list, LibraryError, LibraryAddressError.
    """
    from simcompare.library.store.library_place import single_place  # noqa: PLC0415
    from simcompare.library.store.open_library import open_library  # noqa: PLC0415

    return open_library(single_place(library), create=create)


@contextmanager
def opened_libraries(library: str | None, *, create: bool = False) -> "Iterator[list[Library]]":
    """Open all libraries of a list, or the one given. Raises LibraryListError, and as `opened_library`."""
    from simcompare.library.store.library_place import library_places  # noqa: PLC0415
    from simcompare.library.store.open_library import open_library  # noqa: PLC0415

    with ExitStack() as stack:
        places = library_places(library)
        yield [stack.enter_context(open_library(place, create=create)) for place in places]


def encode_libraries(libraries: "Sequence[Library]") -> None:
    """Prepare libraries for a search by meaning; of one that cannot be written, say what may be missed."""
    from simcompare.library.library_errors import NotEncodedError  # noqa: PLC0415
    from simcompare.library.search.meaning_search import encode_entries  # noqa: PLC0415

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
    from simcompare.library.cluster.connection import connected  # noqa: PLC0415 - loads the readers

    with connected(scheduler) as cluster:
        yield cluster
